//! The thing at a place in a text.

use pcl::binder::rules::{AttributeRule, BlockRule, OPTIONS, PARAMETERIZATION, rule};
use pcl::binder::{NodeBody, NodeKind};
use pcl::diagnostics::{FileId, Span, TextRange};
use pcl::model::expression::{ExprId, ExprKind};
use pcl::model::scope::DefinitionId;
use pcl::model::types::NominalKey;
use pcl::syntax::ast::{self, AstNode as _};
use pcl::syntax::{SyntaxKind, SyntaxNode, SyntaxToken};

use crate::{Analysis, NodeRef};

/// The thing at a place in a text.
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
    Callee(ExprId, NominalKey),
    /// The declaration of a variable of a loop.
    Variable(DefinitionId),
    /// A key of an object: its literal.
    Key(ExprId),
    /// Any other expression.
    Value(ExprId),
}

/// The thing at a place, and the range that it covers.
#[must_use]
pub fn element_at(analysis: &Analysis, file: FileId, offset: u32) -> Option<(Element, Span)> {
    let token = analysis.token_at(file, offset)?;
    if token.kind().is_trivia() {
        return None;
    }
    let parent = token.parent();
    let ancestors: Vec<SyntaxNode<'_>> = parent.ancestors().collect();
    let (element, range) = label(analysis, file, offset, &ancestors)
        .or_else(|| word_of_block(token, parent))
        .or_else(|| name_of_attribute(analysis, file, offset, token, &ancestors))
        .or_else(|| expression(analysis, file, offset, &ancestors))?;
    Some((element, Span::new(file, range)))
}

