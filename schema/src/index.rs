//! The places of all members of a document: one walk over it, without reading members; and the hash
//! table that finds them, simple enough to be written to a file.

use std::hash::Hasher;
use std::ops::Range;

use rustc_hash::FxHasher;

use crate::error::OpenError;
use crate::scan::{Bytes, ScanError, Scanner, unescape};
use crate::source::SchemaSource;
use crate::{DocumentErrorKind, MemberId, Section};

/// The sections that map tokens to members, in the order of their ids.
const SECTIONS: [Section; 3] = [Section::Types, Section::Resources, Section::Functions];

/// The fields at the top of a document that are ever read.
pub(crate) const HEADER_FIELDS: [&str; 12] = [
    "name",
    "version",
    "meta",
    "dependencies",
    "parameterization",
    "extensionParameterization",
    "config",
    "description",
    "displayName",
    "namespace",
    "pluginDownloadURL",
    "language",
];

/// The places of the members and of the other values at the top of a document.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Index {
    /// The tokens of all members, one behind the other.
    pub tokens: String,
    pub members: Vec<IndexEntry>,
    /// The members of each section.
    pub sections: [Range<u32>; 3],
    pub by_token: Table,
    /// The values of the header fields that are there; of several with one key the last.
    pub header: Vec<(&'static str, Bytes)>,
    /// The value of `provider`.
    pub provider: Option<Bytes>,
}

/// One member. Offsets fit, since documents are smaller than 4 GiB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct IndexEntry {
    /// The end of the token in [`Index::tokens`], which is the start of the next one.
    pub token_end: u32,
    pub value_start: u32,
    pub value_end: u32,
}

impl Index {
    /// Walks a document.
    pub fn build(document: &SchemaSource) -> Result<Self, OpenError> {
        let fail = |kind, at| document.error(kind, at);
        if u32::try_from(document.len()).is_err() {
            return Err(fail(DocumentErrorKind::TooLarge, 0).into());
        }
        let mut index = Self::default();
        let (walked, at) = document.scan(|mut scanner| {
            let walked = index.walk(&mut scanner);
            (walked, scanner.at())
        })?;
        let kind = match walked {
            Ok(()) => return Ok(index),
            Err(Stop::Scan(ScanError::Io(error))) => return Err(error.into()),
            Err(Stop::Scan(ScanError::Truncated)) => DocumentErrorKind::Truncated,
            Err(Stop::Scan(ScanError::Expected(what))) => DocumentErrorKind::Expected(what),
            Err(Stop::Empty) => return Err(fail(DocumentErrorKind::Empty, 0).into()),
            Err(Stop::Section(section)) => {
                DocumentErrorKind::Header { field: section.key(), reason: section_not_object() }
            }
        };
        Err(fail(kind, at).into())
    }

    fn walk(&mut self, scanner: &mut Scanner<'_>) -> Result<(), Stop> {
        let mut found: [Vec<ScannedMember>; 3] = Default::default();
        let mut fields = 0;
        if scanner.peek()?.is_none() {
            return Err(Stop::Empty);
        }
        scanner.object(|scanner, key| {
            fields += 1;
            let Some(key) = unescape(key) else {
                return Err(Stop::Scan(ScanError::Expected("a key in UTF-8")));
            };
            let mut sections = SECTIONS.into_iter().zip(&mut found);
            match sections.find(|(section, _)| section.key() == key) {
                Some((section, found)) => self.walk_section(scanner, section, found),
                None => {
                    let value = scanner.value()?;
                    if key == Section::Provider.key() {
                        self.provider = Some(value);
                    } else if let Some(field) =
                        HEADER_FIELDS.into_iter().find(|field| *field == key)
                    {
                        self.header.retain(|(known, _)| *known != field);
                        self.header.push((field, value));
                    }
                    Ok(())
                }
            }
        })?;
        match scanner.peek()? {
            // Plugins without a schema answer with `{}`, or with several.
            _ if fields == 0 => return Err(Stop::Empty),
            Some(_) => {
                return Err(Stop::Scan(ScanError::Expected("nothing after the document")));
            }
            None => {}
        }
        self.add_members(&found);
        Ok(())
    }

    /// Notes the members of one section. A section that is `null` has none.
    fn walk_section(
        &mut self,
        scanner: &mut Scanner<'_>,
        section: Section,
        found: &mut Vec<ScannedMember>,
    ) -> Result<(), Stop> {
        match scanner.peek()? {
            Some(b'n') => {
                scanner.value()?;
                return Ok(());
            }
            Some(b'{') => {}
            Some(_) => return Err(Stop::Section(section)),
            None => return Err(Stop::Scan(ScanError::Truncated)),
        }
        scanner.object(|scanner, key| {
            let start = self.tokens.len();
            // A key that is not a string names nothing; its member stays, under an unused name.
            self.tokens.push_str(&unescape(key).unwrap_or_default());
            found.push(ScannedMember { token: start..self.tokens.len(), value: scanner.value()? });
            Ok(())
        })
    }

