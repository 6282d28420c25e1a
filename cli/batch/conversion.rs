//! A program of a batch in its languages.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use pcl::diagnostics::{Code, Diagnostic, Severity as Level, SourceMap, Span, TextRange};
use pcl::render::{Format, Look, Report};
use pcl::schema::{ChainLoader, LoadError, Loader, MemoryLoader, Package, PackageRequest, Version};
use pcl::{Checked, MemoryFiles, SchemaPlaces, Settings, Workspace};
use pcl_convert::{Language, Options, adjusted, convert};
use serde_json::Value;

use super::input::{Entry, Problem, Program};
use crate::inputs::allow;
use crate::status;

/// The number of workspaces that are kept for programs with leniencies or schemas of their own.
const MOST_WORKSPACES: usize = 32;

/// The size of the largest text that the diagnostic about it has a place in, in bytes.
const MAX_SHOWN: usize = 4096;

/// The name of a project that has no other.
const NAME: &str = "example";

/// A program and a language.
pub(super) struct Record {
    /// `None` for a program that cannot be read.
    pub language: Option<Language>,
    pub severity: Severity,
    /// The texts of the project by path.
    pub files: BTreeMap<String, String>,
    /// The diagnostics, as `pcl check --output-format json` has them.
    pub diagnostics: Value,
    /// The first reason against a complete conversion, by code.
    pub reason: Option<String>,
}

/// The outcome of a conversion, as the coverage figures of Pulumi's bridge have it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Severity {
    /// There is no diagnostic.
    Success,
    /// The project lacks something, or there is a warning.
    Warning,
    /// There is no project.
    Failure,
    /// `pcl` failed.
    Fatal,
}

impl Severity {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Warning => "warning",
            Self::Failure => "failure",
            Self::Fatal => "fatal",
        }
    }
}

/// The records of a program.
pub(super) struct Converted {
    pub line: Option<usize>,
    pub id: Option<String>,
    pub records: Vec<Record>,
}

/// Converts programs that share settings and schemas, on any thread.
pub(super) struct Converter<'c> {
    settings: Settings,
    languages: &'c [Language],
    options: &'c Options,
    schemas: Arc<ChainLoader>,
    workspaces: Mutex<HashMap<Key, Arc<Workspace>>>,
}

/// The reason why a program is not checked or not converted.
enum Refusal {
    /// A value of `allow` or `schemas` is wrong.
    Settings(String),
    /// `pcl` failed.
    Bug(String),
}

/// The settings that a program has of its own, and the form of the languages.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    allow: Vec<String>,
    schemas: String,
    gives_outputs: bool,
}

impl<'c> Converter<'c> {
    pub(super) fn new(
        mut settings: Settings,
        languages: &'c [Language],
        options: &'c Options,
    ) -> Self {
        // All workspaces share the packages.
        let schemas = std::mem::take(&mut settings.schemas).loader(None);
        // The programs are on all threads already.
        settings.threads = Some(std::num::NonZeroUsize::MIN);
        Self { settings, languages, options, schemas, workspaces: Mutex::default() }
    }

    /// The records of a program, without those of the languages that are known.
    pub(super) fn convert(&self, entry: &Entry, known: &[Language]) -> Converted {
        let records = match &entry.program {
            Ok(program) => self.records(program, entry.id.as_deref(), known),
            Err(problem) => vec![unread(problem, entry.line)],
        };
        Converted { line: entry.line, id: entry.id.clone(), records }
    }

    fn records(&self, program: &Program, id: Option<&str>, known: &[Language]) -> Vec<Record> {
        let name = program.name.as_deref().or(id.filter(|id| is_project_name(id)));
        let name = name.unwrap_or(NAME);
        let mut checked: Vec<(bool, Result<Checked, Refusal>)> = Vec::new();
        let mut records = Vec::new();
        for &language in self.languages.iter().filter(|language| !known.contains(language)) {
            let form = language.gives_outputs();
            if !checked.iter().any(|(known, _)| *known == form) {
                let found = status::catch(|| self.check(program, language));
                let found = found.unwrap_or_else(|crash| Err(Refusal::Bug(crash.summary())));
                checked.push((form, found));
            }
            let found = checked.iter().find(|(known, _)| *known == form).map(|(_, found)| found);
            let record = match found {
                Some(Ok(checked)) => {
                    let checked = checked.clone();
                    let work = || convert(checked, language, name, self.options);
                    match status::catch(work) {
                        Ok((checked, project)) => {
                            let files = project.into_iter().flat_map(|project| project.files);
                            let files = files.map(|file| (file.path, file.text)).collect();
                            record(language, &checked.report, files)
                        }
                        Err(crash) => refused(language, &Refusal::Bug(crash.summary())),
                    }
                }
                Some(Err(refusal)) => refused(language, refusal),
                None => continue,
            };
            records.push(record);
        }
        records
    }

    fn check(&self, program: &Program, language: Language) -> Result<Checked, Refusal> {
        let workspace = self.workspace(program, language).map_err(Refusal::Settings)?;
        let mut files = MemoryFiles::default();
        for (path, text) in &program.files {
            files.insert(path, text.as_str());
        }
        Ok(workspace.check_open(&files.target("."), files.programs()))
    }

