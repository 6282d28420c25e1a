//! The imports of a file: what its text uses, the packages of Go first.

use std::collections::{BTreeMap, BTreeSet};

use crate::syntax::uses;

/// The packages of Go that generated code uses, with the names of those whose path is longer.
const LIBRARY: &[&str] = &[
    "cmp",
    "context",
    "crypto/sha1",
    "crypto/sha256",
    "encoding/base64",
    "encoding/hex",
    "encoding/json",
    "errors",
    "fmt",
    "maps",
    "math",
    "os",
    "os/exec",
    "reflect",
    "slices",
    "strconv",
    "strings",
    "unicode",
];

/// The packages of Pulumi's SDK besides its own.
const SDK: &[&str] = &[
    "github.com/pulumi/pulumi/sdk/v3/go/pulumi/config",
    "github.com/pulumi/pulumi/sdk/v3/go/pulumi/internals",
];

/// The start of a file with this text, and the import paths in it. `named` has the names under
/// which the packages of the project are imported.
pub(crate) fn head(text: &str, named: &BTreeMap<String, String>) -> (String, Vec<String>) {
    let used: BTreeSet<&str> = uses(text)
        .into_iter()
        .filter(|it| it.has_members && !it.is_member)
        .map(|it| it.name)
        .collect();
    let last = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let library: Vec<String> = LIBRARY
        .iter()
        .filter(|path| used.contains(last(path).as_str()))
        .map(|&path| line(path, &last(path)))
        .collect();
    let mut packages: Vec<(String, String)> = named
        .iter()
        .filter(|(_, name)| used.contains(name.as_str()))
        .map(|(path, name)| (path.clone(), name.clone()))
        .collect();
    let sdk = SDK.iter().filter(|path| used.contains(last(path).as_str()));
    packages.extend(sdk.map(|&path| (path.to_owned(), last(path))));
    packages.sort();
    let mut lines = library.concat();
    if !lines.is_empty() && !packages.is_empty() {
        lines.push('\n');
    }
    lines.extend(packages.iter().map(|(path, name)| line(path, name)));
    let paths = packages.into_iter().map(|(path, _)| path).collect();
    let head = if lines.is_empty() {
        "package main\n".to_owned()
    } else {
        format!("package main\n\nimport (\n{lines})\n")
    };
    (head, paths)
}

fn line(path: &str, name: &str) -> String {
    let last = path.rsplit('/').next().unwrap_or_default();
    if last == name { format!("\t\"{path}\"\n") } else { format!("\t{name} \"{path}\"\n") }
}
