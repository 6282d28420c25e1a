//! Checked programs, and the questions about them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};

use pcl::document::{DocumentOptions, Wording};
use pcl::eval::References;
use pcl::eval::notation::Secrets;
use pcl::graph::Graph;
use pcl::lower::SdkOptions;
use pcl::preview::{Cancellation, OfflineProgram, RunOptions};
use pcl::render::{Format, Look, Stream, Summary, preview_json, value_json};
use pcl_ide::plain::{self, Lines};
use pcl_ide::{Analysis, FilePosition};
use pyo3::prelude::*;
use serde::Serialize;

use crate::document::Document;
use crate::run::{Class, error, error_with};
use crate::run::{cancellable, detached};
use crate::workspace::{Memory, Program};

/// The place of a program.
pub enum Place {
    Disk {
        /// Its directory.
        directory: PathBuf,
        /// The directory of its project; its own without a project.
        root: PathBuf,
    },
    Memory(Memory),
}

impl Place {
    pub fn of(program: &Program) -> Self {
        match program {
            Program::Memory(memory) => Self::Memory(memory.clone()),
            Program::Disk(path) => {
                let directory = program.directory().unwrap_or_else(|| path.clone());
                let root = pcl::project_of(&directory).unwrap_or_else(|| directory.clone());
                Self::Disk { directory, root }
            }
        }
    }
}

/// A checked program.
#[pyclass(frozen, module = "pcl._native")]
pub struct Checked {
    checked: pcl::Checked,
    place: Place,
    /// The index for questions about places.
    analysis: OnceLock<Mutex<Analysis>>,
}

#[pymethods]
impl Checked {
    /// The program as it was named.
    #[getter]
    fn path(&self) -> &str {
        &self.checked.path
    }

    /// The texts of the files, those of components included, by path.
    fn sources(&self) -> BTreeMap<&str, &str> {
        let sources = &self.checked.sources;
        let files = sources.files();
        files.map(|file| (sources.path(file), sources.text(file).as_ref())).collect()
    }

    /// The model for code generators; lowered, if it is for an SDK.
    fn document(
        &self,
        py: Python<'_>,
        sdk: Option<&str>,
        descriptions: bool,
    ) -> PyResult<Document> {
        let options = match sdk {
            None => None,
            Some("nodejs") => Some(SdkOptions::nodejs()),
            Some("python") => Some(SdkOptions::python()),
            Some("go") => Some(SdkOptions::go()),
            Some("java") => Some(SdkOptions::java()),
            Some(other) => {
                let message =
                    format!("unknown SDK `{other}`; expected `nodejs`, `python`, `go` or `java`");
                return Err(error(py, Class::Pcl, message));
            }
        };
        detached(py, || {
            let mut parts = DocumentOptions::default();
            parts.descriptions = descriptions;
            parts.wording = match sdk {
                Some("nodejs") => Wording::Nodejs,
                Some("python") => Wording::Python,
                Some("go") => Wording::Go,
                Some("java") => Wording::Java,
                _ => Wording::Pcl,
            };
            match options {
                Some(options) if self.checked.is_valid() => {
                    let mut checked = self.checked.clone();
                    checked.program = pcl::lower::sdk(checked.program, &options);
                    checked.document_with(&parts)
                }
                _ => self.checked.document_with(&parts),
            }
        })
        .map(Document::new)
    }

    /// The dependency graph: as JSON, for Mermaid or for Graphviz.
    fn graph(&self, py: Python<'_>, format: &str) -> PyResult<String> {
        let graph = detached(py, || Graph::of(&self.checked.program))?;
        match format {
            "json" => Ok(text(graph.to_json(&self.checked.report))),
            "mermaid" => Ok(graph.to_mermaid()),
            "dot" => Ok(graph.to_dot()),
            other => {
                let message =
                    format!("unknown format `{other}`; expected `json`, `mermaid` or `dot`");
                Err(error(py, Class::Pcl, message))
            }
        }
    }

    /// The explanation of the thing at a place, as JSON.
    fn hover(&self, py: Python<'_>, path: &str, line: u32, column: u32) -> PyResult<String> {
        self.ask(py, path, (line, column), plain::hover::<Lines>)
    }

    /// The completions at a place, as JSON.
    fn complete(&self, py: Python<'_>, path: &str, line: u32, column: u32) -> PyResult<String> {
        self.ask(py, path, (line, column), plain::complete::<Lines>)
    }

