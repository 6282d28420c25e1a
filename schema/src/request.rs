//! Requests for packages.

use std::fmt;

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
