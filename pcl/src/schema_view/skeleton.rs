//! The shortest program that uses a member: what is required, with values of the right type to be
//! replaced.

use pcl_schema::{
    Constant, FunctionSpec, Package, Primitive, Properties, PropertySpec, Reference, ResourceSpec,
    TypeDef, TypeKind, TypeSpec,
};
use pcl_syntax::{SyntaxKind, quoted};

/// Objects are written out to this depth; what is below has to be filled in by hand.
const DEPTH: usize = 6;

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
            let value = value_of(package, property, 1);
            text.push_str(&format!("  {name} = {value}\n"));
        }
    }
    text + "}\n"
}

fn call(package: &Package, token: &str, spec: &FunctionSpec) -> String {
    let inputs = spec.inputs.as_ref();
    let arguments = inputs.map_or(String::from("{}"), |inputs| object(package, inputs, 0));
    let is_method = inputs.is_some_and(|inputs| inputs.contains_key("__self__"));
    if is_method {
        let (owner, method) = token.rsplit_once('/').unwrap_or((token, token));
        let owner = label(owner);
        return format!("result = call({owner}, {}, {arguments})\n", quoted(method));
    }
    if spec.multi_argument_inputs.is_empty() {
        format!("result = invoke({}, {arguments})\n", quoted(token))
    } else {
        let value = |name: &str| match inputs.and_then(|inputs| inputs.get(name)) {
            Some(property) => value_of(package, property, 0),
            None => "null".to_owned(),
        };
        let values = spec.multi_argument_inputs.iter().map(|name| value(name));
        let values: Vec<_> = std::iter::once(quoted(token)).chain(values).collect();
        format!("result = invoke({})\n", values.join(", "))
    }
}

/// A name for the resource: that of its type, as variables are spelled.
fn label(token: &str) -> String {
    let name = token.rsplit([':', '/']).next().unwrap_or_default();
    let mut letters = name.chars();
    let lower = letters
        .next()
        .map_or(String::new(), |c| c.to_lowercase().to_string());
    let name = lower + letters.as_str();
    if is_name(&name) {
        name
    } else {
        "example".to_owned()
    }
}

fn required(properties: &Properties) -> impl Iterator<Item = (&str, &PropertySpec)> {
    let taken = |(name, property): &(&str, &PropertySpec)| property.required && *name != "__self__";
    properties.iter().filter(taken)
}

fn value_of(package: &Package, property: &PropertySpec, depth: usize) -> String {
    match property.constant.as_ref().or(property.default.as_ref()) {
        Some(constant) => literal(constant),
        None => value(package, &property.ty, depth),
    }
}

fn value(package: &Package, ty: &TypeSpec, depth: usize) -> String {
    match &ty.kind {
        TypeKind::Primitive(Primitive::Boolean) => "false".to_owned(),
        TypeKind::Primitive(Primitive::Integer | Primitive::Number) => "0".to_owned(),
        TypeKind::Primitive(Primitive::String) | TypeKind::Json | TypeKind::Any => {
            "\"\"".to_owned()
        }
        TypeKind::Asset => "fileAsset(\"./file\")".to_owned(),
        TypeKind::Archive => "fileArchive(\"./directory\")".to_owned(),
        TypeKind::Array(_) => "[]".to_owned(),
        TypeKind::Map(_) => "{}".to_owned(),
        TypeKind::Union(union) => match union.elements.first() {
            Some(first) => value(package, first, depth),
            None => "null".to_owned(),
        },
        TypeKind::Reference(Reference::Type(id)) => match package.type_by_id(*id) {
            Ok(Some(spec)) => match spec {
                TypeDef::Object(properties) => object(package, properties, depth),
                TypeDef::Enum(spec) => match spec.values.first() {
                    Some(first) => literal(&first.value),
                    None => "\"\"".to_owned(),
                },
            },
            _ => "null".to_owned(),
        },
        TypeKind::Reference(_) | TypeKind::Invalid => "null".to_owned(),
    }
}

/// An object of its required properties, one a line. `depth` is that of the line on which it
/// begins.
fn object(package: &Package, properties: &Properties, depth: usize) -> String {
    let indent = "  ".repeat(depth + 1);
    let mut lines = String::new();
    if depth < DEPTH {
        for (name, property) in required(properties) {
            let key = if is_name(name) {
                name.to_owned()
            } else {
                quoted(name)
            };
            let value = value_of(package, property, depth + 1);
            lines.push_str(&format!("{indent}{key} = {value}\n"));
        }
    }
    if lines.is_empty() {
        "{}".to_owned()
    } else {
        format!("{{\n{lines}{}}}", "  ".repeat(depth))
    }
}

fn literal(constant: &Constant) -> String {
    match constant {
        Constant::Boolean(value) => value.to_string(),
        Constant::Number(value) => value.to_string(),
        Constant::String(value) => quoted(value),
    }
}

/// Returns whether a program can write it as a bare name.
fn is_name(text: &str) -> bool {
    let tokens = pcl_syntax::tokenize(text);
    let mut tokens = tokens.iter();
    let first = tokens.next().is_some_and(|(kind, range)| {
        kind == SyntaxKind::Ident && range.to_usize() == (0..text.len())
    });
    first && !matches!(text, "true" | "false" | "null")
}
