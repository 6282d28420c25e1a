//! Resources whose properties are computed when one of them is read, for runs of which only the
//! failures count.
//!
//! Most programs read the id of a resource and what its provider computes, both of which are
//! unknown. To register a resource and to compute its properties took 75,000 instructions, eight
//! times as many as to evaluate its inputs and options (in the program of 8,000 nodes of
//! `docs/performance.md`). What is read all the same is computed as when it is registered.

use std::collections::BTreeMap;
use std::sync::Arc;

use pcl_binder::{Node, ResourceBody};
use pcl_values::{ResourceId, ResourceReference};

use super::Instance;
use super::answered::{Completion, fields, is_own, reference};
use super::resource::{Declared, properties};
use crate::expression::evaluate::Evaluator;
use crate::frame::Name;
use crate::monitor::RegisterResource;
use crate::schema::facts::FactsCache;
use crate::schema::inputs::Inputs;
use crate::stop::Stop;
use crate::value::{Later, Object, Resource, Summary, TooLarge, Value};
use crate::wording;

/// The parts and the depth of inputs whose properties are computed at once: they may be too large,
/// even if every input by itself is not. A schema adds few constants and defaults.
const LARGE: (usize, usize) = (1000, 100);

/// Registers the name of one of the resources that a block declares.
pub(super) fn register<'r>(
    evaluator: &mut Evaluator<'r>,
    node: &'r Node,
    body: &ResourceBody,
    instance: Instance,
) -> Result<Value, Stop> {
    let (run, frame) = (evaluator.run(), evaluator.frame);
    let Declared { inputs, options, token, name, .. } =
        Declared::of(evaluator, node, body, instance)?;
    let request = RegisterResource {
        kind: Arc::clone(&token.text),
        name: name.text.clone(),
        parent: options.parent.or_else(|| frame.parent().cloned()),
        source: Some(node.span()),
        ..RegisterResource::default()
    };
    let span = node.name_span();
    let answer = run.answered(run.monitor.register_resource(&request), span);
    let answer = answer
        .map_err(|stop| stop.about(|diagnostic| wording::registering(diagnostic, name.shown())))?;
    let reference = reference(answer.urn, ResourceId::Unknown);
    let deferred = Deferred {
        completion: Completion::of(run, &token, true),
        inputs: inputs.into(),
        name,
        kind: request.kind,
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
    name: Name,
    kind: Arc<str>,
}

impl Deferred {
    /// The properties, as an engine that is not there answers them.
    fn compute(&self, reference: &ResourceReference) -> Result<Object, TooLarge> {
        // No input depends on a failed resource.
        let mut known = properties(&self.inputs).unwrap_or_default();
        if let Some(completion) = &self.completion
            && let Some((facts, member, spec)) = completion.spec()
        {
            let inputs = Inputs {
                environment: &BTreeMap::new(),
                cache: &FactsCache::default(),
                fills_constants: true,
            };
            known = inputs.apply(facts, member, &spec.inputs, known);
            completion.complete(&mut known);
        }
        fields(reference, &self.name, &self.kind, &known)
    }

    /// Returns true if the property of this name is unknown, which needs no other property.
    fn is_unknown(&self, name: &str) -> bool {
        let mut inputs = self.inputs.iter();
        let is_input = |(input, _): &(Arc<str>, Value)| **input == *name;
        let is_declared = || {
            let spec = self.completion.as_ref().and_then(Completion::spec);
            spec.is_some_and(|(_, _, spec)| spec.inputs.get(name).is_some())
        };
        name == "id" || !is_own(name) && !inputs.any(is_input) && !is_declared()
    }
}

impl Later for Deferred {
    fn fields(&self, reference: &ResourceReference) -> Object {
        // It was tried, if it may be too large.
        let fields = self.compute(reference);
        fields.unwrap_or_default()
    }

    fn property(&self, _: &ResourceReference, name: &str) -> Option<Value> {
        self.is_unknown(name).then_some(Value::UNKNOWN)
    }

    fn summary(&self) -> Option<Summary> {
        None
    }
}
