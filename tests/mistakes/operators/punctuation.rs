//! Brackets, commas and signs.

use std::ops::Range;

use pcl::syntax::SyntaxKind;

use super::Operator;
use crate::source::{Mistake, Node as _, Source};

pub const OPERATORS: &[Operator] = &[
    Operator {
        name: "brace-of-block-unclosed",
        change: "a block without its closing brace",
        apply: |source| unclosed(blocks(source)),
    },
    Operator {
        name: "brace-of-block-unopened",
        change: "a block without its opening brace",
        apply: |source| unopened(blocks(source)),
    },
    Operator {
        name: "brace-of-object-unclosed",
        change: "an object without its closing brace",
        apply: |source| unclosed(ends(source.objects().iter().map(|it| it.place()))),
    },
    Operator {
        name: "bracket-unclosed",
        change: "a list without its closing bracket",
        apply: |source| unclosed(ends(source.lists().iter().map(|it| it.place()))),
    },
    Operator {
        name: "bracket-unopened",
        change: "a list without its opening bracket",
        apply: |source| unopened(ends(source.lists().iter().map(|it| it.place()))),
    },
    Operator {
        name: "parenthesis-unclosed",
        change: "a call without its closing parenthesis",
        apply: |source| unclosed(parentheses(source)),
    },
    Operator {
        name: "parenthesis-doubled",
        change: "a call with two closing parentheses",
        apply: |source| {
            parentheses(source)
                .into_iter()
                .map(|(_, close)| Mistake::insert(close.end, ")"))
                .collect()
        },
    },
    Operator {
        name: "brace-doubled",
        change: "a block with two closing braces",
        apply: |source| {
            blocks(source).into_iter().map(|(_, close)| Mistake::insert(close.end, "\n}")).collect()
        },
    },
    Operator {
        name: "brackets-of-object",
        change: "brackets around an object: `[ a = b ]`",
        apply: |source| {
            let objects = ends(source.objects().iter().map(|it| it.place()));
            replaced(objects, "[", "]")
        },
    },
    Operator {
        name: "braces-of-list",
        change: "braces around a list: `{ a, b }`",
        apply: |source| replaced(ends(source.lists().iter().map(|it| it.place())), "{", "}"),
    },
    Operator {
        name: "parentheses-of-list",
        change: "parentheses around a list: `(a, b)`",
        apply: |source| replaced(ends(source.lists().iter().map(|it| it.place())), "(", ")"),
    },
    Operator {
        name: "brackets-of-call",
        change: "brackets for the parentheses of a call",
        apply: |source| replaced(parentheses(source), "[", "]"),
    },
    Operator {
        name: "bracket-of-other-kind",
        change: "a list that a parenthesis closes",
        apply: |source| {
            let lists = ends(source.lists().iter().map(|it| it.place())).into_iter();
            lists.map(|(open, close)| Mistake::replace(close, ")").or_at(open)).collect()
        },
    },
    Operator {
        name: "line-semicolon",
        change: "a semicolon behind an attribute",
        apply: |source| after_attributes(source, ";"),
    },
    Operator {
        name: "line-comma",
        change: "a comma behind an attribute",
        apply: |source| after_attributes(source, ","),
    },
    Operator {
        name: "comma-missing",
        change: "elements of a list without a comma between them",
        apply: |source| {
            let lists = source.lists().into_iter().flat_map(|list| {
                let places: Vec<_> = list.elements().map(|it| it.place()).collect();
                let pairs = places.windows(2).map(|pair| (pair[0].end, pair[1].start));
                pairs.collect::<Vec<_>>()
            });
            let mistakes = lists.filter_map(|(from, to)| {
                let comma = from + source.slice(from..to).find(',')?;
                Some(Mistake::delete(comma..comma + 1))
            });
            mistakes.collect()
        },
    },
    Operator {
        name: "comma-of-call-missing",
        change: "arguments without a comma between them",
        apply: |source| {
            let calls = source.calls().into_iter().filter_map(|call| {
                let mut arguments = call.arguments();
                let (first, second) = (arguments.next()?, arguments.next()?);
                let (from, to) = (first.place().end, second.place().start);
                let comma = from + source.slice(from..to).find(',')?;
                Some(Mistake::delete(comma..comma + 1))
            });
            calls.collect()
        },
    },
    Operator {
        name: "comma-doubled",
        change: "two commas in a list",
        apply: |source| {
            let lists = source.lists().into_iter().filter_map(|list| {
                let first = list.elements().next().filter(|_| list.elements().count() > 1)?;
                Some(Mistake::insert(first.place().end, ","))
            });
            lists.collect()
        },
    },
    Operator {
        name: "equals-missing",
        change: "an attribute without `=`",
        apply: |source| equals(source, ""),
    },
    Operator {
        name: "equals-doubled",
        change: "`==` for `=`",
        apply: |source| equals(source, "=="),
    },
    Operator { name: "equals-arrow", change: "`=>` for `=`", apply: |source| equals(source, "=>") },
    Operator {
        name: "equals-colon",
        change: "`x: y` in a block",
        apply: |source| equals(source, ":"),
    },
    Operator {
        name: "attribute-json",
        change: "`\"x\": y,` in a block",
        apply: |source| {
            let mistakes = source.attributes().into_iter().filter_map(|it| {
                let (name, value) = (it.name()?, it.value()?);
                let new = format!("\"{}\": {},", name.text(), value.text());
                (!value.text().contains("<<")).then(|| Mistake::replace(it.place(), new))
            });
            mistakes.collect()
        },
    },
    Operator {
        name: "key-arrow",
        change: "`x => y` in an object",
        apply: |source| {
            let mistakes = source.object_items().into_iter().filter_map(|it| {
                let (from, to) = (it.key()?.place().end, it.value()?.place().start);
                Some(Mistake::replace(from..to, " => "))
            });
            mistakes.collect()
        },
    },
    Operator {
        name: "key-with-dots",
        change: "a key with dots and a slash without quotes",
        apply: |source| {
            let mistakes = source.object_items().into_iter().filter_map(|it| {
                let key = it.key_is_bare_name()?;
                let (range, name) = (key.range().to_usize(), key.text());
                let mistake = Mistake::replace(range.clone(), format!("app.io/{name}"));
                Some(mistake.meaning(range, format!("\"app.io/{name}\"")))
            });
            mistakes.collect()
        },
    },
    Operator {
        name: "space-no-break",
        change: "a no-break space for a space",
        apply: |source| {
            let spaces = source.tokens(SyntaxKind::Whitespace).into_iter();
            let inside =
                spaces.filter(|it| it.len() == 1 && !source.text[..it.start].ends_with('\n'));
            inside.map(|it| Mistake::replace(it, "\u{a0}")).collect()
        },
    },
];

