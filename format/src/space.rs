//! Blanks between two tokens of a line, and the facts about tokens that decide them where their
//! kinds do not.

use pcl_syntax::{SyntaxKind, SyntaxNode, SyntaxTree};

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

/// A fact about a token.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum Mark {
    #[default]
    Nothing,
    /// It belongs to the token before it: the parenthesis of a call, the bracket of an index.
    Glued,
    /// A sign before its operand.
    Sign,
    /// The colon between a key and its value.
    KeyColon,
}

/// The marks of all tokens, and where items begin.
pub(super) struct Marks {
    tokens: Vec<Mark>,
    /// For the first token of an attribute or item, that of its `=`.
    equals: Vec<Option<u32>>,
}

impl Marks {
    pub fn of(tree: &SyntaxTree) -> Self {
        let mut marks = Self {
            tokens: vec![Mark::Nothing; tree.tokens().len()],
            equals: vec![None; tree.tokens().len()],
        };
        for node in tree.file().syntax().descendants() {
            marks.visit(node);
        }
        marks
    }

    pub fn mark(&self, token: u32) -> Mark {
        self.tokens.get(token as usize).copied().unwrap_or_default()
    }

    /// The `=` of the item that begins with this token.
    pub fn equals(&self, token: u32) -> Option<u32> {
        self.equals.get(token as usize).copied().flatten()
    }

    fn visit(&mut self, node: SyntaxNode<'_>) {
        use SyntaxKind as K;
        let (kind, mark) = match node.kind() {
            K::Call => (K::LParen, Mark::Glued),
            K::Step | K::Index | K::SplatMarker | K::SplatIndex => (K::LBracket, Mark::Glued),
            K::Unary => {
                let mut tokens = node.own_tokens();
                return self.set(tokens.next().map(|token| token.index()), Mark::Sign);
            }
            K::Attribute | K::ObjectItem => {
                let colon = node.own_token(K::Colon).map(|token| token.index());
                self.set(colon, Mark::KeyColon);
                let first = node.tokens().find(|token| !token.kind().is_trivia());
                let equals = node.own_token(K::Equals).map(|token| token.index());
                if let Some(first) = first
                    && let Some(slot) = self.equals.get_mut(first.index() as usize)
                {
                    *slot = equals;
                }
                return;
            }
            _ => return,
        };
        let token = node.own_token(kind).map(|token| token.index());
        self.set(token, mark);
    }

    fn set(&mut self, token: Option<u32>, mark: Mark) {
        let slot = token.and_then(|token| self.tokens.get_mut(token as usize));
        if let Some(slot) = slot {
            *slot = mark;
        }
    }
}
