//! The requests and notifications of the protocol, one file for each group.

pub mod actions;
pub mod annotations;
pub mod calls;
pub mod completion;
pub mod configuration;
pub mod diagnostics;
pub mod documents;
pub mod layout;
pub mod meaning;
pub mod schemas;
pub mod semantic_tokens;
pub mod symbols;

use serde_json::Value;

use crate::message::{Answer, Failure, Json};
use crate::server::Server;

/// Answers a request that is not one of the protocol.
pub fn custom(server: &mut Server, method: &str, params: Option<Value>) -> Answer<Json> {
    if method == "pcl/schemaDocument" {
        return schemas::document(server, params);
    }
    let message = format!("there is no method `{method}`");
    Err(Failure::new(Failure::METHOD_NOT_FOUND, message))
}
