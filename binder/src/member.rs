//! The member of a package that a token names: the one resolution of resources, reads, `invoke` and
//! snippets.
//!
//! The rules, with examples: `tests/spec/blocks/resource.md` and `tests/spec/invoke/invoke.md`.

use pcl_diagnostics::{Diagnostic, Matter, Reporter, Span};
use pcl_schema::{LoadError, MemberError, Section, Token};
use semver::Version;

use crate::messages::token;
use crate::packages::{PackageIndex, Packages};
use crate::schema_types::{Found, Lookup, SchemaTypes};

/// The options `version` and `pluginDownloadURL`. They decide which schema counts, so they are read
/// before anything is bound.
#[derive(PartialEq, Eq, Default)]
pub(crate) struct PackageOptions {
    pub version: Option<Version>,
    pub download_url: Option<String>,
}

/// The members of the packages that a program sees.
pub(crate) struct Members<'a> {
    pub packages: &'a Packages,
    pub schemas: &'a SchemaTypes,
}

/// The reason why a token names no member.
pub(crate) enum Unresolved {
    /// The text is not a token.
    Malformed,
    /// The package does not load.
    Package { owner: String, error: LoadError },
    /// The package has no such member.
    Unknown {
        owner: String,
        package: PackageIndex,
    },
    /// The member cannot be read.
    Damaged { found: Found, error: MemberError },
}

impl Unresolved {
    /// The matter that an option may excuse. A file that cannot be read is not a missing schema, so
    /// no option excuses it.
    pub fn matter(&self, section: Section) -> Option<Matter> {
        let is_function = section == Section::Functions;
        match self {
            Self::Malformed
            | Self::Package {
                error: LoadError::Unreadable { .. },
                ..
            } => None,
            Self::Package { .. } if is_function => Some(Matter::InvokePackage),
            Self::Package { .. } => Some(Matter::ResourcePackage),
            Self::Unknown { .. } | Self::Damaged { .. } if is_function => {
                Some(Matter::InvokeFunction)
            }
            Self::Unknown { .. } | Self::Damaged { .. } => Some(Matter::ResourceType),
        }
    }
}

impl Members<'_> {
    /// Looks up the resource or function that `written` names.
    pub fn find(
        &self,
        section: Section,
        written: &str,
        options: &PackageOptions,
    ) -> Result<Found, Unresolved> {
        let token = Token::parse(written).ok_or(Unresolved::Malformed)?;
        let (version, url) = (options.version.as_ref(), options.download_url.as_deref());
        let owner = || token.owner().to_owned();
        let package = self.packages.refer(token.owner(), version, url);
        let package = package.map_err(|error| Unresolved::Package {
            owner: owner(),
            error,
        })?;
        let lookup = match section {
            Section::Functions => self.schemas.lookup_function(package, written),
            _ => self.schemas.lookup_resource(package, written),
        };
        match lookup {
            Lookup::Found(found) => Ok(found),
            Lookup::NotFound => Err(Unresolved::Unknown {
                owner: owner(),
                package,
            }),
            Lookup::Invalid(found, error) => Err(Unresolved::Damaged { found, error }),
        }
    }

    /// The member that a token without one names if its package is written in another case: that
    /// is certainly what is meant.
    pub fn find_in_other_case(
        &self,
        section: Section,
        written: &str,
        options: &PackageOptions,
    ) -> Option<Found> {
        let (package, rest) = written.split_once(':')?;
        let names = self.packages.cache().names();
        let name = names
            .iter()
            .find(|name| name.eq_ignore_ascii_case(package))?;
        let token = format!("{name}:{rest}");
        self.find(section, &token, options)
            .ok()
            .filter(|_| name != package)
    }

    /// The diagnostic for a token at `span` that names no member.
    pub fn diagnose(
        &self,
        section: Section,
        written: &str,
        span: Span,
        unresolved: &Unresolved,
    ) -> Diagnostic {
        match unresolved {
            Unresolved::Malformed => token::malformed(span, written, None),
            Unresolved::Package { owner, error } => {
                let cache = self.packages.cache();
                let version = match error {
                    LoadError::NotFound(missing) => missing.request.version(),
                    _ => None,
                };
                let meant = |meant: &str| self.meant_token(section, written, meant, version);
                token::unknown_package(span, owner, error, || cache.names(), meant)
            }
            Unresolved::Unknown { package, .. } if section == Section::Functions => {
                let schema = self.packages.cache().package(*package);
                let resource = match self.schemas.lookup_resource(*package, written) {
                    Lookup::Found(resource) => Some(resource.token),
                    _ => None,
                };
                let meant = || self.schemas.suggest_member(*package, section, written);
                token::unknown_function(span, schema.name(), written, resource.as_deref(), meant)
            }
            Unresolved::Unknown { owner, package } => {
                let meant = self.schemas.suggest_member(*package, section, written);
                token::unknown_resource(span, owner, written, meant.as_deref())
            }
            Unresolved::Damaged { found, error } if section == Section::Functions => {
                token::damaged_function(span, &found.token, error)
            }
            Unresolved::Damaged { found, error } => {
                token::damaged_resource(span, &found.token, error)
            }
        }
    }

    /// The token `written` in this version of the package `meant`, if that has such a member.
    fn meant_token(
        &self,
        section: Section,
        written: &str,
        meant: &str,
        version: Option<&Version>,
    ) -> Option<String> {
        let (_, rest) = written.split_once(':')?;
        let token = format!("{meant}:{rest}");
        let request = self.packages.request(meant, version);
        let package = self.packages.cache().load(&request).ok()?;
        let lookup = match section {
            Section::Functions => self.schemas.lookup_function(package, &token),
            _ => self.schemas.lookup_resource(package, &token),
        };
        matches!(lookup, Lookup::Found(_)).then_some(token)
    }

    /// Reports a token that names no member. Returns whether an option excuses that: then the
    /// member is dynamic.
    pub fn report(
        &self,
        section: Section,
        written: &str,
        span: Span,
        unresolved: &Unresolved,
        reporter: &mut Reporter,
    ) -> bool {
        let diagnostic = self.diagnose(section, written, span, unresolved);
        let Some(matter) = unresolved.matter(section) else {
            reporter.report(diagnostic);
            return false;
        };
        match unresolved {
            Unresolved::Package { owner, .. } => {
                let group = format!("{owner}: {}", diagnostic.message);
                reporter.report_group(matter, &group, diagnostic, "also used here");
            }
            _ => reporter.report_about(matter, diagnostic),
        }
        reporter.policy().excuses(matter)
    }

    /// Reports the errors in the schema of a member and of everything it refers to, on the first
    /// use of the member. Returns whether the member is usable.
    pub fn check(
        &self,
        found: &Found,
        span: Span,
        matter: Matter,
        reporter: &mut Reporter,
    ) -> bool {
        let checked = self.schemas.check(found.package, found.member);
        if checked.is_refused() && reporter.policy().excuses(matter) {
            return false;
        }
        reporter.report_all(self.schemas.report_once(found, span));
        !checked.is_refused()
    }
}
