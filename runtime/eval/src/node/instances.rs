//! The instances of a resource, read or component with a `range`.
//!
//! The rules, with examples: `tests/spec/run/instances.md`.

use std::sync::Arc;

use pcl_binder::Node;
use pcl_model::scope::DefinitionId;
use pcl_values::Dependencies;

use super::variables::definitions;
use crate::expression::evaluate::{Evaluator, unless_poisoned};
use crate::messages::{operands, options};
use crate::stop::Stop;
use crate::value::{Kind, MAX_PARTS, Marks, TooLarge, Value};

/// One of the resources that a block declares.
pub(crate) struct Instance {
    /// The end of its name: empty, or a hyphen and the key.
    pub suffix: String,
    /// The value of `range` in its body.
    pub variables: Vec<(DefinitionId, Value)>,
    /// The resources on which the range depends.
    pub dependencies: Dependencies,
}

/// The resources that a block declares.
pub(crate) enum Instances {
    /// One, which is the value of the node.
    Single(Instance),
    /// None, because the range is false.
    None,
    /// One for each position.
    List(Vec<Instance>),
    /// One for each key.
    Object(Vec<(Arc<str>, Instance)>),
    /// It is unknown how many.
    Unknown(Marks),
}

/// The resources that a block declares.
pub(crate) fn instances(evaluator: &mut Evaluator<'_>, node: &Node) -> Result<Instances, Stop> {
    let Some(option) = node.option("range") else {
        return Ok(Instances::Single(Instance {
            suffix: String::new(),
            variables: Vec::new(),
            dependencies: Dependencies::NONE,
        }));
    };
    let span = evaluator.span(option.value);
    let range = evaluator.evaluate(option.value)?;
    let definitions = definitions(evaluator.run(), node, "range");
    let secret = match range.marks.is_secret() {
        true => Marks::secret(),
        false => Marks::NONE,
    };
    let dependencies = range.marks.dependencies().clone();
    let instance = |key: Option<Value>, value: Value, suffix: String| -> Result<Instance, Stop> {
        let mut fields = vec![(Arc::from("value"), value.marked(&secret))];
        fields.extend(key.map(|key| (Arc::from("key"), key)));
        let object = Value::object(fields);
        let object = object.map_err(|error| operands::too_large(span, error))?;
        Ok(Instance {
            suffix,
            variables: definitions.iter().map(|&id| (id, object.clone())).collect(),
            dependencies: dependencies.clone(),
        })
    };
    let single = |dependencies| Instance {
        suffix: String::new(),
        variables: Vec::new(),
        dependencies,
    };
    unless_poisoned(&range)?;
    let run = evaluator.run();
    Ok(match &range.kind {
        Kind::Unknown => Instances::Unknown(range.marks.clone()),
        Kind::Bool(true) => Instances::Single(single(dependencies.clone())),
        Kind::Bool(false) => Instances::None,
        Kind::Number(number) => {
            let count = number.read_back().to_f64().max(0.0);
            if count > MAX_PARTS as f64 {
                return Err(operands::too_large(span, TooLarge::Parts).into());
            }
            // A fraction is dropped.
            let count = count as usize;
            let made = (0..count).map(|at| instance(None, (at as i64).into(), format!("-{at}")));
            Instances::List(made.collect::<Result<_, _>>()?)
        }
        Kind::List(list) => {
            let made = list.elements().iter().enumerate().map(|(at, value)| {
                instance(Some((at as i64).into()), value.clone(), format!("-{at}"))
            });
            Instances::List(made.collect::<Result<_, _>>()?)
        }
        Kind::Object(_) | Kind::Resource(_) => {
            let fields = match &range.kind {
                Kind::Resource(resource) => run.fields(resource, span)?,
                Kind::Object(object) => object,
                _ => return Ok(Instances::None),
            };
            let made = fields.iter().map(|(key, value)| {
                let text = Kind::String(Arc::clone(key).into());
                let made = instance(Some(text.into()), value.clone(), format!("-{key}"))?;
                Ok((Arc::clone(key), made))
            });
            Instances::Object(made.collect::<Result<_, Stop>>()?)
        }
        _ => return Err(options::unsupported_range(span, &range).into()),
    })
}

/// The value of a node from those of its instances.
pub(crate) fn collect(
    instances: Instances,
    mut value: impl FnMut(Instance) -> Result<Value, Stop>,
) -> Result<Result<Value, TooLarge>, Stop> {
    // A failed instance is an element like others.
    let mut element = |instance| match value(instance) {
        Err(Stop::Poisoned(name)) => Ok(Kind::Poisoned(name).into()),
        other => other,
    };
    Ok(match instances {
        Instances::Single(instance) => Ok(value(instance)?),
        Instances::None => Ok(Value::NULL),
        Instances::Unknown(marks) => Ok(Value::unknown(marks)),
        Instances::List(instances) => {
            let values = instances.into_iter().map(&mut element);
            Value::list(values.collect::<Result<_, _>>()?)
        }
        Instances::Object(instances) => {
            let values = instances
                .into_iter()
                .map(|(key, instance)| Ok((key, element(instance)?)));
            Value::object(values.collect::<Result<_, Stop>>()?)
        }
    })
}
