//! Numbers.
//!
//! The rules, with examples: `tests/spec/functions/numbers.md`.

use std::cmp::Ordering;

use pcl_number::Number;

use super::site::Site;
use crate::expression::convert::to_whole;
use crate::stop::Stop;
use crate::value::{Kind, MAX_PARTS, TooLarge, Value};
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

pub(super) fn range(site: &Site<'_>) -> Result<Value, Stop> {
    let mut bounds = Vec::new();
    for (at, argument) in site.arguments.iter().enumerate() {
        match to_whole(argument, site.place(at))? {
            Some(whole) => bounds.push(whole),
            None => return Ok(Value::UNKNOWN),
        }
    }
    let (start, end) = match bounds[..] {
        [end] => (0, end),
        [start, end] => (start, end),
        _ => return Err(wording::wrong_count(site.span, site.name, 1, 0).into()),
    };
    let count = usize::try_from(end.saturating_sub(start)).unwrap_or(0);
    site.sized(if count > MAX_PARTS {
        Err(TooLarge::Parts)
    } else {
        Value::list((start..end.max(start)).map(Value::from).collect())
    })
}
