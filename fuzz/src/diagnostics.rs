//! The laws of diagnostics and of the edits that they offer.

use pcl::diagnostics::{Applicability, FileId, Fix, Span, apply};
use pcl::{Checked, Workspace};

use pcl_test_support::fixes::{Program, keeps};

/// Every diagnostic has a message and places inside its files, every fix can be applied as a whole,
/// and a safe one leaves a text that still parses if it did before.
///
/// # Panics
/// Panics if a law does not hold.
pub fn check_diagnostics(checked: &Checked) {
    let inside = |span: Span| {
        let text = checked.sources.text(span.file);
        assert!(text.get(span.range.to_usize()).is_some(), "{span:?} is not inside its file");
    };
    for diagnostic in &checked.diagnostics {
        assert!(!diagnostic.message.is_empty(), "{} says nothing", diagnostic.code);
        assert!(diagnostic.code.to_string().starts_with("PCL"));
        inside(diagnostic.primary);
        for label in &diagnostic.labels {
            inside(label.span);
        }
        for fix in &diagnostic.fixes {
            assert!(!fix.title.is_empty(), "a fix of {} has no title", diagnostic.code);
            assert!(!fix.edits.is_empty(), "`{}` edits nothing", fix.title);
            for edit in &fix.edits {
                inside(edit.span);
            }
            check_fix(checked, fix);
        }
    }
}

/// One of the safe fixes keeps all its promises. `choice` chooses it.
///
/// # Panics
/// Panics if a law does not hold.
pub fn check_safe_fix(workspace: &Workspace, program: &Program, checked: &Checked, choice: usize) {
    let fixes = checked.diagnostics.iter().flat_map(|diagnostic| {
        let fixes = diagnostic.fixes.iter();
        let safe = fixes.filter(|fix| fix.applicability == Applicability::Safe);
        safe.map(move |fix| (diagnostic, fix))
    });
    let fixes: Vec<_> = fixes.filter(|(_, fix)| program.holds(fix)).collect();
    if fixes.is_empty() {
        return;
    }
    let (diagnostic, fix) = fixes[choice % fixes.len()];
    if let Err((broken, after)) = keeps(workspace, program, checked, diagnostic, fix) {
        let (code, title) = (diagnostic.code, &fix.title);
        let after: Vec<_> = after.files.iter().map(|(_, text)| text).collect();
        panic!("{code} `{title}`: {broken}\n{after:?}");
    }
}

fn check_fix(checked: &Checked, fix: &Fix) {
    let mut files: Vec<FileId> = fix.edits.iter().map(|edit| edit.span.file).collect();
    files.sort_unstable();
    files.dedup();
    for file in files {
        let (text, applied) = apply(&checked.sources, file, std::slice::from_ref(fix));
        assert_eq!(applied, 1, "the edits of `{}` overlap", fix.title);
        let tree = pcl::syntax::parse(text);
        tree.verify().expect("the tree of a fixed text keeps its laws");
        if fix.applicability == Applicability::Safe && tree.is_refused() {
            let before = pcl::syntax::parse(checked.sources.text(file).clone());
            assert!(before.is_refused(), "`{}` spoils the file: {}", fix.title, tree.text());
        }
    }
}
