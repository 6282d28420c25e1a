//! Laws that hold for every text.

mod support;

use std::path::Path;

use pcl_newcomers::{parse, parse_bytes, parse_expression};
use pcl_syntax::ast::{AstNode, Expr, TemplatePart, TemplateParts};
use pcl_syntax::{SyntaxTree, tokenize};
use proptest::prelude::*;
use support::corpus::{Random, programs};
use support::soup::{PIECES, PROGRAM, floor, soup};

/// Everything that can be asked of a tree, so that nothing of it may panic.
fn ask_everything(tree: &SyntaxTree) {
    assert_eq!(tree.verify(), Ok(()));
    let _ = pcl_syntax::dump(tree);
    let file = pcl_diagnostics::FileId(0);
    let alone: Vec<_> = tree.errors().iter().map(|it| it.to_diagnostic(file, tree)).collect();
    let reported: Vec<_> = tree.diagnostics(file).collect();
    assert_eq!(reported.is_empty(), alone.is_empty());
    assert!(reported.iter().all(|diagnostic| alone.contains(diagnostic)));
    for diagnostic in alone {
        let length = tree.text().len() as u32;
        let labels = diagnostic.labels.iter().map(|label| label.span.range);
        let edits = diagnostic.fixes.iter().flat_map(|fix| &fix.edits).map(|edit| edit.span.range);
        for range in labels.chain(edits).chain([diagnostic.primary.range]) {
            assert!(range.end() <= length);
            assert!(tree.text().get(range.to_usize()).is_some());
        }
    }
    for node in tree.root().descendants() {
        match Expr::cast(node) {
            Some(Expr::Template(template)) => {
                let _ = (template.wrapped(), template.literal());
                let mut parts = template.parts();
                let is_plain = template.syntax().children().next().is_none();
                let only = match (is_plain, parts.next(), parts.next()) {
                    (true, Some(TemplatePart::Literal { value, range }), None) => {
                        Some((value, range))
                    }
                    _ => None,
                };
                assert_eq!(template.only_part(), only);
                ask_parts(template.parts());
            }
            Some(Expr::Heredoc(heredoc)) => {
                let _ = (heredoc.literal(), heredoc.marker());
                ask_parts(heredoc.parts());
            }
            Some(Expr::Splat(splat)) => drop(splat.steps().count()),
            Some(Expr::Call(call)) => {
                drop((call.name().into_owned(), call.name_range(), call.arguments().count()))
            }
            Some(Expr::For(each)) => {
                let _ = (each.key_variable(), each.value_variable(), each.collection(), each.key());
                let _ = (each.value(), each.condition(), each.groups());
            }
            Some(Expr::Conditional(conditional)) => {
                let _ = (conditional.condition(), conditional.if_true(), conditional.if_false());
            }
            Some(Expr::Object(object)) => {
                for item in object.items() {
                    let _ = (item.key(), item.value(), item.key_is_bare_name());
                }
            }
            _ => {}
        }
    }
    for block in tree.file().body().blocks() {
        let _ = (block.header_range(), block.open_brace(), block.close_brace());
        for label in block.labels() {
            let _ = (label.text(), label.content_range());
        }
    }
}

fn ask_parts(parts: TemplateParts<'_>) {
    for part in parts {
        match part {
            TemplatePart::If(directive) => {
                let _ = (directive.condition(), directive.then_range(), directive.else_range());
                ask_parts(directive.then_parts());
                ask_parts(directive.else_parts());
            }
            TemplatePart::For(directive) => {
                let _ =
                    (directive.key_variable(), directive.value_variable(), directive.collection());
                let _ = directive.body_range();
                ask_parts(directive.parts());
            }
            TemplatePart::Literal { .. } | TemplatePart::Interpolation(_) => {}
        }
    }
}

