//! Tokens of resources and functions.

use pcl_diagnostics::{Code, Diagnostic, Fix, Setting, Span, TextEdit};
use pcl_model::expression::short_token;
use pcl_schema::{LoadError, MemberError, NotFound, PackageRequest};
use pcl_syntax::quoted;

use super::well_known::similar_package;

/// A token that is not `package:module:member` or `package:member`; `meant` has its parts.
pub(crate) fn malformed(span: Span, written: &str, meant: Option<&str>) -> Diagnostic {
    let message = format!("`{written}` is not a type token");
    let diagnostic = Diagnostic::error(Code::MalformedToken, span, message);
    match meant {
        Some(meant) => with_token(diagnostic, span, meant),
        None => diagnostic.help(
            "write `package:module:member`, or `package:member` for a member of the root module",
        ),
    }
}

/// A token whose module is not the member's; `token` is the member's own.
pub(crate) fn wrong_module(span: Span, written: &str, token: &str) -> Diagnostic {
    let mut parts = written.splitn(3, ':');
    let package = parts.next().unwrap_or_default();
    let message = match (parts.next().unwrap_or_default(), parts.next()) {
        ("", Some(name)) | (name, None) => {
            format!("package `{package}` has no `{name}` in the root module")
        }
        (module, Some(name)) => {
            format!("package `{package}` has no `{name}` in the module `{module}`")
        }
    };
    let diagnostic = Diagnostic::warning(Code::WrongModule, span, message)
        .note("Pulumi takes every module that it does not know for the root module")
        .ours();
    with_token(diagnostic, span, token)
}

/// A package without a usable schema. `names` are the packages that could be loaded, and `meant` is
/// the token as a member of such a package, if that has it.
pub(crate) fn unknown_package(
    span: Span,
    name: &str,
    error: &LoadError,
    names: impl FnOnce() -> Vec<String>,
    meant: impl FnOnce(&str) -> Option<String>,
) -> Diagnostic {
    let LoadError::NotFound(missing) = error else {
        return unusable_package(span, name, error);
    };
    let message = format!("there is no schema for package `{}`", missing.request);
    let mut diagnostic = Diagnostic::error(Code::UnknownPackage, span, message);
    if !missing.versions.is_empty() {
        let versions: Vec<String> = missing.versions.iter().map(ToString::to_string).collect();
        let versions = versions.join(", ");
        diagnostic = diagnostic.note(format!("schemas of other versions were found: {versions}"));
    }
    if !missing.places.is_empty() {
        diagnostic = diagnostic.note(format!("searched {}", missing.places.join(", ")));
    }
    if let Some(path) = &missing.refused {
        return diagnostic
            .note(format!(
                "the project names the plugin {} for it",
                path.display()
            ))
            .help(NotFound::REFUSED);
    }
    if let Some(plugin) = missing.plugins.first() {
        return diagnostic
            .note(format!(
                "plugin {} {} is installed",
                plugin.name, plugin.version
            ))
            .help("allow plugins to be started, so that it can be asked")
            .setting(Setting::RunPlugins);
    }
    let similar = if missing.versions.is_empty() {
        similar_package(name, &names())
    } else {
        None
    };
    let Some(similar) = similar else {
        return get_schema(diagnostic, &missing.request);
    };
    let diagnostic = diagnostic.help(format!("did you mean the package `{similar}`?"));
    let Some(token) = meant(&similar).filter(|_| !span.range.is_empty()) else {
        return diagnostic;
    };
    let edits = vec![TextEdit::replace(span, quoted(&token))];
    let title = format!("write `{token}`");
    diagnostic.fix(Fix::respelled(name, &similar, title, edits))
}

/// The help for a schema that can be added to the places where it is looked up.
fn get_schema(diagnostic: Diagnostic, request: &PackageRequest) -> Diagnostic {
    let package = match request.version() {
        Some(version) => format!("{}@{version}", request.name()),
        None => request.name().to_owned(),
    };
    // The command of the help is copied into a shell.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.@+".contains(c);
    if !package.chars().all(is_plain) || package.starts_with('-') {
        return diagnostic
            .help("add the schema of that package to the places where schemas are looked up")
            .setting(Setting::MissingSchema);
    }
    let add = format!("add the schema of `{package}` to `schemas/`");
    if request.parameterization.is_some() {
        let plugin = &request.name;
        return diagnostic
            .help(format!("{add}: the plugin `{plugin}` makes it"))
            .setting(Setting::Parameterization);
    }
    diagnostic
        .help(format!("{add}: `pulumi package get-schema` prints it"))
        .setting(Setting::SchemaPlaces)
}

