//! From a misspelled token to the member of a package that is probably meant.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::PoisonError;

use pcl_diagnostics::Comparisons;
use pcl_schema::{MemberId, Package, Section, Token};
use rustc_hash::FxHashMap;

use super::SchemaTypes;
use super::nearest::{Module, nearest};
use super::terraform_words::TerraformWords;
use crate::packages::PackageIndex;
use pcl_newcomers::terraform::Counterpart;

/// The names of one section of a package, by what misspelled tokens may have in common with them.
#[derive(Debug)]
pub(super) struct Names {
    /// The members of each name, in any module; names are in lower case.
    members: FxHashMap<String, Vec<MemberId>>,
    all: BTreeSet<String>,
    /// The names in the modules of each group.
    by_group: BTreeMap<String, BTreeSet<String>>,
    comparisons: Comparisons,
    terraform: TerraformWords,
}

/// The resource or function token of the package that `written` is most likely meant to be, in the
/// form that programs use. A caller with several tokens asks [`SchemaTypes::suggest_member`], which
/// collects the names of a package once.
#[must_use]
pub fn suggest_member(package: &Package, section: Section, written: &str) -> Option<String> {
    let meant = Names::of(package, section).suggest(package, section, written)?;
    Some(in_module_as_written(package, written, meant))
}

/// The resource or function that a type of Terraform means: `prefix` is its provider, `rest` the
/// words after it, such as `s3_bucket`.
#[must_use]
pub fn terraform_member(
    package: &Package,
    section: Section,
    prefix: &str,
    rest: &str,
) -> Option<String> {
    let names = Names::of(package, section);
    let found = names.terraform_member(package, section, prefix, rest)?;
    Some(found.token)
}

impl SchemaTypes {
    /// The member that a type of Terraform means: `prefix` is its provider, `rest` the words after
    /// it, such as `s3_bucket`.
    pub(crate) fn member_of_words(
        &self,
        package: PackageIndex,
        section: Section,
        prefix: &str,
        rest: &str,
    ) -> Option<Counterpart> {
        let schema = self.packages.package(package);
        self.with_names(package, section, |names| {
            names.terraform_member(schema, section, prefix, rest)
        })
    }

    /// The token that the schema itself has for a canonical one.
    pub(crate) fn schema_token(
        &self,
        package: PackageIndex,
        section: Section,
        canonical: &str,
    ) -> Option<String> {
        schema_token(self.packages.package(package), section, canonical)
    }

    /// The resource or function token of the package that `written` is most likely meant to be, in
    /// the form that programs use.
    #[must_use]
    pub fn suggest_member(
        &self,
        package: PackageIndex,
        section: Section,
        written: &str,
    ) -> Option<String> {
        let schema = self.packages.package(package);
        let meant =
            self.with_names(package, section, |names| names.suggest(schema, section, written))?;
        Some(in_module_as_written(schema, written, meant))
    }

    /// Does something with the names of a section, which are read at the first time.
    fn with_names<R>(
        &self,
        package: PackageIndex,
        section: Section,
        act: impl FnOnce(&mut Names) -> R,
    ) -> R {
        let schema = self.packages.package(package);
        let mut sections = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        let names = sections.entry((package, section));
        act(names.or_insert_with(|| Names::of(schema, section)))
    }
}

impl Names {
    fn of(package: &Package, section: Section) -> Self {
        let mut names = Self {
            members: FxHashMap::default(),
            all: BTreeSet::new(),
            by_group: BTreeMap::new(),
            comparisons: Comparisons::default(),
            terraform: TerraformWords::default(),
        };
        for member in package.members(section) {
            let token = package.token(member);
            // Methods belong to `call`; their names hold the resource's.
            if section == Section::Functions && is_method(token) {
                continue;
            }
            let canonical = package.canonical(token);
            let Some((text, token)) =
                canonical.as_deref().and_then(|text| Some((text, Token::parse(text)?)))
            else {
                continue;
            };
            let of_name = names.members.entry(token.name.to_ascii_lowercase());
            of_name.or_default().push(member);
            names.all.insert(token.name.to_owned());
            let group = Module::of(token).group().to_ascii_lowercase();
            let in_group = names.by_group.entry(group).or_default();
            in_group.insert(token.name.to_owned());
            names.terraform.add(text, token);
        }
        names.comparisons = Comparisons::among(names.all.len());
        names
    }

