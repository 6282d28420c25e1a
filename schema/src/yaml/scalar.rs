//! The values of scalars without quotes.
//!
//! The rules are those of the YAML reader that Pulumi uses: those of YAML 1.2, with the octal
//! numbers (`0777`), separators (`1_000`) and dates of YAML 1.1.

use std::fmt;

/// A scalar without quotes that is not a text.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Scalar {
    /// Null, which may be written as nothing at all.
    Null,
    /// A bool.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A whole number that no `i64` holds.
    Uint(u64),
    /// A number, which may be infinite or none.
    Float(f64),
    /// A date, or a date and time.
    Time(Time),
}

impl Scalar {
    /// The value of a scalar without quotes; `None` for a text.
    pub(super) fn resolve(text: &str) -> Option<Self> {
        match text {
            "" | "~" | "null" | "Null" | "NULL" => return Some(Self::Null),
            "true" | "True" | "TRUE" => return Some(Self::Bool(true)),
            "false" | "False" | "FALSE" => return Some(Self::Bool(false)),
            ".nan" | ".NaN" | ".NAN" => return Some(Self::Float(f64::NAN)),
            ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => {
                return Some(Self::Float(f64::INFINITY));
            }
            "-.inf" | "-.Inf" | "-.INF" => return Some(Self::Float(f64::NEG_INFINITY)),
            _ => {}
        }
        if !text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) {
            return None;
        }
        if let Some(time) = Time::parse(text) {
            return Some(Self::Time(time));
        }
        // A text that begins with a dot is at most a number without separators.
        let digits = if text.starts_with('.') { text.to_owned() } else { text.replace('_', "") };
        whole(&digits).or_else(|| float(&digits).map(Self::Float))
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
        }
    }
}

/// A finite number as Go writes it in JSON: very large and very small ones with an exponent.
fn float_text(number: f64) -> String {
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

/// A date and time in the proleptic Gregorian calendar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Time {
    year: u32,
    month: u32,
    day: u32,
    hour: u32,
    minute: u32,
    second: u32,
    nanosecond: u32,
    /// The minutes east of Greenwich.
    offset: i32,
}

impl Time {
    /// Reads a date, or a date and time with a zone after `T` or `t`, or without one after a
    /// space.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (date, time) = match text.find(['T', 't', ' ']) {
            Some(at) => text.split_at_checked(at)?,
            None => (text, ""),
        };
        let mut time_of_day = time.chars();
        let separator = time_of_day.next();
        let (time, offset) = match separator {
            None => ("0:0:0", 0),
            Some(' ') => (time_of_day.as_str(), 0),
            Some(_) => zone(time_of_day.as_str())?,
        };
        let mut parts = date.split('-');
        let year = parts.next().filter(|year| year.len() == 4)?;
        let (month, day) = (parts.next()?, parts.next()?);
        let [year, month, day] = [number(year, 4)?, number(month, 2)?, number(day, 2)?];
        if parts.next().is_some() || !(1..=days_of(year, month)?).contains(&day) {
            return None;
        }
        let mut parts = time.splitn(3, ':');
        let [hour, minute] = [number(parts.next()?, 2)?, number(parts.next()?, 2)?];
        let (second, nanosecond) = seconds(parts.next()?)?;
        let is_time = hour < 24 && minute < 60 && second < 60;
        is_time.then_some(Self { year, month, day, hour, minute, second, nanosecond, offset })
    }

    /// The time as RFC 3339 has it.
    pub fn rfc_3339(&self) -> String {
        let zone = match self.offset {
            0 => "Z".to_owned(),
            _ => self.zone(":"),
        };
        format!("{}T{}{zone}", self.date(), self.time_of_day())
    }

    fn date(&self) -> String {
        format!("{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }

    fn time_of_day(&self) -> String {
        let time = format!("{:02}:{:02}:{:02}", self.hour, self.minute, self.second);
        match self.nanosecond {
            0 => time,
            fraction => format!("{time}.{fraction:09}").trim_end_matches('0').to_owned(),
        }
    }

    fn zone(&self, separator: &str) -> String {
        let (sign, minutes) = match self.offset {
            ..0 => ('-', -self.offset),
            _ => ('+', self.offset),
        };
        format!("{sign}{:02}{separator}{:02}", minutes / 60, minutes % 60)
    }
}

/// The time as a configuration has it.
impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let zone = self.zone("");
        let name = match self.offset {
            0 => "UTC",
            _ => zone.as_str(),
        };
        write!(f, "{} {} {zone} {name}", self.date(), self.time_of_day())
    }
}

