//! The language server of PCL: [`serve`] answers an editor over two streams.
//!
//! The way of a message: `transport` reads it; the `inbox` keeps it until its turn and forgets it
//! when it is cancelled; the `session` changes the `documents` or calls the handler that `dispatch`
//! names; a handler in `handlers` asks a question of `pcl-ide` about one of the `programs` and
//! converts the answer.
//!
//! Laws:
//! - A request gets exactly one response, whatever it contains; a panic in a handler is an error
//!   response and a message in the editor's log.
//! - Requests see the texts as they were when the request was sent.
//! - Nothing is written: changes are edits that the editor applies. Nothing is executed, unless the
//!   caller's settings say so.
//!
//! The tests drive it as an editor does: `editor/server/tests`.

#![cfg_attr(
    not(test),
    deny(
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

mod capabilities;
mod client;
mod convert;
mod dispatch;
mod documents;
mod edits;
mod handlers;
mod inbox;
pub mod mcp;
mod message;
mod plans;
mod programs;
pub mod query;
mod registrations;
mod server;
mod session;
mod transport;

pub use server::{AddSchema, Environment};
pub use session::serve;
