//! The options of resources, reads and components, by a table.

use pcl::document::{Attribute, Constant, ExpressionIndex, ExpressionKind, Node, Reference, Type};
use pcl::language::{Function, ResourceOption};

use crate::convert::constant_as;
use crate::limit::Limit;
use crate::module::ModuleWriter;
use crate::path::property_path;
use crate::resource::attribute_entry;
use crate::yaml::{Entry, Value};

/// The form of an option's value in Pulumi YAML.
#[derive(Clone, Copy)]
enum Form {
    /// Any expression.
    Value,
    /// An expression whose value is known when its resource is registered. A literal becomes one of
    /// this type.
    Known(LiteralType),
    /// A literal of this type.
    Literal(LiteralType),
    /// An object of these values; further ones are not known.
    Object(&'static [(&'static str, Form)]),
    /// An object of values of this form.
    Map(&'static Form),
    /// A list of values of this form.
    List(&'static Form),
    /// An alias: an object of these values, or a URN.
    Alias(&'static [(&'static str, Form)]),
    /// Providers, of which Pulumi YAML has a list and PCL a map, too.
    Providers,
    /// A list of paths to properties of the resource.
    Paths,
}

/// The type of a literal.
#[derive(Clone, Copy)]
enum LiteralType {
    Any,
    Bool,
    Text,
}

impl LiteralType {
    fn of(self, constant: &Constant) -> Value {
        constant_as(constant, |ty| match self {
            Self::Any => matches!(ty, Type::Dynamic),
            Self::Bool => matches!(ty, Type::Bool),
            Self::Text => matches!(ty, Type::String),
        })
    }
}

/// The form of an option, which is called what it is called in PCL; `None` if Pulumi YAML has none.
const fn form(option: ResourceOption) -> Option<Form> {
    use ResourceOption as O;
    const TEXT: Form = Form::Known(LiteralType::Text);
    const RESOURCE: Form = Form::Known(LiteralType::Any);
    Some(match option {
        O::Aliases => Form::List(&Form::Alias(&[
            ("name", Form::Value),
            ("noParent", Form::Literal(LiteralType::Bool)),
            ("parent", Form::Value),
            ("type", Form::Value),
        ])),
        O::CustomTimeouts => {
            Form::Object(&[("create", TEXT), ("delete", TEXT), ("read", TEXT), ("update", TEXT)])
        }
        O::AdditionalSecretOutputs | O::HideDiffs | O::IgnoreChanges | O::ReplaceOnChanges => {
            Form::Paths
        }
        O::DeleteBeforeReplace | O::RetainOnDelete => Form::Literal(LiteralType::Bool),
        O::Import | O::PluginDownloadUrl | O::Version => Form::Literal(LiteralType::Text),
        O::DeletedWith | O::Parent | O::Provider => RESOURCE,
        O::DependsOn | O::ReplaceWith => Form::List(&RESOURCE),
        O::EnvVarMappings => Form::Map(&TEXT),
        O::Protect => Form::Known(LiteralType::Bool),
        O::Providers => Form::Providers,
        O::ReplacementTrigger => Form::Value,
        O::Hooks | O::Range => return None,
    })
}

