//! The values that a provider has filled in when it made a resource: the state has them among the
//! inputs, the program has not, and they are no changes.

use std::sync::Arc;

use pcl_values::{PropertyMap, PropertyValue};
use rustc_hash::FxHashSet;
use serde_json::Value as Json;

use crate::facts::ResourceFacts;

/// The input in which providers that are made from Terraform's list what they have filled in.
const DEFAULTS: &str = "__defaults";

/// The facts that tell what a provider fills in.
pub(crate) struct Filler<'f> {
    /// The name of the resource.
    pub name: &'f str,
    /// The resource is a provider, whose inputs in the state may be texts of JSON.
    pub is_provider: bool,
    /// The facts of the schema; `None` without one.
    pub facts: Option<&'f ResourceFacts>,
}

impl Filler<'_> {
    /// The inputs of the program as the provider would check them: with what it filled in before.
    pub fn fill(&self, old: &PropertyMap, new: &PropertyMap) -> PropertyMap {
        let mut filled = self.object(old, new, true);
        if self.is_provider {
            for (name, value) in old {
                if let Some(given) = filled.get_mut(name)
                    && is_text_of(value, given)
                {
                    *given = value.clone();
                }
            }
        }
        filled
    }

    fn object(&self, old: &PropertyMap, new: &PropertyMap, is_top: bool) -> PropertyMap {
        let defaults = old.get(DEFAULTS).map(listed);
        let mut filled = new.clone();
        for (name, value) in old {
            match filled.get_mut(name) {
                Some(given) => self.value(value, given),
                None if **name == *DEFAULTS => {
                    filled.insert(Arc::clone(name), value.clone());
                }
                None => {
                    let is_filled = match &defaults {
                        Some(defaults) => defaults.contains(&**name),
                        None => is_top && self.fills(name, value),
                    };
                    if is_filled {
                        filled.insert(Arc::clone(name), value.clone());
                    }
                }
            }
        }
        filled
    }

    fn value(&self, old: &PropertyValue, new: &mut PropertyValue) {
        match (old, new) {
            (PropertyValue::Secret(old), new) => self.value(old, new),
            (old, PropertyValue::Secret(new)) => self.value(old, new),
            (PropertyValue::Object(old), PropertyValue::Object(new)) => {
                *new = self.object(old, new, false);
            }
            (PropertyValue::Array(old), PropertyValue::Array(new)) => {
                for (old, new) in old.iter().zip(new) {
                    self.value(old, new);
                }
            }
            _ => {}
        }
    }

    /// Returns true if the provider fills in an input that the program does not give, as far as the
    /// state does not say so.
    fn fills(&self, name: &str, value: &PropertyValue) -> bool {
        if name == "__internal" || self.is_provider && name == "version" {
            return true;
        }
        let by_schema = self.facts.is_some_and(|facts| {
            let is_default = facts.defaults.get(name).is_some_and(|default| default == value);
            is_default || !facts.inputs.contains(name)
        });
        by_schema || self.is_automatic_name(name, value)
    }

    /// Returns true for a name that the provider has made from that of the resource.
    fn is_automatic_name(&self, property: &str, value: &PropertyValue) -> bool {
        /// The fewest random characters that providers append.
        const FEWEST: usize = 6;
        let is_name = property.to_ascii_lowercase().ends_with("name") || property == "identifier";
        let PropertyValue::String(text) = value else { return false };
        let Some(text) = text.unmarked().as_str() else { return false };
        let rest = text.get(..self.name.len()).filter(|it| it.eq_ignore_ascii_case(self.name));
        let rest = rest.and_then(|_| text.get(self.name.len()..));
        is_name
            && rest.is_some_and(|rest| {
                let random = rest.trim_start_matches(['-', '_']);
                random.len() >= FEWEST && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
            })
    }
}

/// The texts of a list.
fn listed(list: &PropertyValue) -> FxHashSet<&str> {
    match list {
        PropertyValue::Secret(list) => listed(list),
        PropertyValue::Array(names) => {
            names.iter().filter_map(|name| name.as_text()?.unmarked().as_str()).collect()
        }
        _ => FxHashSet::default(),
    }
}

/// Returns true if a string is the text of JSON for a value that is no string.
fn is_text_of(text: &PropertyValue, value: &PropertyValue) -> bool {
    match (text, value) {
        (PropertyValue::Secret(text), value) => is_text_of(text, value),
        (text, PropertyValue::Secret(value)) => is_text_of(text, value),
        (_, PropertyValue::String(_)) => false,
        (PropertyValue::String(text), value) => {
            let read = text.unmarked().as_str();
            let read = read.and_then(|text| serde_json::from_str::<Json>(text).ok());
            read.is_some_and(|read| is_json_of(&read, value))
        }
        _ => false,
    }
}

/// Returns true if JSON is that of a value.
fn is_json_of(json: &Json, value: &PropertyValue) -> bool {
    match (json, value) {
        (json, PropertyValue::Secret(value)) => is_json_of(json, value),
        (Json::Null, PropertyValue::Null) => true,
        (Json::Bool(json), PropertyValue::Bool(value)) => json == value,
        (Json::Number(json), PropertyValue::Number(value)) => json.as_f64() == Some(*value),
        (Json::String(_), PropertyValue::String(_)) => {
            PropertyValue::from(json.as_str().unwrap_or_default()) == *value
        }
        (Json::Array(json), PropertyValue::Array(values)) => {
            json.len() == values.len()
                && json.iter().zip(values).all(|(json, value)| is_json_of(json, value))
        }
        (Json::Object(json), PropertyValue::Object(values)) => {
            json.len() == values.len()
                && values.iter().all(|(name, value)| {
                    json.get(&**name).is_some_and(|json| is_json_of(json, value))
                })
        }
        _ => false,
    }
}
