//! The thing at a position in a text.

use pcl::binder::NodeKind;
use pcl::binder::rules::{AttributeRule, BlockRule, OPTIONS, PARAMETERIZATION, rule};
use pcl::diagnostics::{Span, TextRange};
use pcl::model::expression::{ExprId, ExprKind};
use pcl::model::scope::DefinitionId;
use pcl::model::types::NominalKey;
use pcl::syntax::ast::{self, AstNode as _};
use pcl::syntax::{SyntaxKind, SyntaxNode, SyntaxToken};

use crate::analysis::variables;
use crate::{Analysis, FilePosition, NodeRef};

/// The thing at a position in a text.
#[derive(Clone, Debug)]
pub enum Element {
    /// The keyword of a block.
    Keyword(&'static BlockRule),
    /// The name in a declaration.
    Declaration(NodeRef),
    /// The token of a resource or read.
    Token(NodeRef),
    /// The source of a component.
    Source(NodeRef),
    /// The type of a config or output.
    TypeLabel(NodeRef),
    /// The name of an attribute that the language knows, such as an option.
    Attribute(&'static BlockRule, &'static AttributeRule),
    /// The name of an input of a resource or component.
    Input(NodeRef, String),
    /// A name that refers to a definition.
    Reference(ExprId, DefinitionId),
    /// The step of a traversal with this index.
    Step(ExprId, usize),
    /// The name of a function that is called.
    Function(ExprId),
    /// The token of a function or the name of a method of a package that is called.
    Callee(NominalKey),
    /// The declaration of a variable of a loop.
    Variable(DefinitionId),
    /// A key of an object: its literal.
    Key(ExprId),
    /// Any other expression.
    Value(ExprId),
}

/// The thing at a position, and the range that it covers.
#[must_use]
pub fn element_at(analysis: &Analysis, at: FilePosition) -> Option<(Element, Span)> {
    let token = analysis.token_at(at).filter(|token| !token.kind().is_trivia())?;
    let ancestors = token.parent().ancestors().collect();
    let cursor = Cursor { analysis, at, token, ancestors };
    let (element, range) = cursor
        .label()
        .or_else(|| cursor.keyword())
        .or_else(|| cursor.attribute())
        .or_else(|| cursor.expression())?;
    Some((element, Span::new(at.file, range)))
}

/// The rule of a block, at the top level or inside of another.
pub(crate) fn rule_of_block(keyword: &str) -> Option<&'static BlockRule> {
    let inner = [&OPTIONS, &PARAMETERIZATION];
    rule(keyword).or_else(|| inner.into_iter().find(|rule| rule.keyword == keyword))
}

/// The token at a position, with the nodes that contain it, the innermost first.
struct Cursor<'a> {
    analysis: &'a Analysis,
    at: FilePosition,
    token: SyntaxToken<'a>,
    ancestors: Vec<SyntaxNode<'a>>,
}

