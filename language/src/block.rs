//! The table of the language's blocks: labels, attributes, nested blocks, and what may be no more
//! than a literal.
//!
//! The binder checks programs by it, makes its suggestions from it, and the reference pages show
//! it.

use crate::function::StaticType::{self, Bool, List, String};
use crate::option::ResourceOption;

/// The kind of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum NodeKind {
    /// `resource name "token" { .. }`
    Resource,
    /// `read name "token" { .. }`
    Read,
    /// `component name "source" { .. }`
    Component,
    /// `config name "type" { .. }`
    Config,
    /// `name = value`
    Local,
    /// `output name "type" { .. }`
    Output,
    /// `hook kind name { .. }`
    Hook,
    /// `pulumi { .. }`
    Pulumi,
}

impl NodeKind {
    /// All kinds.
    pub const ALL: [Self; 8] = [
        Self::Resource,
        Self::Read,
        Self::Component,
        Self::Config,
        Self::Local,
        Self::Output,
        Self::Hook,
        Self::Pulumi,
    ];

    /// Returns true for a resource and for a read resource.
    #[must_use]
    pub const fn is_resource(self) -> bool {
        matches!(self, Self::Resource | Self::Read)
    }

    /// The word for it in the machine formats.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Resource => "resource",
            Self::Read => "read",
            Self::Component => "component",
            Self::Config => "config",
            Self::Local => "local",
            Self::Output => "output",
            Self::Hook => "hook",
            Self::Pulumi => "pulumi",
        }
    }
}

/// The rule of the blocks with one keyword.
#[derive(Clone, Copy, Debug)]
pub struct BlockRule {
    /// The keyword.
    pub keyword: &'static str,
    /// The node that it makes; `package` and nested blocks make none.
    pub kind: Option<NodeKind>,
    /// The fewest labels.
    pub least: usize,
    /// The labels that it may have, each by its meaning.
    pub labels: &'static [&'static str],
    /// The index of the label that is the node's name.
    pub name_label: usize,
    /// An example of the block, for messages.
    pub shape: &'static str,
    /// The attributes that it knows, by name.
    pub attributes: &'static [AttributeRule],
    /// The treatment of other attributes.
    pub others: Others,
    /// The blocks that it may contain.
    pub blocks: &'static [&'static BlockRule],
}

/// The treatment of attributes that a block's rule does not name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Others {
    /// They are the inputs of a resource or component, whose names its schema or program decides.
    Inputs,
    /// Pulumi passes over them, so they are reported with a warning.
    Ignored,
    /// They are errors.
    Refused,
}

/// An attribute of a block.
#[derive(Clone, Copy, Debug)]
pub struct AttributeRule {
    /// The name.
    pub name: &'static str,
    /// The values that it takes.
    pub takes: Takes,
    /// Set if the attribute is required.
    pub required: bool,
    /// The first label of the only blocks that know it; `None` when all do.
    pub only_on: Option<&'static str>,
    /// The meaning in a few words.
    pub says: &'static str,
}

impl AttributeRule {
    pub(crate) const fn new(name: &'static str, takes: Takes, says: &'static str) -> Self {
        Self { name, takes, required: false, only_on: None, says }
    }

    const fn required(mut self) -> Self {
        self.required = true;
        self
    }

    const fn only_on(mut self, label: &'static str) -> Self {
        self.only_on = Some(label);
        self
    }
}

/// The values that an attribute takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// Any expression that converts to this type, or to an output of it.
    Value(StaticType),
    /// Any expression that converts to the type that the block declares.
    Declared,
    /// A list of paths of properties, written without quotes.
    Properties,
    /// An object literal of lists of hooks.
    Hooks,
    /// A plain quoted string.
    Text,
    /// A plain quoted string that is a semantic version.
    Version,
    /// A plain quoted string that is an absolute URL.
    Url,
    /// A plain quoted string that is base64.
    Base64,
    /// `true` or `false`.
    Switch,
}

impl Takes {
    /// Returns whether the value must be a literal: it cannot refer to anything.
    #[must_use]
    pub const fn is_literal(self) -> bool {
        matches!(self, Self::Text | Self::Version | Self::Url | Self::Base64 | Self::Switch)
    }
}

