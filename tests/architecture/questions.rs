//! The questions of newcomers: the first place that the plain words of each lead to is the right
//! one. Words are looked up in the names of folders and files, then in the headers of files.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use pcl_test_support::root;

/// Each question, the words that are looked up, and the file that answers it. A tenth question,
/// which lints are on by default, leads to `binder/src/lint/`, and `diagnostics/src/catalogue.rs`
/// answers it.
const QUESTIONS: [(&str, &str, &str); 9] = [
    (
        "Where is the list of well-known package names?",
        "well known package name",
        "binder/src/well_known_packages.rs",
    ),
    ("Is the exit status 1 or 2?", "exit status", "cli/status.rs"),
    (
        "What is the type token of a component?",
        "type token component",
        "binder/src/block/component_token.rs",
    ),
    (
        "What is the severity with `--allow resource-types`?",
        "severity allow",
        "diagnostics/src/policy.rs",
    ),
    ("Which moments of hooks are there?", "moment hook", "language/src/hook_moment.rs"),
    (
        "Since which release is there the option `hideDiffs`?",
        "since release option",
        "language/src/option.rs",
    ),
    ("How is a type printed?", "type print", "model/src/types/print.rs"),
    (
        "How does a name become a legal identifier?",
        "name become legal identifier",
        "syntax/src/identifier.rs",
    ),
    (
        "Where is `pulumi.all` of TypeScript made of an apply?",
        "typescript pulumi all apply",
        "generators/typescript/src/apply.rs",
    ),
];

#[test]
fn plain_words_lead_to_the_right_place() {
    let places: Vec<Place> = product_files().map(|path| Place::read(&path)).collect();
    let mut complaints = Vec::new();
    for (question, words, expected) in QUESTIONS {
        let words: BTreeSet<String> = words_of(words).collect();
        let rank = |place: &&Place| {
            let in_path = words.intersection(&place.path_words).count();
            let in_header = words.difference(&place.path_words);
            let in_header = in_header.filter(|word| place.header_words.contains(*word));
            (in_path, in_header.count(), Reverse(place.path.len()))
        };
        let found = places.iter().max_by_key(rank).expect("there are files");
        if found.path != expected {
            complaints.push(format!("{question} {}, not {expected}", found.path));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// The paths of the files of the product, from the root.
fn product_files() -> impl Iterator<Item = String> {
    let output = Command::new("git")
        .args(["ls-files", "*.rs"])
        .current_dir(root())
        .output()
        .expect("git runs");
    let listed = String::from_utf8(output.stdout).expect("paths are UTF-8");
    let files: Vec<String> = listed.lines().map(str::to_owned).collect();
    let is_other = |part: &str| ["tests", "benches", "examples", "fuzz", "corpus"].contains(&part);
    files
        .into_iter()
        .filter(move |path| !path.split('/').any(is_other) && root().join(path).is_file())
}

struct Place {
    path: String,
    path_words: BTreeSet<String>,
    header_words: BTreeSet<String>,
}

impl Place {
    fn read(path: &str) -> Self {
        let text = std::fs::read_to_string(root().join(Path::new(path))).expect("a file");
        let header = text.lines().take_while(|line| line.starts_with("//!"));
        Self {
            path: path.to_owned(),
            path_words: words_of(path).collect(),
            header_words: header.flat_map(words_of).collect(),
        }
    }
}

/// The words of a text in lower case and in the singular, without those that every path has.
fn words_of(text: &str) -> impl Iterator<Item = String> + '_ {
    let words = text.split(|character: char| !character.is_alphanumeric());
    let words = words.map(|word| {
        let word = word.to_lowercase();
        match word.strip_suffix('s') {
            Some(singular) if singular.len() > 2 && !singular.ends_with('s') => singular.to_owned(),
            _ => word,
        }
    });
    words.filter(|word| !["", "src", "mod", "lib", "main", "rs"].contains(&word.as_str()))
}
