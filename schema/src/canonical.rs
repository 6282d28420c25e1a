//! From the token that a program writes to the member that it means.
//!
//! The canonical form of a token is `<name of the package>:<module>:<name>`, where the module is
//! what the package's `moduleFormat` makes of the second part and is empty for the root. A program
//! may write that, or the schema's own token, or anything that has the same canonical form.

use crate::index::{Index, Table, hash};
use crate::parts::PackageParts;
use crate::token::{ModuleFormat, TokenParts};
use crate::{MemberId, Section};

/// The member that a written token means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// The member.
    pub member: MemberId,
    /// Its token in the schema, such as `random:index/randomPet:RandomPet`.
    pub token: String,
    /// The token that a bound program shows, such as `random::RandomPet`.
    pub canonical: String,
    /// The other members that the token could mean as well: the first in the document is taken.
    /// Empty when the token is written as the schema has it.
    pub hidden: Vec<MemberId>,
}

/// The members of all sections by canonical token. The keys are not stored: module and name are
/// slices of the members' tokens.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct CanonicalTable {
    pub table: Table,
    /// The members whose canonical token an earlier one has, each behind that one; sorted.
    pub hidden: Vec<(u32, u32)>,
}

impl CanonicalTable {
    pub fn build(index: &Index, format: &ModuleFormat) -> Self {
        let mut table = Table::with_room(index.len() as usize);
        let mut hidden = Vec::new();
        for section in [Section::Types, Section::Resources, Section::Functions] {
            for member in index.ids(section) {
                let Some(key) = CanonicalKey::of_token(format, index.token(MemberId(member)))
                else {
                    continue;
                };
                let key_of = |id| CanonicalKey::of_member(index, format, section, id);
                let hash = key.hash(section);
                match table.find(hash, |id| key_of(id) == Some(key)) {
                    Some(shown) => hidden.push((shown, member)),
                    None => table.insert(hash, member),
                }
            }
        }
        hidden.sort_unstable();
        Self { table, hidden }
    }

    pub fn find(&self, package: &PackageParts, section: Section, written: &str) -> Option<Match> {
        let (index, format) = (&package.index, package.module_format());
        let as_written = CanonicalKey::literal(package.name(), written);
        let keys = [as_written, CanonicalKey::of_token(format, written)];
        let (key, member) = keys.into_iter().flatten().find_map(|key| {
            let is_it = |id| CanonicalKey::of_member(index, format, section, id) == Some(key);
            Some((key, self.table.find(key.hash(section), is_it)?))
        })?;
        let from = self.hidden.partition_point(|(shown, _)| *shown < member);
        let hidden = self.hidden.get(from..).unwrap_or_default();
        let others =
            hidden.iter().take_while(|(shown, _)| *shown == member).map(|(_, hidden)| *hidden);
        let others: Vec<u32> = others.collect();
        // Of several members of one form, a token that is written as the schema has it means that
        // one.
        let is_exact = |id: &u32| index.token(MemberId(*id)) == written;
        let exact = others.iter().copied().find(is_exact);
        let hidden = match exact.or(Some(member).filter(is_exact)) {
            Some(_) => Vec::new(),
            None => others.into_iter().map(MemberId).collect(),
        };
        let member = exact.unwrap_or(member);
        let token = index.token(MemberId(member)).to_owned();
        let canonical = match package.name() {
            // The engine's own resources keep their module.
            "pulumi" => token.clone(),
            name => key.display(name),
        };
        Some(Match { member: MemberId(member), token, canonical, hidden })
    }
}

/// The canonical form of any token; `None` when it is malformed.
pub(crate) fn canonical(package: &PackageParts, token: &str) -> Option<String> {
    Some(CanonicalKey::of_token(package.module_format(), token)?.display(package.name()))
}

/// The part of a canonical token that differs within a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct CanonicalKey<'t> {
    module: &'t str,
    name: &'t str,
}

impl<'t> CanonicalKey<'t> {
    /// A token that is already in canonical form, taken literally.
    fn literal(package: &str, written: &'t str) -> Option<Self> {
        let (module, name) = written.strip_prefix(package)?.strip_prefix(':')?.split_once(':')?;
        (!name.contains(':')).then_some(Self { module, name })
    }

    /// The canonical form of a token. Which package it names does not matter.
    fn of_token(format: &ModuleFormat, token: &'t str) -> Option<Self> {
        let parts = TokenParts::split(token)?;
        Some(Self { module: format.module_of_parts(parts), name: parts.token()?.name })
    }

    /// The canonical form of a member of that section.
    fn of_member(
        index: &'t Index,
        format: &ModuleFormat,
        section: Section,
        member: u32,
    ) -> Option<Self> {
        if !index.ids(section).contains(&member) {
            return None;
        }
        Self::of_token(format, index.token(MemberId(member)))
    }

    fn hash(self, section: Section) -> u64 {
        hash(self.name.as_bytes()).rotate_left(1)
            ^ hash(self.module.as_bytes())
            ^ (section as u64).wrapping_mul(0x9E37_79B9)
    }

    fn display(self, package: &str) -> String {
        format!("{package}:{}:{}", self.module, self.name)
    }
}
