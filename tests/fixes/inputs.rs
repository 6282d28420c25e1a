//! The programs whose fixes are applied.

use std::path::{Path, PathBuf};

use pcl::binder::{Lints, Options};
use pcl::{SchemaPlaces, Settings, Workspace};

use crate::MUTANTS;
use pcl_test_support::corpora::Corpus;
use pcl_test_support::fixes::Program;
use pcl_test_support::programs::{DOCUMENT, pages, programs};
use pcl_test_support::{SCHEMAS, root, sorted};

/// Programs for the places that no other program reaches without a mutation, and mutants for which
/// a safe fix once broke its promises.
const FURTHER: [&str; 21] = [
    "a = 1\rb = 2\n",
    "a = 1\u{200b}\n",
    "a =\u{a0}1\n",
    "a = \"b\rc\"\n",
    "a = \"it\\'s\"\n",
    "a = [for b in [1] : b\nc = 2\n",
    "a = \"b",
    "a b \"x:y:Z' {\n}\n",
    "a b x:y:Z {\n}\n",
    "a = (1]\n",
    "a = b[*\nc = 2\n",
    "a = b[*)\n",
    "a = b[0)\n",
    "a = f(1]\n",
    "package {\n  baseProviderName = \"a\"\n  parameterisation {}\n}\n",
    "resource \"a\" \"b:c:D\" {\n  option {}\n}\n",
    "hook \"resourc\" \"a\" {\n  command = [\"b\"]\n}\n",
    "hook \"resource\" \"a\" {\n  comand = [\"b\"]\n}\n",
    "package \"a\" { }\npackage {\"b\" \"c\" {             # d\n\n ",
    "resource a \"b:c:D\"\" {\n# d\" {\n    e = 1\n    f == \"${(\"g\"\n)}\"\n  }\n}\n",
    "output \"url\" = \"x\"\n",
];

/// Programs that share a workspace.
pub struct Set {
    pub workspace: Workspace,
    /// The number of mutants of each program in a run.
    pub mutants: usize,
    pub programs: Vec<Program>,
}

impl Set {
    fn new(schemas: Vec<PathBuf>, programs: Vec<Program>) -> Self {
        let settings = Settings {
            options: Options {
                lints: Lints::all(),
                ..Options::default()
            },
            schemas: SchemaPlaces {
                directories: schemas,
                beside_programs: true,
                ..SchemaPlaces::default()
            },
            ..Settings::default()
        };
        Self {
            workspace: Workspace::new(settings),
            mutants: MUTANTS,
            programs,
        }
    }

    fn corpus(corpus: Corpus) -> Self {
        let programs = corpus.programs.iter();
        let programs = programs.filter_map(|path| read(path));
        Self::new(corpus.schemas, programs.collect())
    }

    /// One of `nth` programs of the set, without mutants.
    fn part(mut self, nth: usize) -> Self {
        self.programs = self.programs.into_iter().step_by(nth).collect();
        self.mutants = 0;
        self
    }
}

/// The corpus, the pages of the catalogue and of the specification, and the programs beside the
/// checkout: all, or a part of them.
pub fn sets(all: bool, scratch: &Path) -> Vec<Set> {
    let mut sets = vec![Set::corpus(Corpus::own())];
    let further = FURTHER.map(|text| Program {
        name: text.to_owned(),
        directory: scratch.to_owned(),
        files: vec![("main.pp".to_owned(), text.to_owned())],
    });
    sets.push(Set::new(Vec::new(), further.into()));
    for folder in ["diagnostics/pages", "tests/spec"] {
        for page in pages(&root().join(folder)) {
            of_page(&page, scratch, &mut sets);
        }
    }
    let shared = Corpus::shared().map(Set::corpus);
    sets.extend(shared.map(|set| if all { set } else { set.part(8) }));
    sets
}

/// Adds the programs of a page, each with the schemas that it knows.
fn of_page(page: &Path, scratch: &Path, sets: &mut Vec<Set>) {
    let name = page.strip_prefix(root()).unwrap_or(page);
    let name = name.display().to_string();
    let text = std::fs::read_to_string(page).expect("a page is text");
    for program in programs(&name, &text) {
        if program.files.contains_key(DOCUMENT) {
            continue;
        }
        let directory = scratch.join(sets.len().to_string());
        let (directory, schemas) = program.write(&directory);
        let mut found = Vec::new();
        below(&directory, &mut found);
        for found in &mut found {
            found.name = format!("{name}:{}", program.line);
        }
        sets.push(Set::new(vec![schemas, root().join(SCHEMAS)], found));
    }
}

/// Adds the programs in and below a directory.
fn below(directory: &Path, programs: &mut Vec<Program>) {
    programs.extend(read(directory));
    for path in sorted(directory).into_iter().filter(|path| path.is_dir()) {
        below(&path, programs);
    }
}

/// The `.pp` files of a directory, or one of them. `None` when there are none that are text.
fn read(path: &Path) -> Option<Program> {
    let (directory, paths) = match path.is_dir() {
        true => (path.to_owned(), sorted(path)),
        false => (path.parent()?.to_owned(), vec![path.to_owned()]),
    };
    let is_source = |path: &PathBuf| path.extension().is_some_and(|e| e == "pp");
    let files = paths.into_iter().filter(is_source).filter_map(|path| {
        let text = std::fs::read_to_string(&path).ok()?;
        Some((path.file_name()?.to_string_lossy().into_owned(), text))
    });
    let files: Vec<_> = files.collect();
    let name = path.strip_prefix(root()).unwrap_or(path);
    (!files.is_empty()).then(|| Program {
        name: name.display().to_string(),
        directory,
        files,
    })
}
