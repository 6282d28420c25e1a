//! `language.proto`, with `codegen/hcl.proto`, and of `plugin.proto` what they need.

use std::collections::BTreeMap;

use prost::{Enumeration, Message, Oneof};

use pcl_remote::Parameter;

#[derive(Clone, PartialEq, Message)]
pub(crate) struct ProgramInfo {
    #[prost(string, tag = "1")]
    pub root_directory: String,
    #[prost(string, tag = "2")]
    pub program_directory: String,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct HandshakeRequest {
    #[prost(string, tag = "1")]
    pub engine_address: String,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct AboutResponse {
    #[prost(string, tag = "1")]
    pub executable: String,
    #[prost(string, tag = "2")]
    pub version: String,
}

/// The request of `GetProgramDependencies`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ProgramDependenciesRequest {
    #[prost(message, optional, tag = "5")]
    pub info: Option<ProgramInfo>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct DependencyInfo {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(string, tag = "2")]
    pub version: String,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct ProgramDependenciesResponse {
    #[prost(message, repeated, tag = "1")]
    pub dependencies: Vec<DependencyInfo>,
}

/// The request of `GetRequiredPackages`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct RequiredPackagesRequest {
    #[prost(message, optional, tag = "1")]
    pub info: Option<ProgramInfo>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct RequiredPackagesResponse {
    #[prost(message, repeated, tag = "1")]
    pub packages: Vec<PackageDependency>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct RunRequest {
    #[prost(string, tag = "1")]
    pub project: String,
    #[prost(string, tag = "2")]
    pub stack: String,
    #[prost(string, tag = "3")]
    pub working_directory: String,
    #[prost(btree_map = "string, string", tag = "6")]
    pub config: BTreeMap<String, String>,
    #[prost(bool, tag = "7")]
    pub dry_run: bool,
    #[prost(int32, tag = "8")]
    pub parallel: i32,
    #[prost(string, tag = "9")]
    pub monitor_address: String,
    #[prost(string, repeated, tag = "11")]
    pub config_secret_keys: Vec<String>,
    #[prost(string, tag = "12")]
    pub organization: String,
    #[prost(message, optional, tag = "14")]
    pub info: Option<ProgramInfo>,
    #[prost(string, tag = "15")]
    pub loader_target: String,
    #[prost(bool, tag = "16")]
    pub attach_debugger: bool,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct RunResponse {
    #[prost(string, tag = "1")]
    pub error: String,
    /// The errors were reported to the engine.
    #[prost(bool, tag = "2")]
    pub bail: bool,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct GenerateProgramRequest {
    #[prost(btree_map = "string, string", tag = "1")]
    pub source: BTreeMap<String, String>,
    #[prost(string, tag = "2")]
    pub loader_target: String,
    #[prost(bool, tag = "3")]
    pub strict: bool,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct GenerateProgramResponse {
    #[prost(message, repeated, tag = "1")]
    pub diagnostics: Vec<Diagnostic>,
    #[prost(btree_map = "string, bytes", tag = "2")]
    pub source: BTreeMap<String, Vec<u8>>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct GenerateProjectRequest {
    #[prost(string, tag = "1")]
    pub source_directory: String,
    #[prost(string, tag = "2")]
    pub target_directory: String,
    /// The project file as JSON.
    #[prost(string, tag = "3")]
    pub project: String,
    #[prost(bool, tag = "4")]
    pub strict: bool,
    #[prost(string, tag = "5")]
    pub loader_target: String,
    /// Packages that were generated before: their artifacts by name.
    #[prost(btree_map = "string, string", tag = "6")]
    pub local_dependencies: BTreeMap<String, String>,
}

/// The answer of `GenerateProject` and of `GeneratePackage`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct DiagnosticsResponse {
    #[prost(message, repeated, tag = "1")]
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct GeneratePackageRequest {
    #[prost(string, tag = "1")]
    pub directory: String,
    #[prost(string, tag = "2")]
    pub schema: String,
    #[prost(btree_map = "string, bytes", tag = "3")]
    pub extra_files: BTreeMap<String, Vec<u8>>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct RunPluginRequest {
    /// Each as `NAME=VALUE`.
    #[prost(string, repeated, tag = "4")]
    pub environment: Vec<String>,
    #[prost(message, optional, tag = "5")]
    pub info: Option<ProgramInfo>,
    #[prost(string, tag = "6")]
    pub kind: String,
    #[prost(bool, tag = "8")]
    pub attach_debugger: bool,
    #[prost(string, tag = "9")]
    pub loader_target: String,
}

/// A message in the stream of a plugin that runs.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct RunPluginResponse {
    #[prost(oneof = "PluginOutput", tags = "1, 2, 3")]
    pub output: Option<PluginOutput>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(crate) enum PluginOutput {
    #[prost(bytes, tag = "1")]
    Stdout(Vec<u8>),
    #[prost(bytes, tag = "2")]
    Stderr(Vec<u8>),
    #[prost(int32, tag = "3")]
    ExitCode(i32),
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct PackRequest {
    #[prost(string, tag = "1")]
    pub package_directory: String,
    #[prost(string, tag = "2")]
    pub destination_directory: String,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct PackResponse {
    #[prost(string, tag = "1")]
    pub artifact_path: String,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct LinkDependency {
    #[prost(string, tag = "2")]
    pub path: String,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct LinkRequest {
    #[prost(message, optional, tag = "1")]
    pub info: Option<ProgramInfo>,
    #[prost(message, repeated, tag = "3")]
    pub packages: Vec<LinkDependency>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct LinkResponse {
    #[prost(string, tag = "1")]
    pub import_instructions: String,
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
    pub parameterization: Option<Parameter>,
}

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
