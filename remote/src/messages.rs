//! The messages that are exchanged, as far as schemas need them. Field numbers are those of
//! Pulumi's `provider.proto`, `plugin.proto` and `loader.proto`.

use prost::Message;

/// The engine that runs a provider.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct HandshakeRequest {
    #[prost(string, tag = "1")]
    pub engine_address: String,
    #[prost(string, optional, tag = "2")]
    pub root_directory: Option<String>,
    #[prost(string, optional, tag = "3")]
    pub program_directory: Option<String>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Empty {}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct PluginInfo {
    #[prost(string, tag = "1")]
    pub version: String,
}

/// Tag 1 is for parameters as words of a command line, which programs do not have.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ParameterizeRequest {
    #[prost(message, optional, tag = "2")]
    pub value: Option<Parameter>,
}

/// A parameter, of a provider and of the loader service alike.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Parameter {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(string, tag = "2")]
    pub version: String,
    #[prost(bytes = "vec", tag = "3")]
    pub value: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct ParameterizeResponse {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(string, tag = "2")]
    pub version: String,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct ProviderSchemaRequest {
    /// The version of the format; there is only 0.
    #[prost(int32, tag = "1")]
    pub version: i32,
    #[prost(string, tag = "2")]
    pub subpackage_name: String,
    #[prost(string, tag = "3")]
    pub subpackage_version: String,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct LoaderSchemaRequest {
    #[prost(string, tag = "1")]
    pub package: String,
    #[prost(string, tag = "2")]
    pub version: String,
    #[prost(string, tag = "3")]
    pub download_url: String,
    #[prost(message, optional, tag = "4")]
    pub parameterization: Option<Parameter>,
}

/// The document. Providers declare it as text, which is written alike; whether it is any is found
/// out when it is read.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct SchemaResponse {
    #[prost(bytes = "vec", tag = "1")]
    pub schema: Vec<u8>,
}
