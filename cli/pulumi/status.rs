//! `pcl pulumi status`.

use std::path::{Path, PathBuf};

use clap::Args;
use pcl::render::FORMAT_VERSION;
use pcl_convert::Language;
use pcl_host::{LanguagePlugin, find_host, known_proxies};
use pcl_system::{program_on_path, real_path};
use serde_json::{Value, json};

use super::installed::{Installed, Plugin, VERSION};
use super::{launchers, pulumi};
use crate::output::{AnswerFormat, print, print_json};
use crate::status::Outcome;

#[derive(Args)]
pub(super) struct StatusArgs {
    /// The format of the output
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    output_format: AnswerFormat,
}

/// The state of one language.
struct Row {
    language: Language,
    /// The installed versions of its plugin.
    versions: Vec<String>,
    /// The language host, or the reason why there is none.
    host: Result<PathBuf, String>,
    /// The launcher that takes the place of the host.
    launcher: Option<PathBuf>,
}

impl StatusArgs {
    pub(super) fn run(&self) -> Outcome {
        let pulumi = pulumi()?;
        let installed = Installed::list(&pulumi)?;
        let rows: Vec<Row> =
            LanguagePlugin::proxied().map(|language| Row::new(language, &installed)).collect();
        let converter: Vec<String> =
            installed.versions(Plugin::Converter).into_iter().map(str::to_owned).collect();
        match self.output_format {
            AnswerFormat::Text => {
                let mut text: String = rows.iter().map(Row::text).collect();
                let versions = versions(&converter, "yaml");
                text.push_str(&format!("{}\n  plugin    {versions}\n", Plugin::Converter.title()));
                print(text)
            }
            AnswerFormat::Json => print_json(&json!({
                "format_version": FORMAT_VERSION,
                "version": VERSION,
                "pulumi": pulumi.program().to_string_lossy(),
                "languages": rows.iter().map(Row::json).collect::<Vec<_>>(),
                "converter": { "plugin": Plugin::Converter.name(), "installed": converter },
            })),
        }
    }
}

/// The installed versions of a plugin in words. `language` is its name for `install`.
fn versions(versions: &[String], language: &str) -> String {
    match versions {
        [] => format!("not installed; `pcl pulumi install {language}`"),
        versions if versions.iter().any(|version| version == VERSION) => versions.join(", "),
        versions => {
            let versions = versions.join(", ");
            format!("{versions}; `pcl pulumi install` installs {VERSION}")
        }
    }
}

impl Row {
    fn new(language: Language, installed: &Installed) -> Self {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let versions =
            installed.versions(Plugin::Language(language)).into_iter().map(str::to_owned).collect();
        let first = program_on_path(&path, &format!("pulumi-language-{}", language.runtime()));
        let launcher = first.filter(|first| launchers::is_launcher(first));
        // The host is behind the launcher, which is another file on Windows.
        let mut proxies = known_proxies();
        proxies.extend(launcher.as_deref().and_then(|launcher| real_path(launcher).ok()));
        let host = find_host(language.runtime(), &path, &proxies);
        Self { language, versions, host, launcher }
    }

    fn text(&self) -> String {
        let name = Plugin::Language(self.language).name();
        let plugin = versions(&self.versions, self.language.name());
        let host = match &self.host {
            Ok(host) => host.display().to_string(),
            Err(reason) => format!("missing: {reason}"),
        };
        let launcher = match &self.launcher {
            Some(launcher) => format!("  launcher  {}\n", launcher.display()),
            None => String::new(),
        };
        format!("{name}\n  plugin    {plugin}\n  host      {host}\n{launcher}")
    }

    fn json(&self) -> Value {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        json!({
            "language": self.language.name(),
            "plugin": Plugin::Language(self.language).name(),
            "installed": self.versions,
            "host": self.host.as_deref().ok().map(text),
            "launcher": self.launcher.as_deref().map(text),
        })
    }
}
