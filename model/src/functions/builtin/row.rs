//! The rows of the tables: a function of the language, with what it takes and returns.

use super::super::function::{CallContext, Function};
use super::super::signature::{Parameter, Signature};
use crate::types::{TypeId, TypeStore};

/// Functions that belong together.
#[derive(Clone, Copy)]
pub struct Area {
    /// The heading above them.
    pub title: &'static str,
    /// The functions, by name.
    pub functions: &'static [Builtin],
}

/// A function of the language.
pub struct Builtin {
    /// Its name.
    pub name: &'static str,
    /// The rule for its signature.
    pub rule: Rule,
    /// The summary in one line.
    pub summary: &'static str,
    /// A call of it.
    pub example: &'static str,
}

impl Builtin {
    /// The form of a call: `lookup(map: map(T), key: string, default?: T) -> T`. A letter is a type
    /// that depends on the arguments.
    #[must_use]
    pub fn usage(&self) -> String {
        let (parameters, returns) = match &self.rule {
            Rule::Fixed(parameters, returns) => (parameters, returns),
            Rule::Generic { usage, .. } | Rule::Elsewhere { usage, .. } => {
                return (*usage).to_owned();
            }
        };
        let mut types = TypeStore::new();
        let mut shown = |shape: &StaticType| {
            let ty = shape.intern(&mut types);
            types.text(ty)
        };
        let parameters: Vec<String> = parameters
            .iter()
            .map(|(name, shape)| match shape {
                StaticType::Optional(inner) => format!("{name}?: {}", shown(inner)),
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

    /// The type of a call in words.
    #[must_use]
    pub fn returns(&self) -> String {
        match &self.rule {
            Rule::Fixed(parameters, returns) => {
                let mut types = TypeStore::new();
                let ty = returns.intern(&mut types);
                let ty = types.text(ty);
                match (parameters, returns) {
                    ([], _) | (_, StaticType::Output(_)) => ty,
                    _ => format!("{ty}, in an output or promise if an argument is one"),
                }
            }
            Rule::Generic { returns, .. } | Rule::Elsewhere { returns, .. } => {
                (*returns).to_owned()
            }
        }
    }
}

/// The rule for the signature of a function.
pub enum Rule {
    /// It is the same for every call.
    Fixed(&'static [(&'static str, StaticType)], StaticType),
    /// It depends on the arguments.
    Generic {
        /// The form of a call, for [`Builtin::usage`].
        usage: &'static str,
        /// The type of a call in words, for [`Builtin::returns`].
        returns: &'static str,
        /// Works the signature of a call out.
        rule: fn(&mut CallContext<'_, '_>) -> Signature,
    },
    /// The binder knows it.
    Elsewhere {
        /// The form of a call, for [`Builtin::usage`].
        usage: &'static str,
        /// The type of a call in words, for [`Builtin::returns`].
        returns: &'static str,
    },
}

/// A type written down in a table.
#[derive(Clone, Copy)]
pub enum StaticType {
    /// A type with a fixed id.
    Just(TypeId),
    /// `list(T)`.
    List(&'static StaticType),
    /// `map(T)`.
    Map(&'static StaticType),
    /// `output(T)`.
    Output(&'static StaticType),
    /// `T` or nothing.
    Optional(&'static StaticType),
    /// One of several.
    OneOf(&'static [StaticType]),
}

pub(super) const ARCHIVE: StaticType = StaticType::Just(TypeId::ARCHIVE);
pub(super) const ASSET: StaticType = StaticType::Just(TypeId::ASSET);
pub(super) const DYNAMIC: StaticType = StaticType::Just(TypeId::DYNAMIC);
pub(super) const INT: StaticType = StaticType::Just(TypeId::INT);
pub(super) const STRING: StaticType = StaticType::Just(TypeId::STRING);

impl StaticType {
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
        call.example = Some(self.example);
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
pub(super) fn output_if_eventual(
    types: &mut TypeStore,
    ty: TypeId,
    arguments: &[TypeId],
) -> TypeId {
    if arguments
        .iter()
        .any(|&argument| types.contains_eventuals(argument))
    {
        types.output(ty)
    } else {
        ty
    }
}
