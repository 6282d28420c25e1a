//! Undefined names that were reported and have an evident meaning: they are bound as what they
//! mean, so that their fixes reveal nothing new.

use pcl_diagnostics::{Mark, Span};

use super::DefinitionId;
use crate::types::{Symbol, TypeId};
use crate::value::Constant;

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
