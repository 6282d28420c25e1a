//! The messages that are exchanged, as far as schemas need them. Field numbers are those of
//! Pulumi's `provider.proto`, `plugin.proto` and `loader.proto`.

use pcl_schema::Parameterization;
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

/// A message without fields.
#[derive(Clone, PartialEq, Message)]
pub struct Empty {}

/// The answer of a plugin that is asked for its version.
#[derive(Clone, PartialEq, Message)]
pub struct PluginInfo {
    /// The version.
    #[prost(string, tag = "1")]
    pub version: String,
}

/// Tag 1 is for parameters as words of a command line, which programs do not have.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ParameterizeRequest {
    #[prost(message, optional, tag = "2")]
    pub value: Option<Parameter>,
}

/// A parameter of a package, the same in all protocols.
#[derive(Clone, PartialEq, Message)]
pub struct Parameter {
    /// The name of the package that it makes.
    #[prost(string, tag = "1")]
    pub name: String,
    /// The version of that package.
    #[prost(string, tag = "2")]
    pub version: String,
    /// The parameter itself.
    #[prost(bytes = "vec", tag = "3")]
    pub value: Vec<u8>,
}

impl From<&Parameterization> for Parameter {
    fn from(parameter: &Parameterization) -> Self {
        let Parameterization { name, version, value } = parameter;
        Self { name: name.clone(), version: version.to_string(), value: value.clone() }
    }
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
