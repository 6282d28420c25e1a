//! The configuration of the tool: `pcl.toml`, or the key `pcl` of `Pulumi.yaml`; the environment;
//! single settings.
//!
//! The nearest file at or above the directory of a program counts, and those that it extends. A
//! file of a repository may be hostile, so that nothing in it can start a program or use the
//! network.
//!
//! `docs/configuration.md` documents the settings, and `tests/config.rs` tests them.
//!
//! ```
//! use pcl::config::{Configuration, Key, Value};
//!
//! let mut configuration = Configuration::default();
//! configuration.set("missing-schema", "warn")?;
//! let entry = configuration.get(Key::MissingSchema).unwrap();
//! assert_eq!(entry.value, Value::Text("warn".to_owned()));
//! assert_eq!(entry.origin.to_string(), "--setting");
//!
//! let error = configuration.set("missing-schemas", "warn").unwrap_err();
//! assert_eq!(error[0].message, "unknown setting `missing-schemas`");
//! # Ok::<(), Vec<pcl::diagnostics::Diagnostic>>(())
//! ```

mod discover;
mod extend;
mod globs;
mod key;
mod levels;
pub(crate) mod node;
mod overrides;
mod selectors;
mod settings;
mod value;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pcl_diagnostics::{Diagnostic, FileId, Level, Span, TextRange};

pub use discover::Discovery;
pub use extend::is_configuration;
pub use key::{Key, kebab_case};
pub use overrides::Override;
pub use selectors::{WrongSelector, selector, selector_of_lints};
pub use settings::json_schema;
pub use value::Value;

use node::{Data, Node};
use value::Context;

/// The source of a value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Origin {
    /// A file, as it is shown, and the line of the setting, counted from 1.
    File(PathBuf, u32),
    /// An environment variable.
    Variable(String),
    /// `--setting`, or a flag with the name of the setting.
    Flag,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, line) => write!(f, "{}:{line}", pcl_system::shown(path)),
            Self::Variable(name) => f.write_str(name),
            Self::Flag => f.write_str("--setting"),
        }
    }
}

/// A value with its source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The value, as it is written.
    pub value: Value,
    /// The source.
    pub origin: Origin,
    /// The directory that paths in the value are relative to.
    pub directory: PathBuf,
}

/// The values of one source.
type Layer = BTreeMap<Key, Entry>;

/// The settings of one file.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
struct FileSettings {
    path: PathBuf,
    settings: Layer,
    /// The settings of some files alone, the weakest first.
    overrides: Vec<Override>,
}

/// The settings of a program, from all sources.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Configuration {
    /// The file, if there is one, and those that it extends; the weakest first.
    files: Vec<Arc<FileSettings>>,
    /// The sources outside of files, the weakest first: the environment, single settings, flags.
    outside: [Layer; 3],
}

const ENVIRONMENT: usize = 0;
const SINGLE: usize = 1;
const FLAGS: usize = 2;

impl Configuration {
    /// The file that configures the program, if there is one.
    pub fn file(&self) -> Option<&Path> {
        self.files.last().map(|file| file.path.as_path())
    }

