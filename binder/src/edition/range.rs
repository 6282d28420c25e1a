//! Ranges of versions in the notation of Pulumi, `>=3.220.0 <4.0.0 || >=5.0.0`: that of the Go
//! package `github.com/blang/semver`; and the oldest release of Pulumi that a program has to work
//! with.
//!
//! The rules, with examples: `tests/spec/editions/range.md`.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit};
use pcl_language::Release;
use semver::Version;

/// A range of versions.
///
/// ```
/// use pcl_binder::edition::{Bound, VersionRange};
/// let oldest = |text: &str| VersionRange::parse(text).unwrap().bound();
/// assert_eq!(oldest(">=3.0.0 <4.0.0"), Bound::Lowest("3.0.0".parse().unwrap()));
/// assert_eq!(oldest(">3.1.2 || >=4.0.0"), Bound::Lowest("3.1.3".parse().unwrap()));
/// assert_eq!(oldest("<4.0.0"), Bound::Open);
/// assert_eq!(oldest(">=4.0.0 <3.0.0"), Bound::Empty);
/// assert!(VersionRange::parse("^3.1").is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VersionRange {
    /// Alternatives, each with conditions that hold together.
    alternatives: Vec<Vec<Condition>>,
}

/// The lower bound of a range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The lowest version in it.
    Lowest(Version),
    /// There is no lower bound.
    Open,
    /// No version is in it.
    Empty,
}

