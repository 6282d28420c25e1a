//! The laws of findings and of the edits that they offer.

use pcl::Checked;
use pcl::diagnostics::{Applicability, FileId, Fix, Span, apply};

/// Every finding has words and places inside its files, every fix can be applied as a whole, and a safe one leaves a text that
/// still parses if it did before.
///
/// # Panics
/// When a law does not hold.
pub fn check_findings(checked: &Checked) {
    let inside = |span: Span| {
        let text = checked.sources.text(span.file);
        assert!(
            text.get(span.range.to_usize()).is_some(),
            "{span:?} is not inside its file"
        );
    };
    for finding in &checked.diagnostics {
        assert!(!finding.message.is_empty(), "{} says nothing", finding.code);
        assert!(finding.code.to_string().starts_with("PCL"));
        inside(finding.primary);
        for label in &finding.labels {
            inside(label.span);
        }
        for fix in &finding.fixes {
            assert!(
                !fix.title.is_empty(),
                "a fix of {} has no title",
                finding.code
            );
            assert!(!fix.edits.is_empty(), "`{}` edits nothing", fix.title);
            for edit in &fix.edits {
                inside(edit.span);
            }
            check_fix(checked, fix);
        }
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
        tree.verify()
            .expect("the tree of a fixed text keeps its laws");
        if fix.applicability == Applicability::Safe && tree.is_refused() {
            let before = pcl::syntax::parse(checked.sources.text(file).clone());
            assert!(
                before.is_refused(),
                "`{}` spoils the file: {}",
                fix.title,
                tree.text()
            );
        }
    }
}
