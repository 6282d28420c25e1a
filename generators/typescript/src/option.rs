//! The options of resources.

use pcl::document::{Attribute, ExpressionIndex, ExpressionKind, Node, ObjectItem};
use pcl::language::ResourceOption;

use crate::module::Writer;
use crate::print::{Entry, Id, Node as Code};
use crate::types::{Eventual, eventual};
use pcl_codegen::Limit;

/// The values that an option takes in the SDK.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// Outputs as well.
    Input,
    /// A plain value.
    Plain,
    /// A plain object of these properties.
    Properties(&'static [&'static str]),
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

/// The properties of `pulumi.Alias` that the language can give, without `noParent`, which is a
/// parent in the SDK.
const ALIAS: &[&str] = &["name", "parent", "project", "stack", "type"];

/// The form of an option in the SDK, where it has the same name; `None` for `range`.
const fn form(option: ResourceOption) -> Option<(Takes, On)> {
    use ResourceOption as O;
    Some(match option {
        O::AdditionalSecretOutputs | O::DeleteBeforeReplace | O::Import => {
            (Takes::Plain, On::Custom)
        }
        O::Aliases => (Takes::Aliases, On::All),
        O::CustomTimeouts => (Takes::Properties(TIMEOUTS), On::All),
        O::DeletedWith | O::Parent | O::Provider => (Takes::Resource, On::All),
        O::DependsOn => (Takes::Resources, On::All),
        O::ReplacementTrigger => (Takes::Input, On::All),
        O::EnvVarMappings
        | O::HideDiffs
        | O::Hooks
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
    /// The options of a block as an object; `None` when there are none.
    pub fn options(&mut self, node: &Node, is_component: bool) -> Option<Id> {
        let mut entries = Vec::new();
        if self.component.is_some() && node.option("parent").is_none() {
            let this = self.tree.name("this");
            entries.push(Entry::new("parent", this));
        }
        for option in node.options() {
            let known = ResourceOption::parse(&option.name);
            let Some((known, (takes, on))) = known.and_then(|it| Some((it, form(it)?))) else {
                continue;
            };
            let name = known.name();
            let elsewhere = match on {
                On::All => None,
                On::Custom if is_component => Some("components"),
                On::Components if !is_component => Some("resources that are no components"),
                _ => None,
            };
            if let Some(elsewhere) = elsewhere {
                let message =
                    format!("the SDK has no option `{name}` for {elsewhere}; it is left out");
                self.limit(Limit::Option, option.name_range, message);
                continue;
            }
            if let Some(value) = self.option(option, takes) {
                let entry = self.entry_of(option, name, value);
                entries.push(entry);
            }
        }
        (!entries.is_empty()).then(|| match &entries[..] {
            [only] if matches!(self.tree.node(only.value), Code::Name(_)) => {
                self.tree.object(entries)
            }
            _ => self.expanded(entries),
        })
    }

    fn option(&mut self, option: &Attribute, takes: Takes) -> Option<Id> {
        if takes == Takes::Aliases {
            return Some(self.aliases(option.value));
        }
        let ty = self.document.expression(option.value).ty;
        let late = eventual(self.document, ty);
        if matches!(takes, Takes::Plain | Takes::Properties(_)) && late != Eventual::No {
            let name = &option.name;
            let message =
                format!("the option `{name}` is left out: the SDK accepts no output here");
            self.limit(Limit::Output, option.name_range, message);
            return None;
        }
        let resource = self.document.unconverted(option.value);
        let is_late = eventual(self.document, self.code_type(resource)) == Eventual::Output;
        if takes == Takes::Resource && is_late {
            let name = &option.name;
            let message = format!(
                "the option `{name}` is left out: the SDK accepts no output here, and the resource \
                 exists only once an output is known"
            );
            self.limit(Limit::Output, option.name_range, message);
            return None;
        }
        if takes == Takes::Resources {
            return Some(self.depends_on(option.value));
        }
        if let Takes::Properties(known) = takes {
            return Some(self.properties(option, known));
        }
        Some(self.value(option.value))
    }

    /// The value of an option that is an object, without the properties that the SDK does not have.
    fn properties(&mut self, option: &Attribute, known: &[&str]) -> Id {
        let document = self.document;
        let whole = self.value(option.value);
        let object = document.unconverted(option.value);
        let ExpressionKind::Object { items } = &document.expression(object).kind else {
            return whole;
        };
        let is_known = |item: &&ObjectItem| {
            let name = document.key_text(item.key);
            name.is_none_or(|name| known.contains(&&*name))
        };
        if items.iter().all(|item| is_known(&item)) {
            return whole;
        }
        let mut entries = Vec::new();
        for item in items {
            let Some(name) = document.key_text(item.key).filter(|_| is_known(&item)) else {
                let name = document.key_text(item.key).unwrap_or_default();
                self.no_property(item, &format!("`{}`", option.name), &name);
                continue;
            };
            let value = self.operand(item.value);
            entries.push(Entry::new(name, value));
        }
        self.tree.object(entries)
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
            let mut entries = Vec::new();
            for item in items {
                let value = self.operand(item.value);
                match document.key_text(item.key).as_deref() {
                    Some("noParent") => {
                        let root = self.tree.path("pulumi.rootStackResource");
                        let literal = document.literal(item.value);
                        match literal {
                            Some(pcl::document::Constant::Bool(true)) => {
                                entries.push(Entry::new("parent", root));
                            }
                            Some(pcl::document::Constant::Bool(false)) => {}
                            _ => {
                                let none = self.tree.name("undefined");
                                let parent = self.tree.conditional(value, root, none);
                                entries.push(Entry::new("parent", parent));
                            }
                        }
                    }
                    Some(name) if ALIAS.contains(&name) => entries.push(Entry::new(name, value)),
                    Some(name) => self.no_property(item, "aliases", name),
                    None => {}
                }
            }
            aliases.push(self.tree.object(entries));
        }
        self.tree.array(aliases)
    }
}
