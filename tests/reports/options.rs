//! Statistics, the limit of diagnostics, addresses of pages, and files.

use std::fs;

use serde_json::{Value, json};

use pcl::render::Format;
use pcl_test_support::{Run, Scratch, scratch, text, write};

use super::{TYPO, pcl_in};

/// Two programs with two errors and a warning.
fn place() -> Scratch {
    let place = scratch("reports-options");
    write(&place.join("a/main.pp"), TYPO);
    let warning = "output \"a\" {\n  value = lenght([])\n  colour = \"red\"\n}\n";
    write(&place.join("b/main.pp"), warning);
    place
}

fn check(place: &Scratch, options: &str) -> Run {
    let arguments = ["check", "a", "b"].into_iter().chain(options.split_whitespace());
    pcl_in(place, &arguments.collect::<Vec<_>>())
}

#[test]
fn statistics_are_where_the_format_has_a_place_for_them() {
    let place = place();
    let rows = json!([
        { "code": "PCL0601", "name": "unknown-function", "severity": "error", "count": 2, "fixable": 0 },
        { "code": "PCL0206", "name": "ignored-attribute", "severity": "warning", "count": 1, "fixable": 0 },
    ]);
    let run = check(&place, "--statistics --output-format json");
    let mut found = run.json()["statistics"].clone();
    // The name and the fixes of the second are not the subject here.
    for key in ["name", "fixable"] {
        found[1][key] = rows[1][key].clone();
    }
    assert_eq!(found, rows);
    assert_eq!(run.json()["summary"], json!({ "programs": 2, "errors": 2, "warnings": 1 }));
    assert!(!run.stderr.contains("PCL0601"), "{}", run.stderr);

    let lines = check(&place, "--statistics --output-format json-lines").stdout;
    let last: Value = serde_json::from_str(lines.lines().last().expect("a line")).expect("JSON");
    assert_eq!(last["statistics"][0], rows[0]);
    let sarif = check(&place, "--statistics --output-format sarif").json();
    assert_eq!(sarif["runs"][0]["properties"]["statistics"][0], rows[0]);

    for format in Format::ALL.into_iter().filter(|format| !format.has_statistics()) {
        let format = format.name();
        let run = check(&place, &format!("--statistics --quiet --output-format {format}"));
        let table: Vec<&str> = run.stderr.lines().collect();
        assert_eq!(table.len(), 2, "{}", run.stderr);
        assert_eq!(table[0], "      2  PCL0601  error    unknown-function");
        let plain = check(&place, &format!("--output-format {format}"));
        assert_eq!(run.stdout, plain.stdout);
    }
    let without = check(&place, "--output-format json").json();
    assert_eq!(without.get("statistics"), None);
}

#[test]
fn a_limit_hides_diagnostics_from_people_only() {
    let place = place();
    let lines = |options: &str| -> Vec<String> {
        let run = check(&place, options);
        assert_eq!(run.status, 1, "the exit status does not depend on the limit");
        assert!(run.stderr.contains("2 errors in 2 of them, 1 warning"));
        run.stdout.lines().map(str::to_owned).collect()
    };
    let all = lines("--output-format concise");
    assert_eq!(all.len(), 3);
    for none in ["none", "3", "4000"] {
        assert_eq!(lines(&format!("--output-format concise --max-diagnostics {none}")), all);
    }
    assert_eq!(
        lines("--output-format concise --max-diagnostics 0"),
        ["3 more diagnostics; `--max-diagnostics none` shows all of them"]
    );
    let two = lines("--output-format concise --max-diagnostics 2");
    assert_eq!(two[..2], all[..2]);
    assert_eq!(two[2..], ["1 more diagnostic; `--max-diagnostics none` shows all of them"]);
    let one = check(&place, "--max-diagnostics 1").stdout;
    let full = check(&place, "").stdout;
    let (shown, hidden) = one.split_once("2 more diagnostics; ").expect("they are counted");
    assert!(full.starts_with(shown) && shown.contains("a/main.pp"), "{one}");
    assert!(!shown.contains("b/main.pp") && hidden.ends_with("all of them\n"), "{one}");

    for format in Format::ALL.into_iter().filter(|format| !format.is_for_people()) {
        let format = format.name();
        let option = format!("--output-format {format}");
        let limited = check(&place, &format!("{option} --max-diagnostics 1")).stdout;
        assert_eq!(limited, check(&place, &option).stdout, "{format}");
    }
    for wrong in ["-1", "many", ""] {
        let option = format!("--max-diagnostics={wrong}");
        assert_eq!(check(&place, &option).status, 2, "{wrong}");
    }
    let file = check(&place, "--output-format concise=out.txt --max-diagnostics 1");
    assert!(file.stdout.contains("2 more diagnostics"));
    let file = fs::read_to_string(place.join("out.txt")).expect("it is written");
    assert!(file.contains("2 more diagnostics"), "{file}");
}

