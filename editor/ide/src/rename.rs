//! Renaming: the edits that give a name another text, if the program keeps its meaning.

use pcl::diagnostics::{FileId, Span};
use pcl::model::expression::ExprKind;
use pcl::syntax::is_identifier;

use crate::names::{self, Name, declaration, name_at, references};
use crate::{Analysis, ModuleId};

/// The reason why a name cannot be changed, for people.
pub type Refusal = String;

/// The name at a place that can be renamed, with the range of the word there.
///
/// # Errors
/// Returns the reason if there is no such name.
pub fn renamable(analysis: &Analysis, file: FileId, offset: u32) -> Result<(Name, Span), Refusal> {
    let refusal = || "only names that the program declares can be renamed".to_owned();
    let (name, span) = name_at(analysis, file, offset).ok_or_else(refusal)?;
    match name {
        Name::Range(_) => Err("`range` is a word of the language".to_owned()),
        _ => Ok((name, span)),
    }
}

/// The places whose text a renaming replaces: the declaration and every reference.
///
/// A name that is known outside of the program, such as that of a config variable or a resource,
/// changes there too, as it does when people rename by hand.
///
/// # Errors
/// Returns the reason if the new name is none, or if something else would get its meaning.
pub fn rename(analysis: &Analysis, name: Name, new: &str) -> Result<Vec<Span>, Refusal> {
    if !is_identifier(new) || ["true", "false", "null"].contains(&new) {
        return Err(format!("`{new}` is not a name"));
    }
    let mut spans: Vec<Span> = declaration(analysis, name).into_iter().collect();
    spans.extend(references(analysis, name));
    if new == names::text(analysis, name) {
        return Ok(spans);
    }
    let clash = |what: &str| Err(format!("{what} is named `{new}` already"));
    let module = match name {
        Name::Node(node) => Some(node.module),
        Name::Variable(span) => analysis.module_of(span.file),
        Name::Range(_) => None,
    };
    if let Some(module) = module
        && is_declared(analysis, module, new)
    {
        return clash("another declaration");
    }
    if hides(analysis, &spans, new) {
        return clash("a variable of a loop around a reference");
    }
    if new == "range" || new == "args" {
        return Err(format!("`{new}` has a meaning of its own in some blocks"));
    }
    Ok(spans)
}

fn is_declared(analysis: &Analysis, module: ModuleId, name: &str) -> bool {
    let mut nodes = analysis.module(module).nodes.iter();
    nodes.any(|node| *node.name == *name)
}

/// Returns whether a loop that contains one of these places has a variable of a name, or a variable
/// among them is declared in a loop that contains such a loop.
fn hides(analysis: &Analysis, spans: &[Span], name: &str) -> bool {
    let program = &analysis.checked.program;
    program.exprs.iter().any(|(_, expr)| {
        let ExprKind::For(for_expr) = &expr.kind else {
            return false;
        };
        let variables = [for_expr.key_variable, for_expr.value_variable];
        let mut variables = variables.into_iter().flatten();
        let is_named = variables
            .any(|variable| program.types.name(program.scopes.definition(variable).name) == name);
        let contains = |span: &Span| {
            span.file == expr.file
                && expr.range.start() <= span.range.start()
                && span.range.end() <= expr.range.end()
        };
        is_named && spans.iter().any(contains)
    })
}
