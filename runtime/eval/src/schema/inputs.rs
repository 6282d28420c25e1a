//! Inputs as a schema wants them: converted, with defaults, and with its secrets.
//!
//! The rules, with examples: `tests/spec/run/inputs.md`.

use std::collections::BTreeMap;
use std::sync::Arc;

use pcl_binder::schema_types::{Field, Fields, SchemaTypes};
use pcl_number::Number;
use pcl_schema::{
    Constant, MemberId, Primitive, Properties, PropertySpec, TypeKind, TypeSpec, UnionSpec,
};
use pcl_values::{Output, PropertyMap, PropertyValue};

use super::{Facts, FactsCache, constant};
use crate::value::{Kind, Value};

/// The way in which the inputs of a resource or function are converted.
pub(crate) struct Inputs<'s> {
    /// The environment variables from which defaults come.
    pub environment: &'s BTreeMap<String, String>,
    pub cache: &'s FactsCache,
    /// True if properties that may have only one value get it when they are missing.
    pub fills_constants: bool,
}

/// A text that is none of the numbers or bools that its place takes.
#[derive(Debug)]
pub(crate) struct Unreadable {
    /// The input, as `size` or `cfg.depth[2]`.
    pub path: String,
    /// The values that the place takes, as in "a number".
    pub wanted: &'static str,
    /// The text; `None` if it is secret.
    pub text: Option<String>,
}

impl Unreadable {
    /// The same inside of a property.
    fn within(mut self, name: &str) -> Self {
        let separator = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        self.path = format!("{name}{separator}{}", self.path);
        self
    }
}

