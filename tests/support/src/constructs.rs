//! Programs that show the constructs of the language, for the tests of code generators.

use std::sync::Arc;

use pcl::generated::Project;
use pcl::language::{OPTIONS, Takes};
use pcl::schema::MemoryLoader;
use pcl::{Checked, Settings, Target, Workspace};

use crate::{root, write};

/// The declarations that examples refer to.
pub const DECLARATIONS: &str = r#"
config flag bool {}
config count int {}
config text string {}
config list "list(string)" {}
config map "map(string)" {}
config any any {}
resource stack "pulumi:pulumi:StackReference" {}
resource cluster "harbor:compute:Cluster" {
  version = "1"
}
resource server "harbor:compute:Server" {
  image      = "debian"
  apiVersion = "v2"
}
"#;

/// The resources of ranges that options of examples refer to, below [`DECLARATIONS`].
const RANGES: [(&str, &str); 4] = [
    ("many", "range = 2"),
    ("named", "range = { a = 1 }"),
    ("maybe", "range = flag"),
    ("late", "range = split(\",\", server.address)"),
];

/// The program with the local `value`, which is an expression.
pub fn program_of(expression: &str) -> String {
    // The lists that `min` takes are of numbers.
    let declarations = if expression.starts_with("min(") {
        DECLARATIONS.replace("list(string)", "list(number)")
    } else {
        DECLARATIONS.to_owned()
    };
    format!("{declarations}value = {expression}\n")
}

/// The functions of the language that no expression calls at its start.
pub fn functions_without_example<'e>(
    expressions: impl Iterator<Item = &'e str> + Clone,
) -> Vec<String> {
    let page = std::fs::read_to_string(root().join("docs/functions.md"));
    let page = page.expect("the page of functions");
    let (functions, _) = page.split_once("\n## Types").expect("a part on types");
    let names = functions.lines().filter_map(|line| line.strip_prefix("### "));
    let is_missing = |name: &&str| {
        let call = format!("{name}(");
        !expressions.clone().any(|expression| expression.starts_with(&call))
    };
    names.filter(is_missing).map(str::to_owned).collect()
}

/// A resource with one option.
fn network(name: &str, option: &str) -> String {
    format!(
        "resource {name} \"harbor:network:Network\" {{\n  cidr = \"a\"\n  options {{\n    {option}\n\
         \x20 }}\n}}\n"
    )
}

/// The names of all options but `range`, each with a program that has it.
pub fn programs_of_options() -> impl Iterator<Item = (&'static str, String)> {
    let rules = OPTIONS.attributes.iter().filter(|rule| rule.name != "range");
    rules.map(|rule| {
        let value = match (rule.name, rule.takes) {
            ("aliases", _) => "[\"a\"]",
            ("customTimeouts", _) => "{ create = \"1m\" }",
            ("dependsOn" | "replaceWith", _) => "[other]",
            ("deletedWith" | "parent", _) => "other",
            ("provider", _) => "north",
            ("providers", _) => "[north]",
            ("envVarMappings", _) => "{ A = \"B\" }",
            ("import" | "replacementTrigger", _) => "\"a\"",
            (_, Takes::Properties) => "[cidr]",
            (_, Takes::Hooks) => "{ beforeCreate = [announce] }",
            (_, Takes::Text) => "\"https://example.com\"",
            (_, Takes::Version) => "\"2.1.0\"",
            _ => "true",
        };
        let own = network("network", &format!("{} = {value}", rule.name));
        let text = format!(
            "hook resource announce {{\n  command = [\"true\"]\n}}\n\
             resource north \"pulumi:providers:harbor\" {{\n  region = \"north\"\n}}\n\
             resource other \"harbor:network:Network\" {{\n  cidr = \"a\"\n}}\n{own}"
        );
        (rule.name, text)
    })
}

/// The program with a resource that depends on others, among them those of ranges: `many`, `named`,
/// `maybe` and `late`.
pub fn program_of_dependencies(on: &str) -> String {
    let declared = RANGES.map(|(name, range)| network(name, range)).concat();
    format!("{DECLARATIONS}{declared}{}", network("own", &format!("dependsOn = {on}")))
}

