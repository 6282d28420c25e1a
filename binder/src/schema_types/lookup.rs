//! From a token in a program to a member of a package.

use std::sync::Arc;

use pcl_model::types::NominalKey;
use pcl_schema::{MemberError, MemberId, Section, Token};

use super::{Nominal, SchemaTypes, Shape};
use crate::packages::PackageIndex;

/// A member that a token means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The package.
    pub package: PackageIndex,
    /// The member.
    pub member: MemberId,
    /// The token that a bound program shows, such as `random::RandomPet`.
    pub token: Arc<str>,
    /// The tokens of other members that the written token could mean as well.
    pub others: Vec<String>,
}

impl Found {
    /// The key that the signature of a call of this function carries.
    pub(crate) const fn callee(&self, with_outputs: bool) -> NominalKey {
        let nominal = Nominal {
            package: self.package,
            member: self.member,
            shape: Shape::of_inputs(with_outputs),
        };
        nominal.key()
    }
}

/// What became of a token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Lookup {
    /// The member, whose text could be read.
    Found(Found),
    /// The package has no such member.
    NotFound,
    /// The member is there and its text cannot be read.
    Invalid(Found, MemberError),
}

impl SchemaTypes {
    /// The resource, component or provider that a token means in `package`.
    #[must_use]
    pub fn lookup_resource(&self, package: PackageIndex, written: &str) -> Lookup {
        let schema = self.packages.package(package);
        let provider = Token::parse(written).and_then(Token::provider_of);
        let found = if provider.is_some() {
            schema.provider_id().map(|member| Found {
                package,
                member,
                token: written.into(),
                others: Vec::new(),
            })
        } else {
            schema.resource_by_canonical(written).map(|found| Found {
                package,
                member: found.member,
                others: tokens(&schema, &found.hidden),
                token: found.canonical.into(),
            })
        };
        match found {
            None => Lookup::NotFound,
            Some(found) => match schema.resource_by_id(found.member) {
                Ok(Some(_)) => Lookup::Found(found),
                Ok(None) => Lookup::NotFound,
                Err(error) => Lookup::Invalid(found, error),
            },
        }
    }

    /// The function that a token means in `package`.
    #[must_use]
    pub fn lookup_function(&self, package: PackageIndex, written: &str) -> Lookup {
        let schema = self.packages.package(package);
        let Some(found) = schema.function_by_canonical(written) else {
            return Lookup::NotFound;
        };
        let found = Found {
            package,
            member: found.member,
            others: tokens(&schema, &found.hidden),
            token: found.canonical.into(),
        };
        match schema.function_by_id(found.member) {
            Ok(Some(_)) => Lookup::Found(found),
            Ok(None) => Lookup::NotFound,
            Err(error) => Lookup::Invalid(found, error),
        }
    }

    /// The token in the schema, when the written one names another module than the member is in. A package says by a pattern what
    /// is the module in a token, and what does not fit the pattern leads to the root module.
    #[must_use]
    pub fn other_module(&self, found: &Found, written: &str) -> Option<String> {
        let schema = self.packages.package(found.package);
        let token = schema.token(found.member);
        if written == token || *written == *found.token {
            return None;
        }
        let (written, own) = (Token::parse(written)?, Token::parse(token)?);
        let shown = Token::parse(&found.token)?;
        let is_root = shown.module == "index" || schema.name() == "pulumi";
        let fits = written.provider_of().is_some()
            || written.module == own.module
            || written.module == shown.module
            || shown.module == "index" && written.module.starts_with("index");
        (is_root && !fits).then(|| token.to_owned())
    }