impl Inputs<'_> {
    /// The inputs of a member of a package: every value converted to its type, with defaults for
    /// those that are missing, and secret where the schema says so. Other properties stay as they
    /// are.
    ///
    /// # Errors
    /// Returns the first text that is no number or bool where one is needed.
    pub fn apply(
        &self,
        facts: Facts<'_>,
        member: MemberId,
        properties: &Properties,
        inputs: PropertyMap,
    ) -> Result<PropertyMap, Unreadable> {
        self.object(facts, member, properties, inputs, false)
    }

    /// Returns true if some of these inputs may be texts where numbers or bools are needed, so that
    /// [`apply`](Self::apply) may refuse them.
    pub fn may_refuse(
        facts: Facts<'_>,
        properties: &Properties,
        inputs: &[(Arc<str>, Value)],
    ) -> bool {
        // Most inputs are no texts, and have no parts: they are looked up nowhere.
        let may_be_text =
            |value: &Value| matches!(value.kind, Kind::String(_) | Kind::List(_) | Kind::Object(_));
        let given = inputs.iter().filter(|(_, value)| may_be_text(value));
        let mut open: Vec<(Facts<'_>, &TypeSpec, &Value)> = given
            .filter_map(|(name, value)| Some((facts, &properties.get(name)?.ty, value)))
            .filter(|(_, spec, _)| !matches!(spec.kind, TypeKind::Primitive(Primitive::String)))
            .collect();
        while let Some((facts, spec, value)) = open.pop() {
            match (&value.kind, &spec.kind) {
                (Kind::String(_), TypeKind::Primitive(Primitive::String)) => {}
                (Kind::String(_), TypeKind::Primitive(_)) => return true,
                // Lists and maps of texts may be long, and many resources may share one.
                (_, TypeKind::Array(element) | TypeKind::Map(element))
                    if matches!(element.kind, TypeKind::Primitive(Primitive::String)) => {}
                (Kind::List(list), TypeKind::Array(element)) => {
                    open.extend(list.elements().iter().map(|value| (facts, &**element, value)));
                }
                (Kind::Object(fields), TypeKind::Map(element)) => {
                    open.extend(fields.iter().map(|(_, value)| (facts, &**element, value)));
                }
                // The types of a union are told apart when it is converted.
                (Kind::List(_) | Kind::Object(_), TypeKind::Union(_)) => return true,
                (Kind::Object(fields), _) => {
                    if let Some((facts, _, properties)) = facts.object(spec) {
                        open.extend(fields.iter().filter_map(|(name, value)| {
                            Some((facts, &properties.get(name)?.ty, value))
                        }));
                    }
                }
                _ => {}
            }
        }
        false
    }

    fn object(
        &self,
        facts: Facts<'_>,
        member: MemberId,
        properties: &Properties,
        mut inputs: PropertyMap,
        inside_secret: bool,
    ) -> Result<PropertyMap, Unreadable> {
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
                    let value = self.value(facts, &spec.ty, value, inside_secret);
                    *place = marked(value.map_err(|error| error.within(name))?);
                }
                None => {
                    let value = self.missing(facts, member, name, spec);
                    missing.extend(value.map(|value| (name.into(), marked(value))));
                }
            }
        }
        inputs.extend(missing);
        Ok(inputs)
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
                // A provider can tell what is wrong with a variable, which the program cannot.
                Some(self.value(facts, &spec.ty, text.clone(), true).unwrap_or(text))
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
    ) -> Result<PropertyValue, Unreadable> {
        Ok(match (value, &spec.kind) {
            (PropertyValue::Secret(inner), _) => self.value(facts, spec, *inner, true)?.secret(),
            (PropertyValue::Output(output), _) => {
                let inside_secret = inside_secret || output.is_secret();
                let mut failed = None;
                let convert = |value| match self.value(facts, spec, value, inside_secret) {
                    Ok(value) => value,
                    Err(error) => {
                        failed = Some(error);
                        PropertyValue::Null
                    }
                };
                let converted = Output::apply(*output, convert);
                match failed {
                    Some(error) => return Err(error),
                    None => converted.into(),
                }
            }
            (value, TypeKind::Union(union)) => self.union(facts, union, value, inside_secret)?,
            (PropertyValue::Array(elements), TypeKind::Array(element)) => {
                let convert = |(at, value)| {
                    let value = self.value(facts, element, value, inside_secret);
                    value.map_err(|error: Unreadable| error.within(&format!("[{at}]")))
                };
                elements.into_iter().enumerate().map(convert).collect::<Result<Vec<_>, _>>()?.into()
            }
            (PropertyValue::Object(fields), TypeKind::Map(element)) => {
                let convert = |(name, value): (Arc<str>, PropertyValue)| match self.value(
                    facts,
                    element,
                    value,
                    inside_secret,
                ) {
                    Ok(value) => Ok((name, value)),
                    Err(error) => Err(error.within(&name)),
                };
                fields.into_iter().map(convert).collect::<Result<PropertyMap, _>>()?.into()
            }
            (PropertyValue::Object(fields), _) => match facts.object(spec) {
                Some((facts, member, properties)) => {
                    self.object(facts, member, properties, fields, inside_secret)?.into()
                }
                None => fields.into(),
            },
            (value, TypeKind::Primitive(primitive)) => {
                to_primitive(*primitive, value, inside_secret)?
            }
            (value, _) => value,
        })
    }

    /// A list or object as the type of a union to which it belongs, as it is if it does not tell
    /// which that is. A scalar as the first type that leaves it as it is, or else as the first one.
    fn union(
        &self,
        facts: Facts<'_>,
        union: &UnionSpec,
        value: PropertyValue,
        inside_secret: bool,
    ) -> Result<PropertyValue, Unreadable> {
        let member = match &value {
            PropertyValue::Object(fields) => {
                facts.schemas.member(facts.package, union, &Of(fields))
            }
            PropertyValue::Array(_) => SchemaTypes::list_member(union),
            _ => {
                let mut first = None;
                for member in &union.elements {
                    let converted = self.value(facts, member, value.clone(), inside_secret);
                    // A type that cannot read the text is not meant.
                    let Ok(converted) = converted else { continue };
                    if converted == value {
                        return Ok(value);
                    }
                    first.get_or_insert(converted);
                }
                return Ok(first.unwrap_or(value));
            }
        };
        match member {
            Some(member) => self.value(facts, member, value, inside_secret),
            None => Ok(value),
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

/// A scalar as one of a primitive type; as it is, if it is no text and converts to none.
fn to_primitive(
    primitive: Primitive,
    value: PropertyValue,
    is_secret: bool,
) -> Result<PropertyValue, Unreadable> {
    let text = str_of(&value);
    let unreadable = |wanted| {
        let text = text.filter(|_| !is_secret).map(str::to_owned);
        Err(Unreadable { path: String::new(), wanted, text })
    };
    Ok(match (primitive, &value) {
        (Primitive::Boolean, PropertyValue::String(_)) => match text.and_then(read_bool) {
            Some(read) => read.into(),
            None => return unreadable("a bool"),
        },
        (Primitive::Integer | Primitive::Number, PropertyValue::String(_)) => {
            let number = text.and_then(Number::from_text).map(|number| number.to_f64());
            match number.filter(|number| number.is_finite()) {
                Some(number) => number.into(),
                None => return unreadable("a number"),
            }
        }
        (Primitive::String, PropertyValue::Bool(value)) => value.to_string().into(),
        (Primitive::String, PropertyValue::Number(number)) => match Number::from_f64(*number) {
            Some(number) => number.text().into(),
            None => value,
        },
        _ => value,
    })
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
