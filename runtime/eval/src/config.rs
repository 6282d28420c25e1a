//! Configuration: from configured text to the value of a variable.
//!
//! The rules, with examples: `tests/spec/run/config.md`.

use std::sync::Arc;

use pcl_model::types::{Type, TypeId, TypeStore};
use pcl_number::Number;
use serde_json::Value as Json;

use crate::schema::inputs::read_bool;
use crate::value::{Kind, TooLarge, Value};

/// The reason why text is no value of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Misfit {
    /// Another kind of value is expected.
    Expected(&'static str),
    /// The text is not JSON: the line and the column of the mistake, from 1.
    NotJson(usize, usize),
    /// An object has a value of a name that its type does not have.
    Extra(String),
    /// The value is too large.
    TooLarge(TooLarge),
}

/// Reads the text that is configured for a variable of a type.
pub(crate) fn parse(types: &TypeStore, ty: TypeId, text: &str) -> Result<Value, Misfit> {
    let ty = required(types, ty);
    match types.get(ty) {
        Type::String | Type::Id => Ok(text.into()),
        Type::Bool => match read_bool(text) {
            Some(value) => Ok(value.into()),
            None => Err(Misfit::Expected("`true` or `false`")),
        },
        Type::Number => number(text).map(Value::from),
        Type::Int => whole(number(text)?),
        Type::List(_) | Type::Set(_) | Type::Map(_) | Type::Tuple(_) | Type::Object(_) => {
            let json: Json = serde_json::from_str(text)
                .map_err(|error| Misfit::NotJson(error.line(), error.column()))?;
            typed(types, ty, &json)
        }
        _ => match serde_json::from_str(text) {
            Ok(json) => untyped(&json),
            Err(_) => Ok(text.into()),
        },
    }
}

/// The type without null, outputs and promises.
pub(crate) fn required(types: &TypeStore, mut ty: TypeId) -> TypeId {
    loop {
        ty = match types.get(ty) {
            Type::Output(inner) | Type::Promise(inner) => *inner,
            Type::Union(members) => {
                let mut others = members.iter().filter(|member| **member != TypeId::NONE);
                match (others.next(), others.next()) {
                    (Some(only), None) if members.len() > 1 => *only,
                    // A value and an output of it.
                    (Some(one), Some(other)) if members.len() <= 3 => {
                        match (types.get(*one), types.get(*other)) {
                            (Type::Output(inner), _) if inner == other => *other,
                            (_, Type::Output(inner)) if inner == one => *one,
                            _ => return ty,
                        }
                    }
                    _ => return ty,
                }
            }
            _ => return ty,
        };
    }
}

fn number(text: &str) -> Result<Number, Misfit> {
    match Number::from_text(text).filter(Number::is_finite) {
        Some(number) => Ok(number),
        None => Err(Misfit::Expected("a number")),
    }
}

fn whole(number: Number) -> Result<Value, Misfit> {
    if number.is_integral() { Ok(number.into()) } else { Err(Misfit::Expected("a whole number")) }
}

/// JSON as a value of a type.
fn typed(types: &TypeStore, ty: TypeId, json: &Json) -> Result<Value, Misfit> {
    let ty = required(types, ty);
    if json.is_null() {
        return Ok(Value::NULL);
    }
    match types.get(ty) {
        Type::String | Type::Id => match json {
            Json::String(text) => Ok(text.as_str().into()),
            Json::Bool(value) => Ok(value.to_string().into()),
            Json::Number(_) => Ok(exact(json)?.text().into()),
            _ => Err(Misfit::Expected("a string")),
        },
        Type::Bool => match json {
            Json::Bool(value) => Ok((*value).into()),
            Json::String(text) => match text.as_str() {
                "true" | "1" => Ok(true.into()),
                "false" | "0" => Ok(false.into()),
                _ => Err(Misfit::Expected("a bool")),
            },
            _ => Err(Misfit::Expected("a bool")),
        },
        Type::Number => exact(json).map(Value::from),
        Type::Int => whole(exact(json)?),
        Type::List(element) | Type::Set(element) => {
            let elements = array(json)?.iter().map(|json| typed(types, *element, json));
            list(elements.collect::<Result<_, _>>()?)
        }
        Type::Tuple(expected) => {
            let elements = array(json)?;
            if elements.len() != expected.len() {
                return Err(Misfit::Expected("a list of another length"));
            }
            let pairs = elements.iter().zip(expected.iter());
            let elements = pairs.map(|(json, ty)| typed(types, *ty, json));
            list(elements.collect::<Result<_, _>>()?)
        }
        Type::Map(element) => {
            let fields = object(json)?.iter();
            let fields = fields
                .map(|(name, json)| Ok((Arc::from(name.as_str()), typed(types, *element, json)?)));
            fields_of(fields.collect::<Result<_, _>>()?)
        }
        Type::Object(properties) => {
            let given = object(json)?;
            let mut fields = Vec::with_capacity(properties.len());
            for (name, ty) in properties.iter() {
                let name = types.shared_name(*name);
                let value = match given.get(&*name) {
                    Some(json) => typed(types, *ty, json)?,
                    None => Value::NULL,
                };
                fields.push((name, value));
            }
            if let Some(extra) = given.keys().find(|name| {
                let mut names = fields.iter().map(|(known, _)| known);
                !names.any(|known| **known == ***name)
            }) {
                return Err(Misfit::Extra(extra.clone()));
            }
            fields_of(fields)
        }
        _ => untyped(json),
    }
}