/// The program with a local that needs this number of values that are known later.
pub fn program_of_late_values(count: usize) -> String {
    let config = |at| format!("config c{at} string {{\n  default = server.address\n}}\n");
    let configs: String = (0..count).map(config).collect();
    let values: Vec<String> = (0..count).map(|at| format!("c{at} == text")).collect();
    format!("{DECLARATIONS}{configs}value = {}\n", values.join(" && "))
}

/// Programs with one construct each that the SDKs have no way to say, and the text of the place
/// where it is.
pub fn programs_beyond_sdks() -> Vec<(String, &'static str)> {
    let late = network("late", "range = split(\",\", server.address)");
    let programs = [
        (network("other", "protect = server.running"), "protect"),
        (format!("{late}{}", network("other", "deletedWith = late[0]")), "deletedWith"),
        (
            "late = invoke(\"harbor:compute:getImage\", { name = \"a\" }, { dependsOn = [server] })\n"
                .to_owned(),
            "dependsOn",
        ),
    ];
    programs.map(|(text, place)| (format!("{DECLARATIONS}{text}"), place)).into()
}

/// The texts of the places where a project lacks something of a program with one file.
pub fn unsupported_texts<'t>(project: &Project, text: &'t str) -> Vec<&'t str> {
    let places = project.unsupported.iter().map(|unsupported| unsupported.place);
    places.map(|place| &text[place.start as usize..place.end as usize]).collect()
}

/// A program with a resource that is given the input `id`, and lacks one that is constant.
pub fn cage() -> Checked {
    let mut schemas = MemoryLoader::default();
    let schema = r#"{ "name": "zoo", "resources": { "zoo:index:Cage": { "requiredInputs": ["kind"],
        "inputProperties": {
            "id": { "type": "string" }, "kind": { "type": "string", "const": "cage" } } } } }"#;
    schemas.add(schema).expect("a schema");
    let workspace = Workspace::new(Settings::default()).with_loader(Arc::new(schemas));
    workspace
        .check(&Target::text("main.pp", "resource cage \"zoo:index:Cage\" {\n  id = \"c\"\n}\n"))
}

/// Components that need each other: `right.bound` needs `left.bound`, which needs `right.free`.
pub const NEED_EACH_OTHER: [(&str, &str); 4] = [
    (
        "main.pp",
        "component left \"./left\" {\n  partner = \"${right.free}\"\n}\n\
         component right \"./right\" {\n  partner = \"${left.bound}?\"\n  size = 2\n}\n\
         component after \"./after\" {\n  partner = right.bound\n}\n",
    ),
    ("left/main.pp", PARTNER),
    ("right/main.pp", PARTNER),
    ("after/main.pp", PARTNER),
];

const PARTNER: &str = "config partner string {}\nconfig size int {\n  default = 1\n}\n\
    output free {\n  value = size\n}\noutput bound {\n  value = \"${partner}!\"\n}\n";

/// A component with inputs that are secrets: one that is needed, and one that has a default.
pub const SECRETS: [(&str, &str); 2] = [
    ("main.pp", "component garage \"./garage\" {\n  code = \"1234\"\n}\n"),
    (
        "garage/main.pp",
        "config code string {\n  secret = true\n}\n\
         config pin string {\n  secret = true\n  default = \"0\"\n}\n",
    ),
];

/// The result of work on the program with these files.
pub fn with_files<T>(files: &[(&str, &str)], work: impl FnOnce(&Target) -> T) -> T {
    let directory = tempfile::tempdir().expect("a directory");
    for (file, text) in files {
        write(&directory.path().join(file), text);
    }
    work(&Target::Path(directory.path().to_owned()))
}

/// Text with each run of spaces and line breaks as one space.
pub fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Fails with the examples whose text is not the expected one: for each an expression, the text
/// that is expected, and the text that was found.
pub fn assert_examples<'e>(examples: impl Iterator<Item = (&'e str, &'e str, String)>) {
    let wrong = examples.filter(|(_, expected, found)| expected != found);
    let wrong: Vec<String> = wrong
        .map(|(pcl, expected, found)| format!("{pcl}\n  expected {expected}\n  found    {found}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
