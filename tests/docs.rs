//! What the documents name is there: files, codes, vectors, programs of the corpus; and every difference from Pulumi names its test.

mod support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use pcl::diagnostics::Code;
use serde_json::Value;
use support::programs::pages;
use support::{corpus, file_name, pcl, root, sorted};

/// Every document for people.
fn documents() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = ["README.md", "ARCHITECTURE.md", "corpus/README.md"]
        .map(|name| root().join(name))
        .into();
    for folder in ["docs", "tests/spec", "diagnostics/pages"] {
        found.extend(pages(&root().join(folder)));
    }
    found
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// What stands between backticks in a text, outside of fenced blocks.
fn quoted(text: &str) -> Vec<&str> {
    let fences = text.split("```").step_by(2);
    fences
        .flat_map(|prose| prose.split('`').skip(1).step_by(2))
        .collect()
}

/// Whether a path is there. The first part with a `*` stands for any name of that form, and what follows is not looked at.
fn exists(path: &Path) -> bool {
    let pattern = path
        .ancestors()
        .filter(|part| part.to_string_lossy().contains('*'));
    let Some(pattern) = pattern.last() else {
        return path.exists();
    };
    let name = file_name(pattern);
    let (start, end) = name.split_once('*').expect("it has one");
    let folder = pattern.parent().expect("a file lies in a folder");
    let mut names = sorted(folder).into_iter().map(file_name);
    names.any(|name| name.starts_with(start) && name.ends_with(end.trim_end_matches('*')))
}

