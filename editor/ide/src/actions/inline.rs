//! Puts the value of a local in the place of its name, and removes the local.

use std::collections::HashSet;

use pcl::binder::{NodeBody, NodeKind};
use pcl::diagnostics::{Span, TextEdit, TextRange};
use pcl::model::types::TypeId;
use pcl::syntax::ast::{self, AstNode as _};
use pcl::syntax::{SyntaxKind, SyntaxNode, SyntaxTree};

use super::refactoring::{Refactoring, RefactoringKind};
use super::text::{has_heredoc, is_term, loop_names, on_its_own};
use crate::names::{Name, name_at, references};
use crate::{Analysis, FilePosition, NodeRef};

/// The names that the surroundings of a reference may give a meaning to.
const SURROUNDING: [&str; 3] = ["args", "error", "range"];

pub(super) fn local(analysis: &Analysis, selection: Span) -> Option<Refactoring> {
    let local = local_at(analysis, selection)?;
    let declared = analysis.node(local);
    let NodeBody::Local(bound) = declared.body else { return None };
    let module = analysis.module(local.module);
    let attribute = ast::Attribute::cast(module.syntax(declared))?;
    let value = attribute.value()?.syntax();
    let has_type = analysis.checked.program.exprs[bound].ty != TypeId::ERROR;
    if value.contains_error() || has_heredoc(value) || !has_type {
        return None;
    }
    let names = names_in(value);
    let places = references(analysis, Name::Node(local)).to_vec();
    let is_recursive = places
        .iter()
        .any(|place| place.file == declared.file && declared.range.contains_range(place.range));
    if places.is_empty() || is_recursive {
        return None;
    }
    let mut edits = Vec::new();
    for place in places {
        let tree = analysis.tree(place.file)?;
        let node = tree.covering(place.range);
        let mut above = node.ancestors();
        let around = above.find(|node| node.kind() == SyntaxKind::Attribute);
        let is_broken = around.is_none_or(SyntaxNode::contains_error);
        if node.kind() != SyntaxKind::Name || is_broken || is_hidden(node, &names) {
            return None;
        }
        edits.push(TextEdit::replace(place, in_place(node, value)));
    }
    let tree = analysis.tree(declared.file)?;
    let removed = removal(tree, declared.range);
    edits.push(TextEdit::delete(Span::new(declared.file, removed)));
    let title = format!("inline the local `{}`", declared.name);
    Some(Refactoring::new(title, RefactoringKind::Inline, edits))
}

/// The local whose declaration or reference has a selection in its name.
fn local_at(analysis: &Analysis, selection: Span) -> Option<NodeRef> {
    let touches = |own: TextRange| own.contains_range(selection.range);
    let at = FilePosition::start_of(selection);
    let node = analysis.node_at(at)?;
    let declared = analysis.node(node);
    if declared.kind == NodeKind::Local && touches(declared.name_range) {
        return Some(node);
    }
    let token = analysis.token_at(at)?;
    if token.parent().kind() != SyntaxKind::Name || !touches(token.range()) {
        return None;
    }
    let (Name::Node(found), _) =
        name_at(analysis, FilePosition::new(at.file, token.range().start()))?
    else {
        return None;
    };
    (analysis.node(found).kind == NodeKind::Local).then_some(found)
}

/// The names that a value refers to.
fn names_in(value: SyntaxNode<'_>) -> HashSet<&str> {
    let names = value.descendants();
    let names = names.filter(|node| node.kind() == SyntaxKind::Name);
    names.map(SyntaxNode::text).collect()
}

/// Returns true if a name has another meaning at a place than at the top level.
fn is_hidden(place: SyntaxNode<'_>, names: &HashSet<&str>) -> bool {
    use SyntaxKind as K;
    if SURROUNDING.iter().any(|name| names.contains(name)) {
        return true;
    }
    place.ancestors().any(|node| match node.kind() {
        K::ForTuple | K::ForObject | K::ForDirective => {
            loop_names(node).any(|name| names.contains(name))
        }
        _ => false,
    })
}

/// The text of a value in the place of a name.
fn in_place(name: SyntaxNode<'_>, value: SyntaxNode<'_>) -> String {
    use SyntaxKind as K;
    let parent = name.parent();
    let kind = parent.map(SyntaxNode::kind);
    let needs_term = match kind {
        // Steps bind to what is before them, and operators to what is around them.
        Some(K::Traversal | K::Index | K::Splat) => {
            let is_first = parent.is_some_and(|parent| parent.children().next() == Some(name));
            is_first || value.text().contains('\n')
        }
        Some(K::Binary | K::Unary | K::Conditional) => true,
        // The brackets of a key, a list or an attribute are around it already.
        _ => false,
    };
    let is_flat = matches!(value.kind(), K::Tuple | K::Object | K::ForTuple | K::ForObject)
        && matches!(kind, Some(K::Binary | K::Unary | K::Conditional));
    if needs_term && !is_term(value) && !is_flat {
        format!("({})", value.text())
    } else {
        on_its_own(value)
    }
}

/// The text of a declaration with its line, unless something else is on that line.
fn removal(tree: &SyntaxTree, declared: TextRange) -> TextRange {
    let all = tree.text();
    let before = all.get(..declared.start() as usize).unwrap_or_default();
    let behind = all.get(declared.end() as usize..).unwrap_or_default();
    let rest = behind.trim_start_matches([' ', '\t']);
    let space = behind.len() - rest.len();
    let newline = if rest.starts_with("\r\n") { 2 } else { usize::from(rest.starts_with('\n')) };
    let starts_line = before.is_empty() || before.ends_with('\n');
    let length = if starts_line { space + newline } else { space };
    TextRange::new(declared.start(), declared.end() + length as u32)
}
