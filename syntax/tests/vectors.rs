//! The vectors: verdict, tree, ranges, places and kinds of errors, and what a broken text keeps.

mod support;

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pcl_diagnostics::TextRange;
use pcl_newcomers::{parse, parse_bytes, parse_expression};
use pcl_syntax::ast::{Body, Item};
use pcl_syntax::{SyntaxKind, SyntaxTree};
use serde_json::Value;
use support::shape::Shape;

struct Vector {
    id: String,
    tree: SyntaxTree,
    value: Value,
}

impl Vector {
    fn all() -> Vec<Self> {
        let vectors = support::vectors().into_iter();
        vectors
            .map(|value| {
                let source = value["source"].as_str();
                let tree = match (source, value["entry"].as_str()) {
                    (Some(source), Some("expr")) => parse_expression(source),
                    (Some(source), _) => parse(source),
                    (None, _) => {
                        let encoded = text(&value, "source_b64");
                        parse_bytes(STANDARD.decode(encoded).expect("base64"))
                    }
                };
                Self { id: text(&value, "id").to_owned(), tree, value }
            })
            .collect()
    }

    fn is_valid(&self) -> bool {
        self.value["valid"].as_bool() == Some(true)
    }

    fn errors(&self) -> &[Value] {
        self.value["errors"].as_array().map_or(&[], Vec::as_slice)
    }

    /// The names and places of our errors.
    fn ours(&self) -> Vec<(&'static str, TextRange)> {
        let errors = self.tree.errors().iter();
        errors.map(|e| (e.code().name(), e.range())).collect()
    }
}

/// A field that has to be there, and a text.
fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_else(|| panic!("no {field}: {value}"))
}

/// Compares `differences`, by vector, with the exceptions: both a difference that is not an
/// exception and an exception without a difference fail. `docs/differences.md` lists each
/// exception.
fn check(differences: BTreeMap<String, String>, exceptions: &[(&str, &str)]) {
    let mut report = String::new();
    let listed = include_str!("../../docs/differences.md");
    for (id, _) in exceptions {
        if !listed.contains(&format!("`{id}`")) {
            report += &format!("{id} is not in docs/differences.md\n");
        }
    }
    for (id, difference) in &differences {
        if !exceptions.iter().any(|(exception, _)| exception == id) {
            report += &format!("{id}: {difference}\n");
        }
    }
    for (id, reason) in exceptions {
        if !differences.contains_key(*id) {
            report += &format!("{id} passes, but is listed as an exception: {reason}\n");
        }
    }
    assert!(report.is_empty(), "\n{report}");
}

#[test]
fn verdicts_are_those_of_the_reference() {
    let mut differences = BTreeMap::new();
    for vector in Vector::all() {
        if vector.tree.is_refused() == vector.is_valid() {
            differences.insert(vector.id.clone(), format!("{:?}", vector.tree.errors()));
        }
    }
    check(
        differences,
        &[
            ("lex-bad-utf8-comment", "we refuse bytes that are not UTF-8 everywhere"),
            ("lex-overlong-string", "we refuse overlong forms everywhere"),
            ("lex-surrogate-string", "we refuse encoded surrogates everywhere"),
            ("lex-bad-ident-bytes", "we refuse bytes that are not UTF-8 everywhere"),
            ("here-no-final-newline", "we accept a marker at the end of the file, with a warning"),
        ],
    );
}

#[test]
fn valid_texts_have_the_tree_of_the_reference() {
    let mut differences = BTreeMap::new();
    for vector in Vector::all() {
        if !vector.is_valid() || vector.tree.is_refused() {
            continue;
        }
        let shape = Shape::of(&vector.tree);
        let wanted = text(&vector.value, "shape");
        if shape.text != wanted {
            differences
                .insert(vector.id.clone(), format!("\n  ours   {}\n  theirs {wanted}", shape.text));
            continue;
        }
        let mut ours = shape.ranges;
        let ranges = vector.value["ranges"].as_array().cloned().unwrap_or_default();
        let mut theirs: Vec<_> =
            ranges.iter().filter_map(|range| range.as_str().map(str::to_owned)).collect();
        ours.sort();
        theirs.sort();
        if ours != theirs {
            ours.retain(|range| !theirs.contains(range));
            theirs.retain(|range| !Shape::of(&vector.tree).ranges.contains(range));
            differences
                .insert(vector.id.clone(), format!("ranges: ours {ours:?}, theirs {theirs:?}"));
        }
    }
    check(differences, &[]);
}

