//! An edited tree is the tree of the edited text.

mod support;

use pcl_diagnostics::{FileId, Span, TextEdit, TextRange};
use pcl_syntax::{SyntaxTree, parse, parse_bytes, parse_expression};
use proptest::prelude::*;
use support::soup::{PROGRAM, soup};

fn edit(start: usize, end: usize, text: &str) -> TextEdit {
    let range = TextRange::new(start as u32, end as u32);
    TextEdit::replace(Span::new(FileId(0), range), text)
}

/// Replaces the first `old` by `new`, and compares.
fn replace(source: &str, old: &str, new: &str) -> SyntaxTree {
    let start = source.find(old).expect("it is there");
    let tree = parse(source).edit(&[edit(start, start + old.len(), new)]);
    let tree = tree.expect("it fits");
    assert_eq!(tree, parse(source.replacen(old, new, 1)));
    tree
}

const ITEMS: &str = "a = 1\n\n# note\nsvc \"x\" {\n  b = <<E\n  t\nE\n}\nc = [\n  2,\n] # two\n";

#[test]
fn items_are_changed_added_and_removed() {
    for (old, new) in [
        ("1", "\"${x}\""),
        ("1", "1 +"),
        ("a = 1\n", ""),
        ("# note\n", "n = {}\n"),
        ("\n\n#", "\n#"),
        ("  2,\n", ""),
        ("2", "2, 3"),
        ("E\n}", "E"),
        ("}\n", "} c = 3\n"),
        (" # two\n", ""),
        ("c", "a"),
        ("a", "c"),
        ("a", "\u{FEFF}a"),
        ("svc", "\u{FEFF}svc"),
        ("]", ""),
        ("  t", "E"),
        ("", "# first"),
        ("", "\n"),
    ] {
        replace(ITEMS, old, new);
    }
}

#[test]
fn a_broken_item_is_mended_in_place() {
    let broken = format!("a = (1\n{}", ITEMS.replace("a =", "z ="));
    assert!(replace(&broken, "(1", "(1)").errors().is_empty());
}

#[test]
fn other_entries_and_other_bytes() {
    let tree = parse_expression("1 + x").edit(&[edit(4, 5, "y")]);
    assert_eq!(tree, Some(parse_expression("1 + y")));
    let tree = parse_bytes(*b"a = \"\xFF\"\nb = 1\n").edit(&[edit(8, 8, "# c\n")]);
    assert_eq!(tree, Some(parse_bytes(*b"a = \"\xFF\"\n# c\nb = 1\n")));
}

#[test]
fn edits_that_do_not_fit_are_refused() {
    let tree = parse("a = \"é\"\n");
    assert_eq!(tree.edit(&[edit(6, 6, "x")]), None);
    assert_eq!(tree.edit(&[edit(4, 90, "x")]), None);
    assert_eq!(tree.edit(&[edit(0, 4, "x"), edit(3, 4, "")]), None);
    let both = tree.edit(&[edit(0, 0, "b"), edit(0, 0, "c")]);
    assert_eq!(both, Some(parse("bca = \"é\"\n")));
}

/// Texts that are mostly valid at the top level.
fn program() -> impl Strategy<Value = String> {
    let item = prop_oneof![
        Just("a = 1\n"),
        Just("b = [\n  1,\n]\n"),
        Just("c = <<E\n  x\nE\n"),
        Just("svc \"x\" {\n  a = 1\n}\n"),
        Just("\n"),
        Just("# c\n"),
        Just("/* c\n */\n"),
        Just("d = \"${e}\"\r\n"),
        Just("a.b = 1\n"),
        Just("e = (1\n"),
    ];
    let items = prop::collection::vec(item, 0..8).prop_map(|items| items.concat());
    prop_oneof![8 => items, 1 => soup(), 1 => Just(PROGRAM.to_owned())]
}

fn change() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => prop::sample::select(vec!["", "a = 2\n", "x", "\n", "}", "{", "# c\n", "f = 1\n", "\""])
            .prop_map(str::to_owned),
        1 => soup(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn an_edit_is_a_fresh_parse(
        source in program(),
        places in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..12, change()), 1..3),
    ) {
        let mut at: Vec<(usize, usize, &str)> = places
            .iter()
            .map(|(start, len, text)| {
                let start = support::soup::floor(&source, start.index(source.len() + 1));
                (start, support::soup::floor(&source, (start + len).min(source.len())), text.as_str())
            })
            .collect();
        at.sort();
        if at.windows(2).any(|pair| pair[0].1 > pair[1].0) {
            at.truncate(1);
        }
        let edits: Vec<TextEdit> = at.iter().map(|&(start, end, text)| edit(start, end, text)).collect();
        let mut expected = source.clone();
        for (start, end, text) in at.iter().rev() {
            expected.replace_range(start..end, text);
        }
        let tree = parse(source.as_str()).edit(&edits);
        prop_assert_eq!(tree, Some(parse(expected)));
    }
}
