//! Numbers: a token takes every digit, point and exponent it can get, and is checked afterwards.
//!
//! The rules, with examples: `tests/spec/syntax/number.md`.

use pcl_diagnostics::Code;

use super::Lexer;

impl Lexer<'_> {
    /// Goes to the end of a number whose first digit was read, and checks it.
    pub(super) fn rest_of_number(&mut self, start: usize) {
        let bytes = self.source.as_bytes();
        while matches!(bytes.get(self.at), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if !matches!(bytes.get(self.at), Some(b'.' | b'e' | b'E')) {
            return;
        }
        let mut at = self.at;
        // A number does not end in a point, so that `1...` and `1.name` are what they look like.
        let mut end = at;
        loop {
            match bytes.get(at) {
                Some(b'0'..=b'9') => {
                    at += 1;
                    end = at;
                }
                Some(b'.') => at += 1,
                Some(b'e' | b'E') => {
                    let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
                    if !matches!(bytes.get(at + 1 + sign), Some(b'0'..=b'9')) {
                        break;
                    }
                    at += 2 + sign;
                    end = at;
                }
                _ => break,
            }
        }
        if end > self.at {
            self.seek(end);
            if !self.source.get(start..end).is_some_and(is_valid) {
                self.error(Code::NumInvalid, start, end);
            }
        }
    }
}

/// Returns whether `text` is `digits [ '.' digits ] [ exponent ]` with an exponent in bounds.
fn is_valid(text: &str) -> bool {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(fraction) {
        return false;
    }
    let Some(exponent) = exponent else { return true };
    let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    if unsigned.is_empty() || !digits(unsigned) {
        return false;
    }
    let significant = || whole.bytes().chain(fraction.bytes()).skip_while(|&byte| byte == b'0');
    if significant().next().is_none() {
        return true;
    }
    let Ok(exponent) = exponent.parse::<i64>() else { return false };
    // The binary exponent of the mantissa read as a whole number, from its leading digits.
    let lead: f64 =
        significant().take(17).fold(0.0, |value, byte| value * 10.0 + f64::from(byte - b'0'));
    let rest = significant().count().saturating_sub(17) as f64;
    let bits = (lead.log2() + rest * std::f64::consts::LOG2_10).floor() as i64 + 1;
    let power = exponent.checked_sub(fraction.len() as i64);
    let sum = power.and_then(|power| power.checked_add(bits));
    sum.is_some_and(|sum| i32::try_from(sum).is_ok())
}

#[cfg(test)]
mod tests {
    use super::is_valid;

    #[test]
    fn one_point_and_one_exponent() {
        for good in ["1", "007", "1.5", "1.e5", "1e+5", "1E-5", "0e99999999999", "1e2147483644"] {
            assert!(is_valid(good), "{good}");
        }
        for bad in ["1.2.3", "1..2", "1e2e3", "1e2.5", "1e2147483647", "1e9999999999"] {
            assert!(!is_valid(bad), "{bad}");
        }
    }
}