    /// The canonical token that `written` is most likely meant to be: the same name in another
    /// module first, then one that had this token before, then a name alike in the module, or in
    /// any if the package does not have that module.
    fn suggest(&mut self, package: &Package, section: Section, written: &str) -> Option<String> {
        let token = Token::parse(written)?;
        let same = self.members.get(&token.name.to_ascii_lowercase());
        if let Some(same) = same {
            return nearest(package, same, token);
        }
        if section == Section::Resources
            && let Some(found) = nearest(package, package.formerly(written), token)
        {
            return Some(found);
        }
        let group = Module::of(token).group().to_ascii_lowercase();
        let names = self.by_group.get(&group).unwrap_or(&self.all);
        let names = names.iter().map(String::as_str);
        let alike = self.comparisons.suggest(token.name, names)?;
        let members = self.members.get(&alike.to_ascii_lowercase())?;
        nearest(package, members, token)
    }

    fn terraform_member(
        &self,
        package: &Package,
        section: Section,
        prefix: &str,
        rest: &str,
    ) -> Option<Counterpart> {
        if let Some(named) = package.terraform_member(section, &format!("{prefix}_{rest}")) {
            return Some(Counterpart {
                token: package.token(named.member).to_owned(),
                certain: named.is_only,
            });
        }
        let get = match section {
            Section::Functions => "get",
            _ => "",
        };
        let (canonical, certain) = self.terraform.find(prefix, rest, get)?;
        let token = schema_token(package, section, canonical);
        Some(Counterpart { token: token.unwrap_or_else(|| canonical.to_owned()), certain })
    }
}

fn schema_token(package: &Package, section: Section, canonical: &str) -> Option<String> {
    let found = match section {
        Section::Functions => package.function_by_canonical(canonical),
        _ => package.resource_by_canonical(canonical),
    };
    Some(package.token(found?.member).to_owned())
}

/// The token `meant` with the module as it is written, where only the name is wrong.
fn in_module_as_written(package: &Package, written: &str, meant: String) -> String {
    let kept = written.rsplit_once(':').and_then(|(before, _)| {
        let (_, name) = meant.rsplit_once(':')?;
        Some(format!("{before}:{name}"))
    });
    let is_same = |kept: &String| package.canonical(kept).is_some_and(|kept| kept == meant);
    kept.filter(is_same).unwrap_or(meant)
}

