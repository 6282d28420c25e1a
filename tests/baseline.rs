//! `pcl check --baseline` and `--update-baseline`.

use std::fs;

use pcl_test_support::json_schema::JsonSchema;
use pcl_test_support::{Run, Scratch, command, run, scratch_outside, write};
use serde_json::Value;

struct Place(Scratch);

impl Place {
    fn new(name: &str) -> Self {
        let place = Self(scratch_outside(&format!("baseline-{name}")));
        place.write("web/main.pp", "a = nope()\nc = nope()\nb = 2\nb = 1\n");
        place.write("api/main.pp", "a = lenght([])\n");
        place
    }

    fn write(&self, name: &str, text: &str) {
        write(&self.0.join(name), text);
    }

    fn check(&self, arguments: &str) -> Run {
        let mut command = command();
        command.arg("check").args(arguments.split_whitespace()).current_dir(&*self.0);
        run(command, b"")
    }

    /// Checks all programs with the baseline `known.json`, and returns the status and the summary.
    fn known(&self, arguments: &str) -> (i32, String) {
        let run = self.check(&format!("-r --baseline known.json {arguments}"));
        (run.status, run.stderr)
    }

    fn adopt(&self) {
        let (status, said) = self.known("--update-baseline");
        assert_eq!(status, 0, "{said}");
    }

    fn baseline(&self) -> Value {
        let text = fs::read_to_string(self.0.join("known.json")).expect("a baseline");
        let baseline = serde_json::from_str(&text).expect("JSON");
        JsonSchema::published("baseline").accept(&baseline);
        baseline
    }
}

#[test]
fn what_is_known_does_not_count() {
    let place = Place::new("known");
    let before = place.check("-r");
    assert_eq!(before.status, 1);
    assert!(before.stderr.contains("4 errors in 2 of them"), "{}", before.stderr);
    let (status, said) = place.known("--update-baseline");
    assert_eq!(status, 0, "{said}");
    assert_eq!(
        said,
        "checked 2 programs: no errors; left out: 4 known\n\
         `known.json` has 4 diagnostics: 4 added, 0 removed\n"
    );
    insta::assert_snapshot!(serde_json::to_string_pretty(&place.baseline()).expect("JSON"));
    assert_eq!(place.known(""), (0, "checked 2 programs: no errors; left out: 4 known\n".into()));
    // It is found from any directory, and about a part of the programs too.
    let part = place.check("web --baseline known.json");
    assert_eq!((part.status, &*part.stdout), (0, ""));
    assert!(part.stderr.contains("left out: 3 known"), "{}", part.stderr);
}

#[test]
fn lines_may_move_and_other_diagnostics_count() {
    let place = Place::new("moved");
    place.adopt();
    place.write("web/main.pp", "# A comment.\n\nb = 1\na = nope()\n\nb = 2\nc = nope()\n");
    let (status, said) = place.known("");
    assert_eq!(status, 1, "the duplicate is on another line now: {said}");
    place.write("web/main.pp", "# A comment.\n\n  a = nope()\n\nc = nope()\nb = 2\nb = 1\n");
    assert_eq!(place.known("").0, 0);
    // One more of the same on an equal line counts, and so does another one.
    place.write("web/main.pp", "a = nope()\nc = nope()\nb = 2\nb = 1\nd = nope()\n");
    let run = place.check("-r --baseline known.json --output-format concise");
    assert_eq!(run.status, 1);
    assert_eq!(run.stdout.lines().count(), 1, "{}", run.stdout);
    assert!(run.stdout.starts_with("web/main.pp:5:5"), "{}", run.stdout);
}

/// The number of equal diagnostics is known.
#[test]
fn equal_ones_are_counted() {
    let place = Place::new("equal");
    let block = "output o {\n  value = nope()\n}\n";
    let other = "output p {\n  value = nope()\n}\n";
    place.write("web/main.pp", block);
    place.adopt();
    place.write("web/main.pp", &format!("{block}{other}"));
    let run = place.check("-r --baseline known.json --output-format concise");
    assert_eq!((run.status, run.stdout.lines().count()), (1, 1), "{}", run.stdout);
    place.adopt();
    let counts: Vec<_> = place.baseline()["diagnostics"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| it["count"].clone())
        .collect();
    assert_eq!(counts, [1, 2]);
    // Both programs have the component's diagnostics; they are known once.
    place.write("lib/main.pp", "x = nope()\n");
    place.write("web/main.pp", "component c \"../lib\" {}\n");
    place.write("api/main.pp", "component c \"../lib\" {}\n");
    let only = "web api --baseline known.json";
    assert_eq!(place.check(&format!("{only} --update-baseline")).status, 0);
    assert_eq!(place.check("web --baseline known.json").status, 0);
    assert_eq!(place.check(only).status, 0);
}

