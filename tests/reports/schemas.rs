//! Every document is valid by the schema of its format.

use jsonschema::Validator;
use serde_json::{Value, json};

use pcl::diagnostics::{Diagnostic, SourceMap, Span, TextRange};
use pcl::render::{Format, Report, ReportSettings, Stream, Summary};
use pcl_test_support::json_schema::JsonSchema;
use pcl_test_support::{items, root, text};

use super::{Hostile, documents};

/// The schema that OASIS publishes.
fn sarif() -> Validator {
    let path = root().join("tests/reports/sarif-2.1.0.schema.json");
    let schema = std::fs::read_to_string(path).expect("the schema is there");
    // The published pattern of languages has a bracket too many, which strict readers refuse.
    let schema = schema.replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}$");
    let schema = serde_json::from_str(&schema).expect("it is JSON");
    jsonschema::validator_for(&schema).expect("it is a schema")
}

#[track_caller]
fn assert_valid(schema: &Validator, document: &Value) {
    let errors = schema.iter_errors(document);
    let errors: Vec<String> =
        errors.map(|error| format!("{error} at {}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

/// The documents of a run without programs, and of one with a bug of `pcl` itself.
fn made(format: Format) -> Vec<String> {
    let mut sources = SourceMap::new();
    let place = Span::new(sources.add("web", ""), TextRange::empty(0));
    let bug = Diagnostic::bug(place, "pcl failed: 1 < 2 (at a.rs:1:1)");
    let report = Report::new("web", sources, [bug]);
    let stream = Stream::new(format, &ReportSettings::DEFAULT);
    let empty = [stream.open(), stream.close(&Summary::default())].concat();
    let documents = [empty, format.render(&report, false)];
    documents.map(|bytes| String::from_utf8(bytes).expect("it is text")).into()
}

fn parse(document: &str) -> Value {
    serde_json::from_str(document).unwrap_or_else(|error| panic!("{error}: {document}"))
}

#[test]
fn sarif_follows_its_schema() {
    let schema = sarif();
    for document in documents("sarif").into_iter().chain(made(Format::Sarif)) {
        let document = parse(&document);
        assert_valid(&schema, &document);
        let run = &document["runs"][0];
        let rules: Vec<&Value> = items(&run["tool"]["driver"], "rules").collect();
        for result in items(run, "results") {
            let index = result["ruleIndex"].as_u64().expect("an index") as usize;
            assert_eq!(rules[index]["id"], result["ruleId"]);
            assert!(!text(&result["message"], "text").is_empty());
        }
        let mut ids: Vec<&str> = rules.iter().map(|rule| text(rule, "id")).collect();
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count, "each rule is listed once");
    }
    let mut bad = parse(&made(Format::Sarif)[1]);
    bad["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] =
        json!(0);
    assert!(!schema.is_valid(&bad), "the schema refuses");
}

/// GitHub shows no result without these.
#[test]
fn sarif_has_what_github_requires() {
    let document = parse(&Hostile::new().check("sarif").stdout);
    let run = &document["runs"][0];
    let results: Vec<&Value> = items(run, "results").collect();
    assert!(results.len() > 12);
    let mut fingerprints = Vec::new();
    for result in &results {
        let place = &result["locations"][0]["physicalLocation"];
        let uri = text(&place["artifactLocation"], "uri");
        assert!(uri.bytes().all(|byte| byte.is_ascii_graphic()), "{uri}");
        assert!(!uri.contains(['#', ':', '<', '"', '\\']), "{uri}");
        for key in ["startLine", "startColumn", "endLine", "endColumn"] {
            assert!(place["region"][key].as_u64().is_some_and(|n| n > 0));
        }
        let fingerprint = text(&result["partialFingerprints"], "pclFingerprint/v1");
        fingerprints.push(fingerprint.to_owned());
    }
    fingerprints.sort();
    fingerprints.dedup();
    assert_eq!(fingerprints.len(), results.len(), "fingerprints differ");
    for rule in items(&run["tool"]["driver"], "rules") {
        for key in ["shortDescription", "fullDescription", "help"] {
            let length = text(&rule[key], "text").chars().count();
            assert!(length > 0 && (length <= 1024 || key == "help"), "{rule}");
        }
    }
    // The path `nowhere` cannot be read.
    assert_eq!(run["invocations"][0]["executionSuccessful"], json!(false));
}

#[test]
fn gitlab_follows_its_schema() {
    let mut schema = JsonSchema::published("gitlab");
    for document in documents("gitlab").into_iter().chain(made(Format::Gitlab)) {
        let document = parse(&document);
        schema.accept(&document);
        let issues = document.as_array().expect("a list");
        let mut fingerprints: Vec<&str> = issues.iter().map(|i| text(i, "fingerprint")).collect();
        fingerprints.sort_unstable();
        fingerprints.dedup();
        assert_eq!(fingerprints.len(), issues.len(), "GitLab drops equal fingerprints");
    }
    assert_eq!(schema.absent(), [""; 0]);
}

/// The parts of a workflow command, as GitHub's runner reads them.
pub(super) fn workflow_command(line: &str) -> Value {
    let (head, message) = line[2..].split_once("::").expect("a message follows `::`");
    assert!(line.starts_with("::"), "{line}");
    let (command, properties) = head.split_once(' ').expect("properties follow a space");
    let unescape = |text: &str| {
        let text = text.replace("%0D", "\r").replace("%0A", "\n").replace("%3A", ":");
        text.replace("%2C", ",").replace("%25", "%")
    };
    let properties = properties.split(',').map(|property| {
        let (key, value) = property.split_once('=').expect("a property has a value");
        (key.to_owned(), Value::String(unescape(value)))
    });
    json!({
        "command": command,
        "properties": properties.collect::<serde_json::Map<_, _>>(),
        "message": unescape(message),
    })
}

#[test]
fn github_follows_its_schema() {
    let mut schema = JsonSchema::published("github");
    for document in documents("github").into_iter().chain(made(Format::Github)) {
        for line in document.lines() {
            schema.accept(&workflow_command(line));
        }
        assert!(!document.contains('\u{1b}'), "no control sequence");
    }
    assert_eq!(schema.absent(), [""; 0]);
}

#[test]
fn rdjson_counts_bytes() {
    let document = parse(&Hostile::new().check("rdjson").stdout);
    let of_bytes = |diagnostic: &&Value| text(&diagnostic["location"], "path") == "bytes/main.pp";
    let last = items(&document, "diagnostics").filter(of_bytes).last();
    let start = &last.expect("it is there")["location"]["range"]["start"];
    // `b = "`, an escape sequence of five bytes, three bytes of U+FFFF, `" + `.
    assert_eq!(start, &json!({ "line": 2, "column": 18 }));
}
