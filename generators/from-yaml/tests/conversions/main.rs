//! Programs in Pulumi YAML, what they become, and what is wrong with them.

use std::path::Path;

use pcl::diagnostics::{FileId, SourceMap};
use pcl::generated::{Project, ProjectFile};
use pcl::render::{Format, Report};
use pcl::schema::MemoryLoader;
use pcl_from_yaml::{Request, convert, project_file};
use proptest::prelude::*;

/// A package with one of each kind of member.
const SCHEMA: &str = r##"{ "name": "zoo", "version": "1.0.0",
    "meta": { "moduleFormat": "(.*)(?:/[^/]*)" },
    "provider": { "inputProperties": { "region": { "type": "string" } } },
    "resources": {
        "zoo:index/cage:Cage": {
            "inputProperties": { "bars": { "type": "integer" }, "label": { "type": "string" },
                "tags": { "type": "object", "additionalProperties": { "type": "string" } },
                "script": { "type": "string" }, "owner": { "type": "string" } },
            "properties": { "bars": { "type": "integer" }, "label": { "type": "string" } },
            "stateInputs": { "properties": { "label": { "type": "string" } } } },
        "zoo:house:IPHouse": { "inputProperties": { "cages": { "type": "array",
            "items": { "type": "string" } } } } },
    "functions": {
        "zoo:index:getCage": { "inputs": { "properties": { "label": { "type": "string" } } },
            "outputs": { "properties": { "bars": { "type": "integer" } } } },
        "zoo:index:add": { "inputs": { "properties": { "a": { "type": "number" },
            "b": { "type": "number" } } }, "multiArgumentInputs": ["a", "b"],
            "outputs": { "type": "number" } } } }"##;

/// A declaration of the package, as Pulumi writes it.
const SDK: &str = "packageDeclarationVersion: 1\nname: zoo\nversion: 1.0.0\n";

fn schemas() -> MemoryLoader {
    let mut schemas = MemoryLoader::default();
    schemas.add(SCHEMA).unwrap();
    schemas
}

/// The program that a text becomes, and the diagnostics about it.
fn converted(name: &str, text: &str, schemas: &MemoryLoader) -> (Option<String>, String) {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text.to_owned());
    let sdks = if text.contains("sdks") { vec![SDK.to_owned()] } else { Vec::new() };
    let request = Request {
        text,
        file,
        others: &[],
        project: "shop",
        settings: &[],
        has_project: true,
        sdks: &sdks,
        loader: schemas,
    };
    let converted = convert(&request);
    let report = Report::new(name, sources, converted.diagnostics);
    let shown = String::from_utf8(Format::Concise.render(&report, false)).unwrap();
    (converted.text, shown)
}

/// A request for a text that is in no project.
fn request<'r>(
    text: &'r str,
    others: &'r [(FileId, &'r str)],
    loader: &'r MemoryLoader,
) -> Request<'r> {
    Request {
        text,
        file: FileId(0),
        others,
        project: "shop",
        settings: &[],
        has_project: false,
        sdks: &[],
        loader,
    }
}

#[test]
fn everything() {
    let text = include_str!("programs/everything.yaml");
    let (program, diagnostics) = converted("everything.yaml", text, &schemas());
    let project = project_file(text, true).unwrap();
    insta::assert_snapshot!(format!("{diagnostics}{}---\n{project}", program.unwrap()));
}

