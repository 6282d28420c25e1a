//! The published JSON Schemas describe the output of the command: every promised field is present,
//! and there are no undescribed fields.

use std::io::Write as _;
use std::process::{Command, Stdio};

use pcl::document::Document;
use pcl_test_support::json_schema::JsonSchema;
use pcl_test_support::{Run, SCHEMAS, pcl, root, scratch, skip, whole_corpus, write};
use serde_json::Value;

#[test]
fn check_json() {
    let mut arguments = vec!["check", "--schema-dir", SCHEMAS, "--output-format", "json"];
    arguments.push("--statistics");
    let programs = whole_corpus();
    arguments.extend(programs.iter().map(String::as_str));
    let mut schema = JsonSchema::published("check");
    schema.accept(&pcl(arguments).json());
    schema.accept(&with_baseline("json").json());
    assert_eq!(schema.absent(), [""; 0]);
}

/// A check that may leave diagnostics out, of a program without any.
fn with_baseline(format: &str) -> Run {
    let directory = scratch(&format!("formats-baseline-{format}"));
    write(&directory.join("main.pp"), "a = 1\n");
    let baseline = directory.join("known.json");
    write(&baseline, r#"{ "format_version": "1.0", "diagnostics": [] }"#);
    let [directory, baseline] = [&*directory, &baseline].map(|path| path.display().to_string());
    // Without diagnostics, git is not asked.
    let flags = ["--new-lines-since", "HEAD", "--output-format", format];
    pcl([&["check", &directory, "--baseline", &baseline], &flags[..]].concat())
}

#[test]
fn check_json_lines() {
    let mut arguments =
        vec!["check", "--schema-dir", SCHEMAS, "--output-format", "json-lines", "--statistics"];
    let programs = whole_corpus();
    arguments.extend(programs.iter().map(String::as_str));
    let mut schema = JsonSchema::published("check-lines");
    for run in [pcl(arguments), with_baseline("json-lines")] {
        for line in run.stdout.lines() {
            schema.accept(&serde_json::from_str(line).expect("a line is JSON"));
        }
    }
    assert_eq!(schema.absent(), [""; 0]);
}

/// Validates the output of `pcl dump bound` with this option for each program against the schema.
fn dump_bound(option: Option<&str>, schema: &mut JsonSchema) {
    for program in whole_corpus() {
        let format = ["dump", "bound", "--output-format", "json", "--schema-dir", SCHEMAS];
        let arguments = format.into_iter().chain(option).chain([program.as_str()]);
        schema.accept(&pcl(arguments).json());
    }
}

#[test]
fn dump_bound_json() {
    let mut schema = JsonSchema::published("bound");
    dump_bound(None, &mut schema);
    assert_eq!(schema.absent(), [""; 0]);
}

#[test]
fn preview_json() {
    let mut schema = JsonSchema::published("preview");
    let directory = scratch("formats-preview");
    let program = "read old \"harbor:network:Record\" { id = \"r-1\" }\n\
        region = invoke(\"harbor:index:getRegion\", {})\n\
        resource many \"harbor:storage:Bucket\" {\n  options {\n    range = region.zones\n  }\n}\n";
    write(&directory.join("main.pp"), program);
    let mut programs = whole_corpus();
    programs.push(directory.display().to_string());
    for program in programs {
        let options = ["--output-format", "json", "--schema-dir", SCHEMAS];
        let arguments = ["preview"].into_iter().chain(options).chain([program.as_str()]);
        schema.accept(&pcl(arguments).json());
    }
    assert_eq!(schema.absent(), [""; 0]);
}

#[test]
fn dump_packages_json() {
    let mut schema = JsonSchema::published("packages");
    for program in whole_corpus() {
        let arguments = ["dump", "packages", "--output-format", "json", "--schema-dir", SCHEMAS];
        schema.accept(&pcl(arguments.into_iter().chain([program.as_str()])).json());
    }
    assert_eq!(schema.absent(), [""; 0]);
    let text = pcl(["dump", "packages", "--schema-dir", SCHEMAS, "corpus/valid/webserver"]).stdout;
    assert!(text.starts_with("harbor "), "{text}");
}

#[test]
fn dump_bound_full_json() {
    dump_bound(Some("--full"), &mut JsonSchema::published("document"));
    let run = pcl(["dump", "bound", "--full", "corpus/valid/webserver"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("--output-format json"));
}

/// The keys are in the order of the schema.
#[test]
fn dump_bound_has_its_keys_in_order() {
    let schema = root().join("docs/formats/bound.schema.json");
    let schema = std::fs::read(schema).expect("it is published");
    let schema: Value = serde_json::from_slice(&schema).expect("it is JSON");
    let keys = schema["$defs"]["document"]["required"].as_array();
    let run = pcl([
        "dump",
        "bound",
        "--output-format",
        "json",
        "--schema-dir",
        SCHEMAS,
        "corpus/valid/webserver",
    ]);
    let place = |key: &Value| run.stdout.find(&format!("{key}:"));
    let places: Vec<_> = keys.into_iter().flatten().map(place).collect();
    assert!(places.len() > 5 && places.iter().all(Option::is_some));
    assert!(places.is_sorted(), "{places:?}");
}

/// The command prints what the library makes, and it reads back.
#[test]
fn full_is_the_document() {
    for program in whole_corpus() {
        let format = ["dump", "bound", "--full", "--output-format", "json"];
        let run = pcl(format.into_iter().chain(["--schema-dir", SCHEMAS, &program]));
        let document = Document::from_json(&run.stdout).expect("the output is a document");
        assert_eq!(document.to_json(), run.stdout, "{program}");
    }
}

/// The reader in the README finds the lines and columns that the library finds.
#[test]
fn the_reader_of_documents_in_the_readme_works() {
    let readme = std::fs::read_to_string(root().join("docs/formats/README.md"));
    let readme = readme.expect("the README is there");
    let (_, reader) = readme.split_once("```python\n").expect("it has a reader");
    let (reader, _) = reader.split_once("```").expect("the reader ends");
    let text = "\u{feff}/* \u{e9}\u{e9} */ a = 1 /* \u{20ac}\u{1f600} */\n\
                b = \"\u{20ac}\"\n/* \u{1f600}x\u{e9} */ c = [a, b]\n\u{e9} = c\n";
    let place = scratch("formats-reader");
    write(&place.join("main.pp"), text);
    let place = place.display().to_string();
    let json = pcl(["dump", "bound", "--full", "--output-format", "json", &place]).stdout;
    let document = Document::from_json(&json).expect("the output is a document");
    let expected = document.main.in_order().map(|(_, node)| {
        let at = document.position(node.range);
        let needed = node.dependencies.iter();
        let needed = needed.filter_map(|&other| document.main.node(other));
        let needed: String = needed.map(|node| format!(" {}", node.name)).collect();
        let kind = node.kind().name();
        format!("{} {} {kind} {}{needed}\n", at.line, at.column, node.name)
    });
    let expected: String = expected.collect();
    assert!(expected.starts_with("1 10 local a\n"), "{expected}");

    let python = Command::new("python3")
        .args(["-c", reader])
        .env("PYTHONIOENCODING", "utf-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut python) = python else { return skip("PCL_REQUIRE_REPORTS", "there is no Python") };
    let mut input = python.stdin.take().expect("it is piped");
    input.write_all(json.as_bytes()).expect("the reader reads");
    drop(input);
    let output = python.wait_with_output().expect("the reader ends");
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
}

#[test]
fn dump_syntax_json() {
    let mut schema = JsonSchema::published("syntax");
    for program in whole_corpus() {
        for what in ["tokens", "tree", "ast"] {
            let run = pcl(["dump", what, "--output-format", "json", &program]);
            schema.accept(&run.json());
        }
    }
    assert_eq!(schema.absent(), [""; 0]);
}

/// Every command that looks into schemas, on packages that have everything there is.
#[test]
fn schema_json() {
    let place = scratch("formats-schema");
    write(
        &place.join("tower-1.2.0.json"),
        r##"{"name": "tower", "version": "1.2.0", "description": "All of it",
            "parameterization": {"baseProvider": {"name": "bridge", "version": "0.1.0"}, "parameter": "eA=="},
            "dependencies": [{"name": "harbor", "version": "2.1.0"}, {"name": "mathx"}],
            "config": {"variables": {"region": {"type": "string", "secret": true, "default": "north"}}, "defaults": ["region"]},
            "types": {"tower:a:Size": {"type": "integer", "enum": [{"value": 1, "name": "One"}, {"value": 2, "deprecationMessage": "too large"}]}},
            "resources": {"tower:a:Room": {
                "aliases": ["tower:b:Room", {"type": "tower:c:Room"}, {"name": "old"}],
                "inputProperties": {"door": {"type": "string", "const": "oak", "description": "Made of", "deprecationMessage": "open it"}},
                "stateInputs": {"properties": {"door": {"type": "string"}}},
                "listInputs": {"properties": {"floor": {"type": "integer"}}},
                "deprecationMessage": "use halls"}}}"##,
    );
    let place = place.display().to_string();
    let mut schema = JsonSchema::published("schema");
    for arguments in [
        &["ls"][..],
        &["ls", "harbor"],
        &["ls", "mathx"],
        &["show", "harbor"],
        &["show", "tower"],
        &["show", "tower:a:Room"],
        &["show", "tower:a:Size"],
        &["show", "harbor:network:Network"],
        &["show", "harbor:compute:Cluster"],
        &["show", "harbor:compute:Cluster/kubeconfig"],
        &["show", "harbor:index:getRegion"],
        &["show", "harbor:network:Port"],
        &["show", "mathx:index:clamp"],
        &["show", "pulumi:providers:harbor"],
        &["search", "--package", "harbor", "network"],
        &["search", "--package", "harbor", "--limit", "1", "network"],
        &["search", "--package", "harbor", "no-such-thing"],
    ] {
        let fixed = ["--output-format", "json", "--schema-dir", SCHEMAS, "--schema-dir", &place];
        let run = pcl([&["schema"], arguments, &fixed].concat());
        assert!(run.stderr.is_empty(), "{arguments:?}: {}", run.stderr);
        schema.accept(&run.json());
    }
    assert_eq!(schema.absent(), [""; 0]);
    let mut check = JsonSchema::published("check");
    for name in ["harbor-2.1.0", "cracked-1.0.0", "garbled-1.0.0", "sundial"] {
        let file = format!("{SCHEMAS}/{name}.json");
        check.accept(&pcl(["schema", "check", "--output-format", "json", &file]).json());
    }
}

#[test]
fn query_json() {
    let mut schema = JsonSchema::published("query");
    let file = "corpus/valid/webserver/main.pp";
    let places = |lines| (1..lines).flat_map(|line| [1, 10, 18].map(|column| (line, column)));
    let questions = [("type", 60), ("hover", 12), ("def", 12), ("refs", 12), ("complete", 12)];
    for (question, lines) in questions.into_iter().chain([("symbols", 2)]) {
        for (line, column) in places(lines) {
            let place = format!("{file}:{line}:{column}");
            let format = ["query", question, "--output-format", "json"];
            let schemas = ["--schema-dir", SCHEMAS, place.as_str()];
            let run = pcl(format.into_iter().chain(schemas));
            // A short line has no such column.
            if run.status != 2 {
                schema.accept(&run.json());
            }
        }
    }
    assert_eq!(schema.absent(), [""; 0]);
}

#[test]
fn the_validator_refuses() {
    let schema = JsonSchema::published("check");
    let good = serde_json::json!({ "format_version": "1.0", "programs": [
        { "path": "a", "valid": true, "errors": 0, "warnings": 0, "diagnostics": [] } ] });
    assert_eq!(schema.error(&good), None);
    for (pointer, value) in [
        ("/format_version", serde_json::json!("2.0")),
        ("/programs", serde_json::json!({})),
        ("/programs/0", serde_json::json!({ "path": "a" })),
        ("/programs/0/errors", serde_json::json!(-1)),
        ("/programs/0/diagnostics", serde_json::json!([{}])),
        (
            "/programs/0",
            serde_json::json!({ "path": "a", "valid": true, "errors": 0, "warnings": 0, "diagnostics": [], "new": 1 }),
        ),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).expect("the place is there") = value;
        assert!(schema.error(&bad).is_some(), "{bad}");
    }
}
