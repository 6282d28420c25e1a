//! Programs for the tests.

use std::path::{Path, PathBuf};

use pcl::diagnostics::{Span, TextRange};
use pcl::{Settings, Target, Workspace};
use pcl_ide::Analysis;

/// The mark of a cursor; two of them are the ends of a selection.
pub const CURSOR: char = '▮';

/// The directory of the repository.
pub fn root() -> PathBuf {
    let ide = Path::new(env!("CARGO_MANIFEST_DIR"));
    ide.parent().and_then(Path::parent).expect("the root").to_path_buf()
}

/// A workspace with the schemas of the corpus.
pub fn workspace() -> Workspace {
    let mut settings = Settings::default();
    settings.schemas.directories = vec![root().join("corpus/schemas")];
    Workspace::new(settings)
}

/// The programs of the corpus of one kind.
pub fn programs(kind: &str) -> Vec<PathBuf> {
    let all = std::fs::read_dir(root().join("corpus").join(kind)).expect("the corpus");
    let mut all: Vec<PathBuf> = all.map(|entry| entry.expect("an entry").path()).collect();
    all.sort();
    all
}

/// A program of one file, and the selection that its text marks.
pub fn marked(text: &str) -> (Analysis, Span) {
    let mut parts = text.split(CURSOR);
    let first = parts.next().unwrap_or_default();
    let rest: Vec<&str> = parts.collect();
    let start = first.len() as u32;
    let end = match rest[..] {
        [selected, _] => start + selected.len() as u32,
        _ => start,
    };
    let plain = text.replace(CURSOR, "");
    let analysis = Analysis::new(workspace().check(&Target::text("main.pp", plain)));
    let file = analysis.file("main.pp").expect("the file");
    (analysis, Span::new(file, TextRange::new(start, end)))
}