#[test]
fn every_path_is_there() {
    let top: BTreeSet<String> = sorted(root()).iter().map(file_name).collect();
    let mut missing = Vec::new();
    for document in documents() {
        let text = read(&document);
        // A path from the root begins with something that is there; others are examples.
        let from_root = quoted(&text).into_iter().filter(|word| {
            let first = word.split('/').next().unwrap_or_default();
            word.contains('/') && !word.contains(char::is_whitespace) && top.contains(first)
        });
        let mut paths: Vec<PathBuf> = from_root.map(|path| root().join(path)).collect();
        let folder = document.parent().expect("a file lies in a folder");
        let links = text.split("](").skip(1);
        let links = links.filter_map(|rest| Some(rest.split_once(')')?.0));
        // A link to an item, in a page that is documentation too, is rustdoc's to check.
        let files = links.filter(|link| !link.contains([':', '#']));
        paths.extend(files.map(|link| folder.join(link)));
        let gone = paths.into_iter().filter(|path| !exists(path));
        missing.extend(gone.map(|path| format!("{}: {}", document.display(), path.display())));
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn every_code_is_in_the_catalogue() {
    for document in documents() {
        let text = read(&document);
        for (at, _) in text.match_indices("PCL") {
            let code = text.get(at..at + 7).unwrap_or_default();
            let is_code = code.len() == 7 && code[3..].bytes().all(|byte| byte.is_ascii_digit());
            assert!(
                !is_code || Code::ALL.iter().any(|known| known.id() == code),
                "{}: {code}",
                document.display()
            );
        }
    }
}

/// The list of commands in the README is one of commands that there are.
#[test]
fn every_command_of_the_readme_is_there() {
    let readme = read(&root().join("README.md"));
    let mut commands = 0;
    for line in readme.lines().filter_map(|line| line.strip_prefix("pcl ")) {
        // Behind the command, its arguments in capitals and options, then after blanks what it does.
        let synopsis = line.split("  ").next().unwrap_or_default();
        let is_command = |word: &&str| word.bytes().all(|b| b.is_ascii_lowercase() || b == b'|');
        let words: Vec<&str> = synopsis.split(' ').take_while(is_command).collect();
        let all: Vec<Vec<&str>> = match words.as_slice() {
            [one, "|", other] => vec![vec![one], vec![other]],
            [one, each] => each.split('|').map(|each| vec![*one, each]).collect(),
            words => vec![words.to_vec()],
        };
        for command in all {
            let run = pcl(command.iter().copied().chain(["--help"]));
            assert_eq!(run.status, 0, "{command:?} of {line}");
            commands += 1;
        }
    }
    assert!(commands > 0, "the README lists no commands");
}

/// The sources of all crates.
fn sources(directory: &Path, found: &mut String) {
    for path in sorted(directory) {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push_str(&read(&path));
        }
    }
}

/// A source that applies a rule names the page that states it; there is no page without a source, and none is named that is gone.
#[test]
fn every_page_of_the_reference_belongs_to_a_source() {
    let mut source = String::new();
    let crates = sorted(root()).into_iter().map(|path| path.join("src"));
    for folder in crates
        .chain([root().join("src")])
        .filter(|path| path.is_dir())
    {
        sources(&folder, &mut source);
    }
    let rest = source.split("tests/spec/").skip(1);
    let named: BTreeSet<&str> = rest
        .filter_map(|rest| Some(rest.split_once(".md")?.0))
        .filter(|name| !name.contains(|c: char| !c.is_ascii_alphanumeric() && c != '/' && c != '-'))
        .collect();
    let folder = root().join("tests/spec");
    let there: BTreeSet<String> = pages(&folder)
        .iter()
        .map(|path| path.strip_prefix(&folder).expect("it lies in it"))
        .map(|path| path.with_extension("").display().to_string())
        .filter(|name| name != "README")
        .collect();
    let there: BTreeSet<&str> = there.iter().map(String::as_str).collect();
    assert_eq!(named, there);
}

/// The tests whose names begin with a letter and a number, by that letter.
const NUMBERED: [(char, &str); 4] = [
    ('e', "binder/tests/expressions.rs"),
    ('h', "model/tests/differences.rs"),
    ('s', "model/tests/differences.rs"),
    ('w', "binder/tests/weaknesses"),
];

/// What may stand for a test in `docs/differences.md`.
struct Tests {
    /// `w04` and the like, each with the sources of its tests.
    numbered: Vec<(char, String)>,
    /// The ids of vectors and the names of programs of the corpus.
    names: BTreeSet<String>,
}

impl Tests {
    fn read() -> Self {
        let mut names: BTreeSet<String> = BTreeSet::new();
        names.extend(corpus("valid"));
        names.extend(corpus("broken"));
        for file in sorted(&root().join("tests/vectors")) {
            let document = serde_json::from_str(&read(&file)).expect("vectors are JSON");
            ids(&document, &mut names);
        }
        let sources = NUMBERED.map(|(letter, path)| {
            let path = root().join(path);
            let files = if path.is_dir() {
                sorted(&path)
            } else {
                vec![path]
            };
            (letter, files.iter().map(|file| read(file)).collect())
        });
        Self {
            numbered: sources.into(),
            names,
        }
    }

    /// Whether `word` is the number of a test; `None` for words of another form.
    fn is_numbered(&self, word: &str) -> Option<bool> {
        let (letter, number) = (word.chars().next()?, word.get(1..)?);
        let (_, source) = self.numbered.iter().find(|(known, _)| *known == letter)?;
        if number.len() != 2 || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        Some(source.contains(&format!("fn {word}_")) || source.contains(&format!("_and_{word}_")))
    }
}

/// The ids of all vectors in a document.
fn ids(document: &Value, found: &mut BTreeSet<String>) {
    if let Some(id) = document["id"].as_str() {
        found.insert(id.to_owned());
    }
    let items = document.as_array().into_iter().flatten();
    let fields = document
        .as_object()
        .into_iter()
        .flat_map(|map| map.values());
    items.chain(fields).for_each(|inner| ids(inner, found));
}

/// Each paragraph, item and row of the page names a test: by its number, a vector, a program of the corpus, a file of tests, or a code,
/// whose page is run.
#[test]
fn every_difference_has_a_test() {
    let tests = Tests::read();
    let page = read(&root().join("docs/differences.md"));
    let mut complaints = Vec::new();
    for entry in entries(&page) {
        let words = entry.split(|c: char| !c.is_ascii_alphanumeric());
        let (mut named, mut wrong) = (false, None);
        for word in words {
            match tests.is_numbered(word) {
                Some(true) => named = true,
                Some(false) => wrong = Some(word),
                None => named |= Code::ALL.iter().any(|code| code.id() == word),
            }
        }
        named |= quoted(&entry).iter().any(|word| {
            let is_path =
                word.contains('/') && word.contains("tests") && root().join(word).exists();
            let is_program = word.strip_prefix("corpus/").is_some_and(|path| {
                let name = path.split_once('/').map(|(_, name)| name);
                name.is_some_and(|name| tests.names.contains(name))
            });
            is_path || is_program || tests.names.contains(*word)
        });
        if let Some(word) = wrong {
            complaints.push(format!("there is no test {word}: {entry}"));
        } else if !named {
            complaints.push(format!("without a test: {entry}"));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
}

/// The paragraphs, items and rows of a page. What ends with a colon, the heads of tables and the first paragraph announce others.
fn entries(page: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut goes_on = false;
    let lines: Vec<&str> = page.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        let is_head = lines
            .get(at + 1)
            .is_some_and(|next| next.starts_with("|---"));
        if line.is_empty() || line.starts_with(['#', '|']) || line.starts_with("- ") {
            goes_on = false;
        }
        if line.is_empty() || line.starts_with('#') || line.starts_with("|---") || is_head {
            continue;
        }
        match found.last_mut().filter(|_| goes_on) {
            Some(entry) => {
                entry.push('\n');
                entry.push_str(line);
            }
            None => found.push((*line).to_owned()),
        }
        goes_on = true;
    }
    found.remove(0);
    found.retain(|entry| !entry.ends_with(':'));
    found
}
