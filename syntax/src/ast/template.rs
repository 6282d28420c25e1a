//! Quoted templates, and the parts that they share with heredocs.
//!
//! The rules, with examples: `tests/spec/syntax/template.md`.

use std::borrow::Cow;

use pcl_diagnostics::TextRange;

use super::expression::{Expr, expressions};
use super::for_expr;
use super::text::{Run, TextMode};
use super::view::node;
use crate::kind::SyntaxKind;
use crate::tree::{Element, Elements, SyntaxNode, SyntaxToken, SyntaxTree};

node! {
    /// `".."`
    Template = Template
}

/// A part of a template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TemplatePart<'t> {
    /// Text.
    Literal {
        /// Its value: escapes, strip markers and indentation applied, in normalisation form C.
        value: Cow<'t, str>,
        /// The bytes that it comes from; of an empty template the empty range after it.
        range: TextRange,
    },
    /// `${ .. }`. A broken interpolation without an expression, and a directive that fits nothing,
    /// are `Expr::Bogus`.
    Interpolation(Expr<'t>),
    /// `%{ if .. }`
    If(IfDirective<'t>),
    /// `%{ for .. }`
    For(ForDirective<'t>),
}

impl<'t> Template<'t> {
    /// Its parts; at least one: an empty template is one empty literal.
    pub fn parts(self) -> TemplateParts<'t> {
        TemplateParts::whole(self.0, TextMode::Quoted)
    }

    /// The expression of a template that is one interpolation and nothing else, which is equivalent
    /// to the expression itself.
    pub fn wrapped(self) -> Option<Expr<'t>> {
        self.0.children().next()?;
        let mut inner = self.0.elements().filter(|element| {
            !matches!(element, Element::Token(token)
                if matches!(token.kind(), SyntaxKind::QuoteOpen | SyntaxKind::QuoteClose))
        });
        match (inner.next(), inner.next()) {
            (Some(Element::Node(node)), None) if node.kind() == SyntaxKind::Interpolation => {
                expressions(node).next()
            }
            _ => None,
        }
    }

    /// The value of a template that is one literal.
    pub fn literal(self) -> Option<Cow<'t, str>> {
        self.only_part().map(|(value, _)| value)
    }

    /// The value of a template that is one literal, and where it comes from; what
    /// [`Template::parts`] would give as its only part.
    pub fn only_part(self) -> Option<(Cow<'t, str>, TextRange)> {
        if self.0.children().next().is_some() {
            return None;
        }
        let Some(range) = self.0.tokens().trim(is_delimiter).range() else {
            return Some((Cow::Borrowed(""), TextRange::empty(self.0.range().end())));
        };
        let run = Run {
            raw: self.0.tree().slice(range),
            start: range.start(),
            opens_template: true,
            strip_start: false,
            strip_end: false,
        };
        Some(run.decode(TextMode::Quoted))
    }
}

/// `%{ if condition }..%{ else }..%{ endif }`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IfDirective<'t> {
    node: SyntaxNode<'t>,
    mode: TextMode,
}

impl<'t> IfDirective<'t> {
    /// The node of the directive, from its head to its end.
    pub fn syntax(self) -> SyntaxNode<'t> {
        self.node
    }

    /// From the `%{` of `if` to the `}` of `endif`.
    pub fn range(self) -> TextRange {
        self.node.range()
    }

    /// The condition: the expression behind `if`; `None` when there is none.
    pub fn condition(self) -> Option<Expr<'t>> {
        expressions(self.node.children().next()?).next()
    }

    /// The parts when the condition holds; one empty literal when there are none.
    pub fn then_parts(self) -> TemplateParts<'t> {
        TemplateParts::branch(self.node, false, self.mode, head_end(self.node))
    }

    /// The parts when it does not; one empty literal when there are none.
    pub fn else_parts(self) -> TemplateParts<'t> {
        TemplateParts::branch(self.node, true, self.mode, end_start(self.node))
    }

    /// From the first to the last part of the branch; empty behind the head when there are none.
    pub fn then_range(self) -> TextRange {
        branch_range(self.node, false, self.mode, head_end(self.node))
    }

    /// From the first to the last part of the branch; empty before the end when there are none.
    pub fn else_range(self) -> TextRange {
        branch_range(self.node, true, self.mode, end_start(self.node))
    }
}

/// `%{ for key, value in collection }..%{ endfor }`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ForDirective<'t> {
    node: SyntaxNode<'t>,
    mode: TextMode,
}

