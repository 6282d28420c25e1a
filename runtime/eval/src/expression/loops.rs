//! `[for ..]`, `{for ..}`, `%{ for .. }` and splats.

use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_model::expression::{ExprId, For, Splat};
use rustc_hash::FxHashMap;

use super::access::key_text;
use super::convert::to_bool;
use super::evaluate::{Evaluator, unless_poisoned};
use super::template::Joined;
use crate::shown::Shown;
use crate::stop::Stop;
use crate::value::{Kind, MAX_PARTS, Marks, Object, TooLarge, Value};
use crate::wording;

/// The collection of a loop.
enum Collection<'v> {
    Unknown,
    List(&'v [Value]),
    Object(&'v Object),
}

impl<'v> Collection<'v> {
    /// The key and the value of each round.
    fn rounds(&self) -> impl Iterator<Item = (Value, Value)> + use<'v> {
        let (list, object) = match *self {
            Self::Unknown => (&[][..], None),
            Self::List(list) => (list, None),
            Self::Object(object) => (&[][..], Some(object)),
        };
        let elements = list.iter().enumerate();
        let elements = elements.map(|(at, value)| (Value::from(at as i64), value.clone()));
        let fields = object.into_iter().flat_map(Object::iter);
        elements.chain(fields.map(|(name, value)| {
            let name = Kind::String(Arc::clone(name).into());
            (Value::from(name), value.clone())
        }))
    }
}

/// The value of a round, with its key in a loop that makes an object.
type Given = (Option<Arc<str>>, Value);

/// The result of a round.
enum Round {
    /// The condition excludes it.
    Excluded,
    /// Its condition or key is unknown, so the whole result is.
    Unknown,
    /// A value, with its key in a loop that makes an object.
    Gives(Option<Arc<str>>, Value),
}

impl Evaluator<'_> {
    /// The collection that a value is.
    fn collection<'v>(&self, value: &'v Value, id: ExprId) -> Result<Collection<'v>, Stop> {
        unless_poisoned(value)?;
        let span = self.span(id);
        Ok(match &value.kind {
            Kind::Unknown => Collection::Unknown,
            Kind::List(list) => Collection::List(list.elements()),
            Kind::Object(object) => Collection::Object(object),
            Kind::Resource(resource) => Collection::Object(self.run().fields(resource, span)?),
            Kind::Null => return Err(over_null(span).into()),
            _ => {
                let found = Shown::of(value, &value.marks);
                return Err(not_a_collection(span, &found).into());
            }
        })
    }

    pub(super) fn for_expr(&mut self, id: ExprId, for_expr: &For) -> Result<Value, Stop> {
        let value = self.evaluate(for_expr.collection)?;
        let mut marks = value.marks.clone();
        let collection = self.collection(&value, for_expr.collection)?;
        if let Collection::Unknown = collection {
            return Ok(Value::unknown(marks));
        }
        let results = self.in_loop(&value.marks, |evaluator| {
            evaluator.results(id, for_expr, &collection, &mut marks)
        });
        let results = results.map_err(|stop| stop.unless_shown(&value.marks))?;
        let Some(results) = results else {
            return Ok(Value::unknown(marks));
        };
        let made = match for_expr.key {
            None => Value::list(results.into_iter().map(|(_, value)| value).collect()),
            Some(key) => {
                let named = results.into_iter().filter_map(|(key, value)| Some((key?, value)));
                if for_expr.groups {
                    grouped(named)
                } else {
                    let named: Vec<_> = named.collect();
                    if let Some(name) = repeated(&named) {
                        let name = Shown::text(&name, &marks);
                        return Err(repeated_key(self.span(key), &name).into());
                    }
                    Value::object(named)
                }
            }
        };
        Ok(self.sized(made, id)?.marked(&marks))
    }

    /// The results of all rounds; `None` if one of them is unknown.
    fn results(
        &mut self,
        id: ExprId,
        for_expr: &For,
        collection: &Collection<'_>,
        marks: &mut Marks,
    ) -> Result<Option<Vec<Given>>, Stop> {
        let mut results = Vec::new();
        let mut parts = Parts::default();
        let (mut stop, mut is_known) = (None, true);
        for (key, value) in collection.rounds() {
            self.unless_cancelled()?;
            let key = for_expr.key_variable.map(|variable| (variable, key));
            let value = for_expr.value_variable.map(|variable| (variable, value));
            let variables = key.into_iter().chain(value);
            let round = self.with(variables, |evaluator| evaluator.round(for_expr, marks));
            match round {
                Ok(Round::Excluded) => {}
                Ok(Round::Unknown) => is_known = false,
                Ok(Round::Gives(key, value)) => {
                    parts.add(&value).map_err(|error| wording::too_large(self.span(id), error))?;
                    results.push((key, value));
                }
                Err(other) => collect(other, &mut stop)?,
            }
        }
        match stop {
            Some(stop) => Err(stop),
            None => Ok(is_known.then_some(results)),
        }
    }

    fn round(&mut self, for_expr: &For, marks: &mut Marks) -> Result<Round, Stop> {
        if let Some(condition) = for_expr.condition {
            let span = self.span(condition);
            let value = self.evaluate(condition)?;
            marks.add(&value.marks);
            if value.is_null() {
                return Err(wording::null(span).into());
            }
            match to_bool(&value, span)? {
                Some(true) => {}
                Some(false) => return Ok(Round::Excluded),
                None => return Ok(Round::Unknown),
            }
        }
        let key = match for_expr.key {
            None => None,
            Some(key) => {
                let value = self.evaluate(key)?;
                marks.add(&value.marks);
                match key_text(&value, self.span(key))? {
                    Some(text) => Some(text),
                    None => return Ok(Round::Unknown),
                }
            }
        };
        Ok(Round::Gives(key, self.evaluate(for_expr.value)?))
    }

    /// The strings of a loop one after the other.
    pub(super) fn template_join(&mut self, id: ExprId) -> Result<Value, Stop> {
        let list = self.evaluate(id)?;
        let span = self.span(id);
        match &list.kind {
            Kind::List(parts) => {
                let mut joined = Joined::default();
                for part in parts.elements() {
                    joined.part(part, || span);
                    joined.check(|| span)?;
                }
                let joined = joined.finish();
                let joined = joined.map_err(|stop| stop.unless_shown(&list.marks))?;
                Ok(joined.marked(&list.marks))
            }
            _ => Ok(Value::unknown(list.marks)),
        }
    }

    pub(super) fn splat(
        &mut self,
        id: ExprId,
        splat: &Splat,
        source: Value,
    ) -> Result<Value, Stop> {
        unless_poisoned(&source)?;
        let marks = source.marks.clone();
        let items = match &source.kind {
            Kind::Unknown => return Ok(Value::unknown(marks)),
            Kind::Null => &[],
            Kind::List(list) => list.elements(),
            _ => std::slice::from_ref(&source),
        };
        let results = self.in_loop(&marks, |evaluator| {
            let mut results = Vec::new();
            let mut parts = Parts::default();
            let mut stop = None;
            for item in items {
                evaluator.unless_cancelled()?;
                let variable = [(splat.item, item.clone())];
                match evaluator.with(variable, |evaluator| evaluator.evaluate(splat.each)) {
                    Ok(value) => {
                        parts
                            .add(&value)
                            .map_err(|error| wording::too_large(evaluator.span(id), error))?;
                        results.push(value);
                    }
                    Err(other) => collect(other, &mut stop)?,
                }
            }
            match stop {
                Some(stop) => Err(stop),
                None => Ok(results),
            }
        });
        let results = results.map_err(|stop| stop.unless_shown(&marks))?;
        Ok(self.sized(Value::list(results), id)?.marked(&marks))
    }
}

