//! `engine.proto`.

use prost::{Enumeration, Message};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Enumeration)]
#[repr(i32)]
pub(crate) enum Severity {
    Debug = 0,
    Info = 1,
    Warning = 2,
    Error = 3,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct LogRequest {
    #[prost(enumeration = "Severity", tag = "1")]
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

/// `grpc.health.v1`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct HealthCheckRequest {
    #[prost(string, tag = "1")]
    pub service: String,
}
