//! Members of packages by words in their tokens and descriptions.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use pcl_diagnostics::suggest;
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
    class: Class,
    /// The length of the token, of which the words cover the less the longer it is.
    length: usize,
    /// The size of the definition: of several members of one name, the one that people mean is
    /// larger than those in the modules of special uses.
    size: Reverse<usize>,
}

/// The facts that come before the token of a member.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Class {
    found: Match,
    /// Types come after resources and functions.
    is_type: bool,
    fit: Fit,
    /// Resources come before functions.
    kind: usize,
    /// A deprecated member, a preview or one of a dated module comes after others.
    is_outdated: bool,
}

/// The part of a member in which words were found, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Match {
    /// Terraform calls the member so.
    Terraform,
    /// Some of the words are the name, and the others are in the package or module.
    Name,
    /// Some of the words are the name, and the others are in the package, module or description.
    NameAndDescription,
    /// The name begins with some of the words, and the others are in the package or module.
    Beginning,
    /// The words occur in the name.
    InName,
    /// The words occur in the token.
    InToken,
    /// The words may be a misspelled name.
    Alike,
    /// Some of the words are the name, another is the package, and one is nowhere.
    NameButOne,
    /// The words occur in the token or the first sentence of the description.
    InSummary,
    /// The words occur in the token or the description.
    InDescription,
}

/// The fit of words that are the name of a member, and of those that are not, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
struct Fit {
    /// Set if the name is only the singular of what was written, or is misspelled.
    is_other: bool,
    /// The number of words that are not part of the name; of misspelled ones, those that are not in
    /// the token.
    others: usize,
    /// The largest distance of one of these from the package: a part of its name counts 0, a module
    /// 1, and a part of a module 2.
    distance: usize,
}

/// The words of a search, in lower case.
struct Query {
    words: Vec<String>,
    windows: Vec<Window>,
}

/// Some words of a search in a row, joined, which may be a name.
struct Window {
    text: String,
    range: Range<usize>,
    is_plural: bool,
}

/// Other names of packages, each with a part of the name that the package has.
const PACKAGES: [(&str, &str); 4] =
    [("k8s", "kubernetes"), ("google", "gcp"), ("azurerm", "azure"), ("awscc", "aws")];

/// The package that people call by a name, or a part of its name; mostly the name itself.
///
/// ```
/// use pcl::schema_view::package_called;
/// assert_eq!([package_called("k8s"), package_called("aws")], ["kubernetes", "aws"]);
/// ```
pub fn package_called(name: &str) -> &str {
    let known = PACKAGES.iter().find(|(other, _)| *other == name);
    known.map_or(name, |(_, package)| *package)
}

/// Words that say nothing about a member.
const FILLERS: [&str; 12] =
    ["a", "an", "and", "by", "for", "in", "of", "on", "over", "the", "to", "with"];

/// The length of the shortest word that may be a misspelled package or module.
const SHORTEST: usize = 5;

/// The most words of a search that are tried as a name.
const MOST: usize = 8;

impl Query {
    fn new(words: &[String]) -> Self {
        let lower = |word: &str| package_called(&word.to_lowercase()).to_owned();
        let words = words.iter().flat_map(|word| word.split(['_', ':', '/', '.', '-']));
        let all: Vec<String> = words.filter(|word| !word.is_empty()).map(lower).collect();
        let is_filler = |word: &&String| FILLERS.contains(&word.as_str());
        let telling: Vec<String> = all.iter().filter(|word| !is_filler(word)).cloned().collect();
        let words = if telling.is_empty() { all } else { telling };
        let count = words.len().min(MOST);
        let mut windows = Vec::new();
        for start in 0..count {
            for end in start + 1..=count {
                let own = words.get(start..end).unwrap_or_default();
                let text = own.concat();
                let singular = singular(&text).map(|text| (text, true));
                let texts = [(text, false)].into_iter().chain(singular);
                windows.extend(texts.map(|(text, is_plural)| Window {
                    text,
                    range: start..end,
                    is_plural,
                }));
            }
        }
        Self { words, windows }
    }

    /// The words outside of a window.
    fn others(&self, window: &Window) -> impl Iterator<Item = &str> {
        let words = self.words.iter().enumerate();
        let others = words.filter(|(at, _)| !window.range.contains(at));
        others.map(|(_, word)| word.as_str())
    }

