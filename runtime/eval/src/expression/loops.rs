//! `[for ..]`, `{for ..}`, `%{ for .. }` and splats.

use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_model::expression::{ExprId, For, Splat};
use pcl_model::scope::DefinitionId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::convert::{Joined, to_bool};
use super::evaluate::Evaluator;
use super::steps::key_text;
use crate::stop::{Stop, unless_poisoned};
use crate::value::{Kind, MAX_PARTS, Marks, TooLarge, Value};
use crate::wording::{self, Shown};

/// The key and the value of each round of a loop.
type Rounds<'v> = Box<dyn Iterator<Item = (Value, Value)> + 'v>;

/// The value of a round, with its key in a loop that makes an object.
type Given = (Option<Arc<str>>, Value);

/// The result of a round.
enum Round {
    /// The condition excludes it.
    Excluded,
    /// Its condition or key is unknown, so the whole result is.
    Unknown,
    Gives(Given),
}

impl Evaluator<'_> {
    /// The rounds of a loop over a value; `None` if that is unknown.
    fn rounds<'v>(&self, value: &'v Value, id: ExprId) -> Result<Option<Rounds<'v>>, Stop> {
        unless_poisoned(value)?;
        let span = self.span(id);
        match &value.kind {
            Kind::Unknown => return Ok(None),
            Kind::Null => return Err(over_null(span).into()),
            Kind::List(list) => {
                let elements = list.elements().iter().enumerate();
                let rounds = elements.map(|(at, value)| (Value::from(at as i64), value.clone()));
                return Ok(Some(Box::new(rounds)));
            }
            _ => {}
        }
        let Some(object) = self.run().object(value, span)? else {
            return Err(not_a_collection(span, &Shown::of(value, &value.marks)).into());
        };
        let fields = object.iter();
        let rounds = fields.map(|(name, value)| (Arc::clone(name).into(), value.clone()));
        Ok(Some(Box::new(rounds)))
    }

    pub(super) fn for_expr(&mut self, id: ExprId, for_expr: &For) -> Result<Value, Stop> {
        let value = self.evaluate(for_expr.collection)?;
        let mut marks = value.marks.clone();
        let Some(rounds) = self.rounds(&value, for_expr.collection)? else {
            return Ok(Value::unknown(marks));
        };
        let variables = rounds.map(|(key, value)| {
            let key = for_expr.key_variable.map(|variable| (variable, key));
            let value = for_expr.value_variable.map(|variable| (variable, value));
            key.into_iter().chain(value)
        });
        let results = self.results(id, &value.marks, variables, |evaluator| {
            evaluator.round(for_expr, &mut marks)
        })?;
        let Some(results) = results else { return Ok(Value::unknown(marks)) };
        let Some(key) = for_expr.key else {
            let list = Value::list(results.into_iter().map(|(_, value)| value).collect());
            return Ok(self.sized(list, id)?.marked(&marks));
        };
        let named = results.into_iter().filter_map(|(key, value)| Some((key?, value)));
        let made = if for_expr.groups {
            grouped(named)
        } else {
            let named: Vec<_> = named.collect();
            let mut seen = FxHashSet::default();
            if let Some((name, _)) = named.iter().find(|(name, _)| !seen.insert(&**name)) {
                let name = Shown::text(name, &marks);
                return Err(repeated_key(self.span(key), &name).into());
            }
            Value::object(named)
        };
        Ok(self.sized(made, id)?.marked(&marks))
    }

    /// The results of all rounds of a loop over a collection with these marks; `None` if one of
    /// them is unknown.
    fn results<V: IntoIterator<Item = (DefinitionId, Value)>>(
        &mut self,
        id: ExprId,
        within: &Marks,
        rounds: impl Iterator<Item = V>,
        mut round: impl FnMut(&mut Self) -> Result<Round, Stop>,
    ) -> Result<Option<Vec<Given>>, Stop> {
        let results = self.in_loop(within, |evaluator| {
            let (mut results, mut parts) = (Vec::new(), 0);
            let (mut stop, mut is_known) = (None, true);
            for variables in rounds {
                evaluator.unless_cancelled()?;
                match evaluator.with(variables, &mut round) {
                    Ok(Round::Excluded) => {}
                    Ok(Round::Unknown) => is_known = false,
                    Ok(Round::Gives(given)) => {
                        // Too many parts are an error before all of them are made.
                        parts += 1 + given.1.count();
                        if parts > MAX_PARTS {
                            let span = evaluator.span(id);
                            return Err(wording::too_large(span, TooLarge::Parts).into());
                        }
                        results.push(given);
                    }
                    Err(other) => {
                        other.collect(&mut stop);
                        if stop.as_ref().is_some_and(Stop::is_final) {
                            break;
                        }
                    }
                }
            }
            match stop {
                Some(stop) => Err(stop),
                None => Ok(is_known.then_some(results)),
            }
        });
        results.map_err(|stop| stop.unless_shown(within))
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
        Ok(Round::Gives((key, self.evaluate(for_expr.value)?)))
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
        let rounds = items.iter().map(|item| [(splat.item, item.clone())]);
        let results = self.results(id, &marks, rounds, |evaluator| {
            Ok(Round::Gives((None, evaluator.evaluate(splat.each)?)))
        })?;
        let values = results.into_iter().flatten().map(|(_, value)| value).collect();
        Ok(self.sized(Value::list(values), id)?.marked(&marks))
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

/// A loop over null.
fn over_null(span: Span) -> Diagnostic {
    Diagnostic::error(Code::NullValue, span, "cannot loop over null")
        .note("expected a list, map or object")
        .help("compare it with `null` first, or give a default with `try`")
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
