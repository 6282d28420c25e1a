//! The flags that mean the same in every command, and the reports of `pcl fmt --check`.

use pcl_test_support::json_schema::JsonSchema;
use pcl_test_support::{Scratch, items, scratch, text};

const UNFORMATTED: &str = "size   = 1\nb = 2\nlast    =   3\n";

fn place(name: &str) -> Scratch {
    let place = scratch(&format!("flags-{name}"));
    place.write("main.pp", "size = 1\noutput text {\n  value = wrong\n}\n");
    place
}

/// Diagnostics on standard error are coloured as those on standard output are.
#[test]
fn every_command_has_colour() {
    let place = place("colour");
    let commands = ["check", "preview", "eval 1", "graph", "dump bound", "query type main.pp:3:12"];
    for command in commands {
        let said = |run: &pcl_test_support::Run| format!("{}{}", run.stdout, run.stderr);
        let coloured = said(&place.run(&format!("{command} --color always")));
        assert!(coloured.contains("\u{1b}["), "{command}: {coloured}");
        let plain = said(&place.run(&format!("--color never {command}")));
        assert!(plain.contains("error[PCL0201]") && !plain.contains('\u{1b}'), "{command}");
    }
}

#[test]
fn quiet_commands_print_no_summary() {
    let place = place("quiet");
    place.write("good/main.pp", "size = 1\n");
    for command in ["check good", "fmt good", "new empty fresh --name fresh", "man pages"] {
        let run = place.run(&format!("{command} -q"));
        assert_eq!((run.status, &*run.stderr), (0, ""), "{command}");
    }
    assert!(!place.run("check good").stderr.is_empty());
}

/// `--select`, levels and `--error-on-warning` reach every command that checks a program.
#[test]
fn every_command_has_levels() {
    let place = place("levels");
    place.write("main.pp", "size = 1\n");
    for command in ["check", "preview", "eval 1", "graph", "dump bound"] {
        let run = place.run(command);
        assert_eq!(run.status, 0, "{command}: {}", run.stderr);
        let selected = place.run(&format!("{command} --select unused-local"));
        let said = selected.stdout + &selected.stderr;
        assert!(said.contains("warning[PCL0701]"), "{command}: {said}");
        assert_eq!(selected.status, 0, "{command}");
        for flags in ["--select unused-local --error-on-warning", "--error unused-local"] {
            assert_eq!(place.run(&format!("{command} {flags}")).status, 1, "{command} {flags}");
        }
        let clash = place.run(&format!("{command} --error unused-local --warn unused-local"));
        assert_eq!(clash.status, 2, "{command}");
    }
    place.write("pcl.toml", "select = [\"unused\"]\nerror-on-warning = true\n");
    assert_eq!(place.run("preview").status, 1);
}

#[test]
fn unformatted_files_are_reported_in_any_format() {
    let place = place("unformatted");
    place.write("main.pp", UNFORMATTED);
    place.write("fine.pp", "c = 1\n");
    let names = place.run("fmt --check");
    assert_eq!((names.status, &*names.stdout), (1, "main.pp\n"));

    let run = place.run("fmt --check --output-format github");
    assert_eq!(run.status, 1);
    let expected = "::error title=PCL0023 unformatted-file,file=main.pp,line=1,endLine=1,col=1,\
                    endColumn=11::the file is not formatted: 3 lines would change%0Ahelp: `pcl fmt` formats it\n";
    assert_eq!(run.stdout, expected);
    assert_eq!(run.stderr, "1 file would be reformatted, 1 already formatted\n");

    let run = place.run("fmt --check --output-format json -q");
    assert_eq!((run.status, &*run.stderr), (1, ""));
    let document = run.json();
    JsonSchema::published("check").accept(&document);
    let programs: Vec<_> = items(&document, "programs").collect();
    let diagnostics: Vec<_> = items(programs[0], "diagnostics").collect();
    assert_eq!(text(diagnostics[0], "code"), "PCL0023");
    assert_eq!(document["summary"]["errors"], 1);

    // Nothing was written, and the fix is what formatting writes.
    assert_eq!(place.read("main.pp"), UNFORMATTED);
    let edits = items(&diagnostics[0]["fixes"][0], "edits");
    let mut fixed = UNFORMATTED.to_owned();
    let mut edits: Vec<_> = edits.collect();
    edits.reverse();
    for edit in edits {
        let [start, end] =
            ["start", "end"].map(|end| pcl_test_support::position(&edit["range"], end, "byte"));
        fixed.replace_range(start..end, text(edit, "text"));
    }
    place.run("fmt");
    assert_eq!(place.read("main.pp"), fixed);
    let clean = place.run("fmt --check --output-format github");
    assert_eq!((clean.status, &*clean.stdout), (0, ""));
}

/// A file that cannot be parsed is in the report with its syntax errors, and not as unformatted.
#[test]
fn broken_files_are_in_the_report() {
    let place = place("broken");
    place.write("main.pp", "a   = [\n");
    let run = place.run("fmt --check --output-format concise");
    assert_eq!(run.status, 1);
    assert!(run.stdout.contains("error[PCL0136]"), "{}", run.stdout);
    assert!(!run.stdout.contains("PCL0023"), "{}", run.stdout);
    assert!(!run.stderr.contains("PCL0136"), "{}", run.stderr);
    // So is a configuration that is not valid.
    place.write("pcl.toml", "x = 1\n");
    let run = place.run("fmt --check --output-format concise");
    assert_eq!(run.status, 2);
    assert_eq!(run.stdout, "pcl.toml:1:1: error[PCL0022] unknown setting `x`\n");
}

#[test]
fn a_report_can_be_a_file() {
    let place = place("file");
    place.write("main.pp", UNFORMATTED);
    let run = place.run("fmt --check --diff --output-format sarif=out.sarif");
    assert_eq!(run.status, 1);
    assert!(run.stdout.starts_with("main.pp\n--- main.pp\n"), "{}", run.stdout);
    assert!(place.read("out.sarif").contains("PCL0023"));
    for (arguments, reason) in [
        ("fmt --output-format json", "`--output-format` goes with `--check`"),
        ("fmt --check --diff --output-format json", "with `--diff`, diagnostics are written to"),
    ] {
        let run = place.run(arguments);
        assert_eq!(run.status, 2);
        assert!(run.stderr.contains(reason), "{}", run.stderr);
    }
}
