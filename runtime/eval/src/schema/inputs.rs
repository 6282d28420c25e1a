//! Inputs as a schema wants them: converted, with defaults, and with its secrets.
//!
//! The rules, with examples: `tests/spec/run/inputs.md`.

use std::collections::BTreeMap;

use pcl_binder::schema_types::{Field, Fields, SchemaTypes};
use pcl_number::Number;
use pcl_schema::{
    Constant, MemberId, Primitive, Properties, PropertySpec, TypeKind, TypeSpec, UnionSpec,
};
use pcl_values::{Output, PropertyMap, PropertyValue};

use super::{Facts, FactsCache, constant};

/// Converts the inputs of a resource or function.
pub(crate) struct Inputs<'s> {
    /// The environment variables from which defaults come.
    pub environment: &'s BTreeMap<String, String>,
    pub cache: &'s FactsCache,
    /// True if properties that may have only one value get it when they are missing.
    pub fills_constants: bool,
}

impl Inputs<'_> {
    /// The inputs of a member of a package: every value converted to its type, with defaults for
    /// those that are missing, and secret where the schema says so. Other properties stay as they
    /// are.
    pub fn apply(
        &self,
        facts: Facts<'_>,
        member: MemberId,
        properties: &Properties,
        inputs: PropertyMap,
    ) -> PropertyMap {
        self.object(facts, member, properties, inputs, false)
    }

    fn object(
        &self,
        facts: Facts<'_>,
        member: MemberId,
        properties: &Properties,
        mut inputs: PropertyMap,
        inside_secret: bool,
    ) -> PropertyMap {
        let mut missing = Vec::new();
        for (name, spec) in properties.iter() {
            let marked = |value: PropertyValue| {
                let is_marked = matches!(value, PropertyValue::Secret(_));
                if spec.secret && !inside_secret && !is_marked { value.secret() } else { value }
            };
            match inputs.get_mut(name) {
                Some(place) => {
                    let inside_secret = inside_secret || spec.secret;
                    let value = std::mem::take(place);
                    *place = marked(self.value(facts, &spec.ty, value, inside_secret));
                }
                None => {
                    let value = self.missing(facts, member, name, spec);
                    missing.extend(value.map(|value| (name.into(), marked(value))));
                }
            }
        }
        inputs.extend(missing);
        inputs
    }

    /// The value of a property that is missing: the only one that it may have, or its default, from
    /// the first environment variable that is set or as the schema writes it.
    fn missing(
        &self,
        facts: Facts<'_>,
        member: MemberId,
        name: &str,
        spec: &PropertySpec,
    ) -> Option<PropertyValue> {
        if self.fills_constants
            && let Some(only) = &spec.constant
        {
            return Some(constant(only));
        }
        let set = if self.environment.is_empty() {
            None
        } else {
            let facts = self.cache.of(facts, member);
            let mut variables = facts.environment.get(name).into_iter().flatten();
            variables.find_map(|variable| self.environment.get(variable))
        };
        match set {
            Some(text) => {
                let text = PropertyValue::from(text.as_str());
                Some(self.value(facts, &spec.ty, text, true))
            }
            None => spec.default.as_ref().map(constant),
        }
    }

    fn value(
        &self,
        facts: Facts<'_>,
        spec: &TypeSpec,
        value: PropertyValue,
        inside_secret: bool,
    ) -> PropertyValue {
        match (value, &spec.kind) {
            (PropertyValue::Secret(inner), _) => self.value(facts, spec, *inner, true).secret(),
            (PropertyValue::Output(output), _) => {
                let inside_secret = inside_secret || output.is_secret();
                let convert = |value| self.value(facts, spec, value, inside_secret);
                Output::apply(*output, convert).into()
            }
            (value, TypeKind::Union(union)) => self.union(facts, union, value, inside_secret),
            (PropertyValue::Array(elements), TypeKind::Array(element)) => {
                let convert = |value| self.value(facts, element, value, inside_secret);
                elements.into_iter().map(convert).collect::<Vec<_>>().into()
            }
            (PropertyValue::Object(fields), TypeKind::Map(element)) => {
                let fields = fields
                    .into_iter()
                    .map(|(name, value)| (name, self.value(facts, element, value, inside_secret)));
                fields.collect::<PropertyMap>().into()
            }
            (PropertyValue::Object(fields), _) => match facts.object(spec) {
                Some((facts, member, properties)) => {
                    self.object(facts, member, properties, fields, inside_secret).into()
                }
                None => fields.into(),
            },
            (value, TypeKind::Primitive(primitive)) => to_primitive(*primitive, value),
            (value, _) => value,
        }
    }

    /// A list or object as the type of a union to which it belongs, as it is if it does not tell
    /// which that is. A scalar as the first type that leaves it as it is, or else as the first one.
    fn union(
        &self,
        facts: Facts<'_>,
        union: &UnionSpec,
        value: PropertyValue,
        inside_secret: bool,
    ) -> PropertyValue {
        let member = match &value {
            PropertyValue::Object(fields) => {
                facts.schemas.member(facts.package, union, &Of(fields))
            }
            PropertyValue::Array(_) => SchemaTypes::list_member(union),
            _ => {
                let mut first = None;
                for member in &union.elements {
                    let converted = self.value(facts, member, value.clone(), inside_secret);
                    if converted == value {
                        return value;
                    }
                    first.get_or_insert(converted);
                }
                return first.unwrap_or(value);
            }
        };
        match member {
            Some(member) => self.value(facts, member, value, inside_secret),
            None => value,
        }
    }
}