/// JSON as a value of any type.
fn untyped(json: &Json) -> Result<Value, Misfit> {
    match json {
        Json::Null => Ok(Value::NULL),
        Json::Bool(value) => Ok((*value).into()),
        Json::Number(_) => exact(json).map(Value::from),
        Json::String(text) => Ok(text.as_str().into()),
        Json::Array(elements) => {
            let elements = elements.iter().map(untyped);
            list(elements.collect::<Result<_, _>>()?)
        }
        Json::Object(fields) => {
            let fields = fields.iter();
            let fields = fields.map(|(name, json)| Ok((Arc::from(name.as_str()), untyped(json)?)));
            fields_of(fields.collect::<Result<_, _>>()?)
        }
    }
}

/// The number of JSON, or the one that a string denotes.
fn exact(json: &Json) -> Result<Number, Misfit> {
    match json {
        Json::Number(value) => number(&value.to_string()),
        Json::String(text) => number(text),
        _ => Err(Misfit::Expected("a number")),
    }
}

fn array(json: &Json) -> Result<&Vec<Json>, Misfit> {
    json.as_array().ok_or(Misfit::Expected("a list"))
}

fn object(json: &Json) -> Result<&serde_json::Map<String, Json>, Misfit> {
    json.as_object().ok_or(Misfit::Expected("an object"))
}

fn list(elements: Vec<Value>) -> Result<Value, Misfit> {
    Value::list(elements).map_err(Misfit::TooLarge)
}

fn fields_of(fields: Vec<(Arc<str>, Value)>) -> Result<Value, Misfit> {
    Value::object(fields).map_err(Misfit::TooLarge)
}

/// A value as one of the declared type of a component's input: strings, numbers and bools become
/// each other where their text allows; other values stay as they are.
pub(crate) fn coerced(types: &TypeStore, ty: TypeId, value: Value) -> Result<Value, TooLarge> {
    let ty = required(types, ty);
    let Value { kind, marks } = value;
    let kind = match (types.get(ty), kind) {
        (Type::String | Type::Id, Kind::Bool(value)) => Kind::String(value.to_string().into()),
        (Type::String | Type::Id, Kind::Number(number)) => Kind::String(number.text().into()),
        (Type::Bool, Kind::String(text)) => match text.unmarked().as_str().and_then(read_bool) {
            Some(value) => Kind::Bool(value),
            None => Kind::String(text),
        },
        (Type::Number | Type::Int, Kind::String(text)) => {
            match text.unmarked().as_str().and_then(|text| number(text).ok()) {
                Some(number) => Kind::Number(number),
                None => Kind::String(text),
            }
        }
        (Type::List(element) | Type::Set(element), Kind::List(list)) => {
            let elements = list.elements().iter();
            let elements = elements.map(|value| coerced(types, *element, value.clone()));
            Value::list(elements.collect::<Result<_, _>>()?)?.kind
        }
        (Type::Tuple(expected), Kind::List(list)) => {
            let elements = list.elements().iter().enumerate();
            let elements = elements.map(|(at, value)| match expected.get(at) {
                Some(ty) => coerced(types, *ty, value.clone()),
                None => Ok(value.clone()),
            });
            Value::list(elements.collect::<Result<_, _>>()?)?.kind
        }
        (Type::Map(element), Kind::Object(object)) => {
            let fields = object.iter();
            let fields = fields.map(|(name, value)| {
                Ok((Arc::clone(name), coerced(types, *element, value.clone())?))
            });
            Value::object(fields.collect::<Result<_, _>>()?)?.kind
        }
        (Type::Object(properties), Kind::Object(object)) => {
            let fields = object.iter();
            let fields = fields.map(|(name, value)| {
                let mut properties = properties.iter();
                let ty = properties.find(|(known, _)| types.name(*known) == &**name);
                let value = match ty {
                    Some((_, ty)) => coerced(types, *ty, value.clone())?,
                    None => value.clone(),
                };
                Ok((Arc::clone(name), value))
            });
            Value::object(fields.collect::<Result<_, _>>()?)?.kind
        }
        (_, kind) => kind,
    };
    Ok(Value { kind, marks })
}
