//! Strings as other languages write them, and signs that mean something in ours.

use std::ops::Range;

use pcl::syntax::ast::TemplatePart;

use super::Operator;
use crate::source::{Mistake, Node as _, Source, quoted};

pub const OPERATORS: &[Operator] = &[
    Operator {
        name: "text-single-quotes",
        change: "a string in single quotes",
        apply: |source| wrapped(source, "'", "'"),
    },
    Operator {
        name: "text-backticks",
        change: "a string in backticks",
        apply: |source| wrapped(source, "`", "`"),
    },
    Operator {
        name: "text-curly-quotes",
        change: "a string in typographic quotes",
        apply: |source| wrapped(source, "“", "”"),
    },
    Operator {
        name: "text-triple-quotes",
        change: "a string in three quotes",
        apply: |source| wrapped(source, "\"\"\"", "\"\"\""),
    },
    Operator { name: "text-unquoted", change: "a word without quotes", apply: unquoted },
    Operator { name: "text-f-string", change: "`f\"{x}\"` for `\"${x}\"`", apply: f_string },
    Operator {
        name: "text-hash-interpolation",
        change: "`#{x}` for `${x}`",
        apply: |source| opened(source, "#{"),
    },
    Operator {
        name: "text-percent-interpolation",
        change: "`%{x}` for `${x}`",
        apply: |source| opened(source, "%{"),
    },
    Operator {
        name: "text-brace-interpolation",
        change: "`{x}` for `${x}`",
        apply: |source| opened(source, "{"),
    },
    Operator {
        name: "text-dollar-parentheses",
        change: "`$(x)` for `${x}`",
        apply: dollar_parentheses,
    },
    Operator { name: "text-mustache", change: "`{{x}}` for `${x}`", apply: mustache },
    Operator {
        name: "text-shell-variable",
        change: "the variable `${HOME}` of a shell in a string",
        apply: |source| appended(source, "${HOME}", "$${HOME}"),
    },
    Operator {
        name: "text-shell-default",
        change: "`${PORT:-80}` of a shell in a string",
        apply: |source| appended(source, "${PORT:-80}", "$${PORT:-80}"),
    },
    Operator {
        name: "text-policy-variable",
        change: "`${aws:username}` of a policy in a string",
        apply: |source| appended(source, "${aws:username}", "$${aws:username}"),
    },
    Operator {
        name: "text-backslash",
        change: "the backslashes of a path or a pattern",
        apply: |source| appended(source, "\\d+", "\\\\d+"),
    },
    Operator {
        name: "text-concatenated",
        change: "`\"a\" + x` for a template",
        apply: concatenated,
    },
    Operator {
        name: "text-quote-missing",
        change: "a string without its closing quote",
        apply: |source| {
            strings(source)
                .into_iter()
                .map(|(range, _)| Mistake::delete(range.end - 1..range.end))
                .collect()
        },
    },
    Operator {
        name: "text-opening-quote-missing",
        change: "a string without its opening quote",
        apply: |source| {
            strings(source)
                .into_iter()
                .map(|(range, _)| Mistake::delete(range.start..range.start + 1))
                .collect()
        },
    },
    Operator {
        name: "text-quote-inside",
        change: "a quote in a string that is not escaped",
        apply: quote_inside,
    },
    Operator {
        name: "interpolation-unclosed",
        change: "an interpolation without its closing brace",
        apply: |source| {
            let parts = interpolations(source).into_iter();
            parts.map(|(range, _)| Mistake::delete(range.end - 1..range.end)).collect()
        },
    },
];

type Text<'t> = (Range<usize>, &'t str);

/// The strings without interpolations, keys and labels left out.
fn strings(source: &Source) -> Vec<Text<'_>> {
    let values = source.attributes().into_iter().filter_map(|it| it.value());
    let values = values.chain(source.object_items().into_iter().filter_map(|it| it.value()));
    let elements = source.lists().into_iter().flat_map(|list| list.elements().collect::<Vec<_>>());
    values.chain(elements).filter_map(quoted).collect()
}

fn wrapped(source: &Source, open: &str, close: &str) -> Vec<Mistake> {
    let mistakes = strings(source)
        .into_iter()
        .map(|(range, text)| Mistake::replace(range, format!("{open}{text}{close}")));
    mistakes.collect()
}

