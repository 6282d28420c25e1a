//! The tables of the reference pages, `tests/spec/blocks`, which are generated from the rules that
//! programs are checked by.

use std::fmt::Write as _;

use pcl_language::{AttributeRule, BLOCKS, BlockRule, OPTIONS, Others, Takes};
use pcl_model::types::{TypeId, TypeStore};
use pcl_test_support::generated_part;

/// The values that are allowed, for a cell of a table.
fn takes(types: &mut TypeStore, takes: Takes) -> String {
    match takes {
        Takes::Value(ty) => {
            let ty = types.static_type(&ty);
            match ty {
                TypeId::DYNAMIC => "anything".to_owned(),
                _ => format!("`{}`", types.text(ty).replace('|', "\\|")),
            }
        }
        Takes::Declared => "the declared type".to_owned(),
        Takes::Properties => "paths of properties".to_owned(),
        Takes::Hooks => "lists of hooks, by moment".to_owned(),
        Takes::Text => "a plain string".to_owned(),
        Takes::Version => "a version, as a plain string".to_owned(),
        Takes::Url => "a URL, as a plain string".to_owned(),
        Takes::Base64 => "base64, as a plain string".to_owned(),
        Takes::Switch => "`true` or `false`".to_owned(),
    }
}

fn row(types: &mut TypeStore, rule: &AttributeRule) -> String {
    let takes = takes(types, rule.takes);
    let mut says = rule.says.to_owned();
    if rule.required {
        says.push_str("; required");
    }
    if let Some(label) = rule.only_on {
        let _ = write!(says, "; only of the kind `{label}`");
    }
    format!("| `{}` | {takes} | {says} |\n", rule.name)
}

/// Everything that the rule of a block says, in Markdown.
fn table(rule: &BlockRule) -> String {
    let mut types = TypeStore::new();
    let mut text = String::new();
    let labels: Vec<&str> = rule.labels.to_vec();
    let labels = match (rule.least, labels.len()) {
        _ if rule.kind.is_none() => String::new(),
        (0, 0) => "It has no labels. ".to_owned(),
        (least, all) if least == all => format!("Labels: {}. ", labels.join(", ")),
        (least, _) => format!(
            "Labels: {}, and optionally {}. ",
            labels[..least].join(", "),
            labels[least..].join(", ")
        ),
    };
    let others = match rule.others {
        Others::Inputs => "Other attributes are its inputs.",
        Others::Ignored => "Other attributes are ignored, with a warning.",
        Others::Refused => "Other attributes are errors.",
    };
    let _ = write!(text, "{labels}{others}\n\n| attribute | value | meaning |\n|---|---|---|\n");
    for rule in rule.attributes {
        text.push_str(&row(&mut types, rule));
    }
    for nested in rule.blocks {
        let _ = write!(text, "\nIt may contain one `{}` block", nested.keyword);
        if nested.keyword == OPTIONS.keyword {
            text.push_str(", see [options](options.md).\n");
        } else {
            let _ = write!(text, ". {}", table(nested));
        }
    }
    text
}

#[test]
fn the_tables_of_blocks_are_generated() {
    for rule in BLOCKS.into_iter().chain([&OPTIONS]) {
        let page = format!("tests/spec/blocks/{}.md", rule.keyword);
        generated_part(&page, |_| format!("\n## All attributes\n\n{}\n", table(rule)));
    }
}
