//! Translates programs into Pulumi projects in Python.
//!
//! [`generate`] takes the [`Document`] of a program that was lowered for the SDK
//! ([`SdkOptions::python`](pcl::lower::SdkOptions::python)) and returns the files of a project:
//! `__main__.py`, a module with a class for each component in `components`, `requirements.txt` or
//! `pyproject.toml`, and `Pulumi.yaml`. It reads the document alone.
//!
//! Laws:
//! - The modules parse, whatever the program is.
//! - What Python or Pulumi's SDK cannot express ([`Limit`]) is in
//!   [`Project::unsupported`](pcl::generated::Project::unsupported) with its place; in the module, a
//!   function that fails takes the place of a value, and an option is left out.
//! - The layout is that of `ruff format`.
//! - The cost is linear.
//!
//! ```
//! use pcl::lower::{SdkOptions, sdk};
//! use pcl::{Settings, Target, Workspace};
//! use pcl_to_python::{Options, generate};
//!
//! let text = "config name string {\n  default = \"Ada\"\n}\noutput greeting {\n  value = \"Hello, ${name}!\"\n}\n";
//! let mut checked = Workspace::new(Settings::default()).check(&Target::text("main.pp", text));
//! checked.program = sdk(checked.program, &SdkOptions::python());
//! let project = generate(&checked.document(), "demo", &Options::default());
//!
//! assert!(project.unsupported.is_empty());
//! let main = &project.files[0];
//! assert_eq!(main.path, "__main__.py");
//! assert_eq!(main.text, r#"import pulumi
//!
//! config = pulumi.Config()
//!
//! name = config.get("name", "Ada")
//!
//! pulumi.export("greeting", f"Hello, {name}!")
//! "#);
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

mod apply;
mod call;
mod collection;
mod component;
mod config;
mod convert;
mod depends_on;
mod function;
mod helper;
mod hook;
mod import;
mod invoke;
mod keys;
mod module;
mod names;
mod operator;
mod option;
mod package;
mod print;
mod program;
mod project;
mod resource;
mod source;
mod traversal;
mod types;
mod value;

use component::ComponentTypes;
use module::{Shared, Writer};
use names::names;
use package::Packages;
use pcl::document::Document;
use pcl::generated::{Project, ProjectFile};
pub use pcl_codegen::Limit;
use pcl_codegen::{component_tokens, deferred_inputs};
pub use project::{Options, Toolchain};

/// The project of a program, with this name: its files are `__main__.py`, the modules of
/// components, and the rest. Of a document with errors it gives what is left of it.
pub fn generate(document: &Document, name: &str, options: &Options) -> Project {
    let mut names = names();
    let files = document.components.iter().map(|component| names.take(&component.name));
    let shared = Shared {
        document,
        packages: Packages::new(document),
        component_files: files.collect(),
        component_tokens: component_tokens(document),
        component_types: ComponentTypes::new(document),
        deferred_inputs: deferred_inputs(document),
        has_classes: options.classes,
    };
    let mut project = Project::default();
    let add = |project: &mut Project, path: String, writer: Writer<'_>| {
        let (text, unsupported) = writer.text();
        project.files.push(ProjectFile::new(path, text));
        project.unsupported.extend(unsupported);
    };
    let writer = Writer::new(&shared, &document.main, 0, None);
    add(&mut project, "__main__.py".to_owned(), writer);
    let components = document.components.iter().zip(&shared.component_files);
    for (at, (component, file)) in components.enumerate() {
        let writer = Writer::new(&shared, &component.module, at + 1, Some(component));
        add(&mut project, format!("components/{file}.py"), writer);
    }
    project.files.extend(project::files(&shared.packages, name, options.toolchain));
    project
}
