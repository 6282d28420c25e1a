//! Registered and read resources as values.
//!
//! The properties of a resource are computed when one of them is read. A program reads few of
//! those that a schema declares, and a resource with a `range` has up to a million instances: the
//! properties of a bucket took 7 kB each.

use std::sync::{Arc, LazyLock};

use pcl_binder::PackageIndex;
use pcl_binder::schema_types::SchemaTypes;
use pcl_schema::{MemberId, ResourceSpec};
use pcl_values::{Dependencies, PropertyMap, ResourceId, ResourceReference, Text, Urn};

use super::resource::Token;
use crate::frame::Name;
use crate::run::Run;
use crate::schema::{Facts, outputs};
use crate::value::{Later, Marks, Object, Resource, Summary, TooLarge, Value};

/// The answer about a resource that was registered or read.
pub(crate) struct Answered {
    pub name: Name,
    pub kind: Arc<str>,
    pub outputs: Arc<PropertyMap>,
    /// `None` for a resource without a schema.
    pub completion: Option<Completion>,
}

/// The outputs that a schema promises, for an answer that may lack some of them.
pub(crate) struct Completion {
    schemas: Arc<SchemaTypes>,
    package: PackageIndex,
    member: MemberId,
    /// The outputs that the answer lacks are unknown, not null.
    is_unknown: bool,
}

impl Completion {
    /// The completion for the resource that a token names.
    pub fn of(run: &Run, token: &Token<'_>, is_unknown: bool) -> Option<Self> {
        let (facts, _) = token.spec?;
        Some(Self {
            schemas: Arc::clone(&run.program.schemas),
            package: facts.package,
            member: token.member,
            is_unknown,
        })
    }

    /// The resource in the schema.
    pub fn spec(&self) -> Option<(Facts<'_>, MemberId, &ResourceSpec)> {
        let facts = Facts::new(&self.schemas, self.package);
        let spec = facts.schema().resource_by_id(self.member).ok()??;
        Some((facts, self.member, spec))
    }

    /// Adds the outputs that are missing.
    pub fn complete(&self, outputs: &mut PropertyMap) {
        if let Some((facts, _, spec)) = self.spec() {
            outputs::complete(facts, &spec.properties, outputs, self.is_unknown);
        }
    }
}

impl Answered {
    /// Outputs that share the properties that were asked for if they are the same, as most are in
    /// a preview.
    pub fn outputs(outputs: PropertyMap, asked: &Arc<PropertyMap>) -> Arc<PropertyMap> {
        if outputs == **asked { Arc::clone(asked) } else { Arc::new(outputs) }
    }

    /// The resource as a value.
    ///
    /// # Errors
    /// Returns an error if its properties are too large.
    pub fn into_value(self, urn: Urn, id: ResourceId) -> Result<Value, TooLarge> {
        let reference = reference(urn, id);
        let marks = Marks::new(false, Dependencies::on(reference.urn.clone()));
        let summary = self.summary(&reference).check()?;
        let later = Computed { answer: self, summary };
        let resource = Resource::deferred(reference, Box::new(later));
        Ok(Value::from(resource).marked(&marks))
    }

    fn summary(&self, reference: &ResourceReference) -> Summary {
        let own = OWN.iter().map(|name| {
            let value = own_property(reference, &self.name, &self.kind, name);
            value.map_or(Summary::LEAF, |value| value.summary())
        });
        let outputs = &self.outputs;
        match self.completion.as_ref().and_then(|it| it.spec().zip(Some(it.is_unknown))) {
            Some(((facts, _, spec), is_unknown)) => {
                let completed = outputs::summaries(facts, &spec.properties, outputs, is_unknown);
                let completed = completed.filter(|(name, _)| !is_own(name));
                Summary::of_parts(own.chain(completed.map(|(_, part)| part)))
            }
            None => {
                let answered = outputs.iter().filter(|(name, _)| !is_own(name));
                let answered = answered.map(|(_, value)| Summary::of_property(value));
                Summary::of_parts(own.chain(answered))
            }
        }
    }
}

/// An answer of which it is known that its properties are not too large.
struct Computed {
    answer: Answered,
    summary: Summary,
}

impl Later for Computed {
    fn fields(&self, reference: &ResourceReference) -> Object {
        let Answered { name, kind, outputs, completion } = &self.answer;
        let mut outputs = PropertyMap::clone(outputs);
        if let Some(completion) = completion {
            completion.complete(&mut outputs);
        }
        // They are not too large.
        let fields = fields(reference, name, kind, &outputs).unwrap_or_default();
        debug_assert_eq!(fields.summary(), self.summary);
        fields
    }

    fn property(&self, reference: &ResourceReference, name: &str) -> Option<Value> {
        let Answered { outputs, completion, .. } = &self.answer;
        if let Some(own) = own_property(reference, &self.answer.name, &self.answer.kind, name) {
            return Some(own);
        }
        let found = match completion {
            Some(completion) => {
                let (facts, _, spec) = completion.spec()?;
                let is_unknown = completion.is_unknown;
                outputs::property(facts, &spec.properties, outputs, name, is_unknown)?
            }
            None => outputs.get(name)?.clone(),
        };
        Value::from_property(&found).ok()
    }

    fn summary(&self) -> Option<Summary> {
        Some(self.summary)
    }
}

/// A reference to a resource. Its name and type are parts of the URN.
pub(super) fn reference(urn: Urn, id: ResourceId) -> ResourceReference {
    ResourceReference {
        urn,
        id,
        name: Box::default(),
        kind: Box::default(),
        package_version: Box::default(),
    }
}

/// The names of the properties that every resource has.
static OWN: LazyLock<[Arc<str>; 4]> =
    LazyLock::new(|| ["id", "urn", "__name", "__type"].map(Arc::from));

/// Returns true for the name of a property that every resource has.
pub(super) fn is_own(name: &str) -> bool {
    OWN.iter().any(|own| **own == *name)
}

/// A property that every resource has.
fn own_property(
    reference: &ResourceReference,
    name: &Name,
    kind: &Arc<str>,
    property: &str,
) -> Option<Value> {
    Some(match property {
        "id" => Value::of_id(&reference.id),
        "urn" => Text::from(reference.urn.shared()).into(),
        "__name" => {
            let text = Value::from(Text::from(Arc::clone(&name.text)));
            match name.shown {
                Some(_) => text.secret(),
                None => text,
            }
        }
        "__type" => Text::from(Arc::clone(kind)).into(),
        _ => return None,
    })
}

/// The properties of a resource with these outputs.
pub(super) fn fields(
    reference: &ResourceReference,
    name: &Name,
    kind: &Arc<str>,
    outputs: &PropertyMap,
) -> Result<Object, TooLarge> {
    let mut fields = Vec::with_capacity(outputs.len() + OWN.len());
    for (name, value) in outputs {
        fields.push((Arc::clone(name), Value::from_property(value)?));
    }
    let own = OWN.iter().filter_map(|own| {
        let value = own_property(reference, name, kind, own)?;
        Some((Arc::clone(own), value))
    });
    fields.extend(own);
    Object::new(fields)
}
