//! The server as an editor sees it, over pipes in this process. `tests/editor.rs` of the command
//! drives the binary.

mod completion;
mod diagnostics;
mod fuzz;
mod hover;
mod life;
mod references;
mod support;
