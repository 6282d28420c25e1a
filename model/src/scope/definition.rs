//! Definitions: names with their meanings, and undefined names with an evident one. These are bound
//! as what they mean, so that their fixes reveal nothing new.

use std::num::NonZeroU32;

use pcl_diagnostics::{Mark, Span};

use crate::types::{Symbol, TypeId};
use crate::value::Constant;

/// A scope in a [`Scopes`](super::Scopes) arena.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ScopeId(pub(super) u32);

/// A definition in a [`Scopes`](super::Scopes) arena.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct DefinitionId(NonZeroU32);

impl DefinitionId {
    /// The position of the definition in its arena, counted from 0 in the order of definition.
    pub const fn index(self) -> usize {
        (self.0.get() - 1) as usize
    }

    pub(super) fn from_index(index: usize) -> Self {
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        Self(NonZeroU32::new(number).unwrap_or(NonZeroU32::MAX))
    }
}

/// The kind of a definition. The numbers belong to whoever defines the name: the binder's node
/// indexes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DefinitionKind {
    /// A value of the definition's type: a loop variable, `range`, `args`, the name of a type in a
    /// type label.
    Variable,
    /// A named value.
    Constant(Constant),
    /// A program node that is traversed by its type: a config, local, output or component.
    Node(u32),
    /// A resource or a read resource. Its parts are not checked where the policy excuses
    /// `Matter::ResourceOutput`.
    Resource(u32),
    /// A hook: everything reached from it is dynamic.
    Hook(u32),
    /// The `pulumi` block: it can be named, but has no parts.
    PulumiBlock(u32),
    /// An input of a resource as a path, in `ignoreChanges` and its like. The definition has the
    /// type of the input; what refers to it has the type `Property`.
    Property,
    /// A keyword, which has no value.
    Keyword,
}

impl DefinitionKind {
    /// The index of the program node, if it is one.
    pub const fn node(&self) -> Option<u32> {
        match self {
            Self::Node(node)
            | Self::Resource(node)
            | Self::Hook(node)
            | Self::PulumiBlock(node) => Some(*node),
            _ => None,
        }
    }
}

/// A name with its meaning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// The name; empty for the item of a splat.
    pub name: Symbol,
    /// The kind of the definition.
    pub kind: DefinitionKind,
    /// The type of a reference to it. `dynamic` until it is known.
    pub ty: TypeId,
    /// The place of the declaration.
    pub span: Option<Span>,
}

impl Definition {
    /// A variable of a known type, declared nowhere in the text.
    pub const fn variable(name: Symbol, ty: TypeId) -> Self {
        Self { name, kind: DefinitionKind::Variable, ty, span: None }
    }
}

/// A meaning of an undefined name and of the steps after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recovered {
    /// The value that is meant.
    pub meant: Meant,
    /// The number of steps after the name that are part of the mistake.
    pub steps: usize,
}

/// The value that an undefined name denotes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Meant {
    /// The target of another name, followed by these steps.
    Name(Symbol, Vec<Symbol>),
    /// A literal.
    Constant(Constant),
    /// A value of this type.
    Value(TypeId),
}

/// A sum of strings whose diagnostic offers to join them in a template.
#[derive(Clone, Debug)]
pub struct JoinedSum {
    /// The place of the sum so far.
    pub whole: Span,
    /// The state of the reporter before the diagnostic.
    pub mark: Mark,
    /// The primary place of the diagnostic.
    pub place: Span,
    /// The text of the template, without its quotes.
    pub template: String,
    /// The number of operands so far.
    pub operands: usize,
}

/// An unknown name whose diagnostic offers to write something else.
#[derive(Clone, Debug)]
pub struct Guess {
    /// The place of the name.
    pub span: Span,
    /// The name.
    pub name: String,
    /// The definition of the similar name that is offered; `None` for a text or a bool.
    pub meant: Option<DefinitionId>,
    /// The type of what is offered, as far as it is known where the name is bound.
    pub ty: TypeId,
    /// The type that is expected of the value, if it is known.
    pub wanted: Option<TypeId>,
    /// The state of the reporter before the diagnostic.
    pub mark: Mark,
}
