//! The effect of the settings: what they mean for a check. Their JSON Schema, for editors.

use std::path::PathBuf;
use std::sync::Arc;

use pcl_binder::Options;
use pcl_binder::edition::OldestPulumi;
use pcl_diagnostics::{Compat, Leniency, MissingSchema, Selector};
use pcl_schema::parse_version;
use serde_json::{Map, Value as Json, json};

use crate::config::key::{EXTEND, Kind, LEVELS, OVERRIDES, Row, TABLE};
use crate::config::{Configuration, Key, Value, extend, overrides};
use crate::render::{DocsUrl, ReportSettings};
use crate::schemas::{SchemaFile, SchemaPlaces};
use crate::workspace::Settings;

impl Configuration {
    /// The settings of a check. Places of schemas are those that the configuration names, and
    /// `schemas/` beside the program.
    pub fn settings(&self) -> Settings {
        let mut options = Options::default();
        self.apply_levels(&mut options.lints, &mut options.policy.levels);
        options.policy.files = self.file_levels().map(|files| Arc::new(files) as _);
        options.policy.leniency = self.leniency();
        options.oldest = self.oldest_pulumi();
        options.prefer_output_versioned_invokes = self.flag(Key::PreferOutputInvokes);
        options.policy.compat = match self.text(Key::Compat) {
            Some("pulumi") => Compat::Pulumi,
            _ => Compat::None,
        };
        options.policy.missing_schema = match self.text(Key::MissingSchema) {
            Some("warn") => MissingSchema::Warn,
            Some("ignore") => MissingSchema::Ignore,
            _ => MissingSchema::Error,
        };
        Settings {
            options,
            schemas: SchemaPlaces {
                files: self.schema_files(),
                directories: self.schema_directories(),
                beside_programs: true,
                ..SchemaPlaces::default()
            },
            reports: ReportSettings {
                docs_url: self.docs_url().unwrap_or_default(),
                ..ReportSettings::default()
            },
            ..Settings::default()
        }
    }

    /// Returns true if warnings make the exit status 1.
    pub fn error_on_warning(&self) -> bool {
        self.flag(Key::ErrorOnWarning)
    }

    /// The patterns of files that a walk skips, each with the directory that it is relative to.
    pub fn excludes(&self) -> Vec<(PathBuf, String)> {
        let entries = self.all(Key::Exclude);
        let patterns = entries.flat_map(|entry| {
            let patterns = list(&entry.value).iter();
            patterns.map(|pattern| (entry.directory.clone(), pattern.clone()))
        });
        patterns.collect()
    }

    /// The oldest Pulumi that the program has to work with.
    fn oldest_pulumi(&self) -> Option<OldestPulumi> {
        let entry = self.get(Key::PulumiVersion)?;
        let version = self.text(Key::PulumiVersion)?;
        OldestPulumi::parse(version, format!("`pulumi-version` ({})", entry.origin)).ok()
    }

    /// The address of the pages that explain diagnostics.
    pub fn docs_url(&self) -> Option<DocsUrl> {
        DocsUrl::parse(self.text(Key::DocsUrl)?).ok()
    }

    /// Returns true if plugins may be started.
    pub fn run_plugins(&self) -> bool {
        self.flag(Key::RunPlugins)
    }

    /// The address of a loader service.
    pub fn loader_address(&self) -> Option<&str> {
        self.text(Key::LoaderAddress)
    }

    /// The limits of runs.
    #[cfg(feature = "run")]
    pub fn limits(&self) -> pcl_eval::Limits {
        let number = |key, default| match self.get(key).map(|entry| &entry.value) {
            Some(Value::Number(number)) => *number,
            _ => default,
        };
        let default = pcl_eval::Limits::default();
        pcl_eval::Limits {
            steps: number(Key::MaxSteps, default.steps),
            files: number(Key::MaxFiles, default.files),
            bytes: number(Key::MaxFileBytes, default.bytes),
        }
    }

    fn leniency(&self) -> Leniency {
        let allowed = self.get(Key::Allow).map(|entry| list(&entry.value));
        let allowed = allowed.unwrap_or_default();
        let has = |word: &str| allowed.iter().any(|it| it == word || it == "all");
        Leniency {
            missing_variables: has("missing-variables"),
            missing_properties: has("missing-properties"),
            resource_types: has("resource-types"),
            invoke_types: has("invoke-types"),
            range_types: has("range-types"),
        }
    }

    /// The strongest first: they are searched in this order.
    fn schema_directories(&self) -> Vec<PathBuf> {
        let entries = self.all(Key::SchemaDirs).rev();
        let directories = entries.flat_map(|entry| {
            let paths = list(&entry.value).iter();
            paths.map(|path| entry.directory.join(path))
        });
        directories.collect()
    }

