//! Heredocs, and the rule of indentation: with `<<-` every line loses the indentation that all
//! lines share.
//!
//! Lines are those of the text as it stands between interpolations and directives. A blank line
//! keeps its blanks and does not count; a line that begins with an interpolation has no
//! indentation.
//!
//! The rules, with examples: `tests/spec/syntax/heredoc.md`.

use std::borrow::Cow;

use super::template::{Segment, Segments, TemplatePart, TemplateParts};
use super::text::TextMode;
use super::view::node;
use crate::kind::SyntaxKind;
use crate::tree::{SyntaxNode, SyntaxToken};

node! {
    /// `<<MARKER ..` or `<<-MARKER ..`, up to the line of the closing marker.
    Heredoc = Heredoc
}

impl<'t> Heredoc<'t> {
    /// Its parts; at least one: an empty heredoc is one empty literal.
    pub fn parts(self) -> TemplateParts<'t> {
        let dedent = if self.is_flush() {
            common_indentation(self.0)
        } else {
            0
        };
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

    /// The marker, as it stands in the introducer.
    #[must_use]
    pub fn marker(self) -> &'t str {
        let open = self.0.first_token().map_or("", SyntaxToken::text);
        open.trim_start_matches('<').trim_start_matches('-').trim()
    }

    /// Returns whether the introducer is `<<-`, so that common indentation is taken off.
    #[must_use]
    pub fn is_flush(self) -> bool {
        self.0
            .first_token()
            .is_some_and(|token| token.text().starts_with("<<-"))
    }
}

/// The indentation that all lines of a flush heredoc lose: that of the line with the least of it,
/// in characters as people see them.
fn common_indentation(heredoc: SyntaxNode<'_>) -> usize {
    let mut smallest = None;
    let mut at_line_start = true;
    measure(heredoc, &mut smallest, &mut at_line_start);
    smallest.unwrap_or(0)
}

fn measure(container: SyntaxNode<'_>, smallest: &mut Option<usize>, at_line_start: &mut bool) {
    for segment in Segments::of(container) {
        let indent = match segment {
            Segment::Text(run) => {
                *at_line_start = run.ends_line();
                run.indentation()
            }
            Segment::Node(node) => match node.kind() {
                SyntaxKind::IfDirective | SyntaxKind::ForDirective => {
                    measure(node, smallest, at_line_start);
                    None
                }
                // An interpolation or a directive that begins a line has no indentation before it.
                _ => std::mem::take(at_line_start).then_some(0),
            },
        };
        if let Some(indent) = indent {
            *smallest = Some(smallest.map_or(indent, |other| other.min(indent)));
        }
    }
}
