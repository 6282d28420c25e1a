//! The fields of a state, and the kinds of their values.
//!
//! The rules, with examples: `tests/spec/state/shape.md`.

use pcl_language::ResourceOption;

/// The kind of value that a field has. `null` is the same as nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A string.
    Text,
    /// A truth value.
    Flag,
    /// A number.
    Number,
    /// The URN of a resource.
    Urn,
    /// The URN and the id of a provider.
    Provider,
    /// A list of strings.
    Texts,
    /// A list of URNs.
    Urns,
    /// An object of property values.
    Properties,
    /// One property value.
    Property,
    /// An object of lists of URNs.
    PropertyDependencies,
    /// An object of lists of strings.
    ListsOfTexts,
    /// An object of numbers.
    Numbers,
    /// An object.
    Object,
    /// A list of resources.
    Resources,
    /// A list of pending operations.
    Operations,
    /// Anything.
    Any,
}

impl Shape {
    /// The kind with its article, for messages.
    pub const fn described(self) -> &'static str {
        match self {
            Self::Text => "a string",
            Self::Flag => "`true` or `false`",
            Self::Number => "a number",
            Self::Urn => "a URN",
            Self::Provider => "the URN and the id of a provider, `URN::ID`",
            Self::Texts => "a list of strings",
            Self::Urns => "a list of URNs",
            Self::Properties => "an object of properties",
            Self::Property | Self::Any => "a value",
            Self::PropertyDependencies => "an object of lists of URNs",
            Self::ListsOfTexts => "an object of lists of strings",
            Self::Numbers => "an object of numbers",
            Self::Object => "an object",
            Self::Resources => "a list of resources",
            Self::Operations => "a list of operations",
        }
    }
}

/// A field of an object.
pub(crate) struct Field {
    pub name: &'static str,
    pub shape: Shape,
    pub is_required: bool,
}

const fn optional(name: &'static str, shape: Shape) -> Field {
    Field { name, shape, is_required: false }
}

const fn required(name: &'static str, shape: Shape) -> Field {
    Field { name, shape, is_required: true }
}

/// The field that has an option of the language.
const fn option(option: ResourceOption, shape: Shape) -> Field {
    optional(option.field(), shape)
}

/// The fields of a deployment.
pub(crate) const DEPLOYMENT: &[Field] = &[
    optional("manifest", Shape::Object),
    optional("secrets_providers", Shape::Object),
    optional("resources", Shape::Resources),
    optional("pending_operations", Shape::Operations),
    optional("metadata", Shape::Object),
];

/// The fields of a manifest.
pub(crate) const MANIFEST: &[Field] = &[
    optional("time", Shape::Text),
    optional("magic", Shape::Text),
    optional("version", Shape::Text),
    optional("plugins", Shape::Any),
];

/// The fields of a secrets provider.
pub(crate) const SECRETS_PROVIDER: &[Field] =
    &[optional("type", Shape::Text), optional("state", Shape::Any)];

/// The fields of a pending operation.
pub(crate) const OPERATION: &[Field] =
    &[required("resource", Shape::Object), required("type", Shape::Text)];

/// The operations that can be pending.
pub(crate) const OPERATIONS: [&str; 4] = ["creating", "updating", "deleting", "reading"];

/// The fields of a resource.
pub(crate) const RESOURCE: &[Field] = &[
    required("urn", Shape::Urn),
    optional("custom", Shape::Flag),
    required("type", Shape::Text),
    optional("id", Shape::Text),
    optional("delete", Shape::Flag),
    optional("inputs", Shape::Properties),
    optional("outputs", Shape::Properties),
    option(ResourceOption::Parent, Shape::Urn),
    option(ResourceOption::Protect, Shape::Flag),
    optional("taint", Shape::Flag),
    optional("external", Shape::Flag),
    optional("dependencies", Shape::Urns),
    optional("initErrors", Shape::Texts),
    option(ResourceOption::Provider, Shape::Provider),
    optional("propertyDependencies", Shape::PropertyDependencies),
    optional("pendingReplacement", Shape::Flag),
    option(ResourceOption::AdditionalSecretOutputs, Shape::Texts),
    option(ResourceOption::Aliases, Shape::Urns),
    option(ResourceOption::CustomTimeouts, Shape::Numbers),
    option(ResourceOption::Import, Shape::Text),
    option(ResourceOption::RetainOnDelete, Shape::Flag),
    option(ResourceOption::DeletedWith, Shape::Urn),
    option(ResourceOption::ReplaceWith, Shape::Urns),
    optional("created", Shape::Text),
    optional("modified", Shape::Text),
    optional("sourcePosition", Shape::Text),
    optional("stackTrace", Shape::Any),
    option(ResourceOption::IgnoreChanges, Shape::Texts),
    option(ResourceOption::HideDiffs, Shape::Texts),
    option(ResourceOption::ReplaceOnChanges, Shape::Texts),
    option(ResourceOption::ReplacementTrigger, Shape::Property),
    optional("refreshBeforeUpdate", Shape::Flag),
    optional("viewOf", Shape::Urn),
    option(ResourceOption::Hooks, Shape::ListsOfTexts),
    optional("extensionRef", Shape::Text),
    optional("snippetID", Shape::Text),
];

/// The features of version 4 that are known.
pub(crate) const FEATURES: [&str; 8] = [
    "refreshBeforeUpdate",
    "views",
    "hooks",
    "taint",
    "replaceWith",
    "snippets-prototype",
    "extensionParameterization",
    "byteString",
];
