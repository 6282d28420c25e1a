//! Every difference from Pulumi in `docs/differences.md` names a test, which is there and has to do
//! with what the entry says, as far as texts can tell: each code in an entry occurs in one of its
//! tests, and a code of *ours* is asserted to be that.

use std::collections::BTreeMap;
use std::path::Path;

use pcl::diagnostics::Code;
use pcl_test_support::programs::{pages, programs};
use pcl_test_support::{corpus, file_name, root, sorted};
use serde_json::Value;

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The extensions of files that are tests, or that a test compares its results with.
const SOURCES: [&str; 2] = [".rs", ".snap"];

/// The codes that no test can provoke: this one needs a file of 4 GiB.
const UNTESTED: [Code; 1] = [Code::FileTooLarge];

/// The names that an entry may give as its test, with the text of that test.
struct Tests {
    /// The functions of all tests, each with its source.
    functions: BTreeMap<String, String>,
    /// Vectors by id, and programs of the corpus by name with what is found in them.
    named: BTreeMap<String, String>,
    /// The text of all pages of `tests/spec`.
    spec: String,
}

impl Tests {
    fn read() -> Self {
        let mut sources = Vec::new();
        for crate_or_root in sorted(root()) {
            read_rust(&crate_or_root.join("tests"), &mut sources);
        }
        read_rust(&root().join("tests"), &mut sources);
        let functions = sources.iter().flat_map(|source| functions_of(source));
        let functions = functions.collect();
        let mut named = BTreeMap::new();
        for kind in ["valid", "broken"] {
            for name in corpus(kind) {
                let found = root().join(format!("tests/snapshots/{kind}/{name}.snap"));
                named.insert(name, read(&found));
            }
        }
        for file in sorted(&root().join("tests/vectors")) {
            let document = serde_json::from_str(&read(&file)).expect("vectors are JSON");
            vectors(&document, &mut named);
        }
        let spec = pages(&root().join("tests/spec"));
        Self { functions, named, spec: spec.iter().map(|page| read(page)).collect() }
    }

    /// The texts of the tests that a text names, or the reason why one of them is none.
    fn named_in(&self, text: &str) -> Result<Vec<String>, String> {
        let mut found = Vec::new();
        for word in text.split('`').skip(1).step_by(2) {
            let program = word.strip_prefix("corpus/").and_then(|rest| rest.split_once('/'));
            let name = program.map_or(word, |(_, name)| name);
            if let Some(text) = self.named.get(name) {
                found.push(text.clone());
            } else if word.starts_with("tests/spec/") {
                found.push(section(word)?);
            } else if word.contains("tests/") && SOURCES.iter().any(|end| word.ends_with(end)) {
                found.push(read(&root().join(word)));
            } else if is_name_of_test(word) {
                let test = self.functions.get(word);
                let source = test.ok_or_else(|| format!("there is no test {word}"))?;
                found.push(source.clone());
            }
        }
        Ok(found)
    }

    /// The reason why an entry is not tested, if there is one. The paragraph that announces the
    /// entry may name its tests too.
    fn complaint(&self, announcement: &str, entry: &str) -> Option<String> {
        let whole = format!("{announcement}\n{entry}");
        let tests = match self.named_in(&whole) {
            Ok(tests) if tests.is_empty() => return Some("no test is named".to_owned()),
            Ok(tests) => tests,
            Err(complaint) => return Some(complaint),
        };
        let is_ours = whole.contains("*ours*");
        let in_entry = |code: &&Code| entry.contains(code.id()) && !UNTESTED.contains(code);
        Code::ALL.iter().filter(in_entry).find_map(|code| {
            let (id, name, variant) = (code.id(), code.name(), format!("Code::{code:?}"));
            let is_of = |test: &String| [id, name, &variant].iter().any(|word| test.contains(word));
            if !tests.iter().any(is_of) {
                return Some(format!("{code} occurs in none of the tests"));
            }
            let marks = ["error", "warning"].map(|severity| format!("# ours: {severity} [{id} "));
            let is_announced = marks.iter().any(|mark| self.spec.contains(mark))
                || tests.iter().any(|test| is_of(test) && test.contains("Origin::Ours"));
            (is_ours && !is_announced).then(|| format!("no test has {code} as ours"))
        })
    }
}

