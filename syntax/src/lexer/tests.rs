//! The work of the lexer: no text makes it read a byte more than twice.

use proptest::prelude::*;

use super::Lexer;
use super::recovery::Recovery;

/// Pieces that begin, end and break templates, heredocs, strings and comments.
const PIECES: &[&str] = &[
    "\"${",
    "}\"",
    "\"",
    "${",
    "%{ if a }",
    "}",
    "{",
    "(",
    "\n",
    "\r\n",
    "  ",
    "a = ",
    "x",
    "<<A\n",
    "<<-A\n",
    "\nA\n",
    "${<<A\n",
    "}\nA\n",
    "/*",
    "*/",
    "# c\n",
    "\\\"",
    "$${",
    "'",
    "b \"c\" {\n",
];

/// Pieces that repeat, up to some hundred nested or unclosed constructs.
fn soup() -> impl Strategy<Value = String> {
    let run = prop::collection::vec(prop::sample::select(PIECES), 1..4);
    let repeated = (run, prop_oneof![Just(1), 2..40_usize]);
    prop::collection::vec(repeated, 1..8).prop_map(|runs| {
        let texts = runs.iter().map(|(pieces, count)| pieces.concat().repeat(*count));
        texts.collect()
    })
}

fn reads_each_byte_at_most_twice(source: &str) {
    for recovery in [None, Some(Recovery::new(source))] {
        let mut lexer = Lexer::new(source, &[], &[], recovery);
        lexer.read();
        assert!(
            lexer.given_up <= source.len(),
            "{} of {} bytes given up: {source:?}",
            lexer.given_up,
            source.len()
        );
    }
}

#[test]
fn an_unclosed_heredoc_in_nested_templates_is_read_once() {
    let (open, close) = ("\"${".repeat(100), "}\"".repeat(50));
    let heredocs = "}\nA\n".repeat(8);
    reads_each_byte_at_most_twice(&format!("{open}\n{close}${{<<A\n{heredocs}"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_soup_is_read_at_most_twice(source in soup()) {
        reads_each_byte_at_most_twice(&source);
    }
}
