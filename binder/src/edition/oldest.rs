//! The oldest release of Pulumi that a program has to work with.

use pcl_diagnostics::Span;
use pcl_language::Release;
use semver::Version;

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
    #[must_use]
    pub fn release(release: Release, setting: impl Into<String>) -> Self {
        Self::setting(version(release), setting)
    }

    /// A version that a setting says.
    #[must_use]
    pub fn setting(version: Version, setting: impl Into<String>) -> Self {
        Self { version, set_by: SetBy::Setting(setting.into()) }
    }

    /// Returns whether the version is older than a release.
    #[must_use]
    pub fn is_before(&self, release: Release) -> bool {
        self.version < version(release)
    }
}

fn version(release: Release) -> Version {
    let [major, minor, patch] = release.numbers().map(u64::from);
    Version::new(major, minor, patch)
}
