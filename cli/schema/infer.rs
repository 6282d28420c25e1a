//! `pcl schema infer`.

use std::path::PathBuf;

use clap::Args;
use pcl::schema::Package;
use pcl::{ComponentPackage, Target, Workspace, check_schema_changes};

use crate::dump::tell;
use crate::everywhere::summarize;
use crate::hints;
use crate::inputs::SettingsArgs;
use crate::output::print;
use crate::status::{Failure, Outcome, Status};

#[derive(Args)]
pub(crate) struct InferArgs {
    /// The directory of the package, with `PulumiPlugin.yaml`
    #[arg(value_name = "DIR", default_value = ".")]
    directory: PathBuf,
    /// Print no schema, but report what breaks programs that use this earlier one: .json, .yaml or
    /// .yml, also with .gz behind it
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    #[command(flatten)]
    settings: SettingsArgs,
}

impl InferArgs {
    pub(crate) fn run(&self) -> Outcome {
        let Some(package) = ComponentPackage::find(&self.directory) else {
            return Err(Failure::usage(format!(
                "`{}` is not a package of components in PCL: it has no `PulumiPlugin.yaml` with \
                 `runtime: pcl`",
                self.directory.display()
            )));
        };
        let target = Target::Path(self.directory.clone());
        let (mut settings, configuration) = self.settings.of(&target)?;
        // Only the form of the components matters.
        settings.untried = true;
        let mut inferred = package.infer(&Workspace::new(settings));
        let mut status = Status::Clean;
        for report in &mut inferred.reports {
            hints::name_flags(&mut report.diagnostics);
            tell(report);
            status = status.max(self.settings.status(report, &configuration));
        }
        if !inferred.is_valid() {
            return Ok(status);
        }
        let Some(earlier) = &self.against else {
            return Ok(status.max(print(&*inferred.schema)?));
        };
        let later = Package::from_bytes(inferred.schema.as_bytes());
        let later = later.map_err(|error| Failure::usage(error.to_string()))?;
        let changes = check_schema_changes(earlier, &later);
        tell(&changes);
        if changes.diagnostics.is_empty() {
            summarize(&format!("no program that uses `{}` breaks", changes.path));
        }
        Ok(status.max(Status::of(changes.readable, !changes.diagnostics.is_empty())))
    }
}
