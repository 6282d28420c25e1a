//! Getting, setting, adding and deleting the value at a path.
//!
//! None of these look into secrets and outputs: there, they fail.

use super::{Key, PropertyPath};
use crate::value::{MAX_DEPTH, PropertyMap, PropertyValue};

/// The greatest length to which [`PropertyPath::add`] extends a list, and the most elements that it
/// adds to all lists on the way.
const LONGEST: usize = 1 << 20;

impl PropertyPath {
    /// The value at the path.
    #[must_use]
    pub fn get<'v>(&self, value: &'v PropertyValue) -> Option<&'v PropertyValue> {
        let mut keys = self.keys().iter();
        keys.try_fold(value, |value, key| child(value, key))
    }

    /// Replaces the value at the path, or adds it to the object that the path leads to. Returns
    /// false, and changes nothing, if there is none.
    #[must_use]
    pub fn set(&self, value: &mut PropertyValue, new: PropertyValue) -> bool {
        self.change(value, |place| match place {
            Place::Element(element) => *element = new,
            Place::Property(properties, name) => {
                properties.insert(name.into(), new);
            }
        })
    }

    /// Removes the value at the path: from an object the property, if it is there; an element of a
    /// list becomes null. Returns false, and changes nothing, if there is no such list or object.
    #[must_use]
    pub fn delete(&self, value: &mut PropertyValue) -> bool {
        self.change(value, |place| match place {
            Place::Element(element) => *element = PropertyValue::Null,
            Place::Property(properties, name) => {
                properties.remove(name);
            }
        })
    }

    /// Calls a function with the place of the last step.
    fn change(&self, value: &mut PropertyValue, change: impl FnOnce(Place<'_>)) -> bool {
        let Some((last, outer)) = self.keys().split_last() else {
            return false;
        };
        let mut outer = outer.iter();
        let Some(container) = outer.try_fold(value, |value, key| child_mut(value, key)) else {
            return false;
        };
        let place = match (container, last) {
            (PropertyValue::Object(properties), Key::Name(name)) => {
                Place::Property(properties, name)
            }
            (PropertyValue::Array(elements), Key::Index(index)) => {
                match usize::try_from(*index).ok().and_then(|index| elements.get_mut(index)) {
                    Some(element) => Place::Element(element),
                    None => return false,
                }
            }
            _ => return false,
        };
        change(place);
        true
    }

    /// Replaces or adds the value at the path. What is null or absent on the way becomes an object
    /// or a list, and lists that are too short are extended at their end with null. Returns false,
    /// and changes nothing, if something else is on the way, or if lists would grow to more than
    /// 2^20 elements.
    #[must_use]
    pub fn add(&self, value: &mut PropertyValue, new: PropertyValue) -> bool {
        if self.is_empty() || self.keys().len() > MAX_DEPTH || !self.can_add(value) {
            return false;
        }
        let mut place = value;
        for key in self.keys() {
            let next = match key {
                Key::Name(name) => {
                    if place.is_null() {
                        *place = PropertyValue::Object(PropertyMap::new());
                    }
                    let PropertyValue::Object(properties) = place else {
                        return false;
                    };
                    Some(properties.entry(name.as_str().into()).or_default())
                }
                Key::Index(index) => {
                    if place.is_null() {
                        *place = PropertyValue::Array(Vec::new());
                    }
                    let PropertyValue::Array(elements) = place else {
                        return false;
                    };
                    let index = usize::try_from(*index).unwrap_or(LONGEST);
                    if index >= elements.len() && index < LONGEST {
                        elements.resize(index + 1, PropertyValue::Null);
                    }
                    elements.get_mut(index)
                }
            };
            match next {
                Some(next) => place = next,
                None => return false,
            }
        }
        *place = new;
        true
    }

    /// Returns true if nothing but null is in the way of [`PropertyPath::add`].
    fn can_add(&self, value: &PropertyValue) -> bool {
        let mut place = Some(value);
        let mut room = LONGEST;
        for key in self.keys() {
            if let Key::Index(index) = key {
                let length = match place {
                    Some(PropertyValue::Array(elements)) => elements.len(),
                    _ => 0,
                };
                let Ok(index) = usize::try_from(*index) else {
                    return false;
                };
                if index >= length {
                    let added = index - length + 1;
                    if index >= LONGEST || added > room {
                        return false;
                    }
                    room -= added;
                }
            }
            place = match (place, key) {
                (None | Some(PropertyValue::Null), _) => None,
                (Some(PropertyValue::Object(properties)), Key::Name(name)) => {
                    properties.get(&**name)
                }
                (Some(value @ PropertyValue::Array(_)), Key::Index(_)) => child(value, key),
                _ => return false,
            };
        }
        true
    }
}

/// A place that can be changed.
enum Place<'v> {
    Element(&'v mut PropertyValue),
    Property(&'v mut PropertyMap, &'v str),
}

/// The value one step below.
pub(super) fn child<'v>(value: &'v PropertyValue, key: &Key) -> Option<&'v PropertyValue> {
    match (value, key) {
        (PropertyValue::Object(properties), Key::Name(name)) => properties.get(&**name),
        (PropertyValue::Array(elements), Key::Index(index)) => {
            elements.get(usize::try_from(*index).ok()?)
        }
        _ => None,
    }
}

/// The value one step below.
fn child_mut<'v>(value: &'v mut PropertyValue, key: &Key) -> Option<&'v mut PropertyValue> {
    match (value, key) {
        (PropertyValue::Object(properties), Key::Name(name)) => properties.get_mut(&**name),
        (PropertyValue::Array(elements), Key::Index(index)) => {
            elements.get_mut(usize::try_from(*index).ok()?)
        }
        _ => None,
    }
}