    /// The resource or function token of the package that `written` is most likely meant to be, in the form that programs use.
    #[must_use]
    pub fn suggest_member(
        &self,
        package: PackageIndex,
        section: Section,
        written: &str,
    ) -> Option<String> {
        // A misspelled token is about as long as a right one; what is much longer is not worth comparing with every member.
        const LONGEST: usize = 256;
        if written.len() > LONGEST {
            return None;
        }
        let schema = self.packages.package(package);
        let tokens: Vec<String> = schema
            .members(section)
            .filter_map(|member| {
                let token = schema.token(member);
                // Methods belong to `call`; their names hold the resource's.
                if section == Section::Functions && is_method(token) {
                    return None;
                }
                schema.canonical(token)
            })
            .collect();
        let meant = suggest_token(written, tokens.iter().map(String::as_str))?;
        // Where only the name is wrong the module stays as it was written.
        let (before, name) = (written.rfind(':')? + 1, meant.rfind(':')? + 1);
        let kept = format!("{}{}", &written[..before], &meant[name..]);
        match schema.canonical(&kept) {
            Some(canonical) if canonical == meant => Some(kept),
            _ => Some(meant.to_owned()),
        }
    }
}

fn tokens(package: &pcl_schema::Package, members: &[MemberId]) -> Vec<String> {
    members
        .iter()
        .map(|member| package.token(*member).to_owned())
        .collect()
}

/// A method's token is that of its resource, a slash and a name; a bridged function's has the slash in the module.
fn is_method(token: &str) -> bool {
    token.rsplit(':').next().is_some_and(|n| n.contains('/'))
}

/// The candidate that a token is most likely meant to be: the same name in another module first, then a name alike, then a token
/// alike.
fn suggest_token<'c>(
    written: &str,
    candidates: impl Iterator<Item = &'c str> + Clone,
) -> Option<&'c str> {
    let written = Token::parse(written)?;
    let parsed = candidates
        .clone()
        .filter_map(|token| Some((token, Token::parse(token)?)));
    let same_name = |token: &Token<'_>| token.name.eq_ignore_ascii_case(written.name);
    let mut elsewhere: Vec<&str> = parsed
        .clone()
        .filter(|(_, token)| same_name(token))
        .map(|(text, _)| text)
        .collect();
    elsewhere.sort_by_key(|text| (text.len(), *text));
    if let Some(&nearest) = elsewhere.first() {
        return Some(nearest);
    }
    let module = |token: &Token<'_>| {
        token.module == written.module
            || token.module.split('/').next() == written.module.split('/').next()
    };
    let mut neighbours: Vec<(&str, &str)> = parsed
        .filter(|(_, token)| module(token))
        .map(|(text, token)| (token.name, text))
        .collect();
    neighbours.sort_unstable();
    let nearest = pcl_diagnostics::suggest(written.name, neighbours.iter().map(|(name, _)| *name))?;
    let at = neighbours
        .binary_search_by(|(name, _)| (*name).cmp(nearest))
        .ok()?;
    Some(neighbours[at].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_two_or_three_parts() {
        for token in [
            "", "a", ":", "a:", ":b", "a::", "::b", "a:b:c:d", ":index:f",
        ] {
            assert_eq!(Token::parse(token), None, "{token}");
        }
        for (token, module) in [("a:b", "index"), ("a::b", "index"), ("a:m/x:b", "m/x")] {
            let parts = Token::parse(token).unwrap();
            assert_eq!(
                (parts.package, parts.module, parts.name),
                ("a", module, "b")
            );
        }
    }

    #[test]
    fn a_name_in_another_module_is_found_before_a_name_alike() {
        let tokens = ["aws:s3:Bucket", "aws:s3:BucketPolicy", "aws:ec2:Instance"];
        let suggest = |written| suggest_token(written, tokens.iter().copied());
        assert_eq!(suggest("aws:index:Bucket"), Some("aws:s3:Bucket"));
        assert_eq!(suggest("aws:s3:Buket"), Some("aws:s3:Bucket"));
        assert_eq!(suggest("aws:s3/bucket:Buckett"), Some("aws:s3:Bucket"));
        assert_eq!(suggest("aws:rds:Cluster"), None);
    }
}