    /// The files that the settings come from: the one that configures the program, and those that
    /// it extends.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().rev().map(|file| file.path.as_path())
    }

    /// The settings of single files, the weakest first.
    pub fn overrides(&self) -> Vec<&Override> {
        self.files.iter().flat_map(|file| &file.overrides).collect()
    }

    /// The sources that count for all files, the weakest first.
    fn layers(&self) -> impl DoubleEndedIterator<Item = &Layer> {
        self.files.iter().map(|file| &file.settings).chain(&self.outside)
    }

    /// The sources that count for a file, the weakest first. `matches` tells the overrides by their
    /// position.
    fn layers_in(&self, matches: &dyn Fn(usize) -> bool) -> Vec<&Layer> {
        let mut layers = Vec::new();
        let mut at = 0;
        for file in &self.files {
            layers.push(&file.settings);
            for each in &file.overrides {
                if matches(at) {
                    layers.push(&each.settings);
                }
                at += 1;
            }
        }
        layers.extend(&self.outside);
        layers
    }

    /// The strongest value of a setting; `None` if it has its default.
    pub fn get(&self, key: Key) -> Option<&Entry> {
        self.all(key).next_back()
    }

    /// Every value of a setting, the weakest first.
    pub fn all(&self, key: Key) -> impl DoubleEndedIterator<Item = &Entry> {
        self.layers().filter_map(move |layer| layer.get(&key))
    }

    /// Sets one setting, as `--setting KEY=VALUE` does. The value is written as in TOML; the quotes
    /// of a string and the brackets of a list may be left out.
    ///
    /// # Errors
    /// Returns the diagnostics if there is no such setting, or if it does not take the value. They
    /// have no place.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), Vec<Diagnostic>> {
        self.set_in(SINGLE, Origin::Flag, name, value)
    }

    /// Sets the lints that run, unless there are none, and the levels of codes and groups, as the
    /// flags of these names do. They outweigh all other sources.
    ///
    /// # Errors
    /// Returns the diagnostics of the names and levels that are none. They have no place.
    pub fn set_levels(
        &mut self,
        select: &[String],
        levels: &[(String, Level)],
    ) -> Result<(), Vec<Diagnostic>> {
        if !select.is_empty() {
            self.set_in(FLAGS, Origin::Flag, Key::Select.name(), &select.join(","))?;
        }
        levels.iter().try_for_each(|(selector, level)| {
            let name = format!("{}.{selector}", Key::Levels.name());
            self.set_in(FLAGS, Origin::Flag, &name, level.name())
        })
    }

    /// Sets one setting to a value of JSON, as [`Configuration::set`] does. The entries of an
    /// object are settings of their own, as those of a table are, and null changes nothing.
    ///
    /// ```
    /// use pcl::config::{Configuration, kebab_case};
    ///
    /// let mut configuration = Configuration::default();
    /// let levels = serde_json::json!({ "unused-local": "warn", "deprecated": null });
    /// configuration.set_json(&kebab_case("levels"), &levels)?;
    ///
    /// let mut other = Configuration::default();
    /// other.set("levels.unused-local", "warn")?;
    /// assert_eq!(configuration, other);
    /// # Ok::<(), Vec<pcl::diagnostics::Diagnostic>>(())
    /// ```
    ///
    /// # Errors
    /// Returns the diagnostics of the first setting that does not exist or does not take its value.
    /// They have no place.
    pub fn set_json(
        &mut self,
        name: &str,
        value: &serde_json::Value,
    ) -> Result<(), Vec<Diagnostic>> {
        use serde_json::Value;
        match value {
            Value::Null => Ok(()),
            Value::Object(entries) => entries
                .iter()
                .try_for_each(|(entry, value)| self.set_json(&format!("{name}.{entry}"), value)),
            Value::String(text) => self.set(name, text),
            // JSON's other values are written as those of TOML are.
            other => self.set(name, &other.to_string()),
        }
    }

    /// The value of a setting that counts, and the sources that it comes from; `None` if it has its
    /// default. Lists and tables that add to those of weaker sources are joined.
    pub fn effective(&self, key: Key) -> Option<(Value, Vec<&Origin>)> {
        if !key.row().adds {
            let entry = self.get(key)?;
            return Some((entry.value.clone(), vec![&entry.origin]));
        }
        let mut entries = self.all(key);
        let first = entries.next()?;
        let (mut value, mut origins) = (first.value.clone(), vec![&first.origin]);
        for entry in entries {
            match (&mut value, &entry.value) {
                (Value::List(items), Value::List(more)) => items.extend(more.iter().cloned()),
                (Value::Table(known), Value::Table(more)) => {
                    known.retain(|(name, _)| more.iter().all(|(other, _)| other != name));
                    known.extend(more.iter().cloned());
                }
                _ => value = entry.value.clone(),
            }
            origins.push(&entry.origin);
        }
        Some((value, origins))
    }

    /// Reads the environment variables of the settings, such as `PCL_MISSING_SCHEMA`.
    ///
    /// # Errors
    /// Returns the name of the first variable with a value that its setting does not take, and the
    /// diagnostics. They have no place.
    pub fn read_environment(
        &mut self,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<(), (String, Vec<Diagnostic>)> {
        for key in Key::all() {
            let name = key.variable();
            let Some(value) = variable(&name).filter(|value| !value.is_empty()) else { continue };
            let origin = Origin::Variable(name.clone());
            self.set_in(ENVIRONMENT, origin, key.name(), &value)
                .map_err(|diagnostics| (name, diagnostics))?;
        }
        Ok(())
    }

    fn set_in(
        &mut self,
        layer: usize,
        origin: Origin,
        name: &str,
        value: &str,
    ) -> Result<(), Vec<Diagnostic>> {
        let nowhere = |_| Span::new(FileId(0), TextRange::empty(0));
        // `levels.unused-local=warn` sets one entry of a table.
        let (setting, entry) = match name.split_once('.') {
            Some((setting, entry)) => (setting, Some(entry)),
            None => (name, None),
        };
        let mut node = written(setting, value);
        if let Some(entry) = entry {
            let key = node::Key { text: entry.trim_matches('"').to_owned(), range: node.range };
            let range = node.range;
            let data = Data::Table(vec![(key, node)]);
            node = Node { range, data };
        }
        let context = Context {
            place: &nowhere,
            directory: Path::new(""),
            is_project: false,
            is_yaml: false,
        };
        let key = node::Key { text: setting.to_owned(), range: node.range };
        let (found, diagnostics) = value::settings(&context, vec![(key, node)]);
        if !diagnostics.is_empty() {
            return Err(diagnostics);
        }
        let Some(layer) = self.outside.get_mut(layer) else { return Ok(()) };
        for (key, value, _) in found {
            let entry = Entry { value, origin: origin.clone(), directory: PathBuf::new() };
            add(layer, key, entry);
        }
        Ok(())
    }
}

/// Adds a setting to a source.
fn add(layer: &mut Layer, key: Key, entry: Entry) {
    match layer.entry(key) {
        std::collections::btree_map::Entry::Occupied(mut known) => {
            // Entries of a table may come one by one.
            if let (Value::Table(known), Value::Table(more)) =
                (&mut known.get_mut().value, &entry.value)
            {
                known.extend(more.iter().cloned());
            } else {
                known.insert(entry);
            }
        }
        std::collections::btree_map::Entry::Vacant(place) => {
            place.insert(entry);
        }
    }
}

/// The node that a value outside of a file stands for: one of TOML, or, where the setting expects
/// strings, the text itself, with commas between several.
fn written(setting: &str, text: &str) -> Node {
    let text = text.trim();
    let string =
        |text: &str| Node { range: TextRange::empty(0), data: Data::Text(text.to_owned()) };
    let node = node::from_toml_value(text).unwrap_or_else(|_| string(text));
    let Some(key) = Key::parse(setting) else { return node };
    match &node.data {
        Data::Text(text) if key::takes_list(key) => {
            let items = text.split(',').map(str::trim);
            let items = items.filter(|item| !item.is_empty()).map(string);
            Node { range: node.range, data: Data::List(items.collect()) }
        }
        Data::Text(_) | Data::List(_) | Data::Table(_) => node,
        // A version such as `3.220` is a float of TOML.
        _ if key::takes_text(key) => string(text),
        _ => node,
    }
}
