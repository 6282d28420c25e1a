//! The language host of PCL: it runs programs on Pulumi's engine.
//!
//! Pulumi starts one process for each language, which serves `LanguageRuntime` over gRPC: it names
//! the packages that a program needs, and it runs the program, whose resources it registers with
//! the engine. This is that process. What a program means is decided elsewhere: [`pcl`] binds it,
//! and [`pcl_eval`] evaluates it; here are the protocols.
//!
//! The process can also be a proxy for the host of another language, which it asks for everything
//! but programs: those it generates itself ([`LanguagePlugin`]).
//!
//! Laws:
//! - A message of somebody else never makes the host panic, whatever it contains.
//! - Every diagnostic of a run reaches the engine's log with its file and line, or the answer to
//!   the request if there is no engine. Nothing is printed but the port.
//! - Secrets are sent as such, and are part of no message.
//! - A hook runs only for who knows its token, which only the engine does.
//! - Files are written as a whole or not at all.
//!
//! ```
//! let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
//! runtime.block_on(async {
//!     let server = pcl_host::Server::bind(None).await?;
//!     assert!(server.address().starts_with("127.0.0.1:"));
//!     server.serve_until(async {}).await
//! })?;
//! # Ok::<(), std::io::Error>(())
//! ```

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::indexing_slicing,
        clippy::string_slice
    )
)]

mod calls;
mod component_provider;
mod construct;
mod converter;
mod engine_link;
mod fields;
mod hooks;
mod host;
mod launch;
mod monitor;
mod packages;
mod project;
mod protocol;
mod proxy;
mod registration;
mod report;
mod run;
mod run_plugin;
mod server;
#[cfg(test)]
mod tests;

pub use launch::LanguagePlugin;
pub use proxy::{find_host, known_proxies};
pub use server::Server;
