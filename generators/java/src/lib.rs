//! Translates programs into Pulumi projects in Java.
//!
//! [`generate`] takes the [`Document`] of a program that was lowered for the SDK
//! ([`SdkOptions::java`](pcl::lower::SdkOptions::java)) and returns the files of a project:
//! `App.java`, a class for each component and one for its inputs, `Helpers.java` if a function of
//! the language has no counterpart, the files of a build tool, and `Pulumi.yaml`. It reads the
//! document alone.
//!
//! Laws:
//! - The files parse as Java 11, whatever the program is. No import is unused, and no two classes
//!   have one name.
//! - What Java or Pulumi's SDK cannot express ([`Limit`]) is in
//!   [`Project::unsupported`](pcl::generated::Project::unsupported) with its place; in the file, a
//!   function that fails takes the place of a value, and an option is left out.
//! - The layout is that of google-java-format.
//! - The cost is linear.
//!
//! ```
//! use pcl::lower::{SdkOptions, sdk};
//! use pcl::{Settings, Target, Workspace};
//! use pcl_to_java::{BuildTool, generate};
//!
//! let text = "config name string {}\noutput greeting {\n  value = \"Hello, ${name}!\"\n}\n";
//! let mut checked = Workspace::new(Settings::default()).check(&Target::text("main.pp", text));
//! checked.program = sdk(checked.program, &SdkOptions::java());
//! let project = generate(&checked.document(), "demo", BuildTool::Maven);
//!
//! assert!(project.unsupported.is_empty());
//! let app = &project.files[0];
//! assert_eq!(app.path, "src/main/java/generated_program/App.java");
//! assert!(app.text.contains("final var name = config.require(\"name\");\n"));
//! assert!(app.text.contains("ctx.export(\"greeting\", String.format(\"Hello, %s!\", name));\n"));
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
mod helper;
mod import;
mod invoke;
mod module;
mod names;
mod operator;
mod option;
mod package;
mod place;
mod program;
mod project;
mod resource;
mod source;
mod syntax;
mod traversal;
mod types;
mod value;

use module::{Shared, Writer};
use package::Packages;
use pcl::document::{Body, Document};
use pcl::generated::{Project, ProjectFile};
pub use pcl_codegen::Limit;
use pcl_codegen::{component_tokens, deferred_inputs};
pub use project::BuildTool;
use rustc_hash::FxHashMap;

/// The project of a program, with this name: its files are `App.java`, those of components, and the
/// rest. Of a document with errors it gives what is left of it.
pub fn generate(document: &Document, name: &str, tool: BuildTool) -> Project {
    let mut classes = names::class_names();
    let component_names: Vec<(String, String)> = document
        .components
        .iter()
        .map(|component| {
            let name = classes.take(&component.name);
            let args = classes.take_exactly(&format!("{name}Args"));
            (name, args)
        })
        .collect();
    let mut component_types = FxHashMap::default();
    for node in document.modules().flat_map(|module| &module.nodes) {
        if let Body::Component(component) = &node.body
            && let Some(program) = component.program
            && component.repeat == pcl::document::Repeat::Single
        {
            component_types.insert(node.ty, program.index());
        }
    }
    let shared = Shared {
        document,
        packages: Packages::new(document),
        component_names,
        component_tokens: component_tokens(document),
        deferred_inputs: deferred_inputs(document),
        component_types,
    };
    let path = |class: &str| format!("src/main/java/generated_program/{class}.java");
    let mut project = Project::default();
    let components = document.components.iter().enumerate();
    let components = components.map(|(at, component)| (&component.module, at + 1, Some(component)));
    for (module, at, component) in [(&document.main, 0, None)].into_iter().chain(components) {
        let (files, unsupported) = Writer::new(&shared, module, at, component).files();
        let files = files.into_iter().map(|(class, text)| ProjectFile::new(path(&class), text));
        project.files.extend(files);
        project.unsupported.extend(unsupported);
    }
    if let Some(text) = helper::file(project.files.iter().map(|file| file.text.as_str())) {
        project.files.push(ProjectFile::new(path("Helpers"), text));
    }
    project.files.extend(project::files(shared.packages.required(), name, tool));
    project
}