/// Strings with further text at their end, which is to be kept: `escaped` is how it is written.
fn appended(source: &Source, text: &str, escaped: &str) -> Vec<Mistake> {
    let ends = strings(source).into_iter().map(|(range, _)| range.end - 1);
    ends.map(|end| Mistake::insert(end, text).meaning(end..end, escaped)).collect()
}

fn unquoted(source: &Source) -> Vec<Mistake> {
    let words = strings(source).into_iter().filter(|(_, text)| {
        text.len() > 1
            && text.starts_with(|letter: char| letter.is_ascii_alphabetic())
            && text.chars().all(|it| it.is_ascii_alphanumeric() || it == '-' || it == '.')
    });
    words.map(|(range, text)| Mistake::replace(range, text)).collect()
}

/// The interpolations of quoted strings with the text of their expression.
fn interpolations(source: &Source) -> Vec<(Range<usize>, String)> {
    let parts = source.templates().into_iter().flat_map(|template| {
        let parts = template.parts().filter_map(|part| match part {
            TemplatePart::Interpolation(expr) => {
                let range = expr.range().to_usize();
                let before = source.slice(0..range.start).trim_end();
                let after = source.slice(range.end..source.text.len());
                let spaces = after.len() - after.trim_start().len();
                let is_plain = before.ends_with("${") && after.trim_start().starts_with('}');
                is_plain.then(|| (before.len() - 2..range.end + spaces + 1, expr.text().to_owned()))
            }
            _ => None,
        });
        parts.collect::<Vec<_>>()
    });
    parts.collect()
}

fn opened(source: &Source, open: &str) -> Vec<Mistake> {
    let parts = interpolations(source).into_iter();
    parts.map(|(range, _)| Mistake::replace(range.start..range.start + 2, open)).collect()
}

fn dollar_parentheses(source: &Source) -> Vec<Mistake> {
    let parts = interpolations(source).into_iter();
    parts.map(|(range, expr)| Mistake::replace(range, format!("$({expr})"))).collect()
}

fn mustache(source: &Source) -> Vec<Mistake> {
    let parts = interpolations(source).into_iter();
    parts.map(|(range, expr)| Mistake::replace(range, format!("{{{{{expr}}}}}"))).collect()
}

/// Templates with one interpolation in them.
fn f_string(source: &Source) -> Vec<Mistake> {
    let parts = interpolations(source);
    let mistakes = source.templates().into_iter().filter_map(|template| {
        let place = template.place();
        let mut inside =
            parts.iter().filter(|(range, _)| place.start < range.start && range.end < place.end);
        let (range, _) = inside.next()?;
        if inside.next().is_some() || !source.text[place.start..].starts_with('"') {
            return None;
        }
        Some(Mistake::insert(place.start, "f").and(range.start..range.start + 1, ""))
    });
    mistakes.collect()
}

fn concatenated(source: &Source) -> Vec<Mistake> {
    let parts = interpolations(source);
    let mistakes = source.templates().into_iter().filter_map(|template| {
        let place = template.place();
        let mut inside =
            parts.iter().filter(|(range, _)| place.start < range.start && range.end < place.end);
        let (range, expr) = inside.next()?;
        if inside.next().is_some() || !source.text[place.start..].starts_with('"') {
            return None;
        }
        let (before, after) =
            (&source.text[place.start + 1..range.start], &source.text[range.end..place.end - 1]);
        let new = match (before, after) {
            ("", "") => return None,
            ("", after) => format!("{expr} + \"{after}\""),
            (before, "") => format!("\"{before}\" + {expr}"),
            (before, after) => format!("\"{before}\" + {expr} + \"{after}\""),
        };
        Some(Mistake::replace(place, new))
    });
    mistakes.collect()
}

fn quote_inside(source: &Source) -> Vec<Mistake> {
    let texts = strings(source).into_iter().filter(|(_, text)| {
        text.len() > 3 && text.chars().all(|it| it.is_ascii_alphanumeric() || it == ' ')
    });
    let mistakes = texts.map(|(range, text)| {
        let mistake = Mistake::replace(range.clone(), format!("\"a \"{text}\" b\""));
        mistake.meaning(range, format!("\"a \\\"{text}\\\" b\""))
    });
    mistakes.collect()
}
