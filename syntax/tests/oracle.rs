//! `hcl-edit`, another parser of the same syntax, as an oracle for what is accepted.

mod support;

use hcl_edit::structure::Body as HclBody;
use pcl_newcomers::parse;
use pcl_test_support::divergence::{DIVERGENCES, outline, shown, their_outline};
use proptest::prelude::*;

#[test]
fn verdicts_differ_only_where_it_is_written_down() {
    let mut differences = String::new();
    for vector in support::vectors() {
        let (Some(id), Some(source)) = (vector["id"].as_str(), vector["source"].as_str()) else {
            continue;
        };
        if vector["entry"].as_str() == Some("expr") {
            continue;
        }
        let ours = !parse(source).is_refused();
        let theirs = source.parse::<HclBody>().is_ok();
        let known = DIVERGENCES.iter().find(|d| d.vectors.contains(&id));
        if (ours != theirs) != known.is_some() {
            differences += &format!("{id}: ours {ours}, hcl-edit {theirs}\n");
        }
        if known.is_some_and(|known| !(known.shows)(source, &parse(source))) {
            differences += &format!("{id}: the difference is not seen\n");
        }
    }
    assert!(differences.is_empty(), "\n{differences}");
}

/// Differences that fuzzing found.
#[test]
fn texts_show_their_differences() {
    for source in ["a = f()\n>= b\n", "a = [1]\n? 1 : 2\n"] {
        let tree = parse(source);
        assert!(tree.is_refused() && source.parse::<HclBody>().is_ok(), "{source}");
        assert!(shown(source, &tree).is_some(), "{source}");
    }
}

fn name() -> impl Strategy<Value = String> {
    "[a-z][a-z0-9_]{0,6}".prop_filter("a word of the language", |name| {
        !matches!(name.as_str(), "for" | "in" | "if" | "true" | "false" | "null")
    })
}

fn text() -> impl Strategy<Value = String> {
    r#"[a-zA-Z0-9 .,:/é中𝄞\u{301}-]{0,8}(\\n|\\"|\\\\|\\u00e9|\$\$\{|%%\{)?"#
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
            list.clone().prop_map(|items| format!("[{}]", items.join(", "))),
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
        prop_assert_eq!(outline(tree.file().body()), their_outline(&theirs.unwrap_or_default()));
    }

    /// Both refuse the same texts after the loss of a character.
    #[test]
    fn both_refuse_the_same_damage(source in program(), at in any::<prop::sample::Index>()) {
        if source.is_empty() {
            return Ok(());
        }
        let places: Vec<usize> = source.char_indices().map(|(place, _)| place).collect();
        let mut damaged = source;
        damaged.remove(*at.get(&places));
        let tree = parse(damaged.as_str());
        if shown(&damaged, &tree).is_some() {
            return Ok(());
        }
        let ours = !tree.is_refused();
        prop_assert_eq!(ours, damaged.parse::<HclBody>().is_ok(), "{}", damaged);
    }
}
