//! Where everything is in a document: one walk over it, no reading of members.

use std::hash::Hasher;
use std::ops::Range;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::document::position;
use crate::scan::{Bytes, ScanError, Scanner, unescape};
use crate::{DocumentError, DocumentErrorKind, MemberId, Section};

/// The sections that map tokens to members, in the order of their ids.
const SECTIONS: [Section; 3] = [Section::Types, Section::Resources, Section::Functions];

/// The fields at the top of a document that are ever read.
const HEADER_FIELDS: [&str; 6] = [
    "name",
    "version",
    "meta",
    "dependencies",
    "parameterization",
    "extensionParameterization",
];

/// The places of the members and of the other values at the top of a document.
#[derive(Debug, Default)]
pub(crate) struct Index {
    members: Vec<Entry>,
    sections: [SectionIndex; 3],
    /// The text of the keys that are written with escapes.
    escaped: Vec<Box<str>>,
    /// The values of the header fields that are there; of several with one key the last.
    pub header: Vec<(&'static str, Bytes)>,
    /// The value of `provider`.
    pub provider: Option<Bytes>,
}

#[derive(Debug, Default)]
struct SectionIndex {
    ids: Range<u32>,
    by_token: HashTable<u32>,
}

/// One member. Offsets fit, since documents are smaller than 4 GiB.
#[derive(Debug, Clone, Copy)]
struct Entry {
    key_start: u32,
    /// `ESCAPED` when `key_start` counts in [`Index::escaped`].
    key_len: u32,
    value_start: u32,
    value_end: u32,
}

const ESCAPED: u32 = u32::MAX;

impl Index {
    /// Walks a document.
    pub fn build(document: &[u8]) -> Result<Self, DocumentError> {
        let fail = |kind, at| DocumentError {
            kind,
            position: position(document, at),
        };
        if u32::try_from(document.len()).is_err() {
            return Err(fail(DocumentErrorKind::TooLarge, 0));
        }
        if document
            .iter()
            .all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'{' | b'}'))
        {
            return Err(fail(DocumentErrorKind::Empty, 0));
        }
        let mut index = Self::default();
        let mut found: [Vec<Entry>; 3] = Default::default();
        let mut scanner = Scanner::new(document, 0);
        let walked = scanner.object(|scanner, key| {
            let Some(key) = unescape(document, key) else {
                return Err(Stop::Scan(ScanError::Expected("a key in UTF-8")));
            };
            match SECTIONS.iter().position(|section| section.key() == key) {
                Some(section) => {
                    index.walk_section(document, scanner, section, &mut found[section])
                }
                None => {
                    let value = scanner.value()?;
                    if key == Section::Provider.key() {
                        index.provider = Some(value);
                    } else if let Some(field) =
                        HEADER_FIELDS.into_iter().find(|field| *field == key)
                    {
                        index.header.retain(|(known, _)| *known != field);
                        index.header.push((field, value));
                    }
                    Ok(())
                }
            }
        });
        let walked = walked.and_then(|()| match scanner.peek() {
            None => Ok(()),
            Some(_) => Err(Stop::Scan(ScanError::Expected(
                "nothing after the document",
            ))),
        });
        match walked {
            Ok(()) => {}
            Err(Stop::Scan(ScanError::Truncated)) => {
                return Err(fail(DocumentErrorKind::Truncated, scanner.at));
            }
            Err(Stop::Scan(ScanError::Expected(what))) => {
                return Err(fail(DocumentErrorKind::Expected(what), scanner.at));
            }
            Err(Stop::Section(section)) => {
                let problem = "expected an object that maps tokens to members".to_owned();
                return Err(fail(
                    DocumentErrorKind::Header {
                        field: section.key(),
                        problem,
                    },
                    scanner.at,
                ));
            }
        }
        for (section, entries) in found.into_iter().enumerate() {
            index.add_section(document, section, entries);
        }
        Ok(index)
    }

    /// Notes the members of one section. A section that is `null` has none.
    fn walk_section(
        &mut self,
        document: &[u8],
        scanner: &mut Scanner<'_>,
        section: usize,
        found: &mut Vec<Entry>,
    ) -> Result<(), Stop> {
        match scanner.peek() {
            Some(b'n') => {
                scanner.value()?;
                return Ok(());
            }
            Some(b'{') => {}
            Some(_) => return Err(Stop::Section(SECTIONS[section])),
            None => return Err(Stop::Scan(ScanError::Truncated)),
        }
        let escaped = &mut self.escaped;
        scanner.object(|scanner, key| {
            let value = scanner.value()?;
            let raw = &document[key.clone()];
            let (key_start, key_len) =
                if memchr::memchr(b'\\', raw).is_none() && std::str::from_utf8(raw).is_ok() {
                    (key.start, (key.end - key.start) as u32)
                } else {
                    // A key that is no text names nothing; it is kept under a name that nobody can ask for, so that it hides no other member.
                    escaped.push(unescape(document, key).unwrap_or_default().into());
                    (escaped.len() - 1, ESCAPED)
                };
            found.push(Entry {
                key_start: key_start as u32,
                key_len,
                value_start: value.start as u32,
                value_end: value.end as u32,
            });
            Ok(())
        })
    }

    /// Gives the members of a section their ids. Of several with one token the last counts, in the place of the first.
    fn add_section(&mut self, document: &[u8], section: usize, entries: Vec<Entry>) {
        let first = self.members.len() as u32;
        let mut by_token = HashTable::with_capacity(entries.len());
        self.members.reserve(entries.len());
        for entry in entries {
            let token = self.token_of(document, entry);
            let token_hash = hash(token);
            match by_token.find(token_hash, |id: &u32| {
                self.token(document, MemberId(*id)) == token
            }) {
                Some(id) => {
                    let id = *id as usize;
                    self.members[id] = entry;
                }
                None => {
                    let id = self.members.len() as u32;
                    self.members.push(entry);
                    by_token.insert_unique(token_hash, id, |id| {
                        hash(self.token(document, MemberId(*id)))
                    });
                }
            }
        }
        self.sections[section] = SectionIndex {
            ids: first..self.members.len() as u32,
            by_token,
        };
    }

    /// The number of members of all sections, without the provider.
    pub fn len(&self) -> u32 {
        self.members.len() as u32
    }

    /// The ids of a section's members, in document order.
    pub fn ids(&self, section: Section) -> Range<u32> {
        match section_number(section) {
            Some(section) => self.sections[section].ids.clone(),
            None => self.len()..self.len(),
        }
    }

    /// The section of a member.
    pub fn section(&self, member: MemberId) -> Section {
        let holds = |section: &Section| self.ids(*section).contains(&member.0);
        SECTIONS
            .into_iter()
            .find(holds)
            .unwrap_or(Section::Provider)
    }

    /// The member of exactly this token.
    pub fn find(&self, document: &[u8], section: Section, token: &str) -> Option<MemberId> {
        let section = &self.sections[section_number(section)?];
        let id = section.by_token.find(hash(token), |id| {
            self.token(document, MemberId(*id)) == token
        })?;
        Some(MemberId(*id))
    }

    /// The token of a member; empty for what is none.
    pub fn token<'d>(&'d self, document: &'d [u8], member: MemberId) -> &'d str {
        self.members
            .get(member.0 as usize)
            .map_or("", |entry| self.token_of(document, *entry))
    }

    fn token_of<'d>(&'d self, document: &'d [u8], entry: Entry) -> &'d str {
        let start = entry.key_start as usize;
        if entry.key_len == ESCAPED {
            return self.escaped.get(start).map_or("", |token| token);
        }
        let raw = document
            .get(start..start + entry.key_len as usize)
            .unwrap_or_default();
        std::str::from_utf8(raw).unwrap_or_default()
    }

    /// The bytes of a member's value.
    pub fn value(&self, member: MemberId) -> Option<Bytes> {
        let entry = self.members.get(member.0 as usize)?;
        Some(entry.value_start as usize..entry.value_end as usize)
    }
}

/// Why a walk stopped.
enum Stop {
    Scan(ScanError),
    Section(Section),
}

impl From<ScanError> for Stop {
    fn from(error: ScanError) -> Self {
        Self::Scan(error)
    }
}

fn section_number(section: Section) -> Option<usize> {
    SECTIONS.iter().position(|known| *known == section)
}

pub(crate) fn hash(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}