/// Texts that are refused, with the line and column, and a part of the message.
#[test]
fn mistakes_have_their_places() {
    let schemas = schemas();
    for (text, place, message) in [
        ("", "1:1", "the file is empty"),
        ("a: [", "1:5", ""),
        ("variables:\n  a: ${b}\n", "2:6", "there is no resource, variable or configuration `b`"),
        ("variables:\n  a: ${b\n", "2:6", "expected `}`"),
        ("variables:\n  a: &x 1\n  b: *x\n", "3:6", "Pulumi YAML has no aliases"),
        ("variables:\n  a: 1\n  a: 2\n", "3:3", "the key `a` occurs twice"),
        ("variables:\n  a: 1\n---\nb: 1\n", "3:1", "expected one document"),
        ("variables:\n  a:\n    fn::join: 1\n", "3:15", "`fn::join` takes a list of two values"),
        ("variables:\n  a:\n    fn::jon: 1\n", "3:5", "there is no function `fn::jon`"),
        ("variables:\n  a: ${pulumi.stak}\n", "2:6", "there is no such member of `pulumi`"),
        ("resources:\n  a: {}\n", "2:3", "the resource `a` is missing its `type`"),
        ("resources:\n  a: 1\n", "2:6", "a resource must be an object, found a number"),
        ("config:\n  a: { type: strng }\n", "2:14", "there is no type `strng`"),
        ("config:\n  aws:region: { type: string }\n", "2:3", "in the namespace of `aws:region`"),
        (
            "resources:\n  a:\n    type: zoo:Cage\n    options:\n      ignoreChanges: ['*']\n",
            "5:23",
            "PCL cannot write the path `*`",
        ),
        ("components:\n  a: {}\n", "1:1", "components are part of a plugin"),
        ("config:\n  a: { type: array }\n", "2:14", "the type `array` needs `items`"),
        ("runtime: nodejs\n", "1:10", "the runtime of the project is `nodejs`"),
        ("runtime: { name: yaml, options: { compiler: cue } }\n", "1:35", "`pcl` runs none"),
        ("variables:\n  a: .inf\n", "2:6", "PCL has no number `.inf`"),
        ("variables:\n  a: { 1: x }\n", "2:8", "the key `1` is no text"),
    ] {
        let (program, shown) = converted("Main.yaml", text, &schemas);
        assert_eq!(program, None, "{text}");
        let is_there = |line: &str| {
            line.starts_with(&format!("Main.yaml:{place}: error")) && line.contains(message)
        };
        assert!(shown.lines().any(is_there), "{text}\n{shown}");
    }
}

#[test]
fn entries_that_are_null_are_left_out_of_inputs() {
    let text = "\
resources:
  lions:
    type: zoo:Cage
    properties:
      bars: 3
      label: null
      tags:
        a: b
        # Nothing.
        c:
        d:
          fn::toJSON: { e: null }
outputs:
  o: { f: null }
";
    let (program, shown) = converted("Pulumi.yaml", text, &schemas());
    assert_eq!(shown, "");
    let program = program.expect("a program");
    assert!(program.contains("label = null\n"), "{program}");
    assert!(program.contains("a = \"b\"\n"), "{program}");
    assert!(program.contains("# Nothing.\n"), "{program}");
    assert!(!program.contains("c = "), "{program}");
    assert!(program.contains("toJSON({ e = null })"), "{program}");
    assert!(program.contains("f = null"), "{program}");
}

#[test]
fn unknown_keys_are_warnings_with_suggestions() {
    let text = "resource:\n  a: 1\nresources:\n  a:\n    type: zoo:Cage\n    propertes: {}\n";
    let (program, shown) = converted("Main.yaml", text, &schemas());
    assert!(program.is_some());
    assert!(shown.contains("Main.yaml:1:1: warning[PCL1205]"), "{shown}");
    assert!(shown.contains("Main.yaml:6:5: warning[PCL1205] a resource has no key `propertes`"));
}

#[test]
fn the_examples_of_the_exit_come_back() {
    // A text with all that the exit escapes.
    let text = "variables:\n  a: $${b} %{c} \"\\ ü\n  d: |\n    x\n      $${e} %{f}\n";
    let (program, _) = converted("Main.yaml", text, &schemas());
    assert_eq!(
        program.unwrap(),
        "a = \"$${b} %%{c} \\\"\\\\ ü\"\nd = <<-EOT\n  x\n    $${e} %%{f}\nEOT\n"
    );
}

