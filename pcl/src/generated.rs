//! The result of a code generator: the files of a project in another language, and the parts of the
//! program that they do not have.
//!
//! ```
//! use pcl::diagnostics::Code;
//! use pcl::document::{Body, Document};
//! use pcl::generated::{Project, ProjectFile, Unsupported};
//! use pcl::{Settings, Target, Workspace};
//!
//! /// A generator that knows locals alone.
//! fn generate(document: &Document) -> Project {
//!     let mut project = Project::default();
//!     let mut text = String::new();
//!     for (_, node) in document.main.in_order() {
//!         match node.body {
//!             Body::Local { .. } => text += &format!("let {};\n", node.name),
//!             _ => project.unsupported.push(Unsupported::new(
//!                 Code::NoCounterpart,
//!                 "declarations",
//!                 node.name_range,
//!                 format!("this language has no {}", node.kind().name()),
//!             )),
//!         }
//!     }
//!     project.files.push(ProjectFile::new("main.x", text));
//!     project
//! }
//!
//! let text = "size = 3\noutput total { value = size }\n";
//! let mut checked = Workspace::new(Settings::default()).check(&Target::text("main.pp", text));
//! let document = checked.document();
//! let project = generate(&document);
//! assert_eq!(project.files[0].text, "let size;\n");
//!
//! let diagnostics = project.diagnostics(&document, &checked);
//! assert_eq!(diagnostics[0].message, "this language has no output");
//! assert_eq!(checked.sources.slice(diagnostics[0].primary), "total");
//! ```

use pcl_diagnostics::{Code, Compat, Diagnostic, Policy, Reporter, Span, TextRange};

use crate::Checked;
use crate::document::{Document, Place};

/// A generated project.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Project {
    /// Its files.
    pub files: Vec<ProjectFile>,
    /// The constructs that the target language cannot express, which the files do not have.
    pub unsupported: Vec<Unsupported>,
}

/// A file of a [`Project`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ProjectFile {
    /// Its path in the project, with slashes.
    pub path: String,
    /// The text.
    pub text: String,
    /// Set if the file describes the project, such as its packages: a program without a project
    /// does not have it.
    pub is_settings: bool,
}

impl ProjectFile {
    /// A file of the program with this text.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into(), is_settings: false }
    }

    /// A file that describes the project.
    pub fn settings(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { is_settings: true, ..Self::new(path, text) }
    }
}

/// A construct that the target language cannot express.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Unsupported {
    /// The code of the diagnostic: [`Code::NoCounterpart`], or [`Code::LeftOut`] for what refers to
    /// something that was left out.
    pub code: Code,
    /// The kind of construct, in a few words in the plural: `loops`.
    pub kind: &'static str,
    /// Its place in the program.
    pub place: Place,
    /// The headline of the diagnostic.
    pub message: String,
    /// Set if the project registers less than the program without a word: a resource, an output, an
    /// input or an option is missing. A call that raises in the place of a value is a word.
    pub is_loss: bool,
}

impl Unsupported {
    /// A construct at a place of a document, which the project lacks.
    pub fn new(code: Code, kind: &'static str, place: Place, message: impl Into<String>) -> Self {
        Self { code, kind, place, message: message.into(), is_loss: true }
    }

    /// The same where the project loses nothing by it.
    pub fn without_loss(self) -> Self {
        Self { is_loss: false, ..self }
    }
}

impl Project {
    /// Returns true if the project registers all that the program does, or fails.
    pub fn is_complete(&self) -> bool {
        !self.unsupported.iter().any(|unsupported| unsupported.is_loss)
    }

    /// The diagnostics about what the project does not have, in the order of the text: warnings,
    /// unless the settings of the program give their codes another level. `document` is that of
    /// `checked`.
    pub fn diagnostics(&self, document: &Document, checked: &Checked) -> Vec<Diagnostic> {
        // The verdict of a binder, which may be emulated, does not cover projects.
        let policy = Policy { compat: Compat::None, ..checked.program.policy().clone() };
        let mut reporter = Reporter::new(policy);
        for unsupported in &self.unsupported {
            let place = unsupported.place;
            let path = document.file(place).map(|file| file.path.as_str());
            let mut files = checked.sources.files();
            let file = files.find(|&file| Some(checked.sources.path(file)) == path);
            if let Some(file) = file {
                let range = TextRange::new(place.start, place.end);
                reporter.report(left_out(unsupported, Span::new(file, range)));
            }
        }
        let mut diagnostics = reporter.into_diagnostics();
        pcl_diagnostics::sort(&mut diagnostics);
        diagnostics
    }
}

/// The construct is left out of the project.
fn left_out(unsupported: &Unsupported, span: Span) -> Diagnostic {
    let diagnostic =
        Diagnostic::warning(unsupported.code, span, unsupported.message.clone()).ours();
    match unsupported.code {
        Code::LeftOut => diagnostic.help("solve the problem of the declaration it refers to first"),
        _ => diagnostic
            .note(format!("not supported: {}", unsupported.kind))
            .help("add what is missing to the generated project by hand"),
    }
}

/// A text in JSON; YAML and TOML read it as the same text.
pub fn json_text(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            // The others would be line breaks and a byte order mark in YAML.
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                out.push_str(&format!("\\u{:04x}", u32::from(c)))
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A name as YAML: bare where every reader sees text in it.
pub fn yaml_name(text: &str) -> String {
    let is_bare = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
        && !["true", "false", "yes", "no", "on", "off", "y", "n", "null"]
            .iter()
            .any(|word| text.eq_ignore_ascii_case(word));
    if is_bare { text.to_owned() } else { json_text(text) }
}
