//! Registered and read resources as values, whose properties are computed when one of them is read.
//!
//! A program reads few of the properties that a schema declares, and a resource with a `range` has
//! up to a million instances: the properties of a bucket took 7 kB each.
//!
//! In runs of which only the failures count, resources are registered without their inputs. Most
//! programs read the id of a resource and what its provider computes, both of which are unknown. To
//! register a resource and to compute its properties took 75,000 instructions, eight times as many
//! as to evaluate its inputs and options (in the program of 8,000 nodes of `docs/performance.md`).
//! The properties of a resource that a program reads otherwise are computed as when it is
//! registered with its inputs.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use pcl_binder::schema_types::SchemaTypes;
use pcl_binder::{Node, PackageIndex, ResourceBody};
use pcl_schema::{MemberId, ResourceSpec};
use pcl_values::{Dependencies, PropertyMap, ResourceId, ResourceReference, Text, Urn};

use super::Instance;
use super::resource::{Declared, Token, converter, properties, unreadable};
use crate::expression::evaluate::Evaluator;
use crate::frame::Name;
use crate::monitor::RegisterResource;
use crate::run::Run;
use crate::schema::inputs::Inputs;
use crate::schema::{Facts, FactsCache, outputs};
use crate::stop::Stop;
use crate::value::{Later, Marks, Object, Resource, Summary, TooLarge, Value};
use crate::wording;

/// The parts of a resource's identity that its program decides.
pub(crate) struct Identity {
    pub name: Name,
    pub kind: Arc<str>,
}

/// The names of the properties that every resource has.
static OWN: LazyLock<[Arc<str>; 4]> =
    LazyLock::new(|| ["id", "urn", "__name", "__type"].map(Arc::from));

/// Returns true for the name of a property that every resource has.
fn is_own(name: &str) -> bool {
    OWN.iter().any(|own| **own == *name)
}

impl Identity {
    /// A property that every resource has.
    fn own_property(&self, reference: &ResourceReference, property: &str) -> Option<Value> {
        Some(match property {
            "id" => Value::of_id(&reference.id),
            "urn" => Text::from(reference.urn.shared()).into(),
            "__name" => {
                let text = Value::from(Arc::clone(&self.name.text));
                if self.name.shown.is_some() { text.secret() } else { text }
            }
            "__type" => Arc::clone(&self.kind).into(),
            _ => return None,
        })
    }

    /// The properties of a resource with these outputs.
    pub fn fields(
        &self,
        reference: &ResourceReference,
        outputs: &PropertyMap,
    ) -> Result<Object, TooLarge> {
        let mut fields = Vec::with_capacity(outputs.len() + OWN.len());
        for (name, value) in outputs {
            fields.push((Arc::clone(name), Value::from_property(value)?));
        }
        let own = OWN.iter();
        fields.extend(
            own.filter_map(|own| Some((Arc::clone(own), self.own_property(reference, own)?))),
        );
        Object::new(fields)
    }
}

/// A reference to a resource. Its name and type are parts of the URN.
pub(crate) fn reference(urn: Urn, id: ResourceId) -> ResourceReference {
    ResourceReference {
        urn,
        id,
        name: Box::default(),
        kind: Box::default(),
        package_version: Box::default(),
    }
}

/// The outputs that a schema promises, for an answer that may lack some of them.
pub(super) struct Completion {
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
    fn spec(&self) -> Option<(Facts<'_>, &ResourceSpec)> {
        let facts = Facts::new(&self.schemas, self.package);
        let spec = facts.schema().resource_by_id(self.member).ok()??;
        Some((facts, spec))
    }

    /// Adds the outputs that are missing.
    fn complete(&self, outputs: &mut PropertyMap) {
        if let Some((facts, spec)) = self.spec() {
            outputs::complete(facts, &spec.properties, outputs, self.is_unknown);
        }
    }
}