    /// The workspace for the programs with these settings.
    fn workspace(&self, program: &Program, language: Language) -> Result<Arc<Workspace>, String> {
        let own = &program.schemas;
        let schemas =
            if own.is_empty() { String::new() } else { Value::from(own.clone()).to_string() };
        let gives_outputs = language.gives_outputs();
        let key = Key { allow: program.allow.clone(), schemas, gives_outputs };
        let known = || self.workspaces.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(workspace) = known().get(&key) {
            return Ok(Arc::clone(workspace));
        }
        let mut settings = adjusted(self.settings.clone(), language);
        settings.schemas = SchemaPlaces::default();
        for name in &program.allow {
            allow(&mut settings.options, name)?;
        }
        let loader = OwnSchemas::new(&program.schemas, Arc::clone(&self.schemas))?;
        let workspace = Arc::new(Workspace::new(settings).with_loader(Arc::new(loader)));
        let mut known = known();
        if known.len() >= MOST_WORKSPACES {
            known.clear();
        }
        known.insert(key, Arc::clone(&workspace));
        Ok(workspace)
    }
}

/// Returns true for ids that can be names of projects.
fn is_project_name(id: &str) -> bool {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "-_.".contains(it);
    !id.is_empty() && id.len() <= 100 && id.chars().all(is_plain)
}

/// The schemas that a program names or has, before those of the batch.
struct OwnSchemas {
    documents: MemoryLoader,
    versions: BTreeMap<String, Version>,
    shared: Arc<ChainLoader>,
}

impl OwnSchemas {
    fn new(schemas: &[Value], shared: Arc<ChainLoader>) -> Result<Self, String> {
        let mut own =
            Self { documents: MemoryLoader::default(), versions: BTreeMap::new(), shared };
        for schema in schemas {
            match schema {
                Value::String(name) => {
                    let Some((name, version)) = name.split_once('@') else { continue };
                    let parsed = pcl::schema::parse_version(version);
                    let wrong = |_| format!("`{version}` of `{name}` in `schemas` is no version");
                    own.versions.insert(name.to_owned(), parsed.map_err(wrong)?);
                }
                Value::Object(_) => {
                    let added = own.documents.add(schema.to_string());
                    added.map_err(|error| format!("a document in `schemas` is wrong: {error}"))?;
                }
                _ => {
                    let message = "`schemas` takes names such as `aws@7.0.0`, and whole schemas";
                    return Err(message.to_owned());
                }
            }
        }
        Ok(own)
    }
}

impl Loader for OwnSchemas {
    fn find(&self, request: &PackageRequest) -> Result<Arc<Package>, LoadError> {
        if let Ok(found) = self.documents.find(request) {
            return Ok(found);
        }
        match self.versions.get(request.name()) {
            Some(version) if request.version().is_none() => {
                self.shared.find(&request.clone().with_version(version.clone()))
            }
            _ => self.shared.find(request),
        }
    }

    fn names(&self) -> Vec<String> {
        let mut names = self.shared.names();
        names.extend(self.documents.names());
        names.sort();
        names.dedup();
        names
    }
}

fn record(language: Language, report: &Report, files: BTreeMap<String, String>) -> Record {
    let severity = match report.diagnostics.iter().map(|it| it.severity).max() {
        Some(Level::Bug) => Severity::Fatal,
        _ if files.is_empty() => Severity::Failure,
        Some(_) => Severity::Warning,
        None => Severity::Success,
    };
    let worst = report.diagnostics.iter().find(|it| it.is_error());
    let reason = worst.or(report.diagnostics.first());
    let reason = reason.map(|it| format!("{} {}: {}", it.code.id(), it.code.name(), it.message));
    let diagnostics = rendered(report);
    Record { language: Some(language), severity, files, diagnostics, reason }
}

/// The diagnostics of a report as JSON.
fn rendered(report: &Report) -> Value {
    if report.diagnostics.is_empty() {
        return Value::Array(Vec::new());
    }
    let bytes = Format::Json.render(report, Look::default());
    let mut document: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    document.pointer_mut("/programs/0/diagnostics").map(Value::take).unwrap_or_default()
}

/// The record of a program that is not checked or not converted.
fn refused(language: Language, refusal: &Refusal) -> Record {
    let mut sources = SourceMap::new();
    let span = Span::new(sources.add("main.pp", ""), TextRange::empty(0));
    let diagnostic = match refusal {
        Refusal::Settings(message) => {
            Diagnostic::error(Code::InvalidConfiguration, span, message.as_str())
        }
        Refusal::Bug(message) => Diagnostic::bug(span, message.as_str()),
    };
    record(language, &Report::new("main.pp", sources, [diagnostic]), BTreeMap::new())
}

/// The record of a text that is no program.
fn unread(problem: &Problem, line: Option<usize>) -> Record {
    let name = line.map_or_else(|| "batch".to_owned(), |line| format!("batch:{line}"));
    let mut sources = SourceMap::new();
    let text = Some(&*problem.text).filter(|text| text.len() <= MAX_SHOWN).unwrap_or_default();
    let at = (0..=problem.at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or_default();
    let file = sources.add(name.as_str(), text);
    let span = Span::new(file, TextRange::empty(at as u32));
    let diagnostic = Diagnostic::error(Code::UnreadableSource, span, problem.message.as_str());
    let report = Report::new(name, sources, [diagnostic]);
    let record = record(Language::Yaml, &report, BTreeMap::new());
    Record { language: None, ..record }
}
