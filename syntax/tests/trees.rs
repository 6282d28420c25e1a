//! Trees of small texts, one for each production and for each way in which one recovers.

use std::fmt::Write;

use pcl_newcomers::parse;
use pcl_syntax::{MAX_DEPTH, SyntaxKind, dump};

/// Snapshots of several texts in one file, each under its text.
fn trees(texts: &[&str]) -> String {
    let mut all = String::new();
    for text in texts {
        let _ = writeln!(all, "--- {text:?}\n{}", dump(&parse(*text)));
    }
    all
}

#[test]
fn body() {
    insta::assert_snapshot!(trees(&[
        "",
        "# only a comment\n",
        "a = 1 # why\n",
        "svc \"x\" y {\n  a = 1\n\n  tls {}\n}\n",
        "svc { a = 1 }\n",
    ]));
}

#[test]
fn traversal() {
    insta::assert_snapshot!(trees(&[
        "a = b.c[0].d[e].f\n",
        "a = b.0[\"k\"][-1]\n",
        "a = b[*].c[d].*.e\n",
        "a = b.*.c[0]\n",
        "a = n::f(x, y...)[0]\n",
    ]));
}

#[test]
fn operator() {
    insta::assert_snapshot!(trees(&[
        "a = 1 + 2 * -b.c - 3\n",
        "a = b ? c : d ? e : f\n",
        "a = (1 +\n  2)\n"
    ]));
}

#[test]
fn collection() {
    insta::assert_snapshot!(trees(&[
        "a = [1, \"x\",]\n",
        "a = { b = 1, (c) : 2\n  \"d\" = null }\n",
        "a = [for k, v in w : v if k]\n",
        "a = {for v in w : v => v...}\n",
    ]));
}

#[test]
fn template() {
    insta::assert_snapshot!(trees(&[
        "a = \"x${b}$${\\n\"\n",
        "a = \"%{ if b ~}x%{ else }y%{ endif }\"\n",
        "a = \"%{ for k, v in w }${v}%{ endfor }\"\n",
        "a = <<-E\n  x ${b}\n  E\n",
    ]));
}

#[test]
fn recovery_in_bodies() {
    insta::assert_snapshot!(trees(&[
        "a = 1 b = 2\n",
        "port : 80\n",
        "a.b = 1\n",
        ") junk\na = 1\n",
        "svc \"x\"\n  a = 1\n}\nb = 2\n",
        "svc {\n  a = 1\n\nb \"y\" {\n}\n",
        "svc {\n  tls {\n    a = 1\n}\nb = 2\n",
    ]));
}

#[test]
fn recovery_in_expressions() {
    insta::assert_snapshot!(trees(&[
        "a = [1 2, 3\nb = 4\n",
        "a = f(1, [2)\n",
        "a = { b, c = }\n",
        "a = {\n  b = \n    c = 1\n  }\n}\n",
        "a = b & c\n",
        "a = 'x'\n",
        "a = b ? c\n",
        "a =\n  1\n",
        "a = [1, 2 ) 3]\n",
        "a = [1 = 2 ; 3 => 4]\n",
        "a = [1 ? 2 @ 3, 4]\n",
        "a = ([1, (2]))\n",
    ]));
}

#[test]
fn recovery_in_templates() {
    insta::assert_snapshot!(trees(&[
        "a = \"x\nb = 1\n",
        "a = \"x${y\"\nb = 1\n",
        "a = \"${f(\"\nb = 1\n",
        "svc \"x {\n  a = 1\n}\n",
        "a = <<E\n  x\nb = 1\n",
        "a = \"%{ if b }x\"\n",
    ]));
}

#[test]
fn what_is_always_wrong() {
    insta::assert_snapshot!(trees(&[
        "\u{FEFF}/* a */ a = b | c\n",
        "a = `b`\n",
        "a = 'b'\n",
        "a = 1;\n",
        "a = b @ c\n",
        "a = 1 /* open",
        "a = \"%{ unless }x\"\n",
    ]));
}

#[test]
fn notation_of_other_languages() {
    insta::assert_snapshot!(trees(&[
        "let a := 1\n",
        "a = b if c else d\n",
        "a {\n  b:\n    - 1\n    - 2\n  c = 3\n}\n",
        "-- a\nb = not c\n",
    ]));
}

#[test]
fn bytes_that_are_not_utf8() {
    insta::assert_snapshot!(dump(&pcl_newcomers::parse_bytes(*b"a = \xFF\xFE\n")));
}

