//! The notation of Pulumi YAML by kind: small programs and their projects.

use std::sync::Arc;

use pcl::schema::MemoryLoader;
use pcl::{Settings, Target, Workspace};
use pcl_test_support::scratch;
use pcl_yaml::generate;

const SCHEMA: &str = r##"{ "name": "toy", "version": "1.0.0",
    "pluginDownloadURL": "https://example.com/${VERSION}",
    "types": {
        "toy:index:Wheel": { "type": "object", "properties": {
            "size": { "type": "integer", "default": 28 },
            "code": { "type": "string", "secret": true },
            "names": { "type": "object", "additionalProperties": { "type": "string" } } } },
        "toy:index:Color": { "type": "string", "enum": [{ "value": "red" }] },
        "toy:index:Gear": { "type": "integer", "enum": [{ "value": 1 }] } },
    "resources": {
      "toy:index:Boat": {
        "inputProperties": {
            "kind": { "type": "string", "const": "boat" },
            "version": { "type": "string", "const": "v1" } },
        "properties": { "version": { "type": "string", "const": "v1" } } },
      "toy:index:Car": {
        "inputProperties": {
            "seats": { "type": "integer", "default": 4 },
            "name": { "type": "string" },
            "isOpen": { "type": "boolean" },
            "ids": { "type": "array", "items": { "type": "string" } },
            "color": { "$ref": "#/types/toy:index:Color" },
            "gear": { "$ref": "#/types/toy:index:Gear" },
            "wheel": { "$ref": "#/types/toy:index:Wheel" } },
        "properties": {
            "seats": { "type": "integer" },
            "name": { "type": "string" },
            "isOpen": { "type": "boolean" },
            "numbers": { "type": "array", "items": { "type": "number" } },
            "color": { "$ref": "#/types/toy:index:Color" },
            "gear": { "$ref": "#/types/toy:index:Gear" },
            "wheel": { "$ref": "#/types/toy:index:Wheel" } },
        "required": ["seats", "name", "isOpen", "numbers", "color", "gear", "wheel"] } },
    "functions": { "toy:index:find": {
        "inputs": { "properties": { "limit": { "type": "integer", "default": 7 } } },
        "outputs": { "properties": { "name": { "type": "string" }, "hint": { "type": "string" } },
            "required": ["name"] } } } }"##;

/// The files of a project, each below a line with its path, and the messages about what is left
/// out.
fn project(files: &[(&str, &str)]) -> (String, Vec<String>) {
    let mut loader = MemoryLoader::default();
    loader.add(SCHEMA).expect("a schema");
    let workspace = Workspace::new(Settings::default()).with_loader(Arc::new(loader));
    let place = scratch("pcl-yaml-kinds");
    for (path, text) in files {
        place.write(path, text);
    }
    let checked = workspace.check(&Target::Path(place.join(".")));
    assert!(checked.is_valid(), "{:?}", checked.diagnostics);
    let project = generate(&checked.document(), "demo");
    let files = project.files.iter();
    let text = files.map(|file| format!("# {}\n{}", file.path, file.text)).collect();
    (text, project.unsupported.into_iter().map(|part| part.message).collect())
}

/// The program that a text becomes, without its head, and the messages.
fn program(text: &str) -> (String, Vec<String>) {
    let (text, messages) = project(&[("main.pp", text)]);
    let main = text.split("# ").find(|file| file.starts_with("Main.yaml\n"));
    let main = main.or(text.split("# ").nth(1)).expect("there is a program");
    let body = main.split_once('\n').expect("a path").1;
    (body.trim_start_matches("name: demo\nruntime: yaml\n").to_owned(), messages)
}

/// The project of a program of which nothing is left out.
fn whole(text: &str) -> String {
    let (text, messages) = program(text);
    assert_eq!(messages, [""; 0], "{text}");
    text
}

/// The only message about a text.
fn message(text: &str) -> String {
    let (text, mut messages) = program(text);
    assert_eq!(messages.len(), 1, "{messages:?}\n{text}");
    messages.remove(0)
}

#[test]
fn a_required_version_has_the_key_that_programs_have() {
    let text = whole("pulumi {\n  requiredVersionRange = \">=3.275.0\"\n}\n");
    assert_eq!(text, "pulumi:\n  requiredVersion: \">=3.275.0\"\n");
}

