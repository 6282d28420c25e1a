//! `pcl convert --batch`: many programs to several languages.
#![cfg(feature = "convert")]

use std::fs;

use pcl_test_support::json_schema::JsonSchema;
use pcl_test_support::{Run, Scratch, command, run, scratch, write};
use serde_json::{Value, json};

const SCHEMAS: &str = "corpus/schemas";

/// Converts an input that is read from standard input.
fn batch(input: &str, to: &str, flags: &[&str]) -> Run {
    let mut command = command();
    command.args(["convert", "--batch", "-", "--to", to, "--schema-dir", SCHEMAS]).args(flags);
    run(command, input.as_bytes())
}

fn records(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a record")).collect()
}

/// The parts of records that tell what became of a program.
fn outcomes(text: &str) -> Vec<[String; 3]> {
    let part = |record: &Value, key: &str| record[key].as_str().unwrap_or_default().to_owned();
    let records = records(text).into_iter();
    records.map(|it| ["id", "language", "severity"].map(|key| part(&it, key))).collect()
}

fn messages(text: &str) -> Vec<String> {
    let records = records(text).into_iter();
    let message = |it: Value| it["diagnostics"][0]["message"].as_str().map(str::to_owned);
    records.filter_map(message).collect()
}

const BUCKET: &str = "resource b \"harbor:storage:Bucket\" {\n  versions = 2\n}\n";

#[test]
fn a_map_and_lines_give_the_same_records() {
    let map = json!({ "one": "output a {\n  value = 1\n}\n", "two": { "text": BUCKET } });
    let lines = format!(
        "{}\n\n{}\n",
        json!({ "id": "one", "text": "output a {\n  value = 1\n}\n" }),
        json!({ "id": "two", "files": { "main.pp": BUCKET } }),
    );
    let from_map = batch(&map.to_string(), "yaml,typescript", &[]);
    let from_lines = batch(&lines, "typescript,yaml,yaml", &["-j", "1"]);
    assert_eq!(from_map.status, 0, "{}", from_map.stderr);
    assert_eq!(from_map.stdout, from_lines.stdout);
    let expected = [("one", "typescript"), ("one", "yaml"), ("two", "typescript"), ("two", "yaml")];
    let expected = expected.map(|(id, language)| [id, language, "success"].map(str::to_owned));
    assert_eq!(outcomes(&from_map.stdout), expected);
    let first = &records(&from_map.stdout)[0];
    let text = first["files"]["index.ts"].as_str().expect("a file");
    assert!(text.contains("export const a"), "{text}");
    insta::assert_snapshot!(from_map.stderr);
    // The published form.
    let mut schema = JsonSchema::published("batch");
    let wrong = batch("{\"id\": \"x\", \"text\": \"a = b\\n\"}\n{", "python", &[]);
    for record in records(&(from_map.stdout + &wrong.stdout)) {
        schema.accept(&record);
    }
    // Those of diagnostics are the business of `tests/formats.rs`.
    let absent = schema.absent().into_iter();
    let absent: Vec<&String> = absent.filter(|it| it.starts_with("/$defs/record")).collect();
    assert_eq!(absent, [""; 0]);
}

