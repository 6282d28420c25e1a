//! Heredocs.
//!
//! The rules, with examples: `tests/spec/syntax/heredoc.md`.

use std::borrow::Cow;

use super::indentation::CommonIndentation;
use super::template::{Segment, Segments, TemplatePart, TemplateParts};
use super::text::TextMode;
use super::view::node;
use crate::kind::SyntaxKind;
use crate::lexer::ident;
use crate::tree::{SyntaxNode, SyntaxToken};

node! {
    /// `<<MARKER ..` or `<<-MARKER ..`, up to the line of the closing marker.
    Heredoc = Heredoc
}

impl<'t> Heredoc<'t> {
    /// Its parts; at least one: an empty heredoc is one empty literal.
    pub fn parts(self) -> TemplateParts<'t> {
        let mut common = CommonIndentation::default();
        if self.is_flush() {
            measure(self.0, &mut common);
        }
        let dedent = common.get();
        TemplateParts::whole(self.0, TextMode::Heredoc { dedent })
    }

    /// The value of a heredoc that is one literal.
    #[must_use]
    pub fn literal(self) -> Option<Cow<'t, str>> {
        if self.0.children().next().is_some() {
            return None;
        }
        match self.parts().next() {
            Some(TemplatePart::Literal { value, .. }) => Some(value),
            _ => None,
        }
    }

    /// The marker, as written in the introducer.
    #[must_use]
    pub fn marker(self) -> &'t str {
        let open = self.0.first_token().map_or("", SyntaxToken::text);
        let marker = open.trim_start_matches(|c| !ident::is_start(c));
        let length = marker.find(|c| !ident::is_continue(c));
        length.and_then(|length| marker.get(..length)).unwrap_or(marker)
    }

    /// Returns whether the introducer is `<<-`, so that common indentation is taken off.
    #[must_use]
    pub fn is_flush(self) -> bool {
        self.0.first_token().is_some_and(|token| token.text().starts_with("<<-"))
    }
}

/// Adds the lines of a heredoc, or of a directive in it.
fn measure(container: SyntaxNode<'_>, common: &mut CommonIndentation) {
    for segment in Segments::of(container) {
        match segment {
            Segment::Text(run) => common.add_text(run.indentation(), run.ends_line()),
            Segment::Node(node) => match node.kind() {
                SyntaxKind::IfDirective | SyntaxKind::ForDirective => measure(node, common),
                _ => common.add_value(),
            },
        }
    }
}
