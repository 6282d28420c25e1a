//! Checking what a program in Pulumi YAML becomes, with diagnostics at their places in the YAML.

use pcl::diagnostics::{Diagnostic, FileId, Label, SourceMap, Span};
use pcl::render::Report;
use pcl::{Checked, Settings, Target, Workspace};

use crate::{Converted, Places, Request, Source, convert, convert_manifests};

/// The name of the file of a converted program.
pub const MAIN: &str = "main.pp";

/// A project that was read, converted and checked.
pub struct Conversion {
    /// The diagnostics, in the order of the file in YAML.
    pub report: Report,
    /// The program; `None` if there are errors.
    pub program: Option<Program>,
}

/// A program in PCL that comes from one in Pulumi YAML.
pub struct Program {
    /// Its text.
    pub text: String,
    /// The checked program.
    pub checked: Checked,
    places: Places,
}

impl Conversion {
    /// Converts a project, and checks the program.
    pub fn of(source: &Source, mut settings: Settings) -> Self {
        let directory = pcl_system::directory_of(&source.path);
        let path = pcl_system::shown(&source.path);
        let mut sources = SourceMap::new();
        let file = sources.add(path.clone(), source.text.clone());
        let loader = settings.schemas.loader(Some(directory));
        let request = Request {
            text: &source.text,
            file,
            project: &source.name,
            settings: &source.settings,
            has_project: source.is_project(),
            sdks: &source.sdks,
            loader: &*loader,
        };
        let Converted { text, places, diagnostics } =
            if source.has_manifests { convert_manifests(&request) } else { convert(&request) };
        settings.takes_empty = true;
        let mut report = Report::new(path.clone(), sources, diagnostics);
        report.settings = settings.reports.clone();
        let Some(text) = text else { return Self { report, program: None } };
        let target = Target::Memory {
            path,
            directory: Some(directory.to_owned()),
            files: vec![(MAIN.to_owned(), text.clone().into_bytes())],
        };
        let checked = Workspace::new(settings).check(&target);
        report.readable = checked.readable;
        let mut program = Program { text, checked, places };
        let found = std::mem::take(&mut program.checked.report.diagnostics);
        report.diagnostics.extend(found.iter().map(|it| program.moved(it, source, file)));
        pcl::diagnostics::sort(&mut report.diagnostics);
        let is_valid = report.is_valid();
        Self { report, program: is_valid.then_some(program) }
    }
}

impl Program {
    /// A diagnostic about the program as one about the file in YAML.
    pub fn moved(&self, diagnostic: &Diagnostic, source: &Source, file: FileId) -> Diagnostic {
        let place = |span: Span| {
            let is_program = self.checked.report.sources.path(span.file).ends_with(MAIN);
            let range = self.places.of(&self.text, &source.text, span.range);
            range.filter(|_| is_program).map(|range| Span::new(file, range))
        };
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