#[test]
fn stale_entries_are_reported_and_removed() {
    let place = Place::new("stale");
    place.adopt();
    place.write("web/main.pp", "c = nope()\n");
    let (status, said) = place.known("");
    assert_eq!(status, 0);
    assert!(said.contains("2 entries of `known.json` are stale; `--update-baseline` removes them"));
    assert!(said.contains("  web/main.pp: PCL0101 `b` is set twice"), "{said}");
    // Nothing is known about what is not checked.
    let part = place.check("api --baseline known.json");
    assert!(!part.stderr.contains("stale"), "{}", part.stderr);
    let part = place.check("api --baseline known.json --update-baseline");
    assert!(part.stderr.contains("has 4 diagnostics: 0 added, 0 removed"), "{}", part.stderr);
    fs::remove_dir_all(place.0.join("api")).expect("it is there");
    let (_, said) = place.known("--update-baseline");
    assert!(said.contains("has 1 diagnostic: 0 added, 3 removed"), "{said}");
    assert_eq!(place.known(""), (0, "checked 1 program: no errors; left out: 1 known\n".into()));
}

#[test]
fn a_baseline_that_cannot_be_read_or_written() {
    let place = Place::new("broken");
    let missing = place.check("-r --baseline known.json");
    assert_eq!((missing.status, &*missing.stdout), (2, ""));
    assert!(missing.stderr.contains("there is no baseline `known.json`"), "{}", missing.stderr);
    for (text, said) in [
        ("{", "`known.json` is not a baseline: EOF"),
        ("{\"format_version\": \"1.0\"}", "missing field `diagnostics`"),
        ("{\"format_version\": \"2.0\", \"all\": []}", "its format is `2.0`"),
    ] {
        place.write("known.json", text);
        for flags in ["", "--update-baseline"] {
            let run = place.check(&format!("-r --baseline known.json {flags}"));
            assert_eq!((run.status, &*run.stdout), (2, ""), "{text}");
            assert!(run.stderr.contains(said), "{text}: {}", run.stderr);
        }
        assert_eq!(fs::read_to_string(place.0.join("known.json")).expect("a file"), text);
    }
    fs::remove_file(place.0.join("known.json")).expect("it is there");
    for unchecked in ["web nowhere", "web --setting levels.nope=warn"] {
        let run = place.check(&format!("{unchecked} --baseline known.json --update-baseline"));
        assert_eq!(run.status, 2, "{unchecked}: {}", run.stderr);
        assert!(!place.0.join("known.json").exists(), "{unchecked}");
    }
    for arguments in ["--update-baseline", "--baseline known.json --watch"] {
        assert_eq!(place.check(arguments).status, 2, "{arguments}");
    }
}

/// Documents say how many diagnostics are left out.
#[test]
fn documents_say_what_is_left_out() {
    let place = Place::new("formats");
    place.adopt();
    for (format, said) in [
        ("json", "\"left_out\":{\"known\":4}"),
        ("json-lines", "{\"left_out\":{\"known\":4}}\n"),
        ("sarif", "\"left_out\":{\"known\":4}"),
        ("github", "::notice title=pcl::left out: 4 known\n"),
        ("junit", "<!-- left out: 4 known -->"),
    ] {
        let run = place.check(&format!("-r --baseline known.json --output-format {format}"));
        assert_eq!(run.status, 0, "{format}: {}", run.stdout);
        assert!(run.stdout.contains(said), "{format}: {}", run.stdout);
        let schema = match format {
            "json" => "check",
            "json-lines" => "check-lines",
            _ => continue,
        };
        let mut schema = JsonSchema::published(schema);
        for line in run.stdout.lines().filter(|_| format == "json-lines") {
            schema.accept(&serde_json::from_str(line).expect("JSON"));
        }
        if format == "json" {
            schema.accept(&run.json());
        }
    }
}

/// Fixes are applied to known diagnostics too, and what is fixed is stale.
#[test]
fn fixes_are_applied() {
    let place = Place::new("fix");
    place.write("web/main.pp", "a = 1\n");
    place.adopt();
    let (status, said) = place.known("--fix --unsafe-fixes");
    assert_eq!(status, 0, "{said}");
    let text = fs::read_to_string(place.0.join("api/main.pp")).expect("a program");
    assert_eq!(text, "a = length([])\n");
    assert!(said.contains("an entry of `known.json` is stale"), "{said}");
}
