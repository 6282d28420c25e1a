//! From a token in a program to a member of a package.

use std::sync::Arc;

use pcl_model::types::NominalKey;
use pcl_schema::{MemberError, MemberId, Token};

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

/// The result of looking up a token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Lookup {
    /// The member, whose text could be read.
    Found(Found),
    /// The package has no such member.
    NotFound,
    /// The member exists, but its text cannot be decoded.
    Invalid(Found, MemberError),
}

impl SchemaTypes {
    /// The resource, component or provider that a token means in `package`.
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
                others: tokens(schema, &found.hidden),
                token: found.canonical.into(),
            })
        };
        let Some(found) = found else { return Lookup::NotFound };
        let spec = schema.resource_by_id(found.member);
        looked_up(found, spec)
    }

    /// The function that a token means in `package`.
    pub fn lookup_function(&self, package: PackageIndex, written: &str) -> Lookup {
        let schema = self.packages.package(package);
        let Some(found) = schema.function_by_canonical(written) else { return Lookup::NotFound };
        let found = Found {
            package,
            member: found.member,
            others: tokens(schema, &found.hidden),
            token: found.canonical.into(),
        };
        let spec = schema.function_by_id(found.member);
        looked_up(found, spec)
    }

    /// The token in the schema, when the written one names another module than the member is in. A
    /// package says by a pattern what is the module in a token, and what does not fit the pattern
    /// leads to the root module.
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
}

fn looked_up<T>(found: Found, spec: Result<Option<T>, MemberError>) -> Lookup {
    match spec {
        Ok(Some(_)) => Lookup::Found(found),
        Ok(None) => Lookup::NotFound,
        Err(error) => Lookup::Invalid(found, error),
    }
}

fn tokens(package: &pcl_schema::Package, members: &[MemberId]) -> Vec<String> {
    members.iter().map(|member| package.token(*member).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_two_or_three_parts() {
        for token in ["", "a", ":", "a:", ":b", "a::", "::b", "a:b:c:d", ":index:f"] {
            assert_eq!(Token::parse(token), None, "{token}");
        }
        for (token, module) in [("a:b", "index"), ("a::b", "index"), ("a:m/x:b", "m/x")] {
            let parts = Token::parse(token).unwrap();
            assert_eq!((parts.package, parts.module, parts.name), ("a", module, "b"));
        }
    }
}
