//! `[[overrides]]`: lints and levels of a configuration file for some files alone.

use std::path::PathBuf;

use pcl_diagnostics::{Code, Diagnostic, Span, TextRange, suggest};

use super::globs::Globs;
use super::key::{Key, OVERRIDES};
use super::node::{Data, Key as NodeKey, Node};
use super::value::{self, Context, missing_key, unknown_setting, wrong_kind, wrong_value};
use super::{Entry, Layer, Origin};

/// The key with the globs of an override.
pub(super) const FILES: &str = "files";

/// The settings that an override may have.
pub(super) const SETTINGS: [Key; 3] = [Key::Select, Key::Ignore, Key::Levels];

/// The settings of the files that match some globs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Override {
    /// The globs, in the syntax of `.gitignore`.
    pub globs: Vec<String>,
    /// The directory that they are relative to.
    pub directory: PathBuf,
    /// The place of the override.
    pub origin: Origin,
    /// The settings.
    pub(super) settings: Layer,
}

impl Override {
    /// The settings, in the order of the documentation.
    pub fn settings(&self) -> impl Iterator<Item = (Key, &Entry)> {
        self.settings.iter().map(|(key, entry)| (*key, entry))
    }
}

/// Reads the overrides of a file. `origin` makes the source of a place.
pub(super) fn read(
    context: &Context<'_>,
    node: Node,
    origin: &dyn Fn(TextRange) -> Origin,
) -> (Vec<Override>, Vec<Diagnostic>) {
    let expected = "a list of tables";
    let wrong = |node: &Node| {
        let span = (context.place)(node.range);
        wrong_kind(span, OVERRIDES, expected, node.data.kind(), &example(context))
    };
    let Data::List(items) = node.data else { return (Vec::new(), vec![wrong(&node)]) };
    let mut overrides = Vec::new();
    let mut diagnostics = Vec::new();
    for item in items {
        match item.data {
            Data::Table(entries) => match read_one(context, entries, item.range, origin) {
                Ok(found) => overrides.push(found),
                Err(more) => diagnostics.extend(more),
            },
            _ => diagnostics.push(wrong(&item)),
        }
    }
    (overrides, diagnostics)
}

fn read_one(
    context: &Context<'_>,
    entries: Vec<(NodeKey, Node)>,
    range: TextRange,
    origin: &dyn Fn(TextRange) -> Origin,
) -> Result<Override, Vec<Diagnostic>> {
    let mut globs = None;
    let mut diagnostics = Vec::new();
    let mut settings = Vec::new();
    for (name, node) in entries {
        if name.text == FILES {
            globs = Some(read_globs(context, node, &mut diagnostics));
        } else if Key::parse(&name.text).is_some_and(|key| SETTINGS.contains(&key)) {
            settings.push((name, node));
        } else {
            diagnostics.push(not_of_files((context.place)(name.range), &name.text));
        }
    }
    let globs = globs.unwrap_or_else(|| {
        let example = example(context);
        diagnostics.push(missing_key((context.place)(range), "an override", FILES, &example));
        Vec::new()
    });
    let (found, more) = value::settings(context, settings);
    diagnostics.extend(more);
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let directory = context.directory.to_path_buf();
    let settings = found.into_iter().map(|(key, value, range)| {
        (key, Entry { value, origin: origin(range), directory: directory.clone() })
    });
    let settings = settings.collect();
    Ok(Override { globs, settings, origin: origin(range), directory })
}

/// The globs in a list. What is no glob is a diagnostic.
fn read_globs(context: &Context<'_>, node: Node, diagnostics: &mut Vec<Diagnostic>) -> Vec<String> {
    let example = example(context);
    let wrong = |node: &Node, expected: &str| {
        wrong_kind((context.place)(node.range), FILES, expected, node.data.kind(), &example)
    };
    let Data::List(items) = node.data else {
        diagnostics.push(wrong(&node, "a list of strings"));
        return Vec::new();
    };
    if items.is_empty() {
        let place = (context.place)(node.range);
        diagnostics.push(wrong_kind(place, FILES, "at least one glob", "none", &example));
    }
    let mut globs = Vec::new();
    for item in items {
        let Data::Text(glob) = &item.data else {
            diagnostics.push(wrong(&item, "a string"));
            continue;
        };
        match Globs::new(context.directory, &[glob]) {
            Ok(_) => globs.push(glob.clone()),
            Err(reason) => {
                let place = (context.place)(item.range);
                diagnostics.push(wrong_value(place, FILES, glob, &reason, &example));
            }
        }
    }
    globs
}

/// An example of an override in the language of the source.
fn example(context: &Context<'_>) -> String {
    if context.is_yaml {
        "overrides: [{ files: [\"examples/**\"], ignore: [unused] }]".to_owned()
    } else {
        "overrides = [{ files = [\"examples/**\"], ignore = [\"unused\"] }]".to_owned()
    }
}

/// A setting that an override cannot have.
fn not_of_files(span: Span, name: &str) -> Diagnostic {
    let names = || SETTINGS.into_iter().map(Key::name).chain([FILES]);
    if Key::parse(name).is_none() {
        let meant = value::alias(name).filter(|name| names().any(|own| own == *name));
        return unknown_setting(span, name, meant.or_else(|| suggest(name, names())));
    }
    let message = format!("`{name}` cannot be set for some files only");
    Diagnostic::error(Code::InvalidConfiguration, span, message)
        .help("set it outside of `overrides`, which take `files`, `select`, `ignore` and `levels`")
        .ours()
}
