//! The law of what is converted: a program that `pcl check` accepts becomes a project in every
//! language, and no pass has an error to report.
//!
//! The programs are the corpora and mutants of them. `PCL_CONVERT_MUTANTS=20 PCL_CONVERT_SEED=7
//! cargo test --release --test convert` takes every program and that many mutants of each, changed
//! in another way for each seed. Without it, a part of the programs beside the checkout is left
//! out.

use std::path::PathBuf;
use std::sync::Arc;

use pcl::diagnostics::{Diagnostic, MissingSchema};
use pcl::{SchemaPlaces, Settings, Workspace};
use pcl_convert::{Language, Options, adjusted, convert};
use pcl_test_support::corpora::Corpus;
use pcl_test_support::fixes::{Program, mutate};
use pcl_test_support::{Random, scratch};

/// Programs that a lowering pass once refused.
const LENIENT: &[&str] = &[
    "resource r \"a:b:C\" {\n  options { customTimeouts = { delte = \"1h\", create = \"2h\" } }\n}\n",
    "resource r \"a:b:C\" {\n  options { aliases = [{ nmae = \"x\", name = \"y\" }] }\n}\n",
    "x = invoke(\"a:b:c\", {}, { versio = \"1.0.0\" })\n",
    "x = invoke(\"a:b:c\", {}, { version = \"1.0.0\", dependOn = [] })\n",
];

/// The languages that have generators of their own.
const LANGUAGES: [Language; 5] =
    [Language::Yaml, Language::Typescript, Language::Python, Language::Go, Language::Java];

/// The workspaces of the commands.
struct Commands {
    check: Workspace,
    convert: [(Language, Workspace); 5],
}

impl Commands {
    fn new(schemas: &[PathBuf]) -> Self {
        let settings = || {
            let mut settings = Settings {
                schemas: SchemaPlaces {
                    directories: schemas.to_vec(),
                    beside_programs: true,
                    ..SchemaPlaces::default()
                },
                ..Settings::default()
            };
            settings.options.policy.missing_schema = MissingSchema::Ignore;
            settings
        };
        let converting = |language| (language, Workspace::new(adjusted(settings(), language)));
        Self { check: Workspace::new(settings()), convert: LANGUAGES.map(converting) }
    }

    /// Returns true if the check accepts a program.
    ///
    /// # Errors
    /// Returns the reason if it is not converted, although the check accepts it.
    fn converts(&self, program: &Program) -> Result<bool, String> {
        if !self.check.check(&program.target()).is_valid() {
            return Ok(false);
        }
        for (language, workspace) in &self.convert {
            let checked = workspace.check(&program.target());
            let (checked, project) = convert(checked, *language, "project", &Options::default());
            let language = language.name();
            if project.is_some_and(|project| project.files.is_empty()) {
                return Err(format!("{language}: there are no files"));
            }
            let errors = checked.diagnostics.iter().filter(|it| it.is_error());
            if let Some(Diagnostic { code, message, .. }) = errors.into_iter().next() {
                return Err(format!("{language}: {code}: {message}"));
            }
        }
        Ok(true)
    }
}

fn variable(name: &str) -> Option<u64> {
    let value = std::env::var(name).ok()?;
    Some(value.parse().expect("a number"))
}

/// The law for programs and mutants of them, of which a part must be accepted.
fn judge(schemas: &[PathBuf], programs: &[Program], mutants: usize, accepted_part: usize) {
    let commands = Commands::new(schemas);
    let seed = variable("PCL_CONVERT_SEED").unwrap_or(1);
    let mutants = variable("PCL_CONVERT_MUTANTS").map_or(mutants, |count| count as usize);
    let work: Vec<(u64, &Program)> = (seed..).zip(programs).collect();
    let threads = std::thread::available_parallelism().expect("the machine has processors");
    let (mut tried, mut accepted, mut complaints) = (0, 0, Vec::new());
    pcl::in_order(
        &work,
        threads,
        |&(seed, program)| {
            let mut random = Random::new(seed);
            let mutants = (0..mutants).map(|_| mutate(program, &Arc::default(), &mut random));
            let variants = std::iter::once(program.clone()).chain(mutants);
            let judged = variants.map(|variant| (commands.converts(&variant), variant));
            judged.collect::<Vec<_>>()
        },
        |judged| {
            for (at, (result, program)) in judged.into_iter().enumerate() {
                // Most mutants are refused.
                let is_original = at == 0;
                tried += usize::from(is_original);
                match result {
                    Ok(is_accepted) => accepted += usize::from(is_accepted && is_original),
                    Err(complaint) => {
                        let texts = program.files.iter().map(|(_, text)| text.as_str());
                        let text: String = texts.collect();
                        complaints.push(format!("{}: {complaint}\n{text}", program.name));
                    }
                }
            }
        },
    );
    complaints.sort_by_key(String::len);
    let count = complaints.len();
    complaints.truncate(5);
    assert!(count == 0, "{count} complaints:\n{}", complaints.join("\n"));
    println!("{accepted} of {tried} are accepted");
    assert!(accepted * accepted_part >= tried, "{accepted} of {tried} are accepted");
}

fn programs(paths: &[PathBuf], nth: usize) -> Vec<Program> {
    let paths = paths.iter().step_by(nth);
    paths.filter_map(|path| Program::read(path)).collect()
}

#[test]
fn what_the_check_accepts_is_converted() {
    let place = scratch("accepted");
    let lenient = LENIENT.iter().map(|&text| Program {
        name: text.to_owned(),
        directory: place.to_path_buf(),
        files: vec![("main.pp".to_owned(), text.to_owned())],
        original: None,
    });
    judge(&[], &lenient.collect::<Vec<_>>(), 20, 8);
    let own = Corpus::own();
    judge(&own.schemas, &programs(&own.programs, 1), 4, 20);
}

#[test]
fn what_the_check_accepts_of_others_is_converted() {
    if let Some(shared) = Corpus::shared() {
        let nth = if variable("PCL_CONVERT_MUTANTS").is_some() { 1 } else { 8 };
        judge(&shared.schemas, &programs(&shared.programs, nth), 1, 8);
    }
}
