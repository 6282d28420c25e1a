//! Exact decimal numbers.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use num_bigint::{BigInt, Sign};

/// An exact decimal number, `digits × 10^exponent`, without trailing zeros in its digits; zero is
/// `0 × 10^0`.
///
/// Two numbers are equal when they have one value, however they were written: `1`, `1.0` and
/// `10e-1` are one number. Nothing is rounded, and an exponent is never expanded: `1e400` costs as
/// much as `1`. Every literal that the language accepts has its exact value here: it refuses
/// exponents beyond 32 bits, and [`Number::parse`] those beyond 62.
///
/// Zero has a sign only if it comes from a 64-bit float or from arithmetic, where `-0` has its own
/// [text](Number::text). Both zeros are equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Number {
    pub(crate) digits: Digits,
    pub(crate) exponent: i64,
}

/// The digits of a number with its sign; `Big` only where 64 bits do not hold them.
#[derive(Clone, Debug)]
pub(crate) enum Digits {
    Small(i64),
    Big(Box<BigInt>),
    NegativeZero,
}

impl PartialEq for Digits {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Big(left), Self::Big(right)) => left == right,
            _ => self.small().is_some() && self.small() == other.small(),
        }
    }
}

impl Eq for Digits {}

impl Hash for Digits {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Self::Big(digits) => digits.hash(state),
            _ => self.small().hash(state),
        }
    }
}

impl Digits {
    /// The digits if 64 bits hold them.
    pub fn small(&self) -> Option<i64> {
        match self {
            Self::Small(digits) => Some(*digits),
            Self::NegativeZero => Some(0),
            Self::Big(_) => None,
        }
    }
}

impl From<BigInt> for Digits {
    fn from(digits: BigInt) -> Self {
        match i64::try_from(&digits) {
            Ok(small) => Self::Small(small),
            Err(_) => Self::Big(Box::new(digits)),
        }
    }
}

/// The number of decimal digits that 64 bits always hold.
const SMALL: usize = 18;

/// From how many decimal digits on a run is split in two before it is read, so that long numbers
/// stay cheap.
const SPLIT: usize = 2_000;

