//! The options of resources.

use pcl::document::language::python_name;
use pcl::document::{Attribute, Constant, ExpressionIndex, ExpressionKind, Node, ObjectItem};
use pcl::language::ResourceOption;
use pcl_codegen::Limit;

use crate::module::Writer;
use crate::print::{Id, Item, Node as Code};
use crate::types;

/// The values that an option takes in the SDK.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// Outputs as well.
    Input,
    /// A plain value.
    Plain,
    /// An instance of a class with these properties.
    Class(&'static str, &'static [&'static str]),
    /// A resource.
    Resource,
    /// Resources, also those that are there once an output is known.
    Resources,
    Aliases,
}

/// The resources that have an option.
#[derive(Clone, Copy, PartialEq, Eq)]
enum On {
    All,
    /// All but components.
    Custom,
    Components,
}

/// The properties of `pulumi.CustomTimeouts`.
const TIMEOUTS: &[&str] = &["create", "delete", "read", "update"];

/// The moments that `pulumi.ResourceHookBinding` knows.
const MOMENTS: &[&str] = &[
    "afterCreate",
    "afterDelete",
    "afterUpdate",
    "beforeCreate",
    "beforeDelete",
    "beforeUpdate",
    "onError",
];

/// The properties of `pulumi.Alias` that the language can give, without `noParent`.
const ALIAS: &[&str] = &["name", "parent", "project", "stack", "type"];

/// The form of an option in the SDK; `None` for `range`.
const fn form(option: ResourceOption) -> Option<(Takes, On)> {
    use ResourceOption as O;
    Some(match option {
        O::AdditionalSecretOutputs | O::DeleteBeforeReplace | O::Import => {
            (Takes::Plain, On::Custom)
        }
        O::Aliases => (Takes::Aliases, On::All),
        O::CustomTimeouts => (Takes::Class("pulumi.CustomTimeouts", TIMEOUTS), On::All),
        O::Hooks => (Takes::Class("pulumi.ResourceHookBinding", MOMENTS), On::All),
        O::DeletedWith | O::Parent | O::Provider => (Takes::Resource, On::All),
        O::DependsOn => (Takes::Resources, On::All),
        O::ReplacementTrigger => (Takes::Input, On::All),
        O::EnvVarMappings
        | O::HideDiffs
        | O::IgnoreChanges
        | O::PluginDownloadUrl
        | O::Protect
        | O::ReplaceOnChanges
        | O::ReplaceWith
        | O::RetainOnDelete
        | O::Version => (Takes::Plain, On::All),
        O::Providers => (Takes::Plain, On::Components),
        O::Range => return None,
    })
}

impl Writer<'_> {
    /// The options of a block as an argument; `None` when there are none.
    pub fn options(&mut self, node: &Node, is_component: bool) -> Option<Item> {
        let mut items = Vec::new();
        if self.component.is_some() && node.option("parent").is_none() {
            let this = self.tree.name("self");
            items.push(Item::keyword("parent", this));
        }
        for option in node.options() {
            let known = ResourceOption::parse(&option.name);
            let Some((known, (takes, on))) = known.and_then(|it| Some((it, form(it)?))) else {
                continue;
            };
            let elsewhere = match on {
                On::All => None,
                On::Custom if is_component => Some("components"),
                On::Components if !is_component => Some("resources that are no components"),
                _ => None,
            };
            if let Some(elsewhere) = elsewhere {
                let name = known.name();
                let message =
                    format!("the SDK has no option `{name}` for {elsewhere}; it is left out");
                self.limit(Limit::Option, option.name_range, message);
                continue;
            }
            if let Some(value) = self.option(option, takes) {
                let name = match known {
                    ResourceOption::PluginDownloadUrl => "plugin_download_url".to_owned(),
                    known => python_name(known.name()),
                };
                items.push(self.item_of(option, crate::print::Key::Keyword(name), value));
            }
        }
        if items.is_empty() {
            return None;
        }
        let options = self.tree.call("pulumi.ResourceOptions", items);
        Some(Item::keyword("opts", options))
    }

    fn option(&mut self, option: &Attribute, takes: Takes) -> Option<Id> {
        let document = self.document;
        let name = &option.name;
        if takes == Takes::Aliases {
            return Some(self.aliases(option.value));
        }
        let is_late = types::is_late(document, document.expression(option.value).ty);
        if matches!(takes, Takes::Plain | Takes::Class(..)) && is_late {
            let message =
                format!("the option `{name}` is left out: the SDK accepts no output here");
            self.limit(Limit::Output, option.name_range, message);
            return None;
        }
        let resource = document.unconverted(option.value);
        if takes == Takes::Resource && types::is_late(document, self.code_type(resource)) {
            let message = format!(
                "the option `{name}` is left out: the SDK accepts no output here, and the resource \
                 exists only once an output is known"
            );
            self.limit(Limit::Output, option.name_range, message);
            return None;
        }
        match takes {
            Takes::Resources => Some(self.depends_on(option.value)),
            Takes::Class(class, known) => self.instance_of(option, class, known),
            _ => Some(self.value(option.value)),
        }
    }

    /// The value of an option that is an object, as an instance of a class with these properties.
    fn instance_of(&mut self, option: &Attribute, class: &str, known: &[&str]) -> Option<Id> {
        let document = self.document;
        self.value(option.value);
        let object = document.unconverted(option.value);
        let ExpressionKind::Object { items } = &document.expression(object).kind else {
            let message = format!(
                "the option `{}` is left out: the SDK takes its properties one by one",
                option.name
            );
            self.limit(Limit::Option, option.name_range, message);
            return None;
        };
        let mut arguments = Vec::new();
        for item in items {
            let name = document.key_text(item.key).unwrap_or_default();
            if !known.contains(&&*name) {
                self.no_property(item, &format!("`{}`", option.name), &name);
                continue;
            }
            let value = self.operand(item.value);
            arguments.push(Item::keyword(python_name(&name), value));
        }
        Some(self.tree.call(class, arguments))
    }

    fn no_property(&mut self, item: &ObjectItem, of: &str, name: &str) {
        let place = self.document.expression(item.key).range;
        let message = format!("the SDK has no property `{name}` of {of}; it is left out");
        self.limit(Limit::Option, place, message);
    }

    fn aliases(&mut self, value: ExpressionIndex) -> Id {
        let document = self.document;
        let whole = self.value(value);
        let list = document.unconverted(value);
        let ExpressionKind::Tuple { elements } = &document.expression(list).kind else {
            return whole;
        };
        let mut aliases = Vec::new();
        for &element in elements {
            let object = document.unconverted(element);
            let ExpressionKind::Object { items } = &document.expression(object).kind else {
                aliases.push(self.operand(element));
                continue;
            };
            let mut arguments = Vec::new();
            for item in items {
                let value = self.operand(item.value);
                match document.key_text(item.key).as_deref() {
                    Some("noParent") => {
                        if let Some(parent) = self.no_parent(item, value) {
                            arguments.push(Item::keyword("parent", parent));
                        }
                    }
                    Some("type") => arguments.push(Item::keyword("type_", value)),
                    Some(name) if ALIAS.contains(&name) => {
                        arguments.push(Item::keyword(name, value));
                    }
                    Some(name) => self.no_property(item, "aliases", name),
                    None => {}
                }
            }
            aliases.push(self.tree.call("pulumi.Alias", arguments));
        }
        self.tree.list(aliases)
    }

    /// The parent of an alias that had none: `None`, where `...` is the parent of the resource.
    fn no_parent(&mut self, item: &ObjectItem, value: Id) -> Option<Id> {
        let none = self.tree.name("None");
        match self.document.literal(item.value) {
            Some(Constant::Bool(true)) => Some(none),
            Some(Constant::Bool(false)) => None,
            _ => {
                let own = self.tree.name("...");
                Some(self.tree.add(Code::Conditional {
                    condition: value,
                    if_true: none,
                    if_false: own,
                }))
            }
        }
    }
}