#[test]
fn one_address_leads_to_all_pages() {
    let place = place();
    let of = |options: &str| {
        let json = check(&place, &format!("--output-format json {options}")).json();
        text(&json["programs"][0]["diagnostics"][0], "url").to_owned()
    };
    assert!(of("").ends_with("/codes/PCL0601.html"));
    assert_eq!(of("--docs-url https://a.b/c/"), "https://a.b/c/PCL0601");
    assert_eq!(of("--docs-url https://a.b/{code}.html"), "https://a.b/PCL0601.html");
    let option = "--docs-url https://a.b/{code}";
    let sarif = check(&place, &format!("{option} --output-format sarif")).json();
    let rule = &sarif["runs"][0]["tool"]["driver"]["rules"][0];
    assert_eq!(text(rule, "helpUri"), "https://a.b/PCL0601");
    let rdjson = check(&place, &format!("{option} --output-format rdjson")).json();
    assert_eq!(text(&rdjson["diagnostics"][0]["code"], "url"), "https://a.b/PCL0601");
    let wrong = check(&place, "--docs-url file:///etc");
    assert_eq!(wrong.status, 2);
    assert!(wrong.stderr.contains("https://"), "{}", wrong.stderr);
}

#[test]
fn several_documents_in_one_run() {
    let place = place();
    let run = check(
        &place,
        "--output-format concise --output-format sarif=out.sarif --output-format junit=out.xml \
         --output-format json=/dev/null",
    );
    assert_eq!(run.stdout, check(&place, "--output-format concise").stdout);
    for (format, file) in [("sarif", "out.sarif"), ("junit", "out.xml")] {
        let written = fs::read_to_string(place.join(file)).expect("it is written");
        let printed = check(&place, &format!("--output-format {format}")).stdout;
        assert_eq!(written, printed, "{format}");
    }
    // A device may be a file that standard output is redirected to.
    let both = fs::File::create(place.join("both")).expect("a file can be made");
    let mut command = pcl_test_support::command();
    command.args(["check", "a", "--quiet", "--output-format", "concise"]);
    command.args(["--output-format", "json=/dev/stdout"]);
    if cfg!(target_os = "linux") {
        command.current_dir(&*place).stdout(both).status().expect("it runs");
        let both = fs::read_to_string(place.join("both")).expect("it is written");
        assert!(both.contains("format_version") && both.contains("a/main.pp:1:8"), "{both}");
    }
    let printed = check(&place, "--output-format json=-").stdout;
    assert_eq!(printed, check(&place, "--output-format json").stdout);
    let twice = check(&place, "--output-format json=x --output-format sarif=x");
    assert_eq!(twice.status, 2);
    assert!(twice.stderr.contains("two formats for the file `x`"), "{}", twice.stderr);
    assert!(!place.join("x").exists());
}

#[test]
fn a_file_that_cannot_be_written_is_refused_before_the_run() {
    let place = place();
    write(&place.join("old.json"), "old");
    let entries = || fs::read_dir(&*place).expect("it is there").count();
    let before = entries();
    for file in ["no/such/report", "a", "."] {
        let options = format!("--output-format json=old.json --output-format sarif={file}");
        let run = check(&place, &options);
        assert_eq!(run.status, 2, "{file}");
        let start = format!("error: cannot create `{file}`: ");
        assert!(run.stderr.starts_with(&start), "{}", run.stderr);
        assert!(!run.stderr.contains(".pcl-"), "{}", run.stderr);
        assert_eq!(run.stdout, "");
        let old = fs::read_to_string(place.join("old.json")).expect("it is there");
        assert_eq!(old, "old", "the other file is left as it is");
        assert_eq!(entries(), before);
    }
}

/// Errors in the configuration are in the document, and counted.
#[test]
fn a_configuration_with_an_error_is_a_document_too() {
    let place = place();
    write(&place.join("pcl.toml"), "docs-url = \"file:///etc\"\n");
    let json = check(&place, "--output-format json").json();
    assert_eq!(json["summary"], json!({ "programs": 0, "errors": 1, "warnings": 0 }));
    let sarif = check(&place, "--output-format sarif").json();
    let run = &sarif["runs"][0];
    assert_eq!(run["invocations"][0]["executionSuccessful"], json!(false));
    assert_eq!(run["results"].as_array().map(Vec::len), Some(1));
    let rdjson = check(&place, "--output-format rdjson").json();
    assert_eq!(text(&rdjson, "severity"), "ERROR");

    write(&place.join("pcl.toml"), "docs-url = \"https://pages.example.com/{code}\"\n");
    let json = check(&place, "--output-format json").json();
    let url = text(&json["programs"][0]["diagnostics"][0], "url");
    assert_eq!(url, "https://pages.example.com/PCL0601");
    let sarif = check(&place, "--output-format sarif").json();
    let rule = &sarif["runs"][0]["tool"]["driver"]["rules"][0];
    assert_eq!(text(rule, "helpUri"), url);
}
