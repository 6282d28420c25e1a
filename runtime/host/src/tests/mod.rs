//! The host as an engine sees it: every request goes over a connection.

mod components;
mod engine;
mod files;
mod hooks;
mod packages;
mod run;
