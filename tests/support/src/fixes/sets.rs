//! Programs that share a workspace.

use std::path::{Path, PathBuf};

use pcl::binder::Options;
use pcl::{SchemaPlaces, Settings, Workspace};

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
