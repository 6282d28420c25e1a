//! Messages of JSON-RPC 2.0.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Number, Value};

/// A request, a notification or a response, by the members that it has.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Message {
    jsonrpc: Version,
    /// The identity of a request, or of the request that a response answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Id>,
    /// The method of a request or notification.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// The parameters of a request or notification.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub params: Option<Value>,
    /// The result of a response.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub result: Option<Json>,
    /// The error of a response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Failure>,
}

/// Reads `null` as a value that is there.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Json>, D::Error> {
    Json::deserialize(deserializer).map(Some)
}

/// The text of a JSON value. Taken apart, the result of a request takes ten times as much memory.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Json(Box<RawValue>);

impl Json {
    /// The JSON of a value.
    ///
    /// # Errors
    /// Returns the failure of a value that has none.
    pub fn of(value: &impl Serialize) -> Answer<Self> {
        serde_json::value::to_raw_value(value)
            .map(Self)
            .map_err(|error| Failure::new(Failure::INTERNAL, error.to_string()))
    }

    /// The value.
    pub fn value(&self) -> Value {
        serde_json::from_str(self.0.get()).unwrap_or_default()
    }
}

impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        self.0.get() == other.0.get()
    }
}

#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
enum Version {
    #[default]
    #[serde(rename = "2.0")]
    Two,
}

/// The identity of a request.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Id {
    /// A number.
    Number(Number),
    /// A text.
    Text(String),
    /// None that could be read, in the response to a message that is not one.
    Null,
}

/// The result of a request.
pub type Answer<T> = Result<T, Failure>;

/// The error of a response.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Failure {
    /// The kind of error.
    pub code: i64,
    /// A description for people.
    pub message: String,
    /// More about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

impl Failure {
    /// The text is not JSON.
    pub const PARSE: i64 = -32700;
    /// The message is not one of JSON-RPC, or comes at a wrong time.
    pub const INVALID_REQUEST: i64 = -32600;
    /// There is no such method.
    pub const METHOD_NOT_FOUND: i64 = -32601;
    /// The method does not take these parameters.
    const INVALID_PARAMS: i64 = -32602;
    /// A bug of the server.
    pub const INTERNAL: i64 = -32603;
    /// A request came before `initialize`.
    pub const NOT_INITIALIZED: i64 = -32002;
    /// There is no such resource, in the Model Context Protocol.
    pub const RESOURCE_NOT_FOUND: i64 = -32002;
    /// The editor cancelled the request.
    pub const CANCELLED: i64 = -32800;
    /// A document changed while the request was answered.
    pub const CONTENT_MODIFIED: i64 = -32801;
    /// The text changed before the request was answered.
    pub const SERVER_CANCELLED: i64 = -32802;
    /// The request is well formed, but cannot be fulfilled.
    pub const FAILED: i64 = -32803;

    /// The error of parameters that are wrong.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(Self::INVALID_PARAMS, message)
    }

    /// An error with a description.
    pub fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }
}

impl Message {
    /// A request.
    pub fn request(id: Id, method: impl Into<String>, params: Value) -> Self {
        Self { id: Some(id), ..Self::notification(method, params) }
    }

    /// A notification.
    pub fn notification(method: impl Into<String>, params: Value) -> Self {
        Self {
            method: Some(method.into()),
            params: Some(params).filter(|params| !params.is_null()),
            ..Self::default()
        }
    }

    /// A response.
    pub fn response(id: Id, answer: Answer<Json>) -> Self {
        let (result, error) = match answer {
            Ok(result) => (Some(result), None),
            Err(error) => (None, Some(error)),
        };
        Self { id: Some(id), result, error, ..Self::default() }
    }
}