impl ModuleWriter<'_> {
    pub(crate) fn options(&mut self, node: &Node) -> Vec<Entry> {
        let mut entries = Vec::new();
        for option in node.options() {
            // Null is no value.
            if self.document.literal(option.value) == Some(&Constant::Null) {
                continue;
            }
            if let Some(value) = self.option(node, option) {
                entries.push(attribute_entry(option, value));
            }
        }
        entries
    }

    fn option(&mut self, node: &Node, option: &Attribute) -> Option<Value> {
        let known = ResourceOption::parse(&option.name);
        let Some((known, form)) = known.and_then(|known| Some((known, form(known)?))) else {
            let message = format!("Pulumi YAML has no option `{}`; it is left out", option.name);
            let limit = Limit::Option.at(option.name_range, message);
            self.sections.unsupported.push(limit);
            return None;
        };
        match form {
            Form::Paths => self.paths(node, known, option.value),
            form => self.form(form, option.value),
        }
    }

    fn form(&mut self, form: Form, value: ExpressionIndex) -> Option<Value> {
        match form {
            Form::Value => self.say(value),
            Form::Known(ty) => self.known(value, ty),
            Form::Literal(ty) => match self.document.literal(value) {
                Some(constant) => Some(ty.of(constant)),
                None => self.no_literal(value),
            },
            Form::Object(fields) => self.object(value, |name| {
                let field = fields.iter().find(|(known, _)| *known == name);
                field.map(|(_, form)| *form)
            }),
            Form::Map(form) => match &self.document.expression(value).kind {
                ExpressionKind::Object { .. } => self.object(value, |_| Some(*form)),
                _ => self.form(*form, value),
            },
            Form::List(form) => match &self.document.expression(value).kind {
                ExpressionKind::Tuple { elements } => self.list(elements, *form),
                _ => match form {
                    Form::Known(_) => self.form(*form, value),
                    _ => self.no_literal(value),
                },
            },
            Form::Alias(fields) => match &self.document.expression(value).kind {
                ExpressionKind::Object { .. } => self.form(Form::Object(fields), value),
                _ => self.known(value, LiteralType::Text),
            },
            Form::Providers => match &self.document.expression(value).kind {
                ExpressionKind::Object { items } => {
                    let values: Vec<ExpressionIndex> =
                        items.iter().map(|item| item.value).collect();
                    self.list(&values, Form::Known(LiteralType::Any))
                }
                _ => self.form(Form::List(&Form::Known(LiteralType::Any)), value),
            },
            Form::Paths => self.no_literal(value),
        }
    }

    /// A value that is not known only later.
    fn known(&mut self, value: ExpressionIndex, ty: LiteralType) -> Option<Value> {
        if let Some(constant) = self.document.literal(value) {
            return Some(ty.of(constant));
        }
        if self.is_late(value) {
            let place = self.document.expression(value).range;
            let message = "Pulumi YAML takes no output here; the option is left out";
            self.sections.unsupported.push(Limit::Option.at(place, message));
            return None;
        }
        self.say(value)
    }

    /// Returns true if a value is known only once resources exist, or an output for another reason.
    pub(crate) fn is_late(&self, value: ExpressionIndex) -> bool {
        let document = self.document;
        document.walk(value).into_iter().any(|part| {
            let expression = document.expression(part);
            let is_late = match &expression.kind {
                ExpressionKind::Call(call) => call.function() == Some(Function::Invoke),
                ExpressionKind::Traversal(traversal) => match traversal.reference {
                    Reference::Node(node) => self.late.get(node.index()) == Some(&true),
                    _ => false,
                },
                _ => false,
            };
            is_late || document.is_eventual(expression.ty)
        })
    }

    fn no_literal(&mut self, expression: ExpressionIndex) -> Option<Value> {
        let place = self.document.expression(expression).range;
        let message = "Pulumi YAML takes only a literal here; the option is left out";
        let limit = Limit::Option.at(place, message);
        self.sections.unsupported.push(limit);
        None
    }

    fn object(
        &mut self,
        expression: ExpressionIndex,
        form: impl Fn(&str) -> Option<Form>,
    ) -> Option<Value> {
        let document = self.document;
        let ExpressionKind::Object { items } = &document.expression(expression).kind else {
            return self.no_literal(expression);
        };
        let mut entries = Vec::new();
        for item in items {
            let key = document.key_text(item.key);
            let field = key.and_then(|key| Some((form(&key)?, key)));
            let Some((form, key)) = field else { return self.no_literal(item.key) };
            if document.literal(item.value) != Some(&Constant::Null) {
                entries.push(Entry::of_object(&key, self.form(form, item.value)?));
            }
        }
        Some(Value::Map(entries))
    }

    fn list(&mut self, elements: &[ExpressionIndex], form: Form) -> Option<Value> {
        let values = elements.iter().map(|&value| self.form(form, value));
        Some(Value::List(values.collect::<Option<_>>()?))
    }

    /// Paths to properties: what is a reference in PCL is text here.
    fn paths(
        &mut self,
        node: &Node,
        option: ResourceOption,
        value: ExpressionIndex,
    ) -> Option<Value> {
        let options = self.document.options(node);
        let paths = match option {
            ResourceOption::AdditionalSecretOutputs => options.additional_secret_outputs,
            ResourceOption::HideDiffs => options.hide_diffs,
            ResourceOption::IgnoreChanges => options.ignore_changes,
            _ => options.replace_on_changes,
        };
        let texts = paths.and_then(|paths| paths.parts).and_then(|paths| {
            let texts = paths.iter().map(|path| match path.keys[..] {
                [] => Some(path.text.clone()),
                _ => property_path(&path.keys),
            });
            texts.collect::<Option<Vec<String>>>()
        });
        match texts {
            Some(texts) => Some(Value::List(texts.iter().map(|text| Value::text(text)).collect())),
            None => self.no_literal(value),
        }
    }
}
