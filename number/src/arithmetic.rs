//! The operators of the language on exact numbers.

use num_bigint::{BigInt, BigUint, Sign};
use thiserror::Error;

use crate::number::{Digits, Number};

/// The reason why an operation has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NumberError {
    /// The result is infinite: it exceeds every 64-bit float, or something is divided by zero.
    #[error("the result is not a finite number")]
    NotFinite,
    /// Zero is divided by zero.
    #[error("zero divided by zero is not a number")]
    Undefined,
}

/// The digits that a quotient keeps at least.
const QUOTIENT: i64 = 64;

/// The power of ten from which on downwards a number is taken for zero. The smallest float is near
/// `10^-324`.
const NOTHING: i64 = -100_000;

/// The greatest power of ten below the greatest float.
const GREATEST: i64 = 308;

impl Number {
    /// The number of digits to which arithmetic rounds. Every whole number that is a float has at
    /// most 309, and every float at most 767, so a program whose numbers are longer has them from
    /// squaring fractions again and again; without a limit each squaring would double their size.
    pub const LONGEST: usize = 1_024;

    /// The number with these digits and this power of ten.
    pub fn from_parts(digits: BigInt, exponent: i64) -> Self {
        if digits.sign() == Sign::NoSign {
            return Self::from(0);
        }
        let (mut digits, mut exponent) = (digits, exponent);
        match i64::try_from(&digits) {
            Ok(mut small) => {
                while small % 10 == 0 {
                    small /= 10;
                    exponent = exponent.saturating_add(1);
                }
                Self { digits: Digits::Small(small), exponent }
            }
            Err(_) => {
                // A number that 2^k does not divide is not divided by 10^k either.
                let mut step = digits.trailing_zeros().unwrap_or(0) as u32;
                while step > 0 {
                    let power = BigInt::from(10).pow(step);
                    let quotient = &digits / &power;
                    if &quotient * &power == digits {
                        digits = quotient;
                        exponent = exponent.saturating_add(i64::from(step));
                    } else {
                        step /= 2;
                    }
                }
                Self { digits: digits.into(), exponent }
            }
        }
    }

    /// The number itself, if it is no greater than the greatest 64-bit float.
    ///
    /// # Errors
    /// Returns [`NumberError::NotFinite`] for a number whose nearest float is infinite.
    pub fn finite(self) -> Result<Self, NumberError> {
        if self.is_finite() { Ok(self) } else { Err(NumberError::NotFinite) }
    }

    /// Returns true if the nearest 64-bit float is finite.
    pub fn is_finite(&self) -> bool {
        let (_, first) = self.first();
        first < GREATEST || first <= GREATEST + 1 && self.to_f64().is_finite()
    }

    /// Returns true for zero with either sign.
    pub fn is_zero(&self) -> bool {
        self.sign() == Sign::NoSign
    }

    /// Returns true for the zero that a minus sign or a 64-bit float made.
    pub fn is_negative_zero(&self) -> bool {
        matches!(self.digits, Digits::NegativeZero)
    }

    /// The number with the other sign; `-0` for zero.
    #[must_use]
    pub fn negated(&self) -> Self {
        match self.digits {
            Digits::Small(0) => Self { digits: Digits::NegativeZero, exponent: 0 },
            _ => -self.clone(),
        }
    }

    /// The number, if it is a whole number of 64 bits other than `-0`: nearly every number of
    /// programs.
    pub(crate) fn whole(&self) -> Option<i64> {
        match (&self.digits, self.exponent) {
            (Digits::Small(digits), 0) => Some(*digits),
            (Digits::Small(_), 1..) => self.to_i64(),
            _ => None,
        }
    }

