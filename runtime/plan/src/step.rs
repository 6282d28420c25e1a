//! Steps: what a deployment does to a resource, and the reason.

use std::fmt;

use pcl_diagnostics::Span;
use pcl_values::{PropertyPath, Urn};

use crate::diff::Change;

/// An operation, by the name that Pulumi's engine gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Op {
    /// Nothing happens.
    Same,
    /// The resource is created.
    Create,
    /// The resource is changed in place.
    Update,
    /// The resource is deleted.
    Delete,
    /// The resource is replaced: the creation and the deletion are steps of their own.
    Replace,
    /// The new resource of a replacement is created.
    CreateReplacement,
    /// The old resource of a replacement is deleted.
    DeleteReplaced,
    /// A resource that exists elsewhere is read.
    Read,
    /// A resource that exists elsewhere is read, and replaces one of the stack.
    ReadReplacement,
    /// A resource that was read is forgotten.
    Discard,
    /// A resource that was read is forgotten, because the stack creates one instead.
    DiscardReplaced,
    /// A resource that was deleted for a replacement that never came is forgotten.
    RemovePendingReplace,
    /// A resource that exists elsewhere becomes one of the stack.
    Import,
    /// A resource that exists elsewhere becomes one of the stack, and replaces another one.
    ImportReplacement,
}

impl Op {
    /// The name that Pulumi's engine gives to the operation.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Create => "create",
            Self::Update => "update",
            Self::Delete => "delete",
            Self::Replace => "replace",
            Self::CreateReplacement => "create-replacement",
            Self::DeleteReplaced => "delete-replaced",
            Self::Read => "read",
            Self::ReadReplacement => "read-replacement",
            Self::Discard => "discard",
            Self::DiscardReplaced => "discard-replaced",
            Self::RemovePendingReplace => "remove-pending-replace",
            Self::Import => "import",
            Self::ImportReplacement => "import-replacement",
        }
    }

    /// Returns true for a part of a replacement, which the step `replace` stands for.
    pub const fn is_part_of_replacement(self) -> bool {
        matches!(
            self,
            Self::CreateReplacement
                | Self::DeleteReplaced
                | Self::DiscardReplaced
                | Self::ReadReplacement
                | Self::ImportReplacement
                | Self::RemovePendingReplace
        )
    }
}

/// The one whose word a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DecidedBy {
    /// The program, its options and the state: the engine decides without a provider.
    Program,
    /// The schema says what the provider will decide.
    Schema,
    /// The provider: the step is the most likely one.
    Provider,
}

impl DecidedBy {
    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Program => "program",
            Self::Schema => "schema",
            Self::Provider => "provider",
        }
    }
}

/// The reason for a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The state has no such resource.
    New,
    /// Nothing changes.
    Unchanged,
    /// The inputs differ.
    Inputs,
    /// An input of the option `replaceOnChanges` differs.
    ReplaceOnChanges(Vec<String>),
    /// An input that the schema marks as replacing differs.
    WillReplace(Vec<String>),
    /// The resource has another provider, or none any more.
    Provider,
    /// The provider of the resource has another configuration.
    ProviderConfig(Urn),
    /// The value of the option `replacementTrigger` differs.
    Trigger,
    /// The resource of the option `replaceWith` is replaced.
    ReplacedWith(Urn),
    /// The resource of the option `deletedWith` is replaced.
    DeletedWith(Urn),
    /// The resource depends on one that is deleted before its replacement is created.
    Dependent(Urn),
    /// The caller asks for a replacement.
    Requested,
    /// The state marks the resource for replacement.
    Tainted,
    /// An earlier deployment deleted the resource and ended before it created the new one.
    Interrupted,
    /// An earlier deployment ended before it deleted the resource.
    Pending,
    /// The creation failed, so that the resource is not complete.
    Incomplete,
    /// The resource was read before, and is created now.
    WasRead,
    /// The program reads the resource.
    Read,
    /// The option `import` names a resource.
    Import,
    /// The resource is not among the targets.
    NotTargeted,
    /// The program has no such resource any more.
    Removed,
    /// The block of the resource has a range that is not known.
    UnknownRange,
    /// The resource belongs to a component that a plugin makes.
    Plugin(Urn),
}

impl Reason {
    /// The name.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Unchanged => "unchanged",
            Self::Inputs => "inputs",
            Self::ReplaceOnChanges(_) => "replace-on-changes",
            Self::WillReplace(_) => "will-replace",
            Self::Provider => "provider",
            Self::ProviderConfig(_) => "provider-config",
            Self::Trigger => "trigger",
            Self::ReplacedWith(_) => "replaced-with",
            Self::DeletedWith(_) => "deleted-with",
            Self::Dependent(_) => "dependent",
            Self::Requested => "requested",
            Self::Tainted => "tainted",
            Self::Interrupted => "interrupted",
            Self::Pending => "pending",
            Self::Incomplete => "incomplete",
            Self::WasRead => "was-read",
            Self::Read => "read",
            Self::Import => "import",
            Self::NotTargeted => "not-targeted",
            Self::Removed => "removed",
            Self::UnknownRange => "unknown-range",
            Self::Plugin(_) => "plugin",
        }
    }
}

