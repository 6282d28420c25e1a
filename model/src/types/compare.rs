//! The structural order of types, in which the members of a union are shown and the properties of
//! an object are unified: opaque types by name, none, constants, enums, lists, sets, maps, tuples,
//! objects, unions, outputs, promises; and inside of a kind by the parts.
//!
//! The rules, with examples: `tests/spec/types/union.md`.

use std::cmp::Ordering;

use rustc_hash::FxHashSet;

use super::{Properties, Type, TypeId, TypeStore};
use crate::value::Constant;

impl TypeStore {
    /// Puts types in their structural order.
    pub(crate) fn sort_types(&mut self, types: &mut [TypeId]) {
        types.sort_by(|a, b| match (self.get(*a), self.get(*b)) {
            // Most long unions are of literals.
            (
                Type::Const { underlying, value },
                Type::Const { underlying: other, value: other_value },
            ) if underlying == other => values(value, other_value),
            _ => Comparison::new(self).compare(*a, *b),
        });
    }

    /// The types of all properties, each once, in structural order.
    pub(crate) fn property_types(&mut self, properties: &Properties) -> Vec<TypeId> {
        let mut types: Vec<TypeId> = properties.iter().map(|(_, ty)| *ty).collect();
        types.sort_unstable();
        types.dedup();
        self.sort_types(&mut types);
        types
    }
}

/// A walk over two types side by side, which ends at the first difference. It does not recurse:
/// chains of schema types can be long.
struct Comparison<'a> {
    types: &'a mut TypeStore,
    /// The pairs of schema types so far. One that is met again is in flight, or was found equal.
    seen: FxHashSet<(TypeId, TypeId)>,
    /// The steps that are left, the next one last.
    open: Vec<Step>,
}

enum Step {
    /// Two types are compared.
    Pair(TypeId, TypeId),
    /// The order of what equal parts are followed by.
    Known(Ordering),
}

impl<'a> Comparison<'a> {
    fn new(types: &'a mut TypeStore) -> Self {
        Self { types, seen: FxHashSet::default(), open: Vec::new() }
    }

    fn compare(mut self, a: TypeId, b: TypeId) -> Ordering {
        self.open.push(Step::Pair(a, b));
        while let Some(step) = self.open.pop() {
            let order = match step {
                Step::Pair(a, b) if a == b => Ordering::Equal,
                Step::Pair(a, b) => self.kinds(a, b),
                Step::Known(order) => order,
            };
            if order.is_ne() {
                return order;
            }
        }
        Ordering::Equal
    }

    /// The order of two types by their kinds and numbers of parts. The parts are left to be
    /// compared.
    fn kinds(&mut self, a: TypeId, b: TypeId) -> Ordering {
        let (left, right) = (self.types.get(a).clone(), self.types.get(b).clone());
        let order = rank(&left).cmp(&rank(&right));
        if order.is_ne() {
            return order;
        }
        match (&left, &right) {
            (
                Type::Const { underlying, value },
                Type::Const { underlying: other, value: other_value },
            ) => {
                self.open.push(Step::Known(values(value, other_value)));
                self.open.push(Step::Pair(*underlying, *other));
                Ordering::Equal
            }
            (Type::Enum(one), Type::Enum(other)) => {
                self.types.compare_names(one.token, other.token)
            }
            (Type::List(one), Type::List(other))
            | (Type::Set(one), Type::Set(other))
            | (Type::Map(one), Type::Map(other))
            | (Type::Output(one), Type::Output(other))
            | (Type::Promise(one), Type::Promise(other)) => {
                self.open.push(Step::Pair(*one, *other));
                Ordering::Equal
            }
            (Type::Tuple(one), Type::Tuple(other)) => self.all(one, other),
            (Type::Union(one), Type::Union(other)) => {
                if one.len() != other.len() {
                    return one.len().cmp(&other.len());
                }
                let [one, other] = [a, b].map(|ty| self.types.members(ty));
                self.all(&one, &other)
            }
            (Type::Object(_) | Type::Nominal(_), _) => self.objects(a, b),
            _ => self.name(a, &left).cmp(self.name(b, &right)),
        }
    }

    fn all(&mut self, one: &[TypeId], other: &[TypeId]) -> Ordering {
        if one.len() == other.len() {
            let pairs = one.iter().zip(other).rev();
            self.open.extend(pairs.map(|(a, b)| Step::Pair(*a, *b)));
        }
        one.len().cmp(&other.len())
    }

    /// By the number of properties; then, from name to name, an object that has a property comes
    /// before one that does not.
    fn objects(&mut self, a: TypeId, b: TypeId) -> Ordering {
        let guarded = [a, b].iter().any(|ty| matches!(self.types.get(*ty), Type::Nominal(_)));
        if guarded && !self.seen.insert((a, b)) {
            return Ordering::Equal;
        }
        let [one, other] = [a, b].map(|ty| self.types.properties(ty).unwrap_or_default());
        if one.len() != other.len() {
            return one.len().cmp(&other.len());
        }
        let start = self.open.len();
        for (&(name, part), &(other_name, other_part)) in one.iter().zip(&other) {
            // The properties are sorted: the smaller name is missing in the other object.
            let order = self.types.compare_names(name, other_name);
            if order.is_ne() {
                self.open.push(Step::Known(order));
                break;
            }
            self.open.push(Step::Pair(part, other_part));
        }
        if let Some(steps) = self.open.get_mut(start..) {
            steps.reverse();
        }
        Ordering::Equal
    }

    /// The name of a type that has no parts.
    fn name(&self, ty: TypeId, kind: &Type) -> &str {
        match (kind, ty) {
            (Type::Opaque(name), _) => self.types.name(*name),
            (_, TypeId::BOOL) => "boolean",
            (_, TypeId::INT) => "int",
            (_, TypeId::NUMBER) => "number",
            (_, TypeId::STRING) => "string",
            (_, TypeId::ID) => "id",
            (_, TypeId::DYNAMIC) => "dynamic",
            _ => "",
        }
    }
}

fn rank(ty: &Type) -> u8 {
    match ty {
        Type::Bool
        | Type::Int
        | Type::Number
        | Type::String
        | Type::Id
        | Type::Dynamic
        | Type::Error
        | Type::Opaque(_) => 0,
        Type::None => 1,
        Type::Const { .. } => 2,
        Type::Enum(_) => 3,
        Type::List(_) => 4,
        Type::Set(_) => 5,
        Type::Map(_) => 6,
        Type::Tuple(_) => 7,
        Type::Object(_) | Type::Nominal(_) => 8,
        Type::Union(_) => 9,
        Type::Output(_) => 10,
        Type::Promise(_) => 11,
    }
}

/// Null, bools, numbers, strings; and inside of a kind by value.
fn values(one: &Constant, other: &Constant) -> Ordering {
    let rank = |value: &Constant| match value {
        Constant::Null => 0,
        Constant::Bool(_) => 1,
        Constant::Number(_) => 2,
        Constant::String(_) => 3,
    };
    match (one, other) {
        (Constant::Bool(one), Constant::Bool(other)) => one.cmp(other),
        (Constant::Number(one), Constant::Number(other)) => one.cmp(other),
        (Constant::String(one), Constant::String(other)) => one.cmp(other),
        _ => rank(one).cmp(&rank(other)),
    }
}
