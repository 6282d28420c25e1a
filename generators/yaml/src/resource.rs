//! Resources, reads and components: what the section `resources` holds.

use pcl::document::{
    Attribute, Body, ComponentBlock, Constant, Document, Node, NodeIndex, Property, Repeat,
    comment_lines,
};

use crate::convert::constant_as;
use crate::limit::Limit;
use crate::module::ModuleWriter;
use crate::yaml::{Entry, Value};

impl ModuleWriter<'_> {
    pub(crate) fn resource(&mut self, index: NodeIndex, node: &Node) -> Option<Entry> {
        let (repeat, token) = match &node.body {
            Body::Resource(resource) | Body::Read(resource) => {
                (resource.repeat, resource.token.clone())
            }
            Body::Component(component) => (component.repeat, self.component_token(component)),
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
            match &node.body {
                Body::Component(component) if component.source.is_none() => self.limit(
                    Limit::Sourceless,
                    node,
                    "Pulumi YAML has components of packages only; this one is left out",
                ),
                _ => self.limit(Limit::Unbound, node, "the type of this is not known"),
            }
            return None;
        };

        let key = self.key(index).to_owned();
        let mut entries = vec![Entry::new("type", Value::text(&spelled(&token)))];
        if node.logical_name() != key {
            entries.push(Entry::new("name", Value::text(node.logical_name())));
        }
        let mut properties = self.attributes(node.inputs());
        properties.extend(self.defaults(node));
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
        let options = self.options(node);
        if !options.is_empty() {
            entries.push(Entry::new("options", Value::Map(options)));
        }
        Some(self.entry(node, key, Value::Map(entries)))
    }

    /// The token of a component of a directory: a component is a member of the package that it is
    /// in. One without a directory has none.
    fn component_token(&self, component: &ComponentBlock) -> Option<String> {
        let id = component.program?;
        let package = self.packages.name(id)?;
        let name = &self.document.component(id)?.name;
        Some(format!("{package}:index:{name}"))
    }

    /// The defaults of inputs that the program does not give, which Pulumi YAML does not look for.
    fn defaults(&mut self, node: &Node) -> Vec<Entry> {
        let document = self.document;
        let is_given = |name: &str| node.inputs().iter().any(|input| input.name == name);
        let is_read = matches!(node.body, Body::Read(_));
        let mut entries = Vec::new();
        match &node.body {
            Body::Resource(resource) | Body::Read(resource) => {
                let schema = document.resource_schema(node).map(|schema| schema.inputs);
                let inputs = schema.filter(|_| !is_read).or(resource.input_type);
                let properties = inputs.map_or_else(Vec::new, |ty| document.properties(ty));
                let missing = properties.into_iter().filter(|property| !is_given(&property.name));
                entries.extend(missing.filter_map(|property| {
                    let value = default(document, property);
                    let value = value.or_else(|| self.constant(node, property))?;
                    Some(Entry::new(property.name.clone(), value))
                }));
            }
            Body::Component(component) => {
                let program = component.program.and_then(|id| document.component(id));
                for node in program.into_iter().flat_map(|program| &program.module.nodes) {
                    if let Body::Config(config) = &node.body
                        && !is_given(node.logical_name())
                        && let Some(default) = config.default
                        && document.literal(default) != Some(&Constant::Null)
                        && self.is_written_out(default)
                    {
                        let value = self.say(default);
                        entries.extend(value.map(|value| Entry::new(node.logical_name(), value)));
                    }
                }
            }
            _ => {}
        }
        entries
    }

    /// The only value that an input of a resource may have. Pulumi YAML itself knows those of the
    /// outputs, but insists on inputs that are required.
    fn constant(&self, node: &Node, property: &Property) -> Option<Value> {
        let document = self.document;
        let Body::Resource(_) = node.body else { return None };
        let outputs = document.resource_schema(node)?.outputs;
        let output = document.property(outputs, &property.name);
        let is_known = output.is_some_and(|output| output.constant.is_some());
        let constant = property.constant.as_ref().filter(|_| property.required || !is_known)?;
        Some(written(document, constant, property))
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

/// The default of a property of a schema, if it may have other values.
pub(crate) fn default(document: &Document, property: &Property) -> Option<Value> {
    let default = property.default.as_ref().filter(|_| property.constant.is_none())?;
    Some(written(document, default, property))
}

fn written(document: &Document, constant: &Constant, property: &Property) -> Value {
    let types = document.alternatives(property.ty);
    constant_as(constant, |kind| types.iter().any(|&ty| document.ty(ty) == kind))
}

/// An entry for an attribute, with its comments.
pub(crate) fn attribute_entry(attribute: &Attribute, value: Value) -> Entry {
    let comments = comment_lines(attribute.comments.around());
    Entry { comments, key: attribute.name.clone(), value }
}

/// A type or function token as Pulumi YAML spells it: without an empty module.
pub(crate) fn spelled(token: &str) -> String {
    token.replace("::", ":")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pcl::schema::MemoryLoader;
    use pcl::{Settings, Target, Workspace};

    const SCHEMA: &str = r##"{ "name": "zoo", "resources": { "zoo:index:Cage": {
        "required": ["kind", "label"], "requiredInputs": ["kind"],
        "properties": { "kind": { "type": "string", "const": "cage" },
            "label": { "type": "string", "const": "zoo" } },
        "inputProperties": { "kind": { "type": "string", "const": "cage" },
            "label": { "type": "string", "const": "zoo" },
            "size": { "oneOf": [{ "type": "string" }, { "$ref": "#/types/zoo:index:Size" }],
                "default": "small" } } } },
        "types": { "zoo:index:Size": { "type": "string", "enum": [{ "value": "small" }] } } }"##;

    #[test]
    fn defaults_and_required_constants_are_written_out() {
        let mut schemas = MemoryLoader::default();
        schemas.add(SCHEMA).expect("a schema");
        let workspace = Workspace::new(Settings::default()).with_loader(Arc::new(schemas));
        let program = Target::text("main.pp", "resource cage \"zoo:index:Cage\" {}\n");
        let document = workspace.check(&program).document();
        let text = crate::generate(&document, "demo").files[0].text.clone();
        assert!(text.contains("    properties:\n      kind: cage\n      size: small\n"), "{text}");
    }
}
