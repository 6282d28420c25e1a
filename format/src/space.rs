//! Blanks between two tokens of a line.

use pcl_syntax::SyntaxKind;

use super::marks::Mark;

/// A place between two tokens.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gap {
    /// The token before it.
    pub before: SyntaxKind,
    /// The fact about that one.
    pub mark_before: Mark,
    /// The token after it.
    pub after: SyntaxKind,
    /// The fact about that one.
    pub mark_after: Mark,
    /// True if there are spaces in the text.
    pub written: bool,
    /// True if there is a number right before `before`.
    pub touches_number: bool,
    /// Tells whether the innermost sequence of a template that is open is a directive.
    pub in_directive: bool,
}

impl Gap {
    pub fn has_blank(&self) -> bool {
        use SyntaxKind as K;
        match (self.before, self.after) {
            // Spaces beside text would be part of the text.
            (K::QuoteOpen | K::HeredocOpen | K::Text | K::SequenceClose | K::ByteOrderMark, _)
            | (_, K::Text | K::InterpolationOpen | K::ControlOpen)
            | (_, K::QuoteClose | K::HeredocClose) => false,
            (_, K::LineComment) => true,
            (K::ControlOpen, _) => true,
            (_, K::SequenceClose) => self.in_directive,
            // A number would take the dot for its own.
            (K::Number, K::Dot | K::Ellipsis) => self.written,
            (K::Dot, K::Number) => self.written && self.touches_number,
            (_, K::Comma | K::RParen | K::RBracket | K::Dot | K::ColonColon | K::Ellipsis) => false,
            (K::LParen | K::LBracket | K::InterpolationOpen | K::Dot | K::ColonColon, _) => false,
            (K::LBrace, K::RBrace) => false,
            _ => {
                self.mark_before != Mark::Sign
                    && !matches!(self.mark_after, Mark::Glued | Mark::KeyColon)
            }
        }
    }
}
