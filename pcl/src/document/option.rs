//! The options of resources and of `invoke` in the form of their meaning.

use std::borrow::Cow;

use pcl_language::{Function, ResourceOption};
use pcl_lower::{PathStep, path_text};
use serde::{Serialize, Serializer};

use super::Document;
use super::expression::{Call, ExpressionKind, Key, OtherReference, Reference};
use super::node::{Attribute, Node};
use super::place::Place;
use crate::document::place::ExpressionIndex;
use crate::document::types::Constant;

/// The position of the argument of `invoke` that has its options.
const INVOKE_OPTIONS: usize = 2;

/// An option: its place, its value, and the parts of the value.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct Entry<T = ()> {
    /// The name in the text.
    pub name_range: Place,
    /// The value.
    pub value: ExpressionIndex,
    /// The parts of a value that is written out; `None` if it is computed as a whole. An option
    /// that has no parts has `()`.
    pub parts: T,
}

/// The elements of a list that is written out; `None` if it is computed as a whole.
pub type List = Option<Vec<ExpressionIndex>>;

/// The fields of an object that is written out; `None` if it or a key in it is computed.
pub type Fields = Option<Vec<(String, ExpressionIndex)>>;

/// The options of a resource, a read or a component.
///
/// ```
/// # use pcl::{Settings, Target, Workspace, document::*};
/// let text = r#"
/// resource a "pulumi:index:Stash" { input = 1 }
/// resource b "pulumi:index:Stash" {
///   input = { x = 1 }
///   options {
///     dependsOn      = [a]
///     ignoreChanges  = [input["x"]]
///     aliases        = ["urn:old", { name = "older" }]
///     customTimeouts = { create = "5m" }
///     protect        = true
///   }
/// }
/// "#;
/// let document = Workspace::new(Settings::default()).check(&Target::text("main.pp", text)).document();
/// let (_, b) = document.main.in_order().last().unwrap();
/// let options = document.options(b);
/// assert_eq!(document.position(options.block.unwrap()).line, 5);
///
/// let needed = options.depends_on.unwrap().parts.unwrap();
/// let needed = document.referred(needed[0]).unwrap();
/// assert_eq!(document.main.node(needed).unwrap().name, "a");
/// let ignored = options.ignore_changes.unwrap().parts.unwrap();
/// assert_eq!(ignored[0].text, "input[\"x\"]");
/// let aliases = options.aliases.unwrap().parts.unwrap();
/// assert!(matches!(aliases[..], [Alias::Urn(_), Alias::Parts { name: Some(_), parent: None, .. }]));
/// let create = options.custom_timeouts.unwrap().parts.unwrap().create.unwrap();
/// assert_eq!(document.literal_string(create), Some("5m"));
/// let protect = options.protect.unwrap();
/// assert_eq!(document.position(protect.name_range).line, 10);
/// ```
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
#[non_exhaustive]
pub struct ResourceOptions {
    /// The `options` block.
    pub block: Option<Place>,
    /// Outputs that are secret in addition to those that the schema names.
    pub additional_secret_outputs: Option<Entry<Option<Vec<PropertyPath>>>>,
    /// Earlier names of the resource.
    pub aliases: Option<Entry<Option<Vec<Alias>>>>,
    /// The time that each operation may take.
    pub custom_timeouts: Option<Entry<Option<CustomTimeouts>>>,
    /// True to delete the old resource before the new one is created.
    pub delete_before_replace: Option<Entry>,
    /// A resource whose deletion deletes this one.
    pub deleted_with: Option<Entry>,
    /// Resources that must exist first.
    pub depends_on: Option<Entry<List>>,
    /// Environment variables, and the names by which the provider reads them.
    pub env_var_mappings: Option<Entry<Fields>>,
    /// Properties whose changes are not shown.
    pub hide_diffs: Option<Entry<Option<Vec<PropertyPath>>>>,
    /// The hooks to run, by the moment at which they run.
    pub hooks: Option<Entry<Option<Vec<HookBinding>>>>,
    /// Properties whose changes are ignored.
    pub ignore_changes: Option<Entry<Option<Vec<PropertyPath>>>>,
    /// The id of an existing resource to import.
    pub import: Option<Entry>,
    /// The parent of this resource.
    pub parent: Option<Entry>,
    /// The server of the plugin of its package.
    pub plugin_download_url: Option<Entry>,
    /// True to protect it from deletion.
    pub protect: Option<Entry>,
    /// The provider that manages it.
    pub provider: Option<Entry>,
    /// The providers that manage the resources inside it: a list, or a map from packages.
    pub providers: Option<Entry<Providers>>,
    /// The number of resources, or the values that they are created for. The effect is in
    /// [`Resource::repeat`](super::Resource::repeat).
    pub range: Option<Entry>,
    /// Properties whose changes replace it.
    pub replace_on_changes: Option<Entry<Option<Vec<PropertyPath>>>>,
    /// Resources whose replacement replaces this one.
    pub replace_with: Option<Entry<List>>,
    /// A value whose change replaces it.
    pub replacement_trigger: Option<Entry>,
    /// True to keep it when the program no longer declares it.
    pub retain_on_delete: Option<Entry>,
    /// The version of its package.
    pub version: Option<Entry>,
}