#[test]
fn manifests_become_resources() {
    let mut schemas = MemoryLoader::default();
    let schema = r#"{ "name": "kubernetes", "meta": { "moduleFormat": "(.*)" }, "resources": {
        "kubernetes:core/v1:ConfigMap": { "inputProperties": { "apiVersion": { "type": "string" },
            "kind": { "type": "string" } } } } }"#;
    schemas.add(schema).unwrap();
    let text = "# One.\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\ndata:\n  a: ${b}\n\
        ---\n# Two.\napiVersion: example.com/v1\nkind: Web\nmetadata: { name: web }\nspec:\n  n: 1 # x\n\
        ---\napiVersion: v1\nkind: ConfigMapList\nitems: [{ apiVersion: v1, kind: ConfigMap }]\n";
    let converted = pcl_from_yaml::convert_manifests(&request(text, &[], &schemas));
    insta::assert_snapshot!(converted.text.unwrap());
}

#[test]
fn files_of_manifests_are_one_program() {
    let schemas = MemoryLoader::default();
    let (first, second) = ("# One.\nkind: A\napiVersion: a/v1\nmetadata: { name: web }\n", "- 1\n");
    let third = "kind: A\napiVersion: a/v1\nmetadata: { name: web, namespace: b }\n";
    let request = |others| request(first, others, &schemas);
    let (sound, wrong) = ([(FileId(2), third)], [(FileId(1), second)]);
    let converted = pcl_from_yaml::convert_manifests(&request(&sound));
    let text = converted.text.unwrap();
    assert!(text.contains("# One.\nresource web "), "{text}");
    assert!(text.contains("__logicalName = \"b/web\""), "{text}");

    let converted = pcl_from_yaml::convert_manifests(&request(&wrong));
    let [diagnostic] = &converted.diagnostics[..] else { panic!("{:?}", converted.diagnostics) };
    assert_eq!(diagnostic.primary.file, FileId(1));
}

#[test]
fn components_of_plugins_become_directories() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conversions/projects/plugin");
    let source = pcl_from_yaml::Source::read(&directory).unwrap();
    assert_eq!(source.others.len(), 1);
    let schemas = schemas();
    let others = [(FileId(1), source.others[0].1.as_str())];
    let request = request(&source.text, &others, &schemas);
    let plugin = pcl_from_yaml::convert_plugin(&request);
    let diagnostics: Vec<_> = plugin.diagnostics.iter().collect();
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let programs = plugin.components.iter();
    let programs = programs.map(|(name, it)| (name.as_str(), it.text.as_deref().unwrap()));
    let files = source.files(programs);
    let files: Vec<String> =
        files.iter().map(|(path, text)| format!("# {path}\n---\n{text}")).collect();
    insta::assert_snapshot!(files.concat());
}

#[test]
fn mistakes_in_plugins_have_their_places() {
    let schemas = schemas();
    let component = "components:\n  Shelf:\n    outputs: { a: 1 }\n";
    for (text, other, (file, start), message) in [
        ("components:\n  shelf: {}\n", "", (0, 14), "cannot have the type `shelf`"),
        ("components:\n  ../A: {}\n", "", (0, 14), "cannot have the type `../A`"),
        (component, "namespace: me\n", (1, 0), "a package in PCL has no namespace"),
        (component, "resources: {}\n", (1, 0), "no `resources` outside of its components"),
        ("components: { A: }\nruntime: go\n", "", (0, 28), "the runtime of the plugin is `go`"),
        (component, "component: {}\n", (1, 0), "a further file of a plugin has no key `component`"),
        (
            component,
            "description: x\n",
            (1, 0),
            "a further file of a plugin has no key `description`",
        ),
        (component, component, (1, 14), "the component `Shelf` occurs twice"),
        ("components:\n  Shelf: { config: {} }\n", "", (0, 23), "no key `config`"),
        ("components: [", "", (0, 13), "did not find expected node content"),
        ("name: a\n", "name: b\ncomponents: { A: }\n", (1, 6), "has another name already"),
        ("runtime: { name: go }\n", "", (0, 9), "the runtime of the plugin is `go`"),
        ("name: a\n", "", (0, 0), "the plugin has no `components`"),
    ] {
        let others = if other.is_empty() { &[][..] } else { &[(FileId(1), other)] };
        let plugin = pcl_from_yaml::convert_plugin(&request(text, others, &schemas));
        let own = plugin.components.iter().flat_map(|(_, component)| &component.diagnostics);
        let found: Vec<_> = plugin.diagnostics.iter().chain(own).collect();
        let [diagnostic] = found[..] else { panic!("{text}: {found:?}") };
        assert!(diagnostic.message.contains(message), "{text}: {}", diagnostic.message);
        let at = diagnostic.primary;
        assert_eq!((at.file.0, at.range.start()), (file, start), "{text}");
    }
}

