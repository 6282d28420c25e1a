//! Values of the wrong kind.

use pcl::syntax::ast::Expr;

use super::Operator;
use crate::source::{Edit, Mistake, Node as _, Source, boolean, number, quoted};

pub const OPERATORS: &[Operator] = &[
    Operator {
        name: "value-of-neighbour",
        change: "the values of two inputs swapped",
        apply: swapped_values,
    },
    Operator {
        name: "value-word-for-number",
        change: "a word for a number",
        apply: |source| numbers(source, |_| "\"ten\"".into()),
    },
    Operator {
        name: "value-fraction",
        change: "a fraction for a whole number",
        apply: |source| numbers(source, |text| format!("{text}.5")),
    },
    Operator {
        name: "value-unit",
        change: "a number with a unit: `10GB`",
        apply: |source| numbers(source, |text| format!("{text}GB")),
    },
    Operator {
        name: "value-underscores",
        change: "a number with underscores: `1_000`",
        apply: |source| {
            numbers_meaning(source, |text| format!("{text}_000"), |text| format!("{text}000"))
        },
    },
    Operator {
        name: "value-hexadecimal",
        change: "a hexadecimal number",
        apply: |source| {
            numbers(source, |text| match text.parse::<u64>() {
                Ok(value) => format!("{value:#x}"),
                Err(_) => text.to_owned(),
            })
        },
    },
    Operator {
        name: "value-plus",
        change: "a number with a plus sign",
        apply: |source| numbers(source, |text| format!("+{text}")),
    },
    Operator {
        name: "value-leading-dot",
        change: "a number that begins with a dot",
        apply: |source| {
            numbers_meaning(source, |text| format!(".{text}"), |text| format!("0.{text}"))
        },
    },
    Operator {
        name: "value-object-for-scalar",
        change: "`{ value = x }` for `x`",
        apply: |source| scalars(source, |text| format!("{{ value = {text} }}")),
    },
    Operator {
        name: "value-null-required",
        change: "`null` for a value",
        apply: |source| scalars(source, |_| "null".into()),
    },
    Operator {
        name: "value-number-for-bool",
        change: "`1` and `0` for `true` and `false`",
        apply: |source| {
            let found = source.expressions().into_iter().filter_map(boolean);
            found
                .map(|(range, value)| Mistake::replace(range, if value { "1" } else { "0" }))
                .collect()
        },
    },
    Operator {
        name: "value-list-for-map",
        change: "`[\"a=b\"]` for `{ a = \"b\" }`",
        apply: list_for_map,
    },
    Operator {
        name: "value-map-of-lists",
        change: "a list for the value of a key",
        apply: |source| {
            let values = source.object_items().into_iter().filter_map(|it| it.value());
            let texts = values.filter_map(quoted);
            texts.map(|(range, text)| Mistake::replace(range, format!("[\"{text}\"]"))).collect()
        },
    },
    Operator {
        name: "value-other-case",
        change: "a string in another case",
        apply: |source| {
            let values = source.inputs().into_iter().filter_map(|it| it.value());
            let texts = values.filter_map(quoted).filter_map(|(range, text)| {
                let is_bool = matches!(text, "true" | "false");
                let first =
                    text.chars().next().filter(|it| it.is_ascii_alphabetic() && !is_bool)?;
                let other = if first.is_uppercase() {
                    first.to_ascii_lowercase()
                } else {
                    first.to_ascii_uppercase()
                };
                Some(Mistake::replace(range, format!("\"{other}{}\"", &text[1..])))
            });
            texts.collect()
        },
    },
    Operator {
        name: "call-argument-missing",
        change: "a call without its last argument",
        apply: |source| {
            let calls = source.calls().into_iter().filter_map(|call| {
                let arguments: Vec<_> = call.arguments().collect();
                let last = arguments.last()?.place();
                let start = match arguments.len() {
                    1 => last.start,
                    count => arguments[count - 2].place().end,
                };
                Some(Mistake::delete(start..last.end).or_at(call.place()))
            });
            calls.collect()
        },
    },
    Operator {
        name: "call-argument-extra",
        change: "a call with one more argument",
        apply: |source| {
            let calls = source.calls().into_iter().filter_map(|call| {
                let last = call.arguments().last()?.place();
                Some(Mistake::insert(last.end, ", \"extra\"").or_at(call.place()))
            });
            calls.collect()
        },
    },
    Operator {
        name: "call-arguments-swapped",
        change: "a call with its first two arguments swapped",
        apply: |source| {
            let calls = source.calls().into_iter().filter_map(|call| {
                let mut arguments = call.arguments();
                let (first, second) = (arguments.next()?, arguments.next()?);
                let mistake = Mistake::replace(first.place(), second.text());
                Some(mistake.and(second.place(), first.text()).or_at(call.place()))
            });
            calls.collect()
        },
    },
];

fn numbers(source: &Source, write: fn(&str) -> String) -> Vec<Mistake> {
    let found = source.expressions().into_iter().filter_map(number);
    let mistakes = found.filter_map(|(range, text)| {
        let new = write(text);
        (new != text && text.chars().all(|it| it.is_ascii_digit()))
            .then(|| Mistake::replace(range, new))
    });
    mistakes.collect()
}

/// Numbers that are written otherwise and mean another number than the one before.
fn numbers_meaning(
    source: &Source,
    write: fn(&str) -> String,
    meant: fn(&str) -> String,
) -> Vec<Mistake> {
    let mut mistakes = numbers(source, write);
    for mistake in &mut mistakes {
        let range = mistake.edits[0].range.clone();
        let text = meant(source.slice(range.clone()));
        mistake.meant.push(Edit { range, text });
    }
    mistakes
}

/// Numbers, strings and booleans that are inputs.
fn scalars(source: &Source, write: fn(&str) -> String) -> Vec<Mistake> {
    let values = source.inputs().into_iter().filter_map(|it| it.value());
    let plain =
        values.filter(|&it| number(it).is_some() || boolean(it).is_some() || quoted(it).is_some());
    plain.map(|it| Mistake::replace(it.place(), write(it.text()))).collect()
}

fn swapped_values(source: &Source) -> Vec<Mistake> {
    let blocks = source.resources().into_iter().filter_map(|(block, ..)| block.body());
    let mistakes = blocks.flat_map(|body| {
        let values: Vec<Expr<'_>> = body.attributes().filter_map(|it| it.value()).collect();
        let pairs = values.windows(2).filter_map(|pair| {
            let is_plain = pair.iter().all(|it| !matches!(it, Expr::Heredoc(_)));
            let mistake = Mistake::replace(pair[0].place(), pair[1].text());
            is_plain.then(|| mistake.and(pair[1].place(), pair[0].text()))
        });
        pairs.collect::<Vec<_>>()
    });
    mistakes.collect()
}

fn list_for_map(source: &Source) -> Vec<Mistake> {
    let inputs = source.inputs().into_iter().filter_map(|it| it.value());
    let mistakes = inputs.filter_map(|value| {
        let Expr::Object(object) = value else { return None };
        let pairs: Option<Vec<String>> = object
            .items()
            .map(|item| {
                let (_, text) = quoted(item.value()?)?;
                Some(format!("\"{}={text}\"", item.key_is_bare_name()?.text()))
            })
            .collect();
        let pairs = pairs.filter(|pairs| !pairs.is_empty())?;
        Some(Mistake::replace(value.place(), format!("[{}]", pairs.join(", "))))
    });
    mistakes.collect()
}
