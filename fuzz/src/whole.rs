//! The laws of programs, from bytes to fixes.

use std::path::PathBuf;
use std::sync::Arc;

use pcl::diagnostics::FileId;
use pcl::document::Document;
use pcl::lower::{SdkOptions, sdk};
use pcl::render::Format;
use pcl::syntax::{SyntaxKind, SyntaxTree};
use pcl::{Checked, Target, Workspace};
use pcl_test_support::fixes::{Program, settles};

use crate::diagnostics::{check_diagnostics, check_safe_fix};
use crate::seeds;

/// The names of the files of a program. NUL separates their texts in the input.
const NAMES: [&str; 3] = ["main.pp", "other.pp", "third.pp"];

/// Takes any bytes as a program through all steps: it is checked, bound, written as a document,
/// lowered and written again, formatted, rendered in every way, and each fix is applied to it. The
/// length of the input decides how strictly it is checked, which safe fix must keep all its
/// promises, and whether all fixes are applied together.
///
/// # Panics
/// Panics if a law does not hold.
pub fn check_program([strict, lenient]: &[Workspace; 2], bytes: &[u8]) {
    let workspace = if bytes.len() % 4 == 0 { lenient } else { strict };
    let parts = bytes.splitn(NAMES.len(), |byte| *byte == 0);
    let files: Vec<_> = NAMES.iter().zip(parts).collect();
    for (_, bytes) in &files {
        check_text(bytes);
    }
    let target = Target::Memory {
        path: "program".to_owned(),
        directory: Some(directory()),
        files: files.iter().map(|(name, bytes)| ((**name).to_owned(), bytes.to_vec())).collect(),
    };
    let mut checked = workspace.check(&target);
    check_diagnostics(&checked);
    if let Some(program) = text(&files) {
        check_safe_fix(workspace, &program, &checked, bytes.len());
        if bytes.len() % 3 == 0
            && let Err(broken) = settles(workspace, &program)
        {
            panic!("{broken}");
        }
    }
    let nodes = checked.program.nodes().len();
    assert_eq!(checked.program.order().len(), nodes, "every node has a place in the order");
    let rendered = rendered(&checked);
    let document = reads_back(&mut checked);

    let again = workspace.check(&target);
    assert!(rendered == self::rendered(&again), "the same input gives the same diagnostics");
    assert!(document == again.document(), "the same input gives the same document");

    let bound = checked.program.clone();
    for options in [SdkOptions::default(), SdkOptions::nodejs()] {
        checked.program = sdk(bound.clone(), &options);
        reads_back(&mut checked);
    }
}

/// The tree of any bytes keeps its laws; formatting changes spaces and empty lines only and is
/// idempotent.
///
/// # Panics
/// Panics if a law does not hold.
pub fn check_text(bytes: &[u8]) -> SyntaxTree {
    let tree = pcl::syntax::parse_bytes(bytes);
    tree.verify().expect("the tree keeps its laws");
    assert_eq!(tree.text().len(), bytes.len(), "offsets are those of the file");
    let mut at = 0;
    for (_, range) in tree.tokens().iter() {
        assert_eq!(range.start(), at, "tokens leave no gap");
        assert!(tree.text().is_char_boundary(range.end() as usize));
        at = range.end();
    }
    assert_eq!(at as usize, bytes.len(), "tokens end with the file");
    for diagnostic in tree.diagnostics(FileId(0)) {
        assert!(diagnostic.primary.range.end() as usize <= bytes.len());
        assert!(!diagnostic.message.is_empty());
    }
    if let Some(text) = pcl::format::format(&tree) {
        let again = pcl::syntax::parse(text.as_str());
        assert_eq!(tokens(&tree), tokens(&again), "formatting changes spaces and empty lines only");
        assert_eq!(pcl::format::format(&again), Some(text), "a formatted text stays as it is");
    }
    tree
}

/// The directory of programs, which has components.
fn directory() -> PathBuf {
    seeds().join("directory")
}

/// The program of some files if all of them are text.
fn text(files: &[(&&str, &[u8])]) -> Option<Program> {
    let files = files.iter().map(|(name, bytes)| {
        let text = std::str::from_utf8(bytes).ok()?;
        Some(((**name).to_owned(), text.to_owned()))
    });
    Some(Program {
        name: "program".to_owned(),
        directory: directory(),
        files: files.collect::<Option<_>>()?,
        original: Some(Arc::default()),
    })
}

/// The tokens of a file except spaces and empty lines. Formatting ends the last line.
fn tokens(tree: &SyntaxTree) -> Vec<(SyntaxKind, &str)> {
    use SyntaxKind as K;
    let mut tokens: Vec<_> = Vec::with_capacity(tree.tokens().len());
    for (kind, range) in tree.tokens().iter() {
        let repeats = tokens.last().is_none_or(|(last, _)| *last == K::Newline);
        let empty = kind == K::Newline && repeats;
        if !empty && !matches!(kind, K::Whitespace | K::EndOfFile) {
            tokens.push((kind, &tree.text()[range.to_usize()]));
        }
    }
    tokens.pop_if(|(last, _)| *last == K::Newline);
    tokens
}

fn rendered(checked: &Checked) -> Vec<Vec<u8>> {
    let render = |format: Format| format.render(&checked.report, false);
    Format::ALL.into_iter().map(render).collect()
}

/// The document of the program. Reading one checks that it refers to its own tables only.
fn reads_back(checked: &mut Checked) -> Document {
    let document = checked.document();
    let again = Document::from_json(&document.to_json());
    let again = again.expect("a document reads back");
    assert!(again == document, "a document reads back equal");
    document
}
