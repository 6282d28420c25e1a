//! Numbers in the notation of other languages: `1_000`, `0x1F`, `0b101`, `.5`, `5.`, `10L`.

use pcl_diagnostics::{Code, TextRange};
use pcl_syntax::{SyntaxKind as K, excerpt};

use crate::habit::Habit;
use crate::view::{Line, View};

/// The longest number that is read, in bytes: the digits of another base are converted one by one.
const LONGEST: usize = 1024;

/// The number that begins at `token`, if it is one in other languages only.
pub(super) fn number(view: &View<'_>, line: &Line, token: u32) -> Option<Habit> {
    let begins = match view.kind(token) {
        K::Number => true,
        K::Dot => view.kind(token + 1) == K::Number && view.touches(token, token + 1),
        _ => false,
    };
    let is_step = token > 0 && view.kind(token - 1) == K::Dot;
    if !begins || is_step || view.follows_operand(token) || !view.is_in_value(line, token) {
        return None;
    }
    let start = view.start(token);
    let rest = view.text_between(start, line.stop);
    let written = extent(rest);
    let after = rest.get(written.len()..)?.chars().next();
    // The rest of an address or of a date.
    if after.is_some_and(|c| matches!(c, ':' | '@' | '.')) || written.len() > LONGEST {
        return None;
    }
    let number = plain(written)?;
    let range = TextRange::new(start, start + written.len() as u32);
    Some(
        Habit::value(Code::NumInvalid, range)
            .message(format!("{} is not a number in PCL", excerpt(written)))
            .help(format!("write `{number}`"))
            .title(format!("write `{number}`"))
            .edit(range, number)
            .safe(),
    )
}

/// The letters and digits that a text begins with, with the sign of an exponent.
fn extent(text: &str) -> &str {
    let is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    let mut end = 0;
    for (at, c) in text.char_indices() {
        let is_sign = matches!(c, '+' | '-') && !is_hexadecimal;
        let follows_exponent = text.get(..at).is_some_and(|text| text.ends_with(['e', 'E']));
        let is_part = c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
        if !(is_part || is_sign && follows_exponent) {
            break;
        }
        end = at + c.len_utf8();
    }
    text.get(..end).unwrap_or(text)
}

/// The number as PCL writes it. `None` where it is written so already, or is no number.
fn plain(written: &str) -> Option<String> {
    let lower = written.to_ascii_lowercase();
    for (prefix, base) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(digits) = lower.strip_prefix(prefix) {
            return decimal(&without_separators(digits)?, base);
        }
    }
    let number = lower.trim_end_matches(['l', 'n', 'u']);
    let number = if number.contains('.') { number.trim_end_matches('f') } else { number };
    if lower.len() - number.len() > 3 {
        return None;
    }
    let number = without_separators(number.strip_suffix('.').unwrap_or(number))?;
    let (mantissa, exponent) = match number.split_once('e') {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (number.as_str(), None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    let digits = exponent.map(|exponent| exponent.strip_prefix(['+', '-']).unwrap_or(exponent));
    let fits = (whole.is_empty() || is_digits(whole)) && is_digits(fraction);
    if !fits || whole.is_empty() && mantissa.is_empty() || !digits.is_none_or(is_digits) {
        return None;
    }
    let zero = if whole.is_empty() { "0" } else { "" };
    let number = format!("{zero}{number}");
    (number != lower).then_some(number)
}

/// The text without the `_` between its digits.
fn without_separators(text: &str) -> Option<String> {
    let is_between = !text.starts_with('_') && !text.ends_with('_') && !text.is_empty();
    is_between.then(|| text.replace('_', ""))
}

/// The number with these digits of another base, in decimal digits. It is exact.
fn decimal(digits: &str, base: u32) -> Option<String> {
    let mut decimal: Vec<u32> = vec![0];
    for digit in digits.chars() {
        let mut carry = digit.to_digit(base)?;
        for place in &mut decimal {
            let sum = *place * base + carry;
            *place = sum % 10;
            carry = sum / 10;
        }
        while carry > 0 {
            decimal.push(carry % 10);
            carry /= 10;
        }
    }
    decimal.iter().rev().map(|&digit| char::from_digit(digit, 10)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_numbers() {
        for (written, number) in [
            ("1_000", "1000"),
            ("1_000_000_000_000_000_000_000", "1000000000000000000000"),
            ("1_0.5", "10.5"),
            ("1_0e+3", "10e+3"),
            (".5", "0.5"),
            ("5.", "5"),
            ("10L", "10"),
            ("10n", "10"),
            ("1.5f", "1.5"),
            ("0x1F", "31"),
            ("0XFF_FF", "65535"),
            ("0b101", "5"),
            ("0o17", "15"),
            ("0xFFFFFFFFFFFFFFFFFFFFFFFF", "79228162514264337593543950335"),
            ("0x0", "0"),
        ] {
            assert_eq!(plain(written).as_deref(), Some(number), "{written}");
        }
        for written in [
            "1000", "1.5", "1e3", "1.2.3", "10Gi", "5m", "0x", "0xfg", "0b12", "0o8", "1_", "1__a",
            "1.e2", "5..", ".", "1e", "3d", "0x1.8p3", "2xlarge", "1e5.5",
        ] {
            assert_eq!(plain(written), None, "{written}");
        }
    }

    /// The value of digits of a base, for numbers that fit.
    #[test]
    fn other_bases_are_exact() {
        let mut number = 1_u128;
        for step in 0..127_u32 {
            number = number.wrapping_mul(3).wrapping_add(u128::from(step));
            for (text, base) in [
                (format!("{number:x}"), 16),
                (format!("{number:o}"), 8),
                (format!("{number:b}"), 2),
            ] {
                assert_eq!(decimal(&text, base), Some(number.to_string()));
            }
        }
    }
}
