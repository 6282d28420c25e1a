//! The check that a value, which no program of ours has made, is one of a type.

use pcl_model::types::{Type, TypeId, TypeStore};

use crate::node::config::required;
use crate::value::{Kind, Marks, Value};
use crate::wording::Shown;

/// A part of a value that is none of its type.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Misfit {
    /// The path to the part, which begins with the name of the value.
    pub path: String,
    /// The expected and the found value, without those that are secret.
    pub reason: String,
}

/// The first part of a value that is none of its type; `None` if all parts fit. What is unknown
/// fits everywhere.
pub(crate) fn misfit(types: &TypeStore, ty: TypeId, value: &Value, path: &str) -> Option<Misfit> {
    check(types, ty, value, &Place { path: path.to_owned(), within: value.marks.clone() })
}

/// The place of a part in a value.
struct Place {
    path: String,
    /// The marks of the values that have the part.
    within: Marks,
}

impl Place {
    fn part(&self, path: String, part: &Value) -> Self {
        Self { path, within: self.within.clone().union(&part.marks) }
    }

    fn misfit(&self, expected: &str, found: &Value) -> Option<Misfit> {
        let found = Shown::of(found, &self.within);
        let reason = format!("expected {expected}, found {found}");
        Some(Misfit { path: self.path.clone(), reason })
    }
}

fn check(types: &TypeStore, declared: TypeId, value: &Value, place: &Place) -> Option<Misfit> {
    let ty = required(types, declared);
    let expected = match (types.get(ty), &value.kind) {
        (_, Kind::Unknown | Kind::Poisoned(_)) => return None,
        (_, Kind::Null) if ty != declared && takes_null(types, declared) => return None,
        (Type::Union(members), _) => {
            // If the value fits no member, the first one explains as much as another.
            let mut first = None;
            for member in members.iter().filter(|member| **member != TypeId::NONE) {
                match check(types, *member, value, place) {
                    None => return None,
                    misfit => first = first.or(misfit),
                }
            }
            return first;
        }
        (Type::Const { underlying, .. }, _) => return check(types, *underlying, value, place),
        (Type::Enum(of), _) => return check(types, of.underlying, value, place),
        (Type::String | Type::Id, Kind::String(_))
        | (Type::Bool, Kind::Bool(_))
        | (Type::Number, Kind::Number(_)) => return None,
        (Type::Int, Kind::Number(number)) if number.is_integral() => return None,
        (Type::List(element) | Type::Set(element), Kind::List(list)) => {
            let mut elements = list.elements().iter().enumerate();
            return elements.find_map(|(at, part)| {
                let path = format!("{}[{at}]", place.path);
                check(types, *element, part, &place.part(path, part))
            });
        }
        (Type::Map(element), Kind::Object(object)) => {
            return object.iter().find_map(|(key, part)| {
                let path = format!("{}[{}]", place.path, pcl_syntax::quoted(key));
                check(types, *element, part, &place.part(path, part))
            });
        }
        (Type::Object(properties), Kind::Object(object)) => {
            return properties.iter().find_map(|(name, ty)| {
                let name = types.name(*name);
                let part = object.get(name).unwrap_or(&Value::NULL);
                let path = format!("{}.{name}", place.path);
                check(types, *ty, part, &place.part(path, part))
            });
        }
        (Type::None, Kind::Null) => return None,
        (Type::String | Type::Id, _) => "a string",
        (Type::Bool, _) => "a bool",
        (Type::Number, _) => "a number",
        (Type::Int, _) => "a whole number",
        (Type::List(_) | Type::Set(_), _) => "a list",
        (Type::Map(_) | Type::Object(_), _) => "an object",
        // Any value, and values whose kinds the engine knows better.
        _ => return None,
    };
    place.misfit(expected, value)
}

fn takes_null(types: &TypeStore, ty: TypeId) -> bool {
    match types.get(ty) {
        Type::None | Type::Dynamic => true,
        Type::Union(members) => members.iter().any(|member| takes_null(types, *member)),
        Type::Output(inner) | Type::Promise(inner) => takes_null(types, *inner),
        _ => false,
    }
}
