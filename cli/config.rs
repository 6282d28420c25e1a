//! `pcl config`, and the flags about configuration.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde_json::json;

use super::everywhere::color_on_stderr;
use super::inputs;
use super::output::{AnswerFormat, print, print_json};
use super::status::{Failure, Outcome};
use pcl::Target;
use pcl::config::{Configuration, Discovery, Key, Value, json_schema};
use pcl::diagnostics::{Diagnostic, SourceMap};
use pcl::render::{Format, Look, Report};

/// The flags about configuration.
#[derive(Args, Default)]
#[command(next_help_heading = "Configuration")]
pub(crate) struct ConfigArgs {
    /// Set a setting of `pcl.toml`, such as `missing-schema=warn`; repeatable
    #[arg(long, value_name = "KEY=VALUE", value_parser = setting)]
    setting: Vec<(String, String)>,
    /// Use no configuration file
    #[arg(long)]
    isolated: bool,
}

fn setting(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("expected KEY=VALUE")?;
    Ok((key.trim().to_owned(), value.trim().to_owned()))
}

impl ConfigArgs {
    /// The search for configurations, with the settings of the environment and of the flags.
    pub(crate) fn discovery(&self) -> Result<Discovery, Failure> {
        self.discovery_with(|_| Ok(()))
    }

    /// The same with other flags, which `add` adds.
    pub(crate) fn discovery_with(
        &self,
        add: impl FnOnce(&mut Configuration) -> Result<(), Failure>,
    ) -> Result<Discovery, Failure> {
        let mut base = Configuration::default();
        let variable = |name: &str| std::env::var(name).ok();
        base.read_environment(variable)
            .map_err(|(name, diagnostics)| wrong(&format!("in `{name}`"), &diagnostics))?;
        for (key, value) in &self.setting {
            base.set(key, value).map_err(|diagnostics| wrong("in `--setting`", &diagnostics))?;
        }
        add(&mut base)?;
        Ok(Discovery::new(base, self.isolated))
    }
}

/// The failure for a setting without a place.
pub(super) fn wrong(place: &str, diagnostics: &[Diagnostic]) -> Failure {
    let text = |diagnostic: &Diagnostic| match &diagnostic.help {
        Some(help) => format!("{}; {help}", diagnostic.message),
        None => diagnostic.message.clone(),
    };
    let texts: Vec<String> = diagnostics.iter().map(text).collect();
    Failure::usage(format!("{place}: {}", texts.join("; ")))
}

/// Fails if a configuration file that was read is not valid.
pub(crate) fn refuse_errors(discovery: &Discovery) -> Result<(), Failure> {
    discovery.diagnostics(|map, diagnostics| {
        if diagnostics.is_empty() {
            return Ok(());
        }
        let look = Look { color: color_on_stderr(), ..Look::default() };
        let texts = reports(map, diagnostics).into_iter().map(|(path, diagnostics)| {
            let report = Report { on_disk: true, ..Report::new(path, map.clone(), diagnostics) };
            String::from_utf8_lossy(&Format::Full.render(&report, look)).into_owned()
        });
        Err(Failure::Configuration(texts.collect()))
    })
}

/// The diagnostics about each configuration file, with its path.
pub(crate) fn reports(
    map: &SourceMap,
    diagnostics: &[Diagnostic],
) -> Vec<(String, Vec<Diagnostic>)> {
    let mut reports: Vec<(String, Vec<Diagnostic>)> = Vec::new();
    for diagnostic in diagnostics {
        let path = map.path(diagnostic.primary.file);
        match reports.iter_mut().find(|(known, _)| known == path) {
            Some((_, known)) => known.push(diagnostic.clone()),
            None => reports.push((path.to_owned(), vec![diagnostic.clone()])),
        }
    }
    reports.sort_by(|(a, _), (b, _)| a.cmp(b));
    reports
}

/// Show the configuration
#[derive(Args)]
pub(crate) struct Config {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Show every setting with its value and where it comes from
    Show(ShowArgs),
    /// Print the JSON Schema of `pcl.toml`
    Schema,
}

