//! Values: constants, names and functions.

use pcl::language;
use pcl::language::{Function, Takes};
use pcl::model::functions::usage;
use pcl::schema::Section;

use super::blocks::{input_type, properties, rule_of};
use super::constants::constants;
use super::context::{Call, Context, Step};
use super::item::{Completion, CompletionKind};
use super::labels::quoted;
use super::names::names;
use super::paths::files;
use super::texts::texts;
use super::tokens::{standard_functions, tokens};
use super::wanted::Wanted;
use crate::Analysis;

/// The values that can be written at a position.
pub(super) fn values(
    analysis: &mut Analysis,
    context: &Context,
    path: &[Step],
    call: Option<&(Call, usize)>,
    is_quoted: bool,
) -> Vec<Completion> {
    if call.is_some_and(|(call, argument)| call.name == Function::Invoke.name() && *argument == 0) {
        let found = tokens(analysis, context, Section::Functions);
        return found.into_iter().map(quoted).collect();
    }
    if let Some((call, 0)) = call
        && is_quoted
    {
        let found = files(analysis, context, call);
        if !found.is_empty() {
            return found.into_iter().map(quoted).collect();
        }
    }
    let wanted = Wanted::read(analysis, context, path);
    let mut items = match wanted.ty {
        Some(ty) => constants(analysis, context, ty),
        None => Vec::new(),
    };
    if let [Step::Name(name)] = path {
        items.extend(texts(analysis, context, name));
    }
    if is_quoted {
        items.retain(|item| item.text.starts_with('"'));
        return items;
    }
    let attribute = rule_of(context).and_then(|rule| match path.first()? {
        Step::Name(name) => rule.attribute(name, None),
        Step::Element => None,
    });
    if attribute.is_some_and(|attribute| matches!(attribute.takes, Takes::Properties)) {
        let ty = input_type(analysis, context);
        let named = ty.map(|ty| properties(analysis, ty, "", None)).unwrap_or_default();
        let plain = |item: Completion| Completion { snippet: None, ..item };
        return named.into_iter().map(plain).collect();
    }
    names(analysis, context.at, &wanted, &mut items);
    if wanted.is_resource {
        return items;
    }
    for (word, evidence) in [("true", 2), ("false", 1), ("null", 0)] {
        if items.iter().all(|item| item.label != word) {
            let item = Completion::new(word, CompletionKind::Keyword);
            items.push(item.rank(5).evidence(evidence));
        }
    }
    items.extend(language::functions().map(|row| {
        Completion::new(row.name, CompletionKind::Function)
            .detail(usage(row))
            .inserting(format!("{}(", row.name))
            .snippet(format!("{}($1)", row.name))
            .documented(row.summary)
            .rank(6)
    }));
    items.extend(standard_functions(analysis, &context.prefix));
    items
}
