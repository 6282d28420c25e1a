//! Trial runs: what a program does whatever its stack, without an engine.
//!
//! A check that finds no error tries the program: it evaluates it as a preview does, with unknown
//! values for everything that the stack, its configuration and the providers decide. What fails
//! then fails in every run. A failure that a run may avoid is a warning: see [`Avoidable`].
//!
//! The rules, with examples: `tests/spec/programs/trial.md`.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pcl_binder::{Bound, Examine, NodeBody, NodeId, Options, Program, Sources, bind_and_examine};
use pcl_diagnostics::{
    Code, Diagnostic, Leniency, MissingSchema, Reporter, Severity, SourceMap, Span,
};
use pcl_eval::{Answers, Evaluation, Limits, Offline, Setup, Value};
use pcl_schema::Loader;
use pcl_values::{Content, Contents, Entry, NOT_READ};

use crate::component_package::InterfaceCheck;

/// The steps after which a trial ends without a result: an editor tries a program after each edit.
const MOST_STEPS: u64 = 1 << 20;

/// The failures that a check reports as warnings, since a run may avoid them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Avoidable {
    /// A file is missing, which may be there before the run.
    MissingFile,
    /// It depends on the defaults of `config` blocks, which a stack may replace.
    Default,
}

impl Avoidable {
    /// The kind of the failure that a warning foretells. Every other failure is an error, in a
    /// check and in a run.
    pub fn of(warning: &Diagnostic) -> Option<Self> {
        let has_note = || warning.notes.iter().any(|note| note == DEFAULTS);
        match warning.code {
            _ if warning.is_error() => None,
            Code::UnreadableContent => Some(Self::MissingFile),
            _ => has_note().then_some(Self::Default),
        }
    }
}

/// Binds a program, tries it, and reports what certainly fails. `directory` is that of its files on
/// disk.
pub(crate) fn bind_and_try(
    sources: &Sources,
    map: &mut SourceMap,
    loader: Arc<dyn Loader>,
    options: &Options,
    directory: Option<&Path>,
    mut interface: Option<&mut InterfaceCheck<'_>>,
) -> Bound {
    let mut trial = Trial::new(directory, interface.as_deref_mut());
    let bound = bind_and_examine(sources, map, Arc::clone(&loader), options, &mut trial);
    if !trial.has_doubts {
        return bound;
    }
    // What an evaluation needs has been dropped. A program of several modules keeps it, so that no
    // file is read twice.
    let options = Options { diagnostics_only: false, ..options.clone() };
    let mut trial = Trial::thorough(directory, interface);
    bind_and_examine(sources, map, loader, &options, &mut trial)
}

/// A trial of a program that is being bound.
///
/// Almost always nothing fails, which a quick trial finds out. If something may, the program is
/// evaluated, for which all of its nodes need their bodies.
struct Trial<'i, 'p> {
    contents: Arc<Presence>,
    /// `None` if the program is evaluated without a quick trial.
    quick: Option<pcl_eval::Trial>,
    /// Nodes were tried one by one, and have lost their bodies since.
    has_tried_nodes: bool,
    /// Something may fail in nodes that were tried one by one.
    has_doubts: bool,
    /// The check of the interface, if the program is a part of a package of components.
    interface: Option<&'i mut InterfaceCheck<'p>>,
}

impl<'i, 'p> Trial<'i, 'p> {
    /// A trial of a program. `directory` is that of its files on disk.
    fn new(directory: Option<&Path>, interface: Option<&'i mut InterfaceCheck<'p>>) -> Self {
        let trial = Self::thorough(directory, interface);
        let quick = pcl_eval::Trial::new(settings(), trial.contents.clone());
        Self { quick: Some(quick), ..trial }
    }

    /// A trial that evaluates the program.
    fn thorough(directory: Option<&Path>, interface: Option<&'i mut InterfaceCheck<'p>>) -> Self {
        Self {
            contents: Arc::new(Presence(directory.map(Path::to_path_buf))),
            quick: None,
            has_tried_nodes: false,
            has_doubts: false,
            interface,
        }
    }
}

/// Returns true if a program without errors so far is to be tried.
fn is_tried(reporter: &Reporter) -> bool {
    // Where less is checked, what a run does with the unchecked part is not known.
    let policy = reporter.policy();
    policy.leniency == Leniency::default()
        && policy.missing_schema == MissingSchema::Error
        && !reporter.has_errors()
}

