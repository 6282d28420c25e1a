//! The requests and notifications of the protocol, one file for each group.

pub mod actions;
pub mod annotations;
pub mod calls;
pub mod commands;
pub mod completion;
pub mod configuration;
pub mod configuration_files;
pub mod diagnostics;
pub mod documents;
pub mod files;
pub mod layout;
pub mod meaning;
pub mod schemas;
pub mod semantic_tokens;
pub mod symbols;
