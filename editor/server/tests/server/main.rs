//! The server as an editor sees it, over pipes in this process. `tests/editor.rs` of the command
//! drives the binary.

mod completion;
mod diagnostics;
mod fuzz;
mod hover;
mod life;
mod references;
mod actions;
mod commands;
mod diagnostics;
mod formatting;
mod hints;
mod lenses;
mod life;
mod links;
mod ranges;
mod semantic_tokens;
mod support;
