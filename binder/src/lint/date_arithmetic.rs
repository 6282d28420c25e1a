//! `2012-10-17` without quotes, which is a subtraction.
//!
//! The rules, with examples: `tests/spec/lints/date_arithmetic.md`.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit};
use pcl_syntax::{SyntaxKind, SyntaxNode};
use rustc_hash::FxHashSet;

use super::finished::{Finished, Lint, Scope};

/// The length of a date in bytes.
const LENGTH: u32 = 10;

pub(super) static LINT: Lint =
    Lint { code: Code::DateArithmetic, scope: Scope::Declarations, check };

/// Checks every operation whose text is a date. Written with spaces, it is arithmetic.
fn check(bound: &Finished<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let module = bound.module;
    for (&file, tree) in module.files.iter().zip(&module.trees) {
        // The operations that are operands of others.
        let mut parts = FxHashSet::default();
        for node in tree.root().descendants() {
            if node.kind() != SyntaxKind::Binary {
                continue;
            }
            parts.extend(node.children().map(SyntaxNode::id));
            let is_operation = node.range().len() == LENGTH && !node.has_error();
            if is_operation && is_date(node.text()) && !parts.contains(&node.id()) {
                let span = Span::new(file, node.range());
                diagnostics.push(date_arithmetic(span, node.text()));
            }
        }
    }
}

/// Returns true if a text is a date: the year first with `-`, or last with `/`.
fn is_date(text: &str) -> bool {
    let (separator, year_first) = match text.as_bytes().get(4) {
        Some(b'-') => ('-', true),
        _ => ('/', false),
    };
    let parts: Vec<&str> = text.split(separator).collect();
    let [first, second, third] = *parts else { return false };
    let (year, rest) = if year_first { (first, [second, third]) } else { (third, [first, second]) };
    let number = |text: &str, length: usize| {
        let is_plain = text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<u32>().ok().filter(|_| is_plain)
    };
    let in_range =
        |text: &str, last: u32| number(text, 2).is_some_and(|it| (1..=last).contains(&it));
    let is_year = number(year, 4).is_some_and(|year| (1900..2200).contains(&year));
    let [one, two] = rest;
    let months = if year_first {
        in_range(one, 12) && in_range(two, 31)
    } else {
        // Either may be the month.
        in_range(one, 31) && in_range(two, 31) && (in_range(one, 12) || in_range(two, 12))
    };
    is_year && months
}

/// A subtraction or division whose text is a date.
fn date_arithmetic(span: Span, text: &str) -> Diagnostic {
    let message = format!("`{text}` is arithmetic here, not a date");
    let quoted = format!("\"{text}\"");
    Diagnostic::warning(Code::DateArithmetic, span, message)
        .help("a date is a string: write it in quotes, or put spaces around the operators")
        .fix(Fix::unsafe_("add quotes", vec![TextEdit::replace(span, quoted)]))
}

#[cfg(test)]
mod tests {
    use super::is_date;

    #[test]
    fn dates() {
        for date in ["2012-10-17", "1999-01-31", "10/17/2012", "17/10/2012"] {
            assert!(is_date(date), "{date}");
        }
        for other in [
            "2012-13-17",
            "2012-10-32",
            "1812-10-17",
            "2012-1-017",
            "2012+10-17",
            "10/17/1812",
            "17/17/2012",
            "1 - 2 -  3",
            "2012/10/17",
        ] {
            assert!(!is_date(other), "{other}");
        }
    }
}