/// The reason in words.
impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |urn: &Urn| urn.name().unwrap_or_default().to_owned();
        match self {
            Self::New => out.write_str("the state has no such resource"),
            Self::Unchanged => out.write_str("nothing changes"),
            Self::Inputs => out.write_str("its inputs change"),
            Self::ReplaceOnChanges(paths) => {
                write!(out, "{} changes, which `replaceOnChanges` names", listed(paths))
            }
            Self::WillReplace(paths) => {
                write!(out, "{} changes, which replaces it by the schema", listed(paths))
            }
            Self::Provider => out.write_str("its provider changes"),
            Self::ProviderConfig(urn) => {
                write!(out, "the configuration of its provider `{}` changes", name(urn))
            }
            Self::Trigger => out.write_str("the value of `replacementTrigger` changes"),
            Self::ReplacedWith(urn) => write!(out, "`{}` of `replaceWith` is replaced", name(urn)),
            Self::DeletedWith(urn) => write!(out, "`{}` of `deletedWith` is replaced", name(urn)),
            Self::Dependent(urn) => {
                write!(out, "it needs `{}`, which is deleted before it is created again", name(urn))
            }
            Self::Requested => out.write_str("the replacement is asked for"),
            Self::Tainted => out.write_str("the state marks it for replacement"),
            Self::Interrupted => out.write_str("an interrupted deployment has deleted it"),
            Self::Pending => out.write_str("an interrupted deployment has replaced it"),
            Self::Incomplete => out.write_str("its creation failed"),
            Self::WasRead => out.write_str("it was read before, and is created now"),
            Self::Read => out.write_str("the program reads it"),
            Self::Import => out.write_str("the option `import` takes it over"),
            Self::NotTargeted => out.write_str("it is not a target"),
            Self::Removed => out.write_str("the program has no such resource any more"),
            Self::UnknownRange => out.write_str("the range of its block is not known"),
            Self::Plugin(urn) => {
                write!(out, "the plugin of the component `{}` decides", name(urn))
            }
        }
    }
}

/// Some names between backquotes.
fn listed(names: &[String]) -> String {
    const MOST: usize = 3;
    let shown: Vec<String> = names.iter().take(MOST).map(|name| format!("`{name}`")).collect();
    let more = names.len().saturating_sub(MOST);
    match more {
        0 => shown.join(", "),
        _ => format!("{} and {more} more", shown.join(", ")),
    }
}

/// A step of a deployment.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The operation.
    pub op: Op,
    /// The URN of the resource.
    pub urn: Urn,
    /// The URN that it has in the state, if that is another one.
    pub old_urn: Option<Urn>,
    /// The URN of the parent.
    pub parent: Option<Urn>,
    /// The URN of the provider; `None` for components and providers.
    pub provider: Option<Urn>,
    /// The resource is managed by a provider.
    pub is_custom: bool,
    /// Its deletion would be refused.
    pub is_protected: bool,
    /// Its deletion leaves the real resource alone.
    pub is_retained: bool,
    /// The reason.
    pub reason: Reason,
    /// The one whose word the step is.
    pub decided_by: DecidedBy,
    /// The inputs that change.
    pub changes: Vec<Change>,
    /// The inputs, or the options, that make it a replacement.
    pub replace_keys: Vec<String>,
    /// The inputs that cannot be compared, because the state has them encrypted.
    pub incomparable: Vec<PropertyPath>,
    /// The block that declares the resource.
    pub source: Option<Span>,
    /// The place of the resource in the state, if it is in it.
    pub prior: Option<usize>,
}

impl Step {
    /// The type token.
    pub fn kind(&self) -> &str {
        self.urn.resource_type().unwrap_or_default()
    }

    /// The name.
    pub fn name(&self) -> &str {
        self.urn.name().unwrap_or_default()
    }

    /// Returns true for a provider that no program declares: the engine makes it.
    pub fn is_default_provider(&self) -> bool {
        self.kind().starts_with("pulumi:providers:") && self.name().starts_with("default")
    }

    /// The top-level inputs that change, sorted.
    pub fn changed(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.changes.iter().map(|change| change.property()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// The names that the block of a resource may have: that of the resource, and each part of it
/// before a `-`, since the key of an instance follows the name of its block.
pub(crate) fn names_of_blocks(name: &str) -> impl Iterator<Item = &str> {
    let ends = name.match_indices('-').map(|(end, _)| end).chain([name.len()]);
    ends.filter_map(move |end| name.get(..end))
}
