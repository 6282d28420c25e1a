//! The layout, by examples and by its laws over programs and any tokens.

use std::path::{Path, PathBuf};

use pcl_format::{format, format_range};
use pcl_syntax::{SyntaxKind, SyntaxTree, parse};
use proptest::prelude::*;

fn formatted(text: &str) -> String {
    format(&parse(text)).unwrap_or_else(|| panic!("does not parse:\n{text}"))
}

/// Everything except spaces and empty lines.
fn tokens(tree: &SyntaxTree) -> Vec<(SyntaxKind, &str)> {
    let text = tree.text();
    let tokens = tree.tokens().iter();
    let mut found: Vec<_> = tokens
        .filter(|(kind, _)| !matches!(kind, SyntaxKind::Whitespace | SyntaxKind::EndOfFile))
        .map(|(kind, range)| (kind, &text[range.to_usize()]))
        .collect();
    let is_end = |token: &(SyntaxKind, &str)| token.0 == SyntaxKind::Newline;
    found.dedup_by(|second, first| is_end(first) && is_end(second));
    while found.last().is_some_and(is_end) {
        found.pop();
    }
    found
}

/// The text with other spaces wherever spaces are allowed within a line.
fn with_blanks(tree: &SyntaxTree, mut blanks: impl FnMut(usize) -> usize) -> String {
    let mut out = String::new();
    for (kind, range) in tree.tokens().iter() {
        match kind {
            SyntaxKind::Whitespace => {
                let width = blanks(out.len()).max(1);
                out.extend(std::iter::repeat_n(' ', width));
            }
            _ => out.push_str(&tree.text()[range.to_usize()]),
        }
    }
    out
}

/// The laws, for a text that parses.
fn keeps_the_laws(text: &str) {
    let tree = parse(text);
    let Some(out) = format(&tree) else { return };
    let again = parse(out.as_str());
    assert!(!again.is_refused(), "{text}\n-- became\n{out}");
    assert_eq!(tokens(&tree), tokens(&again), "{text}\n-- became\n{out}");
    assert_eq!(format(&again).as_deref(), Some(&*out), "not settled");
    for width in [1, 3, 8] {
        let spaced = parse(with_blanks(&tree, |_| width));
        assert_eq!(format(&spaced).as_deref(), Some(&*out), "blanks matter");
    }
}

fn programs_below(directory: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(directory).expect("the corpus can be read");
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            programs_below(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "pp") {
            found.push(path);
        }
    }
}

fn visit(directory: &Path) -> usize {
    let mut found = Vec::new();
    programs_below(directory, &mut found);
    for path in &found {
        if let Ok(text) = std::fs::read_to_string(path) {
            keeps_the_laws(&text);
        }
    }
    found.len()
}

#[test]
fn our_programs() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus");
    assert!(visit(&corpus) > 100);
}

/// Thousands of programs that others wrote, where they are at hand.
#[test]
fn shared_programs() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus/programs");
    if !shared.is_dir() {
        println!("skipped: {} is not beside this checkout", shared.display());
        return;
    }
    assert!(visit(&shared) > 3000);
}

#[test]
fn what_does_not_parse_is_left_alone() {
    assert_eq!(format(&parse("a = \n")), None);
    assert_eq!(format(&pcl_syntax::parse_bytes(b"a = \"\xff\"\n")), None);
}

