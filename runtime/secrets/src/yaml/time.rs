//! Dates and times, which a text without quotes may be.

use std::fmt;

/// A date and time in the proleptic Gregorian calendar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Time {
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
    pub fn parse(text: &str) -> Option<Self> {
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
