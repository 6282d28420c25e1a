//! `pcl new`: a project to start from.

mod templates;

use std::io::{self, BufRead as _, ErrorKind, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};

use crate::everywhere::summarize;
use crate::inputs;
use crate::output::complain;
use crate::status::{Failure, Outcome, Status};
use pcl::SchemaPlaces;
use pcl::generated::yaml_name;
use pcl::schema::{LoadError, Loader as _, PackageRequest};
use templates::{TEMPLATES, Template};

#[derive(Args)]
pub(crate) struct New {
    /// The program to start from
    #[arg(value_name = "TEMPLATE", default_value = "empty", value_parser = templates())]
    template: &'static Template,
    /// A directory that is new or empty
    #[arg(value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
    directory: PathBuf,
    /// The name of the project [default: that of the directory; asked for on a terminal]
    #[arg(long, value_name = "NAME", value_parser = project_name)]
    name: Option<String>,
}

/// The names of the templates, with a description of each.
fn templates() -> impl TypedValueParser<Value = &'static Template> {
    let values = TEMPLATES.iter().map(|it| PossibleValue::new(it.name).help(it.about));
    PossibleValuesParser::new(values).map(|name: String| {
        let template = TEMPLATES.iter().find(|it| it.name == name);
        template.unwrap_or(&TEMPLATES[0])
    })
}

/// Reads the name of a project, by Pulumi's rule.
fn project_name(text: &str) -> Result<String, String> {
    const LONGEST: usize = 100;
    let is_usual = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if !text.is_empty() && text.len() <= LONGEST && text.chars().all(is_usual) {
        return Ok(text.to_owned());
    }
    Err(format!("expected letters, digits, `-`, `_` and `.`, at most {LONGEST}"))
}

impl New {
    pub(crate) fn run(&self) -> Outcome {
        self.refuse_files()?;
        let name = self.project()?;
        let (path, settings) = self.template.kind.settings(&yaml_name(&name));
        let mut files = vec![(path, settings.as_bytes())];
        // A schema of the repository is the whole one, and must not be hidden by a nearer one.
        let has_schema = self.template.package.is_some_and(|package| self.repository_has(package));
        let own = self.template.files.iter();
        let own = own.filter(|(path, _)| !(has_schema && path.starts_with("schemas/")));
        files.extend(own.map(|(path, text)| (*path, text.as_bytes())));
        pcl_system::write_files(&self.directory, &files, false)
            .map_err(|error| Failure::io("write", &error.path, error.error))?;

        let paths: Vec<&str> = files.iter().map(|(path, _)| *path).collect();
        let place = pcl_system::shown(&self.directory);
        summarize(&format!("created the project {name} in `{place}`: {}", paths.join(", ")));
        let mut steps = Vec::new();
        if self.directory != Path::new(".") {
            steps.push(format!("cd {place}"));
        }
        if let Some(package) = self.template.package.filter(|it| self.lacks(it)) {
            complain(&format!(
                "the schema of {package} is not on this machine; without Pulumi, \
                 `pcl schema add {package} --from PATH` takes it from a file, folder or archive"
            ));
            steps.push(format!("pcl schema add {package}"));
        }
        steps.extend(self.template.kind.next_steps().map(str::to_owned));
        summarize(&format!("next steps:\n  {}", steps.join("\n  ")));
        Ok(Status::Clean)
    }

    /// Fails if the directory has files. A new repository is as good as an empty directory.
    fn refuse_files(&self) -> Result<(), Failure> {
        let failed = |error| Failure::io("read", &self.directory, error);
        let entries = match self.directory.read_dir() {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(failed(error)),
        };
        for entry in entries {
            if entry.map_err(failed)?.file_name() != ".git" {
                let place = pcl_system::shown(&self.directory);
                return Err(Failure::usage(format!(
                    "the directory `{place}` is not empty\n  help: `pcl new {} DIR` makes a new one",
                    self.template.name
                )));
            }
        }
        Ok(())
    }

    /// The name of the project: the one that was given, that of the directory, or, on a terminal,
    /// the answer.
    fn project(&self) -> Result<String, Failure> {
        if let Some(name) = &self.name {
            return Ok(name.clone());
        }
        let place = pcl_system::resolved(&self.directory);
        let own = place.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let own = project_name(&own).map_err(|reason| (own.into_owned(), reason));
        if io::stdin().is_terminal() && io::stderr().is_terminal() {
            return ask(own.ok());
        }
        own.map_err(|(own, reason)| {
            Failure::usage(format!(
                "`{}` cannot be the name of a project: {reason}\n  help: name it with `--name NAME`",
                own.escape_debug()
            ))
        })
    }

    /// Returns true if the schema of a package is in none of the usual places.
    fn lacks(&self, package: &str) -> bool {
        self.lacks_in(&inputs::usual_places(), package)
    }

    /// Returns true if a directory of schemas above the project has a package.
    fn repository_has(&self, package: &str) -> bool {
        let places = SchemaPlaces { beside_programs: true, ..SchemaPlaces::default() };
        !self.lacks_in(&places, package)
    }

    fn lacks_in(&self, places: &SchemaPlaces, package: &str) -> bool {
        let loader = places.loader(Some(&self.directory));
        matches!(loader.load(&PackageRequest::new(package)), Err(LoadError::NotFound(_)))
    }
}

/// Asks for the name of the project, until there is one.
fn ask(usual: Option<String>) -> Result<String, Failure> {
    let failed = |error| Failure::io("read", "standard input", error);
    let choice = usual.as_ref().map(|usual| format!(" ({usual})")).unwrap_or_default();
    loop {
        let _ = write!(io::stderr(), "name of the project{choice}: ");
        let mut line = String::new();
        if io::stdin().lock().read_line(&mut line).map_err(failed)? == 0 {
            return Err(Failure::usage("the project has no name".to_owned()));
        }
        match (project_name(line.trim()), &usual) {
            (Ok(name), _) => return Ok(name),
            (Err(_), Some(usual)) if line.trim().is_empty() => return Ok(usual.clone()),
            (Err(reason), _) => complain(&reason),
        }
    }
}
