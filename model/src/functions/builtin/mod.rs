//! The functions of the language, one table per area.
//!
//! A row says all that there is to know about a function: its name, what it takes and gives, what it does in one line, and an example.
//! Where what it gives depends on the arguments, the row names the function that works it out.

mod assets;
mod attempts;
mod collections;
mod encoding;
mod files;
mod hashing;
mod labels;
mod numbers;
mod outputs;
mod packages;
mod program;
mod strings;

use super::{CallContext, Function, Parameter, Signature};
use crate::types::{TypeId, TypeStore};

/// The functions that a program can call wherever it is bound.
pub const AREAS: &[Area] = &[
    assets::AREA,
    attempts::AREA,
    collections::AREA,
    encoding::AREA,
    files::AREA,
    hashing::AREA,
    numbers::AREA,
    outputs::AREA,
    program::AREA,
    strings::AREA,
];

/// The functions that build types in type labels.
pub const LABEL_AREAS: &[Area] = &[labels::AREA];

/// The functions that reach into packages. They are described here and supplied by the binder.
pub const PACKAGE_AREAS: &[Area] = &[packages::AREA];

/// Functions that belong together.
#[derive(Clone, Copy)]
pub struct Area {
    /// What they are about, as a heading.
    pub title: &'static str,
    /// The functions, by name.
    pub functions: &'static [Builtin],
}

/// Every area of the language, those of type labels and packages last.
pub fn all_areas() -> impl Iterator<Item = &'static Area> {
    AREAS.iter().chain(PACKAGE_AREAS).chain(LABEL_AREAS)
}

/// A function of the language.
pub struct Builtin {
    /// Its name.
    pub name: &'static str,
    /// What it takes and gives.
    pub rule: Rule,
    /// What it does, in one line.
    pub summary: &'static str,
    /// A call of it.
    pub example: &'static str,
}

impl Builtin {
    /// How it is called: `lookup(map: map(T), key: string, default?: T) -> T`. A letter stands for a type that the arguments decide.
    #[must_use]
    pub fn usage(&self) -> String {
        let (parameters, returns) = match &self.rule {
            Rule::Fixed(parameters, returns) => (parameters, returns),
            Rule::Generic { usage, .. } | Rule::Elsewhere { usage, .. } => {
                return (*usage).to_owned();
            }
        };
        let mut types = TypeStore::new();
        let mut shown = |shape: &Shape| {
            let ty = shape.intern(&mut types);
            types.pretty(ty)
        };
        let parameters: Vec<String> = parameters
            .iter()
            .map(|(name, shape)| match shape {
                Shape::Optional(inner) => format!("{name}?: {}", shown(inner)),
                _ => format!("{name}: {}", shown(shape)),
            })
            .collect();
        format!(
            "{}({}) -> {}",
            self.name,
            parameters.join(", "),
            shown(returns)
        )
    }

    /// What a call of it gives, in words.
    #[must_use]
    pub fn returns(&self) -> String {
        match &self.rule {
            Rule::Fixed(parameters, returns) => {
                let mut types = TypeStore::new();
                let ty = returns.intern(&mut types);
                let ty = types.pretty(ty);
                match (parameters, returns) {
                    ([], _) | (_, Shape::Output(_)) => ty,
                    _ => format!("{ty}, in an output or promise when an argument is one"),
                }
            }
            Rule::Generic { returns, .. } | Rule::Elsewhere { returns, .. } => {
                (*returns).to_owned()
            }
        }
    }
}

/// How the signature of a function is found.
pub enum Rule {
    /// It is the same for every call.
    Fixed(&'static [(&'static str, Shape)], Shape),
    /// It depends on the arguments.
    Generic {
        /// How the function is called, for [`Builtin::usage`].
        usage: &'static str,
        /// What it gives, for [`Builtin::returns`].
        returns: &'static str,
        /// Works the signature of a call out.
        rule: fn(&mut CallContext<'_, '_>) -> Signature,
    },
    /// The binder knows it.
    Elsewhere {
        /// How the function is called, for [`Builtin::usage`].
        usage: &'static str,
        /// What it gives, for [`Builtin::returns`].
        returns: &'static str,
    },
}

/// A type written down in a table.
#[derive(Clone, Copy)]
pub enum Shape {
    /// A type with a fixed id.
    Just(TypeId),
    /// `list(T)`.
    List(&'static Shape),
    /// `map(T)`.
    Map(&'static Shape),
    /// `output(T)`.
    Output(&'static Shape),
    /// `T` or nothing.
    Optional(&'static Shape),
    /// One of several.
    OneOf(&'static [Shape]),
}

const ARCHIVE: Shape = Shape::Just(TypeId::ARCHIVE);
const ASSET: Shape = Shape::Just(TypeId::ASSET);
const DYNAMIC: Shape = Shape::Just(TypeId::DYNAMIC);
const INT: Shape = Shape::Just(TypeId::INT);
const STRING: Shape = Shape::Just(TypeId::STRING);

impl Shape {
    fn intern(&self, types: &mut TypeStore) -> TypeId {
        match self {
            Self::Just(ty) => *ty,
            Self::List(element) => {
                let element = element.intern(types);
                types.list(element)
            }
            Self::Map(element) => {
                let element = element.intern(types);
                types.map(element)
            }
            Self::Output(element) => {
                let element = element.intern(types);
                types.output(element)
            }
            Self::Optional(inner) => {
                let inner = inner.intern(types);
                types.optional(inner)
            }
            Self::OneOf(members) => {
                let members: Vec<TypeId> = members.iter().map(|m| m.intern(types)).collect();
                types.union(members)
            }
        }
    }
}

impl Function for Builtin {
    fn signature(&self, call: &mut CallContext<'_, '_>) -> Signature {
        match &self.rule {
            Rule::Fixed(parameters, returns) => {
                let types = call.types();
                let parameters = parameters
                    .iter()
                    .map(|(name, shape)| Parameter::new(*name, shape.intern(types)))
                    .collect();
                let returns = returns.intern(types);
                Signature::new(parameters, returns)
            }
            Rule::Generic { rule, .. } => rule(call),
            Rule::Elsewhere { .. } => Signature::unknown(),
        }
    }
}

/// `ty`, as an output when one of `arguments` holds anything eventual.
fn output_if_eventual(types: &mut TypeStore, ty: TypeId, arguments: &[TypeId]) -> TypeId {
    if arguments
        .iter()
        .any(|&argument| types.contains_eventuals(argument))
    {
        types.output(ty)
    } else {
        ty
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use pcl_syntax::ast::{AstNode, Expr};

    use super::*;

    /// Whether somewhere in `example` the function itself is called.
    fn calls(example: &str, name: &str) -> bool {
        let tree = pcl_syntax::parse_expression(example);
        assert!(tree.errors().is_empty(), "{example}");
        let mut nodes = tree.root().descendants();
        nodes.any(|node| matches!(Expr::cast(node), Some(Expr::Call(call)) if call.name() == name))
    }

    #[test]
    fn every_row_is_complete_and_in_order() {
        let mut names = HashSet::new();
        for area in all_areas() {
            assert!(area.functions.is_sorted_by_key(|function| function.name));
            for function in area.functions {
                assert!(
                    names.insert(function.name),
                    "{} stands twice",
                    function.name
                );
                assert!(!function.summary.is_empty() && !function.summary.ends_with('.'));
                assert!(
                    calls(function.example, function.name),
                    "{}",
                    function.example
                );
            }
        }
    }
}
