//! `plugin.proto`.

use prost::Message;

/// The answer of services that have nothing to say.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Empty {}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct PluginInfo {
    #[prost(string, tag = "1")]
    pub version: String,
}

/// A parameter of a package; `Parameterization` of `resource.proto` is the same.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct PackageParameterization {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(string, tag = "2")]
    pub version: String,
    #[prost(bytes = "vec", tag = "3")]
    pub value: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct PackageDependency {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(string, tag = "2")]
    pub kind: String,
    #[prost(string, tag = "3")]
    pub version: String,
    #[prost(string, tag = "4")]
    pub server: String,
    #[prost(message, optional, tag = "6")]
    pub parameterization: Option<PackageParameterization>,
    #[prost(message, optional, tag = "7")]
    pub extension: Option<PackageParameterization>,
}
