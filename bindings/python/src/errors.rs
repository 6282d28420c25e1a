//! The exceptions of the package, which Python declares.

use pcl::diagnostics::Diagnostic;
use pcl::render::{Format, Look, Report};
use pyo3::prelude::*;

/// The class of an exception, by its name in `pcl.errors`.
#[derive(Clone, Copy)]
pub enum Class {
    Pcl,
    Program,
    Schema,
    Settings,
    UnknownTopic,
}

impl Class {
    const fn name(self) -> &'static str {
        match self {
            Self::Pcl => "PclError",
            Self::Program => "ProgramError",
            Self::Schema => "SchemaError",
            Self::Settings => "SettingsError",
            Self::UnknownTopic => "UnknownTopicError",
        }
    }
}

/// An exception without diagnostics.
pub fn error(py: Python<'_>, class: Class, message: impl Into<String>) -> PyErr {
    raise(py, class, message.into(), None)
}

/// An exception with the diagnostics of a report.
pub fn error_with(py: Python<'_>, class: Class, message: &str, report: &Report) -> PyErr {
    let document = Format::Json.render(report, Look::default());
    raise(py, class, message.to_owned(), Some(document))
}

fn raise(py: Python<'_>, class: Class, message: String, document: Option<Vec<u8>>) -> PyErr {
    let made = py
        .import("pcl.errors")
        .and_then(|module| module.call_method1("_make", (class.name(), message, document)));
    match made {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

/// The messages of diagnostics without a place.
pub fn messages(diagnostics: &[Diagnostic]) -> String {
    let text = |diagnostic: &Diagnostic| match &diagnostic.help {
        Some(help) => format!("{}; {help}", diagnostic.message),
        None => diagnostic.message.clone(),
    };
    let texts: Vec<String> = diagnostics.iter().map(text).collect();
    texts.join("; ")
}
