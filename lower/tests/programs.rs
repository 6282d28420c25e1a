//! Every pass over every program of the corpora: nothing panics, and what holds of expressions holds of those that come out.

mod support;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pcl_binder::{Options, Program, Sources, bind};
use pcl_diagnostics::{Diagnostic, SourceMap};
use pcl_lower::expression::Applies;
use pcl_model::expression::print;
use pcl_schema::{DirectoryLoader, Loader};
use support::{World, outermost};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn our_programs_are_lowered() {
    let corpus = root().join("corpus");
    let mut tour = Tour::new([corpus.join("schemas")]);
    tour.visit(&corpus);
    tour.finish(100);
}

/// Thousands of programs that others wrote, where they are at hand.
#[test]
fn shared_programs_are_lowered() {
    let shared = root().join("../shared/corpus");
    if !shared.is_dir() {
        println!("skipped: {} is not beside this checkout", shared.display());
        return;
    }
    let schemas = ["conformance", "testdata", "providers"];
    let mut tour = Tour::new(schemas.map(|set| shared.join("schemas").join(set)));
    tour.visit(&shared.join("programs"));
    tour.finish(3000);
}

type Pass = fn(Program) -> Program;

/// A walk through directories of programs.
struct Tour {
    loader: Arc<dyn Loader>,
    programs: usize,
    complaints: Vec<String>,
}

impl Tour {
    fn new(schemas: impl IntoIterator<Item = PathBuf>) -> Self {
        Self {
            loader: Arc::new(DirectoryLoader::new(schemas)),
            programs: 0,
            complaints: Vec::new(),
        }
    }

    /// Checks the programs in and below a directory. Many files in one directory are programs of one file each.
    fn visit(&mut self, directory: &Path) {
        const MOST_FILES_OF_A_PROGRAM: usize = 40;
        let mut files = Vec::new();
        let mut entries: Vec<PathBuf> = std::fs::read_dir(directory)
            .expect("the corpus can be read")
            .map(|entry| entry.expect("an entry can be read").path())
            .collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                self.visit(&path);
            } else if path.extension().is_some_and(|extension| extension == "pp") {
                files.push(path);
            }
        }
        if files.len() > MOST_FILES_OF_A_PROGRAM {
            for file in &files {
                let mut map = SourceMap::new();
                let (sources, _) = Sources::read_file(file, "", &mut map);
                self.check(&sources, map, file);
            }
        } else if !files.is_empty() {
            let mut map = SourceMap::new();
            let (sources, _) = Sources::read_directory(directory, "", &mut map);
            self.check(&sources, map, directory);
        }
    }

    fn check(&mut self, sources: &Sources, mut map: SourceMap, path: &Path) {
        self.programs += 1;
        let loader = Arc::clone(&self.loader);
        let bound = bind(sources, &mut map, loader, &Options::default());
        // What became of a mistake is typed as what it was taken for.
        let is_valid = !bound.diagnostics.iter().any(Diagnostic::is_error);
        let mut program = bound.program;
        let mut complaints = Vec::new();
        let passes: &[(&str, Pass)] = &[
            ("bound", |program| program),
            ("property references", pcl_lower::property_references),
            ("invokes", pcl_lower::invokes),
            ("deferred outputs", pcl_lower::deferred_outputs),
            ("applies", |program| {
                pcl_lower::applies(program, &Applies::default())
            }),
            ("conversions", |program| {
                pcl_lower::conversions(program).program
            }),
            ("optional guards", pcl_lower::optional_guards),
        ];
        for (name, pass) in passes {
            program = pass(program);
            let once = texts(&program);
            if is_valid {
                let found = complaints_about(&mut program);
                complaints.extend(found.into_iter().map(|wrong| format!("{name}: {wrong}")));
            }
            // The second time there is nothing left to do.
            program = pass(program);
            let twice = texts(&program);
            let changed = once.iter().zip(&twice).find(|(once, twice)| once != twice);
            if let Some((once, twice)) = changed {
                complaints.push(format!("{name} again\n  was    {once}\n  became {twice}"));
            }
        }
        if !complaints.is_empty() {
            let complaints = complaints.join("\n");
            self.complaints
                .push(format!("{}\n{complaints}", path.display()));
        }
    }

    fn finish(self, least: usize) {
        assert!(self.programs >= least, "only {} programs", self.programs);
        let shown: Vec<&str> = self.complaints.iter().take(10).map(|c| &**c).collect();
        assert!(
            shown.is_empty(),
            "{} of {} programs:\n{}",
            self.complaints.len(),
            self.programs,
            shown.join("\n")
        );
    }
}

/// The stretches of the nodes of a program and its components.
fn stretches(program: &Program) -> Vec<std::ops::Range<u32>> {
    let components = program.components.iter().map(|component| &component.module);
    let modules = [&program.module].into_iter().chain(components);
    modules
        .flat_map(|module| {
            let nodes = module.nodes.iter();
            nodes.map(|node| node.expressions.clone())
        })
        .collect()
}

fn texts(program: &Program) -> Vec<String> {
    let mut texts = Vec::new();
    for stretch in stretches(program) {
        for id in outermost(&program.exprs, stretch) {
            texts.push(print(id, &program.exprs, &program.types, &program.scopes));
        }
    }
    texts
}

fn complaints_about(program: &mut Program) -> Vec<String> {
    let mut wrong = Vec::new();
    let options = program.checks();
    for stretch in stretches(program) {
        for id in outermost(&program.exprs, stretch) {
            let mut world = World {
                types: &mut program.types,
                scopes: &mut program.scopes,
                exprs: &mut program.exprs,
                options,
            };
            wrong.extend(world.complaints(id));
        }
    }
    wrong
}
