//! The members of packages that words of other languages mean.
//!
//! The rules, with examples: `tests/spec/habits/labels.md`.

use std::collections::BTreeSet;

use pcl_newcomers::terraform::{self, Counterpart};
use pcl_schema::{Section, Token};

use crate::binder::Binder;
use crate::packages::PackageIndex;

impl Binder<'_, '_, '_> {
    /// The member of a loadable package that a type of Terraform means.
    pub fn terraform_member(&self, section: Section, written: &str) -> Option<Counterpart> {
        let (prefix, rest) = written.split_once('_')?;
        if !terraform::is_type(written) {
            return None;
        }
        let renamed = terraform::PACKAGES.iter().find(|(known, _)| *known == prefix);
        let same = [prefix];
        let packages = renamed.map_or(&same[..], |(_, packages)| packages);
        packages.iter().find_map(|package| {
            let package = self.loadable_package(package)?;
            let schemas = &self.session.schemas;
            schemas.member_of_words(package, section, prefix, rest)
        })
    }

    /// The resource or function that a text with the parts of a token means, such as
    /// `aws.s3.Bucket`.
    pub fn member_of_parts(&self, section: Section, written: &str) -> Option<String> {
        let is_part = |c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_';
        let mut parts = written.split(is_part).filter(|part| !part.is_empty());
        let (package, name) = (parts.next()?, parts.next_back()?);
        let module = parts.next().unwrap_or("index");
        let index = self.loadable_package(package)?;
        let token = format!("{package}:{module}:{name}");
        let schemas = &self.session.schemas;
        let meant = schemas.suggest_member(index, section, &token)?;
        Some(schemas.schema_token(index, section, &meant).unwrap_or(meant))
    }

    /// A package that a schema place has, loaded. No other place is asked.
    fn loadable_package(&self, name: &str) -> Option<PackageIndex> {
        if !self.loadable_names().contains(name) || Token::parse(name).is_some() {
            return None;
        }
        self.packages.refer(name, None, None).ok()
    }

    /// The names of the packages that schema places have.
    fn loadable_names(&self) -> &BTreeSet<String> {
        let names = || self.packages.cache().names().into_iter().collect();
        self.package_names.get_or_init(names)
    }
}
