//! `resource.proto`, with `alias.proto`, `source.proto`, `callback.proto` and `engine.proto`.

use std::collections::BTreeMap;

use bytes::Bytes;
use prost::{Enumeration, Message, Oneof};

use pcl_remote::Parameter;

/// A place in a file.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct SourcePosition {
    /// The URI of the file, with an absolute path.
    #[prost(string, tag = "1")]
    pub uri: String,
    #[prost(int32, tag = "2")]
    pub line: i32,
    #[prost(int32, tag = "3")]
    pub column: i32,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Alias {
    #[prost(oneof = "AliasKind", tags = "1, 2")]
    pub alias: Option<AliasKind>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(crate) enum AliasKind {
    #[prost(string, tag = "1")]
    Urn(String),
    #[prost(message, tag = "2")]
    Spec(AliasSpec),
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct AliasSpec {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(string, tag = "2")]
    pub kind: String,
    #[prost(string, tag = "3")]
    pub stack: String,
    #[prost(string, tag = "4")]
    pub project: String,
    #[prost(oneof = "AliasParent", tags = "5, 6")]
    pub parent: Option<AliasParent>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(crate) enum AliasParent {
    #[prost(string, tag = "5")]
    Urn(String),
    #[prost(bool, tag = "6")]
    None(bool),
}

/// The resources that a property depends on.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct PropertyDependencies {
    #[prost(string, repeated, tag = "1")]
    pub urns: Vec<String>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct CustomTimeouts {
    #[prost(string, tag = "1")]
    pub create: String,
    #[prost(string, tag = "2")]
    pub update: String,
    #[prost(string, tag = "3")]
    pub delete: String,
    #[prost(string, tag = "4")]
    pub read: String,
}

/// The names of hooks by event.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct HooksBinding {
    #[prost(string, repeated, tag = "1")]
    pub before_create: Vec<String>,
    #[prost(string, repeated, tag = "2")]
    pub after_create: Vec<String>,
    #[prost(string, repeated, tag = "3")]
    pub before_update: Vec<String>,
    #[prost(string, repeated, tag = "4")]
    pub after_update: Vec<String>,
    #[prost(string, repeated, tag = "5")]
    pub before_delete: Vec<String>,
    #[prost(string, repeated, tag = "6")]
    pub after_delete: Vec<String>,
    #[prost(string, repeated, tag = "7")]
    pub on_error: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Enumeration)]
#[repr(i32)]
pub(crate) enum ResourceResult {
    Success = 0,
    Fail = 1,
    Skip = 2,
}

