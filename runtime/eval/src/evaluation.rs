//! The evaluation of a program, or of one expression of it.

use std::sync::Arc;

use pcl_binder::{NodeId, Program};
use pcl_diagnostics::FileId;
use pcl_model::expression::ExprId;
use pcl_model::scope::DefinitionId;
use pcl_syntax::SyntaxTree;
use pcl_values::Contents;

use crate::expression::evaluate::Evaluator;
use crate::frame::Frame;
use crate::monitor::Monitor;
use crate::run::Run;
use crate::settings::Settings;
use crate::stop::Stop;
use crate::value::Value;

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
    #[must_use]
    pub fn new(setup: Setup<'_>) -> Self {
        let Setup {
            program,
            settings,
            contents,
            monitor,
            trees,
            variables,
            nodes,
        } = setup;
        let run = Run::new(program, settings, contents, monitor, trees);
        let frame = Frame::new(Arc::new(run), None, None, String::new());
        let frame = frame.with_variables(variables.into_iter().collect());
        for (node, value) in nodes {
            frame.set(node.0, value);
        }
        Self {
            frame: Arc::new(frame),
        }
    }

    /// The value of an expression of the program.
    ///
    /// # Errors
    /// Returns the reason why it has none.
    pub fn expression(&self, id: ExprId) -> Result<Value, Stop> {
        Evaluator::new(&self.frame).evaluate(id)
    }
}
