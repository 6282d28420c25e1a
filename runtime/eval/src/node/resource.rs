//! `resource` blocks.
//!
//! The rules, with examples: `tests/spec/run/resource.md`.

use std::borrow::Borrow;
use std::sync::{Arc, LazyLock};

use pcl_binder::schema_types::SchemaTypes;
use pcl_binder::{BoundAttribute, Node, ResourceBody};
use pcl_language::ResourceOption;
use pcl_schema::ResourceSpec;
use pcl_values::wire::UNKNOWN_STRING;
use pcl_values::{Alias, AliasSpec, Dependencies, PropertyMap, PropertyValue, ResourceId};

use super::answered::{Answered, Completion, Identity, register_name};
use super::{Instance, Options, collect, evaluate_options, instances};
use crate::expression::evaluate::Evaluator;
use crate::frame::{Frame, Name};
use crate::monitor::{EngineError, Outcome, RegisterResource, Registered, ResourceOptions};
use crate::run::{FREE, REQUEST, Run};
use crate::schema::Facts;
use crate::schema::inputs::{Inputs, Unreadable};
use crate::stop::{self, Stop, both, unless_poisoned};
use crate::value::{References, Value};
use crate::wording;

/// Registers the resources that a block declares.
pub(crate) fn register(frame: &Frame, node: &Node, body: &ResourceBody) -> Result<Value, Stop> {
    let mut evaluator = Evaluator::new(frame);
    let instances = instances(&mut evaluator, node)?;
    collect(instances, node, |instance| {
        let run = evaluator.run();
        run.unless_cancelled()?;
        if run.settings.defers_resources {
            return register_name(&mut evaluator, node, body, instance);
        }
        let registration = Registration::of(&mut evaluator, node, body, instance)?;
        let answer = run.monitor.register_resource(&registration.request);
        registration.answered(run, answer)
    })
}

/// A resource as a block declares it.
pub(super) struct Declared<'r> {
    pub inputs: Vec<(Arc<str>, Value)>,
    pub options: Options,
    pub token: Token<'r>,
    pub name: Name,
    /// The resources on which the range depends.
    pub of_range: Dependencies,
}

impl<'r> Declared<'r> {
    /// One of the resources that a block declares, with those of its attributes that are inputs.
    pub fn of(
        evaluator: &mut Evaluator<'r>,
        node: &'r Node,
        body: &ResourceBody,
        attributes: &[BoundAttribute],
        instance: Instance,
    ) -> Result<Self, Stop> {
        let (run, frame) = (evaluator.run(), evaluator.frame);
        let Instance { suffix, shown_suffix, variables, dependencies: of_range } = instance;
        let free = match frame.component {
            None if suffix.is_empty() => FREE,
            _ => 0,
        };
        if frame.component.is_some() && suffix.is_empty() {
            run.spend(REQUEST, || node.name_span())?;
        }
        let evaluated = evaluator.with(variables, |evaluator| {
            let inputs = values(evaluator, attributes, free);
            both(inputs, evaluate_options(evaluator, node))
        });
        let (inputs, options) = evaluated?;
        let own = frame.prefix.with(&node.logical_name, None);
        Ok(Self {
            inputs,
            options,
            token: Token::of(run, node, body),
            name: own.with(&suffix, shown_suffix.as_deref()),
            of_range,
        })
    }
}

/// The registration of a resource.
pub(crate) struct Registration<'r> {
    node: &'r Node,
    name: Name,
    pub request: RegisterResource,
    token: Token<'r>,
}

impl<'r> Registration<'r> {
    /// The registration of the resource that a block without a range declares.
    pub fn of_single(frame: &'r Frame, node: &'r Node, body: &ResourceBody) -> Result<Self, Stop> {
        Self::of(&mut Evaluator::new(frame), node, body, Instance::single())
    }