#[test]
fn steps_have_the_notation_for_the_type() {
    let text = "config tags \"map(string)\" {}
object = { \"x-y\" = 1, \"$ref\" = 2, \"b.c\" = 3 }
a = object[\"x-y\"]
b = object[\"$ref\"]
c = tags[\"x\"]
d = tags[\"b.c\"]
resource car \"toy:index:Car\" {}
e = car[\"wheel\"].names[\"left\"]
f = car.numbers[0]
";
    let text = whole(text);
    let (_, variables) = text.split_once("    b.c: 3\n").expect("the variables follow");
    let variables = variables.split("resources").next().expect("they end");
    assert_eq!(
        variables,
        "  a: ${object.x-y}\n  b: ${object.$ref}\n  c: ${tags[\"x\"]}\n  d: ${tags[\"b.c\"]}\n  \
         e: ${car.wheel.names[\"left\"]}\n  f: ${car.numbers[0]}\n"
    );
    let message = message("object = { \"b.c\" = 3 }\na = object[\"b.c\"]\n");
    assert_eq!(message, "Pulumi YAML has no reference with this key");
}

#[test]
fn configuration_has_the_types_and_defaults_that_work() {
    let text = "config sizes \"list(int)\" {
  default = [1, 2]
}
config parts \"list(object({ a = string }))\" {}
config on bool {
  default = \"true\"
}
config secretOne string {
  secret = true
}
";
    assert_eq!(
        whole(text),
        "config:\n  sizes:\n    type: list<number>\n    default:\n      - 1\n      - 2\n  parts:\n    \
         type: list<object>\n  \"on\":\n    type: boolean\n    default: true\n  secretOne:\n    \
         type: string\n    secret: true\n"
    );
    let left_out = [
        ("config a string { default = null }\n", "cannot be null; the config has none now"),
        ("config a string { nullable = true }\n", "cannot be null; `a` needs a value now"),
        ("config a \"list(string)\" { default = [] }\n", "cannot be an empty list;"),
        ("config a \"list(map(int))\" { default = [{ b = 1 }] }\n", "a list of anything but"),
        ("config a string { default = stack() }\n", "has to be written out;"),
        ("config a any {}\n", "`a` takes only values of type `object`"),
        ("config a { default = 3 }\n", "`a` takes only values of type `integer`"),
        ("config a \"list(list(string))\" {}\n", "no config of type `list(list(string))`"),
    ];
    for (text, part) in left_out {
        let message = message(text);
        assert!(message.contains(part), "{text}: {message}");
    }
}

#[test]
fn scalars_are_converted_or_left_out() {
    let text = "config count int {}
config ratio number {}
small = 12
resource a \"toy:index:Car\" {
  seats = 1
  name = ratio
  ids = [count, \"x\", true]
}
resource b \"toy:index:Car\" {
  seats = 1
  name = \"${count} of ${a.seats}, ${small} ${a.isOpen}\"
  color = a.color
}
";
    assert_eq!(
        whole(text),
        "config:\n  count:\n    type: integer\n  ratio:\n    type: number\nvariables:\n  \
         small: 12\n  toJson:\n    fn::toJSON: ${count}\n  toJson2:\n    fn::toJSON: ${a.seats}\n\
         resources:\n  a:\n    \
         type: toy:Car\n    properties:\n      seats: 1\n      name:\n        fn::toJSON: ${ratio}\n      \
         ids:\n        - fn::toJSON: ${count}\n        - x\n        - \"true\"\n  b:\n    \
         type: toy:Car\n    properties:\n      seats: 1\n      name: ${toJson} of ${toJson2}, ${small} ${a.isOpen}\n      \
         color:\n        fn::join:\n          - \"\"\n          - - ${a.color}\n"
    );
    let left_out = [
        ("seats = a.name", "Pulumi YAML cannot use output(string) as "),
        ("isOpen = a.name", "Pulumi YAML cannot use output(string) as "),
        ("ids = a.numbers", "Pulumi YAML cannot use output(list(number)) as "),
        ("gear = a.gear", "Pulumi YAML cannot use output(toy::Gear) as "),
    ];
    for (input, part) in left_out {
        let text = format!(
            "resource a \"toy:index:Car\" {{}}\nresource b \"toy:index:Car\" {{\n  {input}\n}}\n"
        );
        let message = message(&text);
        assert!(message.starts_with(part), "{input}: {message}");
    }
}

#[test]
fn defaults_of_schemas_are_written_out() {
    let text = "found = invoke(\"toy:index:find\", {})\n
resource a \"toy:index:Car\" {
  wheel = {}
}
read b \"toy:index:Car\" {
  id = \"b\"
}
resource c \"toy:index:Boat\" {}
";
    assert_eq!(
        whole(text),
        "variables:\n  found:\n    fn::invoke:\n      function: toy:find\n      arguments:\n        \
         limit: 7\nresources:\n  a:\n    type: toy:Car\n    properties:\n      wheel:\n        \
         size: 28\n      seats: 4\n  b:\n    type: toy:Car\n    get:\n      id: b\n  c:\n    \
         type: toy:Boat\n    properties:\n      kind: boat\n"
    );
}

#[test]
fn calls_give_a_property_that_is_always_there() {
    let call = "invoke(\"toy:index:find\", { limit = 1 })";
    let text = whole(&format!("name = {call}.name\nhint = {call}.hint\n"));
    let invoke = "    fn::invoke:\n      function: toy:find\n      arguments:\n        limit: 1\n";
    assert_eq!(
        text,
        format!(
            "variables:\n  name:\n{invoke}      return: name\n  invoke:\n{invoke}  \
             hint: ${{invoke.hint}}\n"
        )
    );
}

#[test]
fn options_have_the_forms_that_the_host_reads() {
    let text = "config time string {}
resource p \"pulumi:providers:toy\" {}
resource a \"toy:index:Car\" {
  seats = 1
  options {
    providers      = { toy = p }
    protect        = \"true\"
    parent         = null
    customTimeouts = { create = time, delete = \"5m\", read = \"1m\", update = \"2m\" }
    aliases        = [\"urn:pulumi:s::p::toy:index:Car::b\", { name = \"c\", noParent = true }, { parent = p }]
    ignoreChanges  = [wheel.names[\"a b\"]]
  }
}
";
    let text = whole(text);
    let (_, options) = text.split_once("    options:\n").expect("there are options");
    assert_eq!(
        options,
        "      providers:\n        - ${p}\n      protect: true\n      customTimeouts:\n        \
         create: ${time}\n        delete: \"5m\"\n        read: \"1m\"\n        update: \"2m\"\n      aliases:\n        \
         - urn:pulumi:s::p::toy:index:Car::b\n        - name: c\n          noParent: true\n        \
         - parent: ${p}\n      ignoreChanges:\n        - wheel.names[\"a b\"]\n"
    );
    for option in ["protect = a.isOpen", "customTimeouts = { create = a.name }"] {
        let text = format!(
            "resource a \"toy:index:Car\" {{}}\nresource b \"toy:index:Car\" {{\n  options {{\n    \
             {option}\n  }}\n}}\n"
        );
        let message = message(&text);
        assert_eq!(message, "Pulumi YAML takes no output here; the option is left out");
    }
}

#[test]
fn options_of_functions_are_literals_where_the_host_needs_them() {
    let invoke = |version: &str| {
        let options = format!("{{ version = {version}, provider = null }}");
        format!(
            "config v string {{}}\na = invoke(\"toy:index:find\", {{ limit = 1 }}, {options})\n"
        )
    };
    let text = whole(&invoke("\"1.0.0\""));
    let (_, options) = text.split_once("      options:\n").expect("there are options");
    assert_eq!(options, "        version: \"1.0.0\"\n");
    assert_eq!(message(&invoke("v")), "Pulumi YAML takes only a literal as `version`");
}

#[test]
fn secrets_of_types_are_secret() {
    let text = "resource a \"toy:index:Car\" {\n  seats = 1\n  \
                wheel = { size = 1, code = \"x\" }\n}\n";
    assert_eq!(
        whole(text),
        "resources:\n  a:\n    type: toy:Car\n    properties:\n      seats: 1\n      wheel:\n        \
         size: 1\n        code:\n          fn::secret: x\n"
    );
}

#[test]
fn secrets_can_be_shown() {
    let text = whole("a = unsecret(secret(\"x\"))\n");
    assert_eq!(text, "variables:\n  a:\n    fn::unsecret:\n      fn::secret: x\n");
}

#[test]
fn components_have_inputs_of_schemas_and_declare_their_packages() {
    let component = "config name string {
  default = \"n\"
}
config sizes \"list(int)\" {
  default = [1]
}
config ratio number {}
resource car \"toy:index:Car\" {
  seats = 1
  options {
    protect = ratio == 1
  }
}
pulumi {
  requiredVersionRange = \">=3.275.0\"
}
output seats {
  value = car.seats
}
";
    let main = "component c \"./part\" {\n  ratio = 1.5\n}\n";
    let (text, messages) = project(&[("main.pp", main), ("part/main.pp", component)]);
    assert_eq!(messages, ["Pulumi YAML takes no output here; the option is left out"]);
    let package = "packageDeclarationVersion: 1\nname: toy\nversion: \"1.0.0\"\n\
                   downloadUrl: https://example.com/${VERSION}\n";
    assert_eq!(
        text,
        format!(
            "# Pulumi.yaml\nname: demo\nruntime: yaml\npackages:\n  part: \"./components/part\"\n\
             resources:\n  c:\n    type: part:index:Part\n    properties:\n      ratio: 1.5\n      \
             name: \"n\"\n      sizes:\n        - 1\n# sdks/toy.yaml\n{package}# components/part/PulumiPlugin.yaml\n\
             name: part\nruntime: yaml\ncomponents:\n  Part:\n    pulumi:\n      requiredVersion: \">=3.275.0\"\n    \
             inputs:\n      name:\n        type: string\n        default: \"n\"\n      sizes:\n        \
             type: array\n        items:\n          type: integer\n      ratio:\n        type: integer\n    \
             resources:\n      car:\n        type: toy:Car\n        properties:\n          seats: 1\n    \
             outputs:\n      seats: ${{car.seats}}\n# components/part/sdks/toy.yaml\n{package}"
        )
    );
    let message = message("component c {\n  token = \"my:index:Part\"\n  size = 1\n}\n");
    assert_eq!(message, "Pulumi YAML has components of packages only; this one is left out");
}

#[test]
fn an_empty_program_is_a_project() {
    let (text, messages) = project(&[("main.pp", "")]);
    assert_eq!(text, "# Pulumi.yaml\nname: demo\nruntime: yaml\n");
    assert_eq!(messages, [""; 0]);
}
