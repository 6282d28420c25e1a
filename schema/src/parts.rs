//! The parts of a package that are known without reading members: document, index and header.

use std::borrow::Cow;
use std::io;
use std::sync::{Mutex, OnceLock, PoisonError};

use pcl_diagnostics::{Comparisons, LineColumn};
use semver::Version;

use crate::canonical::CanonicalTable;
use crate::header::PackageHeader;
use crate::index::Index;
use crate::raw::RawKind;
use crate::scan::Bytes;
use crate::source::{Lines, SchemaSource};
use crate::token::ModuleFormat;
use crate::{MemberId, Primitive, Section, json};

/// The parts of a package that are known without reading members.
#[derive(Debug)]
pub(crate) struct PackageParts {
    pub document: SchemaSource,
    pub lines: Lines,
    pub index: Index,
    /// Built when a token is first looked up by its canonical form.
    pub canonical: OnceLock<CanonicalTable>,
    pub header: PackageHeader,
    pub comparisons: Mutex<Comparisons>,
}

impl PackageParts {
    /// Returns whether a misspelled name may still be compared with so many others.
    pub fn may_compare(&self, name: &str, others: usize) -> bool {
        let mut comparisons = self.comparisons.lock().unwrap_or_else(PoisonError::into_inner);
        comparisons.may_compare(name, others)
    }

    pub fn position(&self, offset: usize) -> LineColumn {
        self.lines.position(&self.document, offset)
    }

    pub fn canonical(&self) -> &CanonicalTable {
        self.canonical.get_or_init(|| CanonicalTable::build(&self.index, self.module_format()))
    }

    pub fn name(&self) -> &str {
        &self.header.name
    }

    pub fn module_format(&self) -> &ModuleFormat {
        &self.header.module_format
    }

    pub fn find(&self, section: Section, token: &str) -> Option<MemberId> {
        self.index.find(section, token)
    }

    pub fn token(&self, member: MemberId) -> &str {
        if member.0 == self.index.len() {
            &self.header.provider_token
        } else {
            self.index.token(member)
        }
    }

    pub fn provider_id(&self) -> Option<MemberId> {
        self.header.extension.is_none().then(|| MemberId(self.index.len()))
    }

    pub fn is_own_provider(&self, token: &str) -> bool {
        token == self.header.provider_token
    }

    /// The bytes of a member's value. A provider that the document does not mention has none.
    pub fn value(&self, member: MemberId) -> Option<Bytes> {
        if member.0 == self.index.len() {
            self.index.provider.clone()
        } else {
            self.index.value(member)
        }
    }

    /// The path of a member, or of the configuration.
    pub fn pointer(&self, member: MemberId) -> String {
        if member.0 > self.index.len() {
            return "#/config".to_owned();
        }
        match self.index.section(member) {
            Section::Provider => "#/provider".to_owned(),
            section => format!("#/{}/{}", section.key(), self.token(member).replace('/', "%2F")),
        }
    }

    /// The text of a field of the header, if it exists.
    pub fn field(&self, name: &str) -> Option<(usize, io::Result<Cow<'_, [u8]>>)> {
        let mut fields = self.index.header.iter();
        let (_, place) = fields.find(|(field, _)| *field == name)?;
        Some((place.start, self.document.read(place.clone())))
    }

    /// Returns whether a reference that names a package leaves this one. An unknown version is that
    /// of this package.
    pub fn is_external(&self, name: &str, version: &Version) -> bool {
        let other = |own: &Version| own.cmp_precedence(version).is_ne();
        name != self.header.name || self.header.version.as_ref().is_some_and(other)
    }

    /// The primitive that the `type` of a type names, which is that of an enumeration; `None` for
    /// objects. Looks at the text and not at the slot, so that members that name each other can
    /// ask.
    pub fn type_word(&self, member: MemberId) -> Option<Primitive> {
        let text = self.document.read(self.index.value(member)?).ok()?;
        let kind: RawKind<'_> = json::read(&text).ok()?;
        Primitive::parse(&kind.word?)
    }
}