    /// The registration of one of the resources that a block declares.
    fn of(
        evaluator: &mut Evaluator<'r>,
        node: &'r Node,
        body: &ResourceBody,
        instance: Instance,
    ) -> Result<Self, Stop> {
        let (run, frame) = (evaluator.run(), evaluator.frame);
        let declared = Declared::of(evaluator, node, body, &body.inputs, instance)?;
        let Declared { inputs, options, token, name, of_range } = declared;
        let Options { mut sent, parent, dependencies: of_options } = options;
        let inputs = properties(inputs)?;
        let inputs = match token.spec {
            Some((facts, spec)) => {
                let converter = Inputs { fills_constants: true, ..converter(run) };
                let converted = converter.apply(facts, token.member, &spec.inputs, inputs);
                let owner = facts.schema().token(token.member);
                converted
                    .map_err(|error| unreadable(evaluator, node, &body.inputs, owner, &error))?
            }
            None => inputs,
        };
        if let Some((facts, spec)) = token.spec {
            let secrets = spec.properties.iter().filter(|(_, property)| property.secret);
            let secrets = secrets.map(|(name, _)| name.to_owned());
            sent.add_paths(ResourceOption::AdditionalSecretOutputs, secrets);
            let known = run.facts.of(facts, token.member);
            let replaced = known.replaced.iter().cloned();
            sent.add_paths(ResourceOption::ReplaceOnChanges, replaced);
            sent.aliases.extend(known.aliases.iter().map(|kind| {
                Alias::Spec(AliasSpec { kind: Some(kind.clone()), ..AliasSpec::default() })
            }));
        }
        let property_dependencies = property_dependencies(&inputs);
        let dependencies = property_dependencies.values().chain([&of_options, &of_range]);
        let is_component = token.spec.is_some_and(|(_, spec)| spec.is_component);
        let request = RegisterResource {
            name: name.text.clone(),
            shown_name: name.shown.clone(),
            parent: parent.or_else(|| frame.parent().cloned()),
            is_custom: !is_component,
            is_remote: is_component,
            takes_failure: true,
            dependencies: Dependencies::all(dependencies),
            property_dependencies,
            package: run.package_of(&token.text),
            options: shared(sent),
            source: Some(node.span()),
            inputs: Arc::new(inputs),
            kind: Arc::clone(&token.text),
        };
        Ok(Self { node, name, request, token })
    }

    /// The value of the resource, given the answer of the engine.
    pub fn answered(
        self,
        run: &Run,
        answer: Result<Registered, EngineError>,
    ) -> Result<Value, Stop> {
        let Self { node, name, request, token } = self;
        let span = node.name_span();
        let answer = run.answered(answer, span);
        let answer = answer.map_err(|stop| stop.cannot("register", name.shown()))?;
        let has_failed = answer.outcome != Outcome::Succeeded;
        if has_failed && !run.features().skips_dependants {
            return Err(Stop::Poisoned(Arc::clone(&node.name)));
        }
        let Registered { urn, id, outputs, dependencies, is_unknown, .. } = answer;
        let outputs =
            if has_failed { PropertyMap::new() } else { depending(outputs, dependencies) };
        run.fetch_referred(&outputs, span);
        let is_preview = run.settings.is_preview;
        if !is_preview && (has_failed || is_unknown) {
            run.leave_unfinished(&urn);
        }
        let may_be_unknown = is_preview || has_failed || request.is_custom && is_unknown;
        let is_id_unknown = id == UNKNOWN_STRING || id.is_empty() && may_be_unknown;
        let id = if is_id_unknown { ResourceId::Unknown } else { ResourceId::Known(id) };
        let answered = Answered {
            outputs: Answered::outputs(outputs, &request.inputs),
            completion: Completion::of(run, &token, is_preview || has_failed || is_unknown),
            identity: Identity { name, kind: request.kind },
        };
        let value = answered.into_value(urn, id);
        value.map_err(|error| wording::too_large(span, error).into())
    }
}

/// Outputs with dependencies of each, of which those of other names do not count.
pub(super) fn depending(
    mut outputs: PropertyMap,
    dependencies: PropertyMap<Dependencies>,
) -> PropertyMap {
    for (name, dependencies) in dependencies {
        if let Some(output) = outputs.get_mut(&*name) {
            *output = std::mem::take(output).depending_on(dependencies);
        }
    }
    outputs
}

/// The type token of a resource, with its schema.
pub(super) struct Token<'s> {
    pub text: Arc<str>,
    pub member: pcl_schema::MemberId,
    pub spec: Option<(Facts<'s>, &'s ResourceSpec)>,
}

