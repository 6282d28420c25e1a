//! Quoted templates and heredocs, and the parts they share.

use std::borrow::Cow;

use pcl_diagnostics::TextRange;

use super::text::{Run, TextMode};
use super::{Expr, expressions, for_expr, node};
use crate::kind::SyntaxKind;
use crate::tree::{Element, SyntaxNode, SyntaxToken};

node! {
    /// `".."`
    Template = Template
}

node! {
    /// `<<MARKER ..` or `<<-MARKER ..`, up to the line of the closing marker.
    Heredoc = Heredoc
}

/// A part of a template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TemplatePart<'t> {
    /// Text.
    Literal {
        /// Its value: escapes, strip markers and indentation applied, in normalisation form C.
        value: Cow<'t, str>,
        /// Where it comes from; of an empty template the empty range after it.
        range: TextRange,
    },
    /// `${ .. }`. A broken interpolation without an expression, and a directive that fits nothing, are `Expr::Bogus`.
    Interpolation(Expr<'t>),
    /// `%{ if .. }`
    If(IfDirective<'t>),
    /// `%{ for .. }`
    For(ForDirective<'t>),
}

impl<'t> Template<'t> {
    /// Its parts; at least one: an empty template is one empty literal.
    #[must_use]
    pub fn parts(self) -> Vec<TemplatePart<'t>> {
        or_empty(parts(self.0, TextMode::Quoted), self.range().end())
    }

    /// The expression of a template that is one interpolation and nothing else. It stands for the expression itself.
    #[must_use]
    pub fn wrapped(self) -> Option<Expr<'t>> {
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
    #[must_use]
    pub fn literal(self) -> Option<Cow<'t, str>> {
        single_literal(self.0, self.parts())
    }
}

impl<'t> Heredoc<'t> {
    /// Its parts; at least one: an empty heredoc is one empty literal.
    #[must_use]
    pub fn parts(self) -> Vec<TemplatePart<'t>> {
        let dedent = if self.is_flush() {
            indentation(self.0)
        } else {
            0
        };
        or_empty(
            parts(self.0, TextMode::Heredoc { dedent }),
            self.range().end(),
        )
    }

    /// The value of a heredoc that is one literal.
    #[must_use]
    pub fn literal(self) -> Option<Cow<'t, str>> {
        single_literal(self.0, self.parts())
    }

    /// The marker, as it stands in the introducer.
    #[must_use]
    pub fn marker(self) -> &'t str {
        let open = self.0.first_token().map_or("", SyntaxToken::text);
        open.trim_start_matches('<')
            .trim_start_matches('-')
            .trim_end()
    }

    /// Whether the introducer is `<<-`, so that common indentation is taken off.
    #[must_use]
    pub fn is_flush(self) -> bool {
        self.0
            .first_token()
            .is_some_and(|token| token.text().starts_with("<<-"))
    }
}

/// `%{ if condition }..%{ else }..%{ endif }`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IfDirective<'t> {
    node: SyntaxNode<'t>,
    mode: TextMode,
}

impl<'t> IfDirective<'t> {
    /// The node.
    #[must_use]
    pub fn syntax(self) -> SyntaxNode<'t> {
        self.node
    }

    /// From the `%{` of `if` to the `}` of `endif`.
    #[must_use]
    pub fn range(self) -> TextRange {
        self.node.range()
    }

    /// What decides.
    #[must_use]
    pub fn condition(self) -> Option<Expr<'t>> {
        expressions(self.node.children().next()?).next()
    }

    /// The parts when the condition holds; one empty literal when there are none.
    #[must_use]
    pub fn then_parts(self) -> Vec<TemplatePart<'t>> {
        let empty = head_end(self.node);
        or_empty(self.branch(false), empty)
    }

    /// The parts when it does not; one empty literal when there are none.
    #[must_use]
    pub fn else_parts(self) -> Vec<TemplatePart<'t>> {
        or_empty(self.branch(true), end_start(self.node))
    }

    /// From the first to the last part of the branch; empty behind the head when there are none.
    #[must_use]
    pub fn then_range(self) -> TextRange {
        branch_range(self.raw_range(false), head_end(self.node))
    }

    /// From the first to the last part of the branch; empty before the end when there are none.
    #[must_use]
    pub fn else_range(self) -> TextRange {
        branch_range(self.raw_range(true), end_start(self.node))
    }

    fn branch(self, otherwise: bool) -> Vec<TemplatePart<'t>> {
        let segments = segments(self.node);
        let pick = branch_segments(&segments, otherwise);
        pick.iter()
            .filter_map(|segment| segment.part(self.mode))
            .collect()
    }

    fn raw_range(self, otherwise: bool) -> Option<TextRange> {
        let segments = segments(self.node);
        let ranges = branch_segments(&segments, otherwise)
            .iter()
            .map(|segment| segment.range(self.mode));
        ranges.reduce(TextRange::cover)
    }
}

/// The segments of one branch of an `if`, without the heads around them.
fn branch_segments<'a, 't>(segments: &'a [Segment<'t>], otherwise: bool) -> &'a [Segment<'t>] {
    let head = |kind| {
        segments
            .iter()
            .position(|segment| matches!(segment, Segment::Node(node) if node.kind() == kind))
    };
    let end = head(SyntaxKind::EndHead).unwrap_or(segments.len());
    let middle = head(SyntaxKind::ElseHead);
    let (from, to) = if otherwise {
        (middle.map_or(end, |at| at + 1), end)
    } else {
        (1, middle.unwrap_or(end))
    };
    segments.get(from..to).unwrap_or_default()
}

