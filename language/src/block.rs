//! The table of the language's blocks: labels, attributes, nested blocks, and what may be no more
//! than a literal.
//!
//! The binder checks programs by it, makes its suggestions from it, and the reference pages show
//! it.

use self::Takes::{Base64, Declared, Switch, Text, Url, Value, Version};
use crate::construct::{Construct, row, since};
use crate::function::StaticType::{self, Bool, List, String};
use crate::option::ResourceOption;

table! {
    /// The kind of a node. The name is the word for it in the machine formats.
    NodeKind {
        Resource "resource" "`resource name \"token\" { .. }`";
        Read "read" "`read name \"token\" { .. }`";
        Component "component" "`component name \"source\" { .. }`";
        Config "config" "`config name \"type\" { .. }`";
        Local "local" "`name = value`";
        Output "output" "`output name \"type\" { .. }`";
        Hook "hook" "`hook kind name { .. }`";
        Pulumi "pulumi" "`pulumi { .. }`";
    }
}

impl NodeKind {
    /// Returns true for a resource and for a read resource.
    pub const fn is_resource(self) -> bool {
        matches!(self, Self::Resource | Self::Read)
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
    /// The releases that have it.
    pub construct: Construct,
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
    /// The releases that have it.
    pub construct: Construct,
}

impl AttributeRule {
    pub(crate) const fn new(
        name: &'static str,
        takes: Takes,
        says: &'static str,
        construct: Construct,
    ) -> Self {
        Self { name, takes, required: false, only_on: None, says, construct }
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
    pub const fn is_literal(self) -> bool {
        matches!(self, Self::Text | Self::Version | Self::Url | Self::Base64 | Self::Switch)
    }
}

impl BlockRule {
    /// The rule of an attribute. `label` is the first label of the block.
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

/// The rule of a keyword at the top level of a file.
pub fn rule(keyword: &str) -> Option<&'static BlockRule> {
    BLOCKS.into_iter().find(|rule| rule.keyword == keyword)
}

/// The rule of the blocks that declare nodes of that kind; `None` for locals, which are not blocks.
pub fn rule_of(kind: NodeKind) -> Option<&'static BlockRule> {
    BLOCKS.into_iter().find(|rule| rule.kind == Some(kind))
}

/// Every block of the top level, by keyword. The keywords are matched exactly.
pub static BLOCKS: [&BlockRule; 8] =
    [&COMPONENT, &CONFIG, &HOOK, &OUTPUT, &PACKAGE, &PULUMI, &READ, &RESOURCE];

impl BlockRule {
    /// A block that makes no node and has no labels, no blocks inside, and no attributes.
    const fn new(keyword: &'static str, shape: &'static str, construct: Construct) -> Self {
        Self {
            keyword,
            kind: None,
            least: 0,
            labels: &[],
            name_label: 0,
            shape,
            attributes: &[],
            others: Others::Ignored,
            blocks: &[],
            construct,
        }
    }
}

/// The attributes of a block: the name, the values, the meaning, and the releases of each.
macro_rules! attributes {
    ($block:literal: $(
        $name:literal, $takes:expr, $says:expr, $since:expr $(=> $then:ident($($value:expr)?))?;
    )*) => {
        &[$({
            let construct = $since.named(concat!("attr.", $block, ".", $name));
            AttributeRule::new($name, $takes, $says, construct)$(.$then($($value)?))?
        },)*]
    };
}

const LOGICAL_NAME: &str = "the name outside the program, if it differs";

/// `component name "./directory" { .. }`
pub static COMPONENT: BlockRule = BlockRule {
    kind: Some(NodeKind::Component),
    least: 1,
    labels: &["name", "source directory"],
    attributes: attributes! { "component":
        "__logicalName", Text, LOGICAL_NAME, since([3, 58, 0], 12361);
        "token", Text, "the type of a component that has no source directory", since([3, 259, 0], 24294)
            .instead("give the component a source directory, as in `component name \"./directory\"`");
    },
    others: Others::Inputs,
    blocks: &[&OPTIONS],
    ..BlockRule::new(
        "component",
        "component name \"./directory\" { .. }",
        row("block.component", [3, 58, 0], 12361).instead("write its resources in this program"),
    )
};

/// `config name "string" { .. }`
pub static CONFIG: BlockRule = BlockRule {
    kind: Some(NodeKind::Config),
    least: 1,
    labels: &["name", "type"],
    attributes: attributes! { "config":
        "__logicalName", Text, LOGICAL_NAME, since([3, 46, 0], 11231);
        "default", Declared, "the value if none is configured", since([1, 14, 1], 4105);
        "description", Text, "what it is for", since([3, 59, 0], 12464).instead("write it as a comment");
        "nullable", Switch, "whether it may be missing", since([3, 59, 0], 12464);
        "secret", Switch, "whether it is secret, which makes it an output", since([3, 225, 0], 22066)
            .instead("leave it out, and use `secret(..)` where the value is used");
    },
    ..BlockRule::new(
        "config",
        "config name \"string\" { .. }",
        row("block.config", [1, 14, 1], 4105),
    )
};

/// The kinds of hooks: the first label.
pub const HOOK_KINDS: &[&str] = &["error", "resource"];

/// `hook "resource" name { .. }`
pub static HOOK: BlockRule = BlockRule {
    kind: Some(NodeKind::Hook),
    least: 2,
    labels: &["kind", "name"],
    name_label: 1,
    attributes: attributes! { "hook":
        "command", Value(List(&String)), "the program to run, and its arguments", since([3, 229, 0], 22377)
            => required();
        "ignoreErrors", Value(Bool), "whether its failure is ignored", since([3, 238, 0], 22935)
            => only_on("resource");
        "onDryRun", Value(Bool), "whether it also runs in previews", since([3, 229, 0], 22377)
            => only_on("resource");
    },
    others: Others::Refused,
    ..BlockRule::new("hook", "hook \"resource\" name { .. }", row("block.hook", [3, 229, 0], 22377))
};

/// `output name { value = .. }`
pub static OUTPUT: BlockRule = BlockRule {
    kind: Some(NodeKind::Output),
    least: 1,
    labels: &["name", "type"],
    attributes: attributes! { "output":
        "__logicalName", Text, LOGICAL_NAME, since([3, 31, 0], 9464);
        "value", Declared, "what is exported", since([1, 14, 1], 4105) => required();
    },
    ..BlockRule::new("output", "output name { value = .. }", row("block.output", [1, 14, 1], 4105))
};

/// `package { baseProviderName = ".." }`
pub static PACKAGE: BlockRule = BlockRule {
    labels: &["name"],
    attributes: attributes! { "package":
        "baseProviderDownloadUrl", Url, "where its plugin is downloaded from", since([3, 138, 0], 17589);
        "baseProviderName", Text, "the name of the package", since([3, 138, 0], 17589) => required();
        "baseProviderVersion", Version, "its version", since([3, 138, 0], 17589);
    },
    blocks: &[&PARAMETERIZATION],
    ..BlockRule::new(
        "package",
        "package { baseProviderName = \"..\" }",
        row("block.package", [3, 138, 0], 17589)
            .instead("set `version` in the options of each resource of the package"),
    )
};

/// `pulumi { requiredVersionRange = ".." }`
pub static PULUMI: BlockRule = BlockRule {
    kind: Some(NodeKind::Pulumi),
    attributes: attributes! { "pulumi":
        "requiredVersionRange", Value(String), "the versions of Pulumi that can run the program",
            since([3, 217, 0], 21430).instead("set `requiredPulumiVersion` in `Pulumi.yaml`");
    },
    ..BlockRule::new(
        "pulumi",
        "pulumi { requiredVersionRange = \"..\" }",
        row("block.pulumi", [3, 217, 0], 21430)
            .before("older releases do not read it")
            .instead("set `requiredPulumiVersion` in `Pulumi.yaml`"),
    )
};

/// `read name "package:module:Type" { .. }`
pub static READ: BlockRule = BlockRule {
    kind: Some(NodeKind::Read),
    least: 2,
    labels: &["name", "type token"],
    attributes: attributes! { "read":
        "__logicalName", Text, LOGICAL_NAME, since([3, 235, 0], 22641);
    },
    others: Others::Inputs,
    blocks: &[&OPTIONS],
    ..BlockRule::new(
        "read",
        "read name \"package:module:Type\" { .. }",
        row("block.read", [3, 235, 0], 22641)
            .instead("ask the provider with `invoke(..)`, or import the resource"),
    )
};

/// `resource name "package:module:Type" { .. }`
pub static RESOURCE: BlockRule = BlockRule {
    kind: Some(NodeKind::Resource),
    least: 2,
    labels: &["name", "type token"],
    attributes: attributes! { "resource":
        "__logicalName", Text, LOGICAL_NAME, since([3, 31, 0], 9464);
    },
    others: Others::Inputs,
    blocks: &[&OPTIONS],
    ..BlockRule::new(
        "resource",
        "resource name \"package:module:Type\" { .. }",
        row("block.resource", [1, 14, 1], 4105),
    )
};

/// The `parameterization` block of a `package`.
pub static PARAMETERIZATION: BlockRule = BlockRule {
    attributes: attributes! { "package.parameterization":
        "name", Text, "the name of the parameterized package", since([3, 138, 0], 17589) => required();
        "value", Base64, "the parameter", since([3, 138, 0], 17589);
        "version", Version, "the version of the parameterized package", since([3, 138, 0], 17589);
    },
    ..BlockRule::new(
        "parameterization",
        "parameterization { name = \"..\" }",
        row("block.package.parameterization", [3, 138, 0], 17589),
    )
};

/// The `options` block of resources, reads and components.
pub static OPTIONS: BlockRule = BlockRule {
    attributes: ResourceOption::RULES,
    others: Others::Refused,
    ..BlockRule::new("options", "options { .. }", row("block.resource.options", [1, 14, 1], 4105))
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