    /// The best match in a token alone.
    fn in_token(&self, token: &Parts) -> Option<(Match, Fit)> {
        let (place, name) = token.split();
        let fit = |window: &Window| {
            let mut distance = 0;
            for word in self.others(window) {
                distance = distance.max(token.distance(word)?);
            }
            let others = self.words.len() - window.range.len();
            Some(Fit { is_other: window.is_plural, others, distance })
        };
        let windows = || self.windows.iter();
        let is_name = windows().filter(|it| it.text == name).filter_map(fit).min();
        if let Some(fit) = is_name {
            return Some((Match::Name, fit));
        }
        let begins = windows().filter(|it| name.starts_with(&it.text)).filter_map(fit).min();
        if let Some(fit) = begins {
            return Some((Match::Beginning, fit));
        }
        if self.are_in(name) {
            return Some((Match::InName, Fit::default()));
        }
        let is_in_token = self.are_in(&format!("{place}{name}"));
        is_in_token.then_some((Match::InToken, Fit::default()))
    }

    /// Returns false if the words are surely not in the name of a token, which is written to `name`
    /// in lower case.
    fn may_be_in_name(&self, token: &str, name: &mut String) -> bool {
        let start = token.rfind([':', '/']).map_or(0, |at| at + 1);
        name.clear();
        name.push_str(token.get(start..).unwrap_or_default());
        name.make_ascii_lowercase();
        !name.is_ascii() || self.windows.iter().any(|window| name.contains(&window.text))
    }

    /// The best match with the description, which is not in the token alone.
    fn in_description(&self, token: &Parts, description: &str) -> Option<(Match, Fit)> {
        let (place, name) = token.split();
        let text = description.to_lowercase();
        let missing = |window: &Window| {
            let others = self.others(window);
            others.filter(|word| token.distance(word).is_none() && !text.contains(*word)).count()
        };
        let fit = |window: &Window| {
            let others = self.words.len() - window.range.len();
            let distances = self.others(window).filter_map(|word| token.distance(word));
            Fit { is_other: window.is_plural, others, distance: distances.min().unwrap_or(2) }
        };
        let named = self.windows.iter().filter(|it| it.text == name);
        let named = named.map(|window| (missing(window), fit(window)));
        match named.min() {
            Some((0, fit)) => return Some((Match::NameAndDescription, fit)),
            Some((1, fit)) if fit.distance == 0 => return Some((Match::NameButOne, fit)),
            _ => {}
        }
        let with_token = |text: &str| format!("{place}{name}\n{text}");
        if self.are_in(&with_token(&summary(description).to_lowercase())) {
            return Some((Match::InSummary, Fit::default()));
        }
        let is_described = self.are_in(&with_token(&text));
        is_described.then_some((Match::InDescription, Fit::default()))
    }

    /// Returns true if each word, or its singular, is in a text.
    fn are_in(&self, text: &str) -> bool {
        self.words.iter().all(|word| {
            text.contains(word.as_str()) || singular(word).is_some_and(|word| text.contains(&word))
        })
    }
}

/// The singular of an English plural, in lower case.
fn singular(word: &str) -> Option<String> {
    if let Some(stem) = word.strip_suffix("ies") {
        return Some(format!("{stem}y"));
    }
    let stem = word.strip_suffix('s').filter(|stem| stem.len() > 2 && !stem.ends_with('s'))?;
    let is_sibilant = ["sse", "xe", "che", "she"].iter().any(|end| stem.ends_with(end));
    Some(if is_sibilant { stem.strip_suffix('e').unwrap_or(stem) } else { stem }.to_owned())
}

/// A token in lower case.
struct Parts {
    token: String,
    /// The length of what comes before the name.
    place: usize,
}

impl Parts {
    fn of(token: &str) -> Self {
        let token = token.to_lowercase();
        let place = token.rfind([':', '/']).map_or(0, |at| at + 1);
        Self { token, place }
    }

    /// The package and module, and the name.
    fn split(&self) -> (&str, &str) {
        self.token.split_at_checked(self.place).unwrap_or_default()
    }

    /// The distance of a word from the package, as in [`Fit`]; `None` if it is not in the place.
    fn distance(&self, word: &str) -> Option<usize> {
        let (place, _) = self.split();
        let (package, module) = place.split_once(':').unwrap_or((place, ""));
        if package == word || package.split('-').any(|part| part == word) {
            Some(0)
        } else if module.split([':', '/', '.']).any(|part| part == word) {
            Some(1)
        } else {
            place.contains(word).then_some(2)
        }
    }
}

