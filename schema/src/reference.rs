//! Reading `$ref`: the target of a reference, which may not exist.

use std::borrow::Cow;

use semver::Version;

use crate::token::split_at_byte;
use crate::{ExternalTarget, parse_version};

/// The type or member that a `$ref` names.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Referent<'r> {
    /// One of the types that every package has.
    Builtin(BuiltinType),
    /// A member of the package that the document describes, or of another one.
    Member { package: Option<(&'r str, Version)>, member: ExternalTarget },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BuiltinType {
    Any,
    Json,
    Asset,
    Archive,
}

/// Reads a reference.
pub(crate) fn parse(written: &str) -> Result<Referent<'_>, ReferenceError> {
    match written {
        "pulumi.json#/Any" => return Ok(Referent::Builtin(BuiltinType::Any)),
        "pulumi.json#/Json" => return Ok(Referent::Builtin(BuiltinType::Json)),
        "pulumi.json#/Asset" => return Ok(Referent::Builtin(BuiltinType::Asset)),
        "pulumi.json#/Archive" => return Ok(Referent::Builtin(BuiltinType::Archive)),
        _ => {}
    }
    let (path, fragment) = split_at_byte(written, b'#').unwrap_or((written, ""));
    let package = if path.is_empty() { None } else { Some(parse_package(path)?) };
    let fragment = clean(fragment);
    let (kind, rest) = split_kind(&fragment);
    Ok(Referent::Member { package, member: named(kind, rest)? })
}

/// Splits `/types/TOKEN` into its two parts.
fn split_kind(fragment: &str) -> (&str, Option<&str>) {
    let fragment = fragment.strip_prefix('/').unwrap_or(fragment);
    match split_at_byte(fragment, b'/') {
        Some((kind, rest)) => (kind, Some(rest)),
        None => (fragment, None),
    }
}

fn named(kind: &str, rest: Option<&str>) -> Result<ExternalTarget, ReferenceError> {
    let token = |rest| percent_decode(rest).ok_or(ReferenceError::TokenEscape).map(Into::into);
    match (kind, rest) {
        ("types", Some(rest)) => Ok(ExternalTarget::Type(token(rest)?)),
        ("resources", Some(rest)) => Ok(ExternalTarget::Resource(token(rest)?)),
        ("provider", None) => Ok(ExternalTarget::Provider),
        ("provider", Some(_)) => Err(ReferenceError::AfterProvider),
        _ => Err(ReferenceError::Kind),
    }
}

/// Reads the part before `#`: `/NAME/vVERSION/schema.json`, with or without a host before it.
pub(crate) fn parse_package(path: &str) -> Result<(&str, Version), ReferenceError> {
    let path = match path.split_once("://") {
        Some(("http" | "https", rest)) => rest.split_once('/').ok_or(ReferenceError::Package)?.1,
        Some(_) => return Err(ReferenceError::Package),
        None => path.strip_prefix('/').unwrap_or(path),
    };
    let mut parts = path.split('/');
    let (Some(name), Some(version), Some("schema.json"), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err(ReferenceError::Package);
    };
    let is_name = !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
    if !is_name || !version.starts_with('v') {
        return Err(ReferenceError::Package);
    }
    let version = percent_decode(version).ok_or(ReferenceError::VersionEscape)?;
    let version =
        parse_version(&version).map_err(|_| ReferenceError::Version(version.into_owned()))?;
    Ok((name, version))
}

/// Resolves empty, `.` and `..` steps of a path. Almost every reference has none.
fn clean(path: &str) -> Cow<'_, str> {
    if is_clean(path) {
        return Cow::Borrowed(path);
    }
    let mut steps = Vec::new();
    for step in path.split('/') {
        match step {
            "" | "." => {}
            ".." => {
                steps.pop();
            }
            step => steps.push(step),
        }
    }
    Cow::Owned(steps.join("/"))
}

