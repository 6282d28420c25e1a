//! The values of enumerations, and constants.

use std::collections::BTreeSet;

use pcl::model::types::{Type, TypeId, TypeStore};
use pcl::model::value::Constant;
use pcl::syntax::ast::{self, AstNode as _};
use pcl::syntax::quoted;

use super::context::Context;
use super::evidence::{SAME, likeness, name_in, words};
use super::item::{Completion, CompletionKind};
use super::usual::{self, frequency};
use crate::Analysis;
use crate::element::key_text;

/// The constants that a type has: those that the program has elsewhere come first, then those whose
/// words are around, those that programs use most, and then others in the order of the schema.
pub(super) fn constants(analysis: &Analysis, context: &Context, ty: TypeId) -> Vec<Completion> {
    let mut found = Vec::new();
    collect(&analysis.checked.program.types, ty, &mut found);
    let mut seen = BTreeSet::new();
    found.retain(|constant| seen.insert(constant.to_string()));
    let around = if found.len() > 1 { Around::read(analysis, context) } else { Around::default() };
    let count = found.len();
    let item = |(at, constant): (usize, Constant)| {
        let text = text_of(&constant)?;
        let label = match &constant {
            Constant::String(text) => text.to_string(),
            _ => text.clone(),
        };
        let order = (10 * (count - at) / count) as u32;
        let evidence = order + around.evidence(&constant, &label);
        let item = Completion::new(label, CompletionKind::Value).inserting(text);
        Some(item.rank(1).evidence(evidence))
    };
    found.into_iter().enumerate().filter_map(item).collect()
}

fn collect(types: &TypeStore, ty: TypeId, found: &mut Vec<Constant>) {
    match types.get(types.strip(ty)) {
        Type::Enum(enumeration) => found.extend(enumeration.values.iter().cloned()),
        Type::Const { value, .. } => found.push(value.clone()),
        Type::Bool => found.extend([true, false].map(Constant::from)),
        Type::Union(members) => {
            for &member in members.iter() {
                collect(types, member, found);
            }
        }
        _ => {}
    }
}

/// A constant as it is written.
fn text_of(constant: &Constant) -> Option<String> {
    match constant {
        Constant::String(text) => Some(quoted(text)),
        Constant::Bool(value) => Some(value.to_string()),
        Constant::Number(number) => Some(number.to_string()),
        Constant::Null => None,
    }
}

/// The texts that tell which constant is meant.
#[derive(Default)]
struct Around {
    /// The words of the name of the block, and of each text and key beside the value.
    names: Vec<Vec<String>>,
    /// The strings that the program has as values of attributes or keys of the same name.
    used: BTreeSet<String>,
    /// The strings beside the value, in the same list.
    beside: BTreeSet<String>,
}

impl Around {
    fn read(analysis: &Analysis, context: &Context) -> Self {
        let mut around = Self::default();
        let labels = context.blocks.first().into_iter().flat_map(|block| &block.labels);
        around.names.extend(labels.map(|label| words(name_in(label))));
        let Some(tree) = analysis.tree(context.at.file) else { return around };
        let own = tree.token_at(context.at.offset).parent();
        for node in own.ancestors() {
            if let Some(list) = ast::Tuple::cast(node) {
                around.beside.extend(list.elements().filter_map(string));
            }
            if let Some(object) = ast::Object::cast(node) {
                for item in object.items() {
                    around.read_item(item.key().map(|key| key.syntax().text()), item.value());
                }
                break;
            }
            if let Some(body) = ast::Body::cast(node) {
                for attribute in body.attributes() {
                    around.read_item(attribute.name().map(|name| name.text()), attribute.value());
                }
                break;
            }
        }
        let Some(name) = context.around.last() else { return around };
        for node in tree.root().descendants() {
            let value = match (ast::Attribute::cast(node), ast::ObjectItem::cast(node)) {
                (Some(own), _) if own.is_named(name) => own.value(),
                (None, Some(item)) => {
                    item.value().filter(|_| key_text(item).is_some_and(|key| key == *name))
                }
                _ => None,
            };
            around.used.extend(value.and_then(string));
        }
        around
    }

    fn read_item(&mut self, key: Option<&str>, value: Option<ast::Expr<'_>>) {
        /// Longer texts are free text.
        const LONGEST: usize = 60;
        let value = value.and_then(string).filter(|text| text.len() <= LONGEST);
        self.names.extend(value.map(|text| words(&text)));
        self.names.extend(key.map(words));
    }

    fn evidence(&self, constant: &Constant, label: &str) -> u32 {
        if *constant == Constant::Bool(true) {
            return SAME / 10;
        }
        let own = words(label);
        let likeness = self.names.iter().map(|name| likeness(&own, name)).max();
        let mut evidence = likeness.unwrap_or_default();
        if self.used.contains(label) {
            evidence += SAME;
        }
        // A list rarely has a value twice.
        if self.beside.contains(label) {
            return 0;
        }
        evidence += 4 * frequency(&usual::VALUES, &label.to_lowercase());
        evidence.saturating_sub(4 * frequency(&usual::EMPTY_VALUES, &label.to_lowercase()))
    }
}

/// The text of a string without interpolations.
fn string(expr: ast::Expr<'_>) -> Option<String> {
    match expr {
        ast::Expr::Template(text) => text.literal().map(|text| text.into_owned()),
        _ => None,
    }
}