impl Number {
    /// Reads decimal text: an optional sign, digits, an optional fraction, an optional exponent
    /// (`-1.5e+3`). `None` for anything else and for exponents that do not fit 62 bits.
    ///
    /// ```
    /// use pcl_number::Number;
    /// assert_eq!(Number::parse("1.50"), Number::parse("15e-1"));
    /// assert_eq!(Number::parse("1e400").unwrap().to_string(), "1e+400");
    /// assert_eq!(Number::parse("0x10"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        // Most numbers are short and whole.
        if (1..=SMALL).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit()) {
            return text.parse().ok().map(i64::into);
        }
        let (negative, text) = match text.strip_prefix('-') {
            Some(text) => (true, text),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (mantissa, written) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, Some(exponent)),
            None => (text, None),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        // `1.e5` is a number, `1.` is none.
        let dangling = mantissa.ends_with('.') && written.is_none();
        if whole.is_empty() && fraction.is_empty() || dangling {
            return None;
        }
        if !whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let written = written.map_or(Some(Some(0)), exponent)?;
        let mut digits = String::with_capacity(whole.len() + fraction.len());
        digits.push_str(whole);
        digits.push_str(fraction);
        let significant = digits.trim_end_matches('0');
        let trailing = digits.len() - significant.len();
        let significant = significant.trim_start_matches('0');
        if significant.is_empty() {
            return Some(Self::from(0));
        }
        let written = written?;
        let exponent = written.checked_sub(fraction.len() as i64)?.checked_add(trailing as i64)?;
        if exponent.unsigned_abs() > 1 << 62 {
            return None;
        }
        let digits = read(significant);
        Some(Self { digits: if negative { -digits } else { digits }.into(), exponent })
    }

    /// Returns whether this is a whole number.
    pub fn is_integral(&self) -> bool {
        self.exponent >= 0
    }

    /// The value as an `i64`, when it is a whole number that fits.
    pub fn to_i64(&self) -> Option<i64> {
        let digits = self.digits.small()?;
        let power = u32::try_from(self.exponent).ok()?;
        if digits == 0 { Some(0) } else { digits.checked_mul(10i64.checked_pow(power)?) }
    }

    /// The nearest 64-bit float; infinite when there is none.
    pub fn to_f64(&self) -> f64 {
        if self.is_negative_zero() {
            return -0.0;
        }
        format!("{}e{}", self.digits(), self.exponent).parse().unwrap_or(f64::NAN)
    }

    /// The significant digits and the power of ten that they are multiplied with.
    pub fn parts(&self) -> (Cow<'_, BigInt>, i64) {
        (self.digits(), self.exponent)
    }

    pub(crate) fn digits(&self) -> Cow<'_, BigInt> {
        match &self.digits {
            Digits::Small(digits) => Cow::Owned(BigInt::from(*digits)),
            Digits::NegativeZero => Cow::Owned(BigInt::ZERO),
            Digits::Big(digits) => Cow::Borrowed(digits),
        }
    }

    pub(crate) fn sign(&self) -> Sign {
        match &self.digits {
            Digits::NegativeZero => Sign::NoSign,
            Digits::Small(digits) => match digits.signum() {
                -1 => Sign::Minus,
                0 => Sign::NoSign,
                _ => Sign::Plus,
            },
            Digits::Big(digits) => digits.sign(),
        }
    }

    /// Returns whether a 64-bit float can hold exactly this number.
    pub fn is_float(&self) -> bool {
        let digits = self.digits();
        let bits = digits.bits();
        let (mantissa, binary) = if self.exponent >= 0 {
            if self.exponent > 310 {
                return false;
            }
            (digits.magnitude() * num_bigint::BigUint::from(10u32).pow(self.exponent as u32), 0)
        } else {
            // digits / 10^k has a binary end only if 5^k divides the digits, which then have at
            // least 2k bits.
            let places = self.exponent.unsigned_abs();
            if places.saturating_mul(2) > bits {
                return false;
            }
            let fives = num_bigint::BigUint::from(5u32).pow(places as u32);
            let mantissa = digits.magnitude() / &fives;
            if &mantissa * fives != *digits.magnitude() {
                return false;
            }
            (mantissa, -(places as i64))
        };
        let zeros = mantissa.trailing_zeros().unwrap_or(0);
        mantissa.bits() - zeros <= 53
            && mantissa.bits() as i64 + binary <= 1024
            && binary + zeros as i64 >= -1074
    }

    /// Digits without sign, and the decimal exponent of the first of them.
    pub fn scientific(&self) -> (bool, String, i64) {
        let digits = match &self.digits {
            Digits::Small(digits) => digits.unsigned_abs().to_string(),
            Digits::NegativeZero => String::from("0"),
            Digits::Big(digits) => digits.magnitude().to_string(),
        };
        let first = self.exponent + digits.len() as i64 - 1;
        (self.sign() == Sign::Minus, digits, first)
    }

    /// As `12`, `0.5` or `1e+06`: the scientific form from an exponent of `above` on, and below -4.
    pub fn render(&self, above: i64) -> String {
        let (negative, digits, first) = self.scientific();
        let mut text = String::from(if negative { "-" } else { "" });
        if first < -4 || first >= above {
            let (whole, fraction) = digits.split_at_checked(1).unwrap_or((&digits, ""));
            text.push_str(whole);
            if !fraction.is_empty() {
                text.push('.');
                text.push_str(fraction);
            }
            let sign = if first < 0 { '-' } else { '+' };
            text.push_str(&format!("e{sign}{:02}", first.unsigned_abs()));
        } else {
            plain(&mut text, &digits, first);
        }
        text
    }

    /// With every digit and no exponent, unless that would take thousands of zeros.
    pub fn render_plain(&self) -> String {
        let (negative, digits, first) = self.scientific();
        if first.abs() > 4_000 {
            return self.to_string();
        }
        let mut text = String::from(if negative { "-" } else { "" });
        plain(&mut text, &digits, first);
        text
    }
}

/// Appends digits, the first of which has the weight `10^first`.
pub(crate) fn plain(text: &mut String, digits: &str, first: i64) {
    if first < 0 {
        text.push_str("0.");
        text.extend(std::iter::repeat_n('0', first.unsigned_abs() as usize - 1));
        text.push_str(digits);
    } else if (digits.len() as i64) <= first + 1 {
        text.push_str(digits);
        text.extend(std::iter::repeat_n('0', first as usize + 1 - digits.len()));
    } else {
        let (whole, fraction) = digits.split_at(first as usize + 1);
        text.push_str(whole);
        text.push('.');
        text.push_str(fraction);
    }
}