#[test]
fn blanks_between_tokens() {
    for (written, expected) in [
        ("a=b?c:d", "a = b ? c : d"),
        ("a=- x+ - y - ! z", "a = -x + -y - !z"),
        ("a = f ( x , [ 1,2 ] ... )", "a = f(x, [1, 2]...)"),
        ("a = std :: f( )", "a = std::f()"),
        ("a={b=1,c : 2}", "a = { b = 1, c: 2 }"),
        ("a={ }", "a = {}"),
        ("a = x [ 0 ] . y . 1 [ * ] . z", "a = x[0].y.1[*].z"),
        ("a = x.0 .1", "a = x.0 .1"),
        ("a = x.0. 1", "a = x.0. 1"),
        ("a = 3 .  2 . b. 1", "a = 3 .2 .b.1"),
        ("a = [ for k,v in xs:v if v>0 ]", "a = [for k, v in xs : v if v > 0]"),
        ("a = {for k,v in xs:k=>v...}", "a = { for k, v in xs : k => v... }"),
        ("a = [for x in (xs):-x]", "a = [for x in (xs) : -x]"),
        (
            "a = \"x ${ y+1 } %{if z}  t%{ else }u%{endif} \"",
            "a = \"x ${y + 1} %{ if z }  t%{ else }u%{ endif } \"",
        ),
        ("resource   a \"b\"{}", "resource a \"b\" {}"),
        ("a = (/* one */b)// two", "a = (/* one */ b) // two"),
        ("\u{feff}  a=1", "\u{feff}a = 1"),
    ] {
        assert_eq!(formatted(written), format!("{expected}\n"));
        keeps_the_laws(written);
    }
}

#[test]
fn lines_are_indented_by_what_is_open() {
    let text = "a = [{\nb = 1\n}, {\nc = f(\nd,\n[\ne\n]\n)\n}]\n\n\nx = <<-END\n  kept\n    as it is ${\n y\n }\n  END\nlast {\n# comment\n}\n";
    let expected = "a = [{\n  b = 1\n}, {\n  c = f(\n    d,\n    [\n      e\n    ]\n  )\n}]\n\n\nx = <<-END\n  kept\n    as it is ${\n  y\n}\n  END\nlast {\n  # comment\n}\n";
    assert_eq!(formatted(text), expected);
    keeps_the_laws(text);
}

#[test]
fn equals_and_comments_are_aligned() {
    let text = "a = 1 # one\nlonger = 22\nb = 3 # three\nc = 4444 # four\n\nd = { # five\n  \"key\" = 1\n  kk = [\n  ]\n  größe = 2\n  l = 3\n}\n";
    let expected = "a      = 1 # one\nlonger = 22\nb      = 3    # three\nc      = 4444 # four\n\nd = { # five\n  \"key\" = 1\n  kk = [\n  ]\n  größe = 2\n  l     = 3\n}\n";
    assert_eq!(formatted(text), expected);
    keeps_the_laws(text);
}

#[test]
fn what_begins_far_to_the_right_is_not_aligned() {
    let text = |width: usize| {
        let (name, list) = ("n".repeat(width), "1, ".repeat(width / 3));
        format!("a = 1 # one\n{name} = 2 # two\nb = 3\nc = [{list}] # three\ndd = 4 # four\n")
    };
    let within = formatted(&text(200));
    assert!(within.contains(&format!("a{} = 1 # one\n", " ".repeat(199))));
    let beyond = formatted(&text(201));
    assert!(beyond.starts_with("a = 1 # one\nnnn"), "{beyond}");
    assert!(beyond.contains("] # three\ndd = 4 # four\n"), "{beyond}");
    keeps_the_laws(&text(200));
    keeps_the_laws(&text(201));
}

/// One long line among many short ones.
#[test]
fn the_result_is_linear_in_the_text() {
    let n = 2_000;
    let (long, lines) = ("n".repeat(10 * n), "a = 1 # c\n".repeat(n));
    let lines = lines.lines().enumerate().map(|(at, line)| format!("a{at}{line}\n"));
    let lines: String = lines.collect();
    for text in [
        format!("{lines}{long} = 1\n{}", lines.replace('a', "b")),
        format!("{lines}last = \"{long}\" # c\n"),
        format!("x = {{\n{}\"{long}\" = 1\n}}\n", lines.replace(" # c", "")),
        format!("x = [\n{}{long}, # c\n]\n", "1, # c\n".repeat(n)),
    ] {
        assert!(formatted(&text).len() < 2 * text.len());
    }
}

