//! Constructs of the language, and the releases of Pulumi that have them.

use std::fmt;

/// A stable release of Pulumi.
///
/// ```
/// use pcl_language::Release;
/// assert!(Release::new(3, 99, 0) < Release::new(3, 220, 0));
/// assert_eq!(Release::new(3, 220, 0).to_string(), "3.220.0");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Release([u16; 3]);

impl Release {
    /// The first release with a binder. Everything that it has counts as having always been there.
    pub const FIRST: Self = Self::new(1, 14, 1);

    /// The release whose rules are those of these crates.
    pub const REFERENCE: Self = Self::new(3, 274, 1);

    /// The release of that number.
    pub const fn new(major: u16, minor: u16, patch: u16) -> Self {
        Self([major, minor, patch])
    }

    /// The numbers: major, minor, patch.
    pub const fn numbers(self) -> [u16; 3] {
        self.0
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.0;
        write!(f, "{major}.{minor}.{patch}")
    }
}

/// A construct of the language, or a meaning of one: its name, the release that brought, changed or
/// removed it with the number of the pull request of `pulumi/pulumi` that did, and the words for
/// those who have to do without it. In the words, `{}` is the name that the program has there.
///
/// The name is a kind and a name: `function.recover`, `option.hooks.onError`. Those of the kind
/// `semantics` are changes of meaning. What [`Release::FIRST`] has was always there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Construct {
    /// The name, such as `function.recover`.
    pub name: &'static str,
    /// The release that brought it.
    pub since: Release,
    /// The pull request that brought it; `None` where only the releases before and after it are
    /// known.
    pub pull_request: Option<u32>,
    /// The release that removed it, and the pull request that did.
    pub removed: Option<(Release, u32)>,
    /// The name in messages; `None` where the kind and the name say enough.
    pub called: Option<&'static str>,
    /// The behaviour of releases without it.
    pub before: Option<&'static str>,
    /// The advice for such releases.
    pub instead: Option<&'static str>,
}

impl Construct {
    pub(crate) const fn named(mut self, name: &'static str) -> Self {
        self.name = name;
        self
    }

    pub(crate) const fn until(mut self, release: [u16; 3], pull_request: u32) -> Self {
        self.removed = Some((Release(release), pull_request));
        self
    }

    pub(crate) const fn called(mut self, words: &'static str) -> Self {
        self.called = Some(words);
        self
    }

    pub(crate) const fn before(mut self, words: &'static str) -> Self {
        self.before = Some(words);
        self
    }

    pub(crate) const fn instead(mut self, words: &'static str) -> Self {
        self.instead = Some(words);
        self
    }

    /// Returns whether the first release with a binder has the construct.
    pub fn is_baseline(&self) -> bool {
        self.since <= Release::FIRST
    }

    /// The releases that have the construct, in words: "since Pulumi 3.252.0 (#23881)".
    ///
    /// ```
    /// use pcl_language::construct;
    /// let said = |name| construct(name).unwrap().releases();
    /// assert_eq!(said("function.recover"), "since Pulumi 3.252.0 (#23881)");
    /// assert_eq!(
    ///     said("function.mimeType"),
    ///     "in every release of Pulumi before 3.230.0, which removed it (#22449)"
    /// );
    /// ```
    pub fn releases(&self) -> String {
        let (since, request) = (self.since, self.attribution());
        match (self.is_baseline(), self.removed) {
            (true, None) => "in every release of Pulumi".to_owned(),
            (true, Some((removed, request))) => {
                format!(
                    "in every release of Pulumi before {removed}, which removed it (#{request})"
                )
            }
            (false, None) => format!("since Pulumi {since}{request}"),
            (false, Some((removed, by))) => {
                format!("since Pulumi {since}{request}, and removed in Pulumi {removed} (#{by})")
            }
        }
    }

    /// The pull request behind the number of a release: " (#23881)", or nothing if it is unknown.
    pub fn attribution(&self) -> String {
        self.pull_request.map(|request| format!(" (#{request})")).unwrap_or_default()
    }
}

/// A construct that a pull request brought with a release.
pub(crate) const fn row(name: &'static str, since: [u16; 3], pull_request: u32) -> Construct {
    Construct { pull_request: Some(pull_request), ..unattributed(name, since) }
}

/// A construct of a release, of an unknown pull request.
pub(crate) const fn unattributed(name: &'static str, since: [u16; 3]) -> Construct {
    let (since, pull_request, removed) = (Release(since), None, None);
    Construct { name, since, pull_request, removed, called: None, before: None, instead: None }
}

/// The releases of a row whose table names the construct.
pub(crate) const fn since(release: [u16; 3], pull_request: u32) -> Construct {
    row("", release, pull_request)
}
