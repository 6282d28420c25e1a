//! Gives an expression a name: a new local before the declaration that it is in.

use std::collections::HashSet;

use pcl::binder::{Node, NodeKind};
use pcl::diagnostics::{FileId, Span, TextEdit};
use pcl::language::Function;
use pcl::model::expression::{ExprId, ExprKind};
use pcl::model::scope::DefinitionKind;
use pcl::model::types::TypeId;
use pcl::syntax::ast::{self, AstNode as _};
use pcl::syntax::{SyntaxKind, SyntaxNode};

use super::refactoring::{Refactoring, RefactoringKind};
use super::text::{around, has_heredoc, has_own_brackets, loop_names, newline, on_its_own};
use crate::{Analysis, FilePosition, ModuleId, NodeRef};

/// The functions that evaluate their arguments only if they have to, or tolerate their failure.
const LAZY: [Function; 3] = [Function::Can, Function::Recover, Function::Try];

/// The names that a local cannot have without confusion.
const RESERVED: [&str; 9] = ["args", "error", "false", "for", "if", "in", "null", "range", "true"];

pub(super) fn local(analysis: &Analysis, selection: Span) -> Option<Refactoring> {
    let above = around(analysis, selection);
    let at = if selection.range.is_empty() {
        above.iter().position(|node| is_worth_a_name(*node))?
    } else {
        selected(analysis, &above, selection)?
    };
    let (node, above) = above.get(at..)?.split_first()?;
    let file = selection.file;
    let owner = analysis.node_at(FilePosition::new(file, node.range().start()))?;
    if !is_free(analysis, file, *node, above, owner) {
        return None;
    }
    let declared = analysis.node(owner);
    let syntax = analysis.module(owner.module).syntax(declared);
    let name = free_name(analysis, owner, wanted_name(above, declared));
    let start = syntax.comments().leading.first().map(|it| it.range());
    let start = start.unwrap_or(declared.range).start();
    let newline = newline(analysis, file);
    let gap = match declared.kind {
        NodeKind::Local => newline.to_owned(),
        _ => newline.repeat(2),
    };
    let value = on_its_own(*node);
    let edits = vec![
        TextEdit::insert(file, start, format!("{name} = {value}{gap}")),
        TextEdit::replace(Span::new(file, node.range()), name),
    ];
    let title = "extract into a local";
    Some(Refactoring::new(title, RefactoringKind::Extract, edits))
}