impl<'t> ForDirective<'t> {
    /// The node of the directive, from its head to its end.
    pub fn syntax(self) -> SyntaxNode<'t> {
        self.node
    }

    /// From the `%{` of `for` to the `}` of `endfor`.
    pub fn range(self) -> TextRange {
        self.node.range()
    }

    fn head(self) -> Option<SyntaxNode<'t>> {
        self.node.children().next()
    }

    /// The variable for the key, of a `for` with two.
    pub fn key_variable(self) -> Option<SyntaxToken<'t>> {
        for_expr::loop_variables(self.head()?).0
    }

    /// The variable for the value.
    pub fn value_variable(self) -> Option<SyntaxToken<'t>> {
        for_expr::loop_variables(self.head()?).1
    }

    /// The collection that is iterated over.
    pub fn collection(self) -> Option<Expr<'t>> {
        expressions(self.head()?).next()
    }

    /// The parts that are repeated; one empty literal when there are none.
    pub fn parts(self) -> TemplateParts<'t> {
        TemplateParts::branch(self.node, false, self.mode, head_end(self.node))
    }

    /// From the first to the last part that is repeated; empty behind the head when there are none.
    pub fn body_range(self) -> TextRange {
        branch_range(self.node, false, self.mode, head_end(self.node))
    }
}

/// The end of the first directive of a construct.
fn head_end(directive: SyntaxNode<'_>) -> u32 {
    directive.children().next().map_or(directive.range().end(), |head| head.range().end())
}

/// The start of the last directive of a construct.
fn end_start(directive: SyntaxNode<'_>) -> u32 {
    directive
        .children()
        .find(|child| child.kind() == SyntaxKind::EndHead)
        .map_or(directive.range().end(), |end| end.range().start())
}

/// From the first to the last part of a branch, which is empty at `empty` when there are none.
fn branch_range(
    directive: SyntaxNode<'_>,
    otherwise: bool,
    mode: TextMode,
    empty: u32,
) -> TextRange {
    let ranges = Segments::branch(directive, otherwise).map(|segment| segment.range(mode));
    ranges.reduce(TextRange::cover).unwrap_or(TextRange::empty(empty))
}

/// The parts of a template, or of a branch in one.
#[derive(Clone, Debug)]
pub struct TemplateParts<'t> {
    segments: Segments<'t>,
    mode: TextMode,
    /// The place of the empty literal for a template without parts.
    empty: Option<u32>,
}

impl<'t> TemplateParts<'t> {
    pub(super) fn whole(template: SyntaxNode<'t>, mode: TextMode) -> Self {
        Self { segments: Segments::of(template), mode, empty: Some(template.range().end()) }
    }

    fn branch(directive: SyntaxNode<'t>, otherwise: bool, mode: TextMode, empty: u32) -> Self {
        Self { segments: Segments::branch(directive, otherwise), mode, empty: Some(empty) }
    }
}

impl<'t> Iterator for TemplateParts<'t> {
    type Item = TemplatePart<'t>;

    fn next(&mut self) -> Option<TemplatePart<'t>> {
        if self.empty.is_none() && self.segments.elements.is_empty() {
            return None;
        }
        self.next_part()
    }
}

impl<'t> TemplateParts<'t> {
    fn next_part(&mut self) -> Option<TemplatePart<'t>> {
        let mode = self.mode;
        let part = self.segments.find_map(|segment| segment.part(mode));
        let empty = self.empty.take();
        part.or_else(|| {
            empty.map(|at| TemplatePart::Literal {
                value: Cow::Borrowed(""),
                range: TextRange::empty(at),
            })
        })
    }
}

