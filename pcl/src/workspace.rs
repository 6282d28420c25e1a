//! Checking programs that share settings and schemas.

use std::collections::HashMap;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use pcl_binder::{Bound, Lints, OpenFiles, Options, Program, Sources, package_requests};
use pcl_diagnostics::{Code, Compat, Diagnostic, Level, Reporter, Severity, SourceMap};
use pcl_schema::{ChainLoader, Loader};

use crate::component_package::{ComponentPackage, Interface, InterfaceCheck};
use crate::document::{Document, DocumentOptions};
use crate::fix::adopt_line_ends;
use crate::fix::doubt_fixes;
use crate::project::{oldest_of_project, project_of};
use crate::renames::keep_names_apart;
use crate::render::{Report, ReportSettings};
use crate::schemas::{SchemaPlaces, Schemas};
use crate::whole_program::explain_names_of_other_files;

/// The settings that all checks of a [`Workspace`] share. The default is strict and knows no
/// schema.
#[derive(Clone, Default, Debug)]
pub struct Settings {
    /// The options for binding. Unless they name a project directory, that of each program is found
    /// by its project file.
    pub options: Options,
    /// The places of schemas.
    pub schemas: SchemaPlaces,
    /// The number of threads that may check programs or load the packages of one; `None` for as
    /// many as the machine runs at once.
    pub threads: Option<NonZeroUsize>,
    /// The settings of the reports.
    pub reports: ReportSettings,
    /// Programs are not tried: they run next, with the configuration of a stack, or only their form
    /// matters.
    pub untried: bool,
    /// A directory without program files is an empty program, as it is for Pulumi, with a warning.
    pub takes_empty: bool,
}

/// A program to check.
#[derive(Clone, Debug)]
pub enum Target {
    /// A directory whose `.pp` files are one program, or one file that is a program by itself.
    Path(PathBuf),
    /// A program in memory.
    Memory {
        /// The path that is shown.
        path: String,
        /// The directory that components and schemas are loaded from, if any.
        directory: Option<PathBuf>,
        /// Names and contents of its files.
        files: Vec<(String, Vec<u8>)>,
    },
}

impl Target {
    /// A program in memory of one file, without a directory.
    pub fn text(name: impl Into<String>, text: impl Into<String>) -> Self {
        let (name, text) = (name.into(), text.into());
        Self::Memory { path: name.clone(), directory: None, files: vec![(name, text.into_bytes())] }
    }

    /// The program as people named it.
    pub fn display(&self) -> String {
        match self {
            Self::Path(path) => pcl_system::shown(path),
            Self::Memory { path, .. } => path.clone(),
        }
    }

    /// The place of the program on disk: its file or directory, or the directory that a program in
    /// memory belongs to.
    pub fn place(&self) -> Option<&Path> {
        match self {
            Self::Path(path) => Some(path),
            Self::Memory { directory, .. } => directory.as_deref(),
        }
    }

    /// Reads and parses the files, except for those in `open`. What cannot be read is a diagnostic.
    pub fn read(&self, open: &OpenFiles, map: &mut SourceMap) -> (Sources, Vec<Diagnostic>) {
        match self {
            Self::Path(place) if is_directory(place, open) => {
                Sources::read_directory(place, &self.display(), open, map)
            }
            Self::Path(place) => Sources::read_file(place, &self.display(), open, map),
            Self::Memory { directory, files, .. } => {
                let tree = |(name, text): &(String, Vec<u8>)| match open.get(name) {
                    Some(tree) => (name.clone(), Arc::clone(tree)),
                    None => (name.clone(), Arc::new(pcl_newcomers::parse_bytes(text.clone()))),
                };
                let mut sources = Sources::from_trees(files.iter().map(tree), map);
                sources.directory.clone_from(directory);
                let shown = directory.as_deref().map(pcl_system::shown);
                sources.display = shown.unwrap_or_default();
                (sources, Vec::new())
            }
        }
    }
}

/// A checked program.
#[derive(Clone)]
pub struct Checked {
    /// The diagnostics that are to be shown, in the order of the text, and the files of the
    /// program.
    pub report: Report,
    /// The bound program. It always exists: parts that failed to bind have the error type.
    pub program: Program,
}

crate::render::reported!(Checked);

impl Checked {
    /// The whole model as plain data, for code generators.
    pub fn document(&self) -> Document {
        self.document_with(&DocumentOptions::default())
    }

    /// The same, with more in it.
    pub fn document_with(&self, options: &DocumentOptions) -> Document {
        Document::of(self, options)
    }
}

/// Checks programs that share settings and schemas. One workspace serves all threads: see
/// [`in_order`](crate::in_order).
pub struct Workspace {
    settings: Settings,
    schemas: Schemas,
    /// The surroundings of programs by directory.
    surroundings: Mutex<HashMap<OsString, Surroundings>>,
    /// The packages of components by directory.
    packages: Mutex<HashMap<OsString, Option<Arc<ComponentPackage>>>>,
}

/// The parts of a check that depend on the directory of a program alone.
#[derive(Clone)]
struct Surroundings {
    project: Option<PathBuf>,
    loader: Arc<ChainLoader>,
}

