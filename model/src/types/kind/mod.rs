//! One file per kind of type: how it is made, and what the relations say about it.

pub(crate) mod constant;
pub(crate) mod enumeration;
mod list;
mod map;
mod none;
mod object;
pub(crate) mod opaque;
mod output;
mod promise;
mod set;
mod tuple;
mod union;
