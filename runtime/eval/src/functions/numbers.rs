//! Numbers.
//!
//! The rules, with examples: `tests/spec/functions/numbers.md`.

use std::cmp::Ordering;

use pcl_number::Number;

use super::site::Site;
use crate::expression::convert::to_number;
use crate::stop::Stop;
use crate::value::{Kind, Value};
use crate::wording;

pub(super) fn max(site: &Site<'_>) -> Result<Value, Stop> {
    Ok(extreme(site, Ordering::Greater))
}

pub(super) fn min(site: &Site<'_>) -> Result<Value, Stop> {
    Ok(extreme(site, Ordering::Less))
}

/// The first number that no other one exceeds in that direction.
fn extreme(site: &Site<'_>, direction: Ordering) -> Value {
    let mut best: Option<&Number> = None;
    for argument in &site.arguments {
        let Kind::Number(number) = &argument.kind else { continue };
        if best.is_none_or(|best| number.text_cmp(best) == direction) {
            best = Some(number);
        }
    }
    best.map_or(Value::NULL, |number| number.clone().into())
}

/// The most elements of a list that `range` makes.
const MAX_RANGE: usize = 1_024;

/// The numbers from one to another, which is left out: up, or down if the second one is smaller.
pub(super) fn range(site: &Site<'_>) -> Result<Value, Stop> {
    let mut bounds = Vec::new();
    for (at, argument) in site.arguments.iter().enumerate() {
        match to_number(argument, site.place(at))? {
            Some(number) => bounds.push(number),
            None => return Ok(Value::UNKNOWN),
        }
    }
    let (start, end) = match &bounds[..] {
        [end] => (Number::from(0), end.clone()),
        [start, end] => (start.clone(), end.clone()),
        _ => return Err(wording::wrong_count(site.span, site.name, 1, 0).into()),
    };
    let direction = start.text_cmp(&end);
    let step = Number::from(if direction.is_gt() { -1 } else { 1 });
    let (mut elements, mut next) = (Vec::new(), start);
    while next.text_cmp(&end) == direction && direction.is_ne() {
        if elements.len() == MAX_RANGE {
            return Err(wording::range_too_long(site.span, MAX_RANGE).into());
        }
        elements.push(Value::from(next.clone()));
        next = match next.try_add(&step) {
            Ok(following) => following,
            Err(_) => break,
        };
    }
    site.sized(Value::list(elements))
}