/// The answer about a resource that was registered or read.
pub(super) struct Answered {
    pub identity: Identity,
    pub outputs: Arc<PropertyMap>,
    /// `None` for a resource without a schema.
    pub completion: Option<Completion>,
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
            let value = self.identity.own_property(reference, name);
            value.map_or(Summary::LEAF, |value| value.summary())
        });
        let outputs = &self.outputs;
        match self.completion.as_ref().and_then(|it| it.spec().zip(Some(it.is_unknown))) {
            Some(((facts, spec), is_unknown)) => {
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
        let Answered { identity, outputs, completion } = &self.answer;
        let mut outputs = PropertyMap::clone(outputs);
        if let Some(completion) = completion {
            completion.complete(&mut outputs);
        }
        // They are not too large.
        let fields = identity.fields(reference, &outputs).unwrap_or_default();
        debug_assert_eq!(fields.summary(), self.summary);
        fields
    }

    fn property(&self, reference: &ResourceReference, name: &str) -> Option<Value> {
        let Answered { identity, outputs, completion } = &self.answer;
        if let Some(own) = identity.own_property(reference, name) {
            return Some(own);
        }
        let found = match completion {
            Some(completion) => {
                let (facts, spec) = completion.spec()?;
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

/// The parts and the depth of inputs whose properties are computed at once: they may be too large,
/// even if every input by itself is not. A schema adds few constants and defaults.
const LARGE: (usize, usize) = (1000, 100);

/// Registers the name of one of the resources that a block declares, in a run of which only the
/// failures count.
pub(super) fn register_name<'r>(
    evaluator: &mut Evaluator<'r>,
    node: &'r Node,
    body: &ResourceBody,
    instance: Instance,
) -> Result<Value, Stop> {
    let (run, frame) = (evaluator.run(), evaluator.frame);
    let declared = Declared::of(evaluator, node, body, &body.inputs, instance)?;
    let Declared { inputs, options, token, name, .. } = declared;
    if let Some((facts, spec)) = token.spec
        && Inputs::may_refuse(facts, &spec.inputs, &inputs)
    {
        let given = properties(inputs.iter().map(|(name, value)| (Arc::clone(name), value)))?;
        let converted = converter(run).apply(facts, token.member, &spec.inputs, given);
        let owner = facts.schema().token(token.member);
        converted.map_err(|error| unreadable(evaluator, node, &body.inputs, owner, &error))?;
    }
    let request = RegisterResource {
        kind: Arc::clone(&token.text),
        name: name.text.clone(),
        parent: options.parent.or_else(|| frame.parent().cloned()),
        source: Some(node.span()),
        ..RegisterResource::default()
    };
    let span = node.name_span();
    let answer = run.answered(run.monitor.register_resource(&request), span);
    let answer = answer.map_err(|stop| stop.cannot("register", name.shown()))?;
    let reference = reference(answer.urn, ResourceId::Unknown);
    let deferred = Deferred {
        completion: Completion::of(run, &token, true),
        inputs: inputs.into(),
        identity: Identity { name, kind: request.kind },
    };
    let is_large = deferred.inputs.iter().any(|(_, value)| value.exceeds(LARGE));
    if is_large && let Err(error) = deferred.compute(&reference) {
        return Err(wording::too_large(span, error).into());
    }
    Ok(Resource::deferred(reference, Box::new(deferred)).into())
}

/// The values from which the properties of a resource that does not exist yet are computed.
struct Deferred {
    completion: Option<Completion>,
    inputs: Box<[(Arc<str>, Value)]>,
    identity: Identity,
}

impl Deferred {
    /// The properties, as an engine that is not there answers them.
    fn compute(&self, reference: &ResourceReference) -> Result<Object, TooLarge> {
        let inputs = self.inputs.iter().map(|(name, value)| (Arc::clone(name), value));
        // No input depends on a failed resource.
        let mut known = properties(inputs).unwrap_or_default();
        if let Some(completion) = &self.completion
            && let Some((facts, spec)) = completion.spec()
        {
            let inputs = Inputs {
                environment: &BTreeMap::new(),
                cache: &FactsCache::default(),
                fills_constants: true,
            };
            // What was registered converts.
            known = inputs.apply(facts, completion.member, &spec.inputs, known).unwrap_or_default();
            completion.complete(&mut known);
        }
        self.identity.fields(reference, &known)
    }

    /// Returns true if the property of this name is unknown, which needs no other property.
    fn is_unknown(&self, name: &str) -> bool {
        let mut inputs = self.inputs.iter();
        let is_input = |(input, _): &(Arc<str>, Value)| **input == *name;
        let is_declared = || {
            let spec = self.completion.as_ref().and_then(Completion::spec);
            spec.is_some_and(|(_, spec)| spec.inputs.get(name).is_some())
        };
        name == "id" || !is_own(name) && !inputs.any(is_input) && !is_declared()
    }
}

impl Later for Deferred {
    fn fields(&self, reference: &ResourceReference) -> Object {
        // It was tried, if it may be too large.
        self.compute(reference).unwrap_or_default()
    }

    fn property(&self, _: &ResourceReference, name: &str) -> Option<Value> {
        self.is_unknown(name).then_some(Value::UNKNOWN)
    }

    fn summary(&self) -> Option<Summary> {
        None
    }
}