/// The members of a package whose token or description contains each of these words, without
/// regard to case; those that the words may be other names of, Terraform's or misspelled ones; and
/// those whose name and package are all words but one. [`sort_hits`] puts the closest first.
pub fn search(package: &Package, words: &[String]) -> Vec<Hit> {
    let query = Query::new(words);
    let mut hits = Vec::new();
    for (kind, section) in SECTIONS.into_iter().enumerate() {
        let terraform = terraform_name(package, section, words);
        for member in package.members(section) {
            let parts = Parts::of(package.token(member));
            let is_terraform = terraform == Some(member);
            let own = is_terraform.then_some((Match::Terraform, Fit::default()));
            let own = own.or_else(|| query.in_token(&parts));
            let description = package.description(member).unwrap_or_default();
            let description = Wording::Pcl.of(&description);
            let found = own.or_else(|| query.in_description(&parts, &description));
            if let Some(found) = found {
                hits.push(hit(package, member, (section, kind), found, &description));
            }
        }
    }
    if hits.iter().all(|hit| hit.rank.class.found > Match::InToken) {
        misspelled(package, &query, &mut hits);
    }
    hits
}

/// The members of a section whose names are or begin with the last of the words, or contain all of
/// them; the others are in their packages and modules. Descriptions do not count. [`sort_hits`]
/// puts the closest first.
pub fn search_names(package: &Package, section: Section, words: &[String]) -> Vec<Hit> {
    let mut query = Query::new(words);
    let last = query.words.len();
    query.windows.retain(|window| window.range.end == last);
    let Some(kind) = SECTIONS.iter().position(|known| *known == section) else { return Vec::new() };
    let terraform = terraform_name(package, section, words);
    let mut name = String::new();
    let mut hits = Vec::new();
    for member in package.members(section) {
        let token = package.token(member);
        let own = (terraform == Some(member)).then_some((Match::Terraform, Fit::default()));
        // A large package has 30,000 tokens; of most, a look at the name is enough.
        let found = own.or_else(|| {
            query.may_be_in_name(token, &mut name).then(|| query.in_token(&Parts::of(token)))?
        });
        if let Some(found) = found.filter(|(place, _)| *place <= Match::InName) {
            hits.push(hit(package, member, (section, kind), found, ""));
        }
    }
    hits
}

fn hit(
    package: &Package,
    member: MemberId,
    (section, kind): (Section, usize),
    (found, fit): (Match, Fit),
    description: &str,
) -> Hit {
    let token = package.token(member);
    let is_outdated = is_outdated(package, member);
    Hit {
        package: package.name().to_owned(),
        kind: section.noun(),
        token: token.to_owned(),
        summary: summary(description),
        rank: Rank {
            class: Class { found, is_type: section == Section::Types, fit, kind, is_outdated },
            length: token.len(),
            size: Reverse(package.definition_size(member)),
        },
    }
}

/// The member that Terraform calls by a single word, as the package says.
fn terraform_name(package: &Package, section: Section, words: &[String]) -> Option<MemberId> {
    let [word] = words else { return None };
    let is_searched = word.contains('_') && section != Section::Types;
    let named = if is_searched { package.terraform_member(section, word) } else { None };
    Some(named?.member)
}

/// Adds the resources and functions whose names are nearly some of the words, in a package or
/// module that the others are nearly those of.
fn misspelled(package: &Package, query: &Query, hits: &mut Vec<Hit>) {
    for (kind, section) in [Section::Resources, Section::Functions].into_iter().enumerate() {
        let members = package.members(section);
        let members: Vec<(MemberId, Parts)> =
            members.map(|member| (member, Parts::of(package.token(member)))).collect();
        for window in query.windows.iter().filter(|window| !window.is_plural) {
            let distance = |parts: &Parts| {
                query.others(window).try_fold(0, |sum, word| Some(sum + parts.near(word)?))
            };
            let candidates: Vec<(MemberId, &str, usize)> = (members.iter())
                .filter_map(|(member, parts)| Some((*member, parts.split().1, distance(parts)?)))
                .collect();
            let names = || candidates.iter().map(|(_, name, _)| *name);
            let same = names().find(|name| *name == window.text);
            let Some(near) = same.or_else(|| suggest(&window.text, names())) else { continue };
            // A word that is nowhere is not a misspelled part of the name.
            if near != window.text && query.windows.iter().any(|it| it.text == near) {
                continue;
            }
            for &(member, name, distance) in &candidates {
                if name == near {
                    let token = package.token(member).to_lowercase();
                    let others = query.words.iter().filter(|word| !token.contains(&**word)).count();
                    let is_other = name != window.text;
                    let found = (Match::Alike, Fit { is_other, others, distance });
                    let description = package.description(member).unwrap_or_default();
                    let description = Wording::Pcl.of(&description);
                    let hit = hit(package, member, (section, kind), found, &description);
                    hits.retain(|known| known.token != hit.token || known.rank < hit.rank);
                    if hits.iter().all(|known| known.token != hit.token) {
                        hits.push(hit);
                    }
                }
            }
        }
    }
}