/// The position of the expression that is selected from its first character to its last.
fn selected(analysis: &Analysis, above: &[SyntaxNode<'_>], selection: Span) -> Option<usize> {
    let text = analysis.text(selection);
    let same = |node: &SyntaxNode<'_>| node.text() == text.trim();
    let at = above.iter().position(|node| is_worth_a_name(*node))?;
    above.get(at).is_some_and(same).then_some(at)
}

/// Returns true if a node is an expression that is more than a name.
fn is_worth_a_name(node: SyntaxNode<'_>) -> bool {
    use SyntaxKind as K;
    let kind = node.kind();
    kind.is_expression() && !matches!(kind, K::Literal | K::Name | K::BogusExpr)
}

/// Returns true if the value of an expression is the same before its declaration.
fn is_free(
    analysis: &Analysis,
    file: FileId,
    node: SyntaxNode<'_>,
    above: &[SyntaxNode<'_>],
    owner: NodeRef,
) -> bool {
    let is_written_plainly = !node.contains_error()
        && (has_own_brackets(node) || !has_heredoc(node) || node.kind() == SyntaxKind::Heredoc);
    // Parentheses are not part of the expression in them.
    let mut inner = node;
    while inner.kind() == SyntaxKind::Paren
        && let Some(child) = inner.children().next()
    {
        inner = child;
    }
    let expr = analysis.expr_of(file, inner);
    is_written_plainly
        && is_free_place(analysis, node, above, owner)
        && expr.is_some_and(|expr| is_closed(analysis, file, node, expr))
}

/// Returns true if any expression may be at a place, and is evaluated there in any case.
fn is_free_place(
    analysis: &Analysis,
    node: SyntaxNode<'_>,
    above: &[SyntaxNode<'_>],
    owner: NodeRef,
) -> bool {
    use SyntaxKind as K;
    let declared = analysis.node(owner);
    let kinds = [
        NodeKind::Local,
        NodeKind::Resource,
        NodeKind::Component,
        NodeKind::Read,
        NodeKind::Output,
    ];
    if !kinds.contains(&declared.kind) {
        return false;
    }
    // Components that need each other refer to each other directly.
    let mut groups = analysis.module(owner.module).mutual_components().into_iter();
    if groups.any(|group| group.contains(&owner.node)) {
        return false;
    }
    let mut child = node;
    for parent in above {
        let is_first = parent.children().next() == Some(child);
        let fits = match parent.kind() {
            K::Attribute => {
                let mut names = parent.own_tokens();
                let name = names.next().map_or("", |name| name.text());
                let rule = pcl::language::rule_of(declared.kind);
                let rule = rule.and_then(|rule| rule.attribute(name, None));
                let is_local = declared.kind == NodeKind::Local;
                let is_literal = rule.is_some_and(|rule| rule.takes.is_literal());
                !(is_literal || is_local && child == node || name == "token")
            }
            // The key.
            K::ObjectItem => !is_first,
            K::Conditional => is_first,
            K::Binary => {
                let is_lazy = |token: pcl::syntax::SyntaxToken<'_>| {
                    matches!(token.kind(), K::AndAnd | K::OrOr)
                };
                is_first || !parent.own_tokens().any(is_lazy)
            }
            K::Step | K::SplatIndex | K::SplatMarker => false,
            // A directive chooses what is evaluated.
            K::IfDirective => is_first,
            K::Call => {
                let name = ast::Call::cast(*parent).map(ast::Call::name);
                name.is_some_and(|name| {
                    let function = Function::parse(&name);
                    let is_of_package = matches!(function, Some(Function::Call | Function::Invoke));
                    let is_literal = child == node && node.kind() == K::Template;
                    let is_lazy = function.is_some_and(|function| LAZY.contains(&function));
                    !(is_lazy || is_of_package && is_literal)
                })
            }
            // Options have rules of their own about what they refer to.
            K::Block => match ast::Block::cast(*parent).and_then(ast::Block::keyword) {
                Some(keyword) => keyword.range().start() == declared.range.start(),
                None => false,
            },
            K::BogusItem | K::BogusDirective | K::BogusExpr => false,
            _ => true,
        };
        if !fits {
            return false;
        }
        child = *parent;
    }
    true
}

/// Returns true if each name in an expression is one of the program, or of the expression itself.
fn is_closed(analysis: &Analysis, file: FileId, node: SyntaxNode<'_>, expr: ExprId) -> bool {
    let program = &analysis.checked.program;
    let mut inner = program.exprs.subtree(expr);
    inner.all(|id| {
        let expr = &program.exprs[id];
        let is_known = match &expr.kind {
            ExprKind::Error => false,
            ExprKind::Traversal(traversal) => traversal.definition.is_some_and(|id| {
                let definition = program.scopes.definition(id);
                let is_inside =
                    definition.span.is_some_and(|span| node.range().contains_range(span.range));
                match definition.kind {
                    DefinitionKind::Variable => {
                        is_inside
                            || traversal.root_range.is_empty()
                            || program.types.name(definition.name).is_empty()
                    }
                    DefinitionKind::Constant(_) => true,
                    DefinitionKind::Resource(_) | DefinitionKind::Node(_) => {
                        analysis.node_of(file, id).is_some()
                    }
                    _ => false,
                }
            }),
            _ => true,
        };
        is_known && expr.ty != TypeId::ERROR
    })
}

/// The name of the attribute or key that an expression is the value of.
fn wanted_name<'t>(above: &[SyntaxNode<'t>], declared: &Node) -> &'t str {
    let mut inner = above.iter().filter(|node| node.range() != declared.range);
    let named = inner.find_map(|node| match node.kind() {
        SyntaxKind::Attribute => ast::Attribute::cast(*node)?.name(),
        SyntaxKind::ObjectItem => ast::ObjectItem::cast(*node)?.key_is_bare_name(),
        _ => None,
    });
    named.map_or("value", |token| token.text())
}

/// A name that means nothing in the module yet.
pub(super) fn free_name(analysis: &Analysis, owner: NodeRef, wanted: &str) -> String {
    free_among(&taken_names(analysis, owner.module), wanted)
}

/// The names that mean something in a module.
pub(super) fn taken_names(analysis: &Analysis, module: ModuleId) -> HashSet<&str> {
    let nodes = analysis.module(module).nodes.iter().map(|node| &*node.name);
    nodes.chain(loop_variables(analysis, module)).chain(RESERVED).collect()
}

/// The names of the loop variables of a module.
pub(super) fn loop_variables(analysis: &Analysis, module: ModuleId) -> impl Iterator<Item = &str> {
    analysis.module(module).trees.iter().flat_map(|tree| loop_names(tree.root()))
}

/// The first name that is not taken: the wanted one, or the same with a number.
pub(super) fn free_among(taken: &HashSet<&str>, wanted: &str) -> String {
    let is_taken = |name: &str| taken.contains(name);
    if !is_taken(wanted) {
        return wanted.to_owned();
    }
    let mut numbered = (2_u32..).map(|number| format!("{wanted}{number}"));
    let free = numbered.find(|name| !is_taken(name));
    free.unwrap_or_else(|| wanted.to_owned())
}