/// The parts of a collection in the making.
#[derive(Default)]
struct Parts(usize);

impl Parts {
    /// Counts an element. Too many are an error before all of them are made.
    fn add(&mut self, element: &Value) -> Result<(), TooLarge> {
        self.0 += 1 + element.count();
        if self.0 > MAX_PARTS { Err(TooLarge::Parts) } else { Ok(()) }
    }
}

/// Adds the reason why a round fails to those of others, or ends the loop.
fn collect(stop: Stop, so_far: &mut Option<Stop>) -> Result<(), Stop> {
    stop.collect(so_far);
    match so_far.take_if(|stop| stop.is_final()) {
        Some(stop) => Err(stop),
        None => Ok(()),
    }
}

/// Values of equal keys in lists, in the order of the rounds.
fn grouped(named: impl Iterator<Item = (Arc<str>, Value)>) -> Result<Value, TooLarge> {
    let mut groups: FxHashMap<Arc<str>, Vec<Value>> = FxHashMap::default();
    for (name, value) in named {
        groups.entry(name).or_default().push(value);
    }
    let lists = groups.into_iter().map(|(name, values)| Ok((name, Value::list(values)?)));
    Value::object(lists.collect::<Result<_, _>>()?)
}

/// A key that occurs twice.
fn repeated(named: &[(Arc<str>, Value)]) -> Option<Arc<str>> {
    let mut names = named.iter().map(|(name, _)| name);
    if named.len() <= 8 {
        let mut names = names.enumerate();
        let occurs_before = |&(at, name): &(usize, &Arc<str>)| {
            let before = named.iter().take(at);
            before.map(|(name, _)| name).any(|other| other == name)
        };
        return names.find(occurs_before).map(|(_, name)| Arc::clone(name));
    }
    let mut seen = rustc_hash::FxHashSet::default();
    names.find(|name| !seen.insert(&***name)).cloned()
}

/// A loop over null.
fn over_null(span: Span) -> Diagnostic {
    Diagnostic::error(Code::NullValue, span, "cannot loop over null")
        .note("expected a list, map or object")
}

/// A loop over a value that is no collection.
fn not_a_collection(span: Span, value: &Shown) -> Diagnostic {
    let message = format!("cannot loop over {value}");
    Diagnostic::error(Code::WrongValueKind, span, message).note("expected a list, map or object")
}

/// Two rounds give one key.
fn repeated_key(span: Span, name: &Shown) -> Diagnostic {
    let message = format!("the loop gives the key {} twice", name.or("of a secret"));
    Diagnostic::error(Code::RepeatedKey, span, message)
        .help("put `...` behind the value to collect the values of equal keys in lists")
}