impl<'s> Token<'s> {
    pub fn of(run: &'s Run, node: &Node, body: &ResourceBody) -> Self {
        let schemas: &'s SchemaTypes = &run.program.schemas;
        let found = body.schema.and_then(|(package, member)| {
            let facts = Facts::new(schemas, package);
            let spec = facts.schema().resource_by_id(member).ok()??;
            Some((facts, member, &**spec))
        });
        match found {
            Some((facts, member, spec)) => {
                let token = facts.schema().token(member);
                let written = node.token.as_ref().filter(|written| ***written == *token);
                Self {
                    text: written.map_or_else(|| token.into(), Arc::clone),
                    member,
                    spec: Some((facts, spec)),
                }
            }
            None => Self {
                text: node.token.clone().unwrap_or_default(),
                member: pcl_schema::MemberId(0),
                spec: None,
            },
        }
    }
}

/// The options of a resource. Most have none, and share that.
pub(super) fn shared(options: ResourceOptions) -> Arc<ResourceOptions> {
    static NONE: LazyLock<Arc<ResourceOptions>> = LazyLock::new(<_>::default);
    if options == **NONE { Arc::clone(&NONE) } else { Arc::new(options) }
}

/// The conversion of inputs in a run, which leaves out constants that are missing.
pub(crate) fn converter(run: &Run) -> Inputs<'_> {
    Inputs { environment: &run.settings.environment, cache: &run.facts, fills_constants: false }
}

/// The reason why inputs of a resource or read cannot be sent: the text of one is no number or
/// bool.
pub(super) fn unreadable(
    evaluator: &Evaluator<'_>,
    node: &Node,
    attributes: &[BoundAttribute],
    owner: &str,
    input: &Unreadable,
) -> Stop {
    let is_meant = |attribute: &&BoundAttribute| {
        let rest = input.path.strip_prefix(&*attribute.name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    let span = match attributes.iter().find(is_meant) {
        Some(attribute) => evaluator.span(attribute.value),
        None => node.span(),
    };
    wording::unreadable_input(span, owner, input).into()
}

/// The values of attributes, of which `free` parts cost nothing.
fn values(
    evaluator: &mut Evaluator<'_>,
    attributes: &[BoundAttribute],
    mut free: usize,
) -> Result<Vec<(Arc<str>, Value)>, Stop> {
    stop::all(attributes.iter().map(|attribute| {
        let value = evaluator.evaluate(attribute.value)?;
        let span = || evaluator.span(attribute.value);
        evaluator.run().spend_input(&value, &mut free, span)?;
        unless_poisoned(&value)?;
        Ok((Arc::clone(&attribute.name), value))
    }))
}

/// A value as it is sent.
pub(super) fn sent(value: &Value) -> Result<PropertyValue, Stop> {
    value.to_property(References::Collapse).map_err(Stop::Poisoned)
}

/// Named values as they are sent.
pub(crate) fn properties<V: Borrow<Value>>(
    values: impl IntoIterator<Item = (Arc<str>, V)>,
) -> Result<PropertyMap, Stop> {
    let values = values.into_iter().map(|(name, value)| Ok((name, sent(value.borrow())?)));
    let values = values.collect::<Result<Vec<_>, Stop>>()?;
    // Resources are many, so their inputs take no more room than they need.
    let mut all = PropertyMap::with_capacity(values.len());
    all.extend(values);
    Ok(all)
}

/// The resources on which each of several values depends, if it depends on any.
pub(crate) fn property_dependencies(values: &PropertyMap) -> PropertyMap<Dependencies> {
    let depending = values.iter().filter_map(|(name, value)| {
        let dependencies = value.dependencies();
        (!dependencies.is_empty()).then(|| (name.clone(), dependencies))
    });
    depending.collect()
}

/// The value of a property without its outputs: known ones as they are, with their secrets.
pub(crate) fn without_outputs(value: PropertyValue) -> PropertyValue {
    match value {
        PropertyValue::Output(output) => {
            let is_secret = output.is_secret();
            let value = match output.into_value() {
                Some(value) => without_outputs(value),
                None => PropertyValue::UNKNOWN,
            };
            if is_secret && !matches!(value, PropertyValue::Secret(_)) {
                value.secret()
            } else {
                value
            }
        }
        PropertyValue::Secret(inner) => without_outputs(*inner).secret(),
        PropertyValue::Array(elements) => {
            elements.into_iter().map(without_outputs).collect::<Vec<_>>().into()
        }
        PropertyValue::Object(fields) => {
            let fields = fields.into_iter();
            let fields = fields.map(|(name, value)| (name, without_outputs(value)));
            fields.collect::<PropertyMap>().into()
        }
        value => value,
    }
}
