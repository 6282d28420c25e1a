//! Outputs that a schema promises and an answer lacks.

use pcl_schema::{Properties, TypeKind, TypeSpec};
use pcl_values::{Output, PropertyMap, PropertyValue};

use super::Facts;

/// Adds the properties that an answer lacks: unknown if the answer does not have them yet, else
/// null; secret where the schema says so. Objects inside of it are completed too.
pub(crate) fn complete(
    facts: Facts<'_>,
    properties: &Properties,
    outputs: &mut PropertyMap,
    is_unknown: bool,
) {
    for (name, spec) in properties.iter() {
        match outputs.remove(name) {
            Some(value) => {
                let value = complete_value(facts, &spec.ty, value, is_unknown);
                outputs.insert(name.to_owned(), value);
            }
            None => {
                let missing = match is_unknown {
                    true => PropertyValue::UNKNOWN,
                    false => PropertyValue::Null,
                };
                let missing = match spec.secret {
                    true => missing.secret(),
                    false => missing,
                };
                outputs.insert(name.to_owned(), missing);
            }
        }
    }
}

fn complete_value(
    facts: Facts<'_>,
    spec: &TypeSpec,
    value: PropertyValue,
    is_unknown: bool,
) -> PropertyValue {
    match value {
        PropertyValue::Secret(inner) => complete_value(facts, spec, *inner, is_unknown).secret(),
        PropertyValue::Output(output) => {
            let complete = |value| complete_value(facts, spec, value, is_unknown);
            Output::apply(*output, complete).into()
        }
        PropertyValue::Array(elements) => match &spec.kind {
            TypeKind::Array(element) => {
                let complete = |value| complete_value(facts, element, value, is_unknown);
                elements
                    .into_iter()
                    .map(complete)
                    .collect::<Vec<_>>()
                    .into()
            }
            _ => PropertyValue::Array(elements),
        },
        PropertyValue::Object(mut fields) => match &spec.kind {
            TypeKind::Map(element) => {
                let fields = fields
                    .into_iter()
                    .map(|(name, value)| (name, complete_value(facts, element, value, is_unknown)));
                fields.collect::<PropertyMap>().into()
            }
            _ => {
                if let Some((facts, _, properties)) = facts.object(spec) {
                    complete(facts, properties, &mut fields, is_unknown);
                }
                PropertyValue::Object(fields)
            }
        },
        value => value,
    }
}