    /// The declaration of the name at a place, as JSON.
    fn definition(&self, py: Python<'_>, path: &str, line: u32, column: u32) -> PyResult<String> {
        let ask = |it: &mut Analysis, at| plain::definition::<Lines>(it, at);
        self.ask(py, path, (line, column), ask)
    }

    /// The document of `pcl preview --output-format json`. Secrets are hidden.
    fn preview(&self, py: Python<'_>, options: &str) -> PyResult<String> {
        let (program, cancellation) = self.offline(py, options)?;
        let cancel = || cancellation.cancel();
        cancellable(py, cancel, || text(preview_json(&program.preview(), Secrets::Hide)))
    }

    /// The value of an expression in the scope of the program, as JSON. Secrets are hidden.
    fn evaluate(&self, py: Python<'_>, expression: &str, options: &str) -> PyResult<String> {
        let (program, cancellation) = self.offline(py, options)?;
        let cancel = || cancellation.cancel();
        let (value, evaluated) = cancellable(py, cancel, || {
            let evaluated = program.evaluate(expression);
            let value = evaluated.value.as_ref();
            let value = value.and_then(|value| value.to_property(References::Expand).ok());
            (value.map(|it| value_json(&it, Secrets::Hide)), evaluated)
        })?;
        value.ok_or_else(|| {
            let message = format!("`{expression}` has no value");
            error_with(py, Class::Program, &message, &evaluated.report)
        })
    }
}

impl Checked {
    pub fn new(checked: pcl::Checked, place: Place) -> Self {
        Self { checked, place, analysis: OnceLock::new() }
    }

    fn ask<T: Serialize>(
        &self,
        py: Python<'_>,
        path: &str,
        at: (u32, u32),
        ask: impl FnOnce(&mut Analysis, FilePosition) -> T + Send,
    ) -> PyResult<String> {
        let answer = detached(py, || {
            let analysis =
                self.analysis.get_or_init(|| Mutex::new(Analysis::new(self.checked.clone())));
            let mut analysis = analysis.lock().unwrap_or_else(PoisonError::into_inner);
            let file = analysis.file(path);
            let file = file.ok_or_else(|| format!("`{path}` is not a file of the program"))?;
            let at = FilePosition::of_line(&analysis.checked.sources, file, at.0, at.1)?;
            let answer = ask(&mut analysis, at);
            serde_json::to_string(&answer).map_err(|error| error.to_string())
        })?;
        answer.map_err(|message| error(py, Class::Pcl, message))
    }

    fn offline(&self, py: Python<'_>, options: &str) -> PyResult<(OfflineProgram, Cancellation)> {
        let cancellation = Cancellation::default();
        let program = detached(py, || {
            let options: RunOptions =
                serde_json::from_str(options).map_err(|found| found.to_string())?;
            let checked = self.checked.clone();
            match &self.place {
                Place::Memory(Memory { directory, files }) => {
                    options.in_memory(checked, files.clone(), directory)
                }
                Place::Disk { directory, root } => options.on_disk(checked, directory, root),
            }
        })?;
        let program = program.map_err(|message| error(py, Class::Settings, message))?;
        Ok((program.with_cancellation(&cancellation), cancellation))
    }
}

/// The document about programs in one of the formats of `pcl check`.
#[pyfunction]
pub fn render(py: Python<'_>, programs: Vec<Bound<'_, Checked>>, format: &str) -> PyResult<String> {
    let Some(format) = Format::parse(format) else {
        let message = format!("unknown format `{format}`");
        return Err(error(py, Class::Pcl, message));
    };
    let programs: Vec<&Checked> = programs.iter().map(Bound::get).collect();
    detached(py, || {
        let settings = programs.first().map(|it| it.checked.settings.clone());
        let mut stream = Stream::new(format, &settings.unwrap_or_default());
        let mut summary = Summary::NONE;
        let mut document = stream.open();
        for program in &programs {
            let report = &program.checked.report;
            summary.add(report);
            document.extend(stream.add(format.part(report, Look::default())));
        }
        document.extend(stream.close(&summary));
        text(document)
    })
}

fn text(document: Vec<u8>) -> String {
    String::from_utf8_lossy(&document).into_owned()
}