fn concatenated(tree: &SyntaxTree) -> Vec<u8> {
    let tokens = tree.tokens().iter();
    tokens.flat_map(|(_, range)| tree.bytes()[range.to_usize()].to_vec()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text_comes_back(source in soup()) {
        let tree = parse(source.as_str());
        prop_assert_eq!(&**tree.text(), source.as_str());
        prop_assert_eq!(concatenated(&tree), source.as_bytes());
        ask_everything(&tree);
        ask_everything(&parse_expression(source.as_str()));
    }

    #[test]
    fn any_bytes_come_back(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        let tree = parse_bytes(bytes.clone());
        prop_assert_eq!(tree.bytes(), bytes.as_slice());
        prop_assert_eq!(concatenated(&tree), bytes.clone());
        prop_assert_eq!(tree.text().len(), bytes.len());
        prop_assert_eq!(std::str::from_utf8(&bytes).is_err() && !tree.is_refused(), false);
        ask_everything(&tree);
    }

    #[test]
    fn tokens_tile(source in soup()) {
        let tokens = tokenize(&source);
        let mut end = 0;
        for (_, range) in tokens.iter() {
            prop_assert_eq!(range.start(), end);
            end = range.end();
        }
        prop_assert_eq!(end as usize, source.len());
        prop_assert!(tokens.len() <= source.len() + 1);
    }

    #[test]
    fn a_tree_has_errors_where_it_has_damage(source in soup()) {
        let tree = parse(source.as_str());
        if tree.errors().is_empty() {
            for node in tree.root().descendants() {
                prop_assert!(!node.contains_error());
            }
        }
    }

    #[test]
    fn a_deletion_never_panics(from in 0_usize..2000, len in 0_usize..40) {
        let mut text = PROGRAM.to_owned();
        let from = floor(&text, from.min(text.len()));
        let to = floor(&text, (from + len).min(text.len()));
        text.replace_range(from..to, "");
        ask_everything(&parse(text.as_str()));
    }
}

#[test]
fn the_program_of_the_laws_is_right() {
    let tree = parse(PROGRAM);
    assert_eq!(tree.errors(), []);
    ask_everything(&tree);
}

/// One to three tokens deleted, inserted, replaced or exchanged: most mutants are nearly right, so
/// that little more than the mistake may be marked as one.
#[test]
fn token_mutants_keep_the_laws() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus");
    let mut random = Random::new();
    let mut mutants = 0;
    for path in programs(&corpus) {
        let source = std::fs::read_to_string(&path).unwrap_or_default();
        if source.is_empty() {
            continue;
        }
        let tokens = tokenize(&source);
        let texts: Vec<&str> = tokens.iter().map(|(_, range)| &source[range.to_usize()]).collect();
        for _ in 0..40 {
            // A part of a long program is enough.
            let from = random.below(texts.len().saturating_sub(120));
            let mut part = texts[from..texts.len().min(from + 120)].to_vec();
            for _ in 0..=random.below(3) {
                let at = random.below(part.len());
                let (other, piece) = (random.below(part.len()), PIECES[random.below(PIECES.len())]);
                match random.below(4) {
                    0 => drop(part.remove(at)),
                    1 => part.insert(at, piece),
                    2 => part[at] = piece,
                    _ => part.swap(at, other),
                }
            }
            let mutant = part.concat();
            let tree = parse(mutant.as_str());
            assert_eq!(tree.verify(), Ok(()), "{mutant}");
            assert_eq!(tree.bytes(), mutant.as_bytes());
            mutants += 1;
        }
    }
    assert!(mutants > 5_000, "{mutants}");
}

/// Bytes that are not UTF-8 are found before all other errors, wherever they are.
#[test]
fn bytes_that_are_not_utf8_break_no_law() {
    for piece in PIECES {
        for end in ["\n", "\n}\n", "\"\n"] {
            let mut bytes = format!("a = 1{piece}2{end}b = ").into_bytes();
            bytes.extend(b"\xFF");
            let tree = parse_bytes(bytes.clone());
            assert_eq!(tree.verify(), Ok(()), "{piece}");
            assert_eq!(tree.bytes(), bytes);
        }
    }
}

/// Errors that are consequences of others are not reported, but marked all the same.
#[test]
fn what_is_not_reported_is_marked() {
    let deep = "[".repeat(300);
    for text in [
        "output \"a\" { \"null\" : \"not null\"\n}\n",
        "a = \"%{ if b }",
        "a = <<E\n%{ for x in y }",
        &format!("a = {deep}\nb = {deep}\n"),
        &format!("a = b[{deep}]\nc = [{deep}, 1]\n"),
        &"a {\n".repeat(300).repeat(2),
    ] {
        assert_eq!(parse(text).verify(), Ok(()), "{text}");
    }
}

/// Items that are not touched survive each deletion of one line, bracket or quote.
#[test]
fn a_lost_bracket_leaves_the_other_items() {
    let count = |text: &str| {
        parse(text)
            .file()
            .body()
            .items()
            .filter(|item| !matches!(item, pcl_syntax::ast::Item::Bogus(_)))
            .count()
    };
    let whole = count(PROGRAM);
    let mut lost = Vec::new();
    for (at, c) in PROGRAM.char_indices() {
        if matches!(c, '(' | ')' | '[' | ']' | '{' | '}' | '"') {
            let mut text = PROGRAM.to_owned();
            text.replace_range(at..=at, "");
            let left = count(&text);
            if left + 1 < whole {
                lost.push((at, c, left));
            }
        }
    }
    assert_eq!(lost, [], "of {whole} items");
}