impl Workspace {
    /// A workspace with these settings. Schemas are loaded when a program needs them.
    pub fn new(settings: Settings) -> Self {
        let schemas = Schemas::new(settings.schemas.clone());
        Self { settings, schemas, surroundings: Mutex::default(), packages: Mutex::default() }
    }

    /// A workspace for the programs of packages, while the schemas of these are being inferred.
    pub(crate) fn within(settings: Settings, packages: Vec<PathBuf>) -> Self {
        let schemas = Schemas::within(settings.schemas.clone(), packages);
        Self { schemas, ..Self::new(settings) }
    }

    /// Adds a source of schemas that takes precedence over the places in the settings.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use pcl::{Settings, Target, Workspace, schema::MemoryLoader};
    ///
    /// let mut schemas = MemoryLoader::default();
    /// schemas.add(r#"{ "name": "zoo", "resources": { "zoo:index:Cage": {
    ///     "inputProperties": { "bars": { "type": "integer" } }, "requiredInputs": ["bars"] } } }"#)?;
    /// let workspace = Workspace::new(Settings::default()).with_loader(Arc::new(schemas));
    ///
    /// let program = "resource cage \"zoo:index:Cage\" {\n  bars = 12\n}\n";
    /// assert!(workspace.check(&Target::text("main.pp", program)).is_valid());
    /// # Ok::<(), pcl::schema::DocumentError>(())
    /// ```
    #[must_use]
    pub fn with_loader(mut self, loader: Arc<dyn Loader>) -> Self {
        self.schemas.supplied.push(loader);
        self.surroundings = Mutex::default();
        self
    }

    /// The number of threads in the settings; by default as many as the machine runs at once.
    pub fn threads(&self) -> NonZeroUsize {
        let machine = || std::thread::available_parallelism().ok();
        let threads = self.settings.threads.or_else(machine);
        threads.unwrap_or(NonZeroUsize::MIN)
    }

    /// The files in the settings whose text counts instead of the one on disk.
    pub(crate) fn open_files(&self) -> &Arc<OpenFiles> {
        &self.settings.options.open_files
    }

    /// The project and the loader of programs in a directory, which are looked for once.
    fn surroundings(&self, directory: Option<&Path>) -> Surroundings {
        let find = || {
            let project = directory.and_then(project_of);
            let loader = self.schemas.loader(directory, project.as_deref());
            Surroundings { project, loader }
        };
        let Some(directory) = directory else { return find() };
        let known = || self.surroundings.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known().get(directory.as_os_str()) {
            return known.clone();
        }
        let found = find();
        known().insert(directory.as_os_str().to_owned(), found.clone());
        found
    }

    /// Parses, checks and binds one program. Whatever is wrong with it, its files included, is a
    /// diagnostic.
    pub fn check(&self, target: &Target) -> Checked {
        self.check_open(target, &self.settings.options.open_files)
    }

