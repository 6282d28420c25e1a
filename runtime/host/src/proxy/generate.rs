//! `GenerateProject` and `GenerateProgram` for other languages.

use std::path::{Path, PathBuf};

use pcl::diagnostics::Code;
use pcl::generated::Project;
use pcl::{Checked, Settings, Target, Workspace};
use pcl_convert::{Language, Options, adjusted, convert};
use serde_json::Value as Json;
use tonic::Status;

use super::form;
use crate::calls::{Engine, blocking};
use crate::project::{main_directory, read_project};
use crate::protocol::language::{
    Diagnostic, DiagnosticsResponse, GenerateProgramRequest, GenerateProgramResponse,
    GenerateProjectRequest,
};
use crate::protocol::resource::LogSeverity;
use crate::report;
use crate::run::{relative, service, settings_as_pulumi};

/// Converts the program in a directory, and writes the project into another one. A program with
/// errors is not written.
///
/// # Errors
/// Returns the reason why the project cannot be written.
pub(super) async fn project(
    request: GenerateProjectRequest,
    language: Language,
    engine: Option<Engine>,
) -> Result<DiagnosticsResponse, Status> {
    let generated = blocking(move || {
        let mut given = read_project(&request.project)?;
        main_directory(&given)?;
        let source = Path::new(&request.source_directory);
        let name = match given.get("name").and_then(Json::as_str) {
            Some(name) => name.to_owned(),
            None => pcl_convert::project_name(source)?,
        };
        given.insert(String::from("name"), name.as_str().into());
        let settings = settings_as_pulumi(service(&request.loader_target), request.strict);
        let target = Target::Path(relative(&program_in(source)));
        let (generated, project) = Generated::new(settings, &target, language, &name);
        if let Some(project) = project {
            let files = form::project(project, language, &given);
            let files: Vec<_> =
                files.iter().map(|(path, text)| (&**path, text.as_bytes())).collect();
            // Pulumi asks before it lets a language write into a directory that has files.
            pcl_system::write_files(Path::new(&request.target_directory), &files, true)
                .map_err(|failed| format!("cannot write {failed}"))?;
        }
        Ok(generated)
    });
    let generated = generated.await?;
    generated.log(engine).await;
    Ok(DiagnosticsResponse { diagnostics: generated.diagnostics })
}

/// Converts a program; the answer has the files of the program without those of a project.
///
/// # Errors
/// Returns an error if the host has a bug.
pub(super) async fn program(
    request: GenerateProgramRequest,
    language: Language,
    engine: Option<Engine>,
) -> Result<GenerateProgramResponse, Status> {
    let generated = blocking(move || {
        let settings = settings_as_pulumi(service(&request.loader_target), request.strict);
        let files = request.source.into_iter().map(|(name, text)| (name, text.into_bytes()));
        let path = String::from("program");
        let target = Target::Memory { path, directory: None, files: files.collect() };
        let (mut generated, project) = Generated::new(settings, &target, language, "program");
        // Pulumi wrote the program, so its style is not the user's.
        generated.warnings.retain(|(code, _)| matches!(code, Code::NoCounterpart | Code::LeftOut));
        Ok((generated, project))
    });
    let (generated, project) = generated.await?;
    generated.log(engine).await;
    let files = project.map(form::program).unwrap_or_default();
    let source = files.into_iter().map(|(path, text)| (path, text.into_bytes())).collect();
    Ok(GenerateProgramResponse { diagnostics: generated.diagnostics, source })
}

/// The directory of the program: the source itself or, if it has no files in PCL, the directory
/// that its project file names. Converters write them into the source in any case.
fn program_in(source: &Path) -> PathBuf {
    let is_program = |path: PathBuf| path.extension().is_some_and(|extension| extension == "pp");
    let files = std::fs::read_dir(source).into_iter().flatten();
    if files.flatten().any(|file| is_program(file.path())) {
        source.to_path_buf()
    } else {
        pcl::program_of(source)
    }
}

/// The diagnostics of a conversion.
struct Generated {
    diagnostics: Vec<Diagnostic>,
    /// The warnings as texts, with their codes.
    warnings: Vec<(Code, String)>,
}

impl Generated {
    /// Converts a program, which has a project unless it has errors.
    fn new(
        settings: Settings,
        target: &Target,
        language: Language,
        name: &str,
    ) -> (Self, Option<Project>) {
        let checked = Workspace::new(adjusted(settings, language)).check(target);
        let (checked, project) = convert(checked, language, name, &Options::default());
        let warnings = warnings(&checked);
        (Self { diagnostics: report::messages(&checked), warnings }, project)
    }

    /// Reports the warnings to the engine: `pulumi convert` shows those of an answer only beside
    /// an error.
    async fn log(&self, engine: Option<Engine>) {
        let Some(engine) = engine else { return };
        for (_, warning) in &self.warnings {
            let log = engine.log(LogSeverity::Warning, warning.clone(), String::new());
            // The project is there, whether or not somebody reads the warnings.
            if log.await.is_err() {
                return;
            }
        }
    }
}

fn warnings(checked: &Checked) -> Vec<(Code, String)> {
    let warnings = checked.diagnostics.iter().filter(|diagnostic| !diagnostic.is_error());
    let text = |it: &pcl::diagnostics::Diagnostic| (it.code, report::text(&checked.sources, it));
    warnings.map(text).collect()
}