/// A label of a block.
fn label(
    analysis: &Analysis,
    file: FileId,
    offset: u32,
    ancestors: &[SyntaxNode<'_>],
) -> Option<(Element, TextRange)> {
    let label = ancestors.iter().find_map(|&node| ast::Label::cast(node))?;
    let block = ancestors.iter().find_map(|&node| ast::Block::cast(node))?;
    let rule = rule(block.keyword()?.text())?;
    let index = block.labels().position(|other| other.range() == label.range())?;
    let node = analysis.node_at(file, offset)?;
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
fn word_of_block(token: SyntaxToken<'_>, parent: SyntaxNode<'_>) -> Option<(Element, TextRange)> {
    let keyword = ast::Block::cast(parent)?.keyword()?;
    if keyword.range() != token.range() {
        return None;
    }
    let rule = rule_of(keyword.text())?;
    Some((Element::Keyword(rule), keyword.range()))
}

/// The rule of a block at the top level or inside of another.
fn rule_of(keyword: &str) -> Option<&'static BlockRule> {
    let nested = [&OPTIONS, &PARAMETERIZATION];
    let nested = nested.into_iter().find(|rule| rule.keyword == keyword);
    nested.or_else(|| rule(keyword))
}

/// The name of an attribute.
fn name_of_attribute(
    analysis: &Analysis,
    file: FileId,
    offset: u32,
    token: SyntaxToken<'_>,
    ancestors: &[SyntaxNode<'_>],
) -> Option<(Element, TextRange)> {
    let attribute = ast::Attribute::cast(*ancestors.first()?)?;
    let name = attribute.name()?;
    if name.range() != token.range() {
        return None;
    }
    let node = analysis.node_at(file, offset);
    let Some(block) = ancestors.iter().find_map(|&node| ast::Block::cast(node)) else {
        return Some((Element::Declaration(node?), name.range()));
    };
    let rule = rule_of(block.keyword()?.text())?;
    let label = block.labels().next().map(|label| label.text().into_owned());
    let element = match rule.attribute(name.text(), label.as_deref()) {
        Some(attribute) => Element::Attribute(rule, attribute),
        None => Element::Input(node?, name.text().to_owned()),
    };
    Some((element, name.range()))
}

/// A part of an expression.
fn expression(
    analysis: &Analysis,
    file: FileId,
    offset: u32,
    ancestors: &[SyntaxNode<'_>],
) -> Option<(Element, TextRange)> {
    let program = &analysis.checked.program;
    let touches = |range: TextRange| range.start() <= offset && offset <= range.end();
    let found = ancestors.iter().find_map(|&node| analysis.expr_of(file, node))?;
    if let Some(found) = callee(analysis, file, offset, ancestors) {
        return Some(found);
    }
    if let Some(found) = variable(analysis, file, offset, ancestors) {
        return Some(found);
    }
    let expr = &program.exprs[found];
    match &expr.kind {
        ExprKind::Traversal(traversal) => {
            let steps = program.exprs.steps(traversal.steps);
            if let Some(definition) = traversal.definition
                && touches(traversal.root_range)
            {
                return Some((Element::Reference(found, definition), traversal.root_range));
            }
            let step = steps.iter().position(|step| touches(step.range))?;
            Some((Element::Step(found, step), steps.get(step)?.range))
        }
        ExprKind::RelativeTraversal { steps, .. } => {
            let steps = program.exprs.steps(*steps);
            match steps.iter().position(|step| touches(step.range)) {
                Some(step) => Some((Element::Step(found, step), steps.get(step)?.range)),
                None => Some((Element::Value(found), expr.range)),
            }
        }
        ExprKind::Call(call) if touches(call.name_range) => {
            Some((Element::Function(found), call.name_range))
        }
        ExprKind::Literal(_) if is_key(analysis, file, found, ancestors) => {
            Some((Element::Key(found), expr.range))
        }
        _ => Some((Element::Value(found), expr.range)),
    }
}

/// The string of an `invoke` or `call` that names what is called.
fn callee(
    analysis: &Analysis,
    file: FileId,
    offset: u32,
    ancestors: &[SyntaxNode<'_>],
) -> Option<(Element, TextRange)> {
    let exprs = &analysis.checked.program.exprs;
    let call = ancestors.iter().find(|node| node.kind() == SyntaxKind::Call)?;
    let id = analysis.expr_of(file, *call)?;
    let ExprKind::Call(call) = &exprs[id].kind else {
        return None;
    };
    let key = call.signature.callee?;
    let mut arguments = call.arguments.iter();
    let named = arguments.find(|&&argument| {
        exprs.literal_string(argument).is_some() && exprs[argument].range.contains(offset)
    })?;
    Some((Element::Callee(id, key), exprs[*named].range))
}

/// The declaration of a variable of a loop.
fn variable(
    analysis: &Analysis,
    file: FileId,
    offset: u32,
    ancestors: &[SyntaxNode<'_>],
) -> Option<(Element, TextRange)> {
    let program = &analysis.checked.program;
    let exprs = ancestors.iter().filter_map(|&node| analysis.expr_of(file, node));
    for id in exprs {
        let for_expr = match &program.exprs[id].kind {
            ExprKind::For(for_expr) => for_expr,
            ExprKind::TemplateJoin(inner) => match &program.exprs[*inner].kind {
                ExprKind::For(for_expr) => for_expr,
                _ => continue,
            },
            _ => continue,
        };
        let variables = [for_expr.key_variable, for_expr.value_variable];
        for definition in variables.into_iter().flatten() {
            let span = program.scopes.definition(definition).span;
            if let Some(span) = span
                && span.file == file
                && span.range.start() <= offset
                && offset <= span.range.end()
            {
                return Some((Element::Variable(definition), span.range));
            }
        }
    }
    None
}

/// Returns whether an expression is a key of the object around it.
fn is_key(analysis: &Analysis, file: FileId, found: ExprId, ancestors: &[SyntaxNode<'_>]) -> bool {
    let exprs = &analysis.checked.program.exprs;
    let object = ancestors.iter().find(|node| node.kind() == SyntaxKind::Object);
    let object = object.and_then(|&node| analysis.expr_of(file, node));
    match object.map(|object| &exprs[object].kind) {
        Some(ExprKind::Object(items)) => items.iter().any(|&(key, _)| {
            key == found
                || exprs.literal_string(key).is_some() && exprs[key].range == exprs[found].range
        }),
        _ => false,
    }
}

/// The component program of a component.
pub(crate) fn program_of(analysis: &Analysis, node: NodeRef) -> Option<crate::ModuleId> {
    match &analysis.node(node).body {
        NodeBody::Component(body) => body.program.map(crate::ModuleId::Component),
        _ => None,
    }
}
