//! Plans of programs with the secret, and for states with the secret.

use std::path::PathBuf;

use pcl::eval::Answers;
use pcl::eval::notation::Secrets;
use pcl::plan::{Options, PlanLook, Planned, plan_json, plan_markdown, plan_text};
use pcl::preview::{OfflineProgram, RunSettings};
use pcl::render::{Format, Look};
use pcl::state::{CheckedState, Keys};
use pcl::values::Urn;
use pcl::{Checked, SchemaPlaces, Settings, Target, Workspace};
use serde_json::Value;

/// Everything that is printed about a plan but its diagnostics.
pub fn printed(planned: &Planned) -> Vec<u8> {
    let mut printed = plan_json(planned, Secrets::Hide);
    printed.extend(plan_markdown(planned, Secrets::Hide).into_bytes());
    for color in [false, true] {
        let look = PlanLook { color, with_sames: true, secrets: Secrets::Hide };
        printed.extend(plan_text(planned, look).into_bytes());
    }
    printed
}

/// A program for the stack of a state.
pub struct Program {
    checked: Checked,
    settings: RunSettings,
}

impl Program {
    pub fn new(text: &str, state: &Value, schemas: PathBuf) -> Self {
        let schemas = SchemaPlaces { directories: vec![schemas], ..SchemaPlaces::default() };
        let workspace = Workspace::new(Settings { schemas, untried: true, ..Settings::default() });
        let urn = state["deployment"]["resources"][0]["urn"].as_str().unwrap_or_default();
        let urn = Urn::from(urn);
        let settings = RunSettings {
            project: urn.project().unwrap_or_default().into(),
            stack: urn.stack().unwrap_or_default().into(),
            parallel: 1,
            ..RunSettings::default()
        };
        Self { checked: workspace.check(&Target::text("main.pp", text)), settings }
    }

    /// Everything that is printed about the plan of the program for a state, and the number of
    /// inputs that change.
    pub fn plan(&self, state: &CheckedState) -> (Vec<u8>, usize) {
        let (checked, settings) = (self.checked.clone(), self.settings.clone());
        let program = OfflineProgram::new(checked, settings, Answers::default(), "");
        let planned = program.plan(state, &Keys::default(), Options::default());
        let mut printed = printed(&planned);
        for format in [Format::Full, Format::Json, Format::Sarif] {
            printed.extend(format.render(&planned.report, Look::default()));
        }
        (printed, planned.plan.steps.iter().map(|step| step.changes.len()).sum())
    }
}
