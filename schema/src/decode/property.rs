//! Properties of resources, functions and object types.

use pcl_diagnostics::{Code, Diagnostic, Severity, Span};
use rustc_hash::FxHashMap;

use super::{Decoder, Path, non_empty};
use crate::json::{Scalar, Text};
use crate::raw::{RawEntries, RawObject, RawProperty};
use crate::{Properties, PropertySpec, TypeKind, diagnostic};

impl Decoder<'_> {
    /// The properties of an object spec.
    pub(super) fn object(&mut self, raw: RawObject<'_>, path: Path<'_>) -> Properties {
        if matches!(raw.plain, Some(Scalar::List(1..))) {
            self.report(path.key("plain"), |at| diagnostic::plain_list(at, "plain"));
        }
        let (properties, required) =
            (raw.properties.unwrap_or_default(), raw.required.unwrap_or_default());
        self.properties(properties, &required, path, "properties", "required")
    }

    pub fn properties(
        &mut self,
        raw: RawEntries<'_, RawProperty<'_>>,
        required: &[Text<'_>],
        path: Path<'_>,
        key: &str,
        required_key: &str,
    ) -> Properties {
        let list = path.key(key);
        let mut entries = Vec::with_capacity(raw.0.len());
        for (name, property) in raw.0 {
            let path = list.key(&name);
            let is_plain = name.bytes().all(|byte| byte.is_ascii_graphic());
            if !is_plain && let Some(bad) = name.chars().find(is_unprintable) {
                self.report(path, |at| unprintable_name(at, bad));
            } else if !name.bytes().any(|byte| byte.is_ascii_alphabetic()) {
                self.report(path, |at| no_letter(at, &name));
            }
            if &*name == "pulumi" {
                self.report(path, called_pulumi);
            }
            let spec = self.property(property, path);
            entries.push((name.0, spec));
        }
        let mut properties = Properties::new(entries);
        self.similar_names(list, &properties);
        for (number, name) in required.iter().enumerate() {
            match properties.get_mut(name) {
                Some(property) => property.required = true,
                None => {
                    let meant = self.meant(name, properties.names());
                    let path = path.key(required_key);
                    self.report(path.index(number), |at| unknown_required(at, name, meant));
                }
            }
        }
        properties
    }

    /// Reports names that some SDKs cannot tell apart.
    fn similar_names(&mut self, list: Path<'_>, properties: &Properties) {
        if !self.strict {
            return;
        }
        let mut first: FxHashMap<String, &str> = FxHashMap::default();
        for name in properties.names() {
            let reduced = reduced(name);
            if reduced.is_empty() {
                continue;
            }
            let other = *first.entry(reduced).or_insert(name);
            if other != name {
                self.report(list.key(name), |at| similar_name(at, name, other));
            }
        }
    }

    fn property(&mut self, raw: RawProperty<'_>, path: Path<'_>) -> PropertySpec {
        let ty = self.ty(raw.ty, path);
        let constant = raw.constant.and_then(|value| match &ty.kind {
            TypeKind::Primitive(primitive) => self.constant(value, *primitive, path.key("const")),
            other => self.no_constant(other, path.key("const")),
        });
        let default =
            raw.default.and_then(|value| self.default(value, &ty.kind, path.key("default")));
        if let Some(info) = raw.default_info
            && info.environment.is_none_or(|names| names.is_empty())
        {
            self.report(path.key("defaultInfo"), missing_environment);
        }
        PropertySpec {
            ty,
            required: false,
            constant,
            default,
            secret: raw.secret.unwrap_or(false),
            replace_on_changes: raw.replace_on_changes.unwrap_or(false),
            deprecation_message: non_empty(raw.deprecation),
        }
    }
}

/// Returns whether a name must not contain a character.
fn is_unprintable(c: &char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// The part of a name that all SDKs keep: its ASCII letters, in lower case, and the digits behind
/// the first of them.
fn reduced(name: &str) -> String {
    let known = name.chars().filter(char::is_ascii_alphanumeric);
    known.skip_while(char::is_ascii_digit).map(|c| c.to_ascii_lowercase()).collect()
}

/// `defaultInfo` lists no environment variable.
fn missing_environment(at: Span) -> Diagnostic {
    let message = "`defaultInfo` does not name an environment variable";
    Diagnostic::error(Code::SchemaConstant, at, message).help("list the variables in `environment`")
}

/// A name has white space or a control character.
fn unprintable_name(at: Span, bad: char) -> Diagnostic {
    let message = format!("the name of a property cannot contain U+{:04X}", u32::from(bad));
    diagnostic::bad_name(Severity::Error, at, message)
}

/// A name has no ASCII letter, of which SDKs make the names of their properties.
fn no_letter(at: Span, name: &str) -> Diagnostic {
    let message = format!("the name `{name}` of a property has no letter from `a` to `z`");
    diagnostic::bad_name(Severity::Error, at, message)
}

/// Two names differ only in what SDKs may leave out.
fn similar_name(at: Span, name: &str, other: &str) -> Diagnostic {
    let message = format!("`{name}` and `{other}` are the same name in some SDKs");
    let reduced = reduced(name);
    diagnostic::bad_name(Severity::Warning, at, message)
        .note(format!("without case, signs and leading digits, both are `{reduced}`"))
}

/// A property is called `pulumi`.
fn called_pulumi(at: Span) -> Diagnostic {
    diagnostic::bad_name(Severity::Error, at, "no property may be called `pulumi`")
}

/// A required property does not exist.
fn unknown_required(at: Span, name: &str, meant: Option<&str>) -> Diagnostic {
    let meant = diagnostic::did_you_mean(meant);
    let message = format!("the required property `{name}` does not exist{meant}");
    Diagnostic::error(Code::SchemaRequired, at, message)
        .help("declare the property, or remove its name from the list")
}
