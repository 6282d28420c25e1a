//! Heredocs, and the rule of indentation: after `<<-` every line of a heredoc loses the indentation
//! that all lines share, counted in characters as people see them.
//!
//! Lines are those of the text between interpolations and directives. A blank line keeps its spaces
//! and does not count; a line that begins with an interpolation has no indentation.
//!
//! The rules, with examples: `tests/spec/syntax/heredoc.md`.

use std::borrow::Cow;

use crate::ast::template::{Segment, Segments, TemplatePart, TemplateParts};
use crate::ast::text::TextMode;
use crate::ast::view::node;
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
    pub fn marker(self) -> &'t str {
        let open = self.0.first_token().map_or("", SyntaxToken::text);
        let marker = open.trim_start_matches(|c| !ident::is_start(c));
        let length = marker.find(|c| !ident::is_continue(c));
        length.and_then(|length| marker.get(..length)).unwrap_or(marker)
    }

    /// Returns whether the introducer is `<<-`, so that common indentation is taken off.
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

/// The indentation that all lines of a heredoc share: that of the line with the least of it.
pub(super) struct CommonIndentation {
    smallest: Option<usize>,
    at_line_start: bool,
}

impl Default for CommonIndentation {
    fn default() -> Self {
        Self { smallest: None, at_line_start: true }
    }
}

impl CommonIndentation {
    /// Adds a text, with the least indentation of the lines that begin in it.
    pub fn add_text(&mut self, indentation: Option<usize>, ends_line: bool) {
        self.at_line_start = ends_line;
        self.add(indentation);
    }

    /// Adds an interpolation. At the start of a line, the line has no indentation.
    pub fn add_value(&mut self) {
        let indentation = std::mem::take(&mut self.at_line_start).then_some(0);
        self.add(indentation);
    }

    fn add(&mut self, indentation: Option<usize>) {
        let known = self.smallest.into_iter().chain(indentation);
        self.smallest = known.min();
    }

    /// The indentation in characters.
    pub fn get(&self) -> usize {
        self.smallest.unwrap_or(0)
    }
}
