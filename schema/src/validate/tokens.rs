//! The form of the tokens of members.

use pcl_diagnostics::{Diagnostic, Span};

use super::Validation;
use crate::messages::token as messages;
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
            wrong.push(messages::unprintable(at, bad));
        }
        let parts: Vec<&str> = token.split(':').collect();
        let [package, module, name] = parts[..] else {
            wrong.push(messages::not_three_parts(at, token));
            return wrong;
        };
        let own = self.package.name();
        let is_method = section == Section::Functions && package == "pulumi";
        if is_method && module != "providers" {
            wrong.push(messages::method_of_pulumi(at));
        } else if !is_method && package != own && !self.allowed_names.iter().any(|n| n == package) {
            wrong.push(messages::other_package(at, token, own));
        }
        let in_root = module.is_empty() || module.eq_ignore_ascii_case("index");
        if in_root && name.eq_ignore_ascii_case("provider") {
            wrong.push(messages::provider_in_root(at));
        }
        let format = self.package.parts.module_format();
        if format.module_of(token).starts_with("index/") {
            wrong.push(messages::module_below_index(at));
        }
        if name == "pulumi" {
            wrong.push(messages::called_pulumi(at, section));
        }
        let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '/');
        let dash_in_name = section == Section::Functions;
        let odd = |part: &str, dash: bool| {
            part.starts_with(|c: char| c.is_ascii_digit())
                || part.chars().skip(1).any(|c| !(word(c) || dash && c == '-'))
        };
        if wrong.is_empty() && (odd(module, true) || name.is_empty() || odd(name, dash_in_name)) {
            wrong.push(messages::odd_characters(at, token, section));
        }
        wrong
    }
}