/// `%{ for key, value in collection }..%{ endfor }`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ForDirective<'t> {
    node: SyntaxNode<'t>,
    mode: TextMode,
}

impl<'t> ForDirective<'t> {
    /// The node.
    #[must_use]
    pub fn syntax(self) -> SyntaxNode<'t> {
        self.node
    }

    /// From the `%{` of `for` to the `}` of `endfor`.
    #[must_use]
    pub fn range(self) -> TextRange {
        self.node.range()
    }

    fn head(self) -> Option<SyntaxNode<'t>> {
        self.node.children().next()
    }

    /// The variable for the key, of a `for` with two.
    #[must_use]
    pub fn key_variable(self) -> Option<SyntaxToken<'t>> {
        for_expr::variables(self.head()?).0
    }

    /// The variable for the value.
    #[must_use]
    pub fn value_variable(self) -> Option<SyntaxToken<'t>> {
        for_expr::variables(self.head()?).1
    }

    /// What is gone through.
    #[must_use]
    pub fn collection(self) -> Option<Expr<'t>> {
        expressions(self.head()?).next()
    }

    /// The parts that are repeated; one empty literal when there are none.
    #[must_use]
    pub fn parts(self) -> Vec<TemplatePart<'t>> {
        let segments = segments(self.node);
        let parts = branch_segments(&segments, false)
            .iter()
            .filter_map(|segment| segment.part(self.mode));
        or_empty(parts.collect(), head_end(self.node))
    }

    /// From the first to the last part that is repeated; empty behind the head when there are none.
    #[must_use]
    pub fn body_range(self) -> TextRange {
        let segments = segments(self.node);
        let ranges = branch_segments(&segments, false)
            .iter()
            .map(|segment| segment.range(self.mode));
        branch_range(ranges.reduce(TextRange::cover), head_end(self.node))
    }
}

/// The end of the first directive of a construct.
fn head_end(directive: SyntaxNode<'_>) -> u32 {
    directive
        .children()
        .next()
        .map_or(directive.range().end(), |head| head.range().end())
}

/// The start of the last directive of a construct.
fn end_start(directive: SyntaxNode<'_>) -> u32 {
    directive
        .children()
        .find(|child| child.kind() == SyntaxKind::EndHead)
        .map_or(directive.range().end(), |end| end.range().start())
}

fn branch_range(parts: Option<TextRange>, empty: u32) -> TextRange {
    parts.unwrap_or(TextRange::empty(empty))
}

fn or_empty(mut parts: Vec<TemplatePart<'_>>, at: u32) -> Vec<TemplatePart<'_>> {
    if parts.is_empty() {
        parts.push(TemplatePart::Literal {
            value: Cow::Borrowed(""),
            range: TextRange::empty(at),
        });
    }
    parts
}

fn single_literal<'t>(
    node: SyntaxNode<'t>,
    mut parts: Vec<TemplatePart<'t>>,
) -> Option<Cow<'t, str>> {
    if node.children().next().is_some() {
        return None;
    }
    match parts.pop() {
        Some(TemplatePart::Literal { value, .. }) => Some(value),
        _ => None,
    }
}

/// What stands in a template or directive: runs of text and nodes.
#[derive(Clone, Copy, Debug)]
enum Segment<'t> {
    Text(Run<'t>),
    Node(SyntaxNode<'t>),
}

impl<'t> Segment<'t> {
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

fn parts(node: SyntaxNode<'_>, mode: TextMode) -> Vec<TemplatePart<'_>> {
    let segments = segments(node).into_iter();
    segments.filter_map(|segment| segment.part(mode)).collect()
}

/// The text runs and nodes directly below a template or directive.
fn segments(container: SyntaxNode<'_>) -> Vec<Segment<'_>> {
    let is_template = matches!(container.kind(), SyntaxKind::Template | SyntaxKind::Heredoc);
    let mut segments: Vec<Segment<'_>> = Vec::new();
    let mut strip_start = false;
    let mut run: Option<TextRange> = None;
    let tree = container.tree();
    let flush = |run: Option<TextRange>, strip: (bool, bool), out: &mut Vec<_>| {
        if let Some(range) = run {
            out.push(Segment::Text(Run {
                raw: tree.slice(range),
                start: range.start(),
                opens_template: is_template && out.is_empty(),
                strip_start: strip.0,
                strip_end: strip.1,
            }));
        }
    };
    for element in container.elements() {
        match element {
            Element::Token(token) if is_delimiter(token.kind()) => {}
            Element::Token(token) => {
                run = Some(run.map_or(token.range(), |range| range.cover(token.range())));
            }
            Element::Node(node) => {
                let strip_end = node.first_token().is_some_and(|t| t.text().ends_with('~'));
                flush(run.take(), (strip_start, strip_end), &mut segments);
                segments.push(Segment::Node(node));
                strip_start = node.last_token().is_some_and(|t| t.text().starts_with('~'));
            }
        }
    }
    flush(run, (strip_start, false), &mut segments);
    segments
}

fn is_delimiter(kind: SyntaxKind) -> bool {
    use SyntaxKind as K;
    matches!(
        kind,
        K::QuoteOpen | K::QuoteClose | K::HeredocOpen | K::HeredocClose
    )
}

/// How much indentation the lines of a flush heredoc lose: that of the line with the least of it.
fn indentation(heredoc: SyntaxNode<'_>) -> usize {
    let mut smallest = None;
    let mut at_line_start = true;
    measure(heredoc, &mut smallest, &mut at_line_start);
    smallest.unwrap_or(0)
}

fn measure(container: SyntaxNode<'_>, smallest: &mut Option<usize>, at_line_start: &mut bool) {
    for segment in segments(container) {
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
