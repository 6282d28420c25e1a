//! Programs for the resources of a state: the way back from what Pulumi made to PCL.
//!
//! Laws:
//! - The program is formatted and valid. Evaluating it with the values of its secrets gives every
//!   resource its name, parent, provider and inputs again; each input that it gives otherwise is
//!   reported with its path.
//! - Names are legal and given once. References lead to resources that stand before, so that no
//!   program is circular.
//! - Secrets become configuration variables. Nothing contains one unless the caller asks for it.
//! - There is a program if and only if nothing is refused.
//! - No input makes this crate panic or recurse without limit, and the work is in proportion to the
//!   state.
//!
//! ```
//! use pcl_diagnostics::FileId;
//! use pcl_import::{Request, import};
//! use pcl_schema::MemoryLoader;
//! use pcl_state::State;
//!
//! let mut schemas = MemoryLoader::default();
//! schemas.add(r#"{ "name": "zoo", "resources": { "zoo:index:Cage": { "inputProperties": {
//!     "bars": { "type": "integer" }, "code": { "type": "string", "secret": true } } } } }"#)?;
//! let state = State::read(r#"{ "version": 3, "deployment": { "resources": [
//!     { "urn": "urn:pulumi:dev::shop::zoo:index:Cage::lions", "custom": true, "id": "c-1",
//!       "type": "zoo:index:Cage", "protect": true, "inputs": { "bars": 12, "code": {
//!         "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
//!         "plaintext": "\"hunter2\"" } } } ] } }"#.into(), FileId(0)).state.unwrap();
//!
//! let imported = import(&state, FileId(0), &Request::default(), &schemas);
//! assert_eq!(imported.text.unwrap(), r#"package {
//!   baseProviderName = "zoo"
//! }
//!
//! config lionsCode string {
//!   secret = true
//! }
//!
//! resource lions "zoo:index:Cage" {
//!   bars = 12
//!   code = lionsCode
//!   options {
//!     protect = true
//!   }
//! }
//! "#);
//! assert_eq!(imported.secrets[0].name, "lionsCode");
//! # Ok::<(), pcl_schema::DocumentError>(())
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

mod block;
mod fold;
mod importer;
mod inputs;
mod names;
mod options;
mod place;
mod providers;
mod references;
mod scalars;
mod schema_values;
mod schemas;
mod secrets;
mod select;
mod unions;

use std::collections::BTreeMap;

use pcl_diagnostics::{Diagnostic, FileId, MissingSchema, Span, TextRange, sort};
use pcl_schema::Loader;
use pcl_state::{Keys, State};

pub use names::Names;

use block::Program;
use importer::Importer;
use select::Selection;

/// The wishes of the caller.
#[derive(Clone, Debug, Default)]
pub struct Request<'k> {
    /// The URNs of the resources to write, with all that they need; all resources if it is empty.
    pub urns: Vec<String>,
    /// The labels of resources by URN. Others get labels like their names.
    pub names: BTreeMap<String, String>,
    /// Writes resources that differ in a few values as one with a range.
    pub fold: bool,
    /// Gives every resource the option `import`, for a stack that does not have them yet.
    pub adopt: bool,
    /// Writes the secrets that these keys open as defaults of their variables.
    pub secrets: Option<&'k Keys>,
    /// The treatment of packages without a schema: an error, or inputs that are not checked.
    pub missing_schema: MissingSchema,
}

/// A program for a state.
#[derive(Debug)]
pub struct Imported {
    /// The program; `None` if anything was refused.
    pub text: Option<String>,
    /// The configuration variables that the user has to set.
    pub secrets: Vec<SecretVariable>,
    /// The number of resources in the program.
    pub resources: usize,
    /// The diagnostics about the state, in the order of its text.
    pub diagnostics: Vec<Diagnostic>,
}

/// A configuration variable in the place of a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecretVariable {
    /// The name of the variable.
    pub name: String,
    /// The resource.
    pub urn: String,
    /// The place in its inputs, such as `tags.owner`.
    pub path: String,
    /// The type of the variable, as programs write it. The value of a `string` is its text, that of
    /// any other type is JSON.
    pub type_text: &'static str,
}

/// Writes a program for the resources of a state, which must not have errors.
pub fn import(state: &State, file: FileId, request: &Request<'_>, loader: &dyn Loader) -> Imported {
    let selection = match Selection::new(state, &request.urns) {
        Ok(selection) => selection,
        Err(urn) => {
            let span = Span::new(file, TextRange::new(0, 1));
            return Imported {
                text: None,
                secrets: Vec::new(),
                resources: 0,
                diagnostics: vec![no_urn(span, &urn)],
            };
        }
    };
    let mut importer = Importer::new(file, selection, request, loader);
    let mut blocks = importer.blocks();
    let resources = blocks.len();
    let mut names = importer.labels.clone();
    if request.fold {
        blocks = fold::fold(blocks, &mut names, &mut importer.names);
    }
    // What the text does not need is freed first.
    let top = importer.top();
    let (configs, mut diagnostics) = importer.into_parts();
    let is_refused = diagnostics.iter().any(Diagnostic::is_error);
    let text = if is_refused {
        None
    } else {
        let program = Program { configs: &configs, names: &names };
        let text = program.text(blocks);
        if text.is_none() {
            diagnostics.push(broken(top));
        }
        text
    };
    sort(&mut diagnostics);
    let secrets = configs.into_iter().map(|config| SecretVariable {
        name: config.name,
        urn: config.urn,
        path: config.path,
        type_text: config.type_text,
    });
    Imported { text, secrets: secrets.collect(), resources, diagnostics }
}

/// No resource has this URN.
fn no_urn(at: Span, urn: &str) -> Diagnostic {
    importer::refused(at, format!("the state has no resource `{urn}`"))
        .help("list the resources with `pcl state ls --output-format json`")
}

/// A text of the program does not parse, which is a bug.
fn broken(at: Span) -> Diagnostic {
    Diagnostic::bug(at, "the program that was written is not valid")
}
