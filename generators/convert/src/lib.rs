//! All code generators behind one function: a checked program becomes a project in another
//! language.
//!
//! Each language has its own settings for the check and its own form of the program, and this crate
//! is the one place that knows which. `pcl convert`, the tools for agents and the packages for
//! Python and JavaScript use it.
//!
//! Invariant: what a generator cannot express is a diagnostic with its place, and never wrong code.
//!
//! ```
//! use pcl::{Settings, Target, Workspace};
//! use pcl_convert::{Language, Options, adjusted, convert};
//!
//! let text = "output greeting {\n  value = \"Hello!\"\n}\n";
//! let language = Language::parse("python").unwrap();
//! let settings = adjusted(Settings::default(), language);
//! let checked = Workspace::new(settings).check(&Target::text("main.pp", text));
//! let (checked, project) = convert(checked, language, "demo", &Options::default());
//! assert!(checked.diagnostics.is_empty());
//! let project = project.unwrap();
//! assert_eq!(project.files[0].path, "__main__.py");
//! assert!(project.files[0].text.contains("pulumi.export(\"greeting\", \"Hello!\")"));
//! ```

#![cfg_attr(
    not(test),
    deny(
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

use std::path::Path;

use pcl::binder::Program;
use pcl::document::Document;
use pcl::generated::Project;
use pcl::lower::{SdkOptions, constants, sdk};
use pcl::{Checked, Settings, known_values, project_of};

/// The tools that build projects in Java.
pub use pcl_to_java::BuildTool as JavaBuildTool;
/// The choices that projects in Python have.
pub use pcl_to_python::{Options as PythonOptions, Toolchain as PythonToolchain};

/// A language that programs are converted to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// TypeScript, for Node.js.
    Typescript,
    /// Python.
    Python,
    /// Go.
    Go,
    /// Java.
    Java,
    /// Pulumi YAML.
    Yaml,
    /// Pulumi YAML, written as JSON.
    Json,
}

impl Language {
    /// All languages.
    pub const ALL: [Self; 6] =
        [Self::Typescript, Self::Python, Self::Go, Self::Java, Self::Yaml, Self::Json];

    /// The name of the language in options: `typescript`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Typescript => "typescript",
            Self::Python => "python",
            Self::Go => "go",
            Self::Java => "java",
            Self::Yaml => "yaml",
            Self::Json => "json",
        }
    }

    /// The name of the language in a sentence.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Typescript => "TypeScript, for Node.js",
            Self::Python => "Python",
            Self::Go => "Go",
            Self::Java => "Java",
            Self::Yaml => "Pulumi YAML",
            Self::Json => "Pulumi YAML, written as JSON",
        }
    }

    /// The name of the language in `runtime` of project files, and in the name of Pulumi's language
    /// host that runs its programs, `pulumi-language-nodejs`.
    pub const fn runtime(self) -> &'static str {
        match self {
            Self::Typescript => "nodejs",
            Self::Python => "python",
            Self::Go => "go",
            Self::Java => "java",
            Self::Yaml | Self::Json => "yaml",
        }
    }

    /// Returns true if every function gives an output, as in the programs that Pulumi's own
    /// generators write. The languages for which it is the same have the same settings of a check,
    /// so that one check serves them.
    pub const fn gives_outputs(self) -> bool {
        matches!(self, Self::Typescript | Self::Python | Self::Go | Self::Java)
    }

    /// The language with a name.
    ///
    /// # Errors
    /// Returns a message with all names if there is none.
    pub fn parse(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|language| language.name() == name).ok_or_else(|| {
            let [others @ .., last] = Self::ALL.map(|language| format!("`{}`", language.name()));
            let known = format!("{} or {last}", others.join(", "));
            format!("unknown language `{name}`; expected {known}")
        })
    }
}

/// The choices that a conversion has.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Those of projects in Python.
    pub python: PythonOptions,
    /// The tool that builds projects in Java.
    pub java: JavaBuildTool,
}

/// The settings of a check whose program will be converted.
pub fn adjusted(mut settings: Settings, language: Language) -> Settings {
    // A program can be converted before it can run, such as one that has `notImplemented`.
    settings.untried = true;
    settings.takes_empty = true;
    settings.options.prefer_output_versioned_invokes |= language.gives_outputs();
    settings
}

/// The name of the project that the program in a directory belongs to; without a project file, that
/// of the directory. The keys of its configuration depend on it.
///
/// # Errors
/// Returns a message if the project file cannot be read.
pub fn project_name(directory: &Path) -> Result<String, String> {
    let root = project_of(directory);
    pcl::preview::project_name(root.as_deref().unwrap_or(directory))
}

/// The project of a checked program; `None` if the program has errors. The program gets the form
/// that the generator reads, and diagnostics for the constructs that the project does not have.
pub fn convert(
    mut checked: Checked,
    language: Language,
    name: &str,
    options: &Options,
) -> (Checked, Option<Project>) {
    if !checked.is_valid() {
        return (checked, None);
    }
    checked.program = lower(checked.program, language);
    let document = checked.document();
    let project = generate(&document, language, name, options);
    let missing = project.diagnostics(&document, &checked);
    checked.diagnostics.extend(missing);
    pcl::diagnostics::sort(&mut checked.diagnostics);
    (checked, Some(project))
}

/// The program in the form that the generator of a language reads.
fn lower(program: Program, language: Language) -> Program {
    match language {
        Language::Typescript => sdk(program, &SdkOptions::nodejs()),
        Language::Python => sdk(program, &SdkOptions::python()),
        Language::Go => sdk(program, &SdkOptions::go()),
        Language::Java => sdk(program, &SdkOptions::java()),
        Language::Yaml | Language::Json => constants(known_values(program, pcl_yaml::has_function)),
    }
}

/// The project of a document, which is that of a program in the form for the language.
pub fn generate(document: &Document, language: Language, name: &str, options: &Options) -> Project {
    match language {
        Language::Typescript => pcl_typescript::generate(document, name),
        Language::Python => pcl_to_python::generate(document, name, &options.python),
        Language::Go => pcl_to_go::generate(document, name),
        Language::Java => pcl_to_java::generate(document, name, options.java),
        Language::Yaml => pcl_yaml::generate(document, name),
        Language::Json => pcl_yaml::generate_json(document, name),
    }
}
