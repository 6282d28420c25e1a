//! Checking what a program in Pulumi YAML becomes, with diagnostics at their places in the YAML.

use pcl::diagnostics::{Diagnostic, FileId, Label, SourceMap, Span};
use pcl::render::Report;
use pcl::{Checked, Settings, Target, Workspace};

use crate::{
    ConvertedPlugin, Places, Request, Source, SourceKind, convert, convert_manifests,
    convert_plugin,
};

/// The name of the file of a converted program.
pub const MAIN: &str = "main.pp";

/// A project that was read, converted and checked.
pub struct Conversion {
    /// The diagnostics, in the order of the files in YAML.
    pub report: Report,
    /// The program, or those of the components of a plugin; none if there are errors.
    pub programs: Vec<Program>,
}

/// A program in PCL that comes from one in Pulumi YAML.
pub struct Program {
    /// The directory of a component, in that of its package; empty for any other program.
    pub directory: String,
    /// Its text.
    pub text: String,
    /// The checked program.
    pub checked: Checked,
    places: Places,
}

impl Conversion {
    /// Converts a project, and checks its programs.
    pub fn of(source: &Source, mut settings: Settings) -> Self {
        let directory = pcl_system::directory_of(&source.path);
        let path = pcl_system::shown(&source.path);
        let mut sources = SourceMap::new();
        let file = sources.add(path.clone(), source.text.clone());
        let others: Vec<_> = source
            .others
            .iter()
            .map(|(path, text)| (sources.add(pcl_system::shown(path), text.clone()), &**text))
            .collect();
        let loader = settings.schemas.loader(Some(directory));
        let request = Request {
            text: &source.text,
            file,
            others: &others,
            project: &source.name,
            settings: &source.settings,
            has_project: source.is_project(),
            sdks: &source.sdks,
            loader: &*loader,
        };
        let ConvertedPlugin { components, mut diagnostics } = match source.kind {
            SourceKind::Plugin => convert_plugin(&request),
            SourceKind::Program => ConvertedPlugin::one(convert(&request)),
            SourceKind::Manifests => ConvertedPlugin::one(convert_manifests(&request)),
        };
        settings.takes_empty = true;
        let mut converted = Vec::new();
        for (directory, component) in components {
            diagnostics.extend(component.diagnostics);
            converted.extend(component.text.map(|text| (directory, text, component.places)));
        }
        pcl::diagnostics::sort(&mut diagnostics);
        let mut report = Report::new(path.clone(), sources, diagnostics);
        report.settings = settings.reports.clone();
        if !report.is_valid() {
            return Self { report, programs: Vec::new() };
        }
        let workspace = Workspace::new(settings);
        let mut programs = Vec::new();
        for (name, text, places) in converted {
            let target = Target::Memory {
                path: path.clone(),
                directory: Some(directory.to_owned()),
                files: vec![(MAIN.to_owned(), text.clone().into_bytes())],
            };
            let checked = workspace.check(&target);
            report.readable &= checked.readable;
            let mut program = Program { directory: name, text, checked, places };
            let found = std::mem::take(&mut program.checked.report.diagnostics);
            let moved: Vec<_> = found.iter().map(|it| program.moved(it, &report.sources)).collect();
            report.diagnostics.extend(moved);
            programs.push(program);
        }
        pcl::diagnostics::sort(&mut report.diagnostics);
        if !report.is_valid() {
            programs.clear();
        }
        Self { report, programs }
    }
}

impl Program {
    /// A diagnostic about the program as one about the files in YAML.
    pub fn moved(&self, diagnostic: &Diagnostic, files: &SourceMap) -> Diagnostic {
        let place = |span: Span| {
            let is_program = self.checked.report.sources.path(span.file).ends_with(MAIN);
            self.places.of(&self.text, files, span.range).filter(|_| is_program)
        };
        let file = self.places.file().unwrap_or(FileId(0));
        let top = Span::new(file, pcl::diagnostics::TextRange::empty(0));
        let labels = diagnostic.labels.iter().filter_map(|label| {
            Some(Label { span: place(label.span)?, message: label.message.clone() })
        });
        Diagnostic {
            primary: place(diagnostic.primary).unwrap_or(top),
            labels: labels.collect(),
            // They edit the program, and not the file.
            fixes: Vec::new(),
            ..diagnostic.clone()
        }
    }
}