impl Parts {
    /// The distance of a word that may be misspelled from the package.
    fn near(&self, word: &str) -> Option<usize> {
        self.distance(word).or_else(|| {
            let (place, _) = self.split();
            let parts = place.split([':', '/', '.', '-']).filter(|part| !part.is_empty());
            // Too many short words are near to one another.
            let is_long = word.len() >= SHORTEST;
            suggest(word, parts).filter(|_| is_long).map(|_| 1)
        })
    }
}

fn is_outdated(package: &Package, member: MemberId) -> bool {
    is_of_old_module(package.token(member)) || package.standing(member).is_deprecated
}

/// Returns whether a token is that of a preview, or of a module that is named for a date.
///
/// ```
/// use pcl::schema_view::is_of_old_module;
/// assert!(is_of_old_module("azure-native:storage/v20210401:Blob"));
/// assert!(!is_of_old_module("azure-native:storage:Blob"));
/// ```
pub fn is_of_old_module(token: &str) -> bool {
    let module = token.rsplit_once(':').map_or("", |(module, _)| module);
    let is_preview = ["alpha", "beta", "preview"].iter().any(|part| module.contains(part));
    let is_dated = |part: &str| {
        part.strip_prefix('v').is_some_and(|date| date.len() == 8 && date.parse::<u32>().is_ok())
    };
    is_preview || module.split(['/', ':']).any(is_dated)
}

/// Sorts the results of a search, the closest first. Of several members that are named alike, those
/// of the package with the shortest token are the first, and of them the one that is largest.
pub fn sort_hits(hits: &mut Vec<Hit>) {
    let mut shortest: HashMap<(Class, &str), usize> = HashMap::new();
    for hit in &*hits {
        let length = shortest.entry((hit.rank.class, &hit.package)).or_insert(usize::MAX);
        *length = (*length).min(hit.rank.length);
    }
    let order = |hit: &Hit| {
        let Rank { class, length, size } = hit.rank;
        let of_package = shortest.get(&(class, &*hit.package)).copied();
        let is_name = matches!(class.found, Match::Name | Match::Alike);
        // A name that goes on is the farther the longer it is.
        let size = if is_name { size } else { Reverse(0) };
        (class, of_package, hit.package.clone(), size, length, hit.token.clone())
    };
    let mut ordered: Vec<_> = hits.iter().map(|hit| (order(hit), hit.clone())).collect();
    ordered.sort_by(|(a, _), (b, _)| a.cmp(b));
    *hits = ordered.into_iter().map(|(_, hit)| hit).collect();
}

/// The tokens, of all these packages, of the members that a name without a package probably means,
/// the closest first.
pub fn members_called(packages: &[impl AsRef<Package>], name: &str) -> Vec<String> {
    let words = [name.to_owned()];
    let mut hits: Vec<Hit> = (packages.iter())
        .flat_map(|package| search(package.as_ref(), &words))
        .filter(|hit| {
            matches!(
                hit.rank.class.found,
                Match::Terraform | Match::Name | Match::Beginning | Match::Alike
            )
        })
        .collect();
    sort_hits(&mut hits);
    hits.into_iter().map(|hit| hit.token).collect()
}

/// The members that a name means, and no others: Terraform calls them so, or it is their name. With
/// resources and functions of the name, types of it do not count; with current ones, neither do
/// others.
pub(super) fn members_named(packages: &[Arc<Package>], name: &str) -> Vec<Hit> {
    let words = [name.to_owned()];
    let mut hits: Vec<Hit> = (packages.iter())
        .flat_map(|package| search(package, &words))
        .filter(|hit| match hit.rank.class.found {
            Match::Terraform => true,
            // A part of a module is no name of it.
            Match::Name => hit.rank.class.fit.distance < 2,
            _ => false,
        })
        .collect();
    sort_hits(&mut hits);
    let best = hits.first().map(|hit| hit.rank.class);
    hits.retain(|hit| Some(hit.rank.class) == best);
    hits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_before_descriptions() {
        let words = ["virtual".to_owned(), "machine".to_owned()];
        let query = Query::new(&words);
        let of = |token: &str, description: &str| {
            let parts = Parts::of(token);
            query.in_token(&parts).or_else(|| query.in_description(&parts, description))
        };
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
