//! `codegen/hcl.proto`.

use prost::{Enumeration, Message};

#[derive(Clone, Copy, PartialEq, Message)]
pub(crate) struct Pos {
    #[prost(int64, tag = "1")]
    pub line: i64,
    #[prost(int64, tag = "2")]
    pub column: i64,
    #[prost(int64, tag = "3")]
    pub byte: i64,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Range {
    #[prost(string, tag = "1")]
    pub filename: String,
    #[prost(message, optional, tag = "2")]
    pub start: Option<Pos>,
    #[prost(message, optional, tag = "3")]
    pub end: Option<Pos>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Enumeration)]
#[repr(i32)]
pub(crate) enum Severity {
    Invalid = 0,
    Error = 1,
    Warning = 2,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Diagnostic {
    #[prost(enumeration = "Severity", tag = "1")]
    pub severity: i32,
    #[prost(string, tag = "2")]
    pub summary: String,
    #[prost(string, tag = "3")]
    pub detail: String,
    #[prost(message, optional, tag = "4")]
    pub subject: Option<Range>,
}
