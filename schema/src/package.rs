//! A package: its header, its members on demand, and everything that a member refers to, checked
//! once.
//!
//! Types are built on demand, which may be never, so their errors would appear late or not at all.
//! Pulumi refuses a member if anything that it reaches is wrong; callers do the same.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use indexmap::IndexSet;
use pcl_diagnostics::{Comparisons, LineColumn};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use semver::Version;

use crate::decode::decoded::{DecodedMember, MemberSpec};
use crate::error::OpenError;
use crate::header::PackageHeader;
use crate::index::Index;
use crate::index_cache::IndexCache;
use crate::input_names::InputNames;
use crate::language::Languages;
use crate::other_names::OtherNames;
use crate::parts::PackageParts;
use crate::raw::RawDescription;
use crate::source::{Distant, Lines, SchemaSource, Syntax};
use crate::{
    BaseProvider, DocumentError, ExternalReference, ExternalTarget, FunctionSpec, LoadError, Match,
    MemberError, MemberFacts, MemberId, ModuleFormat, PackageRequest, Properties, ResourceSpec,
    SchemaDiagnostic, Section, TypeDef, json, lean_facts,
};

/// A package schema. Members are decoded on their first use, once, and kept.
#[derive(Debug)]
pub struct Package {
    path: Option<PathBuf>,
    pub(crate) parts: PackageParts,
    pub(crate) other_names: OtherNames,
    pub(crate) input_names: InputNames,
    languages: OnceLock<Languages>,
    facts: Mutex<FxHashMap<MemberId, Arc<MemberFacts>>>,
    decoded: Box<[OnceLock<Box<DecodedMember>>]>,
    /// For each member, set if all that it reaches is known to be in order.
    clean: Box<[AtomicBool]>,
    /// The reach of the other members, as far as it was asked for.
    reaches: Mutex<FxHashMap<MemberId, Arc<Reach>>>,
}

impl Package {
    /// Indexes a document that is in memory. `{"name": "x"}` is the smallest package.
    pub fn from_bytes(bytes: impl Into<Vec<u8>>) -> Result<Self, DocumentError> {
        Self::from_source(bytes, Syntax::Json)
    }

    /// Indexes a document that is in memory, in JSON or YAML.
    pub fn from_source(bytes: impl Into<Vec<u8>>, syntax: Syntax) -> Result<Self, DocumentError> {
        let document = SchemaSource::of_source(bytes.into(), syntax)?;
        Index::build(&document)
            .and_then(|index| Self::new(document, index))
            .map_err(OpenError::of_memory)
    }

    /// Indexes a file. A `.json` file stays open when it is large, `.json.gz` is unpacked into
    /// memory, `.yaml` and `.yml` are rewritten there. With a cache, the index of a large file is
    /// kept there for the next time.
    pub fn open(path: &Path, cache: Option<&IndexCache>) -> Result<Self, LoadError> {
        let package =
            SchemaSource::open(path).and_then(|document| Self::of_file(path, document, cache));
        match package {
            Ok(package) => Ok(Self { path: Some(path.to_owned()), ..package }),
            Err(error) => Err(error.of_file(path)),
        }
    }

    /// Indexes a document that somebody else keeps. A small one, and YAML, is read into memory.
    /// The path is for errors.
    ///
    /// # Errors
    /// Returns an error if the document cannot be read, or is no schema.
    pub fn from_distant(path: &Path, document: Box<dyn Distant>) -> Result<Self, LoadError> {
        SchemaSource::of_distant(document)
            .and_then(|document| Self::of_file(path, document, None))
            .map_err(|error| error.of_file(path))
    }

    /// Indexes the text of a file that is open in an editor.
    pub(crate) fn edited(path: &Path, text: &str) -> Result<Self, LoadError> {
        match Self::from_source(text, Syntax::of(path)) {
            Ok(package) => Ok(Self { path: Some(path.to_owned()), ..package }),
            Err(error) => Err(OpenError::from(error).of_file(path)),
        }
    }

