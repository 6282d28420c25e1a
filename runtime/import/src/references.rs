//! References in the place of copied values: a string that is the id, the name or the ARN of
//! exactly one other resource.
//!
//! The rules, with examples: `tests/spec/import/references.md`.

use std::borrow::Cow;

use pcl_state::Resource;
use pcl_state::json::Value;
use pcl_state::value::Property;
use rustc_hash::FxHashMap;

/// The outputs that are referred to, besides the id.
const OUTPUTS: [&str; 2] = ["name", "arn"];

/// The fewest characters of a value that is taken for a reference without any other sign.
const SHORTEST: usize = 3;

/// A place that a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    /// The place of the resource in the program.
    pub resource: usize,
    /// The property.
    pub property: &'static str,
}

/// The values that occur once, with the places that they come from; `None` for values of several
/// resources.
#[derive(Default)]
pub(crate) struct Sources<'s> {
    by_value: FxHashMap<Cow<'s, str>, Option<Source>>,
}

impl<'s> Sources<'s> {
    /// Adds a resource at a place in the program. `has_output` tells whether its schema has an
    /// output of this name that is a string and not secret.
    pub fn add(&mut self, at: usize, resource: Resource<'s>, has_output: impl Fn(&str) -> bool) {
        if resource.is_provider() {
            return;
        }
        if let Some(id) = resource.id() {
            self.insert(id, Some(Source { resource: at, property: "id" }), at);
        }
        for property in OUTPUTS {
            let value = resource.outputs().and_then(|outputs| outputs.get(property));
            match value.map(Property::read) {
                Some(Ok(Property::String(text))) => {
                    let source = Source { resource: at, property };
                    // A value that cannot be referred to makes others ambiguous all the same.
                    self.insert(text, has_output(property).then_some(source), at);
                }
                _ => continue,
            }
        }
    }

    fn insert(&mut self, value: Cow<'s, str>, source: Option<Source>, at: usize) {
        match self.by_value.get_mut(&value) {
            None => _ = self.by_value.insert(value, source),
            // The id of a resource that is its name, too.
            Some(Some(known)) if known.resource == at => {}
            Some(known) => *known = None,
        }
    }

    /// The place that a value of a property comes from, if there is a sign that it does: the state
    /// names the resource as a dependency, or says nothing about dependencies, or the key of the
    /// value is called like the property that it would come from.
    pub fn find(&self, text: &str, user: &User<'_>) -> Option<Source> {
        let source = (*self.by_value.get(text)?)?;
        // Whatever stands before cannot need what stands behind.
        if source.resource >= user.at {
            return None;
        }
        let urn = user.urn_of(source.resource);
        let is_listed = match user.resource.property_dependencies(user.property) {
            Some(mut urns) => urns.any(|it| it == *urn),
            None => user.resource.texts("dependencies").any(|it| it == *urn),
        };
        let says_nothing = || {
            let list = |name| user.resource.value().present(name);
            list("dependencies").is_none_or(is_empty)
                && list("propertyDependencies").is_none_or(is_empty)
        };
        let is_called_so = || {
            let key = user.key.to_ascii_lowercase();
            let key = key.strip_suffix('s').unwrap_or(&key);
            key.ends_with(source.property)
        };
        let is_telling = || text.len() >= SHORTEST && text.chars().any(|c| !c.is_ascii_digit());
        let is_meant = is_listed || is_telling() && (says_nothing() || is_called_so());
        is_meant.then_some(source)
    }
}

/// Returns true for a list or an object without parts.
fn is_empty(value: Value<'_>) -> bool {
    value.elements().next().is_none() && value.entries().next().is_none()
}

/// The place of a value that may be a reference.
pub(crate) struct User<'u> {
    /// The place of the resource in the program.
    pub at: usize,
    /// The resource.
    pub resource: Resource<'u>,
    /// The property at the top.
    pub property: &'u str,
    /// The key nearest to the value.
    pub key: &'u str,
    /// The URNs of the resources of the program.
    pub urns: &'u [Cow<'u, str>],
}

impl User<'_> {
    fn urn_of(&self, at: usize) -> &Cow<'_, str> {
        static NONE: Cow<'static, str> = Cow::Borrowed("");
        self.urns.get(at).unwrap_or(&NONE)
    }
}
