//! The form of the tokens of members.

use pcl_diagnostics::{Code, Diagnostic, Span};

use super::Validation;
use crate::{MemberId, Section};

impl Validation<'_> {
    pub(super) fn token(&mut self, section: Section, member: MemberId) {
        if section == Section::Provider {
            return;
        }
        let (package, offset) = (self.package, self.key_of(member));
        let wrong = self.wrong_token(section, package.token(member), self.span(offset));
        if wrong.is_empty() {
            return;
        }
        let path = package.parts.pointer(member);
        for diagnostic in wrong {
            self.report(&path, offset, |_| diagnostic);
        }
    }

    fn wrong_token(&self, section: Section, token: &str, at: Span) -> Vec<Diagnostic> {
        let mut wrong = Vec::new();
        if let Some(bad) = token.chars().find(|c| c.is_whitespace() || c.is_control()) {
            wrong.push(unprintable(at, bad));
        }
        let parts: Vec<&str> = token.split(':').collect();
        let [package, module, name] = parts[..] else {
            wrong.push(not_three_parts(at, token));
            return wrong;
        };
        let own = self.package.name();
        let is_method = section == Section::Functions && package == "pulumi";
        if is_method && module != "providers" {
            wrong.push(method_of_pulumi(at));
        } else if !is_method && package != own && !self.allowed_names.iter().any(|n| n == package) {
            wrong.push(other_package(at, token, own));
        }
        let format = self.package.parts.module_format();
        let denoted = format.captured(module).unwrap_or(module);
        let in_root = denoted.is_empty() || denoted.eq_ignore_ascii_case("index");
        if in_root && name.eq_ignore_ascii_case("provider") {
            wrong.push(provider_in_root(at));
        }
        if format.module_of(token).starts_with("index/") {
            wrong.push(module_below_index(at));
        }
        if name == "pulumi" {
            wrong.push(called_pulumi(at, section));
        }
        let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '/' | '-');
        let odd = |part: &str| {
            part.starts_with(|c: char| c.is_ascii_digit()) || part.chars().skip(1).any(|c| !word(c))
        };
        if wrong.is_empty() && (odd(module) || name.is_empty() || odd(name)) {
            wrong.push(odd_characters(at, token));
        }
        wrong
    }
}

fn bad_token(at: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Code::SchemaToken, at, message)
        .help("write tokens as `package:module:Name`, the root module as `index`")
}

/// A token has white space or a control character.
fn unprintable(at: Span, bad: char) -> Diagnostic {
    let message = format!("a token cannot contain U+{:04X}", u32::from(bad));
    bad_token(at, message)
}

/// A token does not have three parts.
fn not_three_parts(at: Span, token: &str) -> Diagnostic {
    bad_token(at, format!("the token `{token}` is not of the form `package:module:name`"))
}

/// A function of `pulumi` is not a method of a provider.
fn method_of_pulumi(at: Span) -> Diagnostic {
    bad_token(at, "expected a token that starts with `pulumi:providers`, or one of this package")
}

/// A token names another package.
fn other_package(at: Span, token: &str, own: &str) -> Diagnostic {
    bad_token(at, format!("the token `{token}` does not belong to the package `{own}`"))
}

/// A member of the root module is called `provider`.
fn provider_in_root(at: Span) -> Diagnostic {
    bad_token(
        at,
        "the name `provider` is reserved for the provider, which is declared in the field `provider`",
    )
}

/// A module is below `index`.
fn module_below_index(at: Span) -> Diagnostic {
    bad_token(at, "the module `index` has no modules below it")
}

/// A member is called `pulumi`.
fn called_pulumi(at: Span, section: Section) -> Diagnostic {
    bad_token(at, format!("no {} may be called `pulumi`", section.noun()))
}

/// A part of a token has a character that it may not have.
fn odd_characters(at: Span, token: &str) -> Diagnostic {
    bad_token(
        at,
        format!(
            "the parts of the token `{token}` can only contain \
             letters, digits, `.`, `_`, `/` and `-`, and cannot start with a digit"
        ),
    )
}
