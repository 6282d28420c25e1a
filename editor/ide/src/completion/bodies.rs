//! The body that comes with a token: the required inputs, with places for their values.

use pcl::binder::schema_types::{Lookup, Shape};
use pcl::model::types::TypeId;
use pcl::schema::{PackageRequest, Section};
use pcl::syntax::{is_identifier, quoted};

use super::Completions;
use super::blocks::placeholder;
use super::context::{Construct, Context};
use super::item::{Completion, CompletionKind, snippet_text};
use crate::Analysis;

/// The number of completions that get a body: those that an editor shows at once.
const MOST: usize = 20;

/// Lets the first tokens among the completions write the body of the resource, or the arguments of
/// the function, if nothing is behind the place yet.
pub(super) fn add_bodies(analysis: &mut Analysis, context: &Context, found: &mut Completions) {
    let Some(tree) = analysis.tree(context.at.file) else { return };
    let rest = tree.text().get(found.replaced.range.end() as usize..).unwrap_or_default();
    let line = rest.lines().next().unwrap_or_default().trim();
    let has_end = rest.trim_start().starts_with(')');
    let (section, shape) = match &context.construct {
        Construct::Label { keyword, .. } if line.is_empty() && keyword == "read" => {
            (Section::Resources, Shape::ReadInputs)
        }
        Construct::Label { .. } if line.is_empty() => (Section::Resources, Shape::ResourceInputs),
        Construct::Value { .. } if line.is_empty() || has_end => {
            (Section::Functions, Shape::FunctionInputs)
        }
        _ => return,
    };
    let is_token =
        |item: &&mut Completion| item.kind == CompletionKind::Type && item.token.is_some();
    for item in found.items.iter_mut().filter(is_token).take(MOST) {
        let token = item.token.clone().unwrap_or_default();
        let Some(inputs) = inputs(analysis, (section, shape), &token) else { continue };
        let lines = required(analysis, inputs);
        let text = &item.text;
        let snippet = match (section, lines.is_empty()) {
            (Section::Resources, true) => format!("{text} {{\n  $0\n}}"),
            (Section::Resources, false) => format!("{text} {{\n{lines}}}"),
            (_, true) => format!("{text}, {{$1}}"),
            (_, false) => format!("{text}, {{\n{lines}}}"),
        };
        let end = if section == Section::Functions && !has_end { ")" } else { "" };
        item.snippet = Some(snippet + end);
    }
}

/// The type of the inputs of a member.
fn inputs(
    analysis: &mut Analysis,
    (section, shape): (Section, Shape),
    token: &str,
) -> Option<TypeId> {
    let program = &mut analysis.checked.program;
    let schemas = &program.schemas;
    let package = token.split(':').next()?;
    let index = schemas.packages().load(&PackageRequest::new(package)).ok()?;
    let lookup = match section {
        Section::Functions => schemas.lookup_function(index, token),
        _ => schemas.lookup_resource(index, token),
    };
    let Lookup::Found(found) = lookup else { return None };
    Some(schemas.object(&mut program.types, found.package, found.member, shape))
}

/// A line for each required property of an object type, with a place of a snippet for its value.
fn required(analysis: &mut Analysis, ty: TypeId) -> String {
    let types = &mut analysis.checked.program.types;
    let properties = types.properties(ty);
    let properties = properties.iter().flat_map(|properties| properties.iter().copied());
    let properties: Vec<_> = properties.collect();
    let mut lines = String::new();
    let mut place = 0;
    for (symbol, ty) in properties {
        if types.assignable(ty, TypeId::NONE) {
            continue;
        }
        place += 1;
        let name = types.name(symbol);
        let name = if is_identifier(name) { name.to_owned() } else { snippet_text(&quoted(name)) };
        let value = placeholder(types, ty).replace("$1", &format!("${place}"));
        let value = value.replace("${1|", &format!("${{{place}|")).replace('\n', "\n  ");
        lines.push_str(&format!("  {name} = {value}\n"));
    }
    lines
}
