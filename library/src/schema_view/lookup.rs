//! Packages and their members by the names that people write.

use std::fmt;
use std::sync::Arc;

use pcl_diagnostics::suggest;
use pcl_schema::{
    ChainLoader, LoadError, Loader as _, MemberId, Package, PackageRequest, Section, Token,
    parse_version,
};

use super::{SECTIONS, View};

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
    },
    /// The package has no such member, or it cannot be decoded; a sentence tells which.
    Member(String),
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
            Self::Package {
                error,
                name,
                similar: Some(similar),
            } if similar != name => write!(f, "{error}; did you mean `{similar}`?"),
            Self::Package { error, .. } => write!(f, "{error}"),
            Self::Member(message) => f.write_str(message),
        }
    }
}

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
        let names = loader.names();
        let similar = match error {
            LoadError::NotFound(_) => suggest(request.name(), names.iter().map(String::as_str)),
            _ => None,
        };
        LookupError::Package {
            name: request.name().to_owned(),
            similar: similar.map(str::to_owned),
            error: Box::new(error),
        }
    })
}

/// The members that a token names. A resource and a type may have the same.
///
/// # Errors
/// Returns an error if the text is not a token, if its package cannot be loaded, or if the package
/// has no such member; a similar one is suggested.
pub fn find_members(loader: &ChainLoader, written: &str) -> Result<Vec<View>, LookupError> {
    let token = Token::parse(written).ok_or_else(|| LookupError::NotToken(written.to_owned()))?;
    let package = load_package(loader, token.owner())?;
    let members = find(&package, token, written);
    if members.is_empty() {
        return Err(LookupError::Member(missing(&package, written)));
    }
    let views = members.into_iter().map(|member| View::of(&package, member));
    views
        .collect::<Result<_, _>>()
        .map_err(|error| LookupError::Member(error.to_string()))
}

/// Everything that a token may mean: a resource and a type may have the same.
fn find(package: &Package, token: Token<'_>, written: &str) -> Vec<MemberId> {
    if token.provider_of().is_some() {
        let method = package.find(Section::Functions, written);
        return method.or(package.provider_id()).into_iter().collect();
    }
    let resource = package
        .resource_by_canonical(written)
        .map(|found| found.member);
    let function = package
        .function_by_canonical(written)
        .map(|found| found.member);
    let canonical = package.canonical(written);
    let type_ = package.find(Section::Types, written).or_else(|| {
        let mut types = package.members(Section::Types);
        types.find(|member| package.canonical(package.token(*member)) == canonical)
    });
    [resource, function, type_].into_iter().flatten().collect()
}

/// The message about a token that the package does not have. A resource is suggested before a
/// function, and that before a type.
fn missing(package: &Package, written: &str) -> String {
    let name = Token::parse(written).map_or(written, |token| token.name);
    let name_of = |token: &'_ str| {
        token
            .rsplit([':', '/'])
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let with_name = |is_it: &dyn Fn(&str) -> bool, sections: &[Section]| {
        let members = sections
            .iter()
            .flat_map(|&section| package.members(section));
        let mut tokens = members.map(|member| package.token(member));
        tokens
            .find(|token| is_it(&name_of(token)))
            .map(str::to_owned)
    };
    let same = with_name(&|other| other.eq_ignore_ascii_case(name), &SECTIONS);
    let near = same.or_else(|| {
        SECTIONS.iter().find_map(|&section| {
            let members = package.members(section);
            let names: Vec<String> = members
                .map(|member| name_of(package.token(member)))
                .collect();
            let near = suggest(name, names.iter().map(String::as_str))?;
            with_name(&|other| other == near, &[section])
        })
    });
    let hint = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("`pcl schema ls {}` lists its members", package.name()),
    };
    format!("the package {} has no `{written}`; {hint}", package.name())
}
