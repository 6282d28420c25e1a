//! The type that the place of an expression expects: propagated from the types of attributes,
//! configs, outputs and parameters down into literals.

use super::expression::{ExpressionKind, ObjectItem};
use super::node::Body;
use super::types::Type;
use super::{Document, Module};
use crate::document::place::{ExpressionIndex, TypeIndex};
use pcl_language::Function;

/// Fills in [`Expression::expected`](super::Expression::expected).
/// `wanted` says it of values whose type no type of the document says.
pub(super) fn fill(document: &mut Document, wanted: Vec<(ExpressionIndex, TypeIndex)>) {
    let mut walk =
        Walk { expected: vec![None; document.expressions.len()], open: wanted, document };
    for module in walk.document.modules() {
        walk.open.extend(seeds(walk.document, module));
    }
    for expression in &walk.document.expressions {
        if let ExpressionKind::Call(call) = &expression.kind {
            let parameter = |at| call.parameters.get(at).or(call.variadic.as_ref());
            let seed = |(at, &argument)| Some((argument, parameter(at)?.ty));
            walk.open.extend(call.arguments.iter().enumerate().filter_map(seed));
        }
    }
    // What a conversion was made for counts where no attribute says it, as in an apply.
    for expression in &walk.document.expressions {
        if let ExpressionKind::Convert { value } = expression.kind {
            walk.open.push((value, expression.ty));
        }
    }
    // The first type that is found for an expression counts, and attributes come first.
    walk.open.reverse();
    while let Some((expression, ty)) = walk.open.pop() {
        walk.visit(expression, ty);
    }
    let expected = walk.expected;
    for (expression, expected) in document.expressions.iter_mut().zip(expected) {
        expression.expected = expected;
    }
}

fn seeds(document: &Document, module: &Module) -> Vec<(ExpressionIndex, TypeIndex)> {
    let mut seeds = Vec::new();
    for node in &module.nodes {
        match &node.body {
            Body::Config(config) => {
                seeds.extend(config.default.map(|default| (default, node.ty)));
            }
            Body::Output { value: Some(value) } => seeds.push((*value, node.ty)),
            Body::Resource(resource) | Body::Read(resource) => {
                seeds.extend(attributes(document, &resource.inputs, resource.input_type));
            }
            Body::Component(component) => {
                seeds.extend(attributes(document, &component.inputs, component.input_type));
            }
            _ => {}
        }
    }
    seeds
}

fn attributes(
    document: &Document,
    attributes: &[super::Attribute],
    inputs: Option<TypeIndex>,
) -> impl Iterator<Item = (ExpressionIndex, TypeIndex)> {
    attributes.iter().filter_map(move |attribute| {
        let property = document.property(inputs?, &attribute.name)?;
        Some((attribute.value, property.ty))
    })
}

struct Walk<'d> {
    document: &'d Document,
    expected: Vec<Option<TypeIndex>>,
    open: Vec<(ExpressionIndex, TypeIndex)>,
}

impl Walk<'_> {
    fn visit(&mut self, expression: ExpressionIndex, ty: TypeIndex) {
        if matches!(self.document.ty(ty), Type::Dynamic | Type::Error) {
            return;
        }
        let Some(None) = self.expected.get(expression.index()) else { return };
        let mut expected = ty;
        match &self.document.expression(expression).kind {
            ExpressionKind::Object { items } => {
                if let Some(chosen) = self.choose(ty, items) {
                    expected = chosen;
                    self.items(chosen, items);
                }
            }
            ExpressionKind::Tuple { elements } => self.elements(ty, elements),
            ExpressionKind::Conditional { if_true, if_false, .. } => {
                self.open.extend([(*if_false, ty), (*if_true, ty)])
            }
            ExpressionKind::For(each) if !each.groups => {
                let element = self.part(ty, |ty| match (ty, each.key) {
                    (Type::List { element } | Type::Set { element }, None)
                    | (Type::Map { element }, Some(_)) => Some(*element),
                    _ => None,
                });
                self.open.extend(element.map(|element| (each.value, element)));
            }
            ExpressionKind::Convert { value: part } | ExpressionKind::Apply { body: part, .. } => {
                self.open.push((*part, ty));
            }
            // They give back what they are given, marked.
            ExpressionKind::Call(call)
                if matches!(call.function(), Some(Function::Secret | Function::Unsecret)) =>
            {
                let first = call.arguments.first();
                self.open.extend(first.map(|&first| (first, ty)));
            }
            _ => {}
        }
        if let Some(slot) = self.expected.get_mut(expression.index()) {
            *slot = Some(expected);
        }
    }

    /// Selects the object or map type that an object literal becomes, among those that a type
    /// allows.
    fn choose(&self, ty: TypeIndex, items: &[ObjectItem]) -> Option<TypeIndex> {
        let document = self.document;
        let choices = document.choices(ty, |ty| matches!(ty, Type::Object(_) | Type::Map { .. }));
        if let [only] = choices.types[..] {
            return Some(only);
        }
        let written = |name: &str| {
            let named = |item: &&ObjectItem| document.key_text(item.key).as_deref() == Some(name);
            items.iter().find(named)
        };
        for discriminator in &choices.discriminators {
            let value = written(&discriminator.property).map(|item| item.value);
            let value = value.and_then(|value| document.literal_string(value));
            let mut variants = discriminator.variants.iter();
            if let Some(variant) = variants.find(|variant| Some(variant.value.as_str()) == value) {
                return Some(variant.ty);
            }
        }
        let knows_all = |ty: TypeIndex| match document.ty(ty) {
            Type::Object(_) => items.iter().all(|item| {
                let key = document.key_text(item.key);
                key.is_none_or(|key| document.property(ty, &key).is_some())
            }),
            _ => true,
        };
        let has_all = |ty: TypeIndex| match document.ty(ty) {
            Type::Object(_) => (document.properties(ty).iter())
                .all(|property| !property.required || written(&property.name).is_some()),
            _ => false,
        };
        let mut known = choices.types.iter().copied().filter(|&ty| knows_all(ty));
        let first = known.clone().next();
        known.find(|&ty| has_all(ty)).or(first)
    }

    fn items(&mut self, ty: TypeIndex, items: &[ObjectItem]) {
        let document = self.document;
        for item in items {
            let value = match document.ty(ty) {
                Type::Map { element } => Some(*element),
                Type::Object(_) => {
                    let key = document.key_text(item.key);
                    key.and_then(|key| Some(document.property(ty, &key)?.ty))
                }
                _ => None,
            };
            self.open.extend(value.map(|ty| (item.value, ty)));
        }
    }

    fn elements(&mut self, ty: TypeIndex, elements: &[ExpressionIndex]) {
        let element = self.part(ty, |ty| match ty {
            Type::List { element } | Type::Set { element } => Some(*element),
            _ => None,
        });
        if let Some(element) = element {
            self.open.extend(elements.iter().map(|&value| (value, element)));
            return;
        }
        let tuple = self.document.choices(ty, |ty| matches!(ty, Type::Tuple { .. }));
        if let Some(&tuple) = tuple.types.first()
            && let Type::Tuple { elements: types } = self.document.ty(tuple)
        {
            let pairs = elements.iter().copied().zip(types.iter().copied());
            self.open.extend(pairs);
        }
    }

    /// The part that `pick` takes of the first type among those that `ty` allows.
    fn part(&self, ty: TypeIndex, pick: impl Fn(&Type) -> Option<TypeIndex>) -> Option<TypeIndex> {
        let choices = self.document.choices(ty, |ty| pick(ty).is_some());
        pick(self.document.ty(*choices.types.first()?))
    }
}
