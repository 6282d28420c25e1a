//! Members of packages by words in their tokens and descriptions.

use pcl_binder::schema_types::{suggest_member, terraform_member};
use pcl_schema::{MemberId, Package, Section, Wording};
use serde::Serialize;

use super::{SECTIONS, summary};

/// A member that was searched for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Hit {
    /// The package.
    pub package: String,
    /// `resource`, `function` or `type`.
    pub kind: &'static str,
    /// The token in the schema.
    pub token: String,
    /// The first sentence of the description.
    pub summary: String,
    #[serde(skip)]
    rank: Rank,
}

/// The closeness of a member to the words of a search, the closest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Rank {
    found: Match,
    /// Resources come before functions, and those before types.
    kind: usize,
    /// A deprecated member or a preview comes after others.
    is_outdated: bool,
    /// The length of the token, of which the words cover the less the longer it is.
    length: usize,
}

/// The part of a member in which words were found.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Match {
    /// Terraform calls the member so.
    Terraform,
    /// The name is the words, or the last of them, and the others are in the package or module.
    Name,
    /// The name begins with the words.
    Beginning,
    /// The words occur in the name.
    InName,
    /// The words occur in the token.
    InToken,
    /// The words occur in the description.
    InDescription,
    /// The words may be a misspelled name.
    Alike,
}

impl Match {
    /// The best match of `words`, which are in lower case, if each occurs somewhere.
    fn of(words: &[String], token: &str, description: &str) -> Option<Self> {
        let all_in = |text: &str| words.iter().all(|word| text.contains(word.as_str()));
        let token = token.to_lowercase();
        let (place, name) = match token.rfind([':', '/']) {
            Some(at) => (token.get(..at).unwrap_or_default(), token.get(at + 1..)),
            None => ("", Some(&*token)),
        };
        let name = name.unwrap_or_default();
        let is_name = (0..words.len()).any(|at| {
            let (before, of_name) = words.split_at(at);
            of_name.concat() == name && before.iter().all(|word| place.contains(word.as_str()))
        });
        if is_name {
            Some(Self::Name)
        } else if name.starts_with(&words.concat()) {
            Some(Self::Beginning)
        } else if all_in(name) {
            Some(Self::InName)
        } else if all_in(&token) {
            Some(Self::InToken)
        } else {
            let text = format!("{token}\n{}", description.to_lowercase());
            all_in(&text).then_some(Self::InDescription)
        }
    }
}

/// The members of a package whose token or description contains each of these words, without
/// regard to case, and those that the words may be other names of: Terraform's, or misspelled ones.
/// [`sort_hits`] puts the closest first.
pub fn search(package: &Package, words: &[String]) -> Vec<Hit> {
    let lower: Vec<String> = (words.iter())
        .flat_map(|word| word.split(['_', ':', '/', '.']))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let mut hits = Vec::new();
    for (kind, section) in SECTIONS.into_iter().enumerate() {
        let other = other_name(package, section, words);
        for member in package.members(section) {
            let token = package.token(member);
            let description = package.description(member).unwrap_or_default();
            let description = Wording::Pcl.of(&description);
            let other = other.filter(|(_, meant)| *meant == member);
            let found = Match::of(&lower, token, &description);
            let found = [other.map(|(found, _)| found), found].into_iter().flatten();
            let Some(found) = found.min() else { continue };
            let rank = Rank {
                found,
                kind,
                is_outdated: is_outdated(package, member),
                length: token.len(),
            };
            hits.push(Hit {
                package: package.name().to_owned(),
                kind: section.noun(),
                token: token.to_owned(),
                summary: summary(&description),
                rank,
            });
        }
    }
    hits
}

