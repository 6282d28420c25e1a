//! The name of the package, its metadata and its configuration.

use pcl_diagnostics::{Diagnostic, Span};
use serde_json::Value;

use super::Validation;
use crate::decode::decoded::unreadable;
use crate::diagnostic;
use crate::diagnostic::span;

impl Validation<'_> {
    pub(super) fn header(&mut self) {
        let value = |name: &str| {
            let place = self.top.get(name)?;
            let value: Value = serde_json::from_slice(self.text.get(place.clone())?).ok()?;
            Some((value, place.start))
        };
        let (name, namespace) = (value("name"), value("namespace"));
        let (meta, allowed) = (value("meta"), value("allowedPackageNames"));
        self.allowed_names =
            allowed.and_then(|(names, _)| serde_json::from_value(names).ok()).unwrap_or_default();
        if let Some((Value::String(name), offset)) = name {
            let mut letters = name.chars();
            let first = letters.next().is_none_or(|c| c.is_ascii_alphabetic());
            if !first || letters.any(|c| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))) {
                self.report("#/name", offset, |at| malformed_name(at, &name));
            }
            if matches!(&*name, "pulumi" | "input") {
                self.report("#/name", offset, |at| reserved_package_name(at, &name));
            }
        }
        if let Some((Value::String(namespace), offset)) = namespace
            && !is_namespace(&namespace)
        {
            self.report("#/namespace", offset, |at| malformed_namespace(at, &namespace));
        }
        if let Some((Value::Object(meta), offset)) = meta {
            for key in meta.keys() {
                if !matches!(&**key, "moduleFormat" | "supportPack") {
                    self.report("#/meta", offset, |at| unknown_meta_key(at, key));
                }
            }
            let packs = meta.get("supportPack") == Some(&Value::Bool(true));
            if packs && self.package.version().is_none() {
                self.report("#/version", offset, pack_without_version);
            }
        }
        self.config();
    }

    fn config(&mut self) {
        match self.package.parts.config(true) {
            Ok((_, diagnostics)) => self.add(diagnostics),
            Err(error) => {
                let start = self.top.get("config").map_or(0, |value| value.start);
                // The error is not about the value as a whole.
                let here = span(start..self.text.len().min(start + 1));
                self.report("#/config", start, |_| unreadable(here, &error));
            }
        }
    }
}

/// Returns whether a text is empty or consists of lower-case letters and digits in parts with `-`
/// between them.
fn is_namespace(text: &str) -> bool {
    let is_part = |(number, part): (usize, &str)| {
        let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
        !part.is_empty()
            && part.chars().all(letters)
            && (number > 0 || !part.starts_with(|c: char| c.is_ascii_digit()))
    };
    text.is_empty() || text.split('-').enumerate().all(is_part)
}

/// The name of the package has other characters than names have.
fn malformed_name(at: Span, name: &str) -> Diagnostic {
    diagnostic::bad_header(
        at,
        format!(
            "`{name}` is not a package name: use letters, digits, `-` and `_`, and start with a letter"
        ),
    )
}

/// The name of the package has another meaning.
fn reserved_package_name(at: Span, name: &str) -> Diagnostic {
    diagnostic::bad_header(at, format!("the name `{name}` is reserved"))
}

/// The namespace has other characters than namespaces have.
fn malformed_namespace(at: Span, namespace: &str) -> Diagnostic {
    diagnostic::bad_header(
        at,
        format!(
            "`{namespace}` is not a namespace: \
             use lower-case letters, digits and `-`, and start with a letter"
        ),
    )
}

/// `meta` has an unknown key.
fn unknown_meta_key(at: Span, key: &str) -> Diagnostic {
    diagnostic::bad_header(at, format!("`meta` has no field `{key}`"))
}

/// `supportPack` is set and the package has no version.
fn pack_without_version(at: Span) -> Diagnostic {
    diagnostic::bad_header(at, "`version` is missing, which `supportPack` requires")
}
