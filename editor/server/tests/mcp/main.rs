//! The tools as an agent sees them, over pipes in this process. `tests/agents.rs` of the command
//! drives the binary.

#[path = "../server/environment.rs"]
mod environment;
mod life;
mod preview;
mod resources;
mod safety;
mod support;
mod tools;