#[test]
fn a_heredoc_ends_a_run() {
    let text = "a = 1\nlong = <<E\n x\nE\nb = 2\n";
    let expected = "a    = 1\nlong = <<E\n x\nE\nb = 2\n";
    assert_eq!(formatted(text), expected);
    // Without a line ending behind its marker it is accepted with a warning.
    assert_eq!(formatted("a=<<E\n x\nE"), "a = <<E\n x\nE\n");
}

#[test]
fn empty_lines_are_few() {
    let text = "a = 1\n\n\n\n\nb {\n\n\n\n  c = 2\n  d = [\n\n\n    1\n  ]\n\n\n}\n\n  \n\n";
    let expected = "a = 1\n\n\nb {\n\n  c = 2\n  d = [\n\n    1\n  ]\n\n}\n";
    assert_eq!(formatted(text), expected);
    keeps_the_laws(text);
    assert_eq!(formatted("a = <<E\n\n\n\n\nE\n"), "a = <<E\n\n\n\n\nE\n");
    assert_eq!(formatted("a=1\r\nb=2"), "a = 1\r\nb = 2\r\n");
    assert_eq!(formatted(""), "");
    assert_eq!(formatted("\n\n"), "");
}

#[test]
fn formatting_is_switched_off_and_on() {
    let text = "a  =  1\n# pcl: off\nb  =  [1,\n     2]\n\n\n\n\n# pcl: on\nc  =  {\n// pcl: off\n      d=1\n# pcl: on\ne=2\n}\n";
    let expected = "a = 1\n# pcl: off\nb  =  [1,\n     2]\n\n\n\n\n# pcl: on\nc = {\n// pcl: off\n      d=1\n# pcl: on\n  e = 2\n}\n";
    assert_eq!(formatted(text), expected);
    assert_eq!(formatted(expected), expected);
}

#[test]
fn a_range_is_formatted_alone() {
    let text = "a=1\nb = {\nc=2\nddd=3\n}\n\n\n\ne=4";
    let range = |range| format_range(&parse(text), range).expect("it parses");
    assert_eq!(range(3..=4), "a=1\nb = {\n  c   = 2\n  ddd = 3\n}\n\n\n\ne=4");
    assert_eq!(range(1..=1), "a = 1\nb = {\nc=2\nddd=3\n}\n\n\n\ne=4");
    assert_eq!(range(6..=9), "a=1\nb = {\nc=2\nddd=3\n}\n\n\ne = 4\n");
    assert_eq!(range(20..=30), text);
}

#[test]
fn carriage_returns_stay() {
    assert_eq!(formatted("a=1\r\n  bb=2\r\n"), "a  = 1\r\nbb = 2\r\n");
}

proptest! {
    /// Tokens in any order: mostly nonsense, of which the valid texts are kept.
    #[test]
    fn any_tokens(parts in prop::collection::vec(prop::sample::select(vec![
        "a", "b", " ", "  ", "=", "1", ".", "2", "[", "]", "(", ")", "{", "}", ",", ":", "?", "\n", "\"t\"", "-", "!",
        "+", "...", "::", "*", "/* c */", "# c\n", "for ", "in ", "if ", "\"${", "}\"", "=>", "<<E\n", "\nE\n", "%{",
    ]), 0..14)) {
        keeps_the_laws(&parts.concat());
        keeps_the_laws(&format!("a = {}\n", parts.concat()));
    }

    /// Blanks of any number between the tokens of a program give one text.
    #[test]
    fn any_blanks(seed in any::<u64>()) {
        let text = include_str!("../../corpus/valid/comments-everywhere/main.pp");
        let tree = parse(text);
        let spaced = with_blanks(&tree, |at| (seed.wrapping_mul(at as u64 | 1) >> 60) as usize);
        prop_assert_eq!(format(&parse(spaced)), format(&tree));
    }
}
