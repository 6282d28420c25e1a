//! Declares a name that nothing has: as a config or as a local.

use pcl::diagnostics::{Code, Diagnostic, Span, TextEdit};
use pcl::model::types::{Type, TypeId, TypeStore};
use pcl::syntax::ast;
use pcl::syntax::is_identifier;

use super::inputs::placeholder;
use super::newline;
use crate::completion::expected_at;
use crate::{Analysis, FilePosition};

/// The edits that declare the name that a diagnostic misses, each with its title.
pub(super) fn missing_name(
    analysis: &mut Analysis,
    diagnostic: &Diagnostic,
) -> Vec<(String, TextEdit)> {
    let primary = diagnostic.primary;
    let name = analysis.text(primary).to_owned();
    if diagnostic.code != Code::UndefinedVariable || !is_identifier(&name) {
        return Vec::new();
    }
    let ty = expected_at(analysis, FilePosition::start_of(primary));
    let types = &mut analysis.checked.program.types;
    let label = ty.map_or("any", |ty| label(types, ty));
    let value = ty.map_or_else(|| "\"\"".to_owned(), |ty| placeholder(types, ty, 0));
    let newline = newline(analysis, primary.file);
    let config = format!("config {name} \"{label}\" {{{newline}}}{newline}{newline}");
    let Some([of_configs, of_item]) = places(analysis, primary) else { return Vec::new() };
    let insert = |at, text| TextEdit::insert(primary.file, at, text);
    let local = format!("{name} = {}{newline}", value.replace('\n', newline));
    vec![
        (format!("declare the config `{name}`"), insert(of_configs, config)),
        (format!("declare the local `{name}`"), insert(of_item, local)),
    ]
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
    Some([first, item].map(|item| start_with_comments(tree.text(), item.syntax().range().start())))
}

/// The start of the lines of comments directly above an item.
fn start_with_comments(text: &str, start: u32) -> u32 {
    let before = text.get(..start as usize).unwrap_or_default();
    let mut at = before.rfind('\n').map_or(0, |end| end + 1);
    loop {
        let above = before.get(..at.saturating_sub(1)).unwrap_or_default();
        let line = above.rfind('\n').map_or(0, |end| end + 1);
        let comment = above.get(line..).unwrap_or_default().trim_start();
        if at == 0 || !comment.starts_with(['#', '/']) {
            return at as u32;
        }
        at = line;
    }
}

/// The label of a config for values of a type.
fn label(types: &TypeStore, ty: TypeId) -> &'static str {
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