/// A written exponent: `None` if it is not a number, `Some(None)` if it exceeds 64 bits.
fn exponent(text: &str) -> Option<Option<i64>> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let valid = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    valid.then(|| text.parse().ok())
}

/// Reads digits, long runs by halves: reading digit by digit would be quadratic.
fn read(digits: &str) -> BigInt {
    if digits.len() <= SPLIT {
        return digits.parse().unwrap_or_default();
    }
    let (high, low) = digits.split_at(digits.len() / 2);
    read(high) * BigInt::from(10).pow(low.len() as u32) + read(low)
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        let (mut digits, mut exponent) = (value, 0);
        while digits != 0 && digits % 10 == 0 {
            digits /= 10;
            exponent += 1;
        }
        Self { digits: Digits::Small(digits), exponent }
    }
}

impl std::ops::Neg for Number {
    type Output = Self;

    fn neg(self) -> Self {
        let digits = match self.digits {
            Digits::Small(digits) if digits != i64::MIN => Digits::Small(-digits),
            _ => (-self.digits().into_owned()).into(),
        };
        Self { digits, exponent: self.exponent }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        let signs = self.sign().cmp(&other.sign());
        if signs != Ordering::Equal || self == other {
            return signs;
        }
        let (negative, left, left_first) = self.scientific();
        let (_, right, right_first) = other.scientific();
        let order = left_first.cmp(&right_first).then_with(|| left.cmp(&right));
        if negative { order.reverse() } else { order }
    }
}

/// Exact: plain up to 21 digits before the point, scientific beyond that and for small fractions.
impl fmt::Display for Number {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.render(21))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        Number::parse(text).unwrap()
    }

    #[test]
    fn one_value_is_one_number_however_it_is_written() {
        for same in ["1", "1.0", "1e0", "1.e0", "10e-1", "0.1e1", "001", "+1"] {
            assert_eq!(number(same), Number::from(1), "{same}");
        }
        assert_eq!(number("0e99999999999999999999"), Number::from(0));
        assert_eq!(number("-0"), Number::from(0));
        assert_eq!(-number("2147483648"), number("-2147483648"));
        assert_eq!(-number("9223372036854775808"), Number::from(i64::MIN));
        assert_eq!(-Number::from(i64::MIN), number("9223372036854775808.0"));
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in [
            "",
            "-",
            ".",
            "1.",
            "1e",
            "1e+",
            "1e1.5",
            "1_000",
            "0x1",
            "1 ",
            "inf",
            "1e9999999999999999999",
        ] {
            assert_eq!(Number::parse(text), None, "{text}");
        }
    }

    #[test]
    fn printed_numbers_keep_every_digit_and_never_expand_an_exponent() {
        for (text, shown) in [
            ("100000", "100000"),
            ("12345678901", "12345678901"),
            ("3.14159265358979", "3.14159265358979"),
            ("123456789012345678901", "123456789012345678901"),
            ("1234567890123456789012", "1.234567890123456789012e+21"),
            ("1e400", "1e+400"),
            ("1e-7", "1e-07"),
            ("0.00012", "0.00012"),
            ("-2.50", "-2.5"),
        ] {
            assert_eq!(number(text).to_string(), shown);
        }
        assert_eq!(number("1e999999999999").to_string(), "1e+999999999999");
    }

    #[test]
    fn numbers_are_ordered_by_value() {
        let sorted =
            ["-1e400", "-2", "-1.5", "0", "1e-400", "0.5", "1", "9", "10", "10.5", "1e400"]
                .map(number);
        assert!(sorted.is_sorted());
        assert!(sorted.iter().rev().is_sorted_by(|a, b| a > b));
    }

    #[test]
    fn widths_and_floats() {
        assert_eq!(number("-9223372036854775808").to_i64(), Some(i64::MIN));
        assert_eq!(number("9223372036854775808").to_i64(), None);
        assert_eq!(number("0.5").to_i64(), None);
        assert!(number("1e400").is_integral());
        for (text, exact) in [
            ("0.5", true),
            ("0.1", false),
            ("1234567.5", true),
            ("0.0009765625", true),
            ("3.14", false),
        ] {
            assert_eq!(number(text).is_float(), exact, "{text}");
        }
        assert!(!number("1e-400").is_float() && !number("1e-99999999").is_float());
        assert_eq!(number("0.25").to_f64(), 0.25);
    }

    #[test]
    fn a_long_literal_is_read_in_time() {
        let text = "7".repeat(200_000);
        assert!(number(&text).is_integral());
    }
}
