//! Standard input in every command that reads it: its name, and what excludes it.

use pcl_test_support::{Scratch, scratch};

/// A program that no layout and no check leaves as it is.
const TEXT: &str = "a=sise\n";

/// The commands with `--stdin-filename`, and arguments that they need.
const COMMANDS: [&[&str]; 9] = [
    &["check"],
    &["fmt"],
    &["convert", "--to", "yaml"],
    &["graph"],
    &["dump", "tokens"],
    &["dump", "tree"],
    &["dump", "ast"],
    &["dump", "bound"],
    &["dump", "packages"],
];

/// The questions, whose place names the file.
const QUESTIONS: [&str; 6] = ["hover", "type", "def", "refs", "complete", "symbols"];

fn place(name: &str) -> Scratch {
    let place = scratch(&format!("standard-input-{name}"));
    place.write("main.pp", "b  =  1\n");
    place.write("vendor/main.pp", "b  =  1\n");
    place
}

/// Fails if a file was changed.
fn assert_unchanged(place: &Scratch, arguments: &[&str]) {
    for file in ["main.pp", "vendor/main.pp"] {
        assert_eq!(place.read(file), "b  =  1\n", "{file} {arguments:?}");
    }
}

/// The table has every command whose help names the flag.
#[test]
fn the_commands_with_a_name_for_standard_input() {
    let place = place("table");
    let mut open: Vec<Vec<String>> = vec![Vec::new()];
    let mut found = Vec::new();
    while let Some(command) = open.pop() {
        let arguments: Vec<&str> = command.iter().map(String::as_str).collect();
        let help = place.run_list(&[&arguments[..], &["--help"]].concat(), "").stdout;
        if help.contains("--stdin-filename") {
            found.push(command.join(" "));
        }
        let Some((_, list)) = help.split_once("\nCommands:\n") else { continue };
        for line in list.lines().take_while(|line| !line.is_empty()) {
            let name = line.strip_prefix("  ").and_then(|line| line.split(' ').next());
            if let Some(name) = name.filter(|name| !name.is_empty() && *name != "help") {
                open.push([&command[..], &[name.to_owned()]].concat());
            }
        }
    }
    let commands = COMMANDS.iter().map(|words| match words {
        ["dump", what] => format!("dump {what}"),
        words => words[0].to_owned(),
    });
    let questions = QUESTIONS.iter().map(|question| format!("query {question}"));
    let mut expected: Vec<String> = commands.chain(questions).collect();
    expected.sort();
    found.sort();
    assert_eq!(found, expected);
}

#[test]
fn a_name_means_standard_input() {
    let place = place("name");
    for arguments in COMMANDS {
        let named = [arguments, &["--stdin-filename", "new.pp"]].concat();
        let left_out = place.run_list(&named, TEXT);
        let written = place.run_list(&[&named[..], &["-"]].concat(), TEXT);
        assert_eq!(
            (left_out.status, left_out.stdout, left_out.stderr),
            (written.status, written.stdout, written.stderr),
            "{arguments:?}"
        );
        assert_unchanged(&place, &named);
        for paths in [&["main.pp"][..], &["."], &["-", "main.pp"], &["main.pp", "-"]] {
            let run = place.run_list(&[&named[..], paths].concat(), TEXT);
            assert_eq!((run.status, &*run.stdout), (2, ""), "{arguments:?} {paths:?}");
            assert_unchanged(&place, &named);
        }
    }
    let formatted = place.run_list(&["fmt", "--stdin-filename", "a.pp"], TEXT);
    assert_eq!(&*formatted.stdout, "a = sise\n");
    let checked = place.run_list(&["check", "--stdin-filename", "a.pp"], TEXT);
    assert!(checked.stdout.contains("a.pp:1:3"), "{}", checked.stdout);
    let below = place.run_list(&["fmt", "-r", "--stdin-filename", "a.pp"], TEXT);
    assert_eq!(&*below.stdout, "a = sise\n");
    let fixed = place.run_list(&["check", "--fix", "--stdin-filename", "a.pp"], TEXT);
    assert_eq!(&*fixed.stdout, TEXT, "{}", fixed.stderr);
    assert_unchanged(&place, &["check"]);
    for question in QUESTIONS {
        let run =
            place.run_list(&["query", question, "--stdin-filename", "a.pp", "main.pp:1:1"], TEXT);
        assert_eq!((run.status, &*run.stdout), (2, ""), "{question}");
    }
    let watched = place.run_list(&["check", "--watch", "--stdin-filename", "a.pp"], TEXT);
    assert_eq!(watched.status, 2);
}

#[test]
fn what_is_excluded_is_excluded_on_standard_input() {
    let place = place("excluded");
    place.write("pcl.toml", "exclude = [\"generated.pp\"]\n");
    let exclude = ["--force-exclude", "--exclude", "vendor"];
    // The files need not be there.
    for name in ["vendor/main.pp", "vendor/new/deep.pp", "./vendor/x.pp", "generated.pp"] {
        for path in [&[][..], &["-"]] {
            let run = |command: &[&str]| {
                let named = [command, &exclude, &["--stdin-filename", name], path].concat();
                let run = place.run_list(&named, TEXT);
                (run.status, run.stdout)
            };
            assert_eq!(run(&["check"]), (0, String::new()), "{name}");
            let same = (0, TEXT.to_owned());
            assert_eq!(run(&["check", "--fix"]), same, "{name}");
            assert_eq!(run(&["check", "--add-ignore"]), same, "{name}");
            assert_eq!(run(&["check", "--diff"]), (0, String::new()), "{name}");
            assert_eq!(run(&["fmt"]), same, "{name}");
            assert_eq!(run(&["fmt", "--check"]), (0, String::new()), "{name}");
            assert_eq!(run(&["fmt", "--diff"]), (0, String::new()), "{name}");
        }
    }
    // Without the flag, a name does not exclude what somebody gives; a text without a name is none
    // of the files.
    let given = ["fmt", "--exclude", "vendor", "--stdin-filename", "vendor/a.pp"];
    assert_eq!(&*place.run_list(&given, TEXT).stdout, "a = sise\n");
    let unnamed = ["fmt", "--force-exclude", "--exclude", "*", "-"];
    assert_eq!(&*place.run_list(&unnamed, TEXT).stdout, "a = sise\n");
}