    /// Gives the members their ids, section by section. Of several with one token the last counts,
    /// in the place of the first.
    fn add_members(&mut self, found: &[Vec<ScannedMember>; 3]) {
        let count = found.iter().map(Vec::len).sum();
        let written = std::mem::take(&mut self.tokens);
        self.tokens.reserve_exact(written.len());
        self.members.reserve_exact(count);
        self.by_token = Table::with_room(count);
        for (number, (section, found)) in SECTIONS.into_iter().zip(found).enumerate() {
            let first = self.members.len() as u32;
            self.set_ids(number, first..first);
            for ScannedMember { token, value } in found {
                let token = written.get(token.clone()).unwrap_or_default();
                let mut entry = IndexEntry {
                    token_end: 0,
                    value_start: value.start as u32,
                    value_end: value.end as u32,
                };
                let known = self.find(section, token);
                if let Some(known) = known.and_then(|id| self.members.get_mut(id.0 as usize)) {
                    entry.token_end = known.token_end;
                    *known = entry;
                    continue;
                }
                self.tokens.push_str(token);
                entry.token_end = self.tokens.len() as u32;
                let id = self.members.len() as u32;
                self.members.push(entry);
                self.by_token.insert(token_hash(number, token), id);
                self.set_ids(number, first..id + 1);
            }
        }
    }

    fn set_ids(&mut self, section: usize, ids: Range<u32>) {
        if let Some(known) = self.sections.get_mut(section) {
            *known = ids;
        }
    }

    /// The number of members of all sections, without the provider.
    pub fn len(&self) -> u32 {
        self.members.len() as u32
    }

    /// The ids of a section's members, in document order.
    pub fn ids(&self, section: Section) -> Range<u32> {
        let ids = section_number(section).and_then(|number| self.sections.get(number));
        ids.cloned().unwrap_or(self.len()..self.len())
    }

    /// The section of a member.
    pub fn section(&self, member: MemberId) -> Section {
        let holds = |section: &Section| self.ids(*section).contains(&member.0);
        SECTIONS.into_iter().find(holds).unwrap_or(Section::Provider)
    }

    /// The member of exactly this token.
    pub fn find(&self, section: Section, token: &str) -> Option<MemberId> {
        let number = section_number(section)?;
        let ids = self.sections.get(number)?;
        let id = self.by_token.find(token_hash(number, token), |id| {
            ids.contains(&id) && self.token(MemberId(id)) == token
        })?;
        Some(MemberId(id))
    }

    /// The token of a member; empty for what is none.
    pub fn token(&self, member: MemberId) -> &str {
        let end_of = |number: u32| self.members.get(number as usize).map(|entry| entry.token_end);
        let start = member.0.checked_sub(1).and_then(end_of).unwrap_or(0);
        let end = end_of(member.0).unwrap_or(0);
        self.tokens.get(start as usize..end as usize).unwrap_or_default()
    }

    /// The place of a member's value.
    pub fn value(&self, member: MemberId) -> Option<Bytes> {
        let entry = self.members.get(member.0 as usize)?;
        Some(entry.value_start as usize..entry.value_end as usize)
    }
}

/// A member as it was found.
struct ScannedMember {
    token: Range<usize>,
    value: Bytes,
}

/// The reason why a walk stopped.
enum Stop {
    Scan(ScanError),
    Section(Section),
    Empty,
}

impl From<ScanError> for Stop {
    fn from(error: ScanError) -> Self {
        Self::Scan(error)
    }
}

pub(crate) fn section_number(section: Section) -> Option<usize> {
    SECTIONS.iter().position(|known| *known == section)
}

/// Sections are name spaces of their own.
fn token_hash(section: usize, token: &str) -> u64 {
    hash(token.as_bytes()).wrapping_add(section as u64 * 0x9E37_79B9)
}

/// A section is not an object.
fn section_not_object() -> String {
    "expected an object that maps tokens to members".to_owned()
}

/// Open addressing over the numbers of members. The keys are not stored: who asks compares.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Table {
    /// A power of two of them, at least half of them free.
    slots: Box<[u32]>,
}

const FREE: u32 = u32::MAX;

impl Table {
    /// An empty table with room for so many members.
    pub fn with_room(members: usize) -> Self {
        let slots = (members * 2).next_power_of_two().max(8);
        Self { slots: vec![FREE; slots].into() }
    }

    /// The table of these slots, if they can be one.
    pub fn from_slots(slots: Box<[u32]>) -> Option<Self> {
        (slots.is_empty() || slots.len().is_power_of_two()).then_some(Self { slots })
    }

    pub fn slots(&self) -> &[u32] {
        &self.slots
    }

    /// The member of that hash which `is_it` accepts.
    pub fn find(&self, hash: u64, mut is_it: impl FnMut(u32) -> bool) -> Option<u32> {
        let mask = self.slots.len().checked_sub(1)?;
        let first = hash as usize & mask;
        for step in 0..self.slots.len() {
            match *self.slots.get((first + step) & mask)? {
                FREE => return None,
                member if is_it(member) => return Some(member),
                _ => {}
            }
        }
        None
    }

    /// Adds a member that is not there yet.
    pub fn insert(&mut self, hash: u64, member: u32) {
        let Some(mask) = self.slots.len().checked_sub(1) else { return };
        let mut slot = hash as usize & mask;
        while let Some(free) = self.slots.get_mut(slot) {
            if *free == FREE {
                *free = member;
                return;
            }
            slot = (slot + 1) & mask;
        }
    }
}

pub(crate) fn hash(text: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(text);
    hasher.finish()
}