/// The tokens in the notation of the vectors. A line ending that ends a comment is part of it
/// there, and a separate token here.
fn tokens(vector: &Vector) -> Vec<(String, u32, u32)> {
    let mut tokens: Vec<(String, u32, u32)> = Vec::new();
    for (kind, range) in vector.tree.tokens().iter() {
        let text = &vector.tree.text()[range.to_usize()];
        let name = match kind {
            SyntaxKind::Whitespace | SyntaxKind::ByteOrderMark => continue,
            SyntaxKind::LineComment | SyntaxKind::BlockComment => "comment",
            SyntaxKind::Newline => match tokens.last_mut() {
                Some((name, start, end))
                    if name == "comment" && *end == range.start() && is_line(vector, *start) =>
                {
                    *end = range.end();
                    continue;
                }
                _ => "newline",
            },
            SyntaxKind::Ident => "ident",
            SyntaxKind::Number => "number",
            SyntaxKind::QuoteOpen => "quote_open",
            SyntaxKind::QuoteClose => "quote_close",
            SyntaxKind::HeredocOpen => "heredoc_open",
            SyntaxKind::HeredocClose => "heredoc_close",
            SyntaxKind::Text => "text",
            SyntaxKind::InterpolationOpen => "interp_open",
            SyntaxKind::ControlOpen => "control_open",
            SyntaxKind::SequenceClose => "seq_close",
            SyntaxKind::EndOfFile => "eof",
            _ => text,
        };
        tokens.push((name.to_owned(), range.start(), range.end()));
    }
    tokens
}

/// Returns whether the comment at `start` is one that ends with its line.
fn is_line(vector: &Vector, start: u32) -> bool {
    !vector.tree.text()[start as usize..].starts_with("/*")
}

/// The tokens of the reference, with the pieces of a text put together.
fn tokens_of_the_reference(vector: &Vector) -> Vec<(String, u32, u32)> {
    let mut tokens: Vec<(String, u32, u32)> = Vec::new();
    for token in vector.value["tokens"].as_array().expect("tokens") {
        let mut fields = token.as_str().unwrap_or_default().rsplitn(3, ' ');
        let mut number = || fields.next().and_then(|text| text.parse().ok());
        let (end, start) = (number().expect("an end"), number().expect("a start"));
        let name = match fields.next() {
            Some("quoted_text" | "raw_text") => "text",
            Some(name) => name,
            None => panic!("a token without a kind: {token}"),
        };
        match tokens.last_mut() {
            Some((last, _, last_end)) if last == "text" && name == "text" && *last_end == start => {
                *last_end = end;
            }
            _ => tokens.push((name.to_owned(), start, end)),
        }
    }
    tokens
}

#[test]
fn valid_texts_have_the_tokens_of_the_reference() {
    let mut differences = BTreeMap::new();
    for vector in Vector::all() {
        if !vector.is_valid() {
            continue;
        }
        let (ours, theirs) = (tokens(&vector), tokens_of_the_reference(&vector));
        if ours != theirs {
            differences
                .insert(vector.id.clone(), format!("\n  ours   {ours:?}\n  theirs {theirs:?}"));
        }
    }
    check(differences, &[("lex-bad-ident-bytes", "we refuse bytes that are not UTF-8 everywhere")]);
}

#[test]
fn the_first_error_of_the_reference_lies_where_ours_does() {
    let mut differences = BTreeMap::new();
    for vector in Vector::all() {
        let Some(first) = vector.errors().first() else { continue };
        let number = |name: &str| first[name].as_u64().expect("a place in the text") as u32;
        let place = TextRange::new(number("byte_start"), number("byte_end"));
        let file = pcl_diagnostics::FileId(0);
        let touches = vector.tree.errors().iter().any(|error| {
            let diagnostic = error.to_diagnostic(file, &vector.tree);
            let labels = diagnostic.labels.iter().map(|label| label.span.range);
            std::iter::once(diagnostic.primary.range)
                .chain(labels)
                .any(|range| range.touches(place))
        });
        if !touches {
            let ours = vector.ours();
            differences
                .insert(vector.id.clone(), format!("{place:?} {}, ours {ours:?}", first["kind"]));
        }
    }
    check(
        differences,
        &[
            (
                "obj-unclosed-next",
                "the reference takes the attributes below for items up to the end of the file; we point at the brace and at the next attribute",
            ),
            (
                "here-close-paren-same-line",
                "the line that was meant to close the heredoc is to blame",
            ),
            ("splat-attr-legacy-chain", "the reference points at the star, we point at the number"),
            (
                "splat-full-unclosed",
                "the reference points where its recovery stopped, we point at the bracket or at what stands in its place",
            ),
            (
                "trav-index-two",
                "the reference points where its recovery stopped, we point at the bracket or at what stands in its place",
            ),
            (
                "trav-index-unclosed",
                "the reference points where its recovery stopped, we point at the bracket or at what stands in its place",
            ),
        ],
    );
}

