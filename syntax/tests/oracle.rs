//! `hcl-edit`, another parser of the same syntax, as an oracle for what is accepted.

mod support;

use hcl_edit::structure::{Body as HclBody, Structure};
use pcl_syntax::ast::{Body, Item};
use pcl_syntax::parse;
use proptest::prelude::*;

/// Vectors on which `hcl-edit` decides otherwise than the reference and we do, by what it does.
const DIVERGENCES: &[(&str, &[&str])] = &[
    (
        "a lone carriage return ends a line comment, and is text elsewhere",
        &["triv-line-comment-lone-cr", "here-lone-cr"],
    ),
    ("identifiers are those of a later Unicode", &["id-zwj"]),
    (
        "a number with two points is a number with legacy indexes",
        &[
            "num-two-dots",
            "num-exp-frac",
            "num-invalid-does-not-derail",
        ],
    ),
    (
        "a quoted string may hold line endings",
        &[
            "str-newline",
            "str-crlf-inside",
            "str-blank-lines-inside",
            "block-label-newline",
        ],
    ),
    (
        "a heredoc ends at its marker and anything that is no name",
        &["here-prefix-not-close", "here-close-paren-same-line"],
    ),
    ("a splat may stand on lines of its own", &["nl-splat-index"]),
    (
        "legacy indexes are plain digits, and may follow each other",
        &[
            "trav-legacy-zeroes",
            "trav-legacy-exp",
            "trav-legacy-chain",
            "trav-legacy-chain-cont",
            "splat-attr-legacy-chain",
        ],
    ),
    ("attribute splats nest", &["splat-attr-nested"]),
    ("a key may stand only once", &["obj-dup-keys"]),
    (
        "`for` and `in` are recognised by what follows them",
        &[
            "for-as-first-item",
            "for-as-first-key-colon",
            "for-in-prefix",
        ],
    ),
    ("a byte order mark is refused", &["lex-bom"]),
];

#[test]
fn verdicts_differ_only_where_it_is_written_down() {
    let known: Vec<&str> = DIVERGENCES
        .iter()
        .flat_map(|(_, ids)| ids.iter().copied())
        .collect();
    let mut faults = String::new();
    for vector in support::vectors() {
        let (Some(id), Some(source)) = (vector["id"].as_str(), vector["source"].as_str()) else {
            continue;
        };
        if vector["entry"].as_str() == Some("expr") {
            continue;
        }
        let ours = !parse(source).is_refused();
        let theirs = source.parse::<HclBody>().is_ok();
        if (ours != theirs) != known.contains(&id) {
            faults += &format!("{id}: ours {ours}, hcl-edit {theirs}\n");
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

/// Names, labels and nesting, which both trees have.
fn outline(body: Body<'_>) -> String {
    let mut text = String::new();
    for item in body.items() {
        match item {
            Item::Attribute(attribute) => {
                text += attribute.name().map_or("?", |name| name.text());
                text += ";";
            }
            Item::Block(block) => {
                text += block.keyword().map_or("?", |keyword| keyword.text());
                for label in block.labels() {
                    text += &format!(" {}", label.text());
                }
                text += &format!("({})", block.body().map(outline).unwrap_or_default());
            }
            Item::Bogus(_) => text += "?",
        }
    }
    text
}

fn hcl_outline(body: &HclBody) -> String {
    let mut text = String::new();
    for structure in body {
        match structure {
            Structure::Attribute(attribute) => text += &format!("{};", attribute.key.as_str()),
            Structure::Block(block) => {
                text += block.ident.as_str();
                for label in &block.labels {
                    text += &format!(" {}", label.as_str());
                }
                text += &format!("({})", hcl_outline(&block.body));
            }
        }
    }
    text
}

fn name() -> impl Strategy<Value = String> {
    "[a-z][a-z0-9_]{0,6}".prop_filter("a word of the language", |name| {
        !matches!(
            name.as_str(),
            "for" | "in" | "if" | "true" | "false" | "null"
        )
    })
}

fn text() -> impl Strategy<Value = String> {
    r#"[a-zA-Z0-9 .,:/-]{0,8}(\\n|\\"|\\\\|\\u00e9|\$\$\{|%%\{)?"#
}

/// A valid expression on one line.
fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        name(),
        (0_u32..10_000).prop_map(|n| n.to_string()),
        Just("1.5".to_owned()),
        Just("true".to_owned()),
        Just("null".to_owned()),
        text().prop_map(|text| format!("\"{text}\"")),
        (name(), name()).prop_map(|(a, b)| format!("{a}.{b}")),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let list = prop::collection::vec(inner.clone(), 0..4);
        prop_oneof![
            list.clone()
                .prop_map(|items| format!("[{}]", items.join(", "))),
            (name(), list).prop_map(|(name, items)| format!("{name}({})", items.join(", "))),
            (name(), inner.clone()).prop_map(|(key, value)| format!("{{ {key} = {value} }}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} + {b})")),
            (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(a, b, c)| format!("({a} ? {b} : {c})")),
            inner.clone().prop_map(|a| format!("(!{a})")),
            (name(), inner.clone()).prop_map(|(a, key)| format!("{a}[{key}]")),
            (name(), name()).prop_map(|(a, b)| format!("{a}[*].{b}")),
            (text(), inner.clone()).prop_map(|(text, a)| format!("\"{text}${{{a}}}\"")),
            (name(), name(), inner.clone()).prop_map(|(v, w, a)| format!("[for {v} in {w} : {a}]")),
            (name(), name(), inner)
                .prop_map(|(v, w, a)| format!("{{for {v} in {w} : {v} => {a}}}")),
        ]
    })
}