/// Returns whether no step behind the first is empty, and none is `.` or `..`.
fn is_clean(path: &str) -> bool {
    let mut start = 0;
    let ends = memchr::memchr_iter(b'/', path.as_bytes()).chain([path.len()]);
    for end in ends {
        match path.get(start..end) {
            Some("") if start > 0 => return false,
            Some("." | "..") => return false,
            _ => start = end + 1,
        }
    }
    true
}

/// Replaces `%XX`; `None` if an escape is broken or the result is not a text.
pub(crate) fn percent_decode(text: &str) -> Option<Cow<'_, str>> {
    if memchr::memchr(b'%', text.as_bytes()).is_none() {
        return Some(Cow::Borrowed(text));
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((byte, tail)) = rest.split_first() {
        rest = tail;
        if *byte != b'%' {
            bytes.push(*byte);
            continue;
        }
        let (digits, tail) = tail.split_first_chunk::<2>()?;
        let [high, low] = digits.map(|digit| char::from(digit).to_digit(16));
        bytes.push((high? * 16 + low?) as u8);
        rest = tail;
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

/// The reason why a `$ref` is malformed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReferenceError {
    #[error("the token has a broken `%` escape")]
    TokenEscape,
    #[error("nothing may follow `#/provider`")]
    AfterProvider,
    #[error("expected `#/types/TOKEN`, `#/resources/TOKEN` or `#/provider`")]
    Kind,
    #[error("expected `/PACKAGE/vVERSION/schema.json` before `#`")]
    Package,
    #[error("the version has a broken `%` escape")]
    VersionEscape,
    #[error("`{0}` is not a version such as 1.2.3")]
    Version(String),
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn describe(written: &str) -> String {
        match parse(written) {
            Ok(Referent::Builtin(builtin)) => format!("{builtin:?}"),
            Ok(Referent::Member { package, member }) => {
                let package =
                    package.map_or(String::new(), |(name, version)| format!("{name}@{version} "));
                match member {
                    ExternalTarget::Type(token) => format!("{package}type {token}"),
                    ExternalTarget::Resource(token) => format!("{package}resource {token}"),
                    ExternalTarget::Provider => format!("{package}provider"),
                }
            }
            Err(error) => format!("error: {error}"),
        }
    }

    #[test]
    fn forms() {
        let cases = [
            ("pulumi.json#/Any", "Any"),
            ("pulumi.json#/Archive", "Archive"),
            ("#/types/a:s3/bucket:Bucket", "type a:s3/bucket:Bucket"),
            ("#/types/a:s3%2Fbucket:Bucket", "type a:s3/bucket:Bucket"),
            ("#/types/a:s3%2fbucket:Bucket", "type a:s3/bucket:Bucket"),
            ("#types/a:b:C", "type a:b:C"),
            ("#//types/./a:x//y/../z:C", "type a:x/z:C"),
            ("#/resources/a:b:C", "resource a:b:C"),
            ("#/provider", "provider"),
            ("/aws/v7.42.0/schema.json#/types/aws:s3/b:B", "aws@7.42.0 type aws:s3/b:B"),
            ("aws/v4/schema.json#/provider", "aws@4.0.0 provider"),
            (
                "https://host/x-y_z/v1.2.3-a.1+b/schema.json#/resources/x:i:R",
                "x-y_z@1.2.3-a.1+b resource x:i:R",
            ),
        ];
        for (written, meaning) in cases {
            assert_eq!(describe(written), meaning, "{written}");
        }
    }

    #[test]
    fn mistakes() {
        let bad = [
            "",
            "#",
            "#/",
            "#/types",
            "#/provider/x",
            "#/kinds/a:b:C",
            "pulumi.json#/Other",
            "a:b:C",
            "#/types/a%2:b:C",
            "#/types/%ff",
            "/aws/7.0.0/schema.json#/provider",
            "/aws/vx/schema.json#/provider",
            "ftp://h/a/v1.0.0/schema.json#/provider",
        ];
        for written in bad {
            assert!(parse(written).is_err(), "{written}");
        }
    }

    proptest! {
        #[test]
        fn any_text(text in "\\PC{0,40}", odd in "[#/%.a-c:0-9v]{0,40}") {
            let _ = parse(&text);
            let _ = parse(&odd);
        }
    }
}
