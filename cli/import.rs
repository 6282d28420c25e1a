//! `pcl import`: a program for the resources of a state.

use std::path::{Path, PathBuf};

use clap::Args;

use super::dump::tell;
use super::inputs::SchemaArgs;
use super::output::{complain, many, print};
use super::state::{keys, read, told};
use super::status::{Failure, Outcome, Status};
use crate::everywhere::summarize;
use pcl::diagnostics::FileId;
use pcl::import::{Imported, Request, SecretVariable, import};
use pcl::schema::Loader;
use pcl::state::masked;
use pcl_system::OutputFile;

/// The file of the program.
const MAIN: &str = "main.pp";

#[derive(Args)]
pub(crate) struct Import {
    /// The state that `pulumi stack export` prints, or the file of a stack in a self-managed
    /// backend; `-` reads standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Write only this resource, and what it needs; repeatable
    #[arg(long, value_name = "URN")]
    urn: Vec<String>,
    /// Write the program to main.pp in this directory, which must not have programs yet, instead of
    /// standard output
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write resources that differ in a few values as one with a range
    #[arg(long)]
    fold: bool,
    /// Give every resource the option `import`, for a stack that does not have them yet
    #[arg(long)]
    adopt: bool,
    /// Write secrets as plain text; those that are encrypted need PULUMI_CONFIG_PASSPHRASE
    #[arg(long)]
    show_secrets: bool,
    #[command(flatten)]
    schemas: SchemaArgs,
}

impl Import {
    pub(crate) fn run(&self) -> Outcome {
        if let Some(out) = &self.out {
            refuse_programs(out)?;
        }
        let mut checked = read(&self.file)?;
        if !checked.is_valid() {
            return Ok(told(&checked));
        }
        let Some(state) = checked.state.take() else { return Ok(told(&checked)) };
        let keys = if self.show_secrets { Some(keys(&state)?) } else { None };
        let request = Request {
            urns: self.urn.clone(),
            fold: self.fold,
            adopt: self.adopt,
            secrets: keys.as_ref(),
            missing_schema: self.schemas.missing(),
            ..Request::default()
        };
        let directory = self.out.as_deref().unwrap_or(Path::new("."));
        let loader = self.schemas.places()?.loader(Some(directory));
        let loader: &dyn Loader = &*loader;
        let file = FileId(0);
        let Imported { text, secrets, resources, diagnostics } =
            import(&state, file, &request, loader);
        if !diagnostics.is_empty() {
            let hidden = masked(state.tree().text(), Some(&state));
            checked.sources.replace(file, hidden);
        }
        drop(state);
        checked.diagnostics.extend(diagnostics);
        pcl::diagnostics::sort(&mut checked.diagnostics);
        super::hints::name_flags(&mut checked.diagnostics);
        if let Some(text) = &text {
            self.write(text)?;
        }
        tell(&checked.report);
        let warnings = checked.diagnostics.len();
        let errors = checked.diagnostics.iter().filter(|it| it.is_error()).count();
        match text {
            Some(_) => {
                let resources = many(resources, "resource");
                summarize(&format!("imported {resources}: {}", many(warnings, "warning")));
                remind(&secrets, self.show_secrets);
                Ok(Status::Clean)
            }
            None => {
                let errors = many(errors, "error");
                summarize(&format!("nothing is imported: {errors}"));
                Ok(Status::Found)
            }
        }
    }

    fn write(&self, text: &str) -> Result<(), Failure> {
        let Some(directory) = &self.out else { return print(text).map(drop) };
        std::fs::create_dir_all(directory)
            .map_err(|error| Failure::io("create the directory", directory, error))?;
        let path = directory.join(MAIN);
        let failure = |error| Failure::io("write", &path, error);
        let mut file = OutputFile::create(&path).map_err(failure)?;
        std::io::Write::write_all(&mut file, text.as_bytes()).map_err(failure)?;
        file.commit().map_err(failure)
    }
}

/// Refuses a directory that contains files of a program already.
fn refuse_programs(directory: &Path) -> Result<(), Failure> {
    let entries = match std::fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(Failure::io("read the directory", directory, error)),
    };
    for entry in entries {
        let path =
            entry.map_err(|error| Failure::io("read the directory", directory, error))?.path();
        if path.extension().is_some_and(|extension| extension == "pp") {
            let path = path.display();
            return Err(Failure::usage(format!(
                "`{path}` is there already; name a directory without programs"
            )));
        }
    }
    Ok(())
}

/// Says which configuration variables have to be set.
fn remind(secrets: &[SecretVariable], is_shown: bool) {
    if secrets.is_empty() || is_shown {
        return;
    }
    complain("set the secrets before you run the program:");
    for secret in secrets {
        complain(&format!(
            "  pulumi config set --secret {}    # {} of {}",
            secret.name, secret.path, secret.urn
        ));
    }
}
