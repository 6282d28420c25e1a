//! Loaders that talk to processes, against others that do what they should, and against all that do
//! not.
#![cfg(unix)]

mod plugins;
mod server;
mod service;
