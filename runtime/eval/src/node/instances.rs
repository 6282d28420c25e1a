//! The instances of a resource, read or component with a `range`.
//!
//! The rules, with examples: `tests/spec/run/instances.md`.

use std::sync::Arc;

use pcl_binder::{Node, NodeBody};
use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_model::scope::DefinitionId;
use pcl_values::Dependencies;

use super::{definitions, hidden};
use crate::expression::evaluate::Evaluator;
use crate::run::{REQUEST, UnknownRange};
use crate::stop::{Stop, unless_poisoned};
use crate::value::{Kind, MAX_PARTS, Marks, TooLarge, Value};
use crate::wording::{self, Shown};

/// One of the resources that a block declares.
pub(crate) struct Instance {
    /// The end of its name: empty, or a hyphen and the key.
    pub suffix: Box<str>,
    /// The end of its name as people see it, if the key is secret.
    pub shown_suffix: Option<Box<str>>,
    /// The value of `range` in its body.
    pub variables: Box<[(DefinitionId, Value)]>,
    /// The resources on which the range depends.
    pub dependencies: Dependencies,
}

impl Instance {
    /// The resource of a block without a range.
    pub fn single() -> Self {
        Self {
            suffix: Box::default(),
            shown_suffix: None,
            variables: Box::default(),
            dependencies: Dependencies::NONE,
        }
    }
}

/// The resources that a block declares.
pub(crate) struct Instances<T = Instance> {
    shape: Shape,
    all: Vec<T>,
}

/// The form of the value of a block.
#[derive(Clone)]
enum Shape {
    /// That of its one resource.
    Single,
    /// Null: there is no resource, because the range is false.
    None,
    /// A list with a value for each position.
    List,
    /// An object with a value for each key, with the mark of a secret if the keys are parts of one.
    Object(Vec<Arc<str>>, Marks),
    /// It is unknown how many resources there are.
    Unknown(Marks),
}

impl<T> Instances<T> {
    fn single(one: T) -> Self {
        Self { shape: Shape::Single, all: vec![one] }
    }

    /// Applies a function to each of them.
    pub fn map<U>(self, make: impl FnMut(T) -> Result<U, Stop>) -> Result<Instances<U>, Stop> {
        let all = self.all.into_iter().map(make).collect::<Result<_, _>>()?;
        Ok(Instances { shape: self.shape, all })
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.all.iter()
    }

    /// The value of the node, with what a function makes of each of them.
    pub fn value(
        &self,
        span: Span,
        make: impl FnMut(&T) -> Result<Value, Stop>,
    ) -> Result<Value, Stop> {
        let all = self.iter().map(make).collect::<Result<_, _>>()?;
        Instances { shape: self.shape.clone(), all }.into_value(span)
    }
}

impl Instances<Value> {
    fn into_value(self, span: Span) -> Result<Value, Stop> {
        let mut all = self.all.into_iter();
        let value = match self.shape {
            Shape::Single | Shape::None => Ok(all.next().unwrap_or(Value::NULL)),
            Shape::List => Value::list(all.collect()),
            Shape::Object(keys, marks) => {
                Value::object(keys.into_iter().zip(all).collect()).map(|it| it.marked(&marks))
            }
            Shape::Unknown(marks) => Ok(Value::unknown(marks)),
        };
        value.map_err(|error| wording::too_large(span, error).into())
    }
}

