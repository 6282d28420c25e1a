//! Translates a bound program into a Pulumi YAML project.
//!
//! One file for each concept: [`module`] writes the sections of a program or component,
//! [`resource`] and [`option`] their contents, [`expression`] and [`function`] values, [`package`]
//! the package files, [`yaml`] the text. Each construct that Pulumi YAML cannot express gives a
//! [`Diagnostic`], and the attribute that contains it is left out; nothing that is written refers
//! to anything that was left out.

mod config;
mod diagnostic;
mod expression;
mod function;
mod module;
mod option;
mod package;
mod resource;
mod yaml;

pub use diagnostic::{Diagnostic, Limit};

use module::ModuleWriter;
use package::ComponentPackages;
use pcl::document::Document;
use yaml::{Entry, Value};

/// A generated project.
#[derive(Debug)]
pub struct Project {
    /// Its files: `Pulumi.yaml`, then those of packages and components.
    pub files: Vec<ProjectFile>,
    /// The constructs that Pulumi YAML cannot express, in the order of the translation.
    pub diagnostics: Vec<Diagnostic>,
}

/// A file of a [`Project`].
#[derive(Debug)]
pub struct ProjectFile {
    /// Its path in the project, with slashes.
    pub path: String,
    /// The text.
    pub text: String,
}

/// Generates the project of a program. A document with errors gives what is left of it.
pub fn generate(document: &Document, project: &str) -> Project {
    let packages = ComponentPackages::new(document);
    let mut files = Vec::new();
    let mut diagnostics = Vec::new();

    let written = ModuleWriter::new(document, &document.main, &packages).write();
    let mut entries = vec![
        Entry::new("name", Value::text(project)),
        Entry::new("runtime", Value::text("yaml")),
    ];
    entries.extend(packages.used_by(&document.main, "./components"));
    if let Some(version) = written.required_version {
        let version = Entry::new("requiredPulumiVersion", version);
        entries.push(Entry::new("pulumi", Value::Map(vec![version])));
    }
    entries.extend(section("configuration", written.config));
    entries.extend(section("variables", written.variables));
    entries.extend(section("resources", written.resources));
    entries.extend(section("outputs", written.outputs));
    files.push(file("Pulumi.yaml".to_owned(), entries));
    diagnostics.extend(written.diagnostics);

    files.extend(package::declarations(document));
    for (component, package) in document.components.iter().zip(packages.names()) {
        let module = &component.module;
        let written = ModuleWriter::new(document, module, &packages).write();
        let mut sections = Vec::new();
        sections.extend(section("inputs", written.config));
        sections.extend(section("variables", written.variables));
        sections.extend(section("resources", written.resources));
        sections.extend(section("outputs", written.outputs));
        let mut entries = vec![
            Entry::new("name", Value::text(package)),
            Entry::new("runtime", Value::text("yaml")),
        ];
        entries.extend(packages.used_by(module, ".."));
        let component = Entry::new(&component.name, Value::Map(sections));
        entries.push(Entry::new("components", Value::Map(vec![component])));
        files.push(file(
            format!("components/{package}/PulumiPlugin.yaml"),
            entries,
        ));
        diagnostics.extend(written.diagnostics);
    }
    Project { files, diagnostics }
}

fn section(name: &str, entries: Vec<Entry>) -> Option<Entry> {
    (!entries.is_empty()).then(|| Entry::new(name, Value::Map(entries)))
}

fn file(path: String, entries: Vec<Entry>) -> ProjectFile {
    let text = yaml::write(&entries);
    ProjectFile { path, text }
}
