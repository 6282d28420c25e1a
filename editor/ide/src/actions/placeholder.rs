//! Values to be replaced: the shortest one of a type.

use pcl::model::types::{Type, TypeId, TypeStore};
use pcl::model::value::Constant;
use pcl::syntax::is_identifier;
use pcl::syntax::quoted;

/// Objects are written out to this depth; what is below has to be filled in by hand.
const DEPTH: usize = 4;

/// A value of a type. It is on several lines without indentation if it is an object.
pub(super) fn placeholder(types: &mut TypeStore, ty: TypeId) -> String {
    value(types, ty, 0)
}

fn value(types: &mut TypeStore, ty: TypeId, depth: usize) -> String {
    let ty = types.resolve(ty);
    if types.is_resource(ty) {
        return "null".to_owned();
    }
    match types.get(ty).clone() {
        Type::Bool => "false".to_owned(),
        Type::Int | Type::Number => "0".to_owned(),
        Type::String | Type::Id | Type::Dynamic => "\"\"".to_owned(),
        Type::Const { value, .. } => literal(&value),
        Type::Enum(of) => match of.values.first() {
            Some(first) => literal(first),
            None => "\"\"".to_owned(),
        },
        Type::List(_) | Type::Set(_) | Type::Tuple(_) => "[]".to_owned(),
        Type::Map(_) => "{}".to_owned(),
        Type::Union(members) => {
            let members: Vec<TypeId> = members.iter().copied().collect();
            let values = members.into_iter().filter(|&member| member != TypeId::NONE);
            let mut values = values.map(|member| value(types, member, depth));
            let first = values.next().unwrap_or_else(|| "null".to_owned());
            if first == "null" {
                values.find(|value| value != "null").unwrap_or(first)
            } else {
                first
            }
        }
        Type::Object(_) | Type::Nominal(_) => object(types, ty, depth),
        Type::Opaque(name) => match types.name(name) {
            "Asset" => "stringAsset(\"\")".to_owned(),
            "Archive" => "fileArchive(\"./directory\")".to_owned(),
            _ => "null".to_owned(),
        },
        Type::None | Type::Error | Type::Output(_) | Type::Promise(_) => "null".to_owned(),
    }
}

/// An object of its required properties, one a line.
fn object(types: &mut TypeStore, ty: TypeId, depth: usize) -> String {
    let properties = types.properties(ty);
    let properties: Vec<_> = properties.iter().flat_map(|all| all.iter()).copied().collect();
    let mut lines = String::new();
    for (name, ty) in properties {
        if depth >= DEPTH || types.assignable(ty, TypeId::NONE) {
            continue;
        }
        let value = value(types, ty, depth + 1);
        let name = types.name(name);
        let key = if is_identifier(name) { name.to_owned() } else { quoted(name) };
        lines.push_str(&format!("{key} = {value}\n"));
    }
    if lines.is_empty() { "{}".to_owned() } else { format!("{{\n{lines}}}") }
}

fn literal(constant: &Constant) -> String {
    match constant {
        Constant::String(text) => quoted(text),
        Constant::Null => "null".to_owned(),
        other => other.to_string(),
    }
}