/// The resources that a block declares.
pub(crate) fn instances(evaluator: &mut Evaluator<'_>, node: &Node) -> Result<Instances, Stop> {
    let Some(option) = node.option("range") else {
        return Ok(Instances::single(Instance::single()));
    };
    let span = evaluator.span(option.value);
    let range = evaluator.evaluate(option.value)?;
    let definitions = definitions(evaluator.run(), node, "range");
    let secret = hidden(&range);
    let dependencies = range.marks.dependencies().clone();
    let instance = |key: Option<Value>, value: Value, suffix: String| -> Result<Instance, Stop> {
        let mut fields = vec![(Arc::from("value"), value.marked(&secret))];
        fields.extend(key.map(|key| (Arc::from("key"), key)));
        let object = Value::object(fields);
        let object = object.map_err(|error| wording::too_large(span, error))?;
        Ok(Instance {
            suffix: suffix.into(),
            shown_suffix: None,
            variables: definitions.iter().map(|&id| (id, object.clone())).collect(),
            dependencies: dependencies.clone(),
        })
    };
    unless_poisoned(&range)?;
    let run = evaluator.run();
    // All instances are made before the first one is registered.
    let spend = |count: usize| run.spend(REQUEST.saturating_mul(count as u64), || span);
    let (shape, all) = match &range.kind {
        Kind::Unknown => {
            run.note_unknown_range(UnknownRange {
                name: node.logical_name.to_string(),
                is_component: matches!(node.body, NodeBody::Component(_)),
                span: node.name_span(),
            });
            (Shape::Unknown(range.marks.clone()), Ok(Vec::new()))
        }
        Kind::Bool(true) => {
            let dependencies = dependencies.clone();
            (Shape::Single, Ok(vec![Instance { dependencies, ..Instance::single() }]))
        }
        Kind::Bool(false) => (Shape::None, Ok(Vec::new())),
        Kind::Number(number) => {
            let count = number.read_back().to_f64();
            // As in Pulumi, a deployment makes none of a negative number and drops a fraction.
            if run.settings.is_offline && (count < 0.0 || count.fract() != 0.0) {
                return Err(not_a_count(span, &Shown::of(&range, &range.marks)).into());
            }
            let count = count.max(0.0);
            if count > MAX_PARTS as f64 {
                return Err(wording::too_large(span, TooLarge::Parts).into());
            }
            let count = count as usize;
            spend(count)?;
            let made = (0..count).map(|at| instance(None, (at as i64).into(), format!("-{at}")));
            (Shape::List, made.collect())
        }
        Kind::List(list) => {
            spend(list.elements().len())?;
            let made = list.elements().iter().enumerate().map(|(at, value)| {
                instance(Some((at as i64).into()), value.clone(), format!("-{at}"))
            });
            (Shape::List, made.collect())
        }
        _ => {
            let Some(fields) = run.object(&range, span)? else {
                return Err(unsupported_range(span, &Shown::of(&range, &range.marks)).into());
            };
            spend(fields.len())?;
            let made = fields.iter().enumerate().map(|(at, (key, value))| {
                let text = Value::from(Arc::clone(key)).marked(&secret);
                let mut made = instance(Some(text), value.clone(), format!("-{key}"))?;
                made.shown_suffix = secret.is_secret().then(|| format!("-[secret {at}]").into());
                Ok(made)
            });
            let keys = fields.iter().map(|(key, _)| Arc::clone(key)).collect();
            (Shape::Object(keys, secret.clone()), made.collect())
        }
    };
    Ok(Instances { shape, all: all? })
}

/// The value of a node, with what a function makes of each of the resources that it declares.
pub(crate) fn collect(
    instances: Instances,
    node: &Node,
    mut value: impl FnMut(Instance) -> Result<Value, Stop>,
) -> Result<Value, Stop> {
    let is_single = matches!(instances.shape, Shape::Single);
    let values = instances.map(|instance| match value(instance) {
        // A failed instance is an element like others.
        Err(Stop::Poisoned(name)) if !is_single => Ok(Kind::Poisoned(name).into()),
        other => other,
    });
    values?.into_value(node.name_span())
}

/// A number of resources that is negative or not whole.
fn not_a_count(span: Span, value: &Shown) -> Diagnostic {
    let message = format!("`range` must be a whole number from 0 on, found {value}");
    Diagnostic::error(Code::InvalidOptionValue, span, message)
        .help("give the number of resources that the block declares")
}

/// A range that is neither a number nor a bool nor a collection.
fn unsupported_range(span: Span, value: &Shown) -> Diagnostic {
    let message = format!("`range` expects a bool, number, list or map, found {value}");
    Diagnostic::error(Code::InvalidOptionValue, span, message)
        .help("put a single value in a list, as in `[value]`")
}