#[test]
fn plugins_without_a_runtime_get_one() {
    let file = pcl_from_yaml::plugin_file(&["description: Dens\n", "Name: den\ncomponents: {}\n"]);
    let expected = "runtime:\n  name: pcl\n  options:\n    name: den\ndescription: Dens\n";
    assert_eq!(file.as_deref(), Some(expected));
}

#[test]
fn objects_of_manifests_are_told_apart() {
    let schemas = MemoryLoader::default();
    let request = |text| request(text, &[], &schemas);
    let web = "kind: A\napiVersion: a/v1\nmetadata: { name: web, namespace: default }\n";
    let again = format!("{web}---\nkind: A\napiVersion: a/v1\nmetadata: {{ name: web }}\n");
    let converted = pcl_from_yaml::convert_manifests(&request(&again));
    assert_eq!(converted.diagnostics.len(), 1);
    assert_eq!(converted.diagnostics[0].message, "the A `default/web` occurs twice");

    let unnamed = "kind: A\napiVersion: a/v1\nmetadata: { generateName: web- }\n---\n".repeat(3);
    let text = pcl_from_yaml::convert_manifests(&request(&unnamed)).text.unwrap();
    assert!(text.contains("__logicalName = \"A3\""), "{text}");
}

/// Pieces of YAML, of which most texts that are made are programs.
fn pieces() -> impl Strategy<Value = String> {
    let pieces = [
        "config:\n",
        "variables:\n",
        "resources:\n",
        "outputs:\n",
        "  a:",
        "  b:",
        "    type:",
        "    properties:\n",
        "    options:\n",
        "    get:\n",
        "      id:",
        " ${a}",
        " ${a.b[0]}",
        " ${",
        " |\n        x\n",
        " # c\n",
        "\n",
        " [1, x]",
        " { y: z }",
        " zoo:Cage",
        "      fn::join:",
        "      fn::invoke:\n",
        "        function:",
        " zoo:getCage",
        " $${",
        " 1",
        " string",
        " \"#\"",
        "- ",
        "---\n",
        "&x ",
        "*x",
        "!!int ",
        "\u{feff}",
        "é",
        "\t",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()).prop_map(str::to_owned), 0..40)
        .prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn no_text_panics(text in prop_oneof![any::<String>(), pieces()]) {
        let schemas = schemas();
        let request = Request {
            text: &text, file: FileId(0), others: &[], project: "shop", settings: &[], has_project: true, sdks: &[],
            loader: &schemas,
        };
        let converted = convert(&request);
        let is_refused = converted.diagnostics.iter().any(|it| it.is_error());
        prop_assert_eq!(converted.text.is_none(), is_refused);
        let bug = converted.diagnostics.iter().find(|it| it.code == pcl::diagnostics::Code::Internal);
        prop_assert!(bug.is_none(), "{text:?}");
        project_file(&text, true);
    }
}

