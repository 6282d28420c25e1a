//! The values of a state: each field has the kind that the format says. The places of values are
//! JSON pointers (RFC 6901).

use std::borrow::Cow;
use std::fmt;

use pcl_diagnostics::{Code, Diagnostic, FileId, Span, TextRange};
use pcl_values::Urn;
use rustc_hash::FxHashSet;

use crate::json::{Kind, Value};
use crate::resource::split_provider;
use crate::shape::{
    DEPLOYMENT, Field, MANIFEST, OPERATION, OPERATIONS, RESOURCE, SECRETS_PROVIDER, Shape,
};
use crate::value::{Content, Malformed, Property};

/// Checks values and collects what is wrong with them.
pub(crate) struct Checker {
    pub file: FileId,
    pub diagnostics: Vec<Diagnostic>,
}

impl Checker {
    fn span(&self, range: TextRange) -> Span {
        Span::new(self.file, range)
    }

    /// Reports an error about a value.
    pub fn report(&mut self, place: &Place<'_>, diagnostic: Diagnostic) {
        self.diagnostics.push(at(diagnostic, &place.to_string()));
    }

    fn wrong(&mut self, place: &Place<'_>, value: Value<'_>, expected: &str) {
        let span = self.span(value.range());
        let diagnostic = wrong_kind(span, expected, value.kind().described());
        self.report(place, diagnostic);
    }

    /// Checks a deployment.
    pub fn deployment(&mut self, place: &Place<'_>, value: Value<'_>) {
        self.object(place, value, DEPLOYMENT);
        let part = |name| value.present(name).filter(|it| it.kind() == Kind::Object);
        if let Some(manifest) = part("manifest") {
            self.object(&place.name("manifest"), manifest, MANIFEST);
        }
        if let Some(provider) = part("secrets_providers") {
            self.object(&place.name("secrets_providers"), provider, SECRETS_PROVIDER);
        }
    }

    /// Checks an object with known fields; others may have any value.
    fn object(&mut self, place: &Place<'_>, value: Value<'_>, fields: &[Field]) {
        self.keys(place, value);
        let mut found = 0_u64;
        for (key, value) in value.entries() {
            let name = key.text();
            let place = place.name(&name);
            match fields.iter().position(|field| field.name == name) {
                Some(at) => {
                    if let (Some(field), false) = (fields.get(at), value.is_null()) {
                        found |= 1 << at;
                        self.field(&place, value, field.shape);
                    }
                }
                None => self.any(&place, value),
            }
        }
        for (at, field) in fields.iter().enumerate() {
            if field.is_required && found & (1 << at) == 0 {
                let start = value.range().start();
                let span = self.span(TextRange::new(start, start + 1));
                let expected = field.shape.described();
                self.report(place, missing_field(span, field.name, expected));
            }
        }
    }

    fn field(&mut self, place: &Place<'_>, value: Value<'_>, shape: Shape) {
        let kind = value.kind();
        match (shape, kind) {
            (Shape::Any, _) => self.any(place, value),
            (Shape::Property, _) => self.property(place, value),
            (Shape::Text, Kind::String)
            | (Shape::Flag, Kind::Bool)
            | (Shape::Number, Kind::Number) => {}
            (Shape::Urn, Kind::String) => self.urn(place, value),
            (Shape::Provider, Kind::String) => {
                let text = value.string().unwrap_or_default();
                let parts = split_provider(Cow::Borrowed(&*text));
                if !parts.is_some_and(|(urn, _)| Urn::from(&*urn).is_valid()) && !text.is_empty() {
                    let span = self.span(value.range());
                    self.report(place, not_a_provider(span));
                }
            }
            (Shape::Texts, Kind::List) => self.list(place, value, Shape::Text),
            (Shape::Urns, Kind::List) => self.list(place, value, Shape::Urn),
            (Shape::Properties, Kind::Object) => {
                self.keys(place, value);
                for (key, value) in value.entries() {
                    self.property(&place.name(&key.text()), value);
                }
            }
            (Shape::PropertyDependencies, Kind::Object) => self.map(place, value, Shape::Urns),
            (Shape::ListsOfTexts, Kind::Object) => self.map(place, value, Shape::Texts),
            (Shape::Numbers, Kind::Object) => self.map(place, value, Shape::Number),
            (Shape::Object, Kind::Object) => {}
            (Shape::Resources, Kind::List) => {
                for (at, resource) in value.elements().enumerate() {
                    self.resource(&place.index(at), resource);
                }
            }
            (Shape::Operations, Kind::List) => {
                for (at, operation) in value.elements().enumerate() {
                    self.operation(&place.index(at), operation);
                }
            }
            _ => self.wrong(place, value, shape.described()),
        }
    }

