//! A code generator: translates a bound program into a Pulumi YAML project.
//!
//! [`generate`] writes YAML, [`generate_json`] the same project in JSON. Both read a [`Document`]
//! that no pass has lowered, and give the [`Project`]: its files, and the constructs that Pulumi
//! YAML cannot express ([`Limit`]).
//!
//! Invariants:
//! - Each construct that Pulumi YAML cannot express is in [`Project::unsupported`] with its place,
//!   and the attribute, output or declaration that contains it is left out. Nothing that is written
//!   refers to anything that was left out.
//! - All else means the same on both sides; `tests/programs` compares them.
//! - Neither long nor deep programs exhaust the stack.
//!
//! One file for each concept: `module` writes the sections of a program or component, `resource`
//! their contents, `expression` and `function` values, `package` the package files, `yaml` the
//! text, also that of JSON.
//!
//! ```
//! use pcl::{Settings, Target, Workspace};
//!
//! let text = "config port int { default = 80 }\noutput url { value = \"http://localhost:${port}\" }\n";
//! let mut checked = Workspace::new(Settings::default()).check(&Target::text("main.pp", text));
//! let project = pcl_yaml::generate(&checked.document(), "shop");
//!
//! assert!(project.unsupported.is_empty());
//! assert_eq!(project.files[0].path, "Pulumi.yaml");
//! assert_eq!(
//!     project.files[0].text,
//!     "name: shop\nruntime: yaml\nconfiguration:\n  port:\n    type: integer\n    default: 80\n\
//!      outputs:\n  url: http://localhost:${port}\n"
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

mod expression;
mod function;
mod module;
mod package;
mod resource;
mod yaml;

use pcl::diagnostics::Code;
use pcl::document::{Document, Place};
use pcl::generated::{Project, ProjectFile, Unsupported};

use module::{ModuleWriter, Sections};
use package::ComponentPackages;
use yaml::{Entry, Value};

/// Generates the project of a program, with this name. A document with errors gives what is left of
/// it.
pub fn generate(document: &Document, name: &str) -> Project {
    let Translation { mut settings, program, packages, unsupported } =
        translate(document, name, false);
    settings.extend(program);
    let files = [("Pulumi.yaml".to_owned(), settings)].into_iter();
    let files = files.chain(packages);
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
    project.files = files.map(|(path, text)| ProjectFile::new(path, text)).collect();
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
    let mut program = Vec::new();
    if let Some(version) = written.required_version.take() {
        let version = Entry::new("requiredPulumiVersion", version);
        program.push(Entry::new("pulumi", Value::Map(vec![version])));
    }
    program.extend(sections("configuration", written));

    let mut files = package::declarations(document);
    for (component, package) in document.components.iter().zip(packages.names()) {
        let module = &component.module;
        let mut written = ModuleWriter::new(document, module, &packages, is_json).write();
        unsupported.append(&mut written.unsupported);
        let mut entries = head(package);
        entries.extend(packages.used_by(module, ".."));
        let sections = Value::Map(sections("inputs", written));
        let component = Entry::new(&component.name, sections);
        entries.push(Entry::new("components", Value::Map(vec![component])));
        files.push((format!("components/{package}/PulumiPlugin.yaml"), entries));
    }
    Translation { settings, program, packages: files, unsupported }
}

/// The entries that every project and every package has.
fn head(name: &str) -> Vec<Entry> {
    vec![Entry::new("name", Value::text(name)), Entry::new("runtime", Value::text("yaml"))]
}

/// The sections that have entries. `config` is the name of the first.
fn sections(config: &str, written: Sections) -> Vec<Entry> {
    let sections = [
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

macro_rules! limits {
    ($($(#[doc = $doc:literal])* $name:ident,)*) => {
        /// The kinds of things that Pulumi YAML has no words for.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub enum Limit {
            $($(#[doc = $doc])* $name,)*
        }

        impl Limit {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// A description for people, which is [`Unsupported::kind`].
            pub const fn description(self) -> &'static str {
                match self { $(Self::$name => concat!($($doc)*).trim_ascii(),)* }
            }
        }
    };
}

limits! {
    /// arithmetic, comparisons and logic
    Operator,
    /// `condition ? a : b`, also as a directive in a template
    Conditional,
    /// `for`, splats and loops in templates
    Loop,
    /// the option `range`: several resources of one block
    Range,
    /// functions without a counterpart
    Function,
    /// methods of resources, called with `call`
    Method,
    /// computed and unusual keys
    Key,
    /// hooks
    Hook,
    /// options without a counterpart, and options that have to be literals and are not
    Option,
    /// config of a type without a counterpart, and defaults that are computed
    Config,
    /// components that need each other
    Circle,
    /// references to what was left out
    LeftOut,
    /// what did not bind
    Unbound,
}

impl Limit {
    /// Something at a place that exceeds this limit.
    pub(crate) fn at(self, place: Place, message: impl Into<String>) -> Unsupported {
        let code = match self {
            Self::LeftOut => Code::LeftOut,
            _ => Code::NoCounterpart,
        };
        Unsupported::new(code, self.description(), place, message)
    }
}