/// A file as converters write it: with the text of other languages and diagnostics beside it.
#[test]
fn the_examples_of_a_converter_are_converted() {
    let examples = json!({ "e0": {
        "pcl": BUCKET, "pulumiYaml": "resources: {}", "diagnostics": [{ "summary": "x" }],
    } });
    let run = batch(&examples.to_string(), "python", &[]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(outcomes(&run.stdout), [["e0", "python", "success"].map(str::to_owned)]);
}

#[test]
fn what_is_wrong_is_a_record_and_the_run_goes_on() {
    let lines = [
        json!({ "id": "ok", "text": "a = 1\n" }).to_string(),
        "{ \"id\": ".to_owned(),
        json!({ "id": "ok", "text": "a = 2\n" }).to_string(),
        json!({ "text": "a = 1\n" }).to_string(),
        json!({ "id": "both", "text": "", "files": { "main.pp": "" } }).to_string(),
        json!({ "id": "key", "texts": "" }).to_string(),
        json!({ "id": "up", "files": { "../main.pp": "" } }).to_string(),
        json!({ "id": "root", "files": { "/main.pp": "" } }).to_string(),
        json!({ "id": "windows", "files": { "c:\\main.pp": "" } }).to_string(),
        json!({ "id": "allow", "text": "", "allow": ["all"] }).to_string(),
        json!({ "id": "schema", "text": "", "schemas": [1] }).to_string(),
        json!({ "id": "mistake", "text": "a = lenght([])\n" }).to_string(),
        json!({ "id": "last", "text": "a = 1\n" }).to_string(),
    ];
    let run = batch(&(lines.join("\n") + "\n"), "yaml", &[]);
    assert_eq!(run.status, 1);
    insta::assert_snapshot!(messages(&run.stdout).join("\n"));
    let outcomes = outcomes(&run.stdout);
    assert_eq!(outcomes.len(), lines.len());
    assert_eq!(outcomes[12], ["last", "yaml", "success"].map(str::to_owned));
    assert_eq!(records(&run.stdout)[1]["line"], 2);
    insta::assert_snapshot!(run.stderr);
}

/// A map that is cut off has the programs before the cut, and a record that says so.
#[test]
fn a_map_that_is_cut_off_is_read_as_far_as_it_goes() {
    let run = batch("{\"one\": \"a = 1\\n\", \"two\": ", "yaml", &[]);
    assert_eq!(run.status, 1);
    assert_eq!(outcomes(&run.stdout)[0], ["one", "yaml", "success"].map(str::to_owned));
    let messages = messages(&run.stdout);
    assert!(messages[0].starts_with("the rest of the batch cannot be read: EOF"), "{messages:?}");
}

/// Files on disk do not exist for the programs of a batch, and neither do those of each other.
#[test]
fn programs_see_their_own_files_alone() {
    let lines = [
        json!({ "id": "own", "files": {
            "main.pp": "component c \"./part\" {\n}\n", "part/main.pp": "output o {\n  value = 1\n}\n",
        } }),
        json!({ "id": "other", "text": "component c \"./part\" {\n}\n" }),
        json!({ "id": "disk", "text": "component c \"./corpus/valid/webserver\" {\n}\n" }),
    ];
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    let run = batch(&lines.join("\n"), "typescript", &[]);
    let severities: Vec<String> =
        outcomes(&run.stdout).into_iter().map(|it| it[2].clone()).collect();
    assert_eq!(severities, ["success", "failure", "failure"], "{}", run.stdout);
}

#[test]
fn a_program_brings_schemas_and_leniencies() {
    let ark = json!({ "name": "ark", "version": "2.0.0", "resources": { "ark:index:Boat": {} } });
    let boat = "resource boat \"ark:index:Boat\" {\n}\n";
    let lines = [
        json!({ "id": "own", "text": boat, "schemas": [ark] }),
        json!({ "id": "none", "text": boat }),
        json!({ "id": "named", "text": BUCKET, "schemas": ["harbor@9.9.9"] }),
        json!({ "id": "strict", "text": "output a {\n  value = b\n}\n" }),
        json!({ "id": "lenient", "text": "output a {\n  value = b\n}\n", "allow": ["missing-variables"] }),
    ];
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    let run = batch(&lines.join("\n"), "typescript", &[]);
    let severities: Vec<String> =
        outcomes(&run.stdout).into_iter().map(|it| it[2].clone()).collect();
    assert_eq!(
        severities,
        ["success", "failure", "failure", "failure", "warning"],
        "{}",
        run.stdout
    );
}

/// A directory with a batch of twenty programs.
fn place(name: &str) -> (Scratch, String) {
    let place = scratch(&format!("batch-{name}"));
    let programs: serde_json::Map<String, Value> = (0..20)
        .map(|i| (format!("e{i:02}"), format!("output a {{\n  value = {i}\n}}\n").into()))
        .collect();
    write(&place.join("batch.json"), Value::from(programs).to_string());
    let path = place.join("batch.json").display().to_string();
    (place, path)
}

fn to_file(place: &Scratch, input: &str, flags: &[&str]) -> Run {
    let output = place.join("records.jsonl").display().to_string();
    let mut command = command();
    command.args(["convert", "--batch", input, "--to", "python,yaml", "--output", &output]);
    run(
        {
            command.args(flags);
            command
        },
        b"",
    )
}

#[test]
fn a_run_that_was_stopped_goes_on() {
    let (place, input) = place("resumed");
    let output = place.join("records.jsonl");
    assert_eq!(to_file(&place, &input, &[]).status, 0);
    let whole = fs::read_to_string(&output).expect("records");
    assert_eq!(whole.lines().count(), 40);
    // Cut in the middle of a line: every program still has one record for each language.
    for length in [0, 10, whole.len() / 3, whole.len() / 2, whole.len()] {
        fs::write(&output, &whole[..length]).expect("a part of it");
        let run = to_file(&place, &input, &["--resume"]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        assert_eq!(fs::read_to_string(&output).expect("records"), whole, "{length}");
    }
    // A text that is no program has one record, too.
    let lines = "{\n{\"id\":\"a\",\"text\":\"\"}\n{\"id\":\"a\",\"text\":\"\"}\n";
    write(&place.join("lines.jsonl"), lines);
    let lines = place.join("lines.jsonl").display().to_string();
    fs::remove_file(&output).expect("it is there");
    assert_eq!(to_file(&place, &lines, &[]).status, 1);
    let whole = fs::read_to_string(&output).expect("records");
    assert_eq!(whole.lines().count(), 4, "{whole}");
    assert_eq!(to_file(&place, &lines, &["--resume"]).status, 0);
    assert_eq!(fs::read_to_string(&output).expect("records"), whole);
    let again = to_file(&place, &input, &[]);
    assert_eq!(again.status, 2);
    assert!(again.stderr.contains("`--resume` goes on with it"), "{}", again.stderr);
    fs::write(&output, "{}\n").expect("another file");
    let other = to_file(&place, &input, &["--resume"]);
    assert_eq!(other.status, 2);
    assert!(other.stderr.contains("is no record of a batch"), "{}", other.stderr);
    assert_eq!(fs::read_to_string(&output).expect("it stays"), "{}\n");
}

#[test]
fn the_summary_counts_by_language_and_severity() {
    let place = scratch("batch-summary");
    let path = place.join("summary.json").display().to_string();
    let map = json!({ "a": "a = 1\n", "b": "a = lenght([])\n", "c": "b = lenght([])\n" });
    let run = batch(&map.to_string(), "python", &["--summary", &path]);
    assert_eq!(run.status, 1);
    insta::assert_snapshot!(fs::read_to_string(&path).expect("figures"));
}

#[test]
fn several_languages_are_for_batches() {
    let run = pcl_test_support::pcl(["convert", "--to", "yaml,python", "corpus/valid/webserver"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("`--to` takes one language"), "{}", run.stderr);
    let run = pcl_test_support::pcl(["convert", "--to", "yaml", "--output", "x", "corpus"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("`--output` is for `--batch`; `--out DIR`"), "{}", run.stderr);
}
