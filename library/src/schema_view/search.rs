//! Members of packages by words in their tokens and descriptions.

use pcl_schema::{Package, Wording};
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

/// The closeness of a member to the words of a search, the closest first: where the words were
/// found, the kind of the member, and the length of what the words do not cover.
type Rank = (Match, usize, usize);

/// The part of a member in which words were found.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Match {
    /// The name is the words.
    Name,
    /// The name begins with the words.
    Beginning,
    /// The words occur in the name.
    InName,
    /// The words occur in the token.
    InToken,
    /// The words occur in the description.
    InDescription,
}

impl Match {
    /// The best match of `words`, which are in lower case, if each occurs somewhere.
    fn of(words: &[String], token: &str, description: &str) -> Option<Self> {
        let all_in = |text: &str| words.iter().all(|word| text.contains(word.as_str()));
        let token = token.to_lowercase();
        let name = token.rsplit([':', '/']).next().unwrap_or_default();
        let joined = words.concat();
        if name == joined {
            Some(Self::Name)
        } else if name.starts_with(&joined) {
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
/// regard to case. [`sort_hits`] puts the closest first.
#[must_use]
pub fn search(package: &Package, words: &[String]) -> Vec<Hit> {
    let words: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let mut hits = Vec::new();
    for (kind, section) in SECTIONS.into_iter().enumerate() {
        for member in package.members(section) {
            let token = package.token(member);
            let description = package.description(member).unwrap_or_default();
            let description = Wording::Pcl.of(&description);
            if let Some(found) = Match::of(&words, token, &description) {
                hits.push(Hit {
                    package: package.name().to_owned(),
                    kind: section.noun(),
                    token: token.to_owned(),
                    summary: summary(&description),
                    rank: (found, kind, token.len()),
                });
            }
        }
    }
    hits
}

/// Sorts the results of a search, the closest first.
pub fn sort_hits(hits: &mut [Hit]) {
    hits.sort_by(|a, b| (a.rank, &a.token).cmp(&(b.rank, &b.token)));
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
            of("azure:virtual:Machine", ""),
            of("azure:compute:Disk", "The disk of a virtual machine."),
        ];
        assert!(ranks.is_sorted() && ranks.iter().all(Option::is_some));
        assert!(of("azure:compute:Disk", "A virtual disk.").is_none());
    }
}
