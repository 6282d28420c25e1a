//! The instances of a resource, read or component with a `range`.
//!
//! The rules, with examples: `tests/spec/run/instances.md`.

use std::sync::Arc;

use pcl_binder::Node;
use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_model::scope::DefinitionId;
use pcl_values::Dependencies;

use super::variables::definitions;
use crate::budget::REQUEST;
use crate::expression::evaluate::{Evaluator, unless_poisoned};
use crate::shown::Shown;
use crate::stop::Stop;
use crate::value::{Kind, MAX_PARTS, Marks, TooLarge, Value};
use crate::wording;

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
pub(crate) enum Instances<T = Instance> {
    /// One, which is the value of the node.
    Single(T),
    /// None, because the range is false.
    None,
    /// One for each position.
    List(Vec<T>),
    /// One for each key, with the mark of a secret if the keys are parts of one.
    Object(Vec<(Arc<str>, T)>, Marks),
    /// It is unknown how many.
    Unknown(Marks),
}

impl<T> Instances<T> {
    /// Applies a function to each of them.
    pub fn map<U>(self, mut make: impl FnMut(T) -> Result<U, Stop>) -> Result<Instances<U>, Stop> {
        Ok(match self {
            Self::Single(one) => Instances::Single(make(one)?),
            Self::None => Instances::None,
            Self::List(all) => {
                let made = all.into_iter().map(make);
                Instances::List(made.collect::<Result<_, _>>()?)
            }
            Self::Object(all, marks) => {
                let made = all.into_iter();
                let made = made.map(|(key, one)| Ok((key, make(one)?)));
                Instances::Object(made.collect::<Result<_, Stop>>()?, marks)
            }
            Self::Unknown(marks) => Instances::Unknown(marks),
        })
    }

    /// The same as references.
    pub fn as_ref(&self) -> Instances<&T> {
        match self {
            Self::Single(one) => Instances::Single(one),
            Self::None => Instances::None,
            Self::List(all) => Instances::List(all.iter().collect()),
            Self::Object(all, marks) => {
                let all = all.iter().map(|(key, one)| (Arc::clone(key), one));
                Instances::Object(all.collect(), marks.clone())
            }
            Self::Unknown(marks) => Instances::Unknown(marks.clone()),
        }
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        let (list, object): (&[T], &[(Arc<str>, T)]) = match self {
            Self::Single(one) => (std::slice::from_ref(one), &[]),
            Self::List(all) => (all, &[]),
            Self::Object(all, _) => (&[], all),
            Self::None | Self::Unknown(_) => (&[], &[]),
        };
        list.iter().chain(object.iter().map(|(_, one)| one))
    }
}

impl Instances<Value> {
    /// The value of the node.
    pub fn into_value(self) -> Result<Value, TooLarge> {
        Ok(match self {
            Self::Single(value) => value,
            Self::None => Value::NULL,
            Self::List(values) => Value::list(values)?,
            Self::Object(values, marks) => Value::object(values)?.marked(&marks),
            Self::Unknown(marks) => Value::unknown(marks),
        })
    }
}

/// The resources that a block declares.
pub(crate) fn instances(evaluator: &mut Evaluator<'_>, node: &Node) -> Result<Instances, Stop> {
    let Some(option) = node.option("range") else {
        return Ok(Instances::Single(Instance::single()));
    };
    let span = evaluator.span(option.value);
    let range = evaluator.evaluate(option.value)?;
    let definitions = definitions(evaluator.run(), node, "range");
    let secret = if range.marks.is_secret() { Marks::secret() } else { Marks::NONE };
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
    Ok(match &range.kind {
        Kind::Unknown => Instances::Unknown(range.marks.clone()),
        Kind::Bool(true) => {
            Instances::Single(Instance { dependencies: dependencies.clone(), ..Instance::single() })
        }
        Kind::Bool(false) => Instances::None,
        Kind::Number(number) => {
            let count = number.read_back().to_f64();
            // As in Pulumi, a deployment makes none of a negative number and drops a fraction.
            if run.settings.is_offline && (count < 0.0 || count.fract() != 0.0) {
                let shown = Shown::of(&range, &range.marks);
                return Err(not_a_count(span, &shown).into());
            }
            let count = count.max(0.0);
            if count > MAX_PARTS as f64 {
                return Err(wording::too_large(span, TooLarge::Parts).into());
            }
            let count = count as usize;
            spend(count)?;
            let made = (0..count).map(|at| instance(None, (at as i64).into(), format!("-{at}")));
            Instances::List(made.collect::<Result<_, _>>()?)
        }
        Kind::List(list) => {
            spend(list.elements().len())?;
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
            spend(fields.len())?;
            let made = fields.iter().enumerate().map(|(at, (key, value))| {
                let text = Value::from(Kind::String(Arc::clone(key).into())).marked(&secret);
                let mut made = instance(Some(text), value.clone(), format!("-{key}"))?;
                made.shown_suffix = secret.is_secret().then(|| format!("-[secret {at}]").into());
                Ok((Arc::clone(key), made))
            });
            Instances::Object(made.collect::<Result<_, Stop>>()?, secret.clone())
        }
        _ => return Err(unsupported_range(span, &Shown::of(&range, &range.marks)).into()),
    })
}

/// The value of a node from those of its instances.
pub(crate) fn collect(
    instances: Instances,
    mut value: impl FnMut(Instance) -> Result<Value, Stop>,
) -> Result<Result<Value, TooLarge>, Stop> {
    let is_single = matches!(instances, Instances::Single(_));
    let values = instances.map(|instance| match value(instance) {
        // A failed instance is an element like others.
        Err(Stop::Poisoned(name)) if !is_single => Ok(Kind::Poisoned(name).into()),
        other => other,
    });
    Ok(values?.into_value())
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
