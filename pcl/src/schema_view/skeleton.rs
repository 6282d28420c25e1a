//! The shortest program that uses a member: what is required, with values of the right type to be
//! replaced.

use pcl_language::Function;
use pcl_schema::{
    Constant, FunctionSpec, Package, Primitive, Properties, PropertySpec, Reference, ResourceSpec,
    TypeDef, TypeKind, TypeSpec,
};
use pcl_syntax::build::Expr;
use pcl_syntax::{is_identifier, quoted};

/// Objects are written out to this depth; what is below has to be filled in by hand.
const MAX_DEPTH: usize = 6;

pub(super) fn resource(package: &Package, token: &str, spec: &ResourceSpec) -> String {
    formatted(resource_block(package, token, spec))
}

pub(super) fn function(package: &Package, token: &str, spec: &FunctionSpec) -> String {
    formatted(call(package, token, spec))
}

/// A program as `pcl fmt` lays it out.
fn formatted(program: String) -> String {
    let tree = pcl_syntax::parse(program.as_str());
    pcl_format::format(&tree).unwrap_or(program)
}

fn resource_block(package: &Package, token: &str, spec: &ResourceSpec) -> String {
    let mut text = format!("resource {} {} {{\n", label(token), quoted(token));
    for (name, property) in required(&spec.inputs) {
        if is_name(name) {
            let value = value_of(package, property, 1).text();
            text.push_str(&format!("{name} = {value}\n"));
        }
    }
    text + "}\n"
}

fn call(package: &Package, token: &str, spec: &FunctionSpec) -> String {
    let inputs = spec.inputs.as_ref();
    let object = || match inputs {
        Some(inputs) => object(package, inputs, 0),
        None => Expr::Object(Vec::new()),
    };
    let text = |text: &str| Expr::Text(text.to_owned());
    let is_method = inputs.is_some_and(|inputs| inputs.contains_key("__self__"));
    let call = if is_method {
        let (owner, method) = token.rsplit_once('/').unwrap_or((token, token));
        Expr::Call(Function::Call.name(), vec![Expr::Raw(label(owner)), text(method), object()])
    } else if spec.multi_argument_inputs.is_empty() {
        Expr::Call(Function::Invoke.name(), vec![text(token), object()])
    } else {
        let value = |name: &str| match inputs.and_then(|inputs| inputs.get(name)) {
            Some(property) => value_of(package, property, 0),
            None => Expr::Null,
        };
        let values = spec.multi_argument_inputs.iter().map(|name| value(name));
        Expr::Call(Function::Invoke.name(), std::iter::once(text(token)).chain(values).collect())
    };
    format!("result = {}\n", call.text())
}

/// A name for the resource: that of its type, as variables are spelled.
fn label(token: &str) -> String {
    let name = token.rsplit([':', '/']).next().unwrap_or_default();
    let mut letters = name.chars();
    let lower = letters.next().map_or(String::new(), |c| c.to_lowercase().to_string());
    let name = lower + letters.as_str();
    if is_name(&name) { name } else { "example".to_owned() }
}

fn required(properties: &Properties) -> impl Iterator<Item = (&str, &PropertySpec)> {
    let taken = |(name, property): &(&str, &PropertySpec)| property.required && *name != "__self__";
    properties.iter().filter(taken)
}

fn value_of(package: &Package, property: &PropertySpec, depth: usize) -> Expr {
    match property.constant.as_ref().or(property.default.as_ref()) {
        Some(constant) => literal(constant),
        None => value(package, &property.ty, depth),
    }
}

fn value(package: &Package, ty: &TypeSpec, depth: usize) -> Expr {
    let call = |function, path: &str| Expr::Call(function, vec![Expr::Text(path.to_owned())]);
    match &ty.kind {
        TypeKind::Primitive(Primitive::Boolean) => Expr::Bool(false),
        TypeKind::Primitive(Primitive::Integer | Primitive::Number) => Expr::Number(0.0),
        TypeKind::Primitive(Primitive::String) | TypeKind::Json | TypeKind::Any => {
            Expr::Text(String::new())
        }
        TypeKind::Asset => call("fileAsset", "./file"),
        TypeKind::Archive => call("fileArchive", "./directory"),
        TypeKind::Array(_) => Expr::List(Vec::new()),
        TypeKind::Map(_) => Expr::Map(Vec::new()),
        TypeKind::Union(union) => match union.elements.first() {
            Some(first) => value(package, first, depth),
            None => Expr::Null,
        },
        TypeKind::Reference(Reference::Type(id)) => match package.type_by_id(*id) {
            Ok(Some(spec)) => match spec {
                TypeDef::Object(properties) => object(package, properties, depth),
                TypeDef::Enum(spec) => match spec.values.first() {
                    Some(first) => literal(&first.value),
                    None => Expr::Text(String::new()),
                },
            },
            _ => Expr::Null,
        },
        TypeKind::Reference(_) | TypeKind::Invalid => Expr::Null,
    }
}

/// An object of its required properties. `depth` is the number of values around it.
fn object(package: &Package, properties: &Properties, depth: usize) -> Expr {
    let mut entries = Vec::new();
    if depth < MAX_DEPTH {
        for (name, property) in required(properties) {
            entries.push((name.to_owned(), value_of(package, property, depth + 1)));
        }
    }
    Expr::Object(entries)
}

fn literal(constant: &Constant) -> Expr {
    match constant {
        Constant::Boolean(value) => Expr::Bool(*value),
        Constant::Number(value) => Expr::Number(*value),
        Constant::String(value) => Expr::Text(value.to_string()),
    }
}

/// Returns whether a program can write it as a bare name.
fn is_name(text: &str) -> bool {
    is_identifier(text) && !matches!(text, "true" | "false" | "null")
}