impl Examine for Trial<'_, '_> {
    fn nodes(&mut self, program: Program, nodes: &[NodeId], reporter: &Reporter) -> Program {
        self.has_tried_nodes = true;
        let Some(quick) = &mut self.quick else { return program };
        if self.has_doubts || !is_tried(reporter) {
            return program;
        }
        let program = Arc::new(program);
        self.has_doubts = !quick.passes_nodes(&program, nodes);
        Arc::unwrap_or_clone(program)
    }

    fn program(&mut self, mut program: Program, reporter: &mut Reporter) -> Program {
        if let Some(interface) = &mut self.interface {
            program = interface.program(program, reporter);
        }
        if !is_tried(reporter) {
            self.has_doubts = false;
            return program;
        }
        if self.has_tried_nodes {
            return program;
        }
        let program = Arc::new(program);
        let quick = self.quick.as_ref();
        if !quick.is_some_and(|quick| quick.passes(&program)) {
            let thorough =
                Thorough { program: Arc::clone(&program), contents: Arc::clone(&self.contents) };
            thorough.report(reporter);
        }
        Arc::unwrap_or_clone(program)
    }
}

/// The facts of a run of any stack.
pub(crate) fn settings() -> pcl_eval::Settings {
    pcl_eval::Settings {
        project: String::from("project"),
        stack: String::from("stack"),
        is_preview: true,
        is_offline: true,
        keeps_going: true,
        any_stack: true,
        limits: Limits { steps: MOST_STEPS, ..Limits::default() },
        parallel: 1,
        ..pcl_eval::Settings::default()
    }
}

/// The parts by which two runs have a diagnostic in common.
fn identity(diagnostic: &Diagnostic) -> (Code, Span) {
    (diagnostic.code, diagnostic.primary)
}

/// A failure of a trial as a diagnostic of the check.
fn judged(failure: Diagnostic, is_certain: bool) -> Diagnostic {
    let failure = failure.ours();
    match failure.code {
        Code::UnreadableContent => missing_file(failure),
        _ if is_certain => failure,
        _ => only_with_defaults(failure),
    }
}

/// An evaluation of a program with all of its failures.
struct Thorough {
    program: Arc<Program>,
    contents: Arc<Presence>,
}

impl Thorough {
    /// Reports what fails, and whether that is certain.
    fn report(&self, reporter: &mut Reporter) {
        let failures = self.run(false);
        if failures.is_empty() {
            return;
        }
        let certain = if self.has_defaults() { self.run(true) } else { failures.clone() };
        let certain: HashSet<(Code, Span)> = certain.iter().map(identity).collect();
        let mut seen = HashSet::new();
        for failure in failures {
            let is_certain =
                certain.contains(&identity(&failure)) || self.is_in_default(failure.primary);
            if seen.insert(identity(&failure)) {
                reporter.report_failure(judged(failure, is_certain));
            }
        }
    }

    /// The errors of one run, with or without the defaults of the configuration.
    fn run(&self, any_config: bool) -> Vec<Diagnostic> {
        let defaults = self.program.module.nodes_with_ids();
        let defaults = defaults.filter(|(_, node)| any_config && has_default(&node.body));
        let settings = settings();
        let evaluation = Evaluation::new(Setup {
            program: Arc::clone(&self.program),
            contents: self.contents.clone(),
            monitor: Arc::new(Offline::new(&settings.project, &settings.stack, Answers::default())),
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

/// The note on a failure that another configuration may avoid.
const DEFAULTS: &str = "this fails with the defaults of the `config` blocks";

/// A failure that another configuration may avoid.
fn only_with_defaults(failure: Diagnostic) -> Diagnostic {
    failure.with_severity(Severity::Warning).note(DEFAULTS)
}

/// A file that is not there, and may be there before the program runs.
fn missing_file(failure: Diagnostic) -> Diagnostic {
    failure.with_severity(Severity::Warning)
}

/// The files of a program, which exist or not and are never read. Without a directory, all of them
/// exist.
struct Presence(pub Option<PathBuf>);

impl Presence {
    /// Looks for a file or directory. Paths of other machines are not followed: to look for these
    /// would connect to them.
    fn look(&self, path: &str) -> io::Result<()> {
        match &self.0 {
            Some(directory) if !pcl_system::is_remote(path) => {
                std::fs::metadata(directory.join(path)).map(drop)
            }
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
