//! Configuration.

use pcl_diagnostics::{Code, Diagnostic, Span};

use super::Shown;
use super::operands::too_large;
use crate::config::Misfit;

/// A variable has no value.
pub(crate) fn missing(span: Span, name: &str) -> Diagnostic {
    let message = format!("the configuration variable `{name}` has no value");
    Diagnostic::error(Code::MissingConfig, span, message).help(format!(
        "set it with `pulumi config set {name} ..`, or give it a `default`"
    ))
}

/// The configured text does not fit its variable. A secret text is not shown.
pub(crate) fn misfit(
    span: Span,
    name: &str,
    text: &Shown,
    misfit: &Misfit,
    extra: Option<&Shown>,
) -> Diagnostic {
    let found = format!("found {}", text.or("a secret value"));
    let message = match misfit {
        Misfit::Expected(expected) => {
            format!("the configuration variable `{name}` expects {expected}, {found}")
        }
        Misfit::NotJson(..) => {
            format!("the configuration variable `{name}` expects JSON, {found}")
        }
        Misfit::Extra(_) => {
            format!("the configuration variable `{name}` has a value that its type does not have")
        }
        Misfit::TooLarge(error) => return too_large(span, *error),
    };
    let diagnostic = Diagnostic::error(Code::InvalidConfig, span, message).help(format!(
        "set another value with `pulumi config set {name} ..`"
    ));
    match (misfit, extra) {
        (Misfit::NotJson(line, column), _) => diagnostic.note(format!(
            "the JSON is malformed at line {line}, column {column}"
        )),
        (Misfit::Extra(_), Some(extra)) if !extra.is_secret() => {
            diagnostic.note(format!("its name is {}", extra.or("long")))
        }
        _ => diagnostic,
    }
}

/// A value is encrypted and its key is not known.
pub(crate) fn encrypted(span: Span, name: &str) -> Diagnostic {
    let message =
        format!("the configuration variable `{name}` is encrypted, so it is unknown here");
    Diagnostic::warning(Code::EncryptedConfig, span, message)
        .ours()
        .help("set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE to decrypt it")
}
