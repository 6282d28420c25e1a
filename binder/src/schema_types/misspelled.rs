//! From a misspelled token, or the words of a type of Terraform, to the member of a package that is
//! probably meant: the best of several that have the name.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::PoisonError;

use pcl_diagnostics::{Comparisons, suggest, words};
use pcl_newcomers::terraform::Counterpart;
use pcl_schema::{MemberId, Package, Section, Standing, Token};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::packages::PackageIndex;
use crate::schema_types::SchemaTypes;

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
    /// The words of all names, collected on the first use.
    words: Option<FxHashSet<String>>,
}

/// The resource or function token of the package that `written` is most likely meant to be, in the
/// form that programs use. A caller with several tokens asks [`SchemaTypes::suggest_member`], which
/// collects the names of a package once.
pub fn suggest_member(package: &Package, section: Section, written: &str) -> Option<String> {
    let meant = Names::of(package, section).suggest(package, section, written)?;
    Some(in_module_as_written(package, written, meant))
}

/// The resource or function that a type of Terraform means: `prefix` is its provider, `rest` the
/// words after it, such as `s3_bucket`.
pub fn terraform_member(
    package: &Package,
    section: Section,
    prefix: &str,
    rest: &str,
) -> Option<String> {
    let found = Names::of(package, section).terraform_member(package, section, prefix, rest)?;
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

    /// The longest word in the name of the unknown token `written` that members of the package have
    /// in theirs: a search for it finds something.
    pub fn word_to_search(
        &self,
        package: PackageIndex,
        section: Section,
        written: &str,
    ) -> Option<String> {
        let name = written.rsplit(':').next()?;
        self.with_names(package, section, |names| {
            let all = &names.all;
            let known = names
                .words
                .get_or_insert_with(|| all.iter().flat_map(|name| words(name)).collect());
            let found = words(name).into_iter().filter(|word| known.contains(word));
            // The command for the search is copied into a shell.
            let found = found.filter(|word| word.len() > 2 && word.is_ascii() && word != "get");
            found.max_by_key(String::len)
        })
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
            words: None,
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
            names.members.entry(token.name.to_ascii_lowercase()).or_default().push(member);
            names.all.insert(token.name.to_owned());
            let group = Module::of(token).group().to_ascii_lowercase();
            names.by_group.entry(group).or_default().insert(token.name.to_owned());
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
        let names = self.by_group.get(&group).unwrap_or(&self.all).iter().map(String::as_str);
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

/// The tokens of one section of a package by the words of module and name.
#[derive(Debug, Default)]
pub(super) struct TerraformWords {
    by_words: FxHashMap<String, Ranked>,
}

/// The last rank of tokens that are certainly meant, if they are alone in it.
const CERTAIN: u8 = 2;

/// A token among others that have the same words.
#[derive(Debug)]
struct Ranked {
    token: String,
    rank: u8,
    is_only: bool,
}

impl TerraformWords {
    /// Adds a token, whose canonical form is `text`.
    pub(super) fn add(&mut self, text: &str, token: Token<'_>) {
        for (words, rank) in words_of(token) {
            // Any module that is found by its member alone may be meant.
            let competes = |known: &Ranked| {
                known.rank == rank || [known.rank, rank].iter().all(|it| (1..=3).contains(it))
            };
            let known = self.by_words.get_mut(&words);
            let is_only = known.as_ref().is_none_or(|known| !competes(known));
            let is_better = match known {
                Some(known) => {
                    known.is_only &= is_only;
                    let order = (rank, text.len(), text);
                    order < (known.rank, known.token.len(), &*known.token)
                }
                None => true,
            };
            if is_better {
                let token = text.to_owned();
                let ranked = Ranked { token, rank, is_only };
                self.by_words.insert(words, ranked);
            }
        }
    }

    /// The token for words of Terraform after the provider `prefix`, and whether it is certain.
    /// `get` is what the names of functions begin with.
    pub(super) fn find(&self, prefix: &str, rest: &str, get: &str) -> Option<(&str, bool)> {
        let mut words: Vec<&str> = rest.split('_').filter(|word| !word.is_empty()).collect();
        let is_version = |word: &&str| {
            word.strip_prefix('v').unwrap_or_default().starts_with(|c: char| c.is_ascii_digit())
        };
        if words.len() > 1 && words.last().is_some_and(is_version) {
            words.pop();
        }
        // A module, then the name; then the name alone; then both with the provider's name.
        let split = (0..words.len()).rev().map(|at| {
            let (module, name) = words.split_at(at);
            format!("{}{get}{}", module.concat(), name.concat())
        });
        let whole = format!("{get}{prefix}{}", words.concat());
        // Terraform's types of AWS without a service are those of EC2.
        let service = (prefix == "aws").then(|| format!("ec2{get}{}", words.concat()));
        let keys = service.into_iter().chain(split).chain([whole]);
        let found = keys.filter_map(|key| self.by_words.get(&key)).next()?;
        Some((&found.token, found.is_only && found.rank <= CERTAIN))
    }
}

/// The words of a token in lower case, with and without those of its module, each with a rank: a
/// member of a first version, of the root module, or found by its module comes before others.
fn words_of(token: Token<'_>) -> [(String, u8); 2] {
    let word = |text: &str| {
        let letters = text.chars().filter(char::is_ascii_alphanumeric);
        letters.map(|c| c.to_ascii_lowercase()).collect::<String>()
    };
    let name = word(token.name);
    let module = word(token.module.split('/').next().unwrap_or_default());
    let is_preview = Module::of(token).is_preview();
    let is_root = module == "index";
    let alone = match (is_preview, is_root) {
        (true, _) => 4,
        (false, true) => 1,
        (false, false) if token.module.ends_with("/v1") => 2,
        (false, false) => 3,
    };
    let with_module = if is_preview { 4 } else { 0 };
    [(format!("{module}{name}"), with_module), (name, alone)]
}

/// The module of a token: a path and, in some packages, a version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Module<'t> {
    path: &'t str,
    version: Option<&'t str>,
}

impl<'t> Module<'t> {
    pub(super) fn of(token: Token<'t>) -> Self {
        let (before, last) = token.module.rsplit_once('/').unwrap_or(("", token.module));
        if is_version(last) {
            Self { path: before, version: Some(last) }
        } else {
            Self { path: token.module, version: None }
        }
    }

    /// The first word of the path: `networking` of `networking.k8s.io`.
    pub(super) fn group(self) -> &'t str {
        self.path.split(['/', '.']).next().unwrap_or_default()
    }

    /// The distance of a member's module from this one, which is written.
    fn distance(self, other: Self) -> usize {
        let (own, others) = (self.group(), other.group());
        if self.path.eq_ignore_ascii_case(other.path) {
            0
        } else if own.eq_ignore_ascii_case(others) {
            1
        } else if suggest(own, [others]).is_some() {
            2
        } else {
            3
        }
    }

    /// Returns true for a version that may still change.
    pub(super) fn is_preview(self) -> bool {
        let version = self.version.unwrap_or_default();
        ["alpha", "beta", "preview"].iter().any(|part| version.contains(part))
    }

    fn number(self) -> u64 {
        let version = self.version.unwrap_or("v").get(1..).unwrap_or_default();
        let digits = version.find(|c: char| !c.is_ascii_digit());
        version.get(..digits.unwrap_or(version.len())).unwrap_or_default().parse().unwrap_or(0)
    }
}