/// The texts of a file that normalisation changes, with the ranges that [`TemplatePart::Literal`]
/// gives for them, in no particular order.
///
/// Everything that checks a program compares normalised texts; a program that runs keeps what is
/// written.
///
/// ```
/// let tree = pcl_syntax::parse("a = \"e\\u0301\"\nb = \"\u{e9}\"\n");
/// let exact = pcl_syntax::ast::exact_texts(&tree);
/// assert_eq!(exact.len(), 1);
/// assert_eq!(exact[0].1, "e\u{301}");
/// ```
pub fn exact_texts(tree: &SyntaxTree) -> Vec<(TextRange, String)> {
    let mut exact = Vec::new();
    for node in tree.root().descendants() {
        let parts = match <Expr<'_> as super::view::AstNode>::cast(node) {
            Some(Expr::Template(template)) => template.parts(),
            Some(Expr::Heredoc(heredoc)) => heredoc.parts(),
            _ => continue,
        };
        // Directives in directives; their nesting is limited.
        let mut open = vec![parts];
        while let Some(parts) = open.pop() {
            for segment in parts.segments {
                match segment.part(parts.mode) {
                    Some(TemplatePart::If(directive)) => {
                        open.extend([directive.then_parts(), directive.else_parts()]);
                    }
                    Some(TemplatePart::For(directive)) => open.push(directive.parts()),
                    Some(TemplatePart::Literal { value, range }) if !value.is_ascii() => {
                        if let Segment::Text(run) = segment {
                            let (written, _) = run.decode_exactly(parts.mode);
                            if written != value {
                                exact.push((range, written.into_owned()));
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    exact
}

/// An element of a template or directive: a run of text or a node.
#[derive(Clone, Copy, Debug)]
pub(super) enum Segment<'t> {
    Text(Run<'t>),
    Node(SyntaxNode<'t>),
}

impl<'t> Segment<'t> {
    fn is_node(self, kind: SyntaxKind) -> bool {
        matches!(self, Self::Node(node) if node.kind() == kind)
    }

    fn part(self, mode: TextMode) -> Option<TemplatePart<'t>> {
        Some(match self {
            Self::Text(run) => {
                let (value, range) = run.decode(mode);
                TemplatePart::Literal { value, range }
            }
            Self::Node(node) => match node.kind() {
                SyntaxKind::IfDirective => TemplatePart::If(IfDirective { node, mode }),
                SyntaxKind::ForDirective => TemplatePart::For(ForDirective { node, mode }),
                SyntaxKind::Interpolation => {
                    let expr = expressions(node).next();
                    TemplatePart::Interpolation(expr.unwrap_or(Expr::Bogus(node)))
                }
                SyntaxKind::BogusDirective => TemplatePart::Interpolation(Expr::Bogus(node)),
                _ => return None,
            },
        })
    }

    fn range(self, mode: TextMode) -> TextRange {
        match self {
            Self::Text(run) => run.decode(mode).1,
            Self::Node(node) if node.kind() == SyntaxKind::Interpolation => {
                expressions(node).next().map_or(node.range(), Expr::range)
            }
            Self::Node(node) => node.range(),
        }
    }
}

/// The text runs and nodes directly below a template or directive.
#[derive(Clone, Debug)]
pub(super) struct Segments<'t> {
    tree: &'t SyntaxTree,
    elements: Elements<'t>,
    /// Tells whether the next run of text would be the first part of its template.
    opens_template: bool,
    /// Tells whether the node that came last ends in `~}`.
    strip_start: bool,
    /// The heads at which a branch ends.
    ends_at: &'static [SyntaxKind],
    /// Tells whether such a head was met.
    ended: bool,
}

impl<'t> Segments<'t> {
    /// All of them.
    pub(super) fn of(container: SyntaxNode<'t>) -> Self {
        Self {
            tree: container.tree(),
            elements: container.elements(),
            opens_template: matches!(container.kind(), SyntaxKind::Template | SyntaxKind::Heredoc),
            strip_start: false,
            ends_at: &[],
            ended: false,
        }
    }

    /// Those of one branch of a directive, without the heads around it.
    fn branch(directive: SyntaxNode<'t>, otherwise: bool) -> Self {
        let mut segments = Self::of(directive);
        if otherwise {
            let is_middle = |segment: Segment<'t>| segment.is_node(SyntaxKind::ElseHead);
            while segments.next().is_some_and(|segment| !is_middle(segment)) {}
            segments.ends_at = &[SyntaxKind::EndHead];
        } else {
            segments.next();
            segments.ends_at = &[SyntaxKind::ElseHead, SyntaxKind::EndHead];
        }
        segments
    }

    fn give(&mut self, node: SyntaxNode<'t>) -> Option<Segment<'t>> {
        if self.ends_at.contains(&node.kind()) {
            self.ended = true;
            return None;
        }
        self.opens_template = false;
        self.strip_start = node.last_token().is_some_and(|token| token.begins_with(b'~'));
        Some(Segment::Node(node))
    }
}

impl<'t> Iterator for Segments<'t> {
    type Item = Segment<'t>;

    fn next(&mut self) -> Option<Segment<'t>> {
        if self.ended {
            return None;
        }
        let run = self.elements.take_tokens().trim(is_delimiter);
        let Some(range) = run.range() else {
            return match self.elements.next() {
                Some(Element::Node(node)) => self.give(node),
                _ => None,
            };
        };
        let behind = self.elements.clone().next();
        let strip_end = match behind {
            Some(Element::Node(node)) => {
                node.first_token().is_some_and(|token| token.ends_with(b'~'))
            }
            _ => false,
        };
        Some(Segment::Text(Run {
            raw: self.tree.slice(range),
            start: range.start(),
            opens_template: std::mem::take(&mut self.opens_template),
            strip_start: self.strip_start,
            strip_end,
        }))
    }
}

fn is_delimiter(kind: SyntaxKind) -> bool {
    use SyntaxKind as K;
    matches!(kind, K::QuoteOpen | K::QuoteClose | K::HeredocOpen | K::HeredocClose)
}
