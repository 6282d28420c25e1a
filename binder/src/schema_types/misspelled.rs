//! From a misspelled token to the member of a package that is probably meant.

use std::collections::BTreeMap;
use std::sync::PoisonError;

use pcl_diagnostics::Comparisons;
use pcl_schema::{Section, Token};
use rustc_hash::FxHashMap;

use super::SchemaTypes;
use crate::habits::terraform::Counterpart;
use crate::packages::PackageIndex;

/// The tokens of one section of a package, in the form that programs use, by what misspelled ones
/// may have in common with them.
#[derive(Debug)]
pub(super) struct Tokens {
    /// The best token of each name, in any module; names are in lower case.
    by_name: FxHashMap<String, String>,
    /// The tokens of each module by their names. A module has the name of its first part.
    by_module: FxHashMap<String, BTreeMap<String, String>>,
    comparisons: Comparisons,
    /// The best token of each module and name, written as one word in lower case, and whether it is
    /// the only one of its rank.
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
        let mut words: Vec<&str> = rest.split('_').filter(|word| !word.is_empty()).collect();
        let is_version = |word: &&str| {
            let number = word.strip_prefix('v').unwrap_or_default();
            number.starts_with(|c: char| c.is_ascii_digit())
        };
        if words.len() > 1 && words.last().is_some_and(is_version) {
            words.pop();
        }
        let found = self.with_tokens(package, section, |tokens| {
            let get = match section {
                Section::Functions => "get",
                _ => "",
            };
            // A module, then the name; then the name alone; then both with the provider's name.
            let split = (0..words.len()).rev().map(|at| {
                let (module, name) = words.split_at(at);
                format!("{}{get}{}", module.concat(), name.concat())
            });
            let whole = format!("{get}{prefix}{}", words.concat());
            // Terraform's types of AWS without a service are those of EC2.
            let service = (prefix == "aws").then(|| format!("ec2{get}{}", words.concat()));
            let keys = service.into_iter().chain(split).chain([whole]);
            let mut known = keys.filter_map(|key| tokens.by_words.get(&key));
            known
                .next()
                .map(|found| (found.token.clone(), found.is_only && found.rank <= CERTAIN))
        });
        let (canonical, certain) = found?;
        let token = self.schema_token(package, section, &canonical);
        let token = token.unwrap_or(canonical);
        Some(Counterpart { token, certain })
    }

    /// The token that the schema itself has for a canonical one.
    pub(crate) fn schema_token(
        &self,
        package: PackageIndex,
        section: Section,
        canonical: &str,
    ) -> Option<String> {
        let schema = self.packages.package(package);
        let found = match section {
            Section::Functions => schema.function_by_canonical(canonical),
            _ => schema.resource_by_canonical(canonical),
        };
        Some(schema.token(found?.member).to_owned())
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
        let suggested = |tokens: &mut Tokens| tokens.suggest(written).map(str::to_owned);
        let meant = self.with_tokens(package, section, suggested)?;
        // Where only the name is wrong the module stays as it was written.
        let ((before, _), (_, name)) = (written.rsplit_once(':')?, meant.rsplit_once(':')?);
        let kept = format!("{before}:{name}");
        match schema.canonical(&kept) {
            Some(canonical) if canonical == meant => Some(kept),
            _ => Some(meant),
        }
    }

    /// Does something with the tokens of a section, which are read at the first time.
    fn with_tokens<R>(
        &self,
        package: PackageIndex,
        section: Section,
        act: impl FnOnce(&mut Tokens) -> R,
    ) -> R {
        let schema = self.packages.package(package);
        let mut sections = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        act(sections.entry((package, section)).or_insert_with(|| {
            let members = schema.members(section).map(|member| schema.token(member));
            // Methods belong to `call`; their names hold the resource's.
            let members =
                members.filter(|token| section != Section::Functions || !is_method(token));
            Tokens::new(members.filter_map(|token| schema.canonical(token)))
        }))
    }
}

