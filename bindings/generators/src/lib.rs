//! The code generators of PCL for JavaScript.
//!
//! They are a module of their own, so that a page which only checks programs does not load them. A
//! generator reads the document of a program, which `Workspace.document` of the package `pcl-wasm`
//! returns, and nothing else.
//!
//! Invariant: what a generator cannot express is in the result, with its place, and never wrong
//! code. A document of another version is an exception.
//!
//! ```
//! use pcl::{Settings, Target, Workspace};
//! use pcl_generators::translate;
//!
//! let text = "output greeting {\n  value = \"Hello!\"\n}\n";
//! let checked = Workspace::new(Settings::default()).check(&Target::text("main.pp", text));
//! let project = translate(&checked.document(), "yaml", "demo").unwrap();
//! assert_eq!(project.files[0].path, "Pulumi.yaml");
//! assert!(translate(&checked.document(), "cobol", "demo").is_err());
//! ```

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::indexing_slicing,
        clippy::string_slice
    )
)]

use js_sys::JSON;
use pcl::document::Document;
use pcl::generated::Project;
use pcl_convert::{Language, Options};
use serde_json::{Map, Value, json};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const DECLARATIONS: &str = r#"
export interface GeneratedProject {
  /** The texts of the files, by path. */
  files: Record<string, string>;
  /** The constructs that the language cannot express; the files do not have them. */
  unsupported: { message: string; file: string; line: number; column: number }[];
}

/**
 * Translates a program. The document is that of `Workspace.document`; for TypeScript it is made with
 * the option `{ sdk: "nodejs" }`, for Python with `{ sdk: "python" }`.
 */
export function generate(
  document: unknown,
  language: "typescript" | "python" | "go" | "java" | "yaml" | "json",
  project: string,
): GeneratedProject;
"#;

/// The project of a document in a language.
///
/// # Errors
/// Returns a message if there is no generator for the language.
pub fn translate(document: &Document, language: &str, name: &str) -> Result<Project, String> {
    let language = Language::parse(language)?;
    Ok(pcl_convert::generate(document, language, name, &Options::default()))
}

/// Translates a program.
///
/// # Errors
/// Throws an error if the document cannot be read, or if there is no generator for the language.
#[wasm_bindgen(skip_typescript)]
pub fn generate(document: &JsValue, language: &str, project: &str) -> Result<JsValue, JsError> {
    let text = JSON::stringify(document).map_err(|_| JsError::new("the document is not JSON"))?;
    let document = Document::from_json(String::from(text).as_bytes())?;
    let made = translate(&document, language, project).map_err(|error| JsError::new(&error))?;
    let files = made.files.into_iter();
    let files: Map<String, Value> = files.map(|file| (file.path, file.text.into())).collect();
    let unsupported = made.unsupported.iter().map(|it| {
        let position = document.position(it.place);
        json!({
            "message": it.message,
            "file": document.file(it.place).map(|file| &file.path),
            "line": position.line,
            "column": position.column,
        })
    });
    let unsupported: Vec<Value> = unsupported.collect();
    let result = json!({ "files": files, "unsupported": unsupported });
    JSON::parse(&result.to_string()).map_err(|_| JsError::new("the result is not JSON"))
}
