//! Packages and their members by the names that people write.

use std::fmt;
use std::sync::Arc;

use pcl_binder::schema_types::suggest_member;
use pcl_binder::similar_package;
use pcl_diagnostics::suggest;
use pcl_schema::{
    ChainLoader, LoadError, Loader as _, MemberId, Package, PackageRequest, Section, Token,
    parse_version,
};
use serde::Serialize;
use serde_json::Value;

use super::search::members_named;
use super::{View, members_called};
use crate::schema_view::{Property, properties, worded};

/// A package or members that cannot be shown.
#[derive(Clone, Debug)]
pub enum LookupError {
    /// The text is neither a package nor a token.
    NotToken(String),
    /// The text after `@` is not a version.
    NotVersion(String),
    /// The package cannot be loaded.
    Package {
        /// The reason.
        error: Box<LoadError>,
        /// The name of the package.
        name: String,
        /// The same or a similar name of a package that has a schema.
        similar: Option<String>,
        /// The tokens of members that the name is that of, in packages that have a schema.
        members: Vec<String>,
    },
    /// The package has no such member, or it cannot be decoded; a sentence tells which.
    Member(String),
    /// A name is that of several members.
    Several {
        /// The name.
        written: String,
        /// The tokens of the members, the closest first.
        tokens: Vec<String>,
    },
}

impl fmt::Display for LookupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotToken(written) => write!(
                f,
                "`{written}` is not a token of the form package:module:name or package:name"
            ),
            Self::NotVersion(version) => {
                write!(f, "`{version}` is not a version such as 1.2.3")
            }
            Self::Package { error, name, similar: Some(similar), .. } if similar != name => {
                write!(f, "{error}; did you mean `{similar}`?")
            }
            Self::Package { error, members, .. } if !members.is_empty() => {
                let members: Vec<String> = members.iter().map(|it| format!("`{it}`")).collect();
                write!(f, "{error}; did you mean {}?", members.join(" or "))
            }
            Self::Package { error, .. } => write!(f, "{error}"),
            Self::Member(message) => f.write_str(message),
            Self::Several { written, tokens } => {
                let shown: Vec<String> = tokens.iter().map(|token| format!("`{token}`")).collect();
                match (shown.len().saturating_sub(MOST), shown.split_last()) {
                    (0 | 1, Some((last, first))) if !first.is_empty() => {
                        write!(f, "`{written}` may be {} or {last}", first.join(", "))
                    }
                    (more, _) => {
                        let first = shown.get(..MOST).unwrap_or(&shown).join(", ");
                        write!(f, "`{written}` may be {first}, or one of {more} others")
                    }
                }
            }
        }
    }
}

/// The most members that a message names.
const MOST: usize = 5;

impl std::error::Error for LookupError {}

/// Loads the package that is written as NAME or NAME@VERSION.
///
/// # Errors
/// Returns an error if the version is none, or if the package cannot be loaded.
pub fn load_package(loader: &ChainLoader, written: &str) -> Result<Arc<Package>, LookupError> {
    let request = match written.split_once('@') {
        None => PackageRequest::new(written),
        Some((name, version)) => {
            let parsed =
                parse_version(version).map_err(|_| LookupError::NotVersion(version.to_owned()))?;
            PackageRequest::new(name).with_version(parsed)
        }
    };
    loader.load(&request).map_err(|error| {
        let is_missing = matches!(error, LoadError::NotFound(_));
        // A name that no package can have is that of a member, whatever package is spelled alike.
        let members = if is_missing { members_of_all(loader, request.name()) } else { Vec::new() };
        let similar = if is_missing && members.is_empty() {
            similar_package(request.name(), &loader.names())
        } else {
            None
        };
        LookupError::Package {
            name: request.name().to_owned(),
            similar,
            members,
            error: Box::new(error),
        }
    })
}

/// The tokens of members that are called like a package: names of packages have neither capitals
/// nor `_`.
fn members_of_all(loader: &ChainLoader, name: &str) -> Vec<String> {
    const MOST: usize = 3;
    if !name.contains(|c: char| c.is_ascii_uppercase() || c == '_') {
        return Vec::new();
    }
    let load = |name: String| loader.load(&PackageRequest::new(&*name)).ok();
    let packages: Vec<Arc<Package>> = loader.names().into_iter().filter_map(load).collect();
    let mut members = members_called(&packages, name);
    members.truncate(MOST);
    members
}

/// A package or members of one.
pub enum Subject {
    /// A package.
    Package(Arc<Package>),
    /// Members, ready to be shown.
    Members(Vec<View>),
}

/// Looks up a package, as NAME or NAME@VERSION, or members as in [`find_members`].
///
/// # Errors
/// Returns an error if there is neither.
pub fn look_up(loader: &ChainLoader, written: &str) -> Result<Subject, LookupError> {
    if written.contains(':') {
        return find_members(loader, written).map(Subject::Members);
    }
    let error = match load_package(loader, written) {
        Ok(package) => return Ok(Subject::Package(package)),
        Err(error) => error,
    };
    // A package that is there and cannot be read is not the name of a member.
    let is_missing = matches!(&error, LookupError::Package { error, .. }
        if matches!(**error, LoadError::NotFound(_)));
    let meant = if is_missing { named(loader, written) } else { None };
    meant.unwrap_or(Err(error)).map(Subject::Members)
}