    /// The sum.
    ///
    /// # Errors
    /// Returns [`NumberError::NotFinite`] if it exceeds the greatest 64-bit float.
    pub fn try_add(&self, other: &Self) -> Result<Self, NumberError> {
        if let (Some(left), Some(right)) = (self.whole(), other.whole())
            && let Some(sum) = left.checked_add(right)
        {
            return Ok(Self::from(sum));
        }
        match (self.is_zero(), other.is_zero()) {
            (true, true) if self.is_negative_zero() && other.is_negative_zero() => {
                return Ok(self.clone());
            }
            (true, true) => return Ok(Self::from(0)),
            (true, false) => return other.clone().finite(),
            (false, true) => return self.clone().finite(),
            (false, false) => {}
        }
        let (high, low) = if self.first() >= other.first() { (self, other) } else { (other, self) };
        // Digits so far below the first one would be rounded away.
        let negligible = low.first().1.saturating_add(Self::LONGEST as i64 + 2);
        if high.first().0 > negligible {
            return high.clone().shortened().finite();
        }
        let exponent = high.exponent.min(low.exponent);
        let sum = high.scaled_to(exponent) + low.scaled_to(exponent);
        Self::from_parts(sum, exponent).shortened().finite()
    }

    /// The difference.
    ///
    /// # Errors
    /// Returns [`NumberError::NotFinite`] if it exceeds the greatest 64-bit float.
    pub fn try_sub(&self, other: &Self) -> Result<Self, NumberError> {
        self.try_add(&other.negated())
    }

    /// The product.
    ///
    /// # Errors
    /// Returns [`NumberError::NotFinite`] if it exceeds the greatest 64-bit float.
    pub fn try_mul(&self, other: &Self) -> Result<Self, NumberError> {
        if let (Some(left), Some(right)) = (self.whole(), other.whole())
            && let Some(product @ (1.. | ..=-1)) = left.checked_mul(right)
        {
            return Ok(Self::from(product));
        }
        if self.is_zero() || other.is_zero() {
            return Ok(self.signed_zero(other));
        }
        let exponent = self.exponent.saturating_add(other.exponent);
        let product = self.digits().as_ref() * other.digits().as_ref();
        Self::from_parts(product, exponent).shortened().finite()
    }

    /// The quotient, exact if 64 digits hold it, else rounded to at least as many.
    ///
    /// # Errors
    /// Returns [`NumberError::Undefined`] for zero by zero, and [`NumberError::NotFinite`] for any
    /// other number by zero and for a quotient that exceeds the greatest 64-bit float.
    pub fn try_div(&self, other: &Self) -> Result<Self, NumberError> {
        match (self.is_zero(), other.is_zero()) {
            (true, true) => return Err(NumberError::Undefined),
            (false, true) => return Err(NumberError::NotFinite),
            (true, false) => return Ok(self.signed_zero(other)),
            (false, false) => {}
        }
        let first = self.first().0.saturating_sub(other.first().1);
        if first > GREATEST + 2 {
            return Err(NumberError::NotFinite);
        }
        if first < NOTHING {
            return Ok(self.signed_zero(other));
        }
        let exponent = (first - QUOTIENT - 2).min(0);
        let shift = self.exponent - other.exponent - exponent;
        let power = BigInt::from(10).pow(shift.unsigned_abs() as u32);
        let (mut left, mut right) = (self.digits().into_owned(), other.digits().into_owned());
        if shift < 0 {
            right *= power
        } else {
            left *= power
        }
        Self::from_parts(rounded_quotient(&left, &right), exponent).shortened().finite()
    }

    /// The remainder of a division whose quotient is cut to a whole number: `-7 % 3` is `-1`.
    ///
    /// # Errors
    /// Returns [`NumberError::NotFinite`] if the divisor is zero.
    pub fn try_rem(&self, other: &Self) -> Result<Self, NumberError> {
        if other.is_zero() {
            return Err(NumberError::NotFinite);
        }
        if self.is_zero() || self.first().1 < other.first().0 {
            return self.clone().finite();
        }
        let (left, right) = (self.digits(), other.digits());
        let (left, right) = (left.magnitude(), right.magnitude());
        let exponent = self.exponent.min(other.exponent);
        let shift = self.exponent.saturating_sub(other.exponent);
        let remainder = if shift >= 0 {
            // The dividend may have many more digits than the divisor, once it is written out.
            let power = BigUint::from(10u32).modpow(&BigUint::from(shift.unsigned_abs()), right);
            left % right * power % right
        } else {
            left % (right * BigUint::from(10u32).pow(shift.unsigned_abs() as u32))
        };
        Self::from_parts(BigInt::from_biguint(self.sign(), remainder), exponent).finite()
    }