/// The parts of the option `providers`.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Providers {
    /// A list that is written out.
    List(Vec<ExpressionIndex>),
    /// A map that is written out: providers by package.
    Map(Vec<(String, ExpressionIndex)>),
    /// A list or map that is computed as a whole.
    Computed,
}

/// A path to a property of the resource itself.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct PropertyPath {
    /// The place of the path.
    pub range: Place,
    /// The path in Pulumi's notation, such as `tags["a b"].list[0]`.
    pub text: String,
    /// The name of the property, and the steps into it; empty after the pass that makes strings of
    /// paths.
    #[serde(serialize_with = "write_keys")]
    pub keys: Vec<Key>,
}

/// An earlier name of a resource.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
#[serde(rename_all = "kebab-case")]
pub enum Alias {
    /// A URN, or what is computed as a whole.
    Urn(ExpressionIndex),
    /// The parts of the name that differ.
    Parts {
        /// The object.
        range: Place,
        /// The name.
        name: Option<ExpressionIndex>,
        /// The type token.
        #[serde(rename = "type")]
        ty: Option<ExpressionIndex>,
        /// True if it had no parent.
        no_parent: Option<ExpressionIndex>,
        /// Its parent.
        parent: Option<ExpressionIndex>,
    },
}

/// The times that operations may take.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
#[non_exhaustive]
pub struct CustomTimeouts {
    /// Creating the resource.
    pub create: Option<ExpressionIndex>,
    /// Updating it.
    pub update: Option<ExpressionIndex>,
    /// Deleting it.
    pub delete: Option<ExpressionIndex>,
    /// Reading it.
    pub read: Option<ExpressionIndex>,
}

/// The hooks that run at one moment.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct HookBinding {
    /// The moment, such as `beforeCreate`.
    pub moment: String,
    /// The hooks, as a whole.
    pub value: ExpressionIndex,
    /// Each of them.
    pub hooks: List,
}

