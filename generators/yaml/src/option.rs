//! The options of resources.

use pcl::document::{Attribute, ExpressionIndex, ExpressionKind, OtherReference, Reference};
use pcl::language::ResourceOption;

use crate::expression::steps;
use crate::limit::Limit;
use crate::module::ModuleWriter;
use crate::resource::attribute_entry;
use crate::yaml::{Entry, Value};

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
    pub(crate) fn options(&mut self, options: &[Attribute]) -> Vec<Entry> {
        let mut entries = Vec::new();
        for option in options {
            if let Some(value) = self.option(option) {
                entries.push(attribute_entry(option, value));
            }
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
