//! Loaders that talk to processes, against others that do what they should, and against all that do
//! not.
#![cfg(unix)]

mod plugins;
#[path = "../../../tests/support/process.rs"]
mod process;
mod server;
mod service;