/// The options of an `invoke`.
///
/// ```
/// # use pcl::{Settings, Target, Workspace, document::*};
/// # use std::sync::Arc;
/// # use pcl::schema::MemoryLoader;
/// # let mut schemas = MemoryLoader::default();
/// # schemas.add(r#"{ "name": "zoo", "functions": { "zoo:index:now": { "outputs": { "type": "string" } } } }"#)?;
/// # let workspace = Workspace::new(Settings::default()).with_loader(Arc::new(schemas));
/// let program = Target::text("main.pp", "a = invoke(\"zoo:index:now\", {}, { version = \"1.2.3\" })\n");
/// let document = workspace.check(&program).document();
/// let Body::Local { value: Some(value) } = document.main.nodes[0].body else { panic!() };
/// let ExpressionKind::Call(call) = &document.expression(value).kind else { panic!() };
/// let options = document.invoke_options(call);
/// let version = options.version.unwrap();
/// assert_eq!(document.literal_string(version.value), Some("1.2.3"));
/// assert_eq!(document.position(version.name_range).column, 35);
/// # Ok::<(), pcl::schema::DocumentError>(())
/// ```
#[derive(Clone, PartialEq, Default, Debug)]
#[non_exhaustive]
pub struct InvokeOptions {
    /// The object, if there is one.
    pub block: Option<Place>,
    /// The argument, if it is computed as a whole; no other field is set then.
    pub computed: Option<ExpressionIndex>,
    /// The provider that runs the function.
    pub provider: Option<Entry>,
    /// The resource whose provider runs it otherwise.
    pub parent: Option<Entry>,
    /// Resources that must exist first.
    pub depends_on: Option<Entry<List>>,
    /// The version of the function's package.
    pub version: Option<Entry>,
    /// The server of the package's plugin.
    pub plugin_download_url: Option<Entry>,
}

impl Document {
    /// The options of a resource, read or component.
    pub fn options(&self, node: &Node) -> ResourceOptions {
        use ResourceOption as O;
        let mut options =
            ResourceOptions { block: node.options_range(), ..ResourceOptions::default() };
        // Of several with one name, which was reported, the first counts.
        for option in node.options().iter().rev() {
            let plain = Some(entry(option, ()));
            let Some(known) = ResourceOption::parse(&option.name) else { continue };
            match known {
                O::AdditionalSecretOutputs => {
                    options.additional_secret_outputs = Some(self.paths_entry(option));
                }
                O::Aliases => {
                    let aliases = self.elements(option.value);
                    let alias = |value| self.alias(value);
                    let aliases = aliases.map(|list| list.into_iter().map(alias).collect());
                    options.aliases = Some(entry(option, aliases));
                }
                O::CustomTimeouts => {
                    let timeouts = self.named(option.value).map(|fields| CustomTimeouts {
                        create: field(&fields, "create"),
                        update: field(&fields, "update"),
                        delete: field(&fields, "delete"),
                        read: field(&fields, "read"),
                    });
                    options.custom_timeouts = Some(entry(option, timeouts));
                }
                O::DeleteBeforeReplace => options.delete_before_replace = plain,
                O::DeletedWith => options.deleted_with = plain,
                O::DependsOn => {
                    options.depends_on = Some(entry(option, self.elements(option.value)));
                }
                O::EnvVarMappings => {
                    options.env_var_mappings = Some(entry(option, self.named(option.value)));
                }
                O::HideDiffs => options.hide_diffs = Some(self.paths_entry(option)),
                O::Hooks => options.hooks = Some(entry(option, self.hooks(option.value))),
                O::IgnoreChanges => options.ignore_changes = Some(self.paths_entry(option)),
                O::Import => options.import = plain,
                O::Parent => options.parent = plain,
                O::PluginDownloadUrl => options.plugin_download_url = plain,
                O::Protect => options.protect = plain,
                O::Provider => options.provider = plain,
                O::Providers => {
                    options.providers = Some(entry(option, self.providers(option.value)));
                }
                O::Range => options.range = plain,
                O::ReplaceOnChanges => options.replace_on_changes = Some(self.paths_entry(option)),
                O::ReplaceWith => {
                    options.replace_with = Some(entry(option, self.elements(option.value)));
                }
                O::ReplacementTrigger => options.replacement_trigger = plain,
                O::RetainOnDelete => options.retain_on_delete = plain,
                O::Version => options.version = plain,
            }
        }
        options
    }