/// The part of a range that is not understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RangeError {
    /// The part, without spaces.
    pub part: String,
    /// The same range in the notation of Pulumi, if that is evident.
    pub meant: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Condition {
    comparison: Comparison,
    version: Version,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Comparison {
    Equal,
    NotEqual,
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
}

impl Comparison {
    fn parse(sign: &str) -> Option<Self> {
        Some(match sign {
            "" | "=" | "==" => Self::Equal,
            "!" | "!=" => Self::NotEqual,
            ">" => Self::Greater,
            ">=" => Self::GreaterOrEqual,
            "<" => Self::Less,
            "<=" => Self::LessOrEqual,
            _ => return None,
        })
    }
}

impl Condition {
    const fn new(comparison: Comparison, version: Version) -> Self {
        Self { comparison, version }
    }

    fn holds(&self, version: &Version) -> bool {
        let order = version.cmp_precedence(&self.version);
        match self.comparison {
            Comparison::Equal => order.is_eq(),
            Comparison::NotEqual => order.is_ne(),
            Comparison::Greater => order.is_gt(),
            Comparison::GreaterOrEqual => order.is_ge(),
            Comparison::Less => order.is_lt(),
            Comparison::LessOrEqual => order.is_le(),
        }
    }

    const fn bounds_below(&self) -> bool {
        matches!(
            self.comparison,
            Comparison::Equal | Comparison::Greater | Comparison::GreaterOrEqual
        )
    }
}

impl VersionRange {
    /// Reads a range.
    ///
    /// # Errors
    /// Returns the part that Pulumi does not understand.
    pub fn parse(text: &str) -> Result<Self, RangeError> {
        let parts = parts(text);
        Self::read(&parts)
            .map_err(|part| RangeError { part: part.to_owned(), meant: meant_range(&parts) })
    }

    /// Reads the parts of a range. The error is the part that is malformed.
    fn read(parts: &[String]) -> Result<Self, &str> {
        let first = parts.first().map_or("", String::as_str);
        // Pulumi passes over a part of one character.
        let counted = parts.iter().map(String::as_str).filter(|part| part.len() > 1);
        let counted: Vec<&str> = counted.collect();
        if counted.is_empty() {
            return Err(first);
        }
        let mut alternatives = Vec::new();
        for alternative in counted.split(|part| *part == "||") {
            let mut conditions = Vec::new();
            for &part in alternative {
                conditions.extend(conditions_of(part).ok_or(part)?);
            }
            if conditions.is_empty() {
                return Err("||");
            }
            alternatives.push(conditions);
        }
        Ok(Self { alternatives })
    }

    /// The lower bound. Between two releases only further releases count, not the versions before
    /// a release such as `3.1.3-alpha`.
    pub fn bound(&self) -> Bound {
        let bounds = self.alternatives.iter().map(|it| bound_of(it));
        let bounds: Vec<Bound> = bounds.filter(|bound| *bound != Bound::Empty).collect();
        if bounds.contains(&Bound::Open) {
            return Bound::Open;
        }
        let lowest = bounds.into_iter().filter_map(|bound| match bound {
            Bound::Lowest(version) => Some(version),
            Bound::Open | Bound::Empty => None,
        });
        lowest.min().map_or(Bound::Empty, Bound::Lowest)
    }
}

/// The lower bound of conditions that hold together.
fn bound_of(conditions: &[Condition]) -> Bound {
    let versions = conditions.iter().map(|condition| &condition.version);
    let candidates = versions
        .flat_map(|version| [version.clone(), next(version)])
        .chain([Version::new(0, 0, 0)]);
    let holds = |version: &Version| conditions.iter().all(|condition| condition.holds(version));
    match candidates.filter(holds).min() {
        None => Bound::Empty,
        Some(lowest) if conditions.iter().any(Condition::bounds_below) => Bound::Lowest(lowest),
        Some(_) => Bound::Open,
    }
}

/// The release that follows a version.
fn next(version: &Version) -> Version {
    let patch =
        if version.pre.is_empty() { version.patch.saturating_add(1) } else { version.patch };
    Version::new(version.major, version.minor, patch)
}

/// The parts between spaces. Spaces behind `<`, `>` and `=` do not count.
fn parts(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    for word in text.split(' ') {
        let open = parts
            .last_mut()
            .filter(|part| part.is_empty() || part.ends_with(['<', '>', '=']) && !word.is_empty());
        match open {
            Some(part) => part.push_str(word),
            None if word.is_empty() => {}
            None => parts.push(word.to_owned()),
        }
    }
    parts
}

/// The conditions that a part sets; `None` if it is malformed. Pulumi knows the wildcard `x` in the
/// last places of a version.
fn conditions_of(part: &str) -> Option<Vec<Condition>> {
    let at = part.find(|c: char| c.is_ascii_digit())?;
    let (sign, version) = part.split_at_checked(at)?;
    let comparison = Comparison::parse(sign)?;
    if let Ok(version) = Version::parse(version) {
        return Some(vec![Condition::new(comparison, version)]);
    }
    let numbers: Vec<&str> = version.split('.').collect();
    let (from, to) = match numbers[..] {
        [major, "x"] | [major, "x", "x"] => {
            let major: u64 = number(major)?;
            let end = major.checked_add(1)?;
            (Version::new(major, 0, 0), Version::new(end, 0, 0))
        }
        [major, minor, "x"] => {
            let (major, minor) = (number(major)?, number(minor)?);
            let end = minor.checked_add(1)?;
            (Version::new(major, minor, 0), Version::new(major, end, 0))
        }
        _ => return None,
    };
    let at_least = |version| Condition::new(Comparison::GreaterOrEqual, version);
    let below = |version| Condition::new(Comparison::Less, version);
    Some(match comparison {
        Comparison::Equal => vec![at_least(from), below(to)],
        // Pulumi asks for both at once, which no version is.
        Comparison::NotEqual => vec![below(from), at_least(to)],
        Comparison::Greater => vec![at_least(to)],
        Comparison::GreaterOrEqual => vec![at_least(from)],
        Comparison::Less => vec![below(from)],
        Comparison::LessOrEqual => vec![below(to)],
    })
}

fn number(text: &str) -> Option<u64> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

/// A range that other tools write so, in the notation of Pulumi: `^3.1`, `~3.1.2`, `>=3`, `v3.1.0`,
/// and commas.
fn meant_range(written: &[String]) -> Option<String> {
    let mut meant = Vec::new();
    for part in written {
        for part in part.split(',').filter(|part| !part.is_empty()) {
            meant.push(if conditions_of(part).is_some() || part == "||" {
                part.to_owned()
            } else {
                meant_part(part)?
            });
        }
    }
    let meant = meant.join(" ");
    let range = VersionRange::read(&parts(&meant)).ok()?;
    (range.bound() != Bound::Empty).then_some(meant)
}

fn meant_part(part: &str) -> Option<String> {
    let at = part.find(|c: char| c.is_ascii_digit())?;
    let (sign, version) = part.split_at_checked(at)?;
    let sign = sign.strip_suffix('v').unwrap_or(sign);
    let mut given = version.split('.').map(number);
    let mut numbers = [0; 3];
    let mut count = 0;
    for place in &mut numbers {
        let Some(number) = given.next() else { break };
        *place = number?;
        count += 1;
    }
    let [major, minor, patch] = numbers;
    let full = format!("{major}.{minor}.{patch}");
    if given.next().is_some() {
        return None;
    }
    Some(match sign {
        "^" if major > 0 => format!(">={full} <{}.0.0", major + 1),
        "^" | "~" | "~>" if count > 1 => format!(">={full} <{major}.{}.0", minor + 1),
        "" | "=" | "==" if count == 1 => format!("{major}.x"),
        "" | "=" | "==" if count == 2 => format!("{major}.{minor}.x"),
        _ => {
            Comparison::parse(sign)?;
            format!("{sign}{full}")
        }
    })
}

/// A range of versions that Pulumi does not understand.
pub(crate) fn malformed_range(span: Span, text: &str, error: &RangeError) -> Diagnostic {
    let message = error.message(text);
    let diagnostic = Diagnostic::error(Code::InvalidVersionRange, span, message)
        .help("write full versions, as in `>=3.220.0 <4.0.0`")
        .ours();
    diagnostic.fix(error.meant.as_ref().map(|meant| {
        let edit = TextEdit::replace(span, format!("\"{meant}\""));
        Fix::unsafe_(format!("write `{meant}`"), vec![edit])
    }))
}

/// A range of versions that has no version in it, in a program or in its project file.
pub fn empty_range(span: Span, text: &str) -> Diagnostic {
    let message = format!("no version is in the range `{text}`");
    let diagnostic = Diagnostic::error(Code::InvalidVersionRange, span, message).ours();
    if text.contains(" - ") {
        diagnostic
            .note("Pulumi ignores the ` - `, so a version must match both sides")
            .help("write both bounds, as in `>=3.220.0 <=4.0.0`")
    } else {
        diagnostic.help(
            "write the lower bound first, as in `>=3.220.0 <4.0.0`, and join alternatives with `||`",
        )
    }
}

impl RangeError {
    /// The message about the range with this text.
    pub fn message(&self, text: &str) -> String {
        match self.part.trim() {
            _ if text.trim().is_empty() => "the range of versions is blank".to_owned(),
            part if part == text.trim() => format!("`{text}` is not a range of versions"),
            part => format!("`{text}` is not a range of versions: `{part}` is malformed"),
        }
    }
}

/// The oldest version of Pulumi that a program has to work with, and the place that says so.
///
/// ```
/// use pcl_binder::edition::OldestPulumi;
/// let oldest = OldestPulumi::parse("3.220", "the setting").unwrap();
/// assert_eq!(oldest.version.to_string(), "3.220.0");
/// let error = OldestPulumi::parse(">=3.220", "the setting").unwrap_err();
/// assert_eq!(error, "expected a version, such as 3.220.0");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OldestPulumi {
    /// The version.
    pub version: Version,
    /// The place that says so.
    pub set_by: SetBy,
}

