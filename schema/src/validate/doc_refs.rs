//! References in descriptions: `{{% ref #/resources/pkg:mod:Name %}}`.

use std::borrow::Cow;

use pcl_diagnostics::{Code, Diagnostic, Span};

use super::Validation;
use crate::reference::{parse_package, percent_decode};
use crate::scan::unescape;
use crate::{
    ExternalReference, ExternalTarget, MemberId, Package, PackageRequest, Properties, ReturnSpec,
    Section, TypeDef,
};

impl Validation<'_> {
    /// Checks the references of a text at that offset of the document.
    pub(super) fn doc_refs(&mut self, path: &str, offset: usize, quoted: &[u8]) {
        let Some(text) = unescape(quoted) else { return };
        for destination in destinations(&text) {
            let checked = match self.doc_package(destination) {
                Err(error) => Err(error),
                Ok(None) => doc_ref(self.package, destination),
                Ok(Some(request)) => match self.other(&request, path, offset) {
                    Some(other) => doc_ref(&other, destination),
                    None => continue,
                },
            };
            if let Err(error) = checked {
                self.report(path, offset, |at| bad_doc_reference(at, &error));
            }
        }
    }

    /// The other package that a destination means; `None` when it means this one.
    fn doc_package(&self, destination: &str) -> Result<Option<PackageRequest>, DocReferenceError> {
        let (package, _) = destination.split_once('#').ok_or_else(|| malformed(destination))?;
        if package.is_empty() {
            return Ok(None);
        }
        let (name, version) = parse_package(package).map_err(|_| malformed(destination))?;
        let reference = ExternalReference {
            package: name.into(),
            version,
            target: ExternalTarget::Provider,
            written: destination.into(),
        };
        let is_external = self.package.parts.is_external(name, &reference.version);
        Ok(is_external.then(|| self.package.external_request(&reference)))
    }
}

fn malformed(destination: &str) -> DocReferenceError {
    DocReferenceError::Malformed(destination.to_owned())
}

/// Checks a destination in its package.
fn doc_ref(package: &Package, destination: &str) -> Result<(), DocReferenceError> {
    let malformed = || malformed(destination);
    let (_, fragment) = destination.split_once('#').ok_or_else(malformed)?;
    let mut steps = fragment.trim_start_matches('/').split('/');
    let section = match steps.next() {
        Some("resources") => Section::Resources,
        Some("types") => Section::Types,
        Some("functions") => Section::Functions,
        Some("provider") => Section::Provider,
        _ => return Err(malformed()),
    };
    let (token, member) = if section == Section::Provider {
        // A package has one provider, and messages call it as the package.
        (Cow::Borrowed(package.name()), package.provider_id())
    } else {
        let token = steps.next().and_then(percent_decode).ok_or_else(malformed)?;
        let member = package.find(section, &token);
        (token, member)
    };
    let Some(member) = member else {
        return Err(DocReferenceError::UnknownMember {
            package: package.name().to_owned(),
            section,
            token: token.into_owned(),
        });
    };
    let rest: Vec<&str> = steps.collect();
    let Some((name, list)) = rest.split_last() else { return Ok(()) };
    let name = percent_decode(name).ok_or_else(malformed)?;
    match has_property(package, section, member, list, &name) {
        Some(true) => Ok(()),
        Some(false) => Err(DocReferenceError::UnknownProperty {
            section,
            token: token.into_owned(),
            name: name.into_owned(),
        }),
        None => Err(malformed()),
    }
}

/// Returns whether that list of a member's properties contains the name; `None` if there is no such
/// list.
fn has_property(
    package: &Package,
    section: Section,
    member: MemberId,
    list: &[&str],
    name: &str,
) -> Option<bool> {
    let has = |properties: Option<&Properties>| properties.is_some_and(|p| p.contains_key(name));
    match section {
        Section::Resources | Section::Provider => {
            let Ok(Some(spec)) = package.resource_by_id(member) else { return Some(true) };
            match list {
                ["properties"] => Some(has(Some(&spec.properties))),
                ["inputProperties"] => Some(has(Some(&spec.inputs))),
                _ => None,
            }
        }
        Section::Types => {
            let Ok(Some(spec)) = package.type_by_id(member) else { return Some(true) };
            match (list, spec) {
                (["properties"], TypeDef::Object(properties)) => Some(has(Some(properties))),
                (["properties"], TypeDef::Enum(_)) => Some(false),
                _ => None,
            }
        }
        Section::Functions => {
            let Ok(Some(spec)) = package.function_by_id(member) else { return Some(true) };
            match list {
                ["inputs", "properties"] => Some(has(spec.inputs.as_ref())),
                ["outputs", "properties"] => Some(has(match &spec.returns {
                    Some(ReturnSpec::Object(properties)) => Some(properties),
                    _ => None,
                })),
                _ => None,
            }
        }
    }
}

/// The destinations of the shortcodes of a Markdown text. Code is skipped.
fn destinations(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    // Every second piece between backticks is code.
    for prose in text.split('`').step_by(2) {
        let mut rest = prose;
        while let Some((_, code)) = rest.split_once("{{%") {
            let Some((inside, after)) = code.split_once("%}}") else { break };
            if let Some(destination) = inside.trim().strip_prefix("ref ") {
                found.push(destination.trim());
            }
            rest = after;
        }
    }
    found
}

/// A description refers to a member or property that does not exist.
fn bad_doc_reference(at: Span, error: &DocReferenceError) -> Diagnostic {
    Diagnostic::error(Code::SchemaDocReference, at, error.to_string())
        .help("correct the reference, or remove it")
}

/// The reason why a reference of a description leads nowhere.
#[derive(Debug, thiserror::Error)]
enum DocReferenceError {
    #[error("`{0}` is not a valid reference in a description")]
    Malformed(String),
    #[error("the package {package} has no {} `{token}`", .section.noun())]
    UnknownMember { package: String, section: Section, token: String },
    #[error("the {} `{token}` has no property `{name}`", .section.noun())]
    UnknownProperty { section: Section, token: String, name: String },
}

#[cfg(test)]
mod tests {
    use super::destinations;

    #[test]
    fn shortcodes_outside_code() {
        let text = "see {{% ref #/types/a:b:C %}} and {{%ref x%}}, not `{{% ref no %}}` nor {{% examples %}}";
        assert_eq!(destinations(text), ["#/types/a:b:C", "x"]);
        assert_eq!(destinations("{{% ref #/half"), [""; 0]);
    }
}
