//! The blocks of a program, one file per kind for what it means. The table of what each takes is
//! that of the language; resources have a folder of their own.

pub(crate) mod attributes;
pub(crate) mod component;
pub(crate) mod component_directory;
pub(crate) mod component_token;
pub(crate) mod config;
pub(crate) mod download_url;
pub(crate) mod hook;
pub(crate) mod literal;
pub(crate) mod local;
pub(crate) mod output;
pub(crate) mod package;
pub(crate) mod pulumi;
