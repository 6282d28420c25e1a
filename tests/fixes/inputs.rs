//! The programs whose fixes are applied.

use std::path::{Path, PathBuf};

use pcl::binder::{Lints, Options};
use pcl::{SchemaPlaces, Settings, Workspace};

use crate::MUTANTS;
use pcl_test_support::corpora::Corpus;
use pcl_test_support::fixes::Program;
use pcl_test_support::programs::{DOCUMENT, pages, programs};
use pcl_test_support::{SCHEMAS, root, sorted, write};
use serde_json::Value;

/// Programs for the places that no other program reaches without a mutation, and mutants for which
/// a safe fix once broke its promises.
const FURTHER: [&str; 22] = [
    "a = 1\rb = 2\n",
    "a = 1\u{200b}\n",
    "a =\u{a0}1\n",
    "a = \"b\rc\"\n",
    "config \"a\" \"string\r\" {}\n",
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
    pub fn new(schemas: Vec<PathBuf>, programs: Vec<Program>) -> Self {
        let settings = Settings {
            options: Options { lints: Lints::all(), ..Options::default() },
            schemas: SchemaPlaces {
                directories: schemas,
                beside_programs: true,
                ..SchemaPlaces::default()
            },
            ..Settings::default()
        };
        Self { workspace: Workspace::new(settings), mutants: MUTANTS, programs }
    }

    fn corpus(corpus: Corpus) -> Self {
        let programs = corpus.programs.iter();
        let programs = programs.filter_map(|path| Program::read(path));
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
        original: None,
    });
    sets.push(Set::new(Vec::new(), further.into()));
    for folder in ["diagnostics/pages", "tests/spec"] {
        for page in pages(&root().join(folder)) {
            of_page(&page, scratch, &mut sets);
        }
    }
    of_page(&root().join("tests/fixes/newcomer.md"), scratch, &mut sets);
    let shared = Corpus::shared();
    if let Some(shared) = &shared {
        let mistakes = mistakes(&root().join("../shared/review/mistakes.json"), scratch);
        let set = Set::new(shared.schemas.clone(), mistakes);
        sets.push(if all { set } else { set.part(2) });
    }
    let shared = shared.map(Set::corpus);
    sets.extend(shared.map(|set| if all { set } else { set.part(8) }));
    if let Ok(only) = std::env::var("PCL_FIX_ONLY") {
        for set in &mut sets {
            set.programs.retain(|program| program.name.contains(&only));
        }
    }
    sets
}

/// The programs with one mistake each of a file beside the checkout.
fn mistakes(path: &Path, scratch: &Path) -> Vec<Program> {
    let text = std::fs::read_to_string(path).expect("the mistakes are beside the checkout");
    let data: Value = serde_json::from_str(&text).expect("the mistakes are JSON");
    let cases = data["mistakes"].as_array().expect("they are a list");
    let programs = cases.iter().map(|case| {
        let text = |name: &str| case[name].as_str().expect("a case has texts");
        let (id, old, new) = (text("id"), text("old"), text("new"));
        let files = data["programs"][text("program")].as_object();
        let directory = scratch.join(id);
        let mut program = Program {
            name: id.to_owned(),
            directory: directory.clone(),
            files: Vec::new(),
            original: None,
        };
        for (name, contents) in files.expect("a program has files") {
            let contents = contents.as_str().expect("a file is text");
            if name.contains('/') {
                write(&directory.join(name), contents)
            } else {
                let contents = contents.replacen(old, new, 1);
                program.files.push((name.clone(), contents));
            }
        }
        program
    });
    programs.collect()
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
    programs.extend(Program::read(directory));
    for path in sorted(directory).into_iter().filter(|path| path.is_dir()) {
        below(&path, programs);
    }
}