    /// The options of an `invoke`: its third argument.
    pub fn invoke_options(&self, call: &Call) -> InvokeOptions {
        let mut options = InvokeOptions::default();
        let Some(&argument) = call.arguments.get(INVOKE_OPTIONS) else { return options };
        if call.function() != Some(Function::Invoke) {
            return options;
        }
        let argument = self.unconverted(argument);
        let ExpressionKind::Object { items } = &self.expression(argument).kind else {
            options.computed = Some(argument);
            return options;
        };
        options.block = Some(self.expression(argument).range);
        for item in items.iter().rev() {
            let Some(name) = self.key_text(item.key) else { continue };
            let plain =
                Entry { name_range: self.expression(item.key).range, value: item.value, parts: () };
            match &*name {
                "provider" => options.provider = Some(plain),
                "parent" => options.parent = Some(plain),
                "dependsOn" => {
                    options.depends_on = Some(Entry {
                        name_range: plain.name_range,
                        value: plain.value,
                        parts: self.elements(item.value),
                    });
                }
                "version" => options.version = Some(plain),
                "pluginDownloadUrl" | "pluginDownloadURL" => {
                    options.plugin_download_url = Some(plain);
                }
                _ => {}
            }
        }
        options
    }

    fn elements(&self, value: ExpressionIndex) -> List {
        match &self.expression(self.unconverted(value)).kind {
            ExpressionKind::Tuple { elements } => Some(elements.clone()),
            _ => None,
        }
    }

    fn named(&self, value: ExpressionIndex) -> Fields {
        let ExpressionKind::Object { items } = &self.expression(self.unconverted(value)).kind
        else {
            return None;
        };
        let named = items.iter().map(|item| {
            let name = self.key_text(item.key)?;
            Some((name.into_owned(), item.value))
        });
        named.collect()
    }

    fn alias(&self, value: ExpressionIndex) -> Alias {
        match self.named(value) {
            None => Alias::Urn(value),
            Some(fields) => Alias::Parts {
                range: self.expression(value).range,
                name: field(&fields, "name"),
                ty: field(&fields, "type"),
                no_parent: field(&fields, "noParent"),
                parent: field(&fields, "parent"),
            },
        }
    }

    fn hooks(&self, value: ExpressionIndex) -> Option<Vec<HookBinding>> {
        let binding = |(moment, value)| HookBinding { moment, value, hooks: self.elements(value) };
        Some(self.named(value)?.into_iter().map(binding).collect())
    }

    fn providers(&self, value: ExpressionIndex) -> Providers {
        let list = self.elements(value).map(Providers::List);
        let map = || self.named(value).map(Providers::Map);
        list.or_else(map).unwrap_or(Providers::Computed)
    }

    fn paths_entry(&self, option: &Attribute) -> Entry<Option<Vec<PropertyPath>>> {
        let paths = self.elements(option.value).and_then(|elements| {
            let paths = elements.into_iter().map(|element| self.path(element));
            paths.collect()
        });
        entry(option, paths)
    }

    /// The path that an expression is, also as a string.
    fn path(&self, expression: ExpressionIndex) -> Option<PropertyPath> {
        let expression = self.unconverted(expression);
        let range = self.expression(expression).range;
        if let ExpressionKind::Traversal(traversal) = &self.expression(expression).kind
            && traversal.reference == Reference::Other(OtherReference::Property)
        {
            let steps = traversal.steps.iter().map(|step| step.key.clone());
            let root = Key::Name(traversal.name.clone());
            let keys: Vec<Key> = std::iter::once(root).chain(steps).collect();
            let text = path_text(keys.iter().map(|key| match key {
                Key::Name(name) => PathStep::Name(name),
                Key::Index(index) => PathStep::Key(Cow::Owned(index.into())),
            }));
            return Some(PropertyPath { range, text, keys });
        }
        Some(PropertyPath {
            range,
            text: self.literal_string(expression)?.to_owned(),
            keys: Vec::new(),
        })
    }
}

fn entry<T>(option: &Attribute, parts: T) -> Entry<T> {
    Entry { name_range: option.name_range, value: option.value, parts }
}

/// The first field of that name.
fn field(fields: &[(String, ExpressionIndex)], name: &str) -> Option<ExpressionIndex> {
    let found = fields.iter().find(|(known, _)| known == name)?;
    Some(found.1)
}

/// Names as the constants that they are.
fn write_keys<S: Serializer>(keys: &[Key], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(keys.iter().map(|key| match key {
        Key::Name(name) => Constant::String(name.clone()),
        Key::Index(index) => index.clone(),
    }))
}
