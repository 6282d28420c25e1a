//! Undefined names that were reported and have an evident meaning: they are bound as what they
//! mean, so that their fixes reveal nothing new.

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
