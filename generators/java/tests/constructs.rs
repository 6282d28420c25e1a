//! Each construct of the language has a translation, or is reported at its place.

use std::sync::Arc;

use pcl::generated::Project;
use pcl::lower::{SdkOptions, sdk};
use pcl::schema::MemoryLoader;
use pcl::{Checked, Settings, Target, Workspace};
use pcl_test_support::constructs::DECLARATIONS;
use pcl_test_support::projects::checked_for_outputs;

fn generate(mut checked: Checked) -> Project {
    checked.program = sdk(checked.program, &SdkOptions::java());
    pcl_to_java::generate(&checked.document(), "demo", pcl_to_java::BuildTool::Maven)
}

fn project(text: &str) -> Project {
    generate(checked_for_outputs(&Target::text("main.pp", text)))
}

/// The statements behind those for [`DECLARATIONS`], on one line each.
fn statements(text: &str) -> String {
    let project = project(&format!("{DECLARATIONS}{text}"));
    assert!(project.unsupported.is_empty(), "{:?}", project.unsupported);
    let main = &project.files[0].text;
    let (_, rest) = main.split_once("new Server(").expect("the last declaration");
    let (_, rest) = rest.split_once(";\n").expect("its end");
    let words: Vec<&str> = rest.split_whitespace().collect();
    words.join(" ").trim_end_matches("} }").trim_end().to_owned()
}

/// Values of outputs with what is exported of them.
const VALUES: &[(&str, &str)] = &[
    ("1", "1"),
    ("-1.50", "-1.5"),
    ("5000000000", "5000000000.0"),
    ("\"a\\n\"", "\"a\\n\""),
    ("\"${text}!\"", "String.format(\"%s!\", text)"),
    ("\"${server.address}!\"", "Output.format(\"%s!\", server.address())"),
    ("!flag", "!flag"),
    ("count + 1", "count + 1"),
    ("count - (1 - count)", "count - (1 - count)"),
    ("count % 2", "count % 2"),
    ("count / 2", "(double) count / 2.0"),
    ("text == null", "text == null"),
    ("list", "list"),
    ("list[0]", "list.get(0)"),
    ("map.a", "map.get(\"a\")"),
    ("server.address", "server.address()"),
    ("server.id", "server.id()"),
    ("secret(text)", "Output.ofSecret(text)"),
    ("length(list)", "list.size()"),
    ("join(\",\", list)", "String.join(\",\", list)"),
    ("max(count, 2)", "Math.max(count, 2)"),
    ("toBase64(text)", "Helpers.toBase64(text)"),
    ("project()", "ctx.projectName()"),
    ("lookup(map, text, \"x\")", "map.getOrDefault(text, \"x\")"),
];

#[test]
fn values_are_exported() {
    for (value, expected) in VALUES {
        let found = statements(&format!("output value {{\n  value = {value}\n}}\n"));
        assert_eq!(found, format!("ctx.export(\"value\", {expected});"), "{value}");
    }
}

#[test]
fn values_need_statements() {
    let found = statements("value = [for x in list : \"${x}!\" if x != \"q\"]\n");
    let expected = "final var items = new ArrayList<String>(); for (final var x : list) { if \
                    (!Objects.equals(x, \"q\")) { items.add(String.format(\"%s!\", x)); } }";
    assert!(found.starts_with(expected), "{found}");
    let found = statements("value = try(any.a, 1)\n");
    assert!(
        found.contains("Helpers.<Object>attempt(() -> Helpers.at(any, \"a\"), () -> 1)"),
        "{found}"
    );
}

#[test]
fn types_are_no_larger_than_the_program() {
    // Each value holds the one before twice: written out, its type would have 2^17 parts.
    let mut text = String::from("x0 = 1\n");
    for i in 1..=17 {
        text.push_str(&format!("x{i} = {{ a = x{before}, b = x{before} }}\n", before = i - 1));
    }
    text.push_str("output value {\n  value = x17\n}\n");
    let project = project(&text);
    assert!(project.is_complete());
    assert!(project.files[0].text.len() < 100_000, "{} bytes", project.files[0].text.len());
}

#[test]
fn of_equal_keys_the_last_one_counts() {
    let object = "{ a = 1, b = text, a = 2 }";
    let found = statements(&format!("output value {{\n  value = {object}\n}}\n"));
    assert!(found.contains("Map.entry(\"a\", 2)"), "{found}");
    assert!(!found.contains("Map.entry(\"a\", 1)"), "{found}");
}

