//! Questions about types, one file each: conversion, assignability, unification, traversal,
//! resolving outputs and promises, collections, shapes, and why a conversion fails.
//!
//! The answer for one kind of type is in that kind's file (`types/kind`); the files here hold the
//! rules that all kinds share: their order, cycles, and the cache of answers.

mod answer;
mod assignable;
mod conversion;
mod explain;
mod meant;
pub(crate) mod memo;
mod resolve;
mod same;
mod shapes;
mod traverse;
mod unify;
mod unify_all;
mod wide_union;

pub use answer::{Conversion, Key};
pub use explain::{Cause, PathStep, Reason};
pub use shapes::{Shape, ShapeFunction, UnionRule};
pub use traverse::{Collection, TraverseError, TraverseErrorKind, Traversed};

pub(crate) use meant::Meant;
pub(crate) use memo::Level;
