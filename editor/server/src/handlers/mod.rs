//! The requests and notifications of the protocol, one file for each group.

pub mod completion;
pub mod configuration;
pub mod diagnostics;
pub mod documents;
pub mod meaning;
pub mod rename;

use serde_json::Value;

use crate::dispatch::Answer;
use crate::message::Failure;
use crate::server::Server;

/// Answers a request that is not one of the protocol.
pub fn custom(_server: &mut Server, method: &str, _params: Option<Value>) -> Answer<Value> {
    let message = format!("there is no method `{method}`");
    Err(Failure::new(Failure::METHOD_NOT_FOUND, message))
}