/// The number that a text of so many digits at most is.
fn number(text: &str, most: usize) -> Option<u32> {
    let is_number = text.len() <= most && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

/// The text before the zone at its end, and the zone in minutes.
fn zone(text: &str) -> Option<(&str, i32)> {
    if let Some(time) = text.strip_suffix('Z') {
        return Some((time, 0));
    }
    let at = text.rfind(['+', '-'])?;
    let (time, zone) = text.split_at_checked(at)?;
    let (hours, minutes) = zone.get(1..)?.split_once(':')?;
    if hours.len() != 2 || minutes.len() != 2 {
        return None;
    }
    let [hours, minutes] = [number(hours, 2)?, number(minutes, 2)?];
    let offset = i32::try_from(60 * hours + minutes).ok()?;
    let is_zone = hours <= 24 && minutes < 60;
    is_zone.then_some((time, if zone.starts_with('-') { -offset } else { offset }))
}

/// The seconds and nanoseconds. Digits behind the ninth are left out.
fn seconds(text: &str) -> Option<(u32, u32)> {
    let Some((whole, fraction)) = text.split_once(['.', ',']) else {
        return Some((number(text, 2)?, 0));
    };
    if fraction.is_empty() || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let nine: String = fraction.chars().chain("000000000".chars()).take(9).collect();
    Some((number(whole, 2)?, nine.parse().ok()?))
}

fn days_of(year: u32, month: u32) -> Option<u32> {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => Some(31),
        4 | 6 | 9 | 11 => Some(30),
        2 => Some(if is_leap { 29 } else { 28 }),
        _ => None,
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
            assert_eq!(Scalar::resolve(text), Some(expected), "{text}");
        }
        for text in
            ["0x", "0b2", "1.2.3", "1e400", ".", "-", "+", "1e", "--1", "0x1.8", "._5", "yes"]
        {
            assert_eq!(Scalar::resolve(text), None);
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

    #[test]
    fn forms() {
        let cases = [
            ("2020-1-2", "2020-01-02 00:00:00 +0000 UTC", "2020-01-02T00:00:00Z"),
            (
                "2020-01-01T1:2:3.000500Z",
                "2020-01-01 01:02:03.0005 +0000 UTC",
                "2020-01-01T01:02:03.0005Z",
            ),
            (
                "2020-01-01t00:00:00-05:30",
                "2020-01-01 00:00:00 -0530 -0530",
                "2020-01-01T00:00:00-05:30",
            ),
            ("2000-02-29 1:2:3,5", "2000-02-29 01:02:03.5 +0000 UTC", "2000-02-29T01:02:03.5Z"),
        ];
        for (text, shown, rfc_3339) in cases {
            let time = Time::parse(text).unwrap();
            assert_eq!(time.to_string(), shown);
            assert_eq!(time.rfc_3339(), rfc_3339);
        }
        for text in [
            "2020",
            "2020-01",
            "2020-13-01",
            "1900-02-29",
            "20-01-01",
            "2020-001-01",
            "2020-01-01T",
            "2020-01-01T00:00:00",
            "2020-01-01 00:00:00Z",
            "2020-01-01T00:00:60Z",
            "2020-01-01T24:00:00Z",
            "2020-01-01T0:0:0.",
            "2020-01-01T0:0Z",
            "2020-1-1T0:0:0+1:00",
            "2020-01-01-01",
            "2020-+1-01",
            "é020-01-01T",
        ] {
            assert_eq!(Time::parse(text), None, "{text}");
        }
    }
}
