//! Resources, reads and components: what the section `resources` holds.

use pcl::document::{Attribute, Body, Node, NodeIndex, Repeat};

use crate::limit::Limit;
use crate::module::{ModuleWriter, around, lines};
use crate::yaml::{Entry, Value};

impl ModuleWriter<'_> {
    pub(crate) fn resource(&mut self, index: NodeIndex, node: &Node) -> Option<Entry> {
        let (repeat, token) = match &node.body {
            Body::Resource(resource) | Body::Read(resource) => {
                (resource.repeat, resource.token.clone())
            }
            Body::Component(component) => {
                // A component is a member of the package that it is in.
                let token = match component.source {
                    Some(_) => component.program.and_then(|id| {
                        let package = self.packages.name(id)?;
                        let name = &self.document.component(id)?.name;
                        Some(format!("{package}:index:{name}"))
                    }),
                    None => component.token.clone(),
                };
                (component.repeat, token)
            }
            _ => return None,
        };
        if repeat != Repeat::Single {
            let range = node.options().iter().find(|option| option.name == "range");
            let place = range.map_or(node.name_range, |range| range.name_range);
            let message =
                format!("Pulumi YAML has one resource for each block; `{}` is left out", node.name);
            let limit = Limit::Range.at(place, message);
            self.sections.unsupported.push(limit);
            return None;
        }
        let Some(token) = token else {
            self.limit(Limit::Unbound, node, "the type of this is not known");
            return None;
        };

        let key = self.key(index).to_owned();
        let mut entries = vec![Entry::new("type", Value::text(&spelled(&token)))];
        if node.logical_name() != key {
            entries.push(Entry::new("name", Value::text(node.logical_name())));
        }
        let mut properties = self.attributes(node.inputs());
        if let Body::Read(_) = node.body {
            // What identifies it, and what is known of its state.
            let is_id = |entry: &mut Entry| entry.key == "id";
            let mut get: Vec<Entry> = properties.extract_if(.., is_id).collect();
            if !properties.is_empty() {
                get.push(Entry::new("state", Value::Map(properties)));
            }
            entries.push(Entry::new("get", Value::Map(get)));
        } else if !properties.is_empty() {
            entries.push(Entry::new("properties", Value::Map(properties)));
        }
        let options = self.options(node.options());
        if !options.is_empty() {
            entries.push(Entry::new("options", Value::Map(options)));
        }
        Some(self.entry(node, key, Value::Map(entries)))
    }

    fn attributes(&mut self, attributes: &[Attribute]) -> Vec<Entry> {
        let mut entries = Vec::new();
        for attribute in attributes {
            if let Some(value) = self.say(attribute.value) {
                entries.push(attribute_entry(attribute, value));
            }
        }
        entries
    }
}

/// An entry for an attribute, with its comments.
pub(crate) fn attribute_entry(attribute: &Attribute, value: Value) -> Entry {
    Entry { comments: lines(around(&attribute.comments)), key: attribute.name.clone(), value }
}

/// A type or function token as Pulumi YAML spells it: without an empty module.
pub(crate) fn spelled(token: &str) -> String {
    token.replace("::", ":")
}