impl BlockRule {
    /// The rule of an attribute. `label` is the first label of the block.
    #[must_use]
    pub fn attribute(&self, name: &str, label: Option<&str>) -> Option<&'static AttributeRule> {
        let attributes: &'static [AttributeRule] = self.attributes;
        let rule = attributes.iter().find(|rule| rule.name == name)?;
        rule.is_known_on(label).then_some(rule)
    }

    /// The attributes that a block with that first label knows, by name.
    pub fn names(&self, label: Option<&str>) -> impl Iterator<Item = &'static str> {
        let attributes: &'static [AttributeRule] = self.attributes;
        let known = attributes.iter().filter(move |rule| rule.is_known_on(label));
        known.map(|rule| rule.name)
    }
}

impl AttributeRule {
    fn is_known_on(&self, label: Option<&str>) -> bool {
        self.only_on.is_none() || label.is_none() || self.only_on == label
    }
}

const LOGICAL_NAME: AttributeRule =
    AttributeRule::new("__logicalName", Takes::Text, "the name outside the program, if it differs");

const TOKEN: AttributeRule = AttributeRule::new(
    "token",
    Takes::Text,
    "the type of a component that has no source directory",
);

/// The rule of a keyword at the top level of a file.
#[must_use]
pub fn rule(keyword: &str) -> Option<&'static BlockRule> {
    BLOCKS.into_iter().find(|rule| rule.keyword == keyword)
}

/// The rule of the blocks that declare nodes of that kind; `None` for locals, which are not blocks.
#[must_use]
pub fn rule_of(kind: NodeKind) -> Option<&'static BlockRule> {
    BLOCKS.into_iter().find(|rule| rule.kind == Some(kind))
}

/// Every block of the top level, by keyword. The keywords are matched exactly.
pub static BLOCKS: [&BlockRule; 8] =
    [&COMPONENT, &CONFIG, &HOOK, &OUTPUT, &PACKAGE, &PULUMI, &READ, &RESOURCE];

/// `component name "./directory" { .. }`
pub static COMPONENT: BlockRule = BlockRule {
    keyword: "component",
    kind: Some(NodeKind::Component),
    least: 1,
    labels: &["name", "source directory"],
    name_label: 0,
    shape: "component name \"./directory\" { .. }",
    attributes: &[LOGICAL_NAME, TOKEN],
    others: Others::Inputs,
    blocks: &[&OPTIONS],
};

/// `config name "string" { .. }`
pub static CONFIG: BlockRule = BlockRule {
    keyword: "config",
    kind: Some(NodeKind::Config),
    least: 1,
    labels: &["name", "type"],
    name_label: 0,
    shape: "config name \"string\" { .. }",
    attributes: &[
        LOGICAL_NAME,
        AttributeRule::new("default", Takes::Declared, "the value if none is configured"),
        AttributeRule::new("description", Takes::Text, "what it is for"),
        AttributeRule::new("nullable", Takes::Switch, "whether it may be missing"),
        AttributeRule::new(
            "secret",
            Takes::Switch,
            "whether it is secret, which makes it an output",
        ),
    ],
    others: Others::Ignored,
    blocks: &[],
};

/// The kinds of hooks: the first label.
pub const HOOK_KINDS: &[&str] = &["error", "resource"];

/// `hook "resource" name { .. }`
pub static HOOK: BlockRule = BlockRule {
    keyword: "hook",
    kind: Some(NodeKind::Hook),
    least: 2,
    labels: &["kind", "name"],
    name_label: 1,
    shape: "hook \"resource\" name { .. }",
    attributes: &[
        AttributeRule::new(
            "command",
            Takes::Value(List(&String)),
            "the program to run, and its arguments",
        )
        .required(),
        AttributeRule::new("ignoreErrors", Takes::Value(Bool), "whether its failure is ignored")
            .only_on("resource"),
        AttributeRule::new("onDryRun", Takes::Value(Bool), "whether it also runs in previews")
            .only_on("resource"),
    ],
    others: Others::Refused,
    blocks: &[],
};

