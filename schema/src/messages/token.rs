//! PCL0453 and PCL0464: the tokens of members, and members that a program cannot tell apart.

use pcl_diagnostics::{Code, Diagnostic, Span};

use crate::Section;

fn bad_token(at: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Code::SchemaToken, at, message)
        .help("write tokens as `package:module:Name`, the root module as `index`")
}

/// A token has white space or a control character.
pub(crate) fn unprintable(at: Span, bad: char) -> Diagnostic {
    let message = format!("a token cannot contain U+{:04X}", u32::from(bad));
    bad_token(at, message)
}

/// A token does not have three parts.
pub(crate) fn not_three_parts(at: Span, token: &str) -> Diagnostic {
    bad_token(
        at,
        format!("the token `{token}` is not of the form `package:module:name`"),
    )
}

/// A function of `pulumi` is not a method of a provider.
pub(crate) fn method_of_pulumi(at: Span) -> Diagnostic {
    bad_token(
        at,
        "expected a token that starts with `pulumi:providers`, or one of this package",
    )
}

/// A token names another package.
pub(crate) fn other_package(at: Span, token: &str, own: &str) -> Diagnostic {
    bad_token(
        at,
        format!("the token `{token}` does not belong to the package `{own}`"),
    )
}

/// A member of the root module is called `provider`.
pub(crate) fn provider_in_root(at: Span) -> Diagnostic {
    bad_token(
        at,
        "the name `provider` is reserved for the provider, which is declared in the field `provider`",
    )
}

/// A module is below `index`.
pub(crate) fn module_below_index(at: Span) -> Diagnostic {
    bad_token(at, "the module `index` has no modules below it")
}

/// A member is called `pulumi`.
pub(crate) fn called_pulumi(at: Span, section: Section) -> Diagnostic {
    bad_token(at, format!("no {} may be called `pulumi`", section.noun()))
}

/// A part of a token has a character that it may not have.
pub(crate) fn odd_characters(at: Span, token: &str, section: Section) -> Diagnostic {
    let dash = match section {
        Section::Functions => " and `-`",
        _ => ", and `-` in the module",
    };
    bad_token(
        at,
        format!(
            "the parts of the token `{token}` can only contain \
             letters, digits, `.`, `_`, `/`{dash}, and cannot start with a digit"
        ),
    )
}

fn collision(at: Span, message: String) -> Diagnostic {
    Diagnostic::error(Code::SchemaCollision, at, message).help("give one of them another name")
}

/// Several members can be written as `form`; `others` are the keys of the other ones.
pub(crate) fn same_form(
    at: Span,
    form: &str,
    others: impl IntoIterator<Item = Span>,
) -> Diagnostic {
    let message = format!("several members can be referred to as `{form}`");
    others
        .into_iter()
        .fold(collision(at, message), |diagnostic, other| {
            diagnostic.label(other, "this name differs only in case or module")
        })
}

/// A member has the name of a module.
pub(crate) fn module_of_name(at: Span, name: &str) -> Diagnostic {
    collision(at, format!("there is also a module `{name}`"))
}
