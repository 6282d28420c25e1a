//! `[for ..]`, `{for ..}`, `%{ for .. }` and splats.

use std::sync::Arc;

use pcl_model::expression::{ExprId, For, Splat};
use rustc_hash::FxHashMap;

use super::access::key_text;
use super::convert::to_bool;
use super::evaluate::{Evaluator, unless_poisoned};
use super::template::Joined;
use crate::messages::{loops, operands};
use crate::stop::Stop;
use crate::value::{Kind, Marks, Value};

/// The rounds of a loop.
enum Rounds {
    Unknown,
    /// The key and the value of each round.
    Known(Vec<(Value, Value)>),
}

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
    /// The keys and values of a collection.
    fn rounds(&self, collection: &Value, id: ExprId) -> Result<Rounds, Stop> {
        unless_poisoned(collection)?;
        let span = self.span(id);
        Ok(Rounds::Known(match &collection.kind {
            Kind::Unknown => return Ok(Rounds::Unknown),
            Kind::List(list) => {
                let elements = list.elements().iter().enumerate();
                let rounds = elements.map(|(at, value)| (Value::from(at as i64), value.clone()));
                rounds.collect()
            }
            Kind::Object(object) => entries(object),
            Kind::Resource(resource) => entries(self.run().fields(resource, span)?),
            Kind::Null => return Err(loops::over_null(span).into()),
            _ => return Err(loops::not_a_collection(span, collection).into()),
        }))
    }

    pub(super) fn for_expr(&mut self, id: ExprId, for_expr: &For) -> Result<Value, Stop> {
        let collection = self.evaluate(for_expr.collection)?;
        let mut marks = collection.marks.clone();
        let Rounds::Known(rounds) = self.rounds(&collection, for_expr.collection)? else {
            return Ok(Value::unknown(marks));
        };
        let mut results = Vec::with_capacity(rounds.len());
        let (mut stop, mut is_known) = (None, true);
        for (key, value) in rounds {
            self.unless_cancelled()?;
            let key = for_expr.key_variable.map(|variable| (variable, key));
            let value = for_expr.value_variable.map(|variable| (variable, value));
            let variables = key.into_iter().chain(value);
            let round = self.with(variables, |evaluator| evaluator.round(for_expr, &mut marks));
            match round {
                Ok(Round::Excluded) => {}
                Ok(Round::Unknown) => is_known = false,
                Ok(Round::Gives(key, value)) => results.push((key, value)),
                Err(other) => other.collect(&mut stop),
            }
        }
        if let Some(stop) = stop {
            return Err(stop.unless_shown(&collection.marks));
        }
        if !is_known {
            return Ok(Value::unknown(marks));
        }
        let made = match for_expr.key {
            None => Value::list(results.into_iter().map(|(_, value)| value).collect()),
            Some(key) => {
                let named = results
                    .into_iter()
                    .filter_map(|(key, value)| Some((key?, value)));
                match for_expr.groups {
                    true => grouped(named),
                    false => {
                        let named: Vec<_> = named.collect();
                        if let Some(name) = repeated(&named) {
                            let error = loops::repeated_key(self.span(key), &name);
                            return Err(Stop::from(error).unless_shown(&marks));
                        }
                        Value::object(named)
                    }
                }
            }
        };
        Ok(self.sized(made, id)?.marked(&marks))
    }

    fn round(&mut self, for_expr: &For, marks: &mut Marks) -> Result<Round, Stop> {
        if let Some(condition) = for_expr.condition {
            let span = self.span(condition);
            let value = self.evaluate(condition)?;
            marks.add(&value.marks);
            if value.is_null() {
                return Err(operands::null(span).into());
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
                    Some(text) => Some(Arc::from(text)),
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
            Kind::Null => Vec::new(),
            Kind::List(list) => list.elements().to_vec(),
            _ => vec![source],
        };
        let mut results = Vec::with_capacity(items.len());
        let mut stop = None;
        for item in items {
            self.unless_cancelled()?;
            let variable = [(splat.item, item)];
            match self.with(variable, |evaluator| evaluator.evaluate(splat.each)) {
                Ok(value) => results.push(value),
                Err(other) => other.collect(&mut stop),
            }
        }
        match stop {
            Some(stop) => Err(stop.unless_shown(&marks)),
            None => Ok(self.sized(Value::list(results), id)?.marked(&marks)),
        }
    }
}

fn entries(object: &crate::value::Object) -> Vec<(Value, Value)> {
    let entries = object.iter();
    let entries = entries.map(|(name, value)| {
        let name = Kind::String(Arc::clone(name).into());
        (Value::from(name), value.clone())
    });
    entries.collect()
}

/// Values of equal keys in lists, in the order of the rounds.
fn grouped(
    named: impl Iterator<Item = (Arc<str>, Value)>,
) -> Result<Value, crate::value::TooLarge> {
    let mut groups: FxHashMap<Arc<str>, Vec<Value>> = FxHashMap::default();
    for (name, value) in named {
        groups.entry(name).or_default().push(value);
    }
    let lists = groups
        .into_iter()
        .map(|(name, values)| Ok((name, Value::list(values)?)));
    Value::object(lists.collect::<Result<_, _>>()?)
}

/// A key that occurs twice.
fn repeated(named: &[(Arc<str>, Value)]) -> Option<Arc<str>> {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut names = named.iter().map(|(name, _)| name);
    names.find(|name| !seen.insert(Arc::clone(name))).cloned()
}
