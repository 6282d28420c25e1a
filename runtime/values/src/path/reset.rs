//! Resetting what a path covers to its old value, as `ignoreChanges` does.

use std::sync::Arc;

use super::{Key, PropertyPath};
use crate::value::{PropertyMap, PropertyValue};

impl PropertyPath {
    /// Makes the new properties at the path equal to the old ones. It looks into secrets; what was
    /// secret stays secret. A property that was absent is removed; elements are neither added nor
    /// removed. Returns false where the path leads to a place in only one of both.
    ///
    /// ```
    /// use pcl_values::{PropertyMap, PropertyPath};
    /// let old = PropertyMap::from_iter([("size".into(), 1.0.into())]);
    /// let mut new = PropertyMap::from_iter([("size".into(), 2.0.into())]);
    /// let path: PropertyPath = "size".parse().unwrap();
    /// assert!(path.reset(&old, &mut new));
    /// assert_eq!(new, old);
    /// ```
    #[must_use]
    pub fn reset(&self, old: &PropertyMap, new: &mut PropertyMap) -> bool {
        let Some((first, rest)) = self.keys().split_first() else {
            return false;
        };
        properties(first, rest, Some(old), new, Secrecy::default())
    }
}

/// The secrets around the old and the new value.
#[derive(Clone, Copy, Default)]
struct Secrecy {
    old: bool,
    new: bool,
}

impl Secrecy {
    /// The old value, as it is put in the place of the new one.
    fn restored(self, old: &PropertyValue) -> PropertyValue {
        if self.old && !self.new { old.clone().secret() } else { old.clone() }
    }
}

/// Resets what the steps cover in a value that is in `new`. `None` stands for an absent old value.
fn reset(
    keys: &[Key],
    old: Option<&PropertyValue>,
    new: &mut PropertyValue,
    secrecy: Secrecy,
) -> bool {
    let Some((first, rest)) = keys.split_first() else {
        return false;
    };
    let mut secrecy = secrecy;
    let (mut old, mut new) = (old, new);
    while let Some(PropertyValue::Secret(inner)) = old {
        (old, secrecy.old) = (Some(&**inner), true);
    }
    while let PropertyValue::Secret(inner) = new {
        (new, secrecy.new) = (inner, true);
    }
    match new {
        PropertyValue::Object(new) if matches!(first, Key::Name(_)) => match old {
            Some(PropertyValue::Object(old)) => properties(first, rest, Some(old), new, secrecy),
            _ => properties(first, rest, None, new, secrecy),
        },
        PropertyValue::Array(new) if first.is_wildcard() => match old {
            Some(PropertyValue::Array(old)) => all_elements(rest, old, new, secrecy),
            // At the end there is nothing to reset to; further inside, both must be lists.
            _ => rest.is_empty(),
        },
        PropertyValue::Array(new) if matches!(first, Key::Index(_)) => match old {
            Some(PropertyValue::Array(old)) => element(first, rest, old, new, secrecy),
            _ => false,
        },
        _ => absent(first, rest, old),
    }
}

/// The result for a new value that has nothing where the step leads.
fn absent(first: &Key, rest: &[Key], old: Option<&PropertyValue>) -> bool {
    match first {
        Key::Index(index) => *index >= 0 && !matches!(old, Some(PropertyValue::Array(_))),
        first if first.is_wildcard() => false,
        Key::Name(name) => match old {
            Some(PropertyValue::Object(old)) => rest.is_empty() && !old.contains_key(&**name),
            _ => true,
        },
    }
}

/// Resets properties of an object. `None` stands for an old value that is no object.
fn properties(
    first: &Key,
    rest: &[Key],
    old: Option<&PropertyMap>,
    new: &mut PropertyMap,
    secrecy: Secrecy,
) -> bool {
    match (first, old) {
        (Key::Index(_), _) => false,
        (Key::Name(_), Some(old)) if first.is_wildcard() => {
            if rest.is_empty() {
                new.retain(|name, _| old.contains_key(name));
                let old = old.iter();
                new.extend(old.map(|(name, old)| (Arc::clone(name), secrecy.restored(old))));
                return true;
            }
            old.iter().all(|(name, old)| {
                let new = new.get_mut(name);
                new.is_some_and(|new| reset(rest, Some(old), new, secrecy))
            })
        }
        (Key::Name(_), None) if first.is_wildcard() => rest.is_empty(),
        (Key::Name(name), _) if rest.is_empty() => {
            match old.and_then(|old| old.get(&**name)) {
                Some(old) => new.insert(name.as_str().into(), secrecy.restored(old)),
                None => new.remove(&**name),
            };
            true
        }
        (Key::Name(_), None) => false,
        (Key::Name(name), Some(old)) => match (old.get(&**name), new.get_mut(&**name)) {
            (Some(_), None) => false,
            (None, None) => true,
            (old, Some(new)) => reset(rest, old, new, secrecy),
        },
    }
}

/// Resets elements of a list as far as both lists go.
fn all_elements(
    rest: &[Key],
    old: &[PropertyValue],
    new: &mut [PropertyValue],
    secrecy: Secrecy,
) -> bool {
    let is_same_length = old.len() == new.len();
    for (old, new) in old.iter().zip(new) {
        if rest.is_empty() {
            *new = secrecy.restored(old);
        } else if !reset(rest, Some(old), new, secrecy) {
            return false;
        }
    }
    is_same_length
}

/// Resets an element of a list.
fn element(
    first: &Key,
    rest: &[Key],
    old: &[PropertyValue],
    new: &mut [PropertyValue],
    secrecy: Secrecy,
) -> bool {
    let Key::Index(index) = first else {
        return false;
    };
    let Ok(index) = usize::try_from(*index) else {
        return false;
    };
    match (old.get(index), new.get_mut(index)) {
        (Some(old), Some(new)) if rest.is_empty() => {
            *new = secrecy.restored(old);
            true
        }
        (Some(old), Some(new)) => reset(rest, Some(old), new, secrecy),
        (None, None) => rest.is_empty(),
        _ => false,
    }
}
