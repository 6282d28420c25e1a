//! `pcl plan`: what a deployment of a program would do to a stack, without an engine.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use pcl::Target;
use pcl::plan::{Options, PlanLook, Planned, Targets, plan_json, plan_markdown, plan_text};
use pcl::preview::OfflineProgram;
use pcl::state::{CheckedState, Keys};

use super::dump::tell;
use super::everywhere::color_on_stdout;
use super::output::print;
use super::preview::RunArgs;
use super::state;
use super::status::{Failure, Outcome, Status};

#[derive(Args)]
pub(crate) struct Plan {
    /// A program directory or a single .pp file
    #[arg(value_name = "PATH", default_value = ".")]
    path: PathBuf,
    #[command(flatten)]
    state: StateArgs,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    output_format: OutputFormat,
    /// Exit with status 3 if the deployment would change the stack
    #[arg(long)]
    exit_code: bool,
    /// Show the resources that nothing happens to
    #[arg(long)]
    show_sames: bool,
    #[command(flatten)]
    run: RunArgs,
}

#[derive(Args)]
pub(crate) struct StateArgs {
    /// The state that `pulumi stack export` prints, or the file of a stack in a self-managed
    /// backend; `-` reads standard input; without it, the stack is empty. Encrypted secrets need
    /// PULUMI_CONFIG_PASSPHRASE
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    #[command(flatten)]
    targets: TargetArgs,
}

#[derive(Args)]
#[command(next_help_heading = "Targets")]
struct TargetArgs {
    /// Plan for this resource only; repeatable. In a URN, `*` stands for any text without `:`, and
    /// `**` for any text
    #[arg(long, value_name = "URN")]
    target: Vec<String>,
    /// Plan for what depends on the targets, too
    #[arg(long)]
    target_dependents: bool,
    /// Replace this resource, and leave all others alone; repeatable
    #[arg(long, value_name = "URN")]
    target_replace: Vec<String>,
    /// Replace this resource; repeatable
    #[arg(long, value_name = "URN")]
    replace: Vec<String>,
    /// Leave this resource alone; repeatable
    #[arg(long, value_name = "URN", conflicts_with = "target")]
    exclude: Vec<String>,
    /// Leave alone what depends on the excluded resources, too
    #[arg(long)]
    exclude_dependents: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OutputFormat {
    /// A tree for people
    Text,
    /// A comment on a pull request
    Markdown,
    /// One JSON document, with diagnostics
    Json,
}

impl TargetArgs {
    fn options(&self) -> Options {
        Options {
            targets: Targets::new(self.target.iter().chain(&self.target_replace).cloned()),
            target_dependents: self.target_dependents,
            excludes: Targets::new(self.exclude.iter().cloned()),
            exclude_dependents: self.exclude_dependents,
            replaces: Targets::new(self.replace.iter().chain(&self.target_replace).cloned()),
        }
    }
}

/// The state of a stack that has never been deployed.
const EMPTY: &[u8] = br#"{ "version": 3, "deployment": {} }"#;

impl StateArgs {
    /// The plan of a program for the state, or the status for a state that is not valid.
    pub(crate) fn plan(&self, program: OfflineProgram) -> Result<Result<Planned, Status>, Failure> {
        let checked = match &self.state {
            Some(file) => state::read(file)?,
            None => CheckedState::of_text("empty", EMPTY.to_vec()),
        };
        let Some(stack) = checked.state.as_ref().filter(|_| checked.is_valid()) else {
            return Ok(Err(state::told(&checked)));
        };
        state::told(&checked);
        let is_encrypted = stack.secrets_provider().is_some();
        let keys = if is_encrypted { state::keys(stack)? } else { Keys::default() };
        Ok(Ok(program.plan(&checked, &keys, self.targets.options())))
    }
}

impl Plan {
    pub(crate) fn run(&self) -> Outcome {
        let target = Target::Path(self.path.clone());
        let (program, configuration) = self.run.program(target)?;
        let planned = match self.state.plan(program)? {
            Ok(planned) => planned,
            Err(status) => return Ok(status),
        };
        let secrets = self.run.secrets();
        match self.output_format {
            OutputFormat::Text => {
                let look =
                    PlanLook { color: color_on_stdout(), with_sames: self.show_sames, secrets };
                print(plan_text(&planned, look))?;
                tell(&planned.report);
            }
            OutputFormat::Markdown => {
                print(plan_markdown(&planned, secrets))?;
                tell(&planned.report);
            }
            OutputFormat::Json => {
                print(plan_json(&planned, secrets))?;
            }
        }
        let status = self.run.status(&planned.report, &configuration);
        if self.exit_code && status == Status::Clean && planned.plan.has_changes() {
            return Ok(Status::Changed);
        }
        Ok(status)
    }
}
