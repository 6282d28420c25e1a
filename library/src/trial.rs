//! Trial runs: what a program does whatever its stack, without an engine.
//!
//! A check that finds no error tries the program: it evaluates it as a preview does, with unknown
//! values for everything that the stack, its configuration and the providers decide. What fails
//! then fails in every run. What fails only with the defaults of `config` blocks is a warning, and
//! so is a missing file, which may be there before the run.
//!
//! The rules, with examples: `tests/spec/programs/trial.md`.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pcl_binder::{NodeBody, Program};
use pcl_diagnostics::{Code, Diagnostic, Leniency, MissingSchema, Reporter, Severity, Span};
use pcl_eval::{Answers, Evaluation, Offline, Setup, Value};
use pcl_values::{Content, Contents, Entry, NOT_READ};

use crate::messages;

/// Tries a program, and reports what certainly fails. `directory` is that of its files on disk.
pub(crate) fn examine(
    program: Program,
    reporter: &mut Reporter,
    directory: Option<&Path>,
) -> Program {
    // Where less is checked, what a run does with the unchecked part is not known.
    let policy = reporter.policy();
    let is_strict =
        policy.leniency == Leniency::default() && policy.missing_schema == MissingSchema::Error;
    if !is_strict || reporter.has_errors() {
        return program;
    }
    let trial = Trial {
        program: Arc::new(program),
        contents: Arc::new(Presence(directory.map(Path::to_path_buf))),
    };
    let failures = trial.run(false);
    if !failures.is_empty() {
        let certain = match trial.has_defaults() {
            true => trial.run(true),
            false => failures.clone(),
        };
        let certain: HashSet<(Code, Span)> = certain.iter().map(identity).collect();
        let mut seen = HashSet::new();
        for failure in failures {
            let is_certain =
                certain.contains(&identity(&failure)) || trial.is_in_default(failure.primary);
            if seen.insert(identity(&failure)) {
                reporter.report_failure(judged(failure, is_certain));
            }
        }
    }
    Arc::try_unwrap(trial.program).unwrap_or_else(|shared| Program::clone(&shared))
}

/// The parts by which two runs have a diagnostic in common.
fn identity(diagnostic: &Diagnostic) -> (Code, Span) {
    (diagnostic.code, diagnostic.primary)
}

/// A failure of a trial as a diagnostic of the check.
fn judged(failure: Diagnostic, is_certain: bool) -> Diagnostic {
    let failure = failure.ours();
    match (failure.code, is_certain) {
        (Code::UnreadableContent, _) => failure.with_severity(Severity::Warning),
        (_, true) => failure,
        (_, false) => messages::trial::only_with_defaults(failure),
    }
}

struct Trial {
    program: Arc<Program>,
    contents: Arc<Presence>,
}

impl Trial {
    /// The errors of one run, with or without the defaults of the configuration.
    fn run(&self, any_config: bool) -> Vec<Diagnostic> {
        let defaults = self.program.module.nodes_with_ids();
        let defaults = defaults.filter(|(_, node)| any_config && has_default(&node.body));
        let settings = pcl_eval::Settings {
            project: String::from("project"),
            stack: String::from("stack"),
            is_preview: true,
            is_offline: true,
            keeps_going: true,
            any_stack: true,
            parallel: 1,
            ..pcl_eval::Settings::default()
        };
        let evaluation = Evaluation::new(Setup {
            program: Arc::clone(&self.program),
            contents: self.contents.clone(),
            monitor: Arc::new(Offline::new(
                &settings.project,
                &settings.stack,
                Answers::default(),
            )),
            settings,
            trees: &[],
            variables: Vec::new(),
            nodes: defaults.map(|(id, _)| (id, Value::UNKNOWN)).collect(),
        });
        let diagnostics = evaluation.run().diagnostics.into_iter();
        let errors = diagnostics.filter(|it| it.is_error() && it.code != Code::Internal);
        errors.collect()
    }

    fn has_defaults(&self) -> bool {
        let mut nodes = self.program.module.nodes.iter();
        nodes.any(|node| has_default(&node.body))
    }

    /// Returns true for a place in the default of a `config` block, which fails by itself.
    fn is_in_default(&self, span: Span) -> bool {
        let mut nodes = self.program.module.nodes.iter();
        nodes.any(|node| has_default(&node.body) && node.span().nests_with(span))
    }
}

fn has_default(body: &NodeBody) -> bool {
    matches!(body, NodeBody::Config(config) if config.default.is_some())
}

/// The files of a program, of which is only looked whether they are there. Without a directory,
/// all are taken to be.
struct Presence(Option<PathBuf>);

impl Presence {
    /// Looks for a file or directory. Paths of other machines are not followed: to look for these
    /// would connect to them.
    fn look(&self, path: &str) -> io::Result<()> {
        let is_remote = path.starts_with(r"\\") || path.starts_with("//");
        match &self.0 {
            Some(directory) if !is_remote => std::fs::metadata(directory.join(path)).map(drop),
            _ => Ok(()),
        }
    }
}

impl Contents for Presence {
    fn file(&self, path: &str) -> io::Result<Content<'_>> {
        self.look(path)?;
        Err(NOT_READ.into())
    }

    fn directory(&self, path: &str) -> io::Result<Vec<Entry>> {
        self.look(path)?;
        Err(NOT_READ.into())
    }

    fn fetch(&self, _: &str) -> io::Result<Content<'_>> {
        Err(NOT_READ.into())
    }
}