type Pair = (Range<usize>, Range<usize>);

fn blocks(source: &Source) -> Vec<Pair> {
    let blocks = source.blocks().into_iter().filter_map(|block| {
        let (open, close) = (block.open_brace()?, block.close_brace()?);
        Some((open.range().to_usize(), close.range().to_usize()))
    });
    blocks.collect()
}

fn parentheses(source: &Source) -> Vec<Pair> {
    let calls = source.calls().into_iter().map(|call| {
        let (name, whole) = (call.name_range().to_usize(), call.place());
        (name.end..name.end + 1, whole.end - 1..whole.end)
    });
    calls.collect()
}

/// The first and last characters of ranges.
fn ends(ranges: impl Iterator<Item = Range<usize>>) -> Vec<Pair> {
    ranges.map(|it| (it.start..it.start + 1, it.end - 1..it.end)).collect()
}

fn unclosed(pairs: Vec<Pair>) -> Vec<Mistake> {
    pairs.into_iter().map(|(open, close)| Mistake::delete(close).or_at(open)).collect()
}

fn unopened(pairs: Vec<Pair>) -> Vec<Mistake> {
    pairs.into_iter().map(|(open, close)| Mistake::delete(open).or_at(close)).collect()
}

fn replaced(pairs: Vec<Pair>, open: &str, close: &str) -> Vec<Mistake> {
    pairs.into_iter().map(|pair| Mistake::replace(pair.0, open).and(pair.1, close)).collect()
}

fn after_attributes(source: &Source, sign: &str) -> Vec<Mistake> {
    let attributes = source.attributes().into_iter();
    let plain = attributes.filter(|it| !it.syntax().text().contains("<<"));
    plain.map(|it| Mistake::insert(it.place().end, sign)).collect()
}

fn equals(source: &Source, sign: &str) -> Vec<Mistake> {
    let signs = source.attributes().into_iter().filter_map(|it| it.equals());
    signs.map(|it| Mistake::replace(it.range().to_usize(), sign)).collect()
}
