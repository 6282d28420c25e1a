//! From a token in a program to a member of a package.

use pcl_schema::{MemberError, MemberId, Section};

use super::SchemaTypes;
use crate::packages::PackageIndex;

/// The parts of a token as a program writes it: `package:module:member` or `package:member`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decomposed<'t> {
    /// The package.
    pub package: &'t str,
    /// The module; `index` when none is written.
    pub module: &'t str,
    /// The name in the module.
    pub member: &'t str,
}

impl<'t> Decomposed<'t> {
    /// Takes a token apart. `None` when it does not have two or three parts, or the package or the name is empty.
    ///
    /// ```
    /// use pcl_binder::schema_types::Decomposed;
    /// let token = Decomposed::parse("random:RandomPet").unwrap();
    /// assert_eq!((token.package, token.module, token.member), ("random", "index", "RandomPet"));
    /// assert_eq!(Decomposed::parse("pulumi:providers:aws").unwrap().provider_of(), Some("aws"));
    /// assert!(Decomposed::parse("RandomPet").is_none());
    /// ```
    #[must_use]
    pub fn parse(token: &'t str) -> Option<Self> {
        let mut parts = token.split(':');
        let package = parts.next()?;
        let second = parts.next()?;
        let (module, member) = match parts.next() {
            None => ("index", second),
            Some(member) if second.is_empty() => ("index", member),
            Some(member) => (second, member),
        };
        let well_formed = parts.next().is_none() && !package.is_empty() && !member.is_empty();
        well_formed.then_some(Self {
            package,
            module,
            member,
        })
    }

    /// The package whose provider is meant, if it is a provider.
    #[must_use]
    pub fn provider_of(self) -> Option<&'t str> {
        (self.package == "pulumi" && self.module == "providers").then_some(self.member)
    }

    /// The name of the package that the member is looked up in: of a provider its own.
    #[must_use]
    pub fn owner(self) -> &'t str {
        self.provider_of().unwrap_or(self.package)
    }
}

/// A member that a token means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The package.
    pub package: PackageIndex,
    /// The member.
    pub member: MemberId,
    /// The token that a bound program shows, such as `random::RandomPet`.
    pub token: String,
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
        let provider = Decomposed::parse(written).and_then(Decomposed::provider_of);
        let found = if provider.is_some() {
            schema.provider_id().map(|member| Found {
                package,
                member,
                token: written.to_owned(),
            })
        } else {
            schema.resource_by_canonical(written).map(|found| Found {
                package,
                member: found.member,
                token: found.canonical,
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
            token: found.canonical,
        };
        match schema.function_by_id(found.member) {
            Ok(Some(_)) => Lookup::Found(found),
            Ok(None) => Lookup::NotFound,
            Err(error) => Lookup::Invalid(found, error),
        }
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
        suggest_token(written, tokens.iter().map(String::as_str)).map(str::to_owned)
    }
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
    let written = Decomposed::parse(written)?;
    let parsed = candidates
        .clone()
        .filter_map(|token| Some((token, Decomposed::parse(token)?)));
    let same_name = |token: &Decomposed<'_>| token.member.eq_ignore_ascii_case(written.member);
    let mut elsewhere: Vec<&str> = parsed
        .clone()
        .filter(|(_, token)| same_name(token))
        .map(|(text, _)| text)
        .collect();
    elsewhere.sort_by_key(|text| (text.len(), *text));
    if let Some(&nearest) = elsewhere.first() {
        return Some(nearest);
    }
    let module = |token: &Decomposed<'_>| {
        token.module == written.module
            || token.module.split('/').next() == written.module.split('/').next()
    };
    let mut neighbours: Vec<(&str, &str)> = parsed
        .filter(|(_, token)| module(token))
        .map(|(text, token)| (token.member, text))
        .collect();
    neighbours.sort_unstable();
    let nearest =
        pcl_diagnostics::suggest(written.member, neighbours.iter().map(|(name, _)| *name))?;
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
            assert_eq!(Decomposed::parse(token), None, "{token}");
        }
        for (token, module) in [("a:b", "index"), ("a::b", "index"), ("a:m/x:b", "m/x")] {
            let parts = Decomposed::parse(token).unwrap();
            assert_eq!(
                (parts.package, parts.module, parts.member),
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