/// Tells `null_is_printed_wherever_it_is` from other words.
fn is_name_of_test(word: &str) -> bool {
    let is_of_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    word.chars().all(is_of_name) && word.matches('_').count() > 1
}

/// Adds the Rust sources in and below a directory, if there is one.
fn read_rust(directory: &Path, sources: &mut Vec<String>) {
    if !directory.is_dir() {
        return;
    }
    for path in sorted(directory) {
        if path.is_dir() {
            read_rust(&path, sources);
        } else if path.extension().is_some_and(|e| e == "rs") {
            sources.push(read(&path));
        }
    }
}

/// The functions of a source file, each with its text.
fn functions_of(source: &str) -> Vec<(String, String)> {
    let functions = source.split("\nfn ").skip(1);
    let named = functions.filter_map(|rest| {
        let (name, _) = rest.split_once('(')?;
        let end = rest.find("\n}\n").unwrap_or(rest.len());
        Some((name.to_owned(), rest[..end].to_owned()))
    });
    named.collect()
}

/// Adds the vectors of a document, by id.
fn vectors(document: &Value, found: &mut BTreeMap<String, String>) {
    if let Some(id) = document["id"].as_str() {
        found.insert(id.to_owned(), document.to_string());
    }
    let items = document.as_array().into_iter().flatten();
    let fields = document.as_object().into_iter().flat_map(|map| map.values());
    items.chain(fields).for_each(|inner| vectors(inner, found));
}

/// A page of the reference, or the part of it below a heading (`page.md#heading`), which must
/// contain a program that is run.
fn section(path: &str) -> Result<String, String> {
    let (page, heading) = path.split_once('#').unwrap_or((path, ""));
    let file = root().join(page);
    if !file.is_file() {
        return Err(format!("there is no page {page}"));
    }
    let text = read(&file);
    let anchor = |title: &str| title.to_lowercase().replace(' ', "-");
    let of_heading = |title: &str| heading.is_empty() || anchor(title) == heading;
    if !programs(page, &text).iter().any(|program| of_heading(&program.heading)) {
        return Err(format!("{path} has no program"));
    }
    let sections = text.split("\n## ");
    let meant = sections.filter(|section| of_heading(section.lines().next().unwrap_or_default()));
    Ok(meant.collect())
}

#[test]
fn every_difference_has_a_test() {
    let tests = Tests::read();
    let page = read(&root().join("docs/differences.md"));
    let mut complaints = Vec::new();
    for (announcement, entry) in entries(&page) {
        if let Some(complaint) = tests.complaint(&announcement, &entry) {
            complaints.push(format!("{complaint}: {entry}"));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
}

/// Vectors must be run by a test.
#[test]
fn every_file_of_vectors_is_run() {
    let mut sources = Vec::new();
    let crates =
        ["binder", "lower", "model", "runtime/eval", "runtime/secrets", "runtime/values", "syntax"];
    for name in crates {
        read_rust(&root().join(name).join("tests"), &mut sources);
    }
    for directory in ["tests/import", "tests/support"] {
        read_rust(&root().join(directory), &mut sources);
    }
    let mut sources = sources.concat();
    // The tables of identifiers and the messages of the language host are private, so their vectors
    // are run beside them.
    for file in ["syntax/src/lexer/ident.rs", "runtime/host/src/tests/packages.rs"] {
        sources.push_str(&read(&root().join(file)));
    }
    for file in sorted(&root().join("tests/vectors")) {
        let name = file_name(&file);
        assert!(sources.contains(&name), "no test reads {name}");
    }
}

/// The paragraphs, items and rows of a page, each with the paragraph that announces it: one that
/// ends with a colon. The heads of tables and the first paragraph do not count.
fn entries(page: &str) -> Vec<(String, String)> {
    let mut found: Vec<String> = Vec::new();
    let mut goes_on = false;
    let lines: Vec<&str> = page.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        let is_head = lines.get(at + 1).is_some_and(|next| next.starts_with("|---"));
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
    let mut announcement = String::new();
    let mut announced = Vec::new();
    for entry in found.into_iter().skip(1) {
        if entry.ends_with(':') {
            announcement = entry;
            continue;
        }
        if !entry.starts_with("- ") {
            announcement.clear();
        }
        announced.push((announcement.clone(), entry));
    }
    announced
}
