//! The output formats for other tools: valid by their schemas, read by independent parsers, with
//! the same paths and fingerprints however a program was named.

mod examples;
mod options;
mod paths;
mod readers;
mod schemas;

use std::path::Path;

use pcl_test_support::{Run, SCHEMAS, Scratch, command, root, run, scratch, whole_corpus, write};

/// An error with a fix.
const TYPO: &str = "size = lenght([1, 2])\n";

/// Runs `pcl` in a directory.
fn pcl_in(directory: &Path, arguments: &[&str]) -> Run {
    let mut command = command();
    command.args(arguments).current_dir(directory);
    run(command, &[])
}

/// The output of `pcl check` in a format about these programs.
fn check(directory: &Path, format: &str, programs: &[String]) -> Run {
    let schemas = root().join(SCHEMAS).display().to_string();
    let options = ["check", "--output-format", format, "--schema-dir", &schemas];
    let programs = programs.iter().map(String::as_str);
    pcl_in(directory, &options.into_iter().chain(programs).collect::<Vec<_>>())
}

/// Programs whose paths and contents are hard to print.
struct Hostile {
    place: Scratch,
    programs: Vec<String>,
}

impl Hostile {
    fn new() -> Self {
        let place = scratch("reports hostile");
        // Equal lines of different programs have different fingerprints in one repository.
        write(&place.join(".git/HEAD"), "");
        let mut names = vec!["a b", "hash#1", "100%", "größe", "a,b", "(&')"];
        if cfg!(unix) {
            names.extend(["new\nline", "co:lon", "<tag \"q\">", "esc\u{1b}[31m", "a\\b"]);
        }
        for name in &names {
            write(&place.join(name).join("main.pp"), TYPO);
        }
        let bytes = b"a = \"\xff\xfe\"\nb = \"\x1b[31m\xef\xbf\xbf\" + lenght(\"\xc3\xa9]]>\")\n";
        write(&place.join("bytes/main.pp"), bytes);
        write(&place.join("fine/main.pp"), "a = 1\n");
        write(&place.join("lines/main.pp"), "a = [\n  for x in 3 :\n  nobody\n]\n");
        write(&place.join("empty/readme.txt"), "");
        names.extend(["bytes", "fine", "lines", "empty", "nowhere"]);
        Self { programs: names.into_iter().map(str::to_owned).collect(), place }
    }

    fn check(&self, format: &str) -> Run {
        check(&self.place, format, &self.programs)
    }
}

/// The output of `pcl check` in a format about no diagnostics, the corpus and hostile programs.
fn documents(format: &str) -> Vec<String> {
    let fine = ["corpus/valid/webserver".to_owned()];
    vec![
        check(root(), format, &fine).stdout,
        check(root(), format, &whole_corpus()).stdout,
        Hostile::new().check(format).stdout,
    ]
}