#[test]
fn a_source_is_read_in_the_order_of_pulumi() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conversions/projects/main");
    let source = pcl_from_yaml::Source::read(&directory).unwrap();
    assert!(source.path.ends_with("Main.yaml"));
    assert_eq!((source.name.as_str(), source.sdks.len()), ("shop", 1));
    let files = source.files([("", "a = 1\n")]);
    let paths: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["Pulumi.yaml", "main.pp", "Pulumi.dev.yaml"]);
    assert_eq!(files[0].1, "# The shop.\nname: shop\nruntime: pcl\n");
}

#[test]
fn projects_in_other_languages_keep_the_settings() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conversions/projects/main");
    let mut source = pcl_from_yaml::Source::read(&directory).unwrap();
    source.project = None;
    source.path = directory.join("Pulumi.yaml");
    source.text = "\
# The shop.
name: shop
runtime: yaml
main: src
description: Sells things.
config:
  aws:region: us-west-2
  size: { type: integer, default: 2 }
  team: { type: string, value: sre }
resources: {}
"
    .to_owned();
    let mut project = Project::default();
    project.files.push(ProjectFile::new("Pulumi.yaml", "name: shop\nruntime: nodejs\n"));
    source.add_settings(&mut project);
    let paths: Vec<&str> = project.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["Pulumi.yaml", "Pulumi.dev.yaml"]);
    let expected = "name: shop\nruntime: nodejs\n# The shop.\ndescription: Sells things.\nconfig:\n  \
                    aws:region: us-west-2\n  team: { type: string, value: sre }\n";
    assert_eq!(project.files[0].text, expected);
}

#[test]
fn texts_of_several_lines_may_be_anywhere() {
    let text = "\
resources:
  lions:
    type: zoo:Cage
    properties:
      label:
        fn::join:
          - |
            a
            b
          - - |
              c
            - d
      tags:
        e: |
          f
";
    let (program, shown) = converted("Pulumi.yaml", text, &schemas());
    assert_eq!(shown, "");
    let expected = "\
resource lions \"zoo:index:Cage\" {
  label = join(<<-EOT
    a
    b
  EOT
    , [
      <<-EOT
      c
    EOT
      ,
      \"d\",
  ])
  tags = {
    e = <<-EOT
      f
    EOT
  }
}
";
    assert_eq!(program.as_deref(), Some(expected));
}

#[test]
fn comments_of_lookups_stay_where_they_are() {
    let text = "\
resources:
  lions:
    type: zoo:Cage
    get:
      # The id.
      id: x
      # The state.
      state:
        # The label.
        label: y # ends
";
    let (program, _) = converted("Pulumi.yaml", text, &schemas());
    let expected = "\
read lions \"zoo:index:Cage\" {
  # The id.
  id = \"x\"
  # The state.
  # The label.
  label = \"y\" # ends
}
";
    assert_eq!(program.as_deref(), Some(expected));
}

#[test]
fn a_required_version_stays_at_the_top() {
    let required = "pulumi:\n  requiredVersion: \">=3.100.0\"\n";
    let variable = "variables:\n  a: 1\n";
    let (program, _) = converted("Pulumi.yaml", &format!("{required}{variable}"), &schemas());
    let block = "pulumi {\n  requiredVersionRange = \">=3.100.0\"\n}\n";
    assert_eq!(program, Some(format!("{block}\na = 1\n")));
    let (program, _) = converted("Pulumi.yaml", &format!("{variable}{required}"), &schemas());
    assert_eq!(program, Some(format!("a = 1\n\n{block}")));
    let required = "pulumi:\n  requiredVersion: ${a}\n";
    let (program, shown) = converted("Pulumi.yaml", &format!("{required}{variable}"), &schemas());
    let block = "pulumi {\n  requiredVersionRange = a\n}\n";
    assert_eq!((program, shown), (Some(format!("a = 1\n\n{block}")), String::new()));
}
