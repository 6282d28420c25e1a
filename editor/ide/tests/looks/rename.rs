//! The law of renaming: a renamed program has the same model, apart from the name.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use pcl::binder::OpenFiles;
use pcl::diagnostics::{Patch, Span, TextEdit};
use pcl::syntax::SyntaxKind;
use pcl::{Settings, Target, Workspace};
use pcl_ide::names::{self, Name, renamable, rename};
use pcl_ide::{Analysis, FilePosition};
use pcl_test_support::corpora::Corpus;
use serde_json::Value;

/// The names of a program that can be renamed.
fn renamable_names(analysis: &Analysis) -> BTreeSet<Name> {
    let files = analysis.files();
    let found = files.flat_map(|file| {
        let tree = analysis.tree(file).expect("a tree");
        let tokens = tree.tokens().iter();
        let words = tokens.filter(|(kind, _)| *kind == SyntaxKind::Ident);
        words.filter_map(move |(_, range)| {
            renamable(analysis, FilePosition::new(file, range.start())).ok()
        })
    });
    found.map(|(name, _)| name).collect()
}

/// A name of the same length that the texts do not contain as a word and that has the same place
/// in an alphabetical list of their words, so that neither places nor the order of properties
/// change.
fn substitute(words: &BTreeSet<String>, old: &str) -> Option<String> {
    let before = |word: &str| words.iter().filter(|other| &***other < word).count();
    let at = before(old);
    let candidates = old.char_indices().rev().flat_map(|(place, character)| {
        let letters = ('a'..='z').chain('A'..='Z').filter(move |_| character.is_ascii());
        letters.map(move |letter| {
            let mut name = old.to_owned();
            name.replace_range(
                place..place + character.len_utf8(),
                letter.encode_utf8(&mut [0; 4]),
            );
            name
        })
    });
    let mut candidates = candidates.filter(|new| !words.contains(new));
    // The old name itself is one of the words before a later new one.
    candidates.find(|new| before(new) == at + usize::from(**new > *old))
}

/// Everything between quotes or apart, so that words in strings, such as property paths, count.
fn words(analysis: &Analysis) -> BTreeSet<String> {
    let separates = |character: char| !character.is_alphanumeric() && !"_-".contains(character);
    let texts = analysis.files().map(|file| analysis.checked.sources.text(file));
    let words = texts.flat_map(|text| text.split(separates)).map(str::to_owned);
    words.chain(["range".into(), "args".into()]).collect()
}

/// The document of a program with one name replaced, without its diagnostics, whose texts may
/// contain the name; their codes are kept.
fn document(analysis: &mut Analysis, renamed: Option<(&str, &str)>) -> Value {
    let json = analysis.checked.document().to_json();
    let mut document: Value = serde_json::from_str(&json).expect("JSON");
    let codes = analysis.checked.diagnostics.iter();
    let codes: Value = codes.map(|diagnostic| diagnostic.code.id()).collect();
    document["diagnostics"] = codes;
    name_nodes(&mut document);
    if let Some((new, old)) = renamed {
        replace(&mut document, new, old);
    }
    document
}

/// Writes out the logical names that are left out because they are the names.
fn name_nodes(document: &mut Value) {
    let mut modules = vec![document["main"].take()];
    for component in document["components"].as_array_mut().into_iter().flatten() {
        modules.push(component["module"].take());
    }
    for node in modules.iter_mut().filter_map(|it| it["nodes"].as_array_mut()).flatten() {
        if node["logical_name"].is_null() {
            node["logical_name"] = node["name"].clone();
        }
    }
    document["modules"] = modules.into();
}

fn replace(value: &mut Value, new: &str, old: &str) {
    match value {
        Value::String(text) if text == new => *text = old.to_owned(),
        Value::Array(parts) => parts.iter_mut().for_each(|part| replace(part, new, old)),
        Value::Object(parts) => parts.values_mut().for_each(|part| replace(part, new, old)),
        _ => {}
    }
}

/// Removes the table of types and the positions in it.
fn without_types(value: &mut Value) {
    match value {
        Value::Array(parts) => parts.iter_mut().for_each(without_types),
        Value::Object(parts) => {
            let of_types = ["type", "types", "expected", "root_type", "input_type", "returns"];
            parts.retain(|key, _| !of_types.contains(&&**key));
            parts.values_mut().for_each(without_types);
        }
        _ => {}
    }
}

fn renamed(
    workspace: &Workspace,
    target: &Target,
    analysis: &Analysis,
    spans: Vec<Span>,
    new: &str,
) -> Analysis {
    let sources = &analysis.checked.sources;
    let edits: Vec<_> = spans.into_iter().map(|span| TextEdit::replace(span, new)).collect();
    let mut patch = Patch::default();
    assert!(patch.add(sources, &edits), "{edits:?}");
    let mut open = OpenFiles::default();
    for file in patch.files() {
        let tree = pcl::syntax::parse(patch.text(sources, file));
        open.insert(sources.path(file), Arc::new(tree));
    }
    Analysis::new(workspace.check_open(target, &Arc::new(open)))
}

/// Renames each name of a program. Returns the number of names that were
/// renamed, and of those for which there is no such name.
fn rename_names(workspace: &Workspace, program: &Path) -> [usize; 2] {
    let target = Target::Path(program.to_owned());
    let mut analysis = Analysis::new(workspace.check(&target));
    if !analysis.checked.is_valid() {
        return [0; 2];
    }
    let expected = document(&mut analysis, None);
    let words = words(&analysis);
    let [mut renamed_names, mut others] = [0; 2];
    let names = renamable_names(&analysis);
    for &name in &names {
        let old = names::text(&analysis, name);
        let Some(new) = substitute(&words, &old) else {
            others += 1;
            continue;
        };
        let spans = rename(&analysis, name, &new).expect("nothing else has the name");
        let mut after = renamed(workspace, &target, &analysis, spans, &new);
        let mut found = document(&mut after, Some((&new, &old)));
        // Two components with outputs of the same names and types had equal types.
        let is_shared = names.iter().filter(|&&it| names::text(&analysis, it) == old);
        let expected = match is_shared.count() {
            1 => expected.clone(),
            _ => {
                without_types(&mut found);
                let mut expected = expected.clone();
                without_types(&mut expected);
                expected
            }
        };
        assert!(found == expected, "{}: `{old}` renamed to `{new}`", program.display());
        renamed_names += 1;
    }
    [renamed_names, others]
}

/// Renames each name of the programs of a corpus, nearly all of which can be replaced.
fn rename_in(corpus: &Corpus) {
    let mut settings = Settings::default();
    settings.schemas.directories = corpus.schemas.clone();
    let workspace = Workspace::new(settings);
    let [mut renamed, mut others] = [0; 2];
    for program in &corpus.programs {
        let counts = rename_names(&workspace, program);
        renamed += counts[0];
        others += counts[1];
    }
    assert!(renamed > 20 * others.max(5), "{renamed} and {others}");
}

#[test]
fn every_name_of_the_corpus_can_be_renamed() {
    rename_in(&Corpus::own());
}

#[test]
fn every_name_of_other_authors_can_be_renamed() {
    if let Some(corpus) = Corpus::shared() {
        rename_in(&corpus);
    }
}
