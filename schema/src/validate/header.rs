//! The name of the package, what goes with a version, and its configuration.

use serde_json::Value;

use super::Check;
use crate::ProblemKind;

impl Check<'_> {
    pub(super) fn header(&mut self) {
        let package = self.package;
        let value = |name: &str| {
            let (_, place) = self.top.iter().find(|(key, _)| key == name)?;
            let value: Value = serde_json::from_slice(self.text.get(place.clone())?).ok()?;
            Some((value, place.start))
        };
        let mut wrong = Vec::new();
        if let Some((Value::String(name), at)) = value("name") {
            let mut letters = name.chars();
            let first = letters.next().is_none_or(|c| c.is_ascii_alphabetic());
            if !first || letters.any(|c| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))) {
                let message = format!(
                    "`{name}` is no name of a package: letters, digits, `-` and `_`, a letter first"
                );
                wrong.push(("#/name", at, message));
            }
            if matches!(&*name, "pulumi" | "input") {
                wrong.push(("#/name", at, format!("the name `{name}` is taken")));
            }
        }
        if let Some((Value::String(namespace), at)) = value("namespace") {
            let is_part = |(number, part): (usize, &str)| {
                let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
                !part.is_empty()
                    && part.chars().all(letters)
                    && (number > 0 || !part.starts_with(|c: char| c.is_ascii_digit()))
            };
            if !namespace.is_empty() && !namespace.split('-').enumerate().all(is_part) {
                let message = format!(
                    "`{namespace}` is no namespace: lower-case letters and digits in parts with `-` between them"
                );
                wrong.push(("#/namespace", at, message));
            }
        }
        if let Some((Value::Object(meta), at)) = value("meta") {
            for key in meta.keys() {
                if !matches!(&**key, "moduleFormat" | "supportPack") {
                    wrong.push(("#/meta", at, format!("`meta` has no key `{key}`")));
                }
            }
            let packs = meta.get("supportPack") == Some(&Value::Bool(true));
            if packs && package.version().is_none() {
                let message = "a package with `supportPack` needs a version".to_owned();
                wrong.push(("#/version", at, message));
            }
        }
        let allowed = value("allowedPackageNames").map(|(names, _)| names);
        let config = self.top.iter().find(|(key, _)| key == "config");
        let config = config.map(|(_, place)| place.clone());
        self.allowed_names = allowed
            .and_then(|names| serde_json::from_value(names).ok())
            .unwrap_or_default();
        for (path, at, message) in wrong {
            self.error(ProblemKind::BadHeader, path, at, message);
        }
        if let Some(place) = config {
            self.config(place);
        }
    }

    fn config(&mut self, place: crate::scan::Bytes) {
        let problems = match self.package.parts.config(true) {
            Ok((_, problems)) => problems,
            Err(message) => {
                self.error(ProblemKind::Unreadable, "#/config", place.start, message);
                return;
            }
        };
        for problem in problems {
            let place = problem.offset as usize;
            self.report(
                problem.kind,
                problem.severity,
                &problem.path,
                place,
                problem.message,
            );
        }
    }
}
