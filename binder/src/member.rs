//! The member of a package that a token names: the one resolution of resources, reads, `invoke` and
//! snippets.
//!
//! The rules, with examples: `tests/spec/blocks/resource.md` and `tests/spec/invoke/invoke.md`.

use pcl_diagnostics::{Code, Diagnostic, Fix, Matter, Reporter, Setting, Span, TextEdit};
use pcl_model::expression::short_token;
use pcl_schema::{LoadError, MemberError, NotFound, PackageRequest, Section, Token};
use pcl_syntax::quoted;
use semver::Version;

use crate::packages::{PackageIndex, Packages};
use crate::schema_types::{Found, Lookup, SchemaTypes};
use crate::well_known_packages::similar_package;

/// The help for a member that cannot be read from its schema.
pub(crate) const DAMAGED: &str = "the publisher of the package has to fix the schema";

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
    Unknown { owner: String, package: PackageIndex },
    /// The member cannot be read.
    Damaged { found: Found, error: MemberError },
}

impl Unresolved {
    /// The matter that an option may excuse. A file that cannot be read is not a missing schema, so
    /// no option excuses it.
    pub fn matter(&self, section: Section) -> Option<Matter> {
        let is_function = section == Section::Functions;
        match self {
            Self::Malformed | Self::Package { error: LoadError::Unreadable { .. }, .. } => None,
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
        let package = package.map_err(|error| Unresolved::Package { owner: owner(), error })?;
        let lookup = match section {
            Section::Functions => self.schemas.lookup_function(package, written),
            _ => self.schemas.lookup_resource(package, written),
        };
        match lookup {
            Lookup::Found(found) => Ok(found),
            Lookup::NotFound => Err(Unresolved::Unknown { owner: owner(), package }),
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
        let name = names.iter().find(|name| name.eq_ignore_ascii_case(package))?;
        let token = format!("{name}:{rest}");
        self.find(section, &token, options).ok().filter(|_| name != package)
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
            Unresolved::Malformed => malformed_token(span, written, None),
            Unresolved::Package { owner, error } => {
                let cache = self.packages.cache();
                let version = match error {
                    LoadError::NotFound(missing) => missing.request.version(),
                    _ => None,
                };
                let meant = |meant: &str| self.meant_token(section, written, meant, version);
                unknown_package(span, owner, error, || cache.names(), meant)
            }
            Unresolved::Unknown { owner, package } => {
                let diagnostic = self.unknown_member(section, written, span, (owner, *package));
                let schema = self.packages.cache().package(*package).name();
                let word = || self.schemas.word_to_search(*package, section, written);
                with_search(diagnostic, schema, section, word)
            }
            Unresolved::Damaged { found, error } if section == Section::Functions => {
                damaged_function(span, &found.token, error)
            }
            Unresolved::Damaged { found, error } => damaged_resource(span, &found.token, error),
        }
    }

    /// The diagnostic for a token whose package, which the token calls `owner`, has no such member.
    fn unknown_member(
        &self,
        section: Section,
        written: &str,
        span: Span,
        (owner, package): (&str, PackageIndex),
    ) -> Diagnostic {
        let meant = || self.schemas.suggest_member(package, section, written);
        if section != Section::Functions {
            return unknown_resource(span, owner, written, meant().as_deref());
        }
        let resource = self.schemas.lookup_resource(package, written);
        let is_resource = matches!(resource, Lookup::Found(_));
        let schema = self.packages.cache().package(package);
        unknown_function(span, schema.name(), written, is_resource, meant)
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

/// A token that is not `package:module:member` or `package:member`; `meant` has its parts.
pub(crate) fn malformed_token(span: Span, written: &str, meant: Option<&str>) -> Diagnostic {
    let message = format!("`{written}` is not a type token");
    let diagnostic = Diagnostic::error(Code::MalformedToken, span, message);
    match meant {
        Some(meant) => with_token(diagnostic, span, meant),
        None => diagnostic.help(
            "write `package:module:member`, or `package:member` for a member of the root module",
        ),
    }
}

/// A token whose module is not the member's; `token` is the member's own.
pub(crate) fn wrong_module(span: Span, written: &str, token: &str) -> Diagnostic {
    let mut parts = written.splitn(3, ':');
    let package = parts.next().unwrap_or_default();
    let message = match (parts.next().unwrap_or_default(), parts.next()) {
        ("", Some(name)) | (name, None) => {
            format!("package `{package}` has no `{name}` in the root module")
        }
        (module, Some(name)) => {
            format!("package `{package}` has no `{name}` in the module `{module}`")
        }
    };
    let diagnostic = Diagnostic::warning(Code::WrongModule, span, message)
        .note("Pulumi takes every module that it does not know for the root module")
        .ours();
    with_token(diagnostic, span, token)
}

/// A package without a usable schema. `names` are the packages that could be loaded, and `meant` is
/// the token as a member of such a package, if that has it.
fn unknown_package(
    span: Span,
    name: &str,
    error: &LoadError,
    names: impl FnOnce() -> Vec<String>,
    meant: impl FnOnce(&str) -> Option<String>,
) -> Diagnostic {
    let LoadError::NotFound(missing) = error else { return unusable_package(span, name, error) };
    let message = format!("there is no schema for package `{}`", missing.request);
    let mut diagnostic = Diagnostic::error(Code::UnknownPackage, span, message);
    if !missing.versions.is_empty() {
        let versions: Vec<String> = missing.versions.iter().map(ToString::to_string).collect();
        let versions = versions.join(", ");
        diagnostic = diagnostic.note(format!("schemas of other versions were found: {versions}"));
    }
    if !missing.places.is_empty() {
        diagnostic = diagnostic.note(format!("searched {}", missing.places.join(", ")));
    }
    if let Some(path) = &missing.refused {
        return diagnostic
            .note(format!("the project names the plugin {} for it", path.display()))
            .help(NotFound::REFUSED);
    }
    if let Some(plugin) = missing.plugins.first() {
        return diagnostic
            .note(format!("plugin {} {} is installed", plugin.name, plugin.version))
            .help("allow plugins to be started, so that it can be asked")
            .setting(Setting::RunPlugins);
    }
    let similar = if missing.versions.is_empty() { similar_package(name, &names()) } else { None };
    let Some(similar) = similar else { return get_schema(diagnostic, &missing.request) };
    let mut diagnostic = get_schema(diagnostic, &missing.request);
    let meant_package = format!("did you mean the package `{similar}`?");
    // A help about a setting is about a package that cannot be added.
    diagnostic.help = Some(match (diagnostic.setting.take(), diagnostic.help) {
        (None, Some(get)) => format!("{meant_package} If not, {get}"),
        _ => meant_package,
    });
    let Some(token) = meant(&similar).filter(|_| !span.range.is_empty()) else { return diagnostic };
    let edits = vec![TextEdit::replace(span, quoted(&token))];
    let title = format!("write `{token}`");
    diagnostic.fix(Fix::respelled(name, &similar, title, edits))
}

/// The help for a schema that can be added to the places where it is looked up.
fn get_schema(diagnostic: Diagnostic, request: &PackageRequest) -> Diagnostic {
    let package = match request.version() {
        Some(version) => format!("{}@{version}", request.name()),
        None => request.name().to_owned(),
    };
    // The command of the help is copied into a shell.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.@+".contains(c);
    if !package.chars().all(is_plain) || package.starts_with('-') {
        return diagnostic
            .help("add the schema of that package to the places where schemas are looked up")
            .setting(Setting::MissingSchema);
    }
    if request.parameterization.is_some() {
        let plugin = &request.name;
        return diagnostic
            .help(format!(
                "add the schema of `{package}` to `schemas/`: the plugin `{plugin}` makes it"
            ))
            .setting(Setting::Parameterization);
    }
    diagnostic.help(NotFound::advice(&package))
}

/// A package whose schema exists and cannot be used.
fn unusable_package(span: Span, name: &str, error: &LoadError) -> Diagnostic {
    let (code, message, help) = match error {
        LoadError::Unanswered(unanswered) => (
            Code::UnknownPackage,
            format!("the schema of package `{name}` could not be loaded"),
            unanswered.help.as_str(),
        ),
        LoadError::Unreadable { .. } => (
            Code::UnreadableSource,
            format!("the schema of package `{name}` could not be read"),
            "check the path and its permissions",
        ),
        _ => (
            Code::UnknownPackage,
            format!("the schema of package `{name}` is not usable"),
            "fix or replace the schema file",
        ),
    };
    let mut diagnostic = Diagnostic::error(code, span, message).note(error.to_string()).help(help);
    if let LoadError::Unanswered(unanswered) = error {
        diagnostic.setting = unanswered.setting;
    }
    diagnostic
}

/// A resource type that its package does not have.
fn unknown_resource(span: Span, package: &str, written: &str, meant: Option<&str>) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        Code::UnknownResourceType,
        span,
        format!("package `{package}` has no resource `{written}`"),
    );
    match meant {
        Some(meant) => with_token(diagnostic, span, meant),
        None => diagnostic,
    }
}

/// A function that its package does not have. `is_resource` says that there is a resource of that
/// token.
fn unknown_function(
    span: Span,
    package: &str,
    written: &str,
    is_resource: bool,
    meant: impl FnOnce() -> Option<String>,
) -> Diagnostic {
    let message = format!("package `{package}` has no function `{written}`");
    let diagnostic = Diagnostic::error(Code::UnknownInvoke, span, message);
    if is_resource {
        return diagnostic
            .help(format!("`{written}` is a resource: declare it with a `resource` block"));
    }
    match meant() {
        Some(meant) => with_token(diagnostic, span, &meant),
        None => diagnostic,
    }
}

/// Adds the place to look up what an unknown token may mean, unless that is known. `word` is one
/// that members of the package have in common with it.
fn with_search(
    diagnostic: Diagnostic,
    package: &str,
    section: Section,
    word: impl FnOnce() -> Option<String>,
) -> Diagnostic {
    if diagnostic.help.is_some() {
        return diagnostic;
    }
    match word() {
        Some(word) => diagnostic
            .help(format!("look for `{word}` in the schema of package `{package}`"))
            .setting(Setting::Search),
        None => {
            let members = if section == Section::Functions { "functions" } else { "resources" };
            diagnostic
                .help(format!("the schema of package `{package}` lists its {members}"))
                .setting(Setting::Package)
        }
    }
}

/// A resource that cannot be read from its schema.
fn damaged_resource(span: Span, token: &str, error: &MemberError) -> Diagnostic {
    let message = format!("the schema of `{}` is damaged", short_token(token));
    Diagnostic::error(Code::InvalidSchemaMember, span, message)
        .note(error.to_string())
        .help(DAMAGED)
}

/// A function that cannot be read from its schema.
fn damaged_function(span: Span, token: &str, error: &MemberError) -> Diagnostic {
    let token = short_token(token);
    let message = format!("the schema of `{token}` is damaged: {error}");
    Diagnostic::error(Code::InvalidSchemaMember, span, message).help(DAMAGED)
}

/// Adds the token that is probably meant, with the edit that writes it.
fn with_token(diagnostic: Diagnostic, span: Span, meant: &str) -> Diagnostic {
    let diagnostic = diagnostic.help(format!("did you mean `{meant}`?"));
    if span.range.is_empty() {
        // The token is not in the text.
        return diagnostic;
    }
    let edit = TextEdit::replace(span, quoted(meant));
    diagnostic.fix(Fix::unsafe_(format!("write `{meant}`"), vec![edit]))
}
