//! The keys of objects.

use std::collections::{BTreeMap, HashSet};

use pcl::syntax::ast::{self, AstNode as _};
use pcl::syntax::{is_identifier, quoted};

use super::blocks::properties;
use super::context::{Context, Step};
use super::evidence::Following;
use super::expected::{expected_objects, keys_around};
use super::item::{Completion, CompletionKind};
use crate::Analysis;
use crate::element::key_text;

/// The keys of an object that is being written: the properties of its type or, in a map, the keys
/// that the program's other maps of this name have.
pub(super) fn keys(analysis: &mut Analysis, context: &Context, path: &[Step]) -> Vec<Completion> {
    let objects = expected_objects(analysis, context, path);
    let present = keys_around(analysis, context.at);
    let following = Following::read(analysis, context.at);
    let mut items: Vec<Completion> = Vec::new();
    let mut seen = HashSet::new();
    for ty in objects {
        let own = properties(analysis, ty, " = ", following.as_ref());
        items.extend(own.into_iter().filter(|item| seen.insert(item.label.clone())));
    }
    if items.is_empty() {
        items = keys_of_namesakes(analysis, context, following.is_some());
    }
    items.retain(|item| !present.contains(&item.label));
    items
}

/// The keys of the program's other objects that are values of attributes or keys of this name, each
/// with a sign unless there is one.
fn keys_of_namesakes(analysis: &Analysis, context: &Context, has_sign: bool) -> Vec<Completion> {
    let Some(name) = context.around.last() else { return Vec::new() };
    let trees = analysis.files().filter_map(|file| analysis.tree(file));
    let mut found: BTreeMap<String, u32> = BTreeMap::new();
    for node in trees.flat_map(|tree| tree.root().descendants()) {
        let value = match ast::Attribute::cast(node) {
            Some(own) if own.is_named(name) => own.value(),
            Some(_) => None,
            None => {
                let item = ast::ObjectItem::cast(node);
                item.filter(|&item| key_text(item).is_some_and(|key| key == *name))
                    .and_then(ast::ObjectItem::value)
            }
        };
        let Some(ast::Expr::Object(object)) = value else { continue };
        for key in object.items().filter_map(key_text).filter(|key| !key.is_empty()) {
            *found.entry(key).or_default() += 1;
        }
    }
    let item = |(key, count): (String, u32)| {
        let text = if is_identifier(&key) { key.clone() } else { quoted(&key) };
        let text = if has_sign { text } else { format!("{text} = ") };
        let item = Completion::new(key, CompletionKind::Property);
        item.inserting(text).rank(4).evidence(count)
    };
    found.into_iter().map(item).collect()
}
