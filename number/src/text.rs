//! The text of a number in a program, and the equality that follows from it.

use std::borrow::Cow;
use std::cmp::Ordering;

use num_bigint::Sign;

use crate::number::{Digits, Number, plain};

/// The number of significant digits that every 64-bit float keeps.
const KEPT: u64 = 1_000_000_000_000_000;

/// The power of ten beyond which a text without exponent would be too long; no finite number has
/// it.
const LONG: i64 = 400;

impl Number {
    /// The number that a 64-bit float denotes: its shortest decimal, so that 0.1 is 0.1. `None` for
    /// infinities and NaN.
    ///
    /// ```
    /// use pcl_number::Number;
    /// assert_eq!(Number::from_f64(0.1), Number::parse("0.1"));
    /// assert_eq!(Number::from_f64(f64::INFINITY), None);
    /// ```
    pub fn from_f64(value: f64) -> Option<Self> {
        if !value.is_finite() {
            return None;
        }
        if value == 0.0 {
            let zero = Self::from(0);
            return Some(if value.is_sign_negative() { zero.negated() } else { zero });
        }
        // Whole numbers of at most 53 bits have themselves as their shortest decimal.
        if value.abs() < 9e15 && value.trunc() == value {
            return Some(Self::from(value as i64));
        }
        Self::parse(&format!("{value:e}"))
    }

    /// Reads text that a program converts to a number: like [`Number::parse`], but with a digit
    /// before the point or exponent and one after the point.
    ///
    /// ```
    /// use pcl_number::Number;
    /// assert_eq!(Number::from_text("-1.5e3"), Number::parse("-1500"));
    /// assert_eq!(Number::from_text(".5"), None);
    /// ```
    pub fn from_text(text: &str) -> Option<Self> {
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let mantissa = unsigned.split(['e', 'E']).next()?;
        if !mantissa.starts_with(|c: char| c.is_ascii_digit()) || mantissa.ends_with('.') {
            return None;
        }
        let number = Self::parse(text)?;
        let negative_zero = number.is_zero() && text.starts_with('-');
        Some(if negative_zero { number.negated() } else { number })
    }

    /// The text of the number in templates, keys and JSON: all digits of a whole number, of any
    /// other the shortest text of the nearest 64-bit float; never an exponent.
    ///
    /// ```
    /// use pcl_number::Number;
    /// let text = |written| Number::parse(written).unwrap().text();
    /// assert_eq!(text("1e21"), "1000000000000000000000");
    /// assert_eq!(text("0.30000000000000000001"), "0.3");
    /// ```
    pub fn text(&self) -> String {
        if let Some(whole) = self.whole() {
            return whole.to_string();
        }
        if self.is_negative_zero() {
            return String::from("-0");
        }
        if !self.is_integral() && !self.is_short() {
            return self.to_f64().to_string();
        }
        let (negative, digits, first) = self.scientific();
        if first > LONG {
            // No value of a program: arithmetic refuses it.
            return self.to_string();
        }
        let mut text = String::from(if negative { "-" } else { "" });
        plain(&mut text, &digits, first);
        text
    }

    /// Returns true if two numbers are equal for a program: if they have one text.
    pub fn text_eq(&self, other: &Self) -> bool {
        match (self.whole(), other.whole()) {
            (Some(one), Some(other)) => one == other,
            _ => self == other || self.read_back() == other.read_back(),
        }
    }

    /// The order of two numbers for a program: that of their values, except that numbers with one
    /// text are equal.
    pub fn text_cmp(&self, other: &Self) -> Ordering {
        if let (Some(one), Some(other)) = (self.whole(), other.whole()) {
            return one.cmp(&other);
        }
        match self.cmp(other) {
            Ordering::Equal => Ordering::Equal,
            _ if self.text_eq(other) => Ordering::Equal,
            order => order,
        }
    }

    /// The number that the text denotes: this one, if it is whole or short.
    ///
    /// ```
    /// use pcl_number::Number;
    /// let nearly = Number::parse("2.99999999999999999999999").unwrap();
    /// assert!(!nearly.is_integral() && nearly.read_back().is_integral());
    /// ```
    pub fn read_back(&self) -> Cow<'_, Self> {
        if self.is_integral() || self.is_short() {
            return Cow::Borrowed(self);
        }
        match Self::from_f64(self.to_f64()) {
            Some(number) => Cow::Owned(number),
            None => Cow::Borrowed(self),
        }
    }

    /// Returns true if the number has so few digits that it is the shortest decimal of a float.
    fn is_short(&self) -> bool {
        match &self.digits {
            Digits::Small(digits) => {
                digits.unsigned_abs() < KEPT && (-300..=LONG).contains(&self.exponent)
            }
            Digits::NegativeZero => true,
            Digits::Big(digits) => digits.sign() == Sign::NoSign,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn number(text: &str) -> Number {
        Number::parse(text).unwrap()
    }

    #[test]
    fn texts_have_no_exponent() {
        for (written, text) in [
            ("1e21", "1000000000000000000000"),
            ("1e-7", "0.0000001"),
            ("9007199254740993", "9007199254740993"),
            ("-2.50", "-2.5"),
            ("1.1000000000000000000001", "1.1"),
            ("1e-400", "0"),
        ] {
            assert_eq!(number(written).text(), text);
        }
        assert_eq!(Number::from(0).negated().text(), "-0");
        assert_eq!(number("1e999999").text(), "1e+999999");
    }

    #[test]
    fn equality_is_equality_of_texts() {
        assert!(number("0.1").text_eq(&Number::from_f64(0.1).unwrap()));
        assert!(number("9.99999999999999999999999").text_eq(&number("10")));
        assert!(!number("9007199254740993").text_eq(&number("9007199254740992")));
        assert!(Number::from(0).negated().text_eq(&Number::from(0)));
        let (left, right) = (number("0.1"), number("0.10000000000000000001"));
        assert_eq!(left.text_cmp(&right), Ordering::Equal);
        assert_eq!(number("2").text_cmp(&number("10")), Ordering::Less);
    }

    #[test]
    fn only_decimal_text_is_a_number() {
        for text in ["", " 5", "5 ", "1_0", "0x10", "inf", ".5", "5.", "1.e5", "e5", "--1", "NaN"] {
            assert_eq!(Number::from_text(text), None, "{text}");
        }
        assert_eq!(Number::from_text("1e2"), Some(number("100")));
        assert_eq!(Number::from_text("+1.5"), Some(number("1.5")));
        assert!(Number::from_text("-0").unwrap().is_negative_zero());
    }

    proptest! {
        #[test]
        fn a_float_is_its_shortest_decimal(value in any::<f64>()) {
            prop_assume!(value.is_finite());
            let number = Number::from_f64(value).unwrap();
            prop_assert_eq!(number.to_f64().to_bits(), value.to_bits());
            if number.is_finite() {
                prop_assert_eq!(number.text(), value.to_string());
            }
        }

        #[test]
        fn a_text_is_read_back(digits in any::<i64>(), exponent in -40i64..40) {
            let number = Number::from_parts(digits.into(), exponent);
            let back = Number::from_text(&number.text()).unwrap();
            prop_assert!(back.text_eq(&number));
            prop_assert_eq!(back.text_cmp(&number), Ordering::Equal);
            prop_assert_eq!(back.text(), number.text());
        }
    }
}
