//! The blocks of a program: one table of what each takes, one file per kind for what it means.

pub(crate) mod attributes;
pub(crate) mod component;
pub(crate) mod config;
pub(crate) mod hook;
pub(crate) mod literal;
pub(crate) mod local;
pub(crate) mod output;
pub(crate) mod package;
pub(crate) mod pulumi;
pub(crate) mod read;
pub(crate) mod resource;

use crate::program::NodeKind;

/// What stands at the top level of a file under one keyword.
pub(crate) struct BlockRule {
    /// The keyword.
    pub keyword: &'static str,
    /// The node that it makes; `package` makes none.
    pub kind: Option<NodeKind>,
    /// The fewest labels.
    pub least: usize,
    /// The labels it may have, each by what it says.
    pub labels: &'static [&'static str],
    /// Which label is the node's name.
    pub name_label: usize,
    /// How it is written, for messages.
    pub shape: &'static str,
}

/// Every block. The keywords are matched exactly.
pub(crate) static BLOCKS: &[BlockRule] = &[
    BlockRule {
        keyword: "component",
        kind: Some(NodeKind::Component),
        least: 1,
        labels: &["name", "source directory"],
        name_label: 0,
        shape: "component name \"./directory\" { .. }",
    },
    BlockRule {
        keyword: "config",
        kind: Some(NodeKind::Config),
        least: 1,
        labels: &["name", "type"],
        name_label: 0,
        shape: "config name \"string\" { .. }",
    },
    BlockRule {
        keyword: "hook",
        kind: Some(NodeKind::Hook),
        least: 2,
        labels: &["kind", "name"],
        name_label: 1,
        shape: "hook \"resource\" name { .. }",
    },
    BlockRule {
        keyword: "output",
        kind: Some(NodeKind::Output),
        least: 1,
        labels: &["name", "type"],
        name_label: 0,
        shape: "output name { value = .. }",
    },
    BlockRule {
        keyword: "package",
        kind: None,
        least: 0,
        labels: &["name"],
        name_label: 0,
        shape: "package { baseProviderName = \"..\" }",
    },
    BlockRule {
        keyword: "pulumi",
        kind: Some(NodeKind::Pulumi),
        least: 0,
        labels: &[],
        name_label: 0,
        shape: "pulumi { requiredVersionRange = \"..\" }",
    },
    BlockRule {
        keyword: "read",
        kind: Some(NodeKind::Read),
        least: 2,
        labels: &["name", "type token"],
        name_label: 0,
        shape: "read name \"package:module:Type\" { .. }",
    },
    BlockRule {
        keyword: "resource",
        kind: Some(NodeKind::Resource),
        least: 2,
        labels: &["name", "type token"],
        name_label: 0,
        shape: "resource name \"package:module:Type\" { .. }",
    },
];

/// The rule of a keyword.
pub(crate) fn rule(keyword: &str) -> Option<&'static BlockRule> {
    BLOCKS.iter().find(|rule| rule.keyword == keyword)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_ordered_and_its_rows_are_possible() {
        assert!(BLOCKS.is_sorted_by_key(|rule| rule.keyword));
        for rule in BLOCKS {
            assert!(rule.least <= rule.labels.len());
            assert!(rule.shape.starts_with(rule.keyword));
        }
    }
}
