//! The types and keywords of the language.

/// A type or a keyword with its page.
pub struct Word {
    /// The word.
    pub name: &'static str,
    /// Its kind, such as "type".
    pub kind: &'static str,
    /// The page below the title, as Markdown.
    pub page: &'static str,
}

const fn ty(name: &'static str, page: &'static str) -> Word {
    Word { name, kind: "type", page }
}

const fn keyword(name: &'static str, page: &'static str) -> Word {
    Word { name, kind: "keyword", page }
}

/// The names of other languages with what PCL has in their place.
pub(super) const FOREIGN: &[(&str, &str)] = &[
    ("count", "range"),
    ("create_before_destroy", "deleteBeforeReplace"),
    ("data", "read"),
    ("depends_on", "dependsOn"),
    ("for_each", "range"),
    ("ignore_changes", "ignoreChanges"),
    ("lifecycle", "options"),
    ("locals", "local"),
    ("module", "component"),
    ("prevent_destroy", "protect"),
    ("replace_triggered_by", "replacementTrigger"),
    ("required_version", "requiredVersionRange"),
    ("sensitive", "secret"),
    ("variable", "config"),
];

pub(super) static WORDS: &[Word] = &[
    ty(
        "any",
        "A value of any type. It is written as the type of a `config` or an `output`.\n\n```pcl\nconfig settings any {\n}\n```\n",
    ),
    ty(
        "archive",
        "A directory or an archive file that a resource takes as a whole. `fileArchive`, `remoteArchive` and `assetArchive` make archives.\n\n```pcl\ncode = fileArchive(\"./app\")\n```\n",
    ),
    ty(
        "asset",
        "A file, or its content, that a resource takes as a whole. `fileAsset`, `stringAsset` and `remoteAsset` make assets.\n\n```pcl\npage = stringAsset(\"<h1>Hello</h1>\")\n```\n",
    ),
    ty(
        "bool",
        "`true` or `false`. The words `yes`, `no`, `on` and `off` of YAML are not bools. The strings `\"true\"` and `\"false\"` convert to bools.\n\n```pcl\nconfig production bool {\n  default = false\n}\n```\n",
    ),
    ty(
        "int",
        "A whole number. A string converts to an int when its text is one, as `\"8080\"`; `2.5` does not.\n\n```pcl\nconfig port int {\n  default = 8080\n}\n```\n",
    ),
    ty(
        "list",
        "A list of elements of one type, `list(string)`. It is written `[a, b]`, and an element is `names[0]`. A single value does not convert to a list.\n\n```pcl\nconfig zones \"list(string)\" {\n  default = [\"a\", \"b\"]\n}\nfirst = zones[0]\n```\n",
    ),
    ty(
        "map",
        "Values of one type under any keys, `map(int)`. It is written `{ a = 1, b = 2 }`, and a value is `sizes.a` or `sizes[\"a\"]`.\n\n```pcl\nconfig sizes \"map(int)\" {\n  default = { small = 1, large = 4 }\n}\n```\n",
    ),
    ty(
        "number",
        "A number, whole or not. A string converts to a number when its text is one, as `\"2.5\"`.\n\n```pcl\nconfig ratio number {\n  default = 0.5\n}\n```\n",
    ),
    ty(
        "object",
        "Named properties, each of its own type. `optional` marks a property that may be missing.\n\n```pcl\nconfig server \"object({ name = string, size = optional(int) })\" {\n  default = { name = \"web\" }\n}\n```\n",
    ),
    ty(
        "optional",
        "A property of an object type that may be missing: `object({ size = optional(int) })`. A `config` that may be missing is `nullable`.\n\n```pcl\nconfig server \"object({ name = string, size = optional(int) })\" {\n}\n```\n",
    ),
    ty(
        "set",
        "Distinct elements without an order, `set(string)`. A set cannot be indexed or looped over; most programs use a list.\n\n```pcl\nconfig names \"set(string)\" {\n}\n```\n",
    ),
    ty(
        "string",
        "Text in double quotes. `${..}` inserts a value, and `<<-EOT` begins a text of several lines. Numbers and bools convert to strings.\n\n```pcl\nname     = \"web\"\ngreeting = \"hello ${name}\"\n```\n",
    ),
    ty(
        "tuple",
        "A list of a fixed length whose elements have types of their own, `tuple([string, int])`. It is written like a list.\n\n```pcl\nconfig pair \"tuple([string, int])\" {\n  default = [\"a\", 1]\n}\n```\n",
    ),
    keyword(
        "false",
        "The bool `false`. The words `False`, `no` and `off` of other languages are names here.\n\n```pcl\nproduction = false\n```\n",
    ),
    keyword(
        "for",
        "A loop that makes a list, `[for x in xs : ..]`, or a map, `{for k, v in m : k => ..}`. `if` behind the value leaves elements out. To create several resources, use the option `range`.\n\n```pcl\nnames = [for i in [1, 2, 3] : \"server-${i}\" if i > 1]\n```\n",
    ),
    keyword(
        "if",
        "The condition of a loop, behind its value. A conditional is written `condition ? a : b`; inside strings there is `%{ if .. }`.\n\n```pcl\nodd = [for i in [1, 2, 3] : i if i % 2 == 1]\n```\n",
    ),
    keyword(
        "in",
        "The collection of a loop is behind it.\n\n```pcl\nsquares = [for i in [1, 2, 3] : i * i]\n```\n",
    ),
    keyword(
        "local",
        "A named value is an attribute at the top level of a file; there is no block around it. It is referred to by its name alone, without a prefix such as `local.`.\n\n```pcl\nname = \"web\"\nhost = \"${name}.example.com\"\n```\n",
    ),
    keyword(
        "null",
        "The missing value. An input that is null counts as left out. `None`, `nil` and `undefined` of other languages are names here.\n\n```pcl\nzone = null\n```\n",
    ),
    keyword(
        "true",
        "The bool `true`. The words `True`, `yes` and `on` of other languages are names here.\n\n```pcl\nproduction = true\n```\n",
    ),
];
