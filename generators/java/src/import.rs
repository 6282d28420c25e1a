//! The imports of a file: what its text uses, and under which names.

use std::collections::{BTreeMap, BTreeSet};

use crate::syntax::uses;

/// The classes that generated code uses under their own names.
const KNOWN: &[&str] = &[
    "com.pulumi.Context",
    "com.pulumi.Pulumi",
    "com.pulumi.asset.Archive",
    "com.pulumi.asset.AssetArchive",
    "com.pulumi.asset.AssetOrArchive",
    "com.pulumi.asset.FileArchive",
    "com.pulumi.asset.FileAsset",
    "com.pulumi.asset.RemoteArchive",
    "com.pulumi.asset.RemoteAsset",
    "com.pulumi.asset.StringAsset",
    "com.pulumi.core.Alias",
    "com.pulumi.core.Either",
    "com.pulumi.core.Output",
    "com.pulumi.core.TypeShape",
    "com.pulumi.core.annotations.CustomType",
    "com.pulumi.core.annotations.Export",
    "com.pulumi.core.annotations.Import",
    "com.pulumi.core.internal.Internal",
    "com.pulumi.core.internal.OutputData",
    "com.pulumi.core.internal.OutputInternal",
    "com.pulumi.deployment.CallOptions",
    "com.pulumi.deployment.Deployment",
    "com.pulumi.deployment.InvokeOptions",
    "com.pulumi.deployment.InvokeOutputOptions",
    "com.pulumi.resources.CallArgs",
    "com.pulumi.resources.ComponentResource",
    "com.pulumi.resources.ComponentResourceOptions",
    "com.pulumi.resources.CustomResourceOptions",
    "com.pulumi.resources.CustomTimeouts",
    "com.pulumi.resources.InvokeArgs",
    "com.pulumi.resources.ProviderResource",
    "com.pulumi.resources.Resource",
    "com.pulumi.resources.ResourceArgs",
    "java.io.IOException",
    "java.io.UncheckedIOException",
    "java.math.BigDecimal",
    "java.nio.charset.StandardCharsets",
    "java.nio.file.Files",
    "java.nio.file.Paths",
    "java.security.MessageDigest",
    "java.security.NoSuchAlgorithmException",
    "java.util.AbstractMap",
    "java.util.ArrayList",
    "java.util.Arrays",
    "java.util.Base64",
    "java.util.Collection",
    "java.util.Collections",
    "java.util.LinkedHashMap",
    "java.util.List",
    "java.util.Map",
    "java.util.Objects",
    "java.util.Optional",
    "java.util.TreeMap",
    "java.util.concurrent.CompletableFuture",
    "java.util.concurrent.CompletionException",
    "java.util.function.Function",
    "java.util.function.Supplier",
    "java.util.regex.Pattern",
];

/// The classes that need no import.
const LANGUAGE: &[&str] = &[
    "AssertionError",
    "Boolean",
    "Character",
    "Class",
    "Double",
    "Enum",
    "Error",
    "Exception",
    "IllegalArgumentException",
    "IndexOutOfBoundsException",
    "Integer",
    "Iterable",
    "Math",
    "Number",
    "Object",
    "Override",
    "Record",
    "ReflectiveOperationException",
    "RuntimeException",
    "SafeVarargs",
    "String",
    "StringBuilder",
    "SuppressWarnings",
    "System",
    "Throwable",
    "UnsupportedOperationException",
    "Void",
];

/// The names of classes in a file.
#[derive(Debug)]
pub(crate) struct Imports {
    /// The paths of classes by their names; those without a path need no import.
    paths: BTreeMap<String, String>,
}

impl Imports {
    /// The names of a file of a project with these classes.
    pub fn new<'c>(own: impl Iterator<Item = &'c str>) -> Self {
        let mut paths = BTreeMap::new();
        for path in KNOWN {
            let name = path.rsplit('.').next().unwrap_or_default();
            paths.insert(name.to_owned(), (*path).to_owned());
        }
        for name in LANGUAGE.iter().copied().chain(own) {
            paths.insert(name.to_owned(), String::new());
        }
        Self { paths }
    }

    /// The name of a class in the file: its own one, or the path to it if that is taken.
    pub fn name(&mut self, path: &str) -> String {
        let own = path.rsplit('.').next().unwrap_or_default();
        let known = self.paths.entry(own.to_owned()).or_insert_with(|| path.to_owned());
        if known == path { own.to_owned() } else { path.to_owned() }
    }

    /// A name like `name` for a class of the file itself.
    pub fn reserve(&mut self, name: &str) -> String {
        let mut own = name.to_owned();
        let mut number = 1;
        while self.paths.contains_key(&own) {
            number += 1;
            own = format!("{name}{number}");
        }
        self.paths.insert(own.clone(), String::new());
        own
    }

    /// The start of a file with this text.
    pub fn head(&self, text: &str) -> String {
        let used: BTreeSet<&str> =
            uses(text).into_iter().filter(|it| !it.is_member).map(|it| it.name).collect();
        let mut lines: Vec<String> = (self.paths.iter())
            .filter(|(name, path)| !path.is_empty() && used.contains(name.as_str()))
            .map(|(_, path)| format!("import {path};\n"))
            .collect();
        lines.sort();
        let between = if lines.is_empty() { "" } else { "\n" };
        format!("package generated_program;\n\n{}{between}", lines.concat())
    }
}
