//! A code generator: translates a bound program into a Pulumi YAML project.
//!
//! [`generate`] writes YAML, [`generate_json`] the same project in JSON. Both read a [`Document`]
//! that no pass has lowered, or one with the constants and known values of its program written out,
//! and give the [`Project`]: its files, and the constructs that Pulumi YAML cannot express
//! ([`Limit`]).
//!
//! Invariants:
//! - Each construct that Pulumi YAML cannot express is in [`Project::unsupported`] with its place,
//!   and the attribute, output or declaration that contains it is left out. Nothing that is written
//!   refers to anything that was left out.
//! - All else means the same on both sides; `tests/programs` compares them.
//! - Neither long nor deep programs exhaust the stack.
//!
//! One file for each concept: `module` writes the sections of a program or component, `config`,
//! `resource` and `options` their contents, `expression`, `path`, `convert` and `function` values,
//! `package` the package files, `limit` what is left out, `yaml` the text, also that of JSON.
//!
//! ```
//! use pcl::{Settings, Target, Workspace};
//!
//! let text = "config host string { default = \"localhost\" }\n\
//!     output url { value = \"http://${host}:80\" }\n";
//! let mut checked = Workspace::new(Settings::default()).check(&Target::text("main.pp", text));
//! let project = pcl_yaml::generate(&checked.document(), "shop");
//!
//! assert!(project.unsupported.is_empty());
//! let [settings, program] = &project.files[..] else { panic!() };
//! assert_eq!((settings.path.as_str(), program.path.as_str()), ("Pulumi.yaml", "Main.yaml"));
//! assert_eq!(settings.text, "name: shop\nruntime: yaml\n");
//! assert_eq!(
//!     program.text,
//!     "config:\n  host:\n    type: string\n    default: localhost\n\
//!      outputs:\n  url: http://${host}:80\n"
//! );
//! ```
//!
//! [`Project::unsupported`]: pcl::generated::Project::unsupported

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

mod config;
mod convert;
mod expression;
mod function;
mod limit;
mod module;
mod options;
mod package;
mod path;
mod resource;
mod yaml;

use pcl::document::Document;
use pcl::generated::{Project, ProjectFile, Unsupported};

pub use function::has_function;
pub use limit::Limit;

use module::{ModuleWriter, Sections};
use package::ComponentPackages;
use yaml::{Entry, Value};

/// Generates the project of a program, with this name. A document with errors gives what is left of
/// it.
///
/// The program is in `Pulumi.yaml`, or in `Main.yaml` if it has configuration: the section `config`
/// of `Pulumi.yaml` is read by the command `pulumi` as well, which knows other types.
pub fn generate(document: &Document, name: &str) -> Project {
    let Translation { mut settings, program, packages, unsupported } =
        translate(document, name, false);
    let mut files = Vec::new();
    if program.iter().any(|section| section.key == CONFIG) {
        files.push(("Pulumi.yaml".to_owned(), settings));
        files.push(("Main.yaml".to_owned(), program));
    } else {
        settings.extend(program);
        files.push(("Pulumi.yaml".to_owned(), settings));
    }
    let files = files.into_iter().chain(packages);
    project(files.map(|(path, entries)| (path, yaml::write(&entries))), unsupported)
}

/// Generates the project of a program, with this name, in JSON: `Pulumi.json` for the command
/// `pulumi`, and the program in `Main.json`, which is where the language host for YAML looks for
/// it. Pulumi finds the other files by names that end in `.yaml`; their text is JSON, too. JSON has
/// no comments.
pub fn generate_json(document: &Document, name: &str) -> Project {
    let translation = translate(document, name, true);
    let files = [
        ("Pulumi.json".to_owned(), translation.settings),
        ("Main.json".to_owned(), translation.program),
    ];
    let files = files.into_iter().chain(translation.packages);
    project(
        files.map(|(path, entries)| (path, yaml::write_json(&entries))),
        translation.unsupported,
    )
}

fn project(
    files: impl Iterator<Item = (String, String)>,
    unsupported: Vec<Unsupported>,
) -> Project {
    let mut project = Project::default();
    let file = |(path, text): (String, String)| match path.as_str() {
        "Pulumi.yaml" | "Pulumi.json" => ProjectFile::settings(path, text),
        package if package.starts_with("sdks/") => ProjectFile::settings(path, text),
        _ => ProjectFile::new(path, text),
    };
    project.files = files.map(file).collect();
    project.unsupported = unsupported;
    project
}

/// A project, not yet as text.
struct Translation {
    /// The settings of the project.
    settings: Vec<Entry>,
    /// The program.
    program: Vec<Entry>,
    /// The files of packages and components.
    packages: Vec<(String, Vec<Entry>)>,
    unsupported: Vec<Unsupported>,
}

fn translate(document: &Document, name: &str, is_json: bool) -> Translation {
    let packages = ComponentPackages::new(document);
    let mut written = ModuleWriter::new(document, &document.main, &packages, is_json).write();
    let mut unsupported = std::mem::take(&mut written.unsupported);
    let mut settings = head(name);
    settings.extend(packages.used_by(&document.main, "./components"));
    let program = sections(CONFIG, written);

    let mut files = package::declarations(document, &document.packages, "");
    for (component, package) in document.components.iter().zip(packages.names()) {
        let module = &component.module;
        let mut written = ModuleWriter::new(document, module, &packages, is_json).write();
        unsupported.append(&mut written.unsupported);
        let mut entries = head(package);
        entries.extend(packages.used_by(module, ".."));
        let sections = Value::Map(sections("inputs", written));
        let component = Entry::new(&component.name, sections);
        entries.push(Entry::new("components", Value::Map(vec![component])));
        let directory = format!("components/{package}/");
        files.push((format!("{directory}PulumiPlugin.yaml"), entries));
        files.extend(package::declarations(document, &module.packages, &directory));
    }
    Translation { settings, program, packages: files, unsupported }
}

/// The entries that every project and every package has.
fn head(name: &str) -> Vec<Entry> {
    vec![Entry::new("name", Value::text(name)), Entry::new("runtime", Value::text("yaml"))]
}

/// The section of a program that declares its configuration.
const CONFIG: &str = "config";

/// The sections that have entries. `config` is the name of that of the configuration.
fn sections(config: &str, written: Sections) -> Vec<Entry> {
    let version = written.required_version.map(|version| Entry::new("requiredVersion", version));
    let sections = [
        ("pulumi", version.into_iter().collect()),
        (config, written.config),
        ("variables", written.variables),
        ("resources", written.resources),
        ("outputs", written.outputs),
    ];
    let sections = sections.into_iter();
    let sections = sections.filter(|(_, entries)| !entries.is_empty());
    let sections = sections.map(|(name, entries)| Entry::new(name, Value::Map(entries)));
    sections.collect()
}
