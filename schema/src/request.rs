//! Requests for packages, plugins that have them, and versions as packages write them.

use std::fmt;
use std::path::PathBuf;

use semver::Version;

/// A request for a package.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PackageRequest {
    /// The name of the plugin, which is that of the package unless it is parameterized.
    pub name: String,
    /// The version of the plugin; `None` accepts any version.
    pub version: Option<Version>,
    /// The URL that the plugin is downloaded from.
    pub download_url: Option<String>,
    /// The package that the plugin makes of a parameter.
    pub parameterization: Option<Parameterization>,
}

/// A package that a plugin makes of a parameter.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Parameterization {
    /// The name of the package.
    pub name: String,
    /// The version of the package.
    pub version: Version,
    /// The parameter, meaningful to the plugin alone.
    pub value: Vec<u8>,
}

/// A resource plugin in the plugin cache of an installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstalledPlugin {
    /// The name of the plugin.
    pub name: String,
    /// Its version.
    pub version: Version,
    /// The directory that holds it.
    pub directory: PathBuf,
}

impl PackageRequest {
    /// Any version of a package.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), version: None, download_url: None, parameterization: None }
    }

    /// The same for one version.
    pub fn with_version(mut self, version: Version) -> Self {
        self.version = Some(version);
        self
    }

    /// The name of the package: that of the parameterization, if there is one.
    pub fn name(&self) -> &str {
        self.parameterization.as_ref().map_or(&self.name, |p| &p.name)
    }

    /// The version of the package: that of the parameterization, if there is one.
    pub fn version(&self) -> Option<&Version> {
        match &self.parameterization {
            Some(parameterization) => Some(&parameterization.version),
            None => self.version.as_ref(),
        }
    }
}

impl fmt::Display for PackageRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self.version() {
            Some(version) => write!(f, " {version}"),
            None => Ok(()),
        }
    }
}

/// Reads a version as the header of a schema, or a reference, may write it: a leading `v` is
/// dropped, `4` means `4.0.0`, `4.1` means `4.1.0`, and leading zeros are ignored.
///
/// ```
/// use pcl_schema::parse_version;
/// assert_eq!(parse_version("v4.1").unwrap().to_string(), "4.1.0");
/// assert!(parse_version("four").is_err());
/// ```
pub fn parse_version(text: &str) -> Result<Version, semver::Error> {
    let text = text.trim();
    let text = text.strip_prefix('v').unwrap_or(text);
    let core_end = text.find(['-', '+']).unwrap_or(text.len());
    let (core, rest) = text.split_at(core_end);
    let mut parts: Vec<&str> = core.split('.').map(trim_zeros).collect();
    if rest.is_empty() {
        parts.resize(parts.len().max(3), "0");
    }
    Version::parse(&format!("{}{rest}", parts.join(".")))
}

/// Drops leading zeros.
fn trim_zeros(part: &str) -> &str {
    let trimmed = part.trim_start_matches('0');
    if trimmed.starts_with(|c: char| c.is_ascii_digit()) {
        trimmed
    } else {
        let last_zero = part.len().saturating_sub(trimmed.len() + 1);
        part.get(last_zero..).unwrap_or(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tolerant_forms() {
        let cases = [
            ("1.2.3", "1.2.3"),
            ("v1.2.3", "1.2.3"),
            ("v4", "4.0.0"),
            ("4.1", "4.1.0"),
            ("01.002.0", "1.2.0"),
            ("00.0.0", "0.0.0"),
            ("1.0.0-alpha.1+exp.7", "1.0.0-alpha.1+exp.7"),
        ];
        for (written, expected) in cases {
            assert_eq!(parse_version(written).unwrap().to_string(), expected, "{written}");
        }
        for written in ["", "v", "1.x", "1.2.3.4", "1-alpha", "a", "-", "é"] {
            assert!(parse_version(written).is_err(), "{written}");
        }
    }
}
