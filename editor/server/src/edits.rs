//! Edits as the protocol has them.

use imara_diff::{Algorithm, Diff, InternedInput};
use lsp_types::{
    DocumentChange, OptionalVersionedTextDocumentIdentifier, TextDocumentEdit,
    TextDocumentIdentifier, TextEdit, Uri, WorkspaceEdit,
};
use pcl::diagnostics::{Encoding, LineIndex, TextRange};

use crate::convert::{self, Places};
use crate::server::Server;

/// The edits of files, by path.
pub type FileEdits = Vec<(String, Vec<TextEdit>)>;

/// Edits of the files of a program.
pub fn of_program(places: Places<'_>, edits: &[pcl::diagnostics::TextEdit]) -> FileEdits {
    let mut files = FileEdits::new();
    for edit in edits {
        let converted = TextEdit { range: places.range(edit.span), new_text: edit.text.clone() };
        let path = places.sources.path(edit.span.file);
        match files.iter_mut().find(|(known, _)| known == path) {
            Some((_, edits)) => edits.push(converted),
            None => files.push((path.to_owned(), vec![converted])),
        }
    }
    files
}

/// The smallest edits that make one text of another: lines, without what is the same at the ends.
pub fn between(old: &str, new: &str, encoding: Encoding) -> Vec<TextEdit> {
    let index = LineIndex::new(old);
    let [from, to] = [old, new].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    let mut input = InternedInput::default();
    input.update_before(from.iter().copied());
    input.update_after(to.iter().copied());
    let mut edits = Vec::new();
    let mut push = |start: usize, old_lines: &[&str], new_lines: &[&str]| {
        let (before, after) = (old_lines.concat(), new_lines.concat());
        let start = index.line_start(start).map_or(old.len(), |at| at as usize);
        let (same, rest) = same_ends(&before, &after);
        let range = TextRange::new((start + same) as u32, (start + before.len() - rest) as u32);
        let new_text = after.get(same..after.len() - rest).unwrap_or_default();
        if !range.is_empty() || !new_text.is_empty() {
            edits.push(TextEdit {
                range: convert::range(&index, old, range, encoding),
                new_text: new_text.to_owned(),
            });
        }
    };
    // The histogram algorithm takes quadratic time where many lines change.
    for hunk in Diff::compute(Algorithm::Myers, &input).hunks() {
        let [before, after] = [&hunk.before, &hunk.after].map(|lines| {
            let [start, end] = [lines.start, lines.end].map(|line| line as usize);
            start..end
        });
        let old_lines = from.get(before.clone()).unwrap_or_default();
        let new_lines = to.get(after).unwrap_or_default();
        if old_lines.len() != new_lines.len() {
            push(before.start, old_lines, new_lines);
            continue;
        }
        for (at, (old_line, new_line)) in old_lines.iter().zip(new_lines).enumerate() {
            push(before.start + at, &[*old_line], &[*new_line]);
        }
    }
    edits
}

/// The bytes at the beginning and at the end of two texts that are the same.
fn same_ends(one: &str, other: &str) -> (usize, usize) {
    let pairs = one.chars().zip(other.chars());
    let same = pairs.take_while(|(one, other)| one == other);
    let start: usize = same.map(|(one, _)| one.len_utf8()).sum();
    let [one, other] = [one, other].map(|text| text.get(start..).unwrap_or_default());
    let pairs = one.chars().rev().zip(other.chars().rev());
    let same = pairs.take_while(|(one, other)| one == other);
    (start, same.map(|(one, _)| one.len_utf8()).sum())
}

impl Server<'_> {
    /// The edits of files as an editor applies them: to the version that it has, if it can tell.
    pub fn workspace_edit(&self, files: FileEdits) -> WorkspaceEdit {
        let files = files.into_iter().map(|(path, edits)| {
            let uri = self.documents.uri_of(&path);
            (uri, edits)
        });
        if !self.features.document_changes {
            return WorkspaceEdit {
                changes: Some(files.map(|(uri, edits)| (Uri(uri), edits)).collect()),
                ..WorkspaceEdit::default()
            };
        }
        let changes = files.map(|(uri, edits)| {
            let open = self.documents.get(&uri);
            DocumentChange::TextDocumentEdit(TextDocumentEdit {
                text_document: OptionalVersionedTextDocumentIdentifier {
                    version: open.map(|document| document.version),
                    text_document_identifier: TextDocumentIdentifier { uri: Uri(uri) },
                },
                edits: edits.into_iter().map(Into::into).collect(),
            })
        });
        WorkspaceEdit { document_changes: Some(changes.collect()), ..WorkspaceEdit::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(old: &str, new: &str) -> Vec<String> {
        let edits = between(old, new, Encoding::Utf16).into_iter();
        let shown = edits.map(|TextEdit { range, new_text }| {
            let (start, end) = (range.start, range.end);
            let (from, to) = (start.character, end.character);
            format!("{}:{from}-{}:{to} {new_text:?}", start.line, end.line)
        });
        shown.collect()
    }

    #[test]
    fn edits_are_small() {
        assert_eq!(shown("a = 1\n", "a = 1\n"), [] as [&str; 0]);
        assert_eq!(
            shown("é=  1\nb = 2\nc=3\n", "é = 1\nb = 2\nc = 3\n"),
            ["0:1-0:3 \" =\"", "2:1-2:2 \" = \""],
        );
        assert_eq!(shown("a\n\n\n\nb\n", "a\n\nb\n"), ["2:0-4:0 \"\""]);
        assert_eq!(shown("a\nb", "a\nb\n"), ["1:1-1:1 \"\\n\""]);
    }
}