/// The place that an oldest version comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SetBy {
    /// A setting, in the words that a diagnostic calls it by, such as "`--pulumi-version`".
    Setting(String),
    /// The range of a `pulumi` block.
    Block(Span),
}

impl OldestPulumi {
    /// A version that a setting says. A `v` before it is ignored, and missing numbers are 0.
    ///
    /// # Errors
    /// Returns the reason if the text is not a version.
    pub fn parse(text: &str, setting: impl Into<String>) -> Result<Self, &'static str> {
        let text = text.strip_prefix('v').unwrap_or(text);
        let zeros = match text.split('.').count() {
            1 => ".0.0",
            2 => ".0",
            _ => "",
        };
        match Version::parse(&format!("{text}{zeros}")) {
            Ok(version) => Ok(Self::setting(version, setting)),
            Err(_) => Err("expected a version, such as 3.220.0"),
        }
    }

    /// A release that a setting says.
    pub fn release(release: Release, setting: impl Into<String>) -> Self {
        Self::setting(version(release), setting)
    }

    /// A version that a setting says.
    pub fn setting(version: Version, setting: impl Into<String>) -> Self {
        Self { version, set_by: SetBy::Setting(setting.into()) }
    }

    /// Returns whether the version is older than a release.
    pub fn is_before(&self, release: Release) -> bool {
        self.version < version(release)
    }
}