#[test]
fn limits_are_reported_at_their_places() {
    let text = format!(
        "{DECLARATIONS}resource other \"harbor:compute:Server\" {{\n  image = \"debian\"\n  apiVersion = \"v2\"\n  options {{\n    protect = server.address == \"a\"\n  }}\n}}\n"
    );
    let project = project(&text);
    let kinds: Vec<&str> = project.unsupported.iter().map(|it| it.kind).collect();
    assert_eq!(kinds, ["outputs where the SDK takes plain values"]);
    assert!(!project.is_complete());
}

/// The words of `App.java` for a program with a package of its own.
fn words_with(schema: &str, text: &str) -> String {
    let mut loader = MemoryLoader::default();
    loader.add(schema).expect("a schema");
    let mut settings = Settings::default();
    settings.options.prefer_output_versioned_invokes = true;
    let workspace = Workspace::new(settings).with_loader(Arc::new(loader));
    let project = generate(workspace.check(&Target::text("main.pp", text)));
    project.files[0].text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn single_results_are_read_from_their_object() {
    let schema = r#"{ "name": "toy", "functions": { "toy:index:pick": { "outputs": {
        "oneOf": [{ "type": "string" }, { "type": "integer" }] } } } }"#;
    let text = words_with(schema, "output picked {\n  value = invoke(\"toy:index:pick\", {})\n}\n");
    for part in [
        "builder(Map.class) .addParameter(String.class) .addParameter( \
         TypeShape.<Either<Integer, String>>builder(Either.class) .addParameter(Integer.class) \
         .addParameter(String.class) .build())",
        "InvokeArgs.Empty, Utilities.withVersion(InvokeOptions.Empty))",
        "applyValue(result -> result.values().iterator().next())",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn programs_require_a_version_of_pulumi() {
    let text = statements("pulumi {\n  requiredVersionRange = \">=3.200.0\"\n}\n");
    let call = "Deployment.getInstance().requirePulumiVersion(\">=3.200.0\");";
    assert!(text.ends_with(call), "{text}");
}

#[test]
fn the_sides_of_unions_have_the_order_of_the_schema() {
    let types = |first: &str, second: &str| {
        format!(
            r##"{{ "name": "toy",
            "types": {{
                "toy:index:Add": {{ "type": "object", "properties": {{
                    "groups": {{ "type": "array", "items": {{ "type": "string" }} }} }} }},
                "toy:index:Remove": {{ "type": "object", "properties": {{
                    "all": {{ "type": "boolean" }} }} }} }},
            "resources": {{ "toy:index:Rule": {{ "inputProperties": {{
                "actions": {{ "type": "array", "items": {{ "oneOf": [
                    {{ "$ref": "#/types/toy:index:{first}" }},
                    {{ "$ref": "#/types/toy:index:{second}" }}] }} }} }} }} }} }}"##
        )
    };
    let rule = "resource rule \"toy:index:Rule\" {\n  actions = [{ groups = [\"a\"] }]\n}\n";
    let add = words_with(&types("Add", "Remove"), rule);
    assert!(add.contains("Either.<AddArgs, RemoveArgs>ofLeft( AddArgs.builder()"), "{add}");
    let remove = words_with(&types("Remove", "Add"), rule);
    assert!(remove.contains("Either.<RemoveArgs, AddArgs>ofRight( AddArgs.builder()"), "{remove}");
}

#[test]
fn what_schemas_call_secret_is_sent_as_a_secret() {
    let schema = r##"{ "name": "toy",
        "types": { "toy:index:Lock": { "type": "object", "properties": {
            "code": { "type": "string", "secret": true } } } },
        "resources": { "toy:index:Safe": { "inputProperties": {
            "code": { "type": "string", "secret": true },
            "codes": { "type": "array", "items": { "type": "string" }, "secret": true },
            "lock": { "$ref": "#/types/toy:index:Lock" },
            "key": { "$ref": "#/types/toy:index:Lock", "secret": true } } } } }"##;
    let safe =
        |name: &str, inputs: &str| format!("resource {name} \"toy:index:Safe\" {{\n{inputs}\n}}\n");
    let text = [
        "config hidden string { secret = true }\n".to_owned(),
        safe("a", "code = \"1\"\ncodes = [\"2\"]\nlock = { code = \"3\" }"),
        safe("b", "code = hidden\nlock = { code = secret(\"4\") }"),
        safe("c", "code = a.id\nkey = { code = \"5\" }"),
    ];
    let text = words_with(schema, &text.concat());
    for part in [
        ".code(Output.ofSecret(\"1\"))",
        ".codes(Output.<List<String>>ofSecret(List.of(\"2\")))",
        ".lock(LockArgs.builder().code(Output.ofSecret(\"3\")).build())",
        ".code(hidden)",
        ".lock(LockArgs.builder().code(Output.ofSecret(\"4\")).build())",
        ".code(a.id().asSecret())",
        ".key(Output.ofSecret(LockArgs.builder().code(\"5\").build()))",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}
