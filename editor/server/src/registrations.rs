//! The files and documents that an editor reports, completes and explains because it is asked to.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lsp_types::{Registration, TextDocumentSyncKind};
use serde_json::{Value, json};

use crate::client::Features;
use crate::convert;
use crate::documents::{CONFIGURATIONS, SCHEMAS};

/// Programs, their projects and configuration, and schemas, anywhere in the opened folders.
const IN_FOLDERS: [&str; 4] = ["**/*.pp", "**/{,*.}pcl.toml", "**/Pulumi.y*ml", "**/schemas/*"];

/// The files of a directory that count for the programs below it.
const ABOVE_FOLDERS: [&str; 3] = ["{,*.}pcl.toml", "Pulumi.y*ml", "schemas/*"];

/// The characters that begin a key or a value of a configuration file.
const TRIGGERS: [&str; 5] = ["\"", "[", "=", ":", " "];

/// The registrations for an editor with these features and folders.
pub fn registrations(features: &Features, folders: &[String]) -> Vec<Registration> {
    let mut registrations = Vec::new();
    let mut register = |id: &str, method: &str, options: Value| {
        registrations.push(Registration {
            id: id.to_owned(),
            method: method.to_owned(),
            register_options: Some(options),
        });
    };
    if features.watches_files {
        let watchers = watchers(folders, features.watches_relative);
        register("files", "workspace/didChangeWatchedFiles", json!({ "watchers": watchers }));
    }
    if features.sends_documents {
        // An editor that sent all JSON to this server would ask it to format JSON, too.
        let configurations = CONFIGURATIONS.map(filter);
        let selector = [&[filter(SCHEMAS)], &configurations[..]].concat();
        for name in ["didOpen", "didChange", "didClose"] {
            let options = match name {
                "didChange" => json!({
                    "documentSelector": selector,
                    "syncKind": TextDocumentSyncKind::Incremental,
                }),
                _ => json!({ "documentSelector": selector }),
            };
            register(&format!("files.{name}"), &format!("textDocument/{name}"), options);
        }
        if features.completes_documents {
            let options =
                json!({ "documentSelector": configurations, "triggerCharacters": TRIGGERS });
            register("files.completion", "textDocument/completion", options);
        }
        if features.explains_documents {
            let options = json!({ "documentSelector": configurations });
            register("files.hover", "textDocument/hover", options);
        }
    }
    registrations
}

/// A filter for files of any language.
fn filter(pattern: &str) -> Value {
    json!({ "scheme": "file", "pattern": pattern })
}

/// The watchers for these folders, as the protocol has them. Those of directories above a folder,
/// up to the root of its git repository, need an editor that takes relative patterns.
fn watchers(folders: &[String], takes_relative: bool) -> Vec<Value> {
    let mut watchers = IN_FOLDERS.map(|glob| json!({ "globPattern": glob })).to_vec();
    if !takes_relative {
        return watchers;
    }
    for directory in above(folders) {
        let uri = convert::of_path(&pcl_system::shown(&directory));
        watchers.extend(
            ABOVE_FOLDERS.map(|glob| json!({ "globPattern": { "baseUri": uri, "pattern": glob } })),
        );
    }
    watchers
}

/// The directories above these folders in their git repositories.
fn above(folders: &[String]) -> BTreeSet<PathBuf> {
    let mut directories = BTreeSet::new();
    for folder in folders {
        let folder = Path::new(folder);
        let Some(root) = pcl::repository_of(folder) else { continue };
        let above = folder.ancestors().skip(1).take_while(|place| place.starts_with(&root));
        directories.extend(above.map(Path::to_path_buf));
    }
    directories
}