    fn list(&mut self, place: &Place<'_>, value: Value<'_>, of: Shape) {
        for (at, element) in value.elements().enumerate() {
            self.field(&place.index(at), element, of);
        }
    }

    fn map(&mut self, place: &Place<'_>, value: Value<'_>, of: Shape) {
        self.keys(place, value);
        for (key, value) in value.entries().filter(|(_, value)| !value.is_null()) {
            self.field(&place.name(&key.text()), value, of);
        }
    }

    fn urn(&mut self, place: &Place<'_>, value: Value<'_>) {
        let urn = value.string().unwrap_or_default();
        // Pulumi writes no URN as an empty string.
        if !urn.is_empty() && !Urn::from(&*urn).is_valid() {
            let span = self.span(value.range());
            self.report(place, not_a_urn(span));
        }
    }

    fn resource(&mut self, place: &Place<'_>, value: Value<'_>) {
        if value.kind() != Kind::Object {
            return self.wrong(place, value, "a resource");
        }
        self.object(place, value, RESOURCE);
        for name in ["urn", "type"] {
            if let Some(field) = value.present(name)
                && field.raw() == "\"\""
            {
                let span = self.span(field.range());
                let place = place.name(name);
                self.report(&place, empty_field(span, name));
            }
        }
        if let Some(id) = value.present("id")
            && id.kind() == Kind::String
            && id.raw() != "\"\""
            && value.get("custom").is_none_or(|it| it.is_null() || it.raw() == "false")
        {
            let span = self.span(id.range());
            self.report(&place.name("id"), id_of_component(span));
        }
    }

    fn operation(&mut self, place: &Place<'_>, value: Value<'_>) {
        if value.kind() != Kind::Object {
            return self.wrong(place, value, "an operation");
        }
        self.object(place, value, OPERATION);
        if let Some(resource) = value.present("resource") {
            self.resource(&place.name("resource"), resource);
        }
        if let Some(kind) = value.present("type")
            && let Some(text) = kind.string()
            && !OPERATIONS.contains(&&*text)
        {
            let span = self.span(kind.range());
            self.report(&place.name("type"), unknown_operation(span));
        }
    }

    /// Checks a property value and its parts. Values nest at most as deep as texts do.
    fn property(&mut self, place: &Place<'_>, value: Value<'_>) {
        match value.kind() {
            Kind::List => {
                for (at, element) in value.elements().enumerate() {
                    self.property(&place.index(at), element);
                }
            }
            Kind::Object => match Property::read(value) {
                Ok(Property::Object(_)) => {
                    self.keys(place, value);
                    for (key, value) in value.entries() {
                        self.property(&place.name(&key.text()), value);
                    }
                }
                Ok(Property::Archive(Content::Members(members))) => {
                    for (key, member) in members.entries() {
                        let name = key.text();
                        let members = place.name("assets");
                        self.member(&members.name(&name), member);
                    }
                }
                Ok(_) => self.keys(place, value),
                Err(malformed) => {
                    let span = self.span(value.range());
                    self.report(place, malformed_text(span, malformed));
                }
            },
            Kind::Null | Kind::Bool | Kind::Number | Kind::String => {}
        }
    }

    /// Checks a member of an archive.
    fn member(&mut self, place: &Place<'_>, value: Value<'_>) {
        match Property::read(value) {
            Ok(Property::Asset(_) | Property::Archive(_)) => self.property(place, value),
            Ok(_) => self.wrong(place, value, "an asset or an archive"),
            Err(_) => self.property(place, value),
        }
    }

    /// Checks a value whose form is not known.
    fn any(&mut self, place: &Place<'_>, value: Value<'_>) {
        self.keys(place, value);
        // The places of what a secret contains would name its keys.
        if matches!(Property::read(value), Ok(Property::Secret(_)) | Err(_)) {
            return;
        }
        for (key, value) in value.entries() {
            self.any(&place.name(&key.text()), value);
        }
        for (at, element) in value.elements().enumerate() {
            self.any(&place.index(at), element);
        }
    }

    /// Reports keys that an object has twice.
    fn keys(&mut self, place: &Place<'_>, value: Value<'_>) {
        let mut known = FxHashSet::default();
        for (key, _) in value.entries() {
            if !known.insert(key.raw()) {
                let span = self.span(key.range());
                self.report(&place.name(&key.text()), duplicate_key(span));
            }
        }
    }
}

