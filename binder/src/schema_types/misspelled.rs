//! From a misspelled token to the member of a package that is probably meant.

use std::collections::BTreeMap;
use std::sync::PoisonError;

use pcl_diagnostics::Comparisons;
use pcl_schema::{Section, Token};
use rustc_hash::FxHashMap;

use super::SchemaTypes;
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
}

impl SchemaTypes {
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
        let mut sections = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        let tokens = sections.entry((package, section)).or_insert_with(|| {
            let members = schema.members(section).map(|member| schema.token(member));
            // Methods belong to `call`; their names hold the resource's.
            let members =
                members.filter(|token| section != Section::Functions || !is_method(token));
            Tokens::new(members.filter_map(|token| schema.canonical(token)))
        });
        let meant = tokens.suggest(written)?;
        // Where only the name is wrong the module stays as it was written.
        let ((before, _), (_, name)) = (written.rsplit_once(':')?, meant.rsplit_once(':')?);
        let kept = format!("{before}:{name}");
        match schema.canonical(&kept) {
            Some(canonical) if canonical == meant => Some(kept),
            _ => Some(meant.to_owned()),
        }
    }
}

impl Tokens {
    fn new(tokens: impl Iterator<Item = String>) -> Self {
        let mut by_name: FxHashMap<String, String> = FxHashMap::default();
        let mut by_module: FxHashMap<String, BTreeMap<String, String>> = FxHashMap::default();
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
