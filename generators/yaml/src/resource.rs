//! Resources, reads and components with their options: what the section `resources` holds.

use pcl::document::{
    Attribute, Body, ExpressionIndex, ExpressionKind, Node, NodeIndex, OtherReference, Reference,
    Repeat, comment_lines,
};
use pcl::language::ResourceOption;

use crate::Limit;
use crate::expression::steps;
use crate::module::ModuleWriter;
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
fn attribute_entry(attribute: &Attribute, value: Value) -> Entry {
    let comments = comment_lines(attribute.comments.around());
    Entry { comments, key: attribute.name.clone(), value }
}

/// A type or function token as Pulumi YAML spells it: without an empty module.
pub(crate) fn spelled(token: &str) -> String {
    token.replace("::", ":")
}

/// The form of an option's value in Pulumi YAML.
#[derive(Clone, Copy)]
enum Form {
    /// Any expression.
    Value,
    /// A literal value.
    Literal,
    /// An object of these values; further ones are not known.
    Object(&'static [(&'static str, Form)]),
    /// A list of texts that are written out, or of objects of these values.
    List(&'static [(&'static str, Form)]),
    /// A list of paths to properties of the resource.
    Paths,
}

/// The form of an option, which is called what it is called in PCL; `None` if Pulumi YAML has none.
const fn form(option: ResourceOption) -> Option<Form> {
    use ResourceOption as O;
    Some(match option {
        O::Aliases => Form::List(&[
            ("name", Form::Value),
            ("noParent", Form::Literal),
            ("parent", Form::Value),
            ("type", Form::Value),
        ]),
        O::CustomTimeouts => Form::Object(&[
            ("create", Form::Literal),
            ("delete", Form::Literal),
            ("read", Form::Literal),
            ("update", Form::Literal),
        ]),
        O::AdditionalSecretOutputs | O::HideDiffs | O::IgnoreChanges | O::ReplaceOnChanges => {
            Form::Paths
        }
        O::DeleteBeforeReplace
        | O::Import
        | O::PluginDownloadUrl
        | O::RetainOnDelete
        | O::Version => Form::Literal,
        O::DeletedWith
        | O::DependsOn
        | O::EnvVarMappings
        | O::Parent
        | O::Protect
        | O::Provider
        | O::Providers
        | O::ReplaceWith
        | O::ReplacementTrigger => Form::Value,
        O::Hooks | O::Range => return None,
    })
}

impl ModuleWriter<'_> {
    fn options(&mut self, options: &[Attribute]) -> Vec<Entry> {
        let mut entries = Vec::new();
        for option in options {
            entries.extend(self.option(option).map(|value| attribute_entry(option, value)));
        }
        entries
    }

    fn option(&mut self, option: &Attribute) -> Option<Value> {
        let Some(form) = ResourceOption::parse(&option.name).and_then(form) else {
            let message = format!("Pulumi YAML has no option `{}`; it is left out", option.name);
            let limit = Limit::Option.at(option.name_range, message);
            self.sections.unsupported.push(limit);
            return None;
        };
        self.form(form, option.value)
    }

    fn form(&mut self, form: Form, expression: ExpressionIndex) -> Option<Value> {
        match form {
            Form::Value => self.say(expression),
            Form::Literal => self.literal(expression),
            Form::Object(known) => self.object(expression, known),
            Form::List(known) => self.list(expression, |writer, element| {
                match &writer.document.expression(element).kind {
                    ExpressionKind::Object { .. } => writer.object(element, known),
                    _ => writer.literal(element),
                }
            }),
            Form::Paths => self.list(expression, Self::path),
        }
    }

    fn no_literal(&mut self, expression: ExpressionIndex) -> Option<Value> {
        let place = self.document.expression(expression).range;
        let message = "Pulumi YAML takes only a literal here; the option is left out";
        let limit = Limit::Option.at(place, message);
        self.sections.unsupported.push(limit);
        None
    }

    fn literal(&mut self, expression: ExpressionIndex) -> Option<Value> {
        match self.document.literal(expression) {
            Some(_) => self.say(expression),
            None => self.no_literal(expression),
        }
    }

    fn object(&mut self, expression: ExpressionIndex, known: &[(&str, Form)]) -> Option<Value> {
        let document = self.document;
        let ExpressionKind::Object { items } = &document.expression(expression).kind else {
            return self.no_literal(expression);
        };
        let mut entries = Vec::new();
        for item in items {
            let key = document.key_text(item.key);
            let form = known.iter().find(|(name, _)| key.as_deref() == Some(*name));
            match form {
                Some((name, form)) => {
                    entries.push(Entry::new(*name, self.form(*form, item.value)?))
                }
                None => return self.no_literal(item.key),
            }
        }
        Some(Value::Map(entries))
    }

    fn list(
        &mut self,
        expression: ExpressionIndex,
        element: impl Fn(&mut Self, ExpressionIndex) -> Option<Value>,
    ) -> Option<Value> {
        let document = self.document;
        let ExpressionKind::Tuple { elements } = &document.expression(expression).kind else {
            return self.no_literal(expression);
        };
        let values = elements.iter().map(|&value| element(self, value));
        Some(Value::List(values.collect::<Option<_>>()?))
    }

    /// A path to a property: what is a reference in PCL is text here.
    fn path(&mut self, expression: ExpressionIndex) -> Option<Value> {
        if let ExpressionKind::Traversal(traversal) = &self.document.expression(expression).kind
            && traversal.reference == Reference::Other(OtherReference::Property)
        {
            return match steps(&traversal.name, &traversal.steps) {
                Ok(path) => Some(Value::text(&path)),
                Err(limit) => {
                    self.sections.unsupported.push(limit);
                    None
                }
            };
        }
        self.no_literal(expression)
    }
}
