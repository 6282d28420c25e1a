//! `callback.proto`, and of `resource.proto` what is sent to callbacks.

use bytes::Bytes;
use prost::Message;

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Callback {
    #[prost(string, tag = "1")]
    pub target: String,
    #[prost(string, tag = "2")]
    pub token: String,
    #[prost(bool, tag = "3")]
    pub accepts_byte_string: bool,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct CallbackInvokeRequest {
    #[prost(string, tag = "1")]
    pub token: String,
    #[prost(bytes = "bytes", tag = "2")]
    pub request: Bytes,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct CallbackInvokeResponse {
    #[prost(bytes = "bytes", tag = "1")]
    pub response: Bytes,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct ResourceHookRequest {
    #[prost(string, tag = "1")]
    pub urn: String,
    #[prost(string, tag = "2")]
    pub id: String,
    #[prost(string, tag = "3")]
    pub name: String,
    #[prost(string, tag = "4")]
    pub kind: String,
    #[prost(bytes = "bytes", optional, tag = "5")]
    pub new_inputs: Option<Bytes>,
    #[prost(bytes = "bytes", optional, tag = "6")]
    pub old_inputs: Option<Bytes>,
    #[prost(bytes = "bytes", optional, tag = "7")]
    pub new_outputs: Option<Bytes>,
    #[prost(bytes = "bytes", optional, tag = "8")]
    pub old_outputs: Option<Bytes>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct ResourceHookResponse {
    #[prost(string, tag = "1")]
    pub error: String,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct ErrorHookRequest {
    #[prost(string, tag = "1")]
    pub urn: String,
    #[prost(string, tag = "2")]
    pub id: String,
    #[prost(string, tag = "3")]
    pub name: String,
    #[prost(string, tag = "4")]
    pub kind: String,
    #[prost(bytes = "bytes", optional, tag = "5")]
    pub new_inputs: Option<Bytes>,
    #[prost(bytes = "bytes", optional, tag = "6")]
    pub old_inputs: Option<Bytes>,
    #[prost(bytes = "bytes", optional, tag = "7")]
    pub old_outputs: Option<Bytes>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct ErrorHookResponse {
    #[prost(string, tag = "1")]
    pub error: String,
    #[prost(bool, tag = "2")]
    pub retry: bool,
}
