//! `provider.proto` and `errors.proto`, as far as a provider of components needs them.

use std::collections::BTreeMap;

use bytes::Bytes;
use prost::Message;

use super::resource::{Alias, CustomTimeouts, HooksBinding, PropertyDependencies};

/// The request of `ResourceProvider.Handshake`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ProviderHandshakeRequest {
    #[prost(string, tag = "1")]
    pub engine_address: String,
    #[prost(string, tag = "9")]
    pub loader_target: String,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub(crate) struct ProviderHandshakeResponse {
    #[prost(bool, tag = "1")]
    pub accept_secrets: bool,
    #[prost(bool, tag = "2")]
    pub accept_resources: bool,
    #[prost(bool, tag = "3")]
    pub accept_outputs: bool,
    #[prost(bool, tag = "6")]
    pub accepts_byte_string: bool,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct PluginAttach {
    #[prost(string, tag = "1")]
    pub address: String,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct GetSchemaResponse {
    #[prost(string, tag = "1")]
    pub schema: String,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct CheckRequest {
    #[prost(bytes = "bytes", optional, tag = "3")]
    pub news: Option<Bytes>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct CheckResponse {
    #[prost(bytes = "bytes", optional, tag = "1")]
    pub inputs: Option<Bytes>,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub(crate) struct DiffResponse {
    /// 1 means that nothing differs.
    #[prost(int32, tag = "4")]
    pub changes: i32,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub(crate) struct ConfigureResponse {
    #[prost(bool, tag = "1")]
    pub accept_secrets: bool,
    #[prost(bool, tag = "2")]
    pub supports_preview: bool,
    #[prost(bool, tag = "3")]
    pub accept_resources: bool,
    #[prost(bool, tag = "4")]
    pub accept_outputs: bool,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct ConstructRequest {
    #[prost(string, tag = "1")]
    pub project: String,
    #[prost(string, tag = "2")]
    pub stack: String,
    #[prost(bool, tag = "4")]
    pub dry_run: bool,
    #[prost(int32, tag = "5")]
    pub parallel: i32,
    #[prost(string, tag = "6")]
    pub monitor_endpoint: String,
    #[prost(string, tag = "7")]
    pub kind: String,
    #[prost(string, tag = "8")]
    pub name: String,
    #[prost(string, tag = "9")]
    pub parent: String,
    #[prost(bytes = "bytes", optional, tag = "10")]
    pub inputs: Option<Bytes>,
    #[prost(btree_map = "string, message", tag = "11")]
    pub input_dependencies: BTreeMap<String, PropertyDependencies>,
    #[prost(bool, optional, tag = "12")]
    pub protect: Option<bool>,
    #[prost(btree_map = "string, string", tag = "13")]
    pub providers: BTreeMap<String, String>,
    #[prost(string, repeated, tag = "15")]
    pub dependencies: Vec<String>,
    #[prost(string, tag = "17")]
    pub organization: String,
    #[prost(string, repeated, tag = "18")]
    pub additional_secret_outputs: Vec<String>,
    #[prost(message, optional, tag = "19")]
    pub custom_timeouts: Option<CustomTimeouts>,
    #[prost(string, tag = "20")]
    pub deleted_with: String,
    #[prost(bool, optional, tag = "21")]
    pub delete_before_replace: Option<bool>,
    #[prost(string, repeated, tag = "22")]
    pub ignore_changes: Vec<String>,
    #[prost(string, repeated, tag = "23")]
    pub replace_on_changes: Vec<String>,
    #[prost(bool, optional, tag = "24")]
    pub retain_on_delete: Option<bool>,
    #[prost(bool, tag = "25")]
    pub accepts_output_values: bool,
    #[prost(message, optional, tag = "26")]
    pub resource_hooks: Option<HooksBinding>,
    #[prost(string, repeated, tag = "28")]
    pub replace_with: Vec<String>,
    #[prost(message, repeated, tag = "29")]
    pub aliases: Vec<Alias>,
    #[prost(bytes = "bytes", optional, tag = "30")]
    pub replacement_trigger: Option<Bytes>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct ConstructResponse {
    #[prost(string, tag = "1")]
    pub urn: String,
    #[prost(bytes = "bytes", optional, tag = "2")]
    pub state: Option<Bytes>,
    #[prost(btree_map = "string, message", tag = "3")]
    pub state_dependencies: BTreeMap<String, PropertyDependencies>,
}

/// The inputs of a component that are refused, as a detail of a status.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct InputPropertiesError {
    #[prost(message, repeated, tag = "1")]
    pub errors: Vec<PropertyError>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct PropertyError {
    #[prost(string, tag = "1")]
    pub property_path: String,
    #[prost(string, tag = "2")]
    pub reason: String,
}

/// `google.rpc.Status`, which carries the details of a status.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct StatusDetails {
    #[prost(int32, tag = "1")]
    pub code: i32,
    #[prost(string, tag = "2")]
    pub message: String,
    #[prost(message, repeated, tag = "3")]
    pub details: Vec<AnyMessage>,
}

/// `google.protobuf.Any`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct AnyMessage {
    #[prost(string, tag = "1")]
    pub type_url: String,
    #[prost(bytes = "vec", tag = "2")]
    pub value: Vec<u8>,
}