/// A valid body: attributes and blocks.
fn program() -> impl Strategy<Value = String> {
    let attributes = |indent: &'static str| {
        prop::collection::vec(expression(), 0..4).prop_map(move |values| {
            let lines = values.into_iter().enumerate();
            let lines = lines.map(|(at, value)| format!("{indent}k{at} = {value} # note\n"));
            lines.collect::<String>()
        })
    };
    let block = (name(), text(), attributes("  "), attributes("    ")).prop_map(
        |(keyword, label, own, inner)| {
            format!(
                "{keyword} \"{}\" {{\n{own}  options {{\n{inner}  }}\n}}\n",
                label.replace(['$', '%'], "")
            )
        },
    );
    (attributes(""), prop::collection::vec(block, 0..3))
        .prop_map(|(own, blocks)| own + &blocks.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn both_read_the_same_out_of_a_valid_program(source in program()) {
        let tree = parse(source.as_str());
        prop_assert_eq!(tree.errors(), &[], "{}", source);
        let theirs = source.parse::<HclBody>();
        prop_assert!(theirs.is_ok(), "{}\n{:?}", source, theirs);
        prop_assert_eq!(outline(tree.file().body()), hcl_outline(&theirs.unwrap_or_default()));
    }

    /// What one of the two refuses after the loss of a character the other refuses too.
    #[test]
    fn both_refuse_the_same_damage(source in program(), at in any::<prop::sample::Index>()) {
        if source.is_empty() {
            return Ok(());
        }
        let mut damaged = source;
        damaged.remove(at.index(damaged.len()));
        if is_written_down(&damaged) {
            return Ok(());
        }
        let ours = !parse(damaged.as_str()).is_refused();
        prop_assert_eq!(ours, damaged.parse::<HclBody>().is_ok(), "{}", damaged);
    }
}

/// Whether a damaged program shows one of the known differences.
fn is_written_down(text: &str) -> bool {
    // Strings over several lines; words that run into a number or a keyword; names set twice.
    let lines_are_quoted = text.lines().any(|line| {
        line.replace("\\\\", "")
            .replace("\\\"", "")
            .matches('"')
            .count()
            % 2
            == 1
    });
    let tree = parse(text);
    let twice = tree
        .errors()
        .iter()
        .any(|error| error.code().name() == "body-attr-redefined");
    lines_are_quoted || twice || text.contains("for")
}
