//! Properties that are written at too high a level: the object further inside that has them.
//!
//! The rules, with examples: `tests/spec/habits/inner_place.md`.

use std::collections::VecDeque;

use pcl_diagnostics::{Comparisons, Fix, Span, TextEdit};

use crate::types::{Symbol, Type, TypeId, TypeStore};

/// The most objects that are searched.
const MOST: usize = 200;

/// The deepest level that is searched.
const DEEPEST: usize = 4;

/// The path of the only object inside of `properties` that has a property called `name`, among the
/// nearest that have one.
pub fn path_to(
    types: &mut TypeStore,
    comparisons: &mut Comparisons,
    properties: &[(Symbol, TypeId)],
    (name, text): (Symbol, &str),
) -> Option<String> {
    if !comparisons.may_compare(text, MOST) {
        return None;
    }
    let mut queue: VecDeque<(String, TypeId, usize)> = VecDeque::new();
    let roots = properties.iter().take(MOST);
    queue.extend(roots.map(|&(name, ty)| (types.name(name).to_owned(), ty, 1)));
    let mut found: Option<(String, usize)> = None;
    for _ in 0..MOST {
        let Some((path, ty, depth)) = queue.pop_front() else { break };
        if found.as_ref().is_some_and(|(_, known)| *known < depth) {
            break;
        }
        let Some(object) = object_in(types, ty) else { continue };
        if types.property(object, name).is_some() {
            if found.replace((path, depth)).is_some() {
                return None;
            }
            continue;
        }
        let inner = types.properties(object).filter(|_| depth < DEEPEST);
        for &(inner, ty) in inner.iter().flat_map(|inner| inner.iter()).take(MOST) {
            queue.push_back((format!("{path}.{}", types.name(inner)), ty, depth + 1));
        }
    }
    found.map(|(path, _)| path)
}

/// The object type among the types that a plain value may have.
fn object_in(types: &mut TypeStore, ty: TypeId) -> Option<TypeId> {
    let members = members(types, ty);
    let is_object =
        |member: &TypeId| matches!(types.get(*member), Type::Object(_) | Type::Nominal(_));
    members.into_iter().find(is_object)
}

/// The types that a plain value of a type may have.
pub fn members(types: &mut TypeStore, ty: TypeId) -> Vec<TypeId> {
    let resolved = types.resolve(ty);
    match types.get(resolved) {
        Type::Union(members) => members.to_vec(),
        _ => vec![resolved],
    }
}

/// The fix that puts the items of an object from `first` to `last` into a new object at `path`.
pub fn put_inside(first: Span, last: Span, path: &str) -> Fix {
    let steps: Vec<&str> = path.split('.').collect();
    let before: String = steps.iter().map(|step| format!("{step} = {{ ")).collect();
    let after = " }".repeat(steps.len());
    let edits = vec![
        TextEdit::insert(first.file, first.range.start(), before),
        TextEdit::insert(last.file, last.range.end(), after),
    ];
    Fix::unsafe_(format!("put it into `{path}`"), edits)
}
