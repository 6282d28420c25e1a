//! Hover at places of programs: the text must contain what is expected.

use crate::support::Editor;

/// Programs with the place of the cursor, and what the explanation contains.
const TABLE: &[(&str, &[&str])] = &[
    (
        "▮resource cage \"zoo:index:Cage\" {\n  bars = 1\n}\n",
        &["resource name \"package:module:Type\""],
    ),
    (
        "resource ca▮ge \"zoo:index:Cage\" {\n  bars = 1\n}\n",
        &["```pcl\nresource cage \"zoo:index:Cage\"", "holds **animals**"],
    ),
    (
        "resource cage \"zoo:in▮dex:Cage\" {\n  bars = 1\n}\n",
        &["zoo:index:Cage", "resource of `zoo` 1.2.0"],
    ),
    (
        "resource cage \"zoo:index:Cage\" {\n  ba▮rs = 1\n}\n",
        &["bars: int\n", "The number of bars.", "*required*"],
    ),
    (
        "resource cage \"zoo:index:Cage\" {\n  bars = 1\n  lo▮ck = \"a\"\n}\n",
        &["**Deprecated:** Locks are electronic now.", "secret"],
    ),
    (
        "resource cage \"zoo:index:Cage\" {\n  bars = 1\n  color▮ = \"a\"\n}\n",
        &["default `\"grey\"`"],
    ),
    (
        "resource cage \"zoo:index:Cage\" {\n  bars = 1\n  options {\n    depends▮On = []\n  }\n}\n",
        &["**The option `dependsOn`**", "Resources that must exist first", "dependsOn = ["],
    ),
    (
        "resource cage \"zoo:index:Cage\" {\n  bars = 1\n}\na = cage.ar▮ea\n",
        &["area: output(number)", "The area in square metres."],
    ),
    (
        "resource cage \"zoo:index:Cage\" {\n  bars = 1\n}\na = ca▮ge.area\n",
        &["resource cage", "holds **animals**"],
    ),
    (
        "resource tom \"zoo:index:Animal\" {\n  name = \"Tom\"\n  cage = \"1\"\n  favorite = { fo▮od = \"fish\" }\n}\n",
        &["food: ", "The name of the food.", "*required*"],
    ),
    (
        "resource tom \"zoo:index:Animal\" {\n  name = \"Tom\"\n  cage = \"1\"\n  meals = [{ food = \"fish\", gr▮ams = 1 }]\n}\n",
        &["The weight of a portion."],
    ),
    (
        "resource tom \"zoo:index:Animal\" {\n  name = \"Tom\"\n  cage = \"1\"\n  mea▮ls = []\n}\n",
        &["meals: list(Meal)\n", "- `food` (string, required): The name of the food."],
    ),
    ("con▮fig a \"string\" {}\n", &["**The block `config`**"]),
    (
        "resource tom \"zoo:index:Animal\" {\n  name = \"Tom\"\n  cage = \"1\"\n  favorite = { food = \"fish\" }\n}\na = tom.favorite.fo▮od\n",
        &["The name of the food."],
    ),
    ("si▮ze = 1 + 1\n", &["size = ..: number"]),
    ("size = 1\ndouble = si▮ze * 2\n", &["size = ..: int"]),
    ("size = len▮gth([1])\n", &["length(", "-> int", "Result here: `int`"]),
    (
        "config ki▮nd \"string\" {\n  description = \"The kind.\"\n  default = \"a\"\n}\n",
        &["config kind \"string\": string", "The kind.", "Default: `\"a\"`"],
    ),
    (
        "config code \"string\" {\n  secret = true\n  default = \"hidden\"\n}\na = co▮de\n",
        &["The value is secret."],
    ),
    ("xs = [for wo▮rd in [\"a\"] : word]\n", &["word: string"]),
    ("xs = [for word in [\"a\"] : wo▮rd]\n", &["word: string"]),
    ("a = \"${len▮gth([1])}\"\n", &["length("]),
    (
        "a = invoke(\"zoo:index:get▮Animal\", { name = \"Tom\" })\n",
        &["zoo:index:getAnimal", "Looks an animal up."],
    ),
    (
        "a = invoke(\"zoo:index:getAnimal\", { name = \"Tom\" }).wei▮ght\n",
        &["The weight in kilograms."],
    ),
    (
        "resource cage \"zoo:index:Cage\" {\n  bars = 1\n  options {\n    range = 2\n  }\n  labels = { a = \"${ran▮ge.value}\" }\n}\n",
        &["range: { value: int }"],
    ),
];

#[test]
fn the_thing_at_a_place_is_explained() {
    for (text, parts) in TABLE {
        let (mut editor, position) = Editor::with(text);
        let params = editor.at(&position);
        let hover = editor.request("textDocument/hover", params).expect("an answer");
        let found = hover["contents"]["value"].as_str().unwrap_or_default();
        for part in *parts {
            assert!(found.contains(part), "{text}\n\n{found}\n\nlacks {part}");
        }
    }
}

#[test]
fn a_secret_default_is_not_shown() {
    let (mut editor, position) =
        Editor::with("config co▮de \"string\" {\n  secret = true\n  default = \"hidden\"\n}\n");
    let params = editor.at(&position);
    let hover = editor.request("textDocument/hover", params).expect("an answer");
    assert!(!hover.to_string().contains("hidden"), "{hover}");
}

#[test]
fn what_means_nothing_has_no_hover() {
    for text in ["# a com▮ment\n", "a = 1\n▮\n", "a = ▮\n"] {
        let (mut editor, position) = Editor::with(text);
        let params = editor.at(&position);
        let hover = editor.request("textDocument/hover", params).expect("an answer");
        assert!(hover.is_null(), "{text} {hover}");
    }
}