/// The members that a token names, or a name as people and other tools write it: `Deployment`,
/// `docker_container`, `s3.Bucket`, `k8s:Ingress`. A resource and a type may have the same.
///
/// # Errors
/// Returns an error if the package of a token cannot be loaded, if there is no such member, in
/// which case a similar one is suggested, or if a name is that of several.
pub fn find_members(loader: &ChainLoader, written: &str) -> Result<Vec<View>, LookupError> {
    find_exactly(loader, written).or_else(|error| named(loader, written).unwrap_or(Err(error)))
}

/// The member that a name in another notation means; `None` if there is none.
fn named(loader: &ChainLoader, written: &str) -> Option<Result<Vec<View>, LookupError>> {
    let load = |name: String| loader.load(&PackageRequest::new(&*name)).ok();
    let packages: Vec<Arc<Package>> = loader.names().into_iter().filter_map(load).collect();
    let hits = members_named(&packages, written);
    let tokens: Vec<String> = hits.iter().map(|hit| hit.token.clone()).collect();
    match &*tokens {
        [] => None,
        [token] => Some(find_exactly(loader, token)),
        _ => Some(Err(LookupError::Several { written: written.to_owned(), tokens })),
    }
}

fn find_exactly(loader: &ChainLoader, written: &str) -> Result<Vec<View>, LookupError> {
    let token = Token::parse(written).ok_or_else(|| LookupError::NotToken(written.to_owned()))?;
    let package = load_package(loader, token.owner())?;
    let members = find(&package, token, written);
    if members.is_empty() {
        return Err(LookupError::Member(missing(&package, written)));
    }
    let views = members.into_iter().map(|member| View::of(&package, member));
    views.collect::<Result<_, _>>().map_err(|error| LookupError::Member(error.to_string()))
}

/// Everything that a token may mean: a resource and a type may have the same.
fn find(package: &Package, token: Token<'_>, written: &str) -> Vec<MemberId> {
    if token.provider_of().is_some() {
        let method = package.find(Section::Functions, written);
        return method.or(package.provider_id()).into_iter().collect();
    }
    let resource = package.resource_by_canonical(written).map(|found| found.member);
    let function = package.function_by_canonical(written).map(|found| found.member);
    let canonical = package.canonical(written);
    let type_ = package.find(Section::Types, written).or_else(|| {
        let mut types = package.members(Section::Types);
        types.find(|member| package.canonical(package.token(*member)) == canonical)
    });
    [resource, function, type_].into_iter().flatten().collect()
}

/// The message about a token that the package does not have. A resource or function of the same
/// name is suggested before a type of that name, and those before a name alike.
fn missing(package: &Package, written: &str) -> String {
    let name = Token::parse(written).map_or(written, |token| token.name);
    let meant: Vec<String> = [Section::Resources, Section::Functions]
        .into_iter()
        .filter_map(|section| {
            let token = suggest_member(package, section, written)?;
            let found = match section {
                Section::Functions => package.function_by_canonical(&token),
                _ => package.resource_by_canonical(&token),
            };
            Some(found?.token)
        })
        .collect();
    let types = || package.members(Section::Types).map(|it| package.token(it));
    let is_same = |token: &str| name_of(token).eq_ignore_ascii_case(name);
    let same = meant.iter().map(String::as_str).find(|token| is_same(token));
    let near_type = || {
        let near = suggest(name, types().map(name_of))?;
        types().find(|token| name_of(token) == near)
    };
    let near = same
        .or_else(|| types().find(|token| is_same(token)))
        .or_else(|| meant.first().map(String::as_str))
        .or_else(near_type);
    let hint = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("`pcl schema ls {}` lists its members", package.name()),
    };
    format!("the package {} has no `{written}`; {hint}", package.name())
}

fn name_of(token: &str) -> &str {
    token.rsplit([':', '/']).next().unwrap_or_default()
}

/// A package, ready to be printed.
#[derive(Serialize, Debug, Clone, PartialEq)]
pub struct PackageView {
    /// Its name.
    pub name: String,
    /// Its version, if it is known.
    pub version: Option<String>,
    /// The description, in Markdown.
    pub description: Option<String>,
    /// The plugin that makes it of a parameter, or whose package it extends.
    pub base: Option<Needed>,
    /// The packages that it refers to.
    pub dependencies: Vec<Needed>,
    /// The variables that configure it.
    pub config: Vec<Property>,
    /// The number of resources.
    pub resources: usize,
    /// The number of functions, methods included.
    pub functions: usize,
    /// The number of types.
    pub types: usize,
}

/// A package or plugin that another needs.
#[derive(Serialize, Debug, Clone, PartialEq)]
pub struct Needed {
    /// Its name.
    pub name: String,
    /// Its version; `None` for any.
    pub version: Option<String>,
}

impl PackageView {
    /// Looks at a package; the error says why its configuration cannot be read.
    pub fn of(package: &Package) -> Result<Self, String> {
        let json = package.config_json().unwrap_or_default();
        let config =
            package.config().map_err(|error| format!("config of {}: {error}", package.name()))?;
        let base = package.parameterization().or(package.extension());
        let needed = |request: &PackageRequest| Needed {
            name: request.name().to_owned(),
            version: request.version().map(ToString::to_string),
        };
        let count = |section| package.members(section).count();
        Ok(Self {
            name: package.name().to_owned(),
            version: package.version().map(ToString::to_string),
            description: package.about().as_deref().map(worded),
            base: base.map(|base| Needed {
                name: base.name.clone(),
                version: Some(base.version.to_string()),
            }),
            dependencies: package.dependencies().iter().map(needed).collect(),
            config: properties(package, &config, json.get("variables").unwrap_or(&Value::Null)),
            resources: count(Section::Resources),
            functions: count(Section::Functions),
            types: count(Section::Types),
        })
    }
}