    fn of_file(
        path: &Path,
        document: SchemaSource,
        cache: Option<&IndexCache>,
    ) -> Result<Self, OpenError> {
        let (Some(cache), Some(stamp)) = (cache, document.stamp()) else {
            let index = Index::build(&document)?;
            return Self::new(document, index);
        };
        if let Some((index, canonical)) = cache.get(path, &stamp) {
            let package = Self::new(document, index)?;
            let _ = package.parts.canonical.set(canonical);
            return Ok(package);
        }
        let index = Index::build(&document)?;
        let package = Self::new(document, index)?;
        let parts = &package.parts;
        cache.put(path, &stamp, &parts.index, parts.canonical());
        Ok(package)
    }

    fn new(document: SchemaSource, index: Index) -> Result<Self, OpenError> {
        let (package, errors) = Self::tolerant(document, index)?;
        match errors.into_iter().next() {
            Some(error) => Err(error.into()),
            None => Ok(package),
        }
    }

    /// A package with any header, and the errors of the header.
    pub(crate) fn tolerant(
        document: SchemaSource,
        index: Index,
    ) -> io::Result<(Self, Vec<DocumentError>)> {
        let (header, errors) = PackageHeader::read(&document, &index)?;
        let count = index.len() as usize + 1;
        let package = Self {
            path: None,
            parts: PackageParts {
                document,
                lines: Lines::default(),
                index,
                canonical: OnceLock::new(),
                header,
                comparisons: Mutex::new(Comparisons::among(count)),
            },
            other_names: OtherNames::default(),
            input_names: InputNames::default(),
            languages: OnceLock::new(),
            facts: Mutex::default(),
            decoded: (0..count).map(|_| OnceLock::new()).collect(),
            clean: (0..count).map(|_| AtomicBool::new(false)).collect(),
            reaches: Mutex::default(),
        };
        Ok((package, errors))
    }

    /// Gives a package without a version in its document the one that is known from elsewhere, such
    /// as the file's name.
    pub fn set_default_version(&mut self, version: &Version) {
        self.parts.header.version.get_or_insert_with(|| version.clone());
    }

    /// The file that holds the document; `None` when it is in memory alone.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The name, with which the tokens of its members begin.
    pub fn name(&self) -> &str {
        &self.parts.header.name
    }

    /// The version in the document, else the one of the file's name, else unknown.
    pub fn version(&self) -> Option<&Version> {
        self.parts.header.version.as_ref()
    }

    /// The plugin that makes this package of a parameter, if it is a parameterized one.
    pub fn parameterization(&self) -> Option<&BaseProvider> {
        self.parts.header.parameterization.as_ref()
    }

    /// The plugin whose package this one extends, if it is an extension.
    pub fn extension(&self) -> Option<&BaseProvider> {
        self.parts.header.extension.as_ref()
    }

    /// The rule that makes modules of tokens.
    pub fn module_format(&self) -> &ModuleFormat {
        self.parts.module_format()
    }

    /// The description of the package, in Markdown. Read anew each time.
    pub fn about(&self) -> Option<String> {
        self.text_field("description")
    }

    /// The name of the package for people, such as `Auth0`. Read anew each time.
    pub fn display_name(&self) -> Option<String> {
        self.text_field("displayName")
    }

    /// The namespace of the package, which is part of the names of its SDKs; without one they
    /// belong to Pulumi. Read anew each time.
    pub fn namespace(&self) -> Option<String> {
        self.text_field("namespace")
    }

    /// The address of the package's repository. Read anew each time.
    pub fn repository(&self) -> Option<String> {
        self.text_field("repository")
    }

    /// Returns true if Pulumi can pack the SDKs of the package, which changes their versions and
    /// the places of their modules. Read anew each time.
    pub fn supports_pack(&self) -> bool {
        let meta = self.parts.field("meta").and_then(|(_, text)| text.ok());
        let meta: Option<serde_json::Value> =
            meta.and_then(|text| serde_json::from_slice(&text).ok());
        let is_set = meta.is_some_and(|meta| meta.get("supportPack") == Some(&true.into()));
        is_set || self.parts.header.parameterization.is_some() || self.extension().is_some()
    }

