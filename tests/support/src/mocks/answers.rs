//! Answers of providers and values of configuration that are made of types.

use pcl::document::{Body, Constant, Document, ExpressionKind, Type, TypeIndex};
use serde_json::{Map, Value as Json, json};

/// The depth up to which objects are filled.
const MAX_DEPTH: usize = 5;

/// Answers about the resources and functions that a program uses, by token.
pub fn responses(document: &Document) -> Json {
    let mut answers = Map::new();
    for resource in &document.resources {
        let mut outputs = object(document, resource.outputs, MAX_DEPTH);
        for own in ["id", "urn"] {
            outputs.remove(own);
        }
        let token = document.member(resource.member).token.clone();
        let mut answer = json!({ "outputs": outputs });
        if resource.is_component {
            answer["id"] = json!("");
        }
        answers.insert(token, answer);
    }
    for expression in &document.expressions {
        let ExpressionKind::Call(call) = &expression.kind else { continue };
        let Some(callee) = &call.callee else { continue };
        let returns = call.returns.unwrap_or(expression.ty);
        let outputs = match sample(document, "result", returns, MAX_DEPTH) {
            Json::Object(fields) => fields,
            // A single value has this name in messages.
            single => Map::from_iter([("res".to_owned(), single)]),
        };
        let token = document.member(callee.member).token.clone();
        answers.insert(token, json!({ "outputs": outputs }));
    }
    Json::Object(answers)
}

/// The configuration that a program needs.
pub fn config(document: &Document) -> Json {
    let mut values = Map::new();
    for node in &document.main.nodes {
        let Body::Config(config) = &node.body else { continue };
        if config.default.is_some() || config.nullable {
            continue;
        }
        let value = match sample(document, node.logical_name(), node.ty, MAX_DEPTH) {
            Json::String(text) if !matches!(document.ty(node.ty), Type::Dynamic) => text,
            other => other.to_string(),
        };
        values.insert(format!("proj:{}", node.logical_name()), json!(value));
    }
    Json::Object(values)
}

/// A value of a type; texts in it say where they are.
fn sample(document: &Document, name: &str, ty: TypeIndex, depth: usize) -> Json {
    let Some(less) = depth.checked_sub(1) else { return Json::Null };
    match document.ty(ty) {
        Type::Bool => json!(true),
        Type::Int | Type::Number => json!(3),
        Type::String | Type::Id | Type::Dynamic => json!(name),
        Type::Const { value, .. } => constant(value),
        Type::Enum(values) => {
            values.members.first().map_or(Json::Null, |first| constant(&first.value))
        }
        Type::List { element } | Type::Set { element } => {
            (0..2).map(|at| sample(document, &format!("{name}-{at}"), *element, less)).collect()
        }
        Type::Map { element } => json!({ "key": sample(document, name, *element, less) }),
        Type::Tuple { elements } => {
            elements.iter().map(|&element| sample(document, name, element, less)).collect()
        }
        Type::Object(_) => Json::Object(object(document, ty, less)),
        Type::Union(_) => {
            let members = document.members(ty);
            let mut values = members.iter().map(|&member| sample(document, name, member, depth));
            values.find(|value| !value.is_null()).unwrap_or(Json::Null)
        }
        Type::Output { element } | Type::Promise { element } => {
            sample(document, name, *element, depth)
        }
        _ => Json::Null,
    }
}

fn object(document: &Document, ty: TypeIndex, depth: usize) -> Map<String, Json> {
    let properties = document.properties(ty).into_iter();
    let fields = properties.map(|property| {
        (property.name.clone(), sample(document, &property.name, property.ty, depth))
    });
    fields.filter(|(_, value)| !value.is_null()).collect()
}

fn constant(value: &Constant) -> Json {
    match value {
        Constant::Null => Json::Null,
        Constant::Bool(value) => json!(value),
        Constant::Number(number) => serde_json::from_str(&number.to_string()).expect("a number"),
        Constant::String(text) => json!(text),
    }
}
