//! The programs of the open documents, checked when someone asks about them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pcl::config::{Configuration, Discovery};
use pcl::schema::EditedTexts;
use pcl::{Settings, Target, Workspace};
use pcl_ide::Analysis;

use crate::convert;
use crate::documents::{Document, Documents};

/// The name of a program: its directory, or the path of a document that is a program by itself.
pub type Name = String;

/// The settings that a configuration and the flags of the command make up.
pub type MakeSettings<'e> = dyn Fn(&Configuration) -> Settings + Send + 'e;

/// The programs that were checked, and the workspaces that check them.
pub struct Programs<'e> {
    /// The settings that are stronger than those of files.
    pub base: Configuration,
    is_isolated: bool,
    settings: Box<MakeSettings<'e>>,
    /// The configurations of programs.
    pub discovery: Discovery,
    /// The texts of open schemas and configuration files, which count instead of those on disk.
    pub edited: Arc<EditedTexts>,
    /// The workspaces by the file that configures them.
    workspaces: HashMap<Option<PathBuf>, Arc<Workspace>>,
    checked: BTreeMap<Name, Analysis>,
    /// The names of those that have components. A changed file is looked up by name, and then in
    /// these alone: to visit all checked programs for each closed document is quadratic.
    composed: BTreeSet<Name>,
}

/// Returns true if the directory of a component of a program is a wanted one.
fn has_component(program: &Analysis, is_wanted: impl Fn(&str) -> bool) -> bool {
    let components = &program.checked.program.components;
    components.iter().any(|component| is_wanted(&component.display))
}

impl<'e> Programs<'e> {
    /// No programs yet.
    pub fn new(base: Configuration, is_isolated: bool, settings: Box<MakeSettings<'e>>) -> Self {
        Self {
            discovery: Discovery::new(base.clone(), is_isolated),
            base,
            is_isolated,
            settings,
            edited: Arc::default(),
            workspaces: HashMap::new(),
            checked: BTreeMap::new(),
            composed: BTreeSet::new(),
        }
    }

    /// The name of the program that a document is part of.
    pub fn name_of(document: &Document) -> Name {
        if document.is_program_file() {
            convert::directory(&document.path)
        } else {
            document.path.clone()
        }
    }

    /// Returns true if the workspace of a program has not been used, so that schemas may have to be
    /// loaded.
    pub fn is_cold(&self, name: &str) -> bool {
        let configuration = self.discovery.of(Path::new(name));
        let file = configuration.file().map(Path::to_path_buf);
        !self.workspaces.contains_key(&file)
    }

    /// A program as it is now, checked if it changed.
    pub fn get(&mut self, name: &str, documents: &Documents) -> &mut Analysis {
        let known = self.checked.remove(name);
        let analysis = known.unwrap_or_else(|| self.check(name, documents));
        if !analysis.checked.program.components.is_empty() {
            self.composed.insert(name.to_owned());
        }
        self.checked.entry(name.to_owned()).or_insert(analysis)
    }

    /// The workspace that checks a program.
    pub fn workspace(&mut self, name: &str) -> Arc<Workspace> {
        let configuration = self.discovery.of(Path::new(name));
        let file = configuration.file().map(Path::to_path_buf);
        let workspace = self.workspaces.entry(file).or_insert_with(|| {
            let mut settings = (self.settings)(&configuration);
            settings.schemas.edited = Arc::clone(&self.edited);
            Arc::new(Workspace::new(settings))
        });
        Arc::clone(workspace)
    }

    /// The program of a name, for a workspace.
    pub fn target(name: &str, documents: &Documents) -> Target {
        let own = documents.of_path(name);
        match own.filter(|document| !document.is_program_file()) {
            None => Target::Path(PathBuf::from(name)),
            Some(document) => Target::Memory {
                path: name.to_owned(),
                directory: document
                    .is_file
                    .then(|| PathBuf::from(convert::directory(&document.path))),
                files: vec![(name.to_owned(), document.tree.bytes().to_vec())],
            },
        }
    }

    fn check(&mut self, name: &str, documents: &Documents) -> Analysis {
        let target = Self::target(name, documents);
        let workspace = self.workspace(name);
        let mut checked = workspace.check_open(&target, documents.files());
        if !self.is_configured(name) {
            // What is not known to be meant is not reported, and has no fixes.
            checked.diagnostics.clear();
        }
        Analysis::new(checked)
    }

    /// Returns true if the file that configures a program, if there is one, is valid.
    pub fn is_configured(&self, name: &str) -> bool {
        self.discovery.is_valid(Path::new(name))
    }

    /// Forgets the programs that some files are part of, as the program's or a component's.
    pub fn forget_files<'p>(&mut self, paths: impl IntoIterator<Item = &'p str>) {
        let paths: HashSet<&str> = paths.into_iter().collect();
        let directories: HashSet<String> =
            paths.iter().map(|path| convert::directory(path)).collect();
        for name in paths.into_iter().chain(directories.iter().map(String::as_str)) {
            self.checked.remove(name);
        }
        let checked = &mut self.checked;
        self.composed.retain(|name| {
            let Some(program) = checked.get(name) else { return false };
            let is_stale = has_component(program, |directory| directories.contains(directory));
            if is_stale {
                checked.remove(name);
            }
            !is_stale
        });
    }

    /// Forgets all programs, as after a panic.
    pub fn forget_programs(&mut self) {
        self.checked.clear();
        self.composed.clear();
    }

    /// Forgets what depends on schemas, as after a change of one.
    pub fn forget_schemas(&mut self) {
        self.forget_programs();
        self.workspaces.clear();
    }

    /// Forgets everything that was read from disk, as after a change of a configuration.
    pub fn forget_all(&mut self) {
        self.forget_schemas();
        let discovery = Discovery::new(self.base.clone(), self.is_isolated);
        self.discovery = discovery.with_edited(Arc::clone(&self.edited));
    }

    /// Changes the settings that are stronger than those of files.
    pub fn configure(&mut self, base: Configuration) {
        self.base = base;
        self.forget_all();
    }

    /// The programs that were checked and contain a directory, as their own or a component's.
    pub fn users_of(&self, directory: &str) -> Vec<Name> {
        let own = self.checked.get_key_value(directory).map(|(name, _)| name.clone());
        let is_user = |name: &&Name| {
            let program = self.checked.get(*name);
            program.is_some_and(|program| has_component(program, |own| own == directory))
        };
        own.into_iter().chain(self.composed.iter().filter(is_user).cloned()).collect()
    }
}
