//! The values of scalars without quotes.
//!
//! The rules are those of the YAML reader that Pulumi uses: those of YAML 1.2, with the octal
//! numbers (`0777`), separators (`1_000`) and dates of YAML 1.1.

use std::fmt;

use super::time::Time;

/// A scalar.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Scalar {
    Null,
    Bool(bool),
    Int(i64),
    /// A whole number that no `i64` holds.
    Uint(u64),
    Float(f64),
    Time(Time),
    Text(String),
}

impl Scalar {
    /// The value of a text without quotes.
    pub fn resolve(text: &str) -> Self {
        let unquoted = || Self::Text(text.to_owned());
        match text {
            "" | "~" | "null" | "Null" | "NULL" => return Self::Null,
            "true" | "True" | "TRUE" => return Self::Bool(true),
            "false" | "False" | "FALSE" => return Self::Bool(false),
            ".nan" | ".NaN" | ".NAN" => return Self::Float(f64::NAN),
            ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => {
                return Self::Float(f64::INFINITY);
            }
            "-.inf" | "-.Inf" | "-.INF" => return Self::Float(f64::NEG_INFINITY),
            _ => {}
        }
        if !text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) {
            return unquoted();
        }
        if let Some(time) = Time::parse(text) {
            return Self::Time(time);
        }
        // A text that begins with a dot is at most a number without separators.
        let digits = if text.starts_with('.') { text.to_owned() } else { text.replace('_', "") };
        whole(&digits).or_else(|| float(&digits).map(Self::Float)).unwrap_or_else(unquoted)
    }
}

/// A whole number in any of its notations.
fn whole(text: &str) -> Option<Scalar> {
    let is_negative = text.starts_with('-');
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let lower = digits.to_ascii_lowercase();
    let (radix, digits) = match lower.get(..2) {
        Some("0x") => (16, lower.get(2..)?),
        Some("0o") => (8, lower.get(2..)?),
        Some("0b") => (2, lower.get(2..)?),
        Some(_) if lower.starts_with('0') => (8, lower.get(1..)?),
        _ => (10, lower.as_str()),
    };
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return None;
    }
    let magnitude = u64::from_str_radix(digits, radix).ok()?;
    if is_negative {
        return 0i64.checked_sub_unsigned(magnitude).map(Scalar::Int);
    }
    match i64::try_from(magnitude) {
        Ok(number) => Some(Scalar::Int(number)),
        // A number with a sign is one of 63 bits.
        Err(_) if text.starts_with('+') => None,
        Err(_) => Some(Scalar::Uint(magnitude)),
    }
}

/// A number in decimal notation that is finite.
fn float(text: &str) -> Option<f64> {
    let is_of_number = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
    if !text.chars().all(is_of_number) {
        return None;
    }
    let number: f64 = text.parse().ok()?;
    // No program sees the fraction of a whole number, or the sign of zero.
    number.is_finite().then_some(number + 0.0)
}

/// The text of a scalar in JSON or in a configuration.
impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => value.fmt(f),
            Self::Int(number) => number.fmt(f),
            Self::Uint(number) => number.fmt(f),
            Self::Float(number) => f.write_str(&float_text(*number)),
            Self::Time(time) => time.fmt(f),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// A finite number as Go writes it in JSON: very large and very small ones with an exponent.
pub(crate) fn float_text(number: f64) -> String {
    let size = number.abs();
    if size == 0.0 || (1e-6..1e21).contains(&size) {
        return number.to_string();
    }
    let text = format!("{number:e}");
    match text.split_once("e-") {
        Some(_) => text,
        None => text.replace('e', "e+"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let cases = [
            ("0", Scalar::Int(0)),
            ("-0", Scalar::Int(0)),
            ("+12", Scalar::Int(12)),
            ("0777", Scalar::Int(0o777)),
            ("-012", Scalar::Int(-0o12)),
            ("0x1F", Scalar::Int(31)),
            ("-0x1f", Scalar::Int(-31)),
            ("0b101", Scalar::Int(5)),
            ("0O17", Scalar::Int(15)),
            ("1_000", Scalar::Int(1000)),
            ("-9223372036854775808", Scalar::Int(i64::MIN)),
            ("18446744073709551615", Scalar::Uint(u64::MAX)),
            ("18446744073709551616", Scalar::Float(18446744073709551616.0)),
            ("08", Scalar::Float(8.0)),
            (".5", Scalar::Float(0.5)),
            ("1.", Scalar::Float(1.0)),
            ("1e3", Scalar::Float(1000.0)),
        ];
        for (text, expected) in cases {
            assert_eq!(Scalar::resolve(text), expected, "{text}");
        }
        for text in
            ["0x", "0b2", "1.2.3", "1e400", ".", "-", "+", "1e", "--1", "0x1.8", "._5", "yes"]
        {
            assert_eq!(Scalar::resolve(text), Scalar::Text(text.to_owned()));
        }
    }

    #[test]
    fn floats_are_written_as_go_writes_them() {
        let cases = [
            (1.5, "1.5"),
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (1.25e-7, "1.25e-7"),
            (1e-6, "0.000001"),
            (-2e300, "-2e+300"),
            (5e-324, "5e-324"),
            (0.0, "0"),
        ];
        for (number, text) in cases {
            assert_eq!(float_text(number), text);
        }
    }
}
