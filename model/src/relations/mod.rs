//! Questions about types, one file each: conversion, assignability, unification, traversal,
//! eventual values, collections, shapes, and why a conversion fails.
//!
//! The answer for one kind of type stands in that kind's file (`types/kind`); the files here hold
//! what is common to all kinds: the order of the rules, cycles, and remembering answers.

mod answer;
mod assignable;
mod collection;
mod conversion;
mod eventuals;
mod explain;
mod key;
pub(crate) mod memo;
mod same;
mod shapes;
mod traverse;
mod unify;
mod unify_all;

pub use answer::Conversion;
pub use collection::Collection;
pub use explain::{Cause, PathStep, Reason};
pub use key::Key;
pub use shapes::{Shape, ShapeFunction, UnionRule};
pub use traverse::{TraverseError, TraverseErrorKind, Traversed};
pub use unify_all::Unified;

pub(crate) use key::{KeyInfo, KeyValue};
pub(crate) use memo::Level;