/// A package whose schema exists and cannot be used.
fn unusable_package(span: Span, name: &str, error: &LoadError) -> Diagnostic {
    let (code, message, help) = match error {
        LoadError::Unanswered(unanswered) => (
            Code::UnknownPackage,
            format!("the schema of package `{name}` could not be loaded"),
            unanswered.help.as_str(),
        ),
        LoadError::Unreadable { .. } => (
            Code::UnreadableSource,
            format!("the schema of package `{name}` could not be read"),
            "check the path and its permissions",
        ),
        _ => (
            Code::UnknownPackage,
            format!("the schema of package `{name}` is not usable"),
            "fix or replace the schema file",
        ),
    };
    let mut diagnostic = Diagnostic::error(code, span, message)
        .note(error.to_string())
        .help(help);
    if let LoadError::Unanswered(unanswered) = error {
        diagnostic.setting = unanswered.setting;
    }
    diagnostic
}

/// A resource type that its package does not have.
pub(crate) fn unknown_resource(
    span: Span,
    package: &str,
    written: &str,
    meant: Option<&str>,
) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        Code::UnknownResourceType,
        span,
        format!("package `{package}` has no resource `{written}`"),
    );
    match meant {
        Some(meant) => with_token(diagnostic, span, meant),
        None => diagnostic.help(format!(
            "look the type up in the documentation of package `{package}`"
        )),
    }
}

/// A function that its package does not have. `resource` is the resource of that token, if there is
/// one.
pub(crate) fn unknown_function(
    span: Span,
    package: &str,
    written: &str,
    resource: Option<&str>,
    meant: impl FnOnce() -> Option<String>,
) -> Diagnostic {
    let message = format!("package `{package}` has no function `{written}`");
    let diagnostic = Diagnostic::error(Code::UnknownInvoke, span, message);
    if let Some(resource) = resource {
        return diagnostic.help(format!(
            "`{resource}` is a resource: declare it with a `resource` block"
        ));
    }
    match meant() {
        Some(meant) => with_token(diagnostic, span, &meant),
        None => diagnostic,
    }
}

/// A resource that cannot be read from its schema.
pub(crate) fn damaged_resource(span: Span, token: &str, error: &MemberError) -> Diagnostic {
    let message = format!("the schema of `{}` is damaged", short_token(token));
    Diagnostic::error(Code::InvalidSchemaMember, span, message)
        .note(error.to_string())
        .help("the publisher of the package has to fix the schema")
}

/// A function that cannot be read from its schema.
pub(crate) fn damaged_function(span: Span, token: &str, error: &MemberError) -> Diagnostic {
    let token = short_token(token);
    let message = format!("the schema of `{token}` is damaged: {error}");
    Diagnostic::error(Code::InvalidSchemaMember, span, message)
}

/// A `read` of a provider.
pub(crate) fn provider_read(span: Span, written: &str) -> Diagnostic {
    let message = format!("`{written}` is a provider, and providers cannot be read");
    Diagnostic::error(Code::ProviderRead, span, message)
        .help("declare it with `resource`, or read one of the provider's resources")
}

/// A `read` of a component.
pub(crate) fn component_read(span: Span, token: &str) -> Diagnostic {
    let token = short_token(token);
    let message = format!("`{token}` is a component, and components cannot be read");
    Diagnostic::error(Code::ComponentRead, span, message)
        .help("read the resources inside the component instead")
}

/// Adds the token that is probably meant, with the edit that writes it.
fn with_token(diagnostic: Diagnostic, span: Span, meant: &str) -> Diagnostic {
    let diagnostic = diagnostic.help(format!("did you mean `{meant}`?"));
    if span.range.is_empty() {
        // The token is not in the text.
        return diagnostic;
    }
    let edit = TextEdit::replace(span, quoted(meant));
    diagnostic.fix(Fix::unsafe_(format!("write `{meant}`"), vec![edit]))
}
