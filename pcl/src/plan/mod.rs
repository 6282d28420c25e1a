//! Plans: what a deployment of a program would do to a stack, without an engine.
//!
//! The rules are in [`pcl_plan`], which is re-exported here.
//!
//! ```
//! use pcl::plan::Options;
//! use pcl::preview::{OfflineProgram, RunSettings};
//! use pcl::state::{CheckedState, Keys};
//! use pcl::{Settings, Target, Workspace, eval::Answers};
//!
//! let state = CheckedState::of_text("state.json", br#"{ "version": 3, "deployment": {} }"#.to_vec());
//! let checked = Workspace::new(Settings::default()).check(&Target::text("main.pp", "a = 1\n"));
//! let program = OfflineProgram::new(checked, RunSettings::default(), Answers::default(), "");
//! let planned = program.plan(&state, &Keys::default(), Options::default());
//! assert_eq!(planned.plan.steps[0].op.name(), "create");
//! assert_eq!(planned.plan.totals().create, 1);
//! ```

mod document;
mod markdown;
mod schemas;
mod text;
mod tree;

use std::sync::Arc;

use pcl_diagnostics::{FileId, Span, TextRange, sort};
use pcl_state::{Keys, masked};
use pcl_values::PropertyMap;

use crate::preview::OfflineProgram;
use crate::render::Report;
use crate::state::CheckedState;

pub use document::plan_json;
pub use markdown::plan_markdown;
pub use pcl_plan::*;
pub(crate) use schemas::{ProgramSchemas, packages};
pub use text::{PlanLook, plan_text};

/// The plan of a program: the steps that a deployment would take on a stack.
pub struct Planned {
    /// The diagnostics of the check, of the run and of the plan.
    pub report: Report,
    /// The project.
    pub project: String,
    /// The stack.
    pub stack: String,
    /// The plan.
    pub plan: Plan,
    /// The outputs of the stack; `None` if the run failed.
    pub outputs: Option<PropertyMap>,
}

crate::render::reported!(Planned);

impl OfflineProgram {
    /// Foretells what a deployment would do to the resources of a state. A program with errors, or
    /// a state that is not valid, has no steps.
    pub fn plan(mut self, state: &CheckedState, keys: &Keys, options: Options) -> Planned {
        let mut prior = Prior::default();
        if let Some(read) = state.state.as_ref().filter(|_| state.is_valid()) {
            // Diagnostics show places in the state, and nothing that may be secret.
            let text = masked(read.tree().text(), Some(read));
            let file = self.sources_mut().add(&state.report.path, text);
            prior = Prior::of_state(read, keys, Some(file));
        }
        let start = self.first_file().unwrap_or(FileId(0));
        let start = Span::new(start, TextRange::empty(0));
        let setup = self.plan_setup(Arc::new(prior), options);
        let (project, stack) = (setup.project.clone(), setup.stack.clone());
        let ran = self.run_against(|| Planner::new(setup.clone()));
        let mut report = ran.report;
        let plan = ran.engine.map(|planner| {
            let is_complete = ran.outputs.is_some();
            planner.finish_plan(is_complete, ran.unknown_ranges)
        });
        let plan = plan.unwrap_or_default();
        report.diagnostics.extend(plan.diagnostics(start));
        sort(&mut report.diagnostics);
        Planned { report, project, stack, plan, outputs: ran.outputs }
    }
}
