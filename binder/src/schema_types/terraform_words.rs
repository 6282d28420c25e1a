//! From the words of a type of Terraform to the member of a package that has them.

use pcl_schema::Token;
use rustc_hash::FxHashMap;

use super::nearest::Module;

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
            let known = self.by_words.get_mut(&words);
            let is_only = known.as_ref().is_none_or(|known| known.rank != rank);
            let is_better = match known {
                Some(known) if known.rank == rank => {
                    known.is_only = false;
                    (text.len(), text) < (known.token.len(), &known.token)
                }
                Some(known) => rank < known.rank,
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
            let number = word.strip_prefix('v').unwrap_or_default();
            number.starts_with(|c: char| c.is_ascii_digit())
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
        let mut known = keys.filter_map(|key| self.by_words.get(&key));
        let found = known.next()?;
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
