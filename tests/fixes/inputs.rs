//! The programs whose fixes are applied.

use std::path::{Path, PathBuf};

use pcl::Workspace;
use pcl::binder::{Lints, Options};

use crate::MUTANTS;
use pcl_test_support::corpora::Corpus;
use pcl_test_support::fixes::{self, Program};
use pcl_test_support::programs::pages;
use pcl_test_support::{root, write};
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

/// Programs that share a workspace, with all lints.
pub struct Set {
    pub workspace: Workspace,
    /// The number of mutants of each program in a run.
    pub mutants: usize,
    pub programs: Vec<Program>,
}

impl From<fixes::Set> for Set {
    fn from(set: fixes::Set) -> Self {
        Self { workspace: set.workspace, mutants: MUTANTS, programs: set.programs }
    }
}

impl Set {
    /// Programs with schemas, checked with all lints.
    pub fn new(schemas: Vec<PathBuf>, programs: Vec<Program>) -> Self {
        fixes::Set::new(options(), schemas, programs).into()
    }

    /// One of `nth` programs of the set, without mutants.
    fn part(mut self, nth: usize) -> Self {
        self.programs = self.programs.into_iter().step_by(nth).collect();
        self.mutants = 0;
        self
    }
}

fn options() -> Options {
    Options { lints: Lints::all(), ..Options::default() }
}

/// The corpus, the pages of the catalogue and of the specification, and the programs beside the
/// checkout: all, or a part of them.
pub fn sets(all: bool, scratch: &Path) -> Vec<Set> {
    let options = options();
    let corpus = |corpus| Set::from(fixes::Set::corpus(options.clone(), corpus));
    let mut sets = vec![corpus(Corpus::own())];
    let further = FURTHER.map(|text| Program {
        name: text.to_owned(),
        directory: scratch.to_owned(),
        files: vec![("main.pp".to_owned(), text.to_owned())],
        original: None,
    });
    sets.push(Set::new(Vec::new(), further.into()));
    for folder in ["diagnostics/pages", "tests/spec", "tests/newcomers"] {
        for page in pages(&root().join(folder)) {
            sets.extend(fixes::Set::page(&options, &page, scratch).into_iter().map(Set::from));
        }
    }
    let newcomer = root().join("tests/fixes/newcomer.md");
    sets.extend(fixes::Set::page(&options, &newcomer, scratch).into_iter().map(Set::from));
    let shared = Corpus::shared();
    if let Some(shared) = &shared {
        let mistakes = mistakes(&root().join("../shared/review/mistakes.json"), scratch);
        let set = Set::new(shared.schemas.clone(), mistakes);
        sets.push(if all { set } else { set.part(2) });
    }
    let shared = shared.map(corpus);
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