    /// The server of the package's plugin, if it is not Pulumi's. Read anew each time.
    pub fn plugin_download_url(&self) -> Option<String> {
        self.text_field("pluginDownloadURL")
    }

    /// The settings for the SDKs of the package, by language.
    pub fn languages(&self) -> Languages {
        let read = || {
            let text = self.parts.field("language").and_then(|(_, text)| text.ok());
            let languages = text.and_then(|text| serde_json::from_slice(&text).ok());
            languages.map(Languages::of).unwrap_or_default()
        };
        self.languages.get_or_init(read).clone()
    }

    /// A text at the top of the document; `None` when it is absent, empty or something else.
    fn text_field(&self, name: &str) -> Option<String> {
        let text = self.parts.field(name)?.1.ok()?;
        let text: String = serde_json::from_slice(&text).ok()?;
        (!text.is_empty()).then_some(text)
    }

    /// The variables that configure the package, as the provider takes them. Types are meant in
    /// plain shape. Read anew each time.
    ///
    /// # Errors
    /// Returns the error of the JSON reader or of the system.
    pub fn config(&self) -> Result<Properties, String> {
        Ok(self.parts.config(false)?.0)
    }

    /// `config` as the document has it, for what the specs leave out. Read anew each time.
    pub fn config_json(&self) -> Option<serde_json::Value> {
        let text = self.parts.field("config")?.1.ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// The packages that references may lead to, as requests that load them.
    pub fn dependencies(&self) -> &[PackageRequest] {
        &self.parts.header.dependencies
    }

    /// The number of members of all sections, with the provider.
    pub fn member_count(&self) -> u32 {
        self.parts.index.len() + 1
    }

    /// The members of a section in document order.
    pub fn members(&self, section: Section) -> impl ExactSizeIterator<Item = MemberId> + use<> {
        let ids = match section {
            Section::Provider => self.parts.provider_id().map_or(0..0, |id| id.0..id.0 + 1),
            section => self.parts.index.ids(section),
        };
        ids.map(MemberId)
    }

    /// The member of exactly this token.
    pub fn find(&self, section: Section, token: &str) -> Option<MemberId> {
        match section {
            Section::Provider => self.provider_id().filter(|_| self.parts.is_own_provider(token)),
            section => self.parts.find(section, token),
        }
    }

    /// The section of a member.
    pub fn section(&self, member: MemberId) -> Section {
        self.parts.index.section(member)
    }

    /// The token of a member as the document has it; `pulumi:providers:NAME` for the provider.
    pub fn token(&self, member: MemberId) -> &str {
        self.parts.token(member)
    }

    /// The resource that a program means by a token: written as the schema has it, or with the
    /// module that the package makes of it.
    pub fn resource_by_canonical(&self, written: &str) -> Option<Match> {
        self.by_canonical(Section::Resources, written)
    }

    /// The function that a program means by a token, as
    /// [`resource_by_canonical`](Self::resource_by_canonical).
    pub fn function_by_canonical(&self, written: &str) -> Option<Match> {
        self.by_canonical(Section::Functions, written)
    }

    pub(crate) fn by_canonical(&self, section: Section, written: &str) -> Option<Match> {
        self.parts.canonical().find(&self.parts, section, written)
    }

    /// `<name of this package>:<module>:<name>` of a token, as a bound program shows it; `None`
    /// when the token is malformed.
    pub fn canonical(&self, token: &str) -> Option<String> {
        crate::canonical::canonical(&self.parts, token)
    }

    /// The resource of exactly this token.
    pub fn resource(&self, token: &str) -> Result<Option<&Arc<ResourceSpec>>, MemberError> {
        self.find(Section::Resources, token).map_or(Ok(None), |id| self.resource_by_id(id))
    }

    /// The function of exactly this token.
    pub fn function(&self, token: &str) -> Result<Option<&Arc<FunctionSpec>>, MemberError> {
        self.find(Section::Functions, token).map_or(Ok(None), |id| self.function_by_id(id))
    }

    /// The type of exactly this token.
    pub fn type_(&self, token: &str) -> Result<Option<&TypeDef>, MemberError> {
        self.find(Section::Types, token).map_or(Ok(None), |id| self.type_by_id(id))
    }

    /// The provider: one without properties when the document has none, `None` when the package
    /// extends another one.
    pub fn provider(&self) -> Result<Option<&Arc<ResourceSpec>>, MemberError> {
        self.provider_id().map_or(Ok(None), |id| self.resource_by_id(id))
    }

    /// The member that describes the provider; `None` of an extension, which has none.
    pub fn provider_id(&self) -> Option<MemberId> {
        self.parts.provider_id()
    }

    /// The resource of that id, the provider included; `None` when the member is something else.
    pub fn resource_by_id(
        &self,
        member: MemberId,
    ) -> Result<Option<&Arc<ResourceSpec>>, MemberError> {
        self.read(member, |member| match member {
            MemberSpec::Resource(spec) => Some(spec),
            _ => None,
        })
    }

    /// The function of that id; `None` when the member is something else.
    pub fn function_by_id(
        &self,
        member: MemberId,
    ) -> Result<Option<&Arc<FunctionSpec>>, MemberError> {
        self.read(member, |member| match member {
            MemberSpec::Function(spec) => Some(spec),
            _ => None,
        })
    }

    /// The type of that id; `None` when the member is something else.
    pub fn type_by_id(&self, member: MemberId) -> Result<Option<&TypeDef>, MemberError> {
        self.read(member, |member| match member {
            MemberSpec::Type(spec) => Some(spec),
            _ => None,
        })
    }

    fn read<T>(
        &self,
        member: MemberId,
        pick: impl FnOnce(&MemberSpec) -> Option<&T>,
    ) -> Result<Option<&T>, MemberError> {
        match self.decoded(member) {
            None => Ok(None),
            Some(decoded) => decoded.value.as_ref().map(pick).map_err(MemberError::clone),
        }
    }

    /// The member, read now if it was not yet.
    pub(crate) fn decoded(&self, member: MemberId) -> Option<&DecodedMember> {
        let slot = self.decoded.get(member.0 as usize)?;
        Some(slot.get_or_init(|| Box::new(self.parts.decode(member, false))))
    }

    /// The diagnostics about a member itself, without the members that it reaches.
    pub fn diagnostics(&self, member: MemberId) -> &[SchemaDiagnostic] {
        self.decoded(member).map_or(&[], |it| &it.diagnostics)
    }

    /// The diagnostics about a member and about everything in this package that it reaches, and the
    /// references to other packages. Each member is walked once, and not again where all is in
    /// order.
    pub fn reach(&self, member: MemberId) -> Arc<Reach> {
        let cached = || self.reaches.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_clean(member) {
            return Arc::default();
        }
        if let Some(reach) = cached().get(&member) {
            return reach.clone();
        }
        let (reach, visited) = Reach::walk(self, member);
        if reach.diagnostics.is_empty() && reach.external.is_empty() {
            for id in visited {
                if let Some(clean) = self.clean.get(id.0 as usize) {
                    clean.store(true, Ordering::Relaxed);
                }
            }
            return Arc::default();
        }
        let reach = Arc::new(reach);
        cached().entry(member).or_insert(reach).clone()
    }

    /// Returns whether all that the member reaches is known to be in order.
    pub(crate) fn is_clean(&self, member: MemberId) -> bool {
        self.clean.get(member.0 as usize).is_none_or(|clean| clean.load(Ordering::Relaxed))
    }

    /// The request that loads the package of an external reference: what the package's
    /// `dependencies` say, else just name and version.
    pub fn external_request(&self, reference: &ExternalReference) -> PackageRequest {
        let fits = |request: &&PackageRequest| {
            request.name() == &*reference.package
                && request
                    .version()
                    .is_none_or(|version| version.cmp_precedence(&reference.version).is_eq())
        };
        match self.parts.header.dependencies.iter().find(fits) {
            Some(request) => request.clone(),
            None => {
                PackageRequest::new(&*reference.package).with_version(reference.version.clone())
            }
        }
    }

    /// The number of bytes of a member's definition in the document.
    pub fn definition_size(&self, member: MemberId) -> usize {
        self.parts.value(member).map_or(0, |place| place.len())
    }

    /// The description of a member, in Markdown; `None` when it has none or cannot be read. Read
    /// anew each time.
    pub fn description(&self, member: MemberId) -> Option<String> {
        let text = self.parts.document.read(self.parts.value(member)?).ok()?;
        let raw: RawDescription<'_> = json::read(&text).ok()?;
        raw.description.map(|text| text.0.into_owned())
    }

    /// The parts of a member that do not matter to programs, but to generated code and to people.
    /// Read anew each time; empty when the member cannot be read.
    pub fn facts(&self, member: MemberId) -> MemberFacts {
        MemberFacts::new(self.json(member).unwrap_or_default(), self.is_renamed_in_go(member))
    }

    /// [`Package::facts`] without descriptions, which are kept for the next document. Those of a
    /// property without other facts are `None`.
    pub fn lean_facts(&self, member: MemberId) -> Arc<MemberFacts> {
        let known = || self.facts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(facts) = known().get(&member) {
            return Arc::clone(facts);
        }
        let text = self.parts.value(member).map(|place| self.parts.document.read(place));
        let json = text.and_then(Result::ok).map(|text| lean_facts::read(&text));
        let json = json.unwrap_or_default();
        let facts = Arc::new(MemberFacts::new(json, self.is_renamed_in_go(member)));
        known().insert(member, Arc::clone(&facts));
        facts
    }

    /// A member as the document has it, for what the specs leave out. Read anew each time.
    pub fn json(&self, member: MemberId) -> Option<serde_json::Value> {
        let text = self.parts.document.read(self.parts.value(member)?).ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// Line and column of an offset in the document. Counts the lines before it, each once: for
    /// messages alone.
    pub fn position(&self, offset: u32) -> LineColumn {
        self.parts.position(offset as usize)
    }

    /// The same, where a person can look the place up: `None` in a line of more than 1,000 bytes,
    /// such as the only one of a document without line breaks. Counts nothing then.
    pub fn readable_position(&self, offset: u32) -> Option<LineColumn> {
        let PackageParts { lines, document, .. } = &self.parts;
        lines.readable_position(document, offset as usize)
    }
}

/// The members that a member reaches inside its package.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reach {
    /// The diagnostics about the member and those that it reaches, in the order in which they are
    /// reached.
    pub diagnostics: Vec<SchemaDiagnostic>,
    /// The references to other packages in all these, each once.
    pub external: Vec<ExternalReference>,
}

impl Reach {
    /// Walks from a member, past none that is known to be in order; gives the members that were
    /// visited, too.
    pub(crate) fn walk(package: &Package, root: MemberId) -> (Self, FxHashSet<MemberId>) {
        let mut diagnostics = Vec::new();
        let mut external: IndexSet<ExternalReference, FxBuildHasher> = IndexSet::default();
        let mut visited = FxHashSet::default();
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            if package.is_clean(id) || !visited.insert(id) {
                continue;
            }
            let Some(decoded) = package.decoded(id) else { continue };
            diagnostics.extend_from_slice(&decoded.diagnostics);
            external.extend(decoded.external.iter().cloned());
            stack.extend(decoded.references.iter().rev());
        }
        (Self { diagnostics, external: external.into_iter().collect() }, visited)
    }
}

impl Package {
    /// The member of this package that another one refers to by an external reference, and its
    /// section: the one with exactly this token, else the only member of the same canonical form.
    pub fn external_member(&self, target: &ExternalTarget) -> (Section, Option<MemberId>) {
        let (section, token) = match target {
            ExternalTarget::Provider => return (Section::Provider, self.provider_id()),
            ExternalTarget::Resource(token) if self.find(Section::Provider, token).is_some() => {
                return (Section::Provider, self.provider_id());
            }
            ExternalTarget::Resource(token) => (Section::Resources, token),
            ExternalTarget::Type(token) => (Section::Types, token),
        };
        let by_form = || {
            self.by_canonical(section, token)
                .filter(|found| found.hidden.is_empty())
                .map(|found| found.member)
        };
        (section, self.find(section, token).or_else(by_form))
    }
}
