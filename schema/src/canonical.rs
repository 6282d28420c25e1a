//! From the token that a program writes to the member that it means.
//!
//! The canonical form of a token is `<name of the package>:<module>:<name>`, where the module is what the package's `moduleFormat` makes of the second
//! part and is empty for the root. A program may write that, or the schema's own token, or anything that has the same canonical form.

use hashbrown::HashTable;

use crate::index::hash;
use crate::package::Parts;
use crate::{MemberId, Section, Token};

/// The member that a written token means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// The member.
    pub member: MemberId,
    /// Its token in the schema, such as `random:index/randomPet:RandomPet`.
    pub token: String,
    /// The token that a bound program shows, such as `random::RandomPet`.
    pub canonical: String,
    /// The other members of the same canonical form, which the program cannot name: the first in the document is taken.
    pub hidden: Vec<MemberId>,
}

/// The members of one section by canonical token. The keys are not stored: module and name are slices of the members' tokens.
#[derive(Debug)]
pub(crate) struct CanonicalTable(HashTable<Row>);

#[derive(Debug)]
struct Row {
    member: MemberId,
    /// Whether another member has the same canonical token.
    ambiguous: bool,
}

impl CanonicalTable {
    pub fn build(package: &Parts, section: Section) -> Self {
        let ids = package.index().ids(section);
        let mut table: HashTable<Row> = HashTable::with_capacity(ids.len());
        for member in ids.map(MemberId) {
            let Some(key) = Key::of_token(package, package.index().token(package.bytes(), member))
            else {
                continue;
            };
            match table.find_mut(key.hash(), |row| {
                Key::of_member(package, row.member) == Some(key)
            }) {
                Some(row) => row.ambiguous = true,
                None => {
                    let rehash =
                        |row: &Row| Key::of_member(package, row.member).map_or(0, Key::hash);
                    table.insert_unique(
                        key.hash(),
                        Row {
                            member,
                            ambiguous: false,
                        },
                        rehash,
                    );
                }
            }
        }
        Self(table)
    }

    pub fn find(&self, package: &Parts, section: Section, written: &str) -> Option<Match> {
        let as_written = Key::literal(package, written);
        let keys = [as_written, Key::of_token(package, written)];
        let (key, row) = keys.into_iter().flatten().find_map(|key| {
            let row = self.0.find(key.hash(), |row| {
                Key::of_member(package, row.member) == Some(key)
            })?;
            Some((key, row))
        })?;
        let token = package.token(row.member).to_owned();
        let hidden = if row.ambiguous {
            let ids = package.index().ids(section).map(MemberId);
            ids.filter(|id| *id != row.member && Key::of_member(package, *id) == Some(key))
                .collect()
        } else {
            Vec::new()
        };
        let canonical = match package.name() {
            // The engine's own resources keep their module.
            "pulumi" => token.clone(),
            name => key.display(name),
        };
        Some(Match {
            member: row.member,
            token,
            canonical,
            hidden,
        })
    }
}

/// The canonical form of any token; `None` when it is malformed.
pub(crate) fn canonical(package: &Parts, token: &str) -> Option<String> {
    Some(Key::of_token(package, token)?.display(package.name()))
}

/// What tells canonical tokens of one package apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Key<'t> {
    module: &'t str,
    name: &'t str,
}

impl<'t> Key<'t> {
    /// A token that is already in canonical form, taken literally.
    fn literal(package: &Parts, written: &'t str) -> Option<Self> {
        let (module, name) = written
            .strip_prefix(package.name())?
            .strip_prefix(':')?
            .split_once(':')?;
        (!name.contains(':')).then_some(Self { module, name })
    }

    /// The canonical form of a token. Which package it names does not matter.
    fn of_token(package: &Parts, token: &'t str) -> Option<Self> {
        Some(Self {
            module: package.module_of(token),
            name: Token::parse(token)?.name,
        })
    }

    fn of_member(package: &'t Parts, member: MemberId) -> Option<Self> {
        Self::of_token(package, package.index().token(package.bytes(), member))
    }

    fn hash(self) -> u64 {
        hash(self.name).rotate_left(1) ^ hash(self.module)
    }

    fn display(self, package: &str) -> String {
        format!("{package}:{}:{}", self.module, self.name)
    }
}
