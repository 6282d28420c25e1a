//! Translates programs into Pulumi projects in Go.
//!
//! [`generate`] takes the [`Document`] of a program that was lowered for the SDK
//! ([`SdkOptions::go`](pcl::lower::SdkOptions::go)) and returns the files of a project: `main.go`,
//! a file with a struct for each component, `helpers.go` if a function of the language has no
//! counterpart, `go.mod`, and `Pulumi.yaml`. It reads the document alone.
//!
//! Laws:
//! - The files parse, whatever the program is. No variable and no import is unused, and no name
//!   hides a package.
//! - What Go or Pulumi's SDK cannot express ([`Limit`]) is in
//!   [`Project::unsupported`](pcl::generated::Project::unsupported) with its place; in the file, a
//!   function that fails takes the place of a value, and an option is left out.
//! - The layout is that of `gofmt`.
//! - The cost is linear.
//!
//! ```
//! use pcl::lower::{SdkOptions, sdk};
//! use pcl::{Settings, Target, Workspace};
//! use pcl_to_go::generate;
//!
//! let text = "config name string {}\noutput greeting {\n  value = \"Hello, ${name}!\"\n}\n";
//! let mut checked = Workspace::new(Settings::default()).check(&Target::text("main.pp", text));
//! checked.program = sdk(checked.program, &SdkOptions::go());
//! let project = generate(&checked.document(), "demo");
//!
//! assert!(project.unsupported.is_empty());
//! let main = &project.files[0];
//! assert_eq!(main.path, "main.go");
//! assert!(main.text.contains("name := cfg.Require(\"name\")\n"));
//! let greeting = "pulumi.String(fmt.Sprintf(\"Hello, %s!\", name))";
//! assert!(main.text.contains(&format!("ctx.Export(\"greeting\", {greeting})\n")));
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
mod hook;
mod import;
mod input;
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
use rustc_hash::FxHashMap;

/// The project of a program, with this name: its files are `main.go`, those of components, and the
/// rest. Of a document with errors it gives what is left of it.
pub fn generate(document: &Document, name: &str) -> Project {
    let mut types = names::names();
    let component_names: Vec<String> = document
        .components
        .iter()
        .map(|component| types.take_exactly(&names::exported(&component.name)))
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
    let mut project = Project::default();
    let mut imports: Vec<String> = Vec::new();
    let mut add = |project: &mut Project, path: String, writer: Writer<'_>| {
        let (text, unsupported, used) = writer.text();
        project.files.push(ProjectFile::new(path, text));
        project.unsupported.extend(unsupported);
        imports.extend(used);
    };
    let writer = Writer::new(&shared, &document.main, 0, None);
    add(&mut project, "main.go".to_owned(), writer);
    let mut files = pcl_codegen::Names::new(pcl_codegen::NameRules {
        reserved: &[],
        used: &["main", "helpers"],
        identifier: names::file,
        before_number: "_",
    });
    for (at, component) in document.components.iter().enumerate() {
        let writer = Writer::new(&shared, &component.module, at + 1, Some(component));
        let file = files.take(&component.name);
        add(&mut project, format!("{file}.go"), writer);
    }
    if let Some(text) = helper::file(project.files.iter().map(|file| file.text.as_str())) {
        project.files.push(ProjectFile::new("helpers.go", text));
    }
    imports.sort();
    imports.dedup();
    let required = shared.packages.required(&imports);
    project.files.extend(project::files(&required, name));
    project
}