/// The diagnostic with the JSON pointer of its place.
pub(crate) fn at(diagnostic: Diagnostic, pointer: &str) -> Diagnostic {
    match pointer {
        "" => diagnostic,
        _ => {
            let mut diagnostic = diagnostic;
            diagnostic.notes.insert(0, format!("at {pointer}"));
            diagnostic
        }
    }
}

/// A value of another kind than the field has.
fn wrong_kind(at: Span, expected: &str, found: &str) -> Diagnostic {
    let message = format!("expected {expected}, found {found}");
    Diagnostic::error(Code::StateValue, at, message).help(format!("make it {expected}"))
}

/// A field that is not there.
fn missing_field(at: Span, name: &str, expected: &str) -> Diagnostic {
    let message = format!("expected {expected} in `{name}`, found no such field");
    Diagnostic::error(Code::StateValue, at, message).help(format!("add `{name}`"))
}

/// A field that is there without a value.
fn empty_field(at: Span, name: &str) -> Diagnostic {
    let message = format!("the field `{name}` of a resource is empty");
    Diagnostic::error(Code::StateValue, at, message).help(format!("give `{name}` a value"))
}

/// A text that is no URN.
fn not_a_urn(at: Span) -> Diagnostic {
    let message = "expected a URN, found another string";
    Diagnostic::error(Code::StateValue, at, message)
        .help("a URN has the form `urn:pulumi:STACK::PROJECT::TYPE::NAME`")
}

/// A text that is no reference to a provider.
fn not_a_provider(at: Span) -> Diagnostic {
    let message = "expected the URN and the id of a provider, found another string";
    Diagnostic::error(Code::StateValue, at, message)
        .help("write `urn:pulumi:STACK::PROJECT::pulumi:providers:PACKAGE::NAME::ID`")
}

/// A component with an id.
fn id_of_component(at: Span) -> Diagnostic {
    let message = "a resource that is not `custom` has an `id`";
    Diagnostic::error(Code::StateValue, at, message)
        .help("remove `id`, or set `custom` to `true` if a provider manages the resource")
}

/// An operation that does not exist.
fn unknown_operation(at: Span) -> Diagnostic {
    let message = "expected `creating`, `updating`, `deleting` or `reading`, found another string";
    Diagnostic::error(Code::StateValue, at, message)
        .help("remove the operation after making sure that it is complete")
}

/// A key that occurs twice.
fn duplicate_key(at: Span) -> Diagnostic {
    let message = "the key occurs twice in its object; the last value counts";
    Diagnostic::error(Code::StateValue, at, message).help("remove one of them")
}

/// A special value without its parts.
fn malformed_text(at: Span, malformed: Malformed) -> Diagnostic {
    let (message, help) = match malformed {
        Malformed::Signature => (
            "the signature of this special value is unknown".to_owned(),
            "restore the value from a backup of the state",
        ),
        Malformed::Part { of, name, expected } => (
            format!("{of} must have {expected} in `{name}`"),
            "restore the value from a backup of the state",
        ),
        Malformed::SecretForms => (
            "a secret must have either `ciphertext` or `plaintext`, found neither or both"
                .to_owned(),
            "keep the one that is right",
        ),
    };
    Diagnostic::error(Code::StateValue, at, message).help(help)
}

/// A place, as a step from the one around it.
#[derive(Clone, Copy)]
pub(crate) struct Place<'p> {
    around: Option<&'p Place<'p>>,
    step: Step<'p>,
}

#[derive(Clone, Copy)]
enum Step<'p> {
    Top,
    Name(&'p str),
    Index(usize),
}

impl<'p> Place<'p> {
    /// The whole text.
    pub const TOP: Self = Self { around: None, step: Step::Top };

    pub fn name<'q>(&'q self, name: &'q str) -> Place<'q> {
        Place { around: Some(self), step: Step::Name(name) }
    }

    pub fn index(&self, index: usize) -> Place<'_> {
        Place { around: Some(self), step: Step::Index(index) }
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut steps = vec![self.step];
        let mut place = self;
        while let Some(around) = place.around {
            steps.push(around.step);
            place = around;
        }
        for step in steps.iter().rev() {
            match step {
                Step::Top => {}
                Step::Name(name) => {
                    write!(f, "/{}", name.replace('~', "~0").replace('/', "~1"))?;
                }
                Step::Index(index) => write!(f, "/{index}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped() {
        let list = Place::TOP.name("a/b~c");
        assert_eq!(list.index(3).to_string(), "/a~1b~0c/3");
        assert_eq!(Place::TOP.to_string(), "");
    }
}
