//! Resources whose properties are computed when one of them is read, for runs of which only the
//! failures count.
//!
//! Most programs read the id of a resource and what its provider computes, both of which are
//! unknown. To register a resource and to compute its properties took 75,000 instructions, eight
//! times as many as to evaluate its inputs and options (in the program of 8,000 nodes of
//! `docs/performance.md`). What is read all the same is computed as when it is registered.

use std::collections::BTreeMap;
use std::sync::Arc;

use pcl_binder::schema_types::SchemaTypes;
use pcl_binder::{Node, PackageIndex, ResourceBody};
use pcl_schema::{MemberId, ResourceSpec};
use pcl_values::{ResourceId, ResourceReference, Urn};

use super::Instance;
use super::resource::{Declared, fields, properties};
use crate::expression::evaluate::Evaluator;
use crate::frame::Name;
use crate::messages::{engine, operands};
use crate::monitor::RegisterResource;
use crate::schema::Facts;
use crate::schema::facts::FactsCache;
use crate::schema::inputs::Inputs;
use crate::schema::outputs::complete;
use crate::stop::Stop;
use crate::value::{Later, Object, Resource, TooLarge, Value};

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
    let Declared {
        inputs,
        options,
        token,
        name,
        ..
    } = Declared::of(evaluator, node, body, instance)?;
    let request = RegisterResource {
        kind: token.text,
        name: name.text.clone(),
        parent: options.parent.or_else(|| frame.parent().cloned()),
        source: Some(node.span()),
        ..RegisterResource::default()
    };
    let span = node.name_span();
    let answer = run.answered(run.monitor.register_resource(&request), span);
    let answer = answer
        .map_err(|stop| stop.about(|diagnostic| engine::registering(diagnostic, name.shown())))?;
    let urn = Urn::from(answer.urn);
    let deferred = Deferred {
        schemas: Arc::clone(&run.program.schemas),
        member: token.spec.map(|(facts, _)| (facts.package, token.member)),
        inputs: inputs.into(),
        urn: urn.clone(),
        name,
        kind: request.kind,
    };
    let is_large = deferred
        .inputs
        .iter()
        .any(|(_, value)| value.exceeds(LARGE));
    if is_large && let Err(error) = deferred.compute() {
        return Err(operands::too_large(span, error).into());
    }
    let reference = ResourceReference {
        urn,
        id: ResourceId::Unknown,
        name: String::new(),
        kind: String::new(),
        package_version: String::new(),
    };
    Ok(Resource::deferred(reference, Box::new(deferred)).into())
}

/// The values from which the properties of a resource that does not exist yet are computed.
struct Deferred {
    schemas: Arc<SchemaTypes>,
    member: Option<(PackageIndex, MemberId)>,
    inputs: Box<[(Arc<str>, Value)]>,
    urn: Urn,
    name: Name,
    kind: String,
}

impl Deferred {
    fn spec(&self) -> Option<(Facts<'_>, MemberId, &ResourceSpec)> {
        let (package, member) = self.member?;
        let facts = Facts::new(&self.schemas, package);
        let spec = facts.schema().resource_by_id(member).ok()??;
        Some((facts, member, spec))
    }

    /// The properties, as an engine that is not there answers them.
    fn compute(&self) -> Result<Object, TooLarge> {
        // No input depends on a failed resource.
        let mut known = properties(&self.inputs).unwrap_or_default();
        if let Some((facts, member, spec)) = self.spec() {
            let inputs = Inputs {
                environment: &BTreeMap::new(),
                cache: &FactsCache::default(),
                fills_constants: true,
            };
            known = inputs.apply(facts, member, &spec.inputs, known);
            complete(facts, &spec.properties, &mut known, true);
        }
        fields(
            &self.urn,
            &ResourceId::Unknown,
            &self.name,
            &self.kind,
            &known,
        )
    }
}

impl Later for Deferred {
    fn fields(&self) -> Object {
        // It was tried, if it may be too large.
        let fields = self.compute();
        fields.unwrap_or_default()
    }

    fn is_unknown(&self, name: &str) -> bool {
        let is_own = matches!(name, "urn" | "__name" | "__type");
        let mut inputs = self.inputs.iter();
        let is_input = |(input, _): &(Arc<str>, Value)| **input == *name;
        let is_declared = || {
            let spec = self.spec();
            spec.is_some_and(|(_, _, spec)| spec.inputs.get(name).is_some())
        };
        name == "id" || !is_own && !inputs.any(is_input) && !is_declared()
    }
}