    /// Zero with the sign that a product has.
    fn signed_zero(&self, other: &Self) -> Self {
        let is_negative = |number: &Self| number.is_negative_zero() || number.sign() == Sign::Minus;
        if is_negative(self) == is_negative(other) {
            Self::from(0)
        } else {
            Self::from(0).negated()
        }
    }

    /// The smallest and the greatest power of ten that the first digit may have.
    fn first(&self) -> (i64, i64) {
        let (low, high) = match &self.digits {
            Digits::Small(digits) => {
                let digits = i64::from(digits.unsigned_abs().checked_ilog10().unwrap_or(0));
                (digits, digits)
            }
            Digits::NegativeZero => (0, 0),
            Digits::Big(digits) => {
                let bits = digits.bits() as i128;
                // Bounds of the logarithm of 2: 0.30102 and 0.30103.
                let low = (bits - 1) * 30_102 / 100_000;
                let high = bits * 30_103 / 100_000 + 1;
                (low as i64, high as i64)
            }
        };
        (self.exponent.saturating_add(low), self.exponent.saturating_add(high))
    }

    /// The digits for a lower power of ten.
    fn scaled_to(&self, exponent: i64) -> BigInt {
        let zeros = self.exponent.saturating_sub(exponent) as u32;
        self.digits().as_ref() * BigInt::from(10).pow(zeros)
    }

    /// The number with at most [`Number::LONGEST`] digits, or zero if it is too small.
    fn shortened(self) -> Self {
        if self.first().1 < NOTHING {
            return match self.sign() {
                Sign::Minus => Self::from(0).negated(),
                _ => Self::from(0),
            };
        }
        let Digits::Big(digits) = &self.digits else { return self };
        // Few bits hold few digits.
        if digits.bits() <= 3 * Self::LONGEST as u64 {
            return self;
        }
        let surplus = digits.magnitude().to_string().len() as i64 - Self::LONGEST as i64;
        if surplus <= 0 {
            return self;
        }
        let power = BigInt::from(10).pow(surplus as u32);
        Self::from_parts(rounded_quotient(digits, &power), self.exponent.saturating_add(surplus))
    }
}

