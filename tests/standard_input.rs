//! Standard input in every command that reads it: its name, and what excludes it.

use pcl_test_support::{Run, Scratch, command, run, scratch, write};

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

struct Place(Scratch);

impl Place {
    fn new(name: &str) -> Self {
        let place = Self(scratch(&format!("standard-input-{name}")));
        write(&place.0.join("main.pp"), "b  =  1\n");
        write(&place.0.join("vendor/main.pp"), "b  =  1\n");
        place
    }

    fn run(&self, arguments: &[&str], input: &str) -> Run {
        let mut command = command();
        command.args(arguments).current_dir(&*self.0);
        run(command, input.as_bytes())
    }

    /// Fails if a file was changed.
    fn assert_unchanged(&self, arguments: &[&str]) {
        for file in ["main.pp", "vendor/main.pp"] {
            let text = std::fs::read_to_string(self.0.join(file)).expect("it is there");
            assert_eq!(text, "b  =  1\n", "{file} {arguments:?}");
        }
    }
}

/// The table has every command whose help names the flag.
#[test]
fn the_commands_with_a_name_for_standard_input() {
    let place = Place::new("table");
    let mut open: Vec<Vec<String>> = vec![Vec::new()];
    let mut found = Vec::new();
    while let Some(command) = open.pop() {
        let arguments: Vec<&str> = command.iter().map(String::as_str).collect();
        let help = place.run(&[&arguments[..], &["--help"]].concat(), "").stdout;
        if help.contains("--stdin-filename") {
            found.push(command.join(" "));
        }
        let Some((_, list)) = help.split_once("\nCommands:\n") else {
            continue;
        };
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
    let place = Place::new("name");
    for arguments in COMMANDS {
        let named = [arguments, &["--stdin-filename", "new.pp"]].concat();
        let left_out = place.run(&named, TEXT);
        let written = place.run(&[&named[..], &["-"]].concat(), TEXT);
        assert_eq!(
            (left_out.status, left_out.stdout, left_out.stderr),
            (written.status, written.stdout, written.stderr),
            "{arguments:?}"
        );
        place.assert_unchanged(&named);
        for paths in [&["main.pp"][..], &["."], &["-", "main.pp"], &["main.pp", "-"]] {
            let run = place.run(&[&named[..], paths].concat(), TEXT);
            assert_eq!((run.status, &*run.stdout), (2, ""), "{arguments:?} {paths:?}");
            place.assert_unchanged(&named);
        }
    }
    let formatted = place.run(&["fmt", "--stdin-filename", "a.pp"], TEXT);
    assert_eq!(&*formatted.stdout, "a = sise\n");
    let checked = place.run(&["check", "--stdin-filename", "a.pp"], TEXT);
    assert!(checked.stdout.contains("a.pp:1:3"), "{}", checked.stdout);
    let below = place.run(&["fmt", "-r", "--stdin-filename", "a.pp"], TEXT);
    assert_eq!(&*below.stdout, "a = sise\n");
    let fixed = place.run(&["check", "--fix", "--stdin-filename", "a.pp"], TEXT);
    assert_eq!(&*fixed.stdout, TEXT, "{}", fixed.stderr);
    place.assert_unchanged(&["check"]);
    for question in QUESTIONS {
        let run = place.run(&["query", question, "--stdin-filename", "a.pp", "main.pp:1:1"], TEXT);
        assert_eq!((run.status, &*run.stdout), (2, ""), "{question}");
    }
    let watched = place.run(&["check", "--watch", "--stdin-filename", "a.pp"], TEXT);
    assert_eq!(watched.status, 2);
}

#[test]
fn what_is_excluded_is_excluded_on_standard_input() {
    let place = Place::new("excluded");
    write(&place.0.join("pcl.toml"), "exclude = [\"generated.pp\"]\n");
    let exclude = ["--force-exclude", "--exclude", "vendor"];
    // The files need not be there.
    for name in ["vendor/main.pp", "vendor/new/deep.pp", "./vendor/x.pp", "generated.pp"] {
        for path in [&[][..], &["-"]] {
            let run = |command: &[&str]| {
                let named = [command, &exclude, &["--stdin-filename", name], path].concat();
                let run = place.run(&named, TEXT);
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
    assert_eq!(&*place.run(&given, TEXT).stdout, "a = sise\n");
    let unnamed = ["fmt", "--force-exclude", "--exclude", "*", "-"];
    assert_eq!(&*place.run(&unnamed, TEXT).stdout, "a = sise\n");
}
