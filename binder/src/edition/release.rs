//! Releases of Pulumi.

use std::fmt;

use semver::Version;

/// A stable release of Pulumi.
///
/// ```
/// use pcl_binder::edition::Release;
/// assert!(Release::new(3, 99, 0) < Release::new(3, 220, 0));
/// assert_eq!(Release::new(3, 220, 0).to_string(), "3.220.0");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Release([u16; 3]);

impl Release {
    /// The first release with a binder. Everything that it has counts as having always been there.
    pub const FIRST: Self = Self::new(1, 14, 1);

    /// The release that the rules of this crate are those of.
    pub const REFERENCE: Self = Self::new(3, 259, 0);

    /// The release of that number.
    #[must_use]
    pub const fn new(major: u16, minor: u16, patch: u16) -> Self {
        Self([major, minor, patch])
    }

    /// The release as a semantic version.
    #[must_use]
    pub fn version(self) -> Version {
        let [major, minor, patch] = self.0.map(u64::from);
        Version::new(major, minor, patch)
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.0;
        write!(f, "{major}.{minor}.{patch}")
    }
}