fn is_version(part: &str) -> bool {
    part.strip_prefix('v').unwrap_or_default().starts_with(|c: char| c.is_ascii_digit())
}

/// The facts about a member that do not take a look into the document, the best first: those
/// about its module alone, and those that a look comes before.
type Rank = ((usize, bool), (bool, bool, u64, usize));

/// The member of `members` that the token `written` is most likely meant to be: in the same module,
/// of the same version, one that had this token before, one that is neither deprecated nor
/// superseded, and then the one that is not a preview, has no version or the nearest one.
pub(super) fn nearest(
    package: &Package,
    members: &[MemberId],
    written: Token<'_>,
) -> Option<String> {
    /// Up to so many members are read in the document.
    const MOST: usize = 32;
    let own = Module::of(written);
    let ranked = |&member: &MemberId| {
        let token = package.canonical(package.token(member))?;
        let module = Module::of(Token::parse(&token)?);
        let rank: Rank = (
            (own.distance(module), own.version != module.version),
            (
                module.is_preview(),
                module.version.is_some(),
                own.number().abs_diff(module.number()),
                token.len(),
            ),
        );
        Some((rank, token, member))
    };
    let mut ranked: Vec<(Rank, String, MemberId)> = members.iter().filter_map(ranked).collect();
    ranked.sort();
    let ((best, _), ..) = ranked.first()?;
    let equals = ranked.iter().take_while(|((module, _), ..)| module == best);
    let equals: Vec<_> = equals.take(MOST).collect();
    if let [(_, only, _)] = equals[..] {
        return Some(only.clone());
    }
    let standings: Vec<Standing> =
        (equals.iter()).map(|(_, _, member)| package.standing(*member)).collect();
    let was = |standing: &Standing, token: &str| {
        standing.aliases.iter().any(|alias| package.canonical(alias).as_deref() == Some(token))
    };
    let written = format!("{}:{}:{}", written.package, written.module, written.name);
    let written = package.canonical(&written).unwrap_or(written);
    let outdated = |at: usize, token: &str, standing: &Standing| {
        // Versions that were each other's are equals.
        let mut others = standings.iter().zip(&equals).enumerate();
        standing.is_deprecated
            || others.any(|(other, (others, (_, newer, _)))| {
                other != at && was(others, token) && !was(standing, newer)
            })
    };
    let choices = equals.iter().zip(&standings).enumerate();
    let best = choices.min_by_key(|(at, ((rank, token, _), standing))| {
        let had_it = was(standing, &written);
        (!had_it, outdated(*at, token, standing), *rank, token)
    });
    best.map(|(_, ((_, token, _), _))| token.clone())
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
