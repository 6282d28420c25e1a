//! What the tokens of members may look like.

use super::Check;
use crate::{MemberId, ProblemKind, Section};

impl Check<'_> {
    pub(super) fn token(&mut self, section: Section, member: MemberId) {
        if section == Section::Provider {
            return;
        }
        let token = self.package.token(member).to_owned();
        let wrong = self.wrong_token(section, &token);
        if wrong.is_empty() {
            return;
        }
        let (place, path) = (self.key_of(member), self.package.parts.pointer(member));
        for message in wrong {
            self.error(ProblemKind::BadToken, &path, place, message);
        }
    }

    fn wrong_token(&self, section: Section, token: &str) -> Vec<String> {
        let mut wrong = Vec::new();
        if let Some(bad) = token.chars().find(|c| c.is_whitespace() || c.is_control()) {
            wrong.push(format!("a token cannot hold U+{:04X}", u32::from(bad)));
        }
        let parts: Vec<&str> = token.split(':').collect();
        let [package, module, name] = parts[..] else {
            wrong.push(format!(
                "the token `{token}` has not the three parts of `package:module:name`"
            ));
            return wrong;
        };
        let own = self.package.name();
        let is_method = section == Section::Functions && package == "pulumi";
        if is_method && module != "providers" {
            let message =
                "of the tokens of `pulumi` only those of `pulumi:providers` can stand here";
            wrong.push(message.to_owned());
        } else if !is_method && package != own && !self.allowed_names.iter().any(|n| n == package) {
            wrong.push(format!(
                "the token `{token}` names another package than `{own}`"
            ));
        }
        let in_root = module.is_empty() || module.eq_ignore_ascii_case("index");
        if in_root && name.eq_ignore_ascii_case("provider") {
            wrong.push(
                "`provider` means the provider of the package, which has its own place".to_owned(),
            );
        }
        let format = self.package.parts.module_format();
        if format.module_of(token).starts_with("index/") {
            wrong.push("there are no modules below `index`".to_owned());
        }
        if name == "pulumi" {
            wrong.push(format!("no {} may be called `pulumi`", section.noun()));
        }
        let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '/');
        let dash_in_name = section == Section::Functions;
        let odd = |part: &str, dash: bool| {
            part.starts_with(|c: char| c.is_ascii_digit())
                || part.chars().skip(1).any(|c| !(word(c) || dash && c == '-'))
        };
        if wrong.is_empty() && (odd(module, true) || name.is_empty() || odd(name, dash_in_name)) {
            let dash = if dash_in_name {
                ""
            } else {
                ", and `-` in the module"
            };
            wrong.push(format!(
                "the parts of the token `{token}` hold more than letters, digits, `.`, `_`, `/`{dash}, or begin with a digit"
            ));
        }
        wrong
    }
}