/// Returns whether a token is that of a method: the token of its resource, a slash and a name. A
/// bridged function has the slash in its module.
fn is_method(token: &str) -> bool {
    token.rsplit(':').next().is_some_and(|n| n.contains('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A package with these resources.
    fn package(resources: &str) -> Package {
        let text = format!(r#"{{ "name": "p", "resources": {{ {resources} }} }}"#);
        Package::from_bytes(text).unwrap()
    }

    fn suggested(package: &Package, written: &str) -> Option<String> {
        suggest_member(package, Section::Resources, written)
    }

    #[test]
    fn a_name_in_another_module_is_found_before_a_name_alike() {
        let aws = package(
            r#""p:s3:Bucket": {}, "p:s3:BucketPolicy": {}, "p:ec2:Instance": {}, "p:ec2:Vpc": {}"#,
        );
        for (written, meant) in [
            ("p:index:Bucket", Some("p:s3:Bucket")),
            ("p:Bucket", Some("p:s3:Bucket")),
            ("p:s3:Buket", Some("p:s3:Bucket")),
            ("p:s3/bucket:Buckett", Some("p:s3:Bucket")),
            ("p:rds:Buckett", Some("p:s3:Bucket")),
            ("p:s3:Instanze", None),
            ("p:rds:Cluster", None),
        ] {
            assert_eq!(suggested(&aws, written).as_deref(), meant, "{written}");
        }
    }

    /// The order of what makes one of several members of a name the better one: each fact decides
    /// where those before it are equal, whatever those after it say.
    #[test]
    fn members_of_a_name_are_ordered_by_module_version_aliases_and_age() {
        let was = |token: &str| format!(r#""aliases": [{{ "type": "{token}" }}]"#);
        let old = r#""deprecationMessage": "Old.""#;
        // The better member, the worse one.
        let pairs = [
            // The module, even if it is another version.
            (format!(r#""p:net/v2:A": {{ {old} }}"#), r#""p:app/v1:A": {}"#.to_owned()),
            (format!(r#""p:net.io/v1beta1:A": {{ {old} }}"#), r#""p:app/v1:A": {}"#.to_owned()),
            // The version, even if it is deprecated.
            (format!(r#""p:net.io/v1:A": {{ {old} }}"#), r#""p:net.io/v2:A": {}"#.to_owned()),
            // An alias, even of a deprecated one.
            (
                format!(r#""p:net.io/v3:A": {{ {}, {old} }}"#, was("p:net/v1:A")),
                r#""p:net.io:A": {}"#.to_owned(),
            ),
            // One that is not deprecated, even if it is a preview.
            (r#""p:net.io/v2beta1:A": {}"#.to_owned(), format!(r#""p:net.io/v2:A": {{ {old} }}"#)),
            // One that the other one was before.
            (
                format!(r#""p:net.io/v9:A": {{ {} }}"#, was("p:net.io/v2:A")),
                r#""p:net.io/v2:A": {}"#.to_owned(),
            ),
            // A release, one without a version, the nearest one.
            (r#""p:net.io/v7:A": {}"#.to_owned(), r#""p:net.io/v2alpha1:A": {}"#.to_owned()),
            (r#""p:net.io:A": {}"#.to_owned(), r#""p:net.io/v2:A": {}"#.to_owned()),
            (r#""p:net.io/v2:A": {}"#.to_owned(), r#""p:net.io/v3:A": {}"#.to_owned()),
        ];
        for (better, worse) in pairs {
            let meant = better.split('"').nth(1);
            for both in [format!("{better}, {worse}"), format!("{worse}, {better}")] {
                let found = suggested(&package(&both), "p:net/v1:A");
                assert_eq!(found.as_deref(), meant, "{both}");
            }
        }
    }

    #[test]
    fn a_member_is_found_by_the_token_that_it_had() {
        let moved = package(
            r#""p:lb:Balancer": { "aliases": [{ "type": "p:elb:LoadBalancer" }, "p:x:Old"] },
               "p:lb:LoadTest": {}"#,
        );
        for written in ["p:elb:LoadBalancer", "p:x:Old"] {
            assert_eq!(suggested(&moved, written).as_deref(), Some("p:lb:Balancer"));
        }
        assert_eq!(suggested(&moved, "p:y:Old"), None);
    }

    #[test]
    fn the_names_of_a_package_are_looked_through_once() {
        let all: Vec<String> = (0..3_000).map(|at| format!(r#""p:m:Name{at}": {{}}"#)).collect();
        let package = package(&all.join(","));
        let mut names = Names::of(&package, Section::Resources);
        let mut suggest = |written: &str| names.suggest(&package, Section::Resources, written);
        assert_eq!(suggest("p:m:Name17s").as_deref(), Some("p:m:Name17"));
        assert!(!(0..3_000).all(|at| suggest(&format!("p:m:Name{at}s")).is_some()));
        assert_eq!(suggest("p:other:name17").as_deref(), Some("p:m:Name17"));
    }
}