/// `output name { value = .. }`
pub static OUTPUT: BlockRule = BlockRule {
    keyword: "output",
    kind: Some(NodeKind::Output),
    least: 1,
    labels: &["name", "type"],
    name_label: 0,
    shape: "output name { value = .. }",
    attributes: &[
        LOGICAL_NAME,
        AttributeRule::new("value", Takes::Declared, "what is exported").required(),
    ],
    others: Others::Ignored,
    blocks: &[],
};

/// `package { baseProviderName = ".." }`
pub static PACKAGE: BlockRule = BlockRule {
    keyword: "package",
    kind: None,
    least: 0,
    labels: &["name"],
    name_label: 0,
    shape: "package { baseProviderName = \"..\" }",
    attributes: &[
        AttributeRule::new(
            "baseProviderDownloadUrl",
            Takes::Url,
            "where its plugin is downloaded from",
        ),
        AttributeRule::new("baseProviderName", Takes::Text, "the name of the package").required(),
        AttributeRule::new("baseProviderVersion", Takes::Version, "its version"),
    ],
    others: Others::Ignored,
    blocks: &[&PARAMETERIZATION],
};

/// `pulumi { requiredVersionRange = ".." }`
pub static PULUMI: BlockRule = BlockRule {
    keyword: "pulumi",
    kind: Some(NodeKind::Pulumi),
    least: 0,
    labels: &[],
    name_label: 0,
    shape: "pulumi { requiredVersionRange = \"..\" }",
    attributes: &[AttributeRule::new(
        "requiredVersionRange",
        Takes::Value(String),
        "the versions of Pulumi that can run the program",
    )],
    others: Others::Ignored,
    blocks: &[],
};

/// `read name "package:module:Type" { .. }`
pub static READ: BlockRule = BlockRule {
    keyword: "read",
    kind: Some(NodeKind::Read),
    least: 2,
    labels: &["name", "type token"],
    name_label: 0,
    shape: "read name \"package:module:Type\" { .. }",
    attributes: &[LOGICAL_NAME],
    others: Others::Inputs,
    blocks: &[&OPTIONS],
};

/// `resource name "package:module:Type" { .. }`
pub static RESOURCE: BlockRule = BlockRule {
    keyword: "resource",
    kind: Some(NodeKind::Resource),
    least: 2,
    labels: &["name", "type token"],
    name_label: 0,
    shape: "resource name \"package:module:Type\" { .. }",
    attributes: &[LOGICAL_NAME],
    others: Others::Inputs,
    blocks: &[&OPTIONS],
};

/// The `parameterization` block of a `package`.
pub static PARAMETERIZATION: BlockRule = BlockRule {
    keyword: "parameterization",
    kind: None,
    least: 0,
    labels: &[],
    name_label: 0,
    shape: "parameterization { name = \"..\" }",
    attributes: &[
        AttributeRule::new("name", Takes::Text, "the name of the parameterized package").required(),
        AttributeRule::new("value", Takes::Base64, "the parameter"),
        AttributeRule::new("version", Takes::Version, "the version of the parameterized package"),
    ],
    others: Others::Ignored,
    blocks: &[],
};

/// The `options` block of resources, reads and components.
pub static OPTIONS: BlockRule = BlockRule {
    keyword: "options",
    kind: None,
    least: 0,
    labels: &[],
    name_label: 0,
    shape: "options { .. }",
    attributes: ResourceOption::RULES,
    others: Others::Refused,
    blocks: &[],
};

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rule: &BlockRule) {
        assert!(rule.least <= rule.labels.len());
        assert!(rule.shape.starts_with(rule.keyword));
        assert!(rule.attributes.is_sorted_by_key(|rule| rule.name), "{}", rule.keyword);
        rule.blocks.iter().for_each(|rule| check(rule));
    }

    #[test]
    fn the_table_is_ordered_and_its_rows_are_possible() {
        assert!(BLOCKS.is_sorted_by_key(|rule| rule.keyword));
        BLOCKS.into_iter().for_each(check);
    }
}
