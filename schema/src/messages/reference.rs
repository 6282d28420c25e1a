//! PCL0403, PCL0408, PCL0454, PCL0455 and PCL0465: references to members of this package and of
//! others.

use pcl_diagnostics::{Code, Diagnostic, Setting, Severity, Span};

use super::did_you_mean;
use crate::{LoadError, PackageRequest, SchemaDiagnostic, Section};

fn bad_reference(severity: Severity, at: Span, message: String) -> Diagnostic {
    Diagnostic::error(Code::SchemaReference, at, message)
        .with_severity(severity)
        .help("write `#/types/TOKEN`, `#/resources/TOKEN` or `#/provider`")
}

/// A `$ref` has a form that references do not have.
pub(crate) fn malformed(at: Span, written: &str, error: &ReferenceError) -> Diagnostic {
    let message = format!("`{written}` is not a reference: {error}");
    bad_reference(Severity::Error, at, message)
}

/// A `$ref` to the provider has the form that earlier schemas used.
pub(crate) fn old_provider_form(at: Span) -> Diagnostic {
    let message = "this form is deprecated; the provider is `#/provider`";
    bad_reference(Severity::Warning, at, message.to_owned())
}

fn dangling(at: Span, message: String, help: &str) -> Diagnostic {
    Diagnostic::error(Code::SchemaDanglingReference, at, message).help(help)
}

const DANGLING_TYPE: &str = "declare the type in `types`, or correct the reference";
const DANGLING_RESOURCE: &str = "declare the resource, or correct the reference";

/// The package has no such type.
pub(crate) fn unknown_type(
    severity: Severity,
    at: Span,
    token: &str,
    meant: Option<&str>,
) -> Diagnostic {
    let meant = did_you_mean(meant);
    let message = format!("the package has no type `{token}`{meant}");
    dangling(at, message, DANGLING_TYPE).with_severity(severity)
}

/// The package has no such resource.
pub(crate) fn unknown_resource(at: Span, token: &str, meant: Option<&str>) -> Diagnostic {
    let meant = did_you_mean(meant);
    let message = format!("the package has no resource `{token}`{meant}");
    dangling(at, message, DANGLING_RESOURCE)
}

/// A `$ref` to the provider of an extension.
pub(crate) fn extension_without_provider(at: Span) -> Diagnostic {
    let message = "the package is an extension and has no provider of its own";
    dangling(at, message.to_owned(), DANGLING_RESOURCE)
}

/// Another package has no such member.
pub(crate) fn unknown_in_package(
    at: Span,
    request: &PackageRequest,
    section: Section,
) -> Diagnostic {
    let message = format!(
        "the package {request} does not have this {}",
        section.noun()
    );
    dangling(at, message, DANGLING_TYPE)
}

/// Another package does not load.
pub(crate) fn unknown_package(at: Span, error: &LoadError) -> Diagnostic {
    let message = format!("another package could not be loaded: {error}");
    Diagnostic::error(Code::UnknownPackage, at, message)
        .help("add its schema to a directory that is searched for schemas")
        .setting(Setting::MissingSchema)
}

/// A member of another package cannot be used.
pub(crate) fn broken_member(at: Span, error: &BrokenMember) -> Diagnostic {
    let message = format!("this refers to a member that cannot be used: {error}");
    Diagnostic::error(Code::InvalidSchemaMember, at, message)
        .help("report it to the publisher of the other package")
}

/// A description refers to a member or property that does not exist.
pub(crate) fn bad_doc_reference(at: Span, error: &DocReferenceError) -> Diagnostic {
    Diagnostic::error(Code::SchemaDocReference, at, error.to_string())
        .help("correct the reference, or remove it")
}

/// The reason why a `$ref` is malformed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReferenceError {
    #[error("the token has a broken `%` escape")]
    TokenEscape,
    #[error("nothing may follow `#/provider`")]
    AfterProvider,
    #[error("expected `#/types/TOKEN`, `#/resources/TOKEN` or `#/provider`")]
    Kind,
    #[error("expected `/PACKAGE/vVERSION/schema.json` before `#`")]
    Package,
    #[error("the version has a broken `%` escape")]
    VersionEscape,
    #[error("`{0}` is not a version such as 1.2.3")]
    Version(String),
}

/// The reason why a reference of a description leads nowhere.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DocReferenceError {
    #[error("`{0}` is not a valid reference in a description")]
    Malformed(String),
    #[error("the package {package} has no {} `{token}`", .section.noun())]
    UnknownMember {
        package: String,
        section: Section,
        token: String,
    },
    #[error("the {} `{token}` has no property `{name}`", .section.noun())]
    UnknownProperty {
        section: Section,
        token: String,
        name: String,
    },
}

/// The reason why a member of another package cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BrokenMember {
    #[error("package {package}: {diagnostic}")]
    Schema {
        package: String,
        diagnostic: SchemaDiagnostic,
    },
    #[error("`{written}`: {error}")]
    Package { written: Box<str>, error: LoadError },
    #[error("`{written}`: {request} does not have this {}", .section.noun())]
    UnknownMember {
        written: Box<str>,
        request: PackageRequest,
        section: Section,
    },
}
