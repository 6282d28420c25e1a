//! The diagnostic about a file that is not formatted.

use pcl_diagnostics::{Code, Diagnostic, FileId, Fix, Span, TextEdit, TextRange};

use crate::render::diff::{Hunk, changes};

/// A diagnostic at the first line of a file whose layout is not canonical, with a fix that formats
/// the file; `None` if `formatted` is its text.
///
/// ```
/// use pcl::diagnostics::FileId;
///
/// let text = "a   =  1\nb = 2\n";
/// let diagnostic = pcl::unformatted(FileId(0), text, "a = 1\nb = 2\n").unwrap();
/// assert_eq!(diagnostic.message, "the file is not formatted: 1 line would change");
/// assert_eq!(diagnostic.primary.range.to_usize(), 0..8);
/// assert!(pcl::unformatted(FileId(0), text, text).is_none());
/// ```
pub fn unformatted(file: FileId, text: &str, formatted: &str) -> Option<Diagnostic> {
    let [old, new] = [text, formatted].map(|it| it.split_inclusive('\n').collect::<Vec<_>>());
    let hunks = changes(&old, &new);
    let first = hunks.first()?;
    // The offset of each line, and the end.
    let mut starts = vec![0];
    for line in &old {
        starts.push(starts.last().unwrap_or(&0) + line.len());
    }
    let offset = |line: usize| {
        let start = starts.get(line).copied().unwrap_or(text.len());
        u32::try_from(start).unwrap_or(u32::MAX)
    };
    let edit = |hunk: &Hunk| {
        let range = TextRange::new(offset(hunk.old[0]), offset(hunk.old[1]));
        let lines = new.get(hunk.new[0]..hunk.new[1]).unwrap_or_default();
        TextEdit::replace(Span::new(file, range), lines.concat())
    };
    let edits: Vec<TextEdit> = hunks.iter().map(edit).collect();
    let changed: usize = hunks.iter().map(|it| (it.old[1] - it.old[0]).max(1)).sum();
    let lines = if changed == 1 { "line" } else { "lines" };
    let start = offset(first.old[0]);
    let line = old.get(first.old[0]).map_or("", |line| line.trim_end());
    let place = TextRange::new(start, start + u32::try_from(line.len()).unwrap_or(0));
    let message = format!("the file is not formatted: {changed} {lines} would change");
    let diagnostic = Diagnostic::error(Code::UnformattedFile, Span::new(file, place), message)
        .help("`pcl fmt` formats it")
        .fix(Fix::safe("format the file", edits))
        .ours();
    Some(diagnostic)
}
