//! A suggested edit as a small difference: the lines as they are and as they would be.

use super::text::{one_line, plain, visible};
use pcl_diagnostics::{Applicability, Fix, SourceMap, TextEdit};

/// A difference with more lines than this is left out: its title has to do.
const MOST_LINES: usize = 12;
/// So is one with a longer line.
const LONGEST_LINE: usize = 240;

/// A byte order mark, which is not shown unless the fix changes it.
const MARK: char = '\u{feff}';

/// The fix as a note: its title, and the difference where it is small and in one file.
pub(super) fn describe(fix: &Fix, sources: &SourceMap) -> String {
    let mut note = match fix.applicability {
        Applicability::Safe => format!("fix: {}", one_line(&fix.title)),
        Applicability::Unsafe => format!("fix (may change the meaning): {}", one_line(&fix.title)),
        Applicability::DisplayOnly => format!("suggestion: {}", one_line(&fix.title)),
    };
    for line in difference(&fix.edits, sources).unwrap_or_default() {
        note.push('\n');
        note.push_str(&plain(&visible(&line)));
    }
    note
}

/// The changed lines, the old ones after `- ` and the new ones after `+ `.
#[expect(
    clippy::indexing_slicing,
    reason = "`same` and `tail` count lines of both, and `tail` at most those after `same`"
)]
fn difference(edits: &[TextEdit], sources: &SourceMap) -> Option<Vec<String>> {
    let mut edits: Vec<&TextEdit> = edits.iter().collect();
    edits.sort_by_key(|edit| edit.span.range);
    let file = edits.first()?.span.file;
    let text = sources.text(file);
    let first = edits.first()?.span.range.start() as usize;
    let start = match line_start(text, first)? {
        0 if text.starts_with(MARK) && first >= MARK.len_utf8() => MARK.len_utf8(),
        start => start,
    };
    let last = edits.iter().map(|edit| edit.span.range.end()).max()? as usize;
    let end = line_end(text, last)?;

    let mut after = String::new();
    let mut at = start;
    for edit in edits {
        if edit.span.file != file {
            return None;
        }
        let range = edit.span.range.to_usize();
        after.push_str(text.get(at..range.start)?);
        after.push_str(&edit.text);
        at = range.end;
    }
    after.push_str(text.get(at..end)?);

    let old: Vec<&str> = text.get(start..end)?.lines().collect();
    let new: Vec<&str> = after.lines().collect();
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - same;
    let tail =
        old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    if same == old.len() && same == new.len() {
        // Only the ending of a line changes, which would be invisible.
        return None;
    }
    let (old, new) = (&old[same..old.len() - tail], &new[same..new.len() - tail]);
    if old.len() + new.len() > MOST_LINES {
        return None;
    }
    let removed = old.iter().map(|line| format!("- {line}"));
    let added = new.iter().map(|line| format!("+ {line}"));
    Some(removed.chain(added).collect())
}

/// The start of the line of `at`, if it is near.
fn line_start(text: &str, at: usize) -> Option<usize> {
    let from = floor(text, at.saturating_sub(LONGEST_LINE));
    match text.get(from..at)?.rfind('\n') {
        Some(newline) => Some(from + newline + 1),
        None => (from == 0).then_some(0),
    }
}

/// The end of the line of `at`, if it is near.
fn line_end(text: &str, at: usize) -> Option<usize> {
    let to = floor(text, (at + LONGEST_LINE).min(text.len()));
    match text.get(at..to)?.find('\n') {
        // The ending of a line with CRLF is not shown unless the fix changes it.
        Some(newline) if newline > 0 && text.as_bytes().get(at + newline - 1) == Some(&b'\r') => {
            Some(at + newline - 1)
        }
        Some(newline) => Some(at + newline),
        None => (to == text.len()).then_some(to),
    }
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::super::samples::{find, sample};
    use super::*;
    use pcl_diagnostics::{FileId, Span, TextRange};

    fn shown(text: &str, edits: impl Fn(&SourceMap, FileId) -> Vec<TextEdit>) -> String {
        let (sample, file) = sample(text);
        describe(&Fix::safe("do it", edits(&sample.sources, file)), &sample.sources)
    }

    #[test]
    fn only_changed_lines_are_shown() {
        let note = shown("a = 1\nb = x\nc = y\n", |map, file| {
            vec![
                TextEdit::replace(find(map, file, "x"), "2"),
                TextEdit::replace(find(map, file, "y"), "3"),
            ]
        });
        assert_eq!(note, "fix: do it\n- b = x\n- c = y\n+ b = 2\n+ c = 3");
        let note = shown("a = 1\n", |_, file| vec![TextEdit::insert(file, 5, "\nb = 2")]);
        assert_eq!(note, "fix: do it\n+ b = 2");
        let note =
            shown("a = 1\nb = 2\n", |map, file| vec![TextEdit::delete(find(map, file, "a = 1\n"))]);
        assert_eq!(note, "fix: do it\n- a = 1");
    }

    #[test]
    fn endings_and_marks_that_stay_are_not_shown() {
        let note = shown("\u{feff}a = x\r\nb = y\r\n", |map, file| {
            vec![
                TextEdit::replace(find(map, file, "x"), "2"),
                TextEdit::replace(find(map, file, "y"), "3"),
            ]
        });
        assert_eq!(note, "fix: do it\n- a = x\n- b = y\n+ a = 2\n+ b = 3");
        let note = shown("a = 1\r\nb = 2\r\n", |map, file| {
            vec![TextEdit::delete(find(map, file, "a = 1\r\n"))]
        });
        assert_eq!(note, "fix: do it\n- a = 1");
        let note = shown("\u{feff}a = 1\n", |map, file| {
            vec![TextEdit::delete(find(map, file, "\u{feff}"))]
        });
        assert_eq!(note, "fix: do it\n- \\u{feff}a = 1\n+ a = 1");
    }

    #[test]
    fn a_fix_that_does_not_fit_keeps_its_title() {
        let long = "x".repeat(5000);
        let note = shown(&long, |_, file| vec![TextEdit::insert(file, 2500, "y")]);
        assert_eq!(note, "fix: do it");
        let note =
            shown("a", |_, file| vec![TextEdit::delete(Span::new(file, TextRange::new(7, 9)))]);
        assert_eq!(note, "fix: do it");
        assert_eq!(shown("a", |_, _| Vec::new()), "fix: do it");
    }
}