#[derive(Args)]
struct ShowArgs {
    /// A program; the nearest configuration at or above it counts
    #[arg(value_name = "PATH", default_value = ".")]
    path: PathBuf,
    /// Text or JSON
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    output_format: AnswerFormat,
    #[command(flatten)]
    config: ConfigArgs,
}

impl Config {
    pub(crate) fn run(&self) -> Outcome {
        match &self.command {
            Command::Show(show) => show.run(),
            Command::Schema => print_json(&json_schema()),
        }
    }
}

impl ShowArgs {
    fn run(&self) -> Outcome {
        self.path.metadata().map_err(|error| Failure::io("read", &self.path, error))?;
        let discovery = self.config.discovery()?;
        let directory = inputs::directory(&Target::Path(self.path.clone()));
        let configuration = discovery.of(&directory);
        refuse_errors(&discovery)?;
        match self.output_format {
            AnswerFormat::Text => print(text(&configuration)),
            AnswerFormat::Json => print_json(&document(&configuration)),
        }
    }
}

/// The settings as TOML, each with its origin in a comment.
fn text(configuration: &Configuration) -> String {
    let mut out = match configuration.file() {
        Some(file) => format!("# {}\n", file.display()),
        None => "# no configuration file\n".to_owned(),
    };
    for file in configuration.files().skip(1) {
        // Writing to a string does not fail.
        let _ = writeln!(out, "# extends {}", file.display());
    }
    for key in Key::all() {
        let name = key.name();
        let _ = match (configuration.effective(key), key.default()) {
            (Some((value, origins)), _) => {
                let origins: Vec<String> = origins.iter().map(ToString::to_string).collect();
                writeln!(out, "{name} = {}  # {}", toml(&value), origins.join(", "))
            }
            (None, "") => writeln!(out, "# {name} is not set"),
            (None, default) => writeln!(out, "{name} = {default}  # default"),
        };
    }
    for each in configuration.overrides() {
        let _ = writeln!(out, "\n[[overrides]]  # {}", each.origin);
        let _ = writeln!(out, "files = {}", toml(&Value::List(each.globs.clone())));
        for (key, entry) in each.settings() {
            let _ = writeln!(out, "{} = {}", key.name(), toml(&entry.value));
        }
    }
    out
}

fn toml(value: &Value) -> String {
    // A string of JSON is a basic string of TOML.
    let quoted = |text: &String| json!(text).to_string();
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Number(value) => value.to_string(),
        Value::Text(text) => quoted(text),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(quoted).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Table(entries) => {
            let entry =
                |(key, value): &(String, String)| format!("{} = {}", quoted(key), quoted(value));
            let entries: Vec<String> = entries.iter().map(entry).collect();
            format!("{{ {} }}", entries.join(", "))
        }
    }
}

fn document(configuration: &Configuration) -> serde_json::Value {
    let settings = Key::all().map(|key| {
        let (value, origins) = configuration.effective(key).unzip();
        let origins: Option<Vec<String>> =
            origins.map(|origins| origins.iter().map(ToString::to_string).collect());
        json!({
            "name": key.name(),
            "summary": key.summary(),
            "default": key.default(),
            "value": value,
            "origins": origins.unwrap_or_default(),
        })
    });
    let settings: Vec<_> = settings.collect();
    let file = configuration.file().map(pcl_system::shown);
    let extended: Vec<String> = configuration.files().skip(1).map(pcl_system::shown).collect();
    let overrides = configuration.overrides().into_iter().map(|each| {
        let settings = each.settings().map(|(key, entry)| (key.name(), json!(entry.value)));
        let settings: serde_json::Map<String, serde_json::Value> =
            settings.map(|(name, value)| (name.to_owned(), value)).collect();
        json!({
            "files": each.globs,
            "origin": each.origin.to_string(),
            "settings": settings,
        })
    });
    let overrides: Vec<_> = overrides.collect();
    json!({
        "format_version": "1.0",
        "file": file,
        "extends": extended,
        "overrides": overrides,
        "settings": settings,
    })
}
