//! Completion: what can be written at a place.

mod blocks;
mod bodies;
mod comments;
mod constants;
mod context;
mod evidence;
mod expected;
mod held;
mod item;
mod keys;
mod labels;
mod members;
mod names;
mod parts;
mod paths;
mod steps;
mod texts;
mod tokens;
mod usual;
mod values;
mod wanted;

use std::cmp::Reverse;

use pcl::diagnostics::{Span, TextRange};
use pcl::model::types::TypeId;

pub(crate) use self::context::{Construct, context, enclosing_call};
pub(crate) use self::evidence::is_provider;
pub use self::item::{Completion, CompletionKind};
use self::item::{MAX_OFFERED, fits};
use crate::{Analysis, FilePosition};

/// The completions at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completions {
    /// The text that each of them replaces.
    pub replaced: Span,
    /// The completions, the best first.
    pub items: Vec<Completion>,
    /// Set if there are more, which typing on reveals.
    pub is_incomplete: bool,
}

/// The type that is expected of the value at a position, if it is in a block.
pub(crate) fn expected_at(analysis: &mut Analysis, at: FilePosition) -> Option<TypeId> {
    let context = context(analysis.tree(at.file)?, at)?;
    match &context.construct {
        Construct::Value { path, .. } => expected::expected(analysis, &context, path),
        _ => None,
    }
}

/// The types of the object whose keys can be written at a position.
pub(crate) fn objects_at(analysis: &mut Analysis, at: FilePosition) -> Vec<TypeId> {
    let Some(context) = analysis.tree(at.file).and_then(|tree| context(tree, at)) else {
        return Vec::new();
    };
    match &context.construct {
        Construct::Key(path) => expected::expected_objects(analysis, &context, path),
        _ => Vec::new(),
    }
}

/// The completions at a position.
pub fn completions(analysis: &mut Analysis, at: FilePosition) -> Option<Completions> {
    if let Some((items, replaced)) = comments::codes(analysis, at) {
        let typed = TextRange::new(replaced.range.start(), at.offset);
        let prefix = analysis.text(Span::new(at.file, typed)).to_owned();
        return Some(best(items, &prefix, replaced));
    }
    let context = context(analysis.tree(at.file)?, at)?;
    let replaced = Span::new(at.file, context.word);
    let items = match &context.construct {
        Construct::Declaration => blocks::declarations(&context.prefix),
        Construct::Label { keyword, index } => labels::labels(analysis, &context, keyword, *index),
        Construct::BodyItem => blocks::items(analysis, &context),
        Construct::Key(path) => keys::keys(analysis, &context, path),
        Construct::Member { dot, path } => members::members(analysis, &context, *dot, path),
        Construct::Value { path, call, is_quoted } => {
            values::values(analysis, &context, path, call.as_ref(), *is_quoted)
        }
    };
    let mut found = best(items, &context.prefix, replaced);
    bodies::add_bodies(analysis, &context, &mut found);
    Some(found)
}

/// The completions that what is typed occurs in, the best first.
pub(crate) fn best(mut items: Vec<Completion>, typed: &str, replaced: Span) -> Completions {
    items.retain_mut(|item| {
        let is_typed = fits(typed, &item.label);
        if !is_typed && item.closeness.is_some() {
            item.filter = Some(typed.to_owned());
        }
        is_typed || item.closeness.is_some()
    });
    items.sort_by(|a, b| {
        let key = |item: &Completion| {
            let closeness = item.closeness.unwrap_or(usize::MAX);
            let is_inside = !item.label.starts_with(typed);
            (is_inside, item.rank, closeness, Reverse(item.evidence))
        };
        key(a).cmp(&key(b)).then_with(|| a.label.cmp(&b.label))
    });
    // What is close to other words is found with them alone.
    let is_close = items.iter().any(|item| item.filter.is_some());
    let is_incomplete = is_close || items.len() > MAX_OFFERED;
    items.truncate(MAX_OFFERED);
    Completions { replaced, items, is_incomplete }
}
