//! Declares a name that nothing has: as a config or as a local, or as an output of a component.

use pcl::binder::NodeKind;
use pcl::diagnostics::{Applicability, Code, Diagnostic, Span, TextEdit};
use pcl::language::{self, OPTIONS};
use pcl::model::types::{Type, TypeId, TypeStore};
use pcl::syntax::ast::{self, AstNode as _};
use pcl::syntax::{SyntaxKind, is_identifier};

use super::inputs::placeholder;
use super::items::appended;
use super::text::newline;
use crate::completion::expected_at;
use crate::names::{Name, name_at};
use crate::{Analysis, FilePosition};

/// The edits that declare the name that a diagnostic misses, each with its title.
pub(super) fn missing_name(
    analysis: &mut Analysis,
    diagnostic: &Diagnostic,
) -> Vec<(String, TextEdit)> {
    let primary = diagnostic.primary;
    let name = analysis.text(primary).to_owned();
    let has_fix = diagnostic.fixes.iter().any(|fix| fix.applicability == Applicability::Safe);
    if diagnostic.code != Code::UndefinedVariable || has_fix || !can_be_declared(&name) {
        return Vec::new();
    }
    let Some(is_whole) = is_whole_value(analysis, primary) else { return Vec::new() };
    // The type of a part of a value is not that of the name.
    let at = FilePosition::start_of(primary);
    let ty = if is_whole { expected_at(analysis, at) } else { None };
    let types = &mut analysis.checked.program.types;
    let label = ty.map_or("any", |ty| label(types, ty));
    let value = ty.map_or_else(|| "\"\"".to_owned(), |ty| placeholder(types, ty, 0));
    let newline = newline(analysis, primary.file);
    let config = format!("config {name} \"{label}\" {{{newline}}}{newline}{newline}");
    let Some([of_configs, of_item]) = places(analysis, primary) else { return Vec::new() };
    let insert = |at, text| TextEdit::insert(primary.file, at, text);
    let local = pcl::format::format(&pcl::syntax::parse(format!("{name} = {value}\n")));
    let local = local.unwrap_or_default().replace('\n', newline);
    vec![
        (format!("declare the config `{name}`"), insert(of_configs, config)),
        (format!("declare the local `{name}`"), insert(of_item, local)),
    ]
}

/// The edit that declares the output that a component has not, with its title.
pub(super) fn missing_output(
    analysis: &Analysis,
    diagnostic: &Diagnostic,
) -> Option<(String, TextEdit)> {
    let primary = diagnostic.primary;
    if diagnostic.code != Code::UnknownProperty {
        return None;
    }
    let step = analysis.tree(primary.file)?.covering(primary.range);
    let traversal = step.ancestors().find_map(ast::Traversal::cast)?;
    let first = traversal.steps().next()?;
    let ast::StepKind::Attribute(name) = first.kind() else { return None };
    if !primary.range.contains_range(name.range()) || !is_identifier(name.text()) {
        return None;
    }
    let at = FilePosition::new(primary.file, traversal.range().start());
    let (Name::Node(component), _) = name_at(analysis, at)? else { return None };
    let program = analysis.module(analysis.program_of(component)?);
    let outputs = program.nodes.iter().filter(|node| node.kind == NodeKind::Output);
    let file = outputs.map(|output| output.file).next_back().or(program.files.first().copied())?;
    let newline = newline(analysis, file);
    let name = name.text();
    let text = format!("output {name} {{\n  value = \"\"\n}}\n").replace('\n', newline);
    let title = format!("declare the output `{name}` of `{}`", analysis.node(component).name);
    Some((title, appended(analysis, file, &text, newline)))
}

/// Returns false for the names that mean something already, here or in other languages.
fn can_be_declared(name: &str) -> bool {
    /// The names with a meaning in some blocks of the language, or in other languages.
    const TAKEN: [&str; 9] =
        ["range", "args", "var", "local", "config", "each", "count", "self", "this"];
    let lower = name.to_ascii_lowercase();
    let is_literal = ["true", "false", "null", "none", "nil", "undefined"].contains(&&*lower);
    is_identifier(name)
        && !is_literal
        && !TAKEN.contains(&name)
        && language::function(name).is_none()
}

/// Returns whether a name is the whole value of an attribute, key or element; `None` if it is no
/// value: a label, or the value of an option, where a config or local is of no use.
fn is_whole_value(analysis: &Analysis, name: Span) -> Option<bool> {
    let node = analysis.tree(name.file)?.covering(name.range);
    let ast::Expr::Name(_) = ast::Expr::cast(node)? else { return None };
    let block = node.ancestors().find_map(ast::Block::cast);
    if block.is_some_and(|block| block.has_keyword(OPTIONS.keyword)) {
        return None;
    }
    let parent = node.ancestors().nth(1)?.kind();
    Some(matches!(parent, SyntaxKind::Attribute | SyntaxKind::ObjectItem | SyntaxKind::Tuple))
}

/// The places before the first item that is no config, where configs end, and before the item of a
/// name.
fn places(analysis: &Analysis, name: Span) -> Option<[u32; 2]> {
    let tree = analysis.tree(name.file)?;
    let mut items = tree.file().body().items();
    let item = items.find(|item| item.syntax().range().contains_range(name.range))?;
    let is_config = |item: &ast::Item<'_>| match item {
        ast::Item::Block(block) => {
            ["config", "package", "pulumi"].iter().any(|word| block.has_keyword(word))
        }
        ast::Item::Attribute(_) | ast::Item::Bogus(_) => false,
    };
    let mut items = tree.file().body().items();
    let first = items.find(|item| !is_config(item)).unwrap_or(item);
    // Comments directly above belong to the item.
    let start = |item: ast::Item<'_>| {
        let comments = item.syntax().comments();
        let above = comments.leading.first().map(|comment| comment.range().start());
        above.unwrap_or(item.syntax().range().start())
    };
    Some([first, item].map(start))
}

/// The label of a config for values of a type.
pub(super) fn label(types: &TypeStore, ty: TypeId) -> &'static str {
    let first = |ty: TypeId| match types.get(types.strip(ty)) {
        Type::Union(members) => {
            members.iter().copied().find(|&member| member != TypeId::NONE).unwrap_or(ty)
        }
        _ => types.strip(ty),
    };
    match types.get(types.strip(first(ty))) {
        Type::String | Type::Id | Type::Enum(_) | Type::Const { .. } => "string",
        Type::Int => "int",
        Type::Number => "number",
        Type::Bool => "bool",
        Type::List(element) if first(*element) == TypeId::STRING => "list(string)",
        Type::Map(element) if first(*element) == TypeId::STRING => "map(string)",
        _ => "any",
    }
}