impl<'a> Cursor<'a> {
    fn block(&self) -> Option<ast::Block<'a>> {
        self.ancestors.iter().find_map(|&node| ast::Block::cast(node))
    }

    fn exprs(&self) -> impl Iterator<Item = ExprId> {
        self.ancestors.iter().filter_map(|&node| self.analysis.expr_of(self.at.file, node))
    }

    /// A label of a block.
    fn label(&self) -> Option<(Element, TextRange)> {
        let label = self.ancestors.iter().find_map(|&node| ast::Label::cast(node))?;
        let block = self.block()?;
        let rule = rule(block.keyword()?.text())?;
        let index = block.labels().position(|other| other.range() == label.range())?;
        let node = self.analysis.node_at(self.at)?;
        let element = match rule.kind? {
            _ if index == rule.name_label => Element::Declaration(node),
            NodeKind::Resource | NodeKind::Read => Element::Token(node),
            NodeKind::Component => Element::Source(node),
            NodeKind::Config | NodeKind::Output => Element::TypeLabel(node),
            NodeKind::Hook | NodeKind::Local | NodeKind::Pulumi => return None,
        };
        Some((element, label.content_range()))
    }

    /// The keyword of a block.
    fn keyword(&self) -> Option<(Element, TextRange)> {
        let keyword = ast::Block::cast(*self.ancestors.first()?)?.keyword()?;
        let is_here = keyword.range() == self.token.range();
        let rule = rule_of_block(keyword.text()).filter(|_| is_here)?;
        Some((Element::Keyword(rule), keyword.range()))
    }

    /// The name of an attribute.
    fn attribute(&self) -> Option<(Element, TextRange)> {
        let name = ast::Attribute::cast(*self.ancestors.first()?)?.name()?;
        if name.range() != self.token.range() {
            return None;
        }
        let node = self.analysis.node_at(self.at);
        let Some(block) = self.block() else {
            return Some((Element::Declaration(node?), name.range()));
        };
        let rule = rule_of_block(block.keyword()?.text())?;
        let label = block.labels().next().map(|label| label.text().into_owned());
        let element = match rule.attribute(name.text(), label.as_deref()) {
            Some(attribute) => Element::Attribute(rule, attribute),
            None => Element::Input(node?, name.text().to_owned()),
        };
        Some((element, name.range()))
    }

    /// A part of an expression.
    fn expression(&self) -> Option<(Element, TextRange)> {
        let found = self.exprs().next()?;
        if let Some(other) = self.callee().or_else(|| self.variable()) {
            return Some(other);
        }
        let exprs = &self.analysis.checked.program.exprs;
        let expr = &exprs[found];
        let step_at = |steps| {
            let mut steps = exprs.steps(steps).iter().enumerate();
            let (index, step) = steps.find(|(_, step)| self.at.touches(step.range))?;
            Some((Element::Step(found, index), step.range))
        };
        let part = match &expr.kind {
            ExprKind::Traversal(traversal) => match traversal.definition {
                Some(definition) if self.at.touches(traversal.root_range) => {
                    (Element::Reference(found, definition), traversal.root_range)
                }
                _ => return step_at(traversal.steps),
            },
            ExprKind::RelativeTraversal { steps, .. } => {
                step_at(*steps).unwrap_or((Element::Value(found), expr.range))
            }
            ExprKind::Call(call) if self.at.touches(call.name_range) => {
                (Element::Function(found), call.name_range)
            }
            ExprKind::Literal(_) if self.is_key(found) => (Element::Key(found), expr.range),
            _ => (Element::Value(found), expr.range),
        };
        Some(part)
    }

    /// The string of an `invoke` or `call` that names what is called.
    fn callee(&self) -> Option<(Element, TextRange)> {
        let exprs = &self.analysis.checked.program.exprs;
        let call = self.ancestors.iter().find(|node| node.kind() == SyntaxKind::Call)?;
        let ExprKind::Call(call) = &exprs[self.analysis.expr_of(self.at.file, *call)?].kind else {
            return None;
        };
        let key = call.signature.callee?;
        let mut arguments = call.arguments.iter();
        let named = arguments.find(|&&argument| {
            exprs.literal_string(argument).is_some()
                && exprs[argument].range.contains(self.at.offset)
        })?;
        Some((Element::Callee(key), exprs[*named].range))
    }

    /// The declaration of a variable of a loop.
    fn variable(&self) -> Option<(Element, TextRange)> {
        let scopes = &self.analysis.checked.program.scopes;
        let loops = self.exprs().filter_map(|expr| self.analysis.loop_of(expr));
        loops.flat_map(variables).find_map(|variable| {
            let span = scopes.definition(variable).span?;
            let is_here = span.file == self.at.file && self.at.touches(span.range);
            is_here.then_some((Element::Variable(variable), span.range))
        })
    }

    /// Returns true if an expression is a key of the object around it.
    fn is_key(&self, found: ExprId) -> bool {
        let exprs = &self.analysis.checked.program.exprs;
        let object = self.ancestors.iter().find(|node| node.kind() == SyntaxKind::Object);
        let object = object.and_then(|&node| self.analysis.expr_of(self.at.file, node));
        match object.map(|object| &exprs[object].kind) {
            Some(ExprKind::Object(items)) => items.iter().any(|&(key, _)| {
                let is_same = exprs[key].range == exprs[found].range;
                key == found || is_same && exprs.literal_string(key).is_some()
            }),
            _ => false,
        }
    }
}