#[test]
fn signs() {
    insta::assert_snapshot!(trees(&[
        "a = b || c && d == e != f\n",
        "a = b < c <= d > e >= f\n",
        "a = !b % c * d / e + f - g\n",
    ]));
}

/// Every kind of token and node occurs in some snapshot.
#[test]
fn every_kind_is_shown() {
    let declared = include_str!("../src/kind.rs").lines();
    let declared = declared.filter_map(|line| line.strip_prefix("    ")?.strip_suffix(','));
    let mut kinds: Vec<&str> = declared
        .filter(|name| name.starts_with(|c: char| c.is_ascii_uppercase()))
        .filter(|name| name.bytes().all(|byte| byte.is_ascii_alphanumeric()))
        .collect();
    // A dump omits spaces, and the end of the file, which has no text.
    kinds.retain(|kind| !matches!(*kind, "Whitespace" | "EndOfFile"));
    assert!(kinds.len() > 80, "{kinds:?}");
    let snapshots = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/snapshots");
    let snapshots = std::fs::read_dir(snapshots).expect("there are snapshots");
    let shown: String = snapshots
        .flatten()
        .filter(|file| file.file_name().to_string_lossy().starts_with("trees__"))
        .filter_map(|file| std::fs::read_to_string(file.path()).ok())
        .collect();
    let is_shown = |kind: &str| [' ', '\n'].iter().any(|c| shown.contains(&format!("{c}{kind}@")));
    kinds.retain(|kind| !is_shown(kind));
    assert!(kinds.is_empty(), "no snapshot shows {kinds:?}");
}

#[test]
fn a_text_is_never_copied() {
    let bytes = b"name = \"a\"\n".to_vec();
    let place = bytes.as_ptr();
    let tree = pcl_newcomers::parse_bytes(bytes);
    let mut map = pcl_diagnostics::SourceMap::new();
    let file = map.add("main.pp", tree.text().clone());
    assert_eq!(tree.text().as_ptr(), place);
    assert_eq!(map.text(file).as_ptr(), place);
}

/// The names of all errors: a second one is as easily lost as added.
#[test]
fn errors_of_rare_mistakes() {
    let deep = |open: &str, rest: &str| format!("a = {}{rest}\n", open.repeat(300));
    let texts = [
        ("resource [\"a\" \"b\" {\n}\n", "block-header"),
        ("resource (\"a\" \"b\" {\n}\n", "block-header"),
        ("b { a = 1, \"c\" = 2 }\n", "block-oneline-comma body-item-required"),
        ("b { a = 1\n\"c\" = 2\n}\n", "block-oneline-newline body-item-required"),
        ("a = \"%{ if b }%{ else }%{ else c }%{ endif }\"\n", "tmpl-else-dup ctrl-extra"),
        ("a = \"%{ for b in c }%{ else d }%{ endfor }\"\n", "tmpl-for-else ctrl-extra"),
        (&deep("-", ""), "nesting-too-deep"),
        (&deep("-", ", b"), "nesting-too-deep"),
        (&deep("(", ""), "paren-unbalanced nesting-too-deep"),
        (&deep("[", ",]"), "tuple-unterminated nesting-too-deep"),
        (&deep("f(", ","), "call-unterminated nesting-too-deep"),
    ];
    for (text, errors) in texts {
        let tree = parse(text);
        let names = tree.errors().iter().map(|error| error.code().name());
        assert_eq!(names.collect::<Vec<_>>().join(" "), errors, "{text}");
    }
}

/// At the limit of nesting an operand is kept as a bogus expression, and one that is missing is
/// none.
#[test]
fn operands_that_nest_too_deep() {
    let bogus = |depth: usize, operand: &str| {
        let (open, close) = ("(".repeat(depth), ")".repeat(depth));
        let tree = parse(format!("a = {open}{operand}{close}\n"));
        let nodes = tree.root().descendants();
        let bogus = nodes.filter(|node| node.kind() == SyntaxKind::BogusExpr);
        let texts: Vec<_> = bogus.map(|node| node.text().to_owned()).collect();
        (texts, tree.errors().len())
    };
    assert_eq!(bogus(MAX_DEPTH - 1, "b"), (vec![], 0));
    assert_eq!(bogus(MAX_DEPTH, "b"), (vec!["b".to_owned()], 1));
    assert_eq!(bogus(MAX_DEPTH, ""), (vec![], 1));
}
