//! The options of resources.

use pcl::document::{Attribute, ExpressionIndex, ExpressionKind, Node};

use crate::limit::Limit;
use crate::module::Writer;
use crate::print::{Entry, Id, Node as Code};
use crate::types::{Eventual, eventual};

/// The values that an option takes in the SDK.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// Outputs as well.
    Input,
    /// A plain value.
    Plain,
    /// A resource.
    Resource,
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

/// The options of the language. They are called the same in the SDK.
const OPTIONS: &[(&str, Takes, On)] = &[
    ("additionalSecretOutputs", Takes::Plain, On::Custom),
    ("aliases", Takes::Aliases, On::All),
    ("customTimeouts", Takes::Plain, On::All),
    ("deleteBeforeReplace", Takes::Plain, On::Custom),
    ("deletedWith", Takes::Resource, On::All),
    ("dependsOn", Takes::Input, On::All),
    ("envVarMappings", Takes::Plain, On::All),
    ("hideDiffs", Takes::Plain, On::All),
    ("hooks", Takes::Plain, On::All),
    ("ignoreChanges", Takes::Plain, On::All),
    ("import", Takes::Plain, On::Custom),
    ("parent", Takes::Resource, On::All),
    ("pluginDownloadURL", Takes::Plain, On::All),
    ("protect", Takes::Plain, On::All),
    ("provider", Takes::Resource, On::All),
    ("providers", Takes::Plain, On::Components),
    ("replaceOnChanges", Takes::Plain, On::All),
    ("replaceWith", Takes::Plain, On::All),
    ("replacementTrigger", Takes::Input, On::All),
    ("retainOnDelete", Takes::Plain, On::All),
    ("version", Takes::Plain, On::All),
];

/// Returns true if an option takes no output.
pub(crate) fn is_plain(name: &str) -> bool {
    let row = OPTIONS.iter().find(|(own, ..)| *own == name);
    row.is_none_or(|(_, takes, _)| matches!(takes, Takes::Plain | Takes::Resource | Takes::Aliases))
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
            if option.name == "range" {
                continue;
            }
            let row = OPTIONS.iter().find(|(name, ..)| *name == option.name);
            let Some(&(name, takes, on)) = row else {
                let message = format!("the SDK has no option `{}`; it is left out", option.name);
                self.limit(Limit::Option, option.name_range, message);
                continue;
            };
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
        let late = late != Eventual::No || self.is_late_value(option.value);
        if takes == Takes::Plain && late {
            let name = &option.name;
            let message =
                format!("the option `{name}` is left out: the SDK accepts no output here");
            self.limit(Limit::Output, option.name_range, message);
            return None;
        }
        Some(self.value(option.value))
    }

    fn aliases(&mut self, value: ExpressionIndex) -> Id {
        let document = self.document;
        let whole = self.value(value);
        let mut list = value;
        while let ExpressionKind::Convert { value } = &document.expression(list).kind {
            list = *value;
        }
        let ExpressionKind::Tuple { elements } = &document.expression(list).kind else {
            return whole;
        };
        let mut aliases = Vec::new();
        for &element in elements {
            let mut object = element;
            while let ExpressionKind::Convert { value } = &document.expression(object).kind {
                object = *value;
            }
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
                    Some(name) => entries.push(Entry::new(name, value)),
                    None => {}
                }
            }
            aliases.push(self.tree.object(entries));
        }
        self.tree.array(aliases)
    }
}