/// The member that a single word means, which is a type of Terraform or a misspelled name.
fn other_name(package: &Package, section: Section, words: &[String]) -> Option<(Match, MemberId)> {
    let [word] = words else { return None };
    let find = |token: &str| match section {
        Section::Functions => package.function_by_canonical(token),
        _ => package.resource_by_canonical(token),
    };
    if section == Section::Types {
        return None;
    }
    if let Some((prefix, rest)) = word.split_once('_') {
        let token = terraform_member(package, section, prefix, rest).filter(|_| {
            pcl_newcomers::terraform::is_package_of_terraform(prefix, package.name())
        })?;
        return Some((Match::Terraform, find(&token)?.member));
    }
    let written = format!("{}:{word}", package.name());
    let token = suggest_member(package, section, &written)?;
    Some((Match::Alike, find(&token)?.member))
}

fn is_outdated(package: &Package, member: MemberId) -> bool {
    let token = package.token(member);
    let module = token.rsplit_once(':').map_or("", |(module, _)| module);
    let is_preview = ["alpha", "beta", "preview"].iter().any(|part| module.contains(part));
    is_preview || package.standing(member).is_deprecated
}

/// Sorts the results of a search, the closest first. Misspelled names count only if there is
/// nothing else.
pub fn sort_hits(hits: &mut Vec<Hit>) {
    hits.sort_by(|a, b| (a.rank, &a.token).cmp(&(b.rank, &b.token)));
    if hits.first().is_some_and(|hit| hit.rank.found < Match::Alike) {
        hits.retain(|hit| hit.rank.found < Match::Alike);
    }
}

/// The tokens, of all these packages, of the members that a name without a package probably means,
/// the closest first.
pub fn members_called(packages: &[impl AsRef<Package>], name: &str) -> Vec<String> {
    let words = [name.to_owned()];
    let mut hits: Vec<Hit> = (packages.iter())
        .flat_map(|package| search(package.as_ref(), &words))
        .filter(|hit| hit.rank.found <= Match::Beginning || hit.rank.found == Match::Alike)
        .collect();
    sort_hits(&mut hits);
    hits.into_iter().map(|hit| hit.token).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_before_descriptions() {
        let words = ["virtual".to_owned(), "machine".to_owned()];
        let of = |token: &str, description: &str| Match::of(&words, token, description);
        let ranks = [
            of("azure:compute:VirtualMachine", ""),
            of("azure:compute:VirtualMachineExtension", ""),
            of("azure:compute:LinuxVirtualMachine", ""),
            of("azure:virtual:SomeMachine", ""),
            of("azure:compute:Disk", "The disk of a virtual machine."),
        ];
        assert!(ranks.is_sorted() && ranks.iter().all(Option::is_some));
        assert!(of("azure:compute:Disk", "A virtual disk.").is_none());
    }

    /// A package of resources whose tokens follow the name, and of types.
    fn hits(query: &str) -> Vec<String> {
        let package = Package::from_bytes(
            r#"{ "name": "kubernetes",
              "resources": {
                "kubernetes:apps/v1beta1:Deployment": {},
                "kubernetes:extensions/v1:Deployment": { "deprecationMessage": "Old." },
                "kubernetes:apps/v1:Deployment": {},
                "kubernetes:core/v1:Pod": { "description": "Of a deployment." },
                "kubernetes:core/v1:DaemonSet": {} },
              "types": { "kubernetes:apps/v1:KubernetesDeployment": { "type": "object" } } }"#,
        )
        .unwrap();
        let words: Vec<String> = query.split(' ').map(str::to_owned).collect();
        let mut hits = search(&package, &words);
        sort_hits(&mut hits);
        hits.into_iter().map(|hit| hit.token).collect()
    }

    #[test]
    fn the_closest_member_comes_first() {
        for query in [
            "deployment",
            "kubernetes deployment",
            "apps deployment",
            "Deploymnet",
            "kubernetes_deployment",
            "kubernetes:apps/v1:Deployment",
        ] {
            let found = hits(query);
            let first = found.first().map(String::as_str);
            assert_eq!(first, Some("kubernetes:apps/v1:Deployment"), "{query}: {found:?}");
        }
        assert_eq!(hits("daemonst"), ["kubernetes:core/v1:DaemonSet"]);
        assert_eq!(hits("aws_deployment"), [""; 0]);
        assert_eq!(hits("deployment").len(), 5);
    }
}