fn version(release: Release) -> Version {
    let [major, minor, patch] = release.numbers().map(u64::from);
    Version::new(major, minor, patch)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ranges with the lowest of the releases 0.0.0 to 5.3.4 that the Go package accepts, or what
    /// is wrong with them.
    const RANGES: &[(&str, &str)] = &[
        (">=3.0.0 <4.0.0", "3.0.0"),
        (">= 3.0.0 < 4.0.0", "3.0.0"),
        (">3.1.2 || >=4.0.0", "3.1.3"),
        ("^3.1", "error"),
        ("~3.1.2", "error"),
        (">=3", "error"),
        ("3.x", "3.0.0"),
        ("3.1.x", "3.1.0"),
        ("=3.1.0", "3.1.0"),
        ("==3.1.0", "3.1.0"),
        ("3.1.0", "3.1.0"),
        ("!3.1.0", "0.0.0"),
        ("!=3.1.0", "0.0.0"),
        (">=3.0.0 !3.0.0", "3.0.1"),
        ("<4.0.0", "0.0.0"),
        ("<=3.x", "0.0.0"),
        (">3.x", "4.0.0"),
        (">=3.x.x", "3.0.0"),
        ("!3.x", "none"),
        (">=3.0.0, <4.0.0", "error"),
        ("|| >=3.0.0", "error"),
        (">=3.0.0 ||", "error"),
        (">=3.0.0||<2.0.0", "error"),
        (">=v3.0.0", "error"),
        ("v3.0.0", "error"),
        (">=3.0.0-alpha.1", "3.0.0"),
        (">=03.1.0", "error"),
        ("* ", "error"),
        ("latest", "error"),
        (">=3.0.0 - 4.0.0", "4.0.0"),
        ("=>3.0.0", "error"),
        (">=3.0.0  <4.0.0", "3.0.0"),
        (">=3.1.0+build", "3.1.0"),
        ("3.*", "error"),
        (">=3.0", "error"),
        ("x", "error"),
        (">=3.0.0 x <4.0.0", "3.0.0"),
        (">=3.0.0 || x", "error"),
        (" >=3.0.0", "3.0.0"),
        (">=3.0.0 ", "3.0.0"),
        ("!3.1.x", "none"),
        (">=3.0.0\t<4.0.0", "error"),
        (">=3.0.0 <3.0.0", "none"),
        (">=3.0.0 ! 3.1.0", "3.1.0"),
        ("<3.1.x", "0.0.0"),
        ("<=3.1.x", "0.0.0"),
        (">3.1.x", "3.2.0"),
        ("> =3.0.0", "3.0.0"),
        (">=1.2.3.4", "error"),
    ];

    #[test]
    fn ranges_mean_what_they_mean_to_pulumi() {
        for &(text, expected) in RANGES {
            let found = match VersionRange::parse(text).map(|range| range.bound()) {
                Ok(Bound::Lowest(version)) => {
                    // A version before a release is older than the release.
                    Version::new(version.major, version.minor, version.patch).to_string()
                }
                Ok(Bound::Open) => "0.0.0".to_owned(),
                Ok(Bound::Empty) => "none".to_owned(),
                Err(_) => "error".to_owned(),
            };
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn other_notations_have_an_equivalent() {
        for (text, meant) in [
            ("^3.1", ">=3.1.0 <4.0.0"),
            ("^0.3.1", ">=0.3.1 <0.4.0"),
            ("~3.1.2", ">=3.1.2 <3.2.0"),
            (">=3, <4", ">=3.0.0 <4.0.0"),
            (">=v3.1", ">=3.1.0"),
            ("3", "3.x"),
            ("3.1", "3.1.x"),
            (">=3.0.0 || ^4.1", ">=3.0.0 || >=4.1.0 <5.0.0"),
        ] {
            let error = VersionRange::parse(text).unwrap_err();
            assert_eq!(error.meant.as_deref(), Some(meant), "{text}");
        }
        for text in ["latest", "3.*", ">=1.2.3.4", "|| 3.0.0"] {
            assert_eq!(VersionRange::parse(text).unwrap_err().meant, None, "{text}");
        }
    }
}
