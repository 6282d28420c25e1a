//! Completion: what can be written at a place.

mod blocks;
mod constants;
mod context;
mod evidence;
mod expected;
mod item;
mod keys;
mod labels;
mod members;
mod names;
mod parts;
mod tokens;
mod usual;
mod values;
mod wanted;

use std::cmp::Reverse;

use pcl::diagnostics::Span;

pub(crate) use self::context::{Construct, context, enclosing_call};
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

/// The completions at a position.
pub fn completions(analysis: &mut Analysis, at: FilePosition) -> Option<Completions> {
    let context = context(analysis.tree(at.file)?, at)?;
    let replaced = Span::new(at.file, context.word);
    let mut items = match &context.construct {
        Construct::Declaration => blocks::declarations(),
        Construct::Label { keyword, index } => labels::labels(analysis, &context, keyword, *index),
        Construct::BodyItem => blocks::items(analysis, &context),
        Construct::Key(path) => keys::keys(analysis, &context, path),
        Construct::Member { dot, path } => members::members(analysis, &context, *dot, path),
        Construct::Value { path, call, is_quoted } => {
            values::values(analysis, &context, path, call.as_ref(), *is_quoted)
        }
    };
    items.retain_mut(|item| {
        let is_typed = fits(&context.prefix, &item.label);
        if !is_typed && item.closeness.is_some() {
            item.filter = Some(context.prefix.clone());
        }
        is_typed || item.closeness.is_some()
    });
    items.sort_by(|a, b| {
        let key = |item: &Completion| {
            let closeness = item.closeness.unwrap_or(usize::MAX);
            let is_inside = !item.label.starts_with(&context.prefix);
            (item.rank, is_inside, closeness, Reverse(item.evidence))
        };
        key(a).cmp(&key(b)).then_with(|| a.label.cmp(&b.label))
    });
    // What is close to other words is found with them alone.
    let is_close = items.iter().any(|item| item.filter.is_some());
    let is_incomplete = is_close || items.len() > MAX_OFFERED;
    items.truncate(MAX_OFFERED);
    Some(Completions { replaced, items, is_incomplete })
}
