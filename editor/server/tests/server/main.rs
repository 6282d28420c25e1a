//! The server as an editor sees it, over pipes in this process. `tests/editor.rs` of the command
//! drives the binary.

mod actions;
mod commands;
mod completion;
mod configuration_files;
mod configuration_texts;
mod diagnostics;
mod environment;
mod every_prefix;
mod formatting;
mod fuzz;
mod hints;
mod hover;
mod lenses;
mod life;
mod links;
mod parts;
mod ranges;
mod references;
mod semantic_tokens;
mod support;
mod symbols;
