//! Programs that share a workspace.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pcl::binder::{OpenFiles, Options};
use pcl::diagnostics::{Patch, SourceMap, TextEdit};
use pcl::{Checked, SchemaPlaces, Settings, Target, Workspace};

use super::Program;
use crate::corpora::Corpus;
use crate::programs::{DOCUMENT, programs};
use crate::{SCHEMAS, root, sorted};

/// Programs, and the workspace that checks them.
pub struct Set {
    pub workspace: Workspace,
    pub programs: Vec<Program>,
}

impl Set {
    /// Checks a program with edits of its files, and with further files by path.
    pub fn check_edited(
        &self,
        target: &Target,
        sources: &SourceMap,
        edits: &[TextEdit],
        created: &[(&str, &str)],
    ) -> Checked {
        let mut patch = Patch::default();
        assert!(patch.add(sources, edits), "{edits:?}");
        let mut open = OpenFiles::default();
        for file in patch.files() {
            let tree = pcl::syntax::parse(patch.text(sources, file));
            open.insert(sources.path(file), Arc::new(tree));
        }
        for (path, text) in created {
            open.insert(*path, Arc::new(pcl::syntax::parse(*text)));
        }
        self.workspace.check_open(target, &Arc::new(open))
    }

    pub fn new(options: Options, schemas: Vec<PathBuf>, programs: Vec<Program>) -> Self {
        let settings = Settings {
            options,
            schemas: SchemaPlaces {
                directories: schemas,
                beside_programs: true,
                ..SchemaPlaces::default()
            },
            ..Settings::default()
        };
        Self { workspace: Workspace::new(settings), programs }
    }

    /// The programs of a corpus that are text.
    pub fn corpus(options: Options, corpus: Corpus) -> Self {
        let programs = corpus.programs.iter().filter_map(|path| Program::read(path));
        Self::new(options, corpus.schemas, programs.collect())
    }

    /// The programs of a page, each with the schemas that it knows: its own, and those of the
    /// folder `schemas` beside the page or else of the corpus. `scratch` is a directory for them.
    pub fn page(options: &Options, page: &Path, scratch: &Path) -> Vec<Self> {
        let name = page.strip_prefix(root()).unwrap_or(page).display().to_string();
        let text = std::fs::read_to_string(page).expect("a page is text");
        let beside = page.with_file_name("schemas");
        let common = if beside.is_dir() { beside } else { root().join(SCHEMAS) };
        let programs = programs(&name, &text).into_iter();
        let programs = programs.filter(|program| !program.files.contains_key(DOCUMENT));
        let sets = programs.map(|program| {
            let directory = scratch.join(format!("{}-{}", name.replace('/', "-"), program.line));
            let (directory, schemas) = program.write(&directory);
            let mut found = Vec::new();
            below(&directory, &mut found);
            for found in &mut found {
                found.name = format!("{name}:{}", program.line);
            }
            Self::new(options.clone(), vec![schemas, common.clone()], found)
        });
        sets.collect()
    }
}

/// Adds the programs in and below a directory.
fn below(directory: &Path, programs: &mut Vec<Program>) {
    programs.extend(Program::read(directory));
    for path in sorted(directory).into_iter().filter(|path| path.is_dir()) {
        below(&path, programs);
    }
}