    /// Checks one program with other texts for some of its files and of those of its components.
    /// An editor's edits become trees by [`SyntaxTree::edit`](pcl_syntax::SyntaxTree::edit).
    ///
    /// ```
    /// use std::sync::Arc;
    /// use pcl::binder::OpenFiles;
    /// use pcl::{Settings, Target, Workspace};
    ///
    /// let directory = tempfile::tempdir()?;
    /// let path = directory.path().join("main.pp");
    /// std::fs::write(&path, "size = lenght([1, 2])\n")?;
    ///
    /// let mut open = OpenFiles::default();
    /// let shown = path.to_string_lossy();
    /// open.insert(shown, Arc::new(pcl::syntax::parse("size = length([1, 2])\n")));
    /// let workspace = Workspace::new(Settings::default());
    /// let target = Target::Path(directory.path().to_path_buf());
    /// assert!(!workspace.check(&target).is_valid());
    /// assert!(workspace.check_open(&target, &Arc::new(open)).is_valid());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn check_open(&self, target: &Target, open: &Arc<OpenFiles>) -> Checked {
        let package = self.package_around(target, open);
        self.check_in(target, open, package.as_deref()).0
    }

    /// Checks a directory of a package of components. A component has an interface.
    pub(crate) fn check_component(
        &self,
        target: &Target,
        package: &ComponentPackage,
    ) -> (Checked, Option<Interface>) {
        self.check_in(target, &self.settings.options.open_files, Some(package))
    }

    /// The package of components that a program belongs to, which is looked for once.
    fn package_around(&self, target: &Target, open: &OpenFiles) -> Option<Arc<ComponentPackage>> {
        let place = target.place().filter(|_| !open.is_without_disk())?;
        let directory = match target {
            Target::Path(place) if !is_directory(place, open) => pcl_system::directory_of(place),
            _ => place,
        };
        let root = ComponentPackage::root_of(directory)?;
        let mut packages = self.packages.lock().unwrap_or_else(PoisonError::into_inner);
        let known = packages.entry(root.clone().into_os_string());
        known.or_insert_with(|| ComponentPackage::find(&root).map(Arc::new)).clone()
    }

    fn check_in(
        &self,
        target: &Target,
        open: &Arc<OpenFiles>,
        package: Option<&ComponentPackage>,
    ) -> (Checked, Option<Interface>) {
        let path = target.display();
        let mut map = SourceMap::new();
        let (mut sources, mut unread) = target.read(open, &mut map);
        if self.settings.options.policy.compat == Compat::None {
            // Pulumi reads any file as PCL.
            sources.refuse_foreign();
        }

        let place = sources.directory.as_deref();
        let place = place.filter(|_| !open.is_without_disk());
        let mut options = self.settings.options.clone();
        options.open_files = Arc::clone(open);
        let mut interface = package.map(|package| {
            let whole = match target {
                Target::Path(place) => Some(place.as_path()).filter(|it| is_directory(it, open)),
                Target::Memory { .. } => None,
            };
            let check = InterfaceCheck::new(package, whole, &mut map);
            package.prepare(check.role(), &mut options);
            check
        });
        if interface.as_ref().is_some_and(InterfaceCheck::takes_empty) {
            unread.retain(|diagnostic| diagnostic.code != Code::NoProgramFiles);
        }
        let Surroundings { project, loader } = self.surroundings(place);
        let requests = package_requests(&sources, &options);
        self.schemas.load_together(&loader, requests, self.threads());
        let mut reporter = Reporter::new(options.policy.clone());
        if options.oldest.is_none()
            && let (Some(project), Some(own)) = (&project, &sources.directory)
        {
            options.oldest = oldest_of_project(project, own, &mut map, &mut reporter);
        }
        options.project_directory = options.project_directory.or(project);
        choose_lints(&mut options);

        for diagnostic in unread {
            let is_taken = self.settings.takes_empty && diagnostic.code == Code::NoProgramFiles;
            let severity = if is_taken { Severity::Warning } else { diagnostic.severity };
            reporter.report(diagnostic.with_severity(severity));
        }
        let readable = reporter.tally().unread == 0;
        let is_tried = readable && !self.settings.untried && options.policy.compat == Compat::None;
        let further = interface.as_mut();
        let Bound { program, diagnostics: bound, tally } = if is_tried {
            bind_and_try(&sources, &mut map, loader, &options, place, further)
        } else {
            bind_untried(&sources, &mut map, loader, &options, further)
        };
        let readable = readable && tally.unread == 0;
        let mut diagnostics = reporter.into_diagnostics();
        diagnostics.extend(bound);
        pcl_diagnostics::sort(&mut diagnostics);
        if let Target::Path(place) = target
            && options.policy.compat == Compat::None
            && !diagnostics.is_empty()
            && !open.is_without_disk()
            && !is_directory(place, open)
        {
            diagnostics = explain_names_of_other_files(place, &map, diagnostics);
        }
        doubt_fixes(&mut diagnostics, &program);
        keep_names_apart(&mut diagnostics, &program);
        adopt_line_ends(&mut diagnostics, &map);
        let report = Report {
            path,
            sources: map,
            diagnostics,
            readable,
            on_disk: target.place().is_some() && !open.is_without_disk(),
            settings: self.settings.reports.clone(),
        };
        let interface = interface.and_then(|check| check.interface);
        (Checked { report, program }, interface)
    }
}

/// Switches on the lints whose levels are set.
fn choose_lints(options: &mut Options) {
    let files = options.policy.files.as_ref();
    for code in Lints::codes() {
        let level = options.policy.levels.get(code);
        if files.is_some_and(|files| files.runs_somewhere(code)) {
            options.lints.set(code, true);
        } else if let Some(level) = level {
            options.lints.set(code, level != Level::Ignore);
        }
    }
}

/// Binds a program without trying it.
fn bind_untried(
    sources: &Sources,
    map: &mut SourceMap,
    loader: Arc<dyn Loader>,
    options: &Options,
    interface: Option<&mut InterfaceCheck<'_>>,
) -> Bound {
    match interface {
        Some(interface) => pcl_binder::bind_and_examine(sources, map, loader, options, interface),
        None => pcl_binder::bind(sources, map, loader, options),
    }
}

#[cfg(feature = "run")]
use crate::trial::bind_and_try;

/// Without evaluation, no program is tried.
#[cfg(not(feature = "run"))]
fn bind_and_try(
    sources: &Sources,
    map: &mut SourceMap,
    loader: Arc<dyn Loader>,
    options: &Options,
    _: Option<&Path>,
    interface: Option<&mut InterfaceCheck<'_>>,
) -> Bound {
    bind_untried(sources, map, loader, options, interface)
}

/// A path that is not there is taken for a directory unless it looks like a file.
fn is_directory(path: &Path, open: &OpenFiles) -> bool {
    let looks_so = || path.extension().is_none_or(|extension| extension != "pp");
    match path.metadata() {
        Ok(metadata) if !open.is_without_disk() => metadata.is_dir(),
        _ => open.has_directory(&pcl_system::shown(path)) || looks_so(),
    }
}

/// The types that embedders share between threads or move to other threads.
const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<Workspace>();
    shared::<Settings>();
    shared::<Target>();
    shared::<Checked>();
    shared::<Document>();
    shared::<Diagnostic>();
};
