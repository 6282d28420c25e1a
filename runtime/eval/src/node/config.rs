//! `config` blocks: from configured text to the value of a variable.
//!
//! The rules, with examples: `tests/spec/run/config.md`.

use std::sync::Arc;

use pcl_binder::{ConfigBody, Node, NodeBody, NodeId};
use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_model::types::{Type, TypeId, TypeStore};
use pcl_number::Number;
use serde_json::Value as Json;

use crate::expression::evaluate::Evaluator;
use crate::frame::Frame;
use crate::schema::inputs::read_bool;
use crate::stop::{self, Stop};
use crate::value::{Kind, Marks, TooLarge, Value};
use crate::wording::{self, Shown};

/// Reads the configuration that a program needs before it runs, so that every mistake in it is
/// reported before anything is registered. Defaults are evaluated later, when their node comes.
pub(crate) fn read(frame: &Frame, is_needed: &dyn Fn(u32) -> bool) -> Result<(), Stop> {
    let nodes = frame.module().nodes_with_ids();
    let needed = nodes.filter(|(id, _)| is_needed(id.0));
    stop::all(needed.map(|(id, node)| read_node(frame, id, node)))
}

/// Reads the configuration of a node, if it is a variable without a value.
pub(crate) fn read_node(frame: &Frame, id: NodeId, node: &Node) -> Result<(), Stop> {
    if let NodeBody::Config(body) = &node.body
        && !frame.has_value(id.0)
        && let Some(value) = read_one(frame, node, body)?
    {
        frame.set(id.0, value);
    }
    Ok(())
}

/// The configured value; `None` if the default counts.
fn read_one(frame: &Frame, node: &Node, body: &ConfigBody) -> Result<Option<Value>, Stop> {
    let run = &frame.run;
    let span = node.name_span();
    let config = &run.settings.config;
    let key = || format!("{}:{}", run.settings.project, node.logical_name);
    let entry = if config.is_empty() { None } else { config.get(&key()) };
    let Some(entry) = entry else {
        return match (body.default, body.nullable) {
            (Some(_), _) => Ok(None),
            (None, _) if run.settings.any_stack || run.settings.unknown_config => {
                Ok(Some(Value::unknown(marks(body, false))))
            }
            (None, true) => Ok(Some(Value::NULL)),
            (None, false) => Err(missing(span, &node.logical_name).into()),
        };
    };
    let marks = marks(body, entry.is_secret);
    let Some(text) = &entry.text else {
        run.warn(encrypted(span, &node.logical_name));
        return Ok(Some(Value::unknown(marks)));
    };
    let types = &run.program.types;
    let text = text.unmarked().as_str().unwrap_or_default();
    let value = parse(types, node.ty, text).map_err(|misfit: Misfit| {
        let extra = match &misfit {
            Misfit::Extra(name) => Some(Shown::text(name, &marks)),
            _ => None,
        };
        let found = Shown::text(text, &marks);
        value_does_not_fit(span, &node.logical_name, &found, &misfit, extra.as_ref())
    })?;
    if value
        .as_text()
        .and_then(|text| pcl_values::wire::reserved(text.unmarked().as_str()?))
        .is_some()
    {
        return Err(wording::reserved(span).into());
    }
    Ok(Some(value.marked(&marks)))
}

fn marks(body: &ConfigBody, is_secret: bool) -> Marks {
    if body.secret || is_secret { Marks::secret() } else { Marks::NONE }
}

/// The default of a variable that has no value; null without one.
pub(crate) fn default(frame: &Frame, body: &ConfigBody) -> Result<Value, Stop> {
    let value = match body.default {
        Some(default) => Evaluator::new(frame).evaluate(default)?,
        None => Value::NULL,
    };
    Ok(value.marked(&marks(body, false)))
}

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
            match serde_json::from_str(text) {
                Ok(json) => typed(types, ty, &json),
                Err(error) => Err(Misfit::NotJson(error.line(), error.column())),
            }
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
            list(array(json)?.iter().map(|json| typed(types, *element, json)))
        }
        Type::Tuple(expected) => {
            let elements = array(json)?;
            if elements.len() != expected.len() {
                return Err(Misfit::Expected("a list of another length"));
            }
            let pairs = elements.iter().zip(expected.iter());
            list(pairs.map(|(json, ty)| typed(types, *ty, json)))
        }
        Type::Map(element) => map(object(json)?, |json| typed(types, *element, json)),
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
            Value::object(fields).map_err(Misfit::TooLarge)
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
        Json::Array(elements) => list(elements.iter().map(untyped)),
        Json::Object(fields) => map(fields, untyped),
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

fn list(elements: impl Iterator<Item = Result<Value, Misfit>>) -> Result<Value, Misfit> {
    Value::list(elements.collect::<Result<_, _>>()?).map_err(Misfit::TooLarge)
}

fn map(
    fields: &serde_json::Map<String, Json>,
    value: impl Fn(&Json) -> Result<Value, Misfit>,
) -> Result<Value, Misfit> {
    let fields = fields.iter().map(|(name, json)| Ok((Arc::from(name.as_str()), value(json)?)));
    Value::object(fields.collect::<Result<_, _>>()?).map_err(Misfit::TooLarge)
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

/// A variable has no value.
fn missing(span: Span, name: &str) -> Diagnostic {
    let message = format!("the configuration variable `{name}` has no value");
    Diagnostic::error(Code::MissingConfig, span, message)
        .help(format!("set it with `pulumi config set {name} ..`, or give it a `default`"))
}

/// The configured text does not fit its variable. A secret text is not shown.
fn value_does_not_fit(
    span: Span,
    name: &str,
    text: &Shown,
    misfit: &Misfit,
    extra: Option<&Shown>,
) -> Diagnostic {
    let found = format!("found {}", text.or("a secret value"));
    let message = match misfit {
        Misfit::Expected(expected) => {
            format!("the configuration variable `{name}` expects {expected}, {found}")
        }
        Misfit::NotJson(..) => {
            format!("the configuration variable `{name}` expects JSON, {found}")
        }
        Misfit::Extra(_) => {
            format!("the configuration variable `{name}` has a value that its type does not have")
        }
        Misfit::TooLarge(error) => return wording::too_large(span, *error),
    };
    let diagnostic = Diagnostic::error(Code::InvalidConfig, span, message)
        .help(format!("set another value with `pulumi config set {name} ..`"));
    match (misfit, extra) {
        (Misfit::NotJson(line, column), _) => {
            diagnostic.note(format!("the JSON is malformed at line {line}, column {column}"))
        }
        (Misfit::Extra(_), Some(extra)) if !extra.is_secret() => {
            diagnostic.note(format!("its name is {}", extra.or("long")))
        }
        _ => diagnostic,
    }
}

/// A value is encrypted and its key is not known.
fn encrypted(span: Span, name: &str) -> Diagnostic {
    let message =
        format!("the configuration variable `{name}` is encrypted, so it is unknown here");
    Diagnostic::warning(Code::EncryptedConfig, span, message)
        .ours()
        .help("set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE to decrypt it")
}
