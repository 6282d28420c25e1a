//! Types as people read them: named types by their names, and without what only gets in the way.
//!
//! Each input takes an output of its type as well, and what may be left out is known by its place.

use pcl::binder::Program;
use pcl::binder::schema_types::Nominal;
use pcl::model::types::{Type, TypeId};

/// The most characters of a type without a name.
const MAX_CHARACTERS: usize = 80;
/// The most keys of an object without a name.
const MAX_KEYS: usize = 4;
/// The depth below which parts are left out.
const MAX_DEPTH: usize = 4;

/// The text of a type. Of a value that is known only after the deployment it says so.
pub(crate) fn readable(program: &mut Program, ty: TypeId) -> String {
    let mut text = String::new();
    write(program, ty, 0, &mut text);
    if is_output(program, ty) { format!("output({text})") } else { text }
}

fn is_output(program: &Program, ty: TypeId) -> bool {
    match program.types.get(ty) {
        Type::Output(_) => true,
        Type::Union(members) => {
            let mut members = members.iter().filter(|&&member| member != TypeId::NONE);
            members.all(|&member| matches!(program.types.get(member), Type::Output(_)))
        }
        _ => false,
    }
}

fn write(program: &mut Program, ty: TypeId, depth: usize, out: &mut String) {
    let ty = program.types.strip(ty);
    if let Some(name) = name(program, ty) {
        out.push_str(&name);
        return;
    }
    if depth == MAX_DEPTH {
        out.push_str("..");
        return;
    }
    match program.types.get(ty).clone() {
        Type::Dynamic => out.push_str("any"),
        Type::List(element) => parameter(program, "list", element, depth, out),
        Type::Set(element) => parameter(program, "set", element, depth, out),
        Type::Map(element) => parameter(program, "map", element, depth, out),
        Type::Union(members) => {
            let mut parts: Vec<String> = Vec::new();
            for &member in members.iter().filter(|&&member| member != TypeId::NONE) {
                let mut part = String::new();
                write(program, member, depth, &mut part);
                if !parts.contains(&part) {
                    parts.push(part);
                }
            }
            out.push_str(&parts.join(" | "));
        }
        Type::Object(_) => {
            let properties = program.types.properties(ty);
            let properties = properties.iter().flat_map(|properties| properties.iter().copied());
            let properties: Vec<_> = properties.collect();
            if properties.is_empty() {
                out.push_str("{}");
                return;
            }
            out.push_str("{ ");
            for (at, (symbol, ty)) in properties.iter().take(MAX_KEYS).enumerate() {
                let start = if at == 0 { "" } else { ", " };
                out.push_str(&format!("{start}{}: ", program.types.name(*symbol)));
                write(program, *ty, depth + 1, out);
            }
            out.push_str(if properties.len() > MAX_KEYS { ", .. }" } else { " }" });
        }
        _ => out.push_str(&program.types.text_within(ty, MAX_CHARACTERS)),
    }
}

fn parameter(program: &mut Program, name: &str, ty: TypeId, depth: usize, out: &mut String) {
    out.push_str(name);
    out.push('(');
    write(program, ty, depth + 1, out);
    out.push(')');
}

/// The name of a type that a schema names.
fn name(program: &Program, ty: TypeId) -> Option<String> {
    let last = |token: &str| token.rsplit([':', '/']).next().unwrap_or_default().to_owned();
    if let Type::Enum(enumeration) = program.types.get(ty) {
        return Some(last(program.types.name(enumeration.token)));
    }
    let Nominal { package, member, .. } = Nominal::from_key(program.types.origin(ty)?)?;
    Some(last(program.schemas.packages().package(package).token(member)))
}
