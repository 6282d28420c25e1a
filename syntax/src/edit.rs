//! Editing: the tree of a text after edits.

use pcl_diagnostics::TextEdit;

use crate::parse::parse_like;
use crate::tree::SyntaxTree;

impl SyntaxTree {
    /// The tree of the text after `edits`, each of which replaces a range of this text; the same
    /// tree as of parsing that text.
    ///
    /// Several insertions at one place are applied in the given order. `None` if edits overlap or
    /// do not fit the text. The file of the edits is not checked.
    #[must_use]
    pub fn edit(&self, edits: &[TextEdit]) -> Option<SyntaxTree> {
        let mut edits: Vec<&TextEdit> = edits.iter().collect();
        edits.sort_by_key(|edit| edit.span.range);
        let mut bytes = Vec::with_capacity(self.bytes().len());
        let mut at = 0;
        for edit in edits {
            let range = edit.span.range.to_usize();
            // A range that ends within a character does not fit.
            self.source.get(range.clone())?;
            bytes.extend(self.bytes().get(at..range.start)?);
            bytes.extend(edit.text.as_bytes());
            at = range.end;
        }
        bytes.extend(self.bytes().get(at..)?);
        Some(parse_like(self, bytes))
    }
}

#[cfg(test)]
mod tests {
    use pcl_diagnostics::{FileId, Span, TextRange};

    use super::*;
    use crate::parse::{parse, parse_bytes, parse_expression};

    fn edit(start: u32, end: u32, text: &str) -> TextEdit {
        TextEdit::replace(Span::new(FileId(0), TextRange::new(start, end)), text)
    }

    #[test]
    fn edits_are_applied_in_the_order_of_the_text() {
        let edits = [edit(4, 5, "2"), edit(0, 0, "b"), edit(0, 0, "c")];
        let tree = parse("a = 1\nd = 3\n").edit(&edits);
        assert_eq!(tree, Some(parse("bca = 2\nd = 3\n")));
    }

    #[test]
    fn edits_that_do_not_fit_are_refused() {
        let tree = parse("a = \"é\"\n");
        assert_eq!(tree.edit(&[edit(6, 6, "x")]), None);
        assert_eq!(tree.edit(&[edit(4, 90, "x")]), None);
        assert_eq!(tree.edit(&[edit(0, 4, "x"), edit(3, 4, "")]), None);
    }

    #[test]
    fn other_entries_and_other_bytes() {
        let tree = parse_expression("1 + x").edit(&[edit(4, 5, "y")]);
        assert_eq!(tree, Some(parse_expression("1 + y")));
        let tree = parse_bytes(*b"a = \"\xFF\"\nb = 1\n").edit(&[edit(8, 8, "# c\n")]);
        assert_eq!(tree, Some(parse_bytes(*b"a = \"\xFF\"\n# c\nb = 1\n")));
    }
}