#[test]
fn one_cause_gives_one_error() {
    let mut differences = BTreeMap::new();
    for vector in Vector::all() {
        let ours = vector.ours();
        if ours.len() > vector.errors().len().max(1) {
            let theirs: Vec<_> = vector.errors().iter().map(|e| e["kind"].as_str()).collect();
            differences.insert(vector.id.clone(), format!("{ours:?}, theirs {theirs:?}"));
        }
    }
    check(
        differences,
        &[
            ("rec-bad-then-unclosed", "two errors; the reference is silent after the first"),
            ("rec-three-bad-attrs", "two errors; the reference is silent after the first"),
            ("tm-recovery-continues", "two errors; the reference is silent after the first"),
        ],
    );
}

#[test]
fn kinds_of_errors_are_those_of_the_reference() {
    let mut differences = BTreeMap::new();
    for vector in Vector::all() {
        let Some(first) = vector.errors().first() else { continue };
        let (kind, ours) = (text(first, "kind"), vector.ours());
        if !ours.iter().any(|(name, _)| *name == kind) {
            differences.insert(vector.id.clone(), format!("{kind}, ours {ours:?}"));
        }
    }
    check(
        differences,
        &[
            ("block-no-body", "a name and a value on a line are an attribute without its sign"),
            ("block-no-body-eof", "a name and a value on a line are an attribute without its sign"),
            ("body-json", "a file in another language"),
            ("call-on-attr", "the notation of another language"),
            ("num-hex", "the whole number is to blame, not its end"),
            ("num-leading-dot", "the whole number is to blame"),
            ("num-trailing-dot", "the whole number is to blame"),
            ("num-underscore", "the whole number is to blame, not its end"),
            ("op-fat-arrow", "the notation of another language"),
            (
                "here-close-paren-same-line",
                "the line that was meant to close the heredoc is to blame",
            ),
            ("here-comment-after-delim", "the marker is to blame"),
            ("here-quoted-delim", "the marker is to blame"),
            ("here-space-after-delim", "the marker is to blame"),
            ("call-unclosed-empty", "what is open is to blame, not the end of the file"),
            ("call-unclosed-next-line", "the next line is an attribute: the call was not closed"),
            ("here-no-final-newline", "accepted with a warning"),
            ("lex-overlong-expr", "bytes that are not UTF-8 have one kind"),
            ("obj-unclosed-next", "what is open is to blame, not the end of the file"),
            ("obj-unclosed-open", "what is open is to blame, not the end of the file"),
            (
                "str-unterminated-dollar",
                "a dollar sign at the end of the file is no error of its own",
            ),
            ("tm-interp-open-eof", "what is open is to blame, not the end of the file"),
            (
                "tm-interp-unclosed-quote",
                "the missing brace is the cause, the string that seems to break the line its consequence",
            ),
            (
                "tm-interp-unclosed-swallow",
                "the missing brace is the cause, the string that seems to break the line its consequence",
            ),
            ("trav-index-eof", "what is open is to blame, not the end of the file"),
            ("triv-comment-slash-star-slash", "a comment without end has its own kind"),
            ("triv-comment-unterminated", "a comment without end has its own kind"),
            ("triv-comment-unterminated-inline", "a comment without end has its own kind"),
            ("tup-unclosed-after-comma", "what is open is to blame, not the end of the file"),
            ("tup-unclosed-next", "the next line is an attribute: the tuple was not closed"),
            ("tup-unclosed-open", "what is open is to blame, not the end of the file"),
        ],
    );
}

#[test]
fn what_is_not_damaged_is_kept() {
    let mut differences = BTreeMap::new();
    for vector in Vector::all() {
        let Some(keep) = vector.value["keep"].as_array() else { continue };
        let mut kept = Vec::new();
        names(vector.tree.file().body(), "", &mut kept);
        let lost: Vec<_> = keep
            .iter()
            .filter_map(Value::as_str)
            .filter(|name| !kept.iter().any(|kept| kept == name))
            .collect();
        if !lost.is_empty() {
            differences.insert(vector.id.clone(), format!("lost {lost:?}, kept {kept:?}"));
        }
    }
    check(differences, &[]);
}

fn names(body: Body<'_>, prefix: &str, out: &mut Vec<String>) {
    for item in body.items() {
        match item {
            Item::Attribute(attribute) => {
                let name = attribute.name().map_or("?", |name| name.text());
                out.push(format!("{prefix}{name}"));
            }
            Item::Block(block) => {
                let name = block.keyword().map_or("?", |name| name.text());
                out.push(format!("{prefix}{name}"));
                if let Some(body) = block.body() {
                    names(body, &format!("{prefix}{name}."), out);
                }
            }
            Item::Bogus(_) => {}
        }
    }
}

/// The text of a tree is what was written, comments and blanks around and in the expression
/// included.
#[test]
fn printed_expressions_are_preserved() {
    for vector in support::vectors_of("expressions_print.json") {
        let tree = parse_expression(text(&vector, "source"));
        assert!(tree.expression().is_some(), "{}", vector["id"]);
        let preserved = text(&vector, "preserved");
        assert_eq!(tree.root().text(), preserved, "{}", vector["id"]);
    }
}