impl Tokens {
    fn new(tokens: impl Iterator<Item = String>) -> Self {
        let mut by_name: FxHashMap<String, String> = FxHashMap::default();
        let mut by_module: FxHashMap<String, BTreeMap<String, String>> = FxHashMap::default();
        let mut by_words: FxHashMap<String, Ranked> = FxHashMap::default();
        for text in tokens {
            let Some(token) = Token::parse(&text) else {
                continue;
            };
            // The shortest token of a name is the best.
            let best = by_name.entry(token.name.to_ascii_lowercase());
            let best = best.or_insert_with(|| text.clone());
            if (text.len(), &text) < (best.len(), best) {
                best.clone_from(&text);
            }
            for ranked in words_of(token) {
                let (words, rank) = ranked;
                let is_better = match by_words.get_mut(&words) {
                    Some(known) if known.rank == rank => {
                        known.is_only = false;
                        (text.len(), &text) < (known.token.len(), &known.token)
                    }
                    Some(known) => rank < known.rank,
                    None => true,
                };
                if is_better {
                    let before = by_words.get(&words).filter(|known| known.rank == rank);
                    let is_only = before.is_none();
                    let token = text.clone();
                    let ranked = Ranked {
                        token,
                        rank,
                        is_only,
                    };
                    by_words.insert(words, ranked);
                }
            }
            let module = by_module.entry(first_part(token.module).to_owned());
            let known = module.or_default().entry(token.name.to_owned());
            let known = known.or_insert_with(|| text.clone());
            if text < *known {
                *known = text;
            }
        }
        Self {
            comparisons: Comparisons::among(by_name.len()),
            by_name,
            by_module,
            by_words,
        }
    }

    /// The token that `written` is most likely meant to be: the same name in another module first,
    /// then a name alike.
    fn suggest(&mut self, written: &str) -> Option<&str> {
        let written = Token::parse(written)?;
        if let Some(elsewhere) = self.by_name.get(&written.name.to_ascii_lowercase()) {
            return Some(elsewhere);
        }
        let neighbours = self.by_module.get(first_part(written.module))?;
        let names = neighbours.keys().map(String::as_str);
        let nearest = self.comparisons.suggest(written.name, names)?;
        neighbours.get(nearest).map(String::as_str)
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
    let module = word(first_part(token.module));
    let is_preview = ["alpha", "beta"]
        .iter()
        .any(|part| token.module.contains(part));
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

fn first_part(module: &str) -> &str {
    module.split('/').next().unwrap_or_default()
}

/// Returns whether a token is that of a method: the token of its resource, a slash and a name. A
/// bridged function has the slash in its module.
fn is_method(token: &str) -> bool {
    token.rsplit(':').next().is_some_and(|n| n.contains('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_in_another_module_is_found_before_a_name_alike() {
        let tokens = ["aws:s3:Bucket", "aws:s3:BucketPolicy", "aws:ec2:Instance"];
        let mut tokens = Tokens::new(tokens.into_iter().map(str::to_owned));
        for (written, meant) in [
            ("aws:index:Bucket", Some("aws:s3:Bucket")),
            ("aws:s3:Buket", Some("aws:s3:Bucket")),
            ("aws:s3/bucket:Buckett", Some("aws:s3:Bucket")),
            ("aws:rds:Cluster", None),
        ] {
            assert_eq!(tokens.suggest(written), meant);
        }
    }

    #[test]
    fn the_tokens_of_a_package_are_looked_through_once() {
        let all = (0..3_000).map(|at| format!("p:m:Name{at}"));
        let mut tokens = Tokens::new(all);
        assert_eq!(tokens.suggest("p:m:Name17s"), Some("p:m:Name17"));
        let mut suggested = |at| tokens.suggest(&format!("p:m:Name{at}s")).is_some();
        assert!(!(0..3_000).all(&mut suggested));
        assert_eq!(tokens.suggest("p:other:name17"), Some("p:m:Name17"));
    }
}
