//! The line ends of files, which edits keep.

use pcl_diagnostics::{Diagnostic, SourceMap};

/// The line end of a text, `\n` or `\r\n`: that of its first line.
#[must_use]
pub fn line_end(text: &str) -> &'static str {
    let first = text.find('\n').and_then(|at| text.get(..at));
    if first.is_some_and(|line| line.ends_with('\r')) { "\r\n" } else { "\n" }
}

/// Gives the lines that fixes insert the line ends of their files.
pub(crate) fn adopt_line_ends(diagnostics: &mut [Diagnostic], sources: &SourceMap) {
    let fixes = diagnostics.iter_mut().flat_map(|it| &mut it.fixes);
    for edit in fixes.flat_map(|fix| &mut fix.edits) {
        if edit.text.contains('\n') && line_end(sources.text(edit.span.file)) == "\r\n" {
            edit.text = edit.text.replace("\r\n", "\n").replace('\n', "\r\n");
        }
    }
}