/// The fields of an object.
struct Of<'v>(&'v PropertyMap);

impl Fields for Of<'_> {
    fn all_names(&self, test: &mut dyn FnMut(&str) -> bool) -> bool {
        self.0.keys().all(|name| test(name))
    }

    fn field(&self, name: &str) -> Option<Field> {
        let mut value = self.0.get(name)?;
        while let Some(inner) = match value {
            PropertyValue::Secret(inner) => Some(&**inner),
            PropertyValue::Output(output) => output.value(),
            _ => None,
        } {
            value = inner;
        }
        let constant = match value {
            PropertyValue::Bool(value) => Constant::Boolean(*value),
            PropertyValue::Number(value) => Constant::Number(*value),
            value => match str_of(value) {
                Some(text) => Constant::String(text.into()),
                None => return Some(Field::Other),
            },
        };
        Some(Field::Constant(constant))
    }
}

/// A scalar as one of a primitive type; as it is, if it is none.
fn to_primitive(primitive: Primitive, value: PropertyValue) -> PropertyValue {
    let text = str_of(&value);
    match (primitive, &value) {
        (Primitive::Boolean, PropertyValue::String(_)) => match text.and_then(read_bool) {
            Some(read) => read.into(),
            None => value,
        },
        (Primitive::Integer | Primitive::Number, PropertyValue::String(_)) => {
            let number = text.and_then(Number::from_text).map(|number| number.to_f64());
            match number.filter(|number| number.is_finite()) {
                Some(number) => number.into(),
                None => value,
            }
        }
        (Primitive::String, PropertyValue::Bool(value)) => value.to_string().into(),
        (Primitive::String, PropertyValue::Number(number)) => match Number::from_f64(*number) {
            Some(number) => number.text().into(),
            None => value,
        },
        _ => value,
    }
}

/// The text of a string that is UTF-8.
fn str_of(value: &PropertyValue) -> Option<&str> {
    value.as_text()?.unmarked().as_str()
}

/// The bool that configured text or a string in the place of a bool denotes.
pub(crate) fn read_bool(text: &str) -> Option<bool> {
    match text {
        "1" | "t" | "T" | "TRUE" | "true" | "True" => Some(true),
        "0" | "f" | "F" | "FALSE" | "false" | "False" => Some(false),
        _ => None,
    }
}
