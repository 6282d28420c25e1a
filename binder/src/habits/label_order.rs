//! The order that the labels of a block are in.
//!
//! The rules, with examples: `tests/spec/habits/labels.md`.

use pcl_language::{BlockRule, HOOK_KINDS};
use pcl_newcomers::terraform;
use pcl_schema::Token;
use pcl_syntax::{ast, is_identifier};

use crate::node::NodeKind;

/// The order that the labels of a block are in.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum LabelOrder {
    /// That of PCL, as far as can be told.
    #[default]
    Written,
    /// The second one comes first.
    Swapped,
    /// Terraform's: a type of Terraform, then the name.
    Terraform,
    /// There are more than the block takes.
    Surplus,
}

impl LabelOrder {
    /// The position of the label that is the name.
    pub(crate) const fn name_label(self, rule: &BlockRule) -> usize {
        match self {
            Self::Swapped | Self::Terraform => 1 - rule.name_label,
            Self::Written | Self::Surplus => rule.name_label,
        }
    }
}

/// The words that types begin with, here and elsewhere.
const TYPES: &[&str] = &[
    "any", "array", "bool", "boolean", "dict", "float", "int", "integer", "list", "map", "number",
    "object", "set", "str", "string", "tuple",
];

/// The order of the labels of a block.
pub(crate) fn order_of(kind: NodeKind, rule: &BlockRule, block: ast::Block<'_>) -> LabelOrder {
    let mut labels = block.labels();
    let (Some(first), Some(second)) = (labels.next(), labels.next()) else {
        return LabelOrder::Written;
    };
    if labels.next().is_some() || rule.labels.len() < 2 {
        return LabelOrder::Surplus;
    }
    // Nearly every block of a program has its labels in order: that is decided first.
    let (first, second) = (first.text(), second.text());
    match kind {
        NodeKind::Resource | NodeKind::Read => {
            if second.contains(':') || second.is_empty() || block.has_broken_header() {
                LabelOrder::Written
            } else if Token::parse(&first).is_some() {
                LabelOrder::Swapped
            } else if terraform::is_known_type(&first)
                || terraform::is_type(&first) && !second.contains('_')
            {
                LabelOrder::Terraform
            } else {
                LabelOrder::Written
            }
        }
        NodeKind::Hook if !is_kind(&first) && is_kind(&second) => LabelOrder::Swapped,
        NodeKind::Config | NodeKind::Output
            if is_type(&first) && !is_type(&second) && is_identifier(&second) =>
        {
            LabelOrder::Swapped
        }
        _ => LabelOrder::Written,
    }
}

/// A name for the block whose only label is a type token: the last word of the token.
pub(crate) fn name_for(rule: &BlockRule, label: &str) -> Option<String> {
    if !matches!(rule.kind, Some(NodeKind::Resource | NodeKind::Read)) {
        return None;
    }
    let (_, member) = Token::parse(label).and(label.rsplit_once(':'))?;
    let mut letters = member.chars();
    let first = letters.next()?.to_lowercase();
    let name: String = first.chain(letters).collect();
    is_identifier(&name).then_some(name)
}

fn is_kind(label: &str) -> bool {
    HOOK_KINDS.contains(&label)
}

fn is_type(label: &str) -> bool {
    let word = label.split('(').next().unwrap_or_default();
    TYPES.contains(&word.trim())
}
