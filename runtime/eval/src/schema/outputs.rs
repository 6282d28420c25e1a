//! Outputs that a schema promises and an answer lacks.

use pcl_schema::{Properties, PropertySpec, TypeKind, TypeSpec};
use pcl_values::{Output, PropertyMap, PropertyValue};

use super::Facts;
use crate::value::Summary;

/// Adds the properties that an answer lacks: unknown if the answer does not have them yet, else
/// null; secret where the schema says so. Objects inside of it are completed too.
pub(crate) fn complete(
    facts: Facts<'_>,
    properties: &Properties,
    outputs: &mut PropertyMap,
    is_unknown: bool,
) {
    let mut missing = Vec::new();
    for (name, spec) in properties.iter() {
        match outputs.get_mut(name) {
            Some(value) => {
                *value = complete_value(facts, &spec.ty, std::mem::take(value), is_unknown);
            }
            None => missing.push((name.into(), absent(spec, is_unknown))),
        }
    }
    outputs.extend(missing);
}

/// The property of this name as [`complete`] makes it.
pub(crate) fn property(
    facts: Facts<'_>,
    properties: &Properties,
    outputs: &PropertyMap,
    name: &str,
    is_unknown: bool,
) -> Option<PropertyValue> {
    let found = outputs.get(name).cloned();
    let Some(spec) = properties.get(name) else { return found };
    Some(match found {
        Some(value) => complete_value(facts, &spec.ty, value, is_unknown),
        None => absent(spec, is_unknown),
    })
}

/// The summaries of all properties that [`complete`] makes.
pub(crate) fn summaries<'o>(
    facts: Facts<'o>,
    properties: &'o Properties,
    outputs: &'o PropertyMap,
    is_unknown: bool,
) -> impl Iterator<Item = (&'o str, Summary)> {
    let declared = properties.iter().map(move |(name, spec)| {
        let summary = match outputs.get(name) {
            Some(value) => summary(facts, &spec.ty, value, is_unknown),
            None => Summary::of_property(&absent(spec, is_unknown)),
        };
        (name, summary)
    });
    let others = outputs.iter().map(|(name, value)| (&**name, value));
    let others = others.filter(|(name, _)| properties.get(name).is_none());
    declared.chain(others.map(|(name, value)| (name, Summary::of_property(value))))
}

fn absent(spec: &PropertySpec, is_unknown: bool) -> PropertyValue {
    let value = if is_unknown { PropertyValue::UNKNOWN } else { PropertyValue::Null };
    if spec.secret { value.secret() } else { value }
}

/// The summary of what [`complete_value`] makes.
fn summary(facts: Facts<'_>, spec: &TypeSpec, value: &PropertyValue, is_unknown: bool) -> Summary {
    let inner = |spec, value| summary(facts, spec, value, is_unknown);
    match (value, &spec.kind) {
        (PropertyValue::Secret(value), _) => inner(spec, value).marked(),
        (PropertyValue::Output(output), _) => {
            let known = output.value().map(|value| inner(spec, value));
            Summary::of_output(output, known)
        }
        (PropertyValue::Array(elements), TypeKind::Array(element)) => {
            Summary::of_parts(elements.iter().map(|value| inner(element, value)))
        }
        (PropertyValue::Object(fields), TypeKind::Map(element)) => {
            Summary::of_parts(fields.values().map(|value| inner(element, value)))
        }
        (PropertyValue::Object(fields), _) => match facts.object(spec) {
            Some((facts, _, properties)) => {
                let parts = summaries(facts, properties, fields, is_unknown);
                Summary::of_parts(parts.map(|(_, part)| part))
            }
            None => Summary::of_property(value),
        },
        _ => Summary::of_property(value),
    }
}

fn complete_value(
    facts: Facts<'_>,
    spec: &TypeSpec,
    value: PropertyValue,
    is_unknown: bool,
) -> PropertyValue {
    match (value, &spec.kind) {
        (PropertyValue::Secret(inner), _) => {
            complete_value(facts, spec, *inner, is_unknown).secret()
        }
        (PropertyValue::Output(output), _) => {
            let complete = |value| complete_value(facts, spec, value, is_unknown);
            Output::apply(*output, complete).into()
        }
        (PropertyValue::Array(elements), TypeKind::Array(element)) => {
            let complete = |value| complete_value(facts, element, value, is_unknown);
            elements.into_iter().map(complete).collect::<Vec<_>>().into()
        }
        (PropertyValue::Object(fields), TypeKind::Map(element)) => {
            let complete = |value| complete_value(facts, element, value, is_unknown);
            let fields = fields.into_iter().map(|(name, value)| (name, complete(value)));
            fields.collect::<PropertyMap>().into()
        }
        (PropertyValue::Object(mut fields), _) => {
            if let Some((facts, _, properties)) = facts.object(spec) {
                complete(facts, properties, &mut fields, is_unknown);
            }
            fields.into()
        }
        (value, _) => value,
    }
}
