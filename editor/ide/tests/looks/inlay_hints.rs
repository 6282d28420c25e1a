use pcl::diagnostics::Span;
use pcl_ide::{InlayHints, inlay_hints};

use crate::support::marked;

/// The text with its hints in brackets; those in the selection, if there is one.
fn shown(text: &str, wanted: InlayHints) -> String {
    let (mut analysis, Span { file, range }) = marked(text);
    let all = analysis.tree(file).expect("a tree").root().range();
    let range = if range.is_empty() { all } else { range };
    let hints = inlay_hints(&mut analysis, Span::new(file, range), wanted);
    let text = analysis.checked.sources.text(file);
    let mut shown = String::new();
    let mut at = 0;
    for hint in hints {
        shown.push_str(&text[at..hint.offset as usize]);
        let more = if hint.whole.is_some() { " …" } else { "" };
        shown.push_str(&format!("⟦{}{more}⟧", hint.label));
        at = hint.offset as usize;
    }
    shown + &text[at..]
}

const ALL: InlayHints = InlayHints { types: true, parameter_names: true };

fn check(cases: &[&str], wanted: InlayHints) {
    for expected in cases {
        let mut text = (*expected).to_owned();
        while let Some((before, rest)) = text.split_once('⟦') {
            let (_, after) = rest.split_once('⟧').expect("the end of a hint");
            text = format!("{before}{after}");
        }
        assert_eq!(shown(&text, wanted), *expected);
    }
}

#[test]
fn locals_and_variables_have_types() {
    check(
        &[
            // The type of a literal can be seen.
            "a = 1\nb = \"x\"\nc = null\nd⟦: string⟧ = \"${b}-\"\n",
            "a⟦: (string, bool)⟧ = [\"x\", true]\n",
            "a⟦: { more: (), x: (string), y: { long: stri… …⟧ = { x = [\"\"], y = { long = \"\", other = \"\" }, more = [] }\n",
            "c⟦: { x: string }⟧ = { x = \"\" }\nd⟦: list(string)⟧ = [for k⟦: string⟧, v⟦: string⟧ in c: k]\n",
            "a⟦: string⟧ = \"%{ for é⟦: string⟧ in [\"x\"] }${é}%{ endfor }\"\nb⟦: string⟧ = join(\n",
            // Nothing is known about it.
            "e = nothing\n",
        ],
        ALL,
    );
}

#[test]
fn range_has_a_type() {
    let of = |range: &str| {
        format!(
            "resource t \"orchard:index:Tree\" {{\n  trunk = {{ name = \"\" }}\n  options {{\n    {range}\n  }}\n}}\n"
        )
    };
    let cases = [
        of("range⟦: { key: int, value: string }⟧ = [\"a\"]"),
        of("range⟦: { key: string, value: string }⟧ = { a = \"b\" }"),
        of("range⟦: { value: int }⟧ = 3"),
        of("range = true"),
    ];
    check(&cases.each_ref().map(|case| &**case), ALL);
}

#[test]
fn arguments_have_the_names_of_their_parameters() {
    let cases = [
        "list⟦: (string)⟧ = [\"x\"]\nindex = 0\na⟦: string⟧ = element(list, ⟦index:⟧0)\n",
        "list⟦: (string)⟧ = [\"x\"]\nindex = 0\na⟦: string⟧ = element(⟦list:⟧list[*], index)\n",
        "a⟦: string⟧ = join(⟦separator:⟧\"-\", ⟦strings:⟧[\"x\"])\nb⟦: int⟧ = length([])\n",
        "a = nothing(1, 2)\n",
        "a⟦: string⟧ = join(⟦separator:⟧\"-\", \n",
    ];
    check(&cases, ALL);
}

#[test]
fn hints_can_be_left_out() {
    let types = InlayHints { types: true, parameter_names: false };
    check(&["a⟦: string⟧ = join(\"-\", [for x⟦: string⟧ in [\"\"]: x])\n"], types);
    let names = InlayHints { types: false, parameter_names: true };
    check(&["a = join(⟦separator:⟧\"-\", ⟦strings:⟧[for x in [\"\"]: x])\n"], names);
    let part = "a = [true]\n▮b = [true]\n▮c = [true]\n";
    assert_eq!(shown(part, ALL), "a = [true]\nb⟦: (bool)⟧ = [true]\nc = [true]\n");
}
