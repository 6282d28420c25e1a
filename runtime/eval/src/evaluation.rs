//! The evaluation of a program, or of one expression of it.

use std::sync::Arc;

use pcl_binder::{ComponentId, NodeId, Program};
use pcl_diagnostics::{Code, Diagnostic, FileId, Span, TextRange};
use pcl_model::expression::ExprId;
use pcl_model::scope::DefinitionId;
use pcl_syntax::SyntaxTree;
use pcl_values::{Contents, PropertyMap, Urn};
use rustc_hash::FxHashMap;

use crate::expression::evaluate::Evaluator;
use crate::frame::{Frame, Name};
use crate::monitor::{Monitor, RegisterPackage, RegisterResource};
use crate::run::{Carried, Run, Settings, UnknownRange};
use crate::stop::Stop;
use crate::value::Value;
use crate::{mutual, node, program, wording};

/// A program with all that its evaluation needs.
pub struct Setup<'s> {
    /// The program, without errors.
    pub program: Arc<Program>,
    /// The facts of the run.
    pub settings: Settings,
    /// The files that the program reads.
    pub contents: Arc<dyn Contents + Send + Sync>,
    /// The engine.
    pub monitor: Arc<dyn Monitor>,
    /// The trees of expressions beside the program, which [`Program::bind_expression`] bound.
    pub trees: &'s [(FileId, &'s SyntaxTree)],
    /// The values of variables that the program does not declare.
    pub variables: Vec<(DefinitionId, Value)>,
    /// The values of nodes that are not evaluated.
    pub nodes: Vec<(NodeId, Value)>,
}

/// The evaluation of a program.
pub struct Evaluation {
    frame: Arc<Frame>,
}

impl Evaluation {
    /// The evaluation of a program against an engine, which has not begun.
    pub fn new(setup: Setup<'_>) -> Self {
        Self::of(setup, None)
    }

    /// The evaluation of a program, or of one of its components by itself: `nodes` of the setup are
    /// those of the component then.
    pub fn of(setup: Setup<'_>, component: Option<ComponentId>) -> Self {
        let Setup { program, settings, contents, monitor, trees, variables, nodes } = setup;
        let carried = Carried::default();
        let run = Run::new(program, settings, contents, monitor, carried);
        let run = Arc::new(run.with_files(trees));
        let frame = Frame::new(run, component, None, Name::default());
        let frame = frame.with_variables(variables.into_iter().collect());
        for (node, value) in nodes {
            frame.set(node.0, value);
        }
        Self::in_frame(frame)
    }

    /// The evaluation of what a frame has.
    pub(crate) fn in_frame(frame: Frame) -> Self {
        Self { frame: Arc::new(frame) }
    }

    pub(crate) const fn frame(&self) -> &Arc<Frame> {
        &self.frame
    }

    /// The value of an expression of the program.
    ///
    /// # Errors
    /// Returns the reason why it has none.
    pub fn expression(&self, id: ExprId) -> Result<Value, Stop> {
        let value = Evaluator::new(&self.frame).evaluate(id);
        value.map_err(Stop::once_each)
    }

    /// Runs the program: reads its configuration, registers the stack and everything that the
    /// program declares, and registers its outputs.
    pub fn run(&self) -> Outcome {
        let result = self.evaluate_all().map_err(Stop::once_each);
        let mut diagnostics = self.frame.run.take_warnings();
        let outputs = match result {
            Ok(outputs) => Some(outputs),
            Err(Stop::Failed(errors)) => {
                diagnostics.extend(*errors);
                None
            }
            Err(_) => None,
        };
        pcl_diagnostics::sort(&mut diagnostics);
        Outcome { outputs, diagnostics, unknown_ranges: self.frame.run.take_unknown_ranges() }
    }

    /// Ends the run from another thread.
    pub fn cancel(&self) {
        self.frame.run.cancel();
    }

    /// Returns true if a limit has ended the run.
    pub(crate) fn is_exceeded(&self) -> bool {
        self.frame.run.is_exceeded()
    }

    /// Runs the part of the program that an expression of it needs, and evaluates the expression.
    ///
    /// # Errors
    /// Returns the reason why it has no value.
    pub fn value_of(&self, id: ExprId) -> Result<Value, Stop> {
        mutual::check(&self.frame.run.program)?;
        self.frame.register_stack()?;
        program::run_needed(&self.frame, id).map_err(Stop::once_each)?;
        self.expression(id)
    }

    /// The warnings so far, which are taken away.
    pub fn take_warnings(&self) -> Vec<Diagnostic> {
        self.frame.run.take_warnings()
    }

    fn evaluate_all(&self) -> Result<PropertyMap, Stop> {
        let (frame, run, start) = (&self.frame, &self.frame.run, self.frame.start());
        mutual::check(&run.program)?;
        let urn = self.frame.register_stack()?;
        node::config::read(frame, &|_| true)?;
        run.set_packages(register_packages(run, start)?);
        let outputs = program::run_nodes(frame)?;
        run.answered(run.monitor.register_outputs(&urn, &outputs), start)?;
        run.answered(run.monitor.finish(), start)?;
        Ok(outputs)
    }
}

impl Frame {
    /// The start of the first file, for what is about the program as a whole.
    pub(crate) fn start(&self) -> Span {
        let file = self.module().files.first().copied();
        Span::new(file.unwrap_or(FileId(0)), TextRange::empty(0))
    }

    /// Registers the stack with an engine whose features are known then.
    pub(crate) fn register_stack(&self) -> Result<Urn, Stop> {
        let (run, start) = (&self.run, self.start());
        run.ask_features(start)?;
        let settings = &run.settings;
        let stack = RegisterResource {
            kind: "pulumi:pulumi:Stack".into(),
            name: format!("{}-{}", settings.project, settings.stack).into(),
            ..RegisterResource::default()
        };
        let answer = run.answered(run.monitor.register_resource(&stack), start)?;
        if answer.urn.as_str().is_empty() {
            return Err(wording::component_failed(start, &stack.name).into());
        }
        self.set_parent(answer.urn.clone());
        Ok(answer.urn)
    }
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The outputs of the stack; `None` if the run failed or was cancelled.
    pub outputs: Option<PropertyMap>,
    /// The errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// The blocks whose ranges are unknown, in the order of the text.
    pub unknown_ranges: Vec<UnknownRange>,
}

/// Registers the packages that a plugin makes from a parameter. The result are their references.
pub(crate) fn register_packages(run: &Run, span: Span) -> Result<FxHashMap<String, String>, Stop> {
    let mut references = FxHashMap::default();
    for package in run.program.packages() {
        let Some(base) = package.base else { continue };
        let text = |version: Option<pcl_schema::Version>| {
            version.map_or_else(String::new, |version| version.to_string())
        };
        let request = RegisterPackage {
            plugin: base.name,
            version: text(base.version),
            download_url: package.download_url.unwrap_or_default(),
            name: package.name.clone(),
            package_version: text(package.version),
            parameter: base.parameter,
            is_extension: base.extends,
        };
        let reference = run.answered(run.monitor.register_package(&request), span)?;
        if reference.is_empty() {
            return Err(no_package_reference(span, &package.name).into());
        }
        references.insert(package.name, reference);
    }
    Ok(references)
}

/// A package has no reference after its registration.
fn no_package_reference(span: Span, name: &str) -> Diagnostic {
    let message = format!("the engine gives no reference for the package `{name}`");
    Diagnostic::error(Code::EngineError, span, message)
}
