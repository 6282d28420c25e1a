//! A rule is found at the first guess: the source that applies it and the page of the reference
//! that states it share one name.

use std::collections::BTreeSet;
use std::path::Path;

/// The names of the files with this extension in a folder of the repository.
fn names(folder: &str, extension: &str) -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
    let files = std::fs::read_dir(&folder).expect("the folder is there");
    files
        .map(|file| file.expect("it can be read").path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect()
}

#[test]
fn rules_and_pages_share_their_names() {
    let mut sources = names("syntax/src/grammar", "rs");
    sources.extend(names("syntax/src/lexer", "rs"));
    // No rules of the language.
    for other in ["mod", "scan"] {
        assert!(sources.remove(other), "{other}");
    }
    // A folder of its own, since each habit is one file.
    sources.insert("foreign".to_owned());
    // A rule for all of the grammar.
    sources.insert("unreadable".to_owned());
    assert_eq!(sources, names("tests/spec/syntax", "md"));
}
