//! `pcl convert --from yaml`: a project in Pulumi YAML as one in PCL, or in another language.

use std::path::{Path, PathBuf};

use pcl::generated::Project;
use pcl::render::{Report, Roots, Summary};
use pcl_convert::{Language, Options, convert};
use pcl_from_yaml::{Conversion, ReadError, Source, SourceKind};

use super::check::OutputArgs;
use super::hints;
use super::inputs::SettingsArgs;
use super::output::{Documents, Main};
use super::status::Failure;

/// The result of a conversion.
pub(crate) enum Came {
    /// Errors, or files that cannot be read, which were reported.
    Refused {
        /// Set if everything could be read.
        is_readable: bool,
    },
    /// The files of a project in PCL.
    Program(Vec<(String, String)>),
    /// A project in another language.
    Project(Project),
}

/// The flags of the conversion.
pub(crate) struct Flags<'f> {
    pub settings: &'f SettingsArgs,
    pub output: &'f OutputArgs,
    pub main: Main,
    /// The name of a project in another language.
    pub name: Option<&'f str>,
    pub options: Options,
}

/// Reads a project in Pulumi YAML, or files of manifests of Kubernetes.
pub(crate) fn read(
    place: &Path,
    others: &[PathBuf],
    has_manifests: bool,
) -> Result<Source, Failure> {
    let source = if has_manifests { Source::manifests(place, others) } else { Source::read(place) };
    source.map_err(|ReadError { path, error }| Failure::io("read", path, error))
}

/// Converts a project, and reports about it.
pub(crate) fn from_yaml(
    source: &Source,
    language: Option<Language>,
    flags: &Flags<'_>,
) -> Result<Came, Failure> {
    if language.is_some() && source.kind == SourceKind::Plugin {
        let message = "a plugin becomes a package of components in PCL, which programs in all \
                       languages use; leave out `--to`";
        return Err(Failure::usage(message));
    }
    let directory = pcl_system::directory_of(&source.path);
    let inputs = flags.settings.inputs()?;
    let configuration = inputs.discovery.of(directory);
    super::config::refuse_errors(&inputs.discovery)?;
    let mut settings = inputs.settings(&configuration);
    if let Some(language) = language {
        settings = pcl_convert::adjusted(settings, language);
    }
    flags.output.adjust(&mut settings.reports, &Roots::find(Some(directory)));
    let documents = flags.output.open(flags.main, &settings.reports, None)?;
    let fails_on_warning = flags.settings.warnings_fail(&configuration);

    let Conversion { mut report, mut programs } = Conversion::of(source, settings);
    let mut project = None;
    let mut files = Vec::new();
    match (language, &mut programs[..]) {
        (_, []) => {}
        (None, programs) => {
            let texts = programs.iter().map(|it| (it.directory.as_str(), it.text.as_str()));
            files = source.files(texts);
        }
        (Some(language), [program, ..]) => {
            let name = flags.name.unwrap_or(&source.name);
            let checked = program.checked.clone();
            let (checked, made) = convert(checked, language, name, &flags.options);
            project = made;
            if let Some(project) = &mut project {
                source.add_settings(project);
            }
            program.checked = checked;
            let missing = program.checked.report.diagnostics.iter();
            let moved: Vec<_> = missing.map(|it| program.moved(it, &report.sources)).collect();
            report.diagnostics.extend(moved);
            pcl::diagnostics::sort(&mut report.diagnostics);
        }
    }
    hints::name_flags(&mut report.diagnostics);
    let Summary { errors, warnings, .. } = tell(&report, documents)?;
    let is_refused = errors > 0 || fails_on_warning && warnings > 0;
    Ok(match project {
        _ if is_refused || !report.readable => Came::Refused { is_readable: report.readable },
        Some(project) => Came::Project(project),
        None => Came::Program(files),
    })
}

fn tell(report: &Report, mut documents: Documents) -> Result<Summary, Failure> {
    documents.add(report)?;
    let summary = Summary::of(report);
    documents.close(&summary)?;
    Ok(summary)
}