    fn schema_files(&self) -> Vec<SchemaFile> {
        let mut files: Vec<SchemaFile> = Vec::new();
        for entry in self.all(Key::Schemas).rev() {
            let Value::Table(entries) = &entry.value else { continue };
            let stronger = files.len();
            for (package, path) in entries {
                let (package, version) = match package.split_once('@') {
                    Some((package, version)) => (package, parse_version(version).ok()),
                    None => (package.as_str(), None),
                };
                let mut stronger = files.iter().take(stronger);
                if stronger.any(|file| file.package == package) {
                    continue;
                }
                files.push(SchemaFile {
                    package: package.to_owned(),
                    version,
                    path: entry.directory.join(path),
                });
            }
        }
        files
    }

    fn flag(&self, key: Key) -> bool {
        let value = self.get(key).map(|entry| &entry.value);
        matches!(value, Some(Value::Bool(true)))
    }

    fn text(&self, key: Key) -> Option<&str> {
        match &self.get(key)?.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
}

pub(super) fn list(value: &Value) -> &[String] {
    match value {
        Value::List(items) => items,
        _ => &[],
    }
}

/// The JSON Schema of a configuration file, made from the table of settings.
pub fn json_schema() -> Json {
    let selectors: Vec<&str> = Selector::names().collect();
    let lints: Vec<&str> = Selector::names_of_lints().collect();
    let rows = TABLE.iter().filter(|row| !row.is_trusted);
    let mut properties: Map<String, Json> =
        rows.map(|row| (row.name.to_owned(), property(row))).collect();
    properties.insert(EXTEND.to_owned(), extend::schema());
    properties.insert(OVERRIDES.to_owned(), overrides_schema());
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "pcl.toml",
        "description": "The configuration of pcl, in pcl.toml or under the key pcl of Pulumi.yaml",
        "type": "object",
        "additionalProperties": false,
        "properties": properties,
        "$defs": {
            "selector": {
                "description": "A code by its number or name, or a group of lints",
                "enum": selectors,
            },
            "lint": {
                "description": "A lint by its number or name, or a group of lints",
                "enum": lints,
            },
        },
    })
}

fn overrides_schema() -> Json {
    let own = overrides::SETTINGS.map(|key| (key.name().to_owned(), property(key.row())));
    let files = json!({
        "type": "array",
        "items": { "type": "string", "minLength": 1 },
        "minItems": 1,
        "description": "The files, as patterns of `.gitignore` relative to the configuration file.",
    });
    let mut properties: Map<String, Json> = own.into_iter().collect();
    properties.insert(overrides::FILES.to_owned(), files);
    json!({
        "description": "Lints and levels of some files alone; of several that match, the later \
                        ones are stronger.",
        "type": "array",
        "items": {
            "type": "object",
            "additionalProperties": false,
            "required": [overrides::FILES],
            "properties": properties,
        },
    })
}

fn property(row: &Row) -> Json {
    let mut property = shape(row.kind);
    if let Some(property) = property.as_object_mut() {
        if let (Kind::Limit, Ok(most)) = (row.kind, row.default.parse::<u64>()) {
            property.insert("maximum".to_owned(), json!(most));
        }
        property.insert("description".to_owned(), json!(row.summary));
        // A default is an inline value of TOML without tables, which JSON writes alike.
        if let Ok(default) = serde_json::from_str::<Json>(row.default) {
            property.insert("default".to_owned(), default);
        }
    }
    property
}

fn shape(kind: Kind) -> Json {
    match kind {
        Kind::Bool => json!({ "type": "boolean" }),
        Kind::Word(words) => json!({ "enum": words }),
        Kind::Words(words) => json!({ "type": "array", "items": { "enum": words } }),
        Kind::Lints => json!({ "type": "array", "items": { "$ref": "#/$defs/lint" } }),
        Kind::Selectors => {
            json!({ "type": "array", "items": { "$ref": "#/$defs/selector" } })
        }
        Kind::Levels => json!({
            "type": "object",
            "propertyNames": { "$ref": "#/$defs/selector" },
            "additionalProperties": { "enum": LEVELS },
        }),
        Kind::Directories | Kind::Patterns => {
            json!({ "type": "array", "items": { "type": "string", "minLength": 1 } })
        }
        Kind::SchemaFiles => {
            json!({ "type": "object", "additionalProperties": { "type": "string", "minLength": 1 } })
        }
        Kind::Version => json!({ "type": "string", "pattern": "^v?[0-9]+(\\.[0-9]+){0,2}" }),
        Kind::Url => json!({ "type": "string", "pattern": "^https?://" }),
        Kind::Address => json!({ "type": "string", "pattern": ":[0-9]+$" }),
        Kind::Limit => json!({ "type": "integer", "minimum": 0 }),
    }
}

#[cfg(all(test, feature = "run"))]
mod tests {
    use pcl_eval::Limits;

    use super::*;

    #[test]
    fn the_table_has_the_default_limits() {
        let default = |key: Key| key.default().parse().expect("a number");
        let written = Limits {
            steps: default(Key::MaxSteps),
            files: default(Key::MaxFiles),
            bytes: default(Key::MaxFileBytes),
        };
        assert_eq!(written, Limits::default());
        assert_eq!(Configuration::default().limits(), written);
    }
}