/// The features of `ResourceMonitorFeature` on which a run depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enumeration)]
#[repr(i32)]
pub(crate) enum MonitorFeature {
    Secrets = 0,
    InvokeOutputValues = 17,
    CallOutputValues = 18,
    RegisterResourceOutputValues = 19,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct DeploymentInfo {
    #[prost(enumeration = "MonitorFeature", repeated, tag = "8")]
    pub supported_features: Vec<i32>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct RegisterResourceResponse {
    #[prost(string, tag = "1")]
    pub urn: String,
    #[prost(string, tag = "2")]
    pub id: String,
    #[prost(bytes = "bytes", optional, tag = "3")]
    pub object: Option<Bytes>,
    #[prost(btree_map = "string, message", tag = "6")]
    pub property_dependencies: BTreeMap<String, PropertyDependencies>,
    #[prost(enumeration = "ResourceResult", tag = "7")]
    pub result: i32,
    #[prost(bool, tag = "8")]
    pub unknown: bool,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct ReadResourceRequest {
    #[prost(string, tag = "1")]
    pub id: String,
    #[prost(string, tag = "2")]
    pub kind: String,
    #[prost(string, tag = "3")]
    pub name: String,
    #[prost(string, tag = "4")]
    pub parent: String,
    #[prost(bytes = "bytes", optional, tag = "5")]
    pub properties: Option<Bytes>,
    #[prost(string, repeated, tag = "6")]
    pub dependencies: Vec<String>,
    #[prost(string, tag = "7")]
    pub provider: String,
    #[prost(string, tag = "8")]
    pub version: String,
    #[prost(bool, tag = "9")]
    pub accept_secrets: bool,
    #[prost(string, repeated, tag = "10")]
    pub additional_secret_outputs: Vec<String>,
    #[prost(bool, tag = "12")]
    pub accept_resources: bool,
    #[prost(string, tag = "13")]
    pub plugin_download_url: String,
    #[prost(message, optional, tag = "14")]
    pub source_position: Option<SourcePosition>,
    #[prost(string, tag = "16")]
    pub package_ref: String,
    #[prost(bool, tag = "19")]
    pub accepts_byte_string: bool,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct ReadResourceResponse {
    #[prost(string, tag = "1")]
    pub urn: String,
    #[prost(bytes = "bytes", optional, tag = "2")]
    pub properties: Option<Bytes>,
    #[prost(enumeration = "ResourceResult", tag = "3")]
    pub result: i32,
    #[prost(bool, tag = "4")]
    pub unknown: bool,
    #[prost(string, tag = "5")]
    pub id: String,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct ExistsResourceRequest {
    #[prost(string, tag = "1")]
    pub kind: String,
    #[prost(string, tag = "2")]
    pub id: String,
    #[prost(bytes = "bytes", optional, tag = "4")]
    pub properties: Option<Bytes>,
    #[prost(string, tag = "9")]
    pub package_ref: String,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct ExistsResourceResponse {
    #[prost(bool, tag = "1")]
    pub exists: bool,
    #[prost(bool, tag = "2")]
    pub unknown: bool,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct RegisterResourceOutputsRequest {
    #[prost(string, tag = "1")]
    pub urn: String,
    #[prost(bytes = "bytes", optional, tag = "2")]
    pub outputs: Option<Bytes>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct ResourceInvokeRequest {
    #[prost(string, tag = "1")]
    pub token: String,
    #[prost(bytes = "bytes", optional, tag = "2")]
    pub arguments: Option<Bytes>,
    #[prost(string, tag = "3")]
    pub provider: String,
    #[prost(string, tag = "4")]
    pub version: String,
    #[prost(bool, tag = "5")]
    pub accept_resources: bool,
    #[prost(string, tag = "6")]
    pub plugin_download_url: String,
    #[prost(string, tag = "9")]
    pub package_ref: String,
    #[prost(bool, tag = "12")]
    pub accepts_byte_string: bool,
    #[prost(string, repeated, tag = "13")]
    pub depends_on: Vec<String>,
    #[prost(string, tag = "15")]
    pub parent: String,
    #[prost(bool, tag = "16")]
    pub accept_output_values: bool,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct CheckFailure {
    #[prost(string, tag = "1")]
    pub property: String,
    #[prost(string, tag = "2")]
    pub reason: String,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct ResourceInvokeResponse {
    #[prost(bytes = "bytes", optional, tag = "1")]
    pub result: Option<Bytes>,
    #[prost(message, repeated, tag = "2")]
    pub failures: Vec<CheckFailure>,
    #[prost(bool, tag = "3")]
    pub unknown: bool,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct ResourceCallRequest {
    #[prost(string, tag = "1")]
    pub token: String,
    #[prost(bytes = "bytes", optional, tag = "2")]
    pub arguments: Option<Bytes>,
    #[prost(btree_map = "string, message", tag = "3")]
    pub argument_dependencies: BTreeMap<String, PropertyDependencies>,
    #[prost(string, tag = "17")]
    pub package_ref: String,
    #[prost(bool, tag = "20")]
    pub accepts_byte_string: bool,
    #[prost(bool, tag = "21")]
    pub accept_output_values: bool,
}

/// The answer to a `ResourceCallRequest`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct CallResponse {
    #[prost(bytes = "bytes", optional, tag = "1")]
    pub result: Option<Bytes>,
    #[prost(btree_map = "string, message", tag = "2")]
    pub dependencies: BTreeMap<String, PropertyDependencies>,
    #[prost(message, repeated, tag = "3")]
    pub failures: Vec<CheckFailure>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct RegisterPackageRequest {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(string, tag = "2")]
    pub version: String,
    #[prost(string, tag = "3")]
    pub download_url: String,
    #[prost(message, optional, tag = "5")]
    pub parameterization: Option<Parameter>,
    #[prost(message, optional, tag = "6")]
    pub extension: Option<Parameter>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct RegisterPackageResponse {
    #[prost(string, tag = "1")]
    pub reference: String,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct RegisterResourceHookRequest {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(message, optional, tag = "2")]
    pub callback: Option<Callback>,
    #[prost(bool, tag = "3")]
    pub on_dry_run: bool,
    #[prost(bool, tag = "4")]
    pub ignore_errors: bool,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct RegisterErrorHookRequest {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(message, optional, tag = "2")]
    pub callback: Option<Callback>,
}

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

#[derive(Clone, Copy, Debug, PartialEq, Eq, Enumeration)]
#[repr(i32)]
pub(crate) enum LogSeverity {
    Debug = 0,
    Info = 1,
    Warning = 2,
    Error = 3,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct LogRequest {
    #[prost(enumeration = "LogSeverity", tag = "1")]
    pub severity: i32,
    #[prost(string, tag = "2")]
    pub message: String,
    #[prost(string, tag = "3")]
    pub urn: String,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct RequirePulumiVersionRequest {
    #[prost(string, tag = "1")]
    pub range: String,
}
