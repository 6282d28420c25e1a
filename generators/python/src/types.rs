//! Types of the language as annotations of Python, and when values are known. Functions of Pulumi's
//! SDK for Python give values at once where the language has promises.

use pcl::document::{Document, ObjectRole, Type, TypeIndex};
pub(crate) use pcl_codegen::types::{any, content, holds_eventuals, is_dynamic, may_be_null};
use rustc_hash::FxHashSet;

/// The names in annotations that a module imports.
pub(crate) const IMPORTED: &[&str] = &["Any", "Mapping", "Sequence"];

/// Returns true for the names in annotations: inside of a class, they would be its members.
pub(crate) fn is_in_annotations(name: &str) -> bool {
    IMPORTED.contains(&name) || ["bool", "float", "int", "pulumi", "str"].contains(&name)
}

/// The depth up to which types are written out.
const MAX_DEPTH: usize = 6;

/// Returns true if a value of a type is an output, or one of several types with an output among
/// them.
pub(crate) fn is_late(document: &Document, ty: TypeIndex) -> bool {
    let is_output = |ty: TypeIndex| matches!(document.ty(ty), Type::Output { .. });
    match document.ty(ty) {
        Type::Union(_) => document.members(ty).iter().any(|&member| is_output(member)),
        _ => is_output(ty),
    }
}

/// Returns true if a value of a type is an output for sure.
pub(crate) fn is_output(document: &Document, ty: TypeIndex) -> bool {
    matches!(document.ty(ty), Type::Output { .. })
}

/// Returns true if a value of a type is an object of a class of an SDK.
pub(crate) fn is_object_of_schema(document: &Document, ty: TypeIndex) -> bool {
    any(document, ty, |ty| matches!(ty, Type::Object(object) if object.schema.is_some()))
}

/// Returns true if a value of a type is a resource.
pub(crate) fn is_resource(document: &Document, ty: TypeIndex) -> bool {
    document.object(ty).and_then(|object| object.schema.as_ref()).is_some_and(|schema| {
        matches!(schema.role, ObjectRole::Resource | ObjectRole::ResourceReference)
    })
}

/// Returns true if a value of a type is the result of a function, which is an instance of a class
/// in any case.
pub(crate) fn is_result(document: &Document, ty: TypeIndex) -> bool {
    document
        .object(ty)
        .and_then(|object| object.schema.as_ref())
        .is_some_and(|schema| schema.role == ObjectRole::FunctionOutputs)
}

/// Returns true if a value of a type may contain objects of classes of an SDK, whose properties
/// have other names in Python, other than resources.
pub(crate) fn holds_objects_of_schemas(document: &Document, ty: TypeIndex) -> bool {
    let mut open = vec![ty];
    let mut known = FxHashSet::default();
    while let Some(ty) = open.pop() {
        if !known.insert(ty) {
            continue;
        }
        match document.ty(ty) {
            Type::Object(object) if object.schema.is_some() => {
                if !is_resource(document, ty) {
                    return true;
                }
            }
            Type::Object(_) => {
                open.extend(document.properties(ty).into_iter().map(|property| property.ty));
            }
            Type::Union(_) => open.extend(document.members(ty).iter()),
            other => other.for_each_part(|part| open.push(part)),
        }
    }
    false
}

/// The annotation of a type, without null.
pub(crate) fn annotation(document: &Document, ty: TypeIndex) -> String {
    write(document, ty, MAX_DEPTH, false)
}

/// The annotation of a type whose values, and their parts, may be outputs.
pub(crate) fn input(document: &Document, ty: TypeIndex) -> String {
    write(document, ty, MAX_DEPTH, true)
}

fn write(document: &Document, ty: TypeIndex, depth: usize, is_input: bool) -> String {
    let Some(less) = depth.checked_sub(1) else { return "Any".to_owned() };
    let kinds = document.alternatives(ty);
    let kinds: Vec<TypeIndex> =
        kinds.into_iter().filter(|&ty| !matches!(document.ty(ty), Type::None)).collect();
    let part = |ty| {
        let text = write(document, ty, less, is_input);
        if may_be_null(document, ty) && text != "Any" { text + " | None" } else { text }
    };
    let [only] = kinds[..] else { return "Any".to_owned() };
    let text = match document.ty(only) {
        Type::Bool => "bool".to_owned(),
        Type::Int => "int".to_owned(),
        Type::Number => "float".to_owned(),
        Type::String | Type::Id => "str".to_owned(),
        Type::Asset => "pulumi.Asset".to_owned(),
        Type::Archive => "pulumi.Archive".to_owned(),
        Type::List { element } | Type::Set { element } => format!("Sequence[{}]", part(*element)),
        Type::Map { element } => format!("Mapping[str, {}]", part(*element)),
        Type::Object(object) if object.schema.is_none() => "Mapping[str, Any]".to_owned(),
        _ => return "Any".to_owned(),
    };
    if is_input { format!("pulumi.Input[{text}]") } else { text }
}
