//! Edits as the protocol has them.

use imara_diff::{Algorithm, Diff, InternedInput};
use lsp_types::{
    AnnotatedTextEdit, ChangeAnnotation, CreateFile, DocumentChange, Edit,
    OptionalVersionedTextDocumentIdentifier, Range, TextDocumentEdit, TextDocumentIdentifier,
    TextEdit, Uri, WorkspaceEdit,
};
use pcl::diagnostics::{Encoding, LineIndex, TextRange};
use pcl_ide::NewFile;

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

/// The name of the annotation of edits that the user may leave out.
const OPTIONAL: &str = "optional";

impl Server<'_> {
    /// The edits of files as an editor applies them: to the version that it has, if it can tell.
    pub fn workspace_edit(&self, files: FileEdits) -> WorkspaceEdit {
        if self.features.document_changes {
            let changes = files.into_iter().map(|(path, edits)| {
                self.document_change(&path, edits.into_iter().map(Into::into).collect())
            });
            return WorkspaceEdit {
                document_changes: Some(changes.collect()),
                ..WorkspaceEdit::default()
            };
        }
        let changes = files.into_iter();
        let changes = changes.map(|(path, edits)| (Uri(self.documents.uri_of(&path)), edits));
        WorkspaceEdit { changes: Some(changes.collect()), ..WorkspaceEdit::default() }
    }

    /// The same with new files, which come first: an editor applies the changes in order.
    pub fn workspace_edit_creating(
        &self,
        created: Vec<NewFile>,
        files: FileEdits,
    ) -> WorkspaceEdit {
        let created = created.into_iter().flat_map(|NewFile { path, text }| {
            let file = CreateFile {
                uri: Uri(self.documents.uri_of(&path)),
                options: None,
                annotation_id: None,
            };
            let edits = vec![TextEdit { range: Range::default(), new_text: text }.into()];
            [DocumentChange::CreateFile(file), self.document_change(&path, edits)]
        });
        let changes = self.workspace_edit(files).document_changes;
        let changes: Vec<DocumentChange> = created.chain(changes.into_iter().flatten()).collect();
        WorkspaceEdit { document_changes: Some(changes), ..WorkspaceEdit::default() }
    }

    /// The same with further edits of these files, which the user may leave out where the editor
    /// can ask.
    pub fn workspace_edit_with(
        &self,
        mut files: FileEdits,
        optional: &[(String, TextEdit)],
        annotation: ChangeAnnotation,
    ) -> WorkspaceEdit {
        if optional.is_empty() || !self.features.annotates_edits || !self.features.document_changes
        {
            for (path, edits) in &mut files {
                edits.extend(of_path(optional, path).cloned());
            }
            return self.workspace_edit(files);
        }
        let changes = files.into_iter().map(|(path, edits)| {
            let further = of_path(optional, &path).cloned().map(|text_edit| {
                Edit::from(AnnotatedTextEdit { annotation_id: OPTIONAL.to_owned(), text_edit })
            });
            let edits = edits.into_iter().map(Edit::from).chain(further).collect();
            self.document_change(&path, edits)
        });
        WorkspaceEdit {
            document_changes: Some(changes.collect()),
            change_annotations: Some([(OPTIONAL.to_owned(), annotation)].into()),
            ..WorkspaceEdit::default()
        }
    }

    fn document_change(&self, path: &str, edits: Vec<Edit>) -> DocumentChange {
        let uri = self.documents.uri_of(path);
        let open = self.documents.get(&uri);
        DocumentChange::TextDocumentEdit(TextDocumentEdit {
            text_document: OptionalVersionedTextDocumentIdentifier {
                version: open.map(|document| document.version),
                text_document_identifier: TextDocumentIdentifier { uri: Uri(uri) },
            },
            edits,
        })
    }
}

/// The edits of a file among those of several.
fn of_path<'e>(edits: &'e [(String, TextEdit)], path: &str) -> impl Iterator<Item = &'e TextEdit> {
    edits.iter().filter(move |(own, _)| own == path).map(|(_, edit)| edit)
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
