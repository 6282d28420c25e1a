//! The blocks of a program: one table of what each takes (`rules`), one file per kind for what it
//! means.

pub(crate) mod attributes;
pub(crate) mod component;
pub(crate) mod component_directory;
pub(crate) mod component_token;
pub(crate) mod config;
pub(crate) mod hook;
pub(crate) mod literal;
pub(crate) mod local;
pub(crate) mod output;
pub(crate) mod package;
pub(crate) mod pulumi;
pub(crate) mod read;
pub(crate) mod resource;
pub mod rules;
