//! Translates programs into Pulumi projects in TypeScript.
//!
//! [`generate`] takes the [`Document`] of a program that was lowered for the SDK
//! ([`SdkOptions::nodejs`](pcl::lower::SdkOptions::nodejs)) and returns the files of a project:
//! `index.ts`, a module with a class for each component, `package.json`, `tsconfig.json` and
//! `Pulumi.yaml`. It reads the document alone.
//!
//! Laws:
//! - The modules compile under `tsc --strict` with the packages of the program.
//! - What TypeScript or Pulumi's SDK cannot express ([`Limit`]) is in
//!   [`Project::unsupported`](pcl::generated::Project::unsupported) with its place; in the module, a
//!   function that fails takes the place of a value, and an option is left out.
//! - The layout is that of Prettier.
//! - Nothing recurses on the depth of the program, and the cost is linear.
//!
//! ```
//! use pcl::lower::{SdkOptions, sdk};
//! use pcl::{Settings, Target, Workspace};
//! use pcl_typescript::generate;
//!
//! let text = "config name string {\n  default = \"Ada\"\n}\noutput greeting {\n  value = \"Hello, ${name}!\"\n}\n";
//! let mut checked = Workspace::new(Settings::default()).check(&Target::text("main.pp", text));
//! checked.program = sdk(checked.program, &SdkOptions::nodejs());
//! let project = generate(&checked.document(), "demo");
//!
//! assert!(project.unsupported.is_empty());
//! let index = &project.files[0];
//! assert_eq!(index.path, "index.ts");
//! assert_eq!(index.text, r#"import * as pulumi from "@pulumi/pulumi";
//!
//! const config = new pulumi.Config();
//!
//! const name = config.get("name") ?? "Ada";
//!
//! export const greeting = `Hello, ${name}!`;
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
mod checked;
mod choice;
mod collection;
mod component;
mod config;
mod convert;
mod depends_on;
mod helper;
mod hook;
mod invoke;
mod module;
mod names;
mod operator;
mod option;
mod package;
mod print;
mod program;
mod resource;
mod sorted;
mod source;
mod traversal;
mod types;
mod value;

use module::{Shared, Writer};
use package::Packages;
use pcl::document::Document;
use pcl::generated::{Project, ProjectFile};
pub use pcl_codegen::Limit;
use pcl_codegen::{component_tokens, deferred_inputs, json_text, yaml_name};

/// The project of a program, with this name: its files are `index.ts`, the modules of components,
/// and the rest. Of a document with errors it gives what is left of it.
pub fn generate(document: &Document, name: &str) -> Project {
    let mut names = names::names();
    names.take("index");
    let files =
        document.components.iter().map(|component| names.take(&names::camel(&component.name)));
    let shared = Shared {
        document,
        packages: Packages::new(document),
        component_files: files.collect(),
        component_tokens: component_tokens(document),
        deferred_inputs: deferred_inputs(document),
        output_calls: call::output_calls(document),
    };
    let mut project = Project::default();
    let add = |project: &mut Project, path: String, writer: Writer<'_>| {
        let (text, unsupported) = writer.text();
        project.files.push(ProjectFile::new(path, text));
        project.unsupported.extend(unsupported);
    };
    let writer = Writer::new(&shared, &document.main, 0, None);
    add(&mut project, "index.ts".to_owned(), writer);
    let components = document.components.iter().zip(&shared.component_files);
    for (at, (component, file)) in components.enumerate() {
        let writer = Writer::new(&shared, &component.module, at + 1, Some(component));
        add(&mut project, format!("{file}.ts"), writer);
    }
    for (path, text) in [
        ("package.json", package_json(&shared.packages, name)),
        ("tsconfig.json", tsconfig()),
        ("Pulumi.yaml", pulumi_yaml(name)),
    ] {
        project.files.push(ProjectFile::settings(path, text));
    }
    project
}

/// The version of Pulumi's SDK that a project needs at least.
const SDK_VERSION: &str = "^3.255.0";

const NODE_TYPES_VERSION: &str = "^22.0.0";

const TYPESCRIPT_VERSION: &str = "^5.9.0";

/// The text of `package.json`.
fn package_json(packages: &Packages<'_>, project: &str) -> String {
    let mut dependencies = vec![("@pulumi/pulumi".to_owned(), SDK_VERSION.to_owned())];
    for package in packages.installed() {
        let version = package.version.as_ref();
        let version = version.map_or_else(|| "*".to_owned(), ToString::to_string);
        dependencies.push((package.npm_name, version));
    }
    dependencies.sort();
    dependencies.dedup_by(|a, b| a.0 == b.0);
    let line = |(name, version): &(String, String)| {
        format!("    {}: {}", json_text(name), json_text(version))
    };
    let dependencies: Vec<String> = dependencies.iter().map(line).collect();
    format!(
        "{{\n  \"name\": {},\n  \"main\": \"index.ts\",\n  \"private\": true,\n  \"dependencies\": {{\n{}\n  }},\n  \"devDependencies\": {{\n    \"@types/node\": {},\n    \"typescript\": {}\n  }}\n}}\n",
        json_text(project),
        dependencies.join(",\n"),
        json_text(NODE_TYPES_VERSION),
        json_text(TYPESCRIPT_VERSION),
    )
}

/// The text of `tsconfig.json`.
fn tsconfig() -> String {
    "{\n  \"compilerOptions\": {\n    \"strict\": true,\n    \"outDir\": \"bin\",\n    \"target\": \"es2022\",\n    \"module\": \"nodenext\",\n    \"moduleResolution\": \"nodenext\",\n    \"types\": [\"node\"],\n    \"sourceMap\": true,\n    \"skipLibCheck\": true,\n    \"noFallthroughCasesInSwitch\": true,\n    \"noImplicitReturns\": true\n  },\n  \"include\": [\"**/*.ts\"],\n  \"exclude\": [\"bin\", \"node_modules\"]\n}\n".to_owned()
}

/// The text of `Pulumi.yaml`.
fn pulumi_yaml(project: &str) -> String {
    format!("name: {}\nruntime: nodejs\n", yaml_name(project))
}