/// The nearest whole quotient; between two, the even one. The divisor is not zero.
fn rounded_quotient(left: &BigInt, right: &BigInt) -> BigInt {
    let (left_size, right_size) = (left.magnitude(), right.magnitude());
    let mut quotient = left_size / right_size;
    let twice = (left_size - &quotient * right_size) * 2u32;
    if twice > *right_size || twice == *right_size && quotient.bit(0) {
        quotient += 1u32;
    }
    let sign = if left.sign() == right.sign() { Sign::Plus } else { Sign::Minus };
    BigInt::from_biguint(sign, quotient)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn number(text: &str) -> Number {
        Number::parse(text).unwrap()
    }

    #[test]
    fn sums_and_products_are_exact() {
        for (left, right, sum, product) in [
            ("0.1", "0.2", "0.3", "0.02"),
            ("9007199254740993", "1", "9007199254740994", "9007199254740993"),
            ("9223372036854775807", "1", "9223372036854775808", "9223372036854775807"),
            ("-0.5", "0.5", "0", "-0.25"),
            ("1e300", "1e-300", &format!("1{}.{}1", "0".repeat(300), "0".repeat(299)), "1"),
        ] {
            let (left, right) = (number(left), number(right));
            assert_eq!(left.try_add(&right), Ok(number(sum)), "{left} + {right}");
            assert_eq!(left.try_mul(&right), Ok(number(product)), "{left} * {right}");
            assert_eq!(number(sum).try_sub(&right), Ok(left));
        }
    }

    #[test]
    fn quotients_have_at_least_fifty_digits() {
        let third = number("1").try_div(&number("3")).unwrap();
        assert!(third.parts().0.magnitude().to_string().len() >= 50);
        for (left, right, quotient) in [
            ("1", "8", "0.125"),
            ("-7", "2", "-3.5"),
            ("1e308", "1e308", "1"),
            ("6", "1e-10", "6e10"),
        ] {
            let quotient = number(quotient);
            assert_eq!(number(left).try_div(&number(right)), Ok(quotient));
        }
        let long = number(&"3".repeat(300));
        assert_eq!(long.try_div(&number("3")), Ok(number(&"1".repeat(300))));
    }

    #[test]
    fn the_remainder_has_the_sign_of_the_dividend() {
        for (left, right, remainder) in [
            ("7", "3", "1"),
            ("-7", "3", "-1"),
            ("7", "-3", "1"),
            ("7.5", "2", "1.5"),
            ("0.1", "0.03", "0.01"),
            ("1e300", "7", "1"),
            ("3", "1e300", "3"),
            ("1e308", "1e-100000000", "0"),
            ("6", "3", "0"),
        ] {
            let expected = number(remainder);
            assert_eq!(number(left).try_rem(&number(right)), Ok(expected), "{left} % {right}");
        }
    }

    #[test]
    fn what_is_not_finite_is_an_error() {
        let not_finite = Err(NumberError::NotFinite);
        let zero = Number::from(0);
        assert_eq!(number("1").try_div(&zero), not_finite);
        assert_eq!(number("5").try_rem(&zero), not_finite);
        assert_eq!(zero.try_div(&zero), Err(NumberError::Undefined));
        assert_eq!(number("1e308").try_mul(&number("10")), not_finite);
        assert_eq!(number("1").try_div(&number("1e-400")), not_finite);
        assert_eq!(number("1e309").finite(), not_finite);
        assert_eq!(number("-1e999999999999").finite(), not_finite);
        let greatest = number(&format!("{}", f64::MAX));
        assert_eq!(greatest.to_f64(), f64::MAX);
        assert!(greatest.is_finite());
        assert_eq!(greatest.try_add(&greatest), not_finite);
    }

    #[test]
    fn zero_keeps_its_sign() {
        let zero = Number::from(0);
        let negative = zero.negated();
        assert!(negative.is_negative_zero() && negative == zero);
        assert!(negative.to_f64().is_sign_negative());
        assert!(!negative.negated().is_negative_zero());
        assert!(!negative.try_add(&zero).unwrap().is_negative_zero());
        assert!(negative.try_sub(&zero).unwrap().is_negative_zero());
        assert!(zero.try_mul(&number("-2")).unwrap().is_negative_zero());
        assert!(!number("1").try_sub(&number("1")).unwrap().is_negative_zero());
    }

    #[test]
    fn squaring_again_and_again_stays_short() {
        let mut value = number("1.0000001");
        for _ in 0..40 {
            value = value.try_mul(&value.clone()).unwrap_or(number("1.0000001"));
            assert!(value.parts().0.bits() < 4_000);
        }
        let mut small = number("0.1");
        for _ in 0..80 {
            small = small.try_mul(&small.clone()).unwrap();
        }
        assert!(small.is_zero());
    }

    proptest! {
        #[test]
        fn operations_agree_with_whole_numbers(a in -1_000_000i64..1_000_000, b in -1000i64..1000) {
            let (left, right) = (Number::from(a), Number::from(b));
            prop_assert_eq!(left.try_add(&right), Ok(Number::from(a + b)));
            prop_assert_eq!(left.try_sub(&right), Ok(Number::from(a - b)));
            prop_assert_eq!(left.try_mul(&right), Ok(Number::from(a * b)));
            if b != 0 {
                prop_assert_eq!(left.try_rem(&right), Ok(Number::from(a % b)));
                let quotient = left.try_div(&right).unwrap();
                let back = quotient.try_mul(&right).unwrap();
                prop_assert!(back.text_eq(&left), "{} / {} * {}", left, right, right);
            }
        }

        #[test]
        fn no_operation_panics(
            a in "-?[0-9]{1,40}(\\.[0-9]{1,40})?(e-?[0-9]{1,12})?",
            b in "-?[0-9]{1,40}(\\.[0-9]{1,40})?(e-?[0-9]{1,12})?",
        ) {
            let (Some(left), Some(right)) = (Number::parse(&a), Number::parse(&b)) else {
                return Ok(());
            };
            for result in [
                left.try_add(&right), left.try_sub(&right), left.try_mul(&right),
                left.try_div(&right), left.try_rem(&right),
            ].into_iter().flatten() {
                prop_assert!(result.is_finite());
                prop_assert!(!result.text().is_empty());
            }
        }
    }
}
