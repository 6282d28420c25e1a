//! `PulumiPlugin.yaml`, the file that makes a package of a directory.
//!
//! The rules, with examples: `tests/spec/programs/manifest.md`.

use std::path::Path;

use pcl_diagnostics::{Code, Diagnostic, FileId, Span, TextRange};
use pcl_schema::yaml;
use semver::Version;

/// The name of the file.
pub(crate) const PLUGIN_FILE: &str = "PulumiPlugin.yaml";

/// The runtime of components in PCL.
const RUNTIME: &str = "pcl";

/// The size of the largest file that is read.
const MAX_BYTES: u64 = 1 << 20;

/// The contents of the file of a package in PCL.
#[derive(Clone, Debug, Default)]
pub(super) struct Manifest {
    /// All of its text.
    pub text: String,
    /// The place of the key `runtime`.
    pub runtime: TextRange,
    /// The name, and its place in the text.
    pub name: Option<(String, TextRange)>,
    /// The version, and its place in the text.
    pub version: Option<(Version, TextRange)>,
    /// The mistakes in it, by their places.
    errors: Vec<(TextRange, Wrong)>,
}

/// A mistake in the file.
#[derive(Clone, Debug)]
enum Wrong {
    /// The text is not YAML.
    Syntax(String),
    /// An option is not a string.
    NotText(&'static str),
    /// The version is not a semantic version.
    Version(String),
}

impl Manifest {
    /// Reads the file in a directory; `None` if there is none, or if it is that of another runtime.
    pub fn read(directory: &Path) -> Option<Self> {
        let bytes = pcl_system::read(&directory.join(PLUGIN_FILE), MAX_BYTES).ok()?;
        Self::parse(String::from_utf8(bytes).ok()?)
    }

    fn parse(text: String) -> Option<Self> {
        let mut manifest = Self { text, ..Self::default() };
        let root = match yaml::read(&manifest.text, &mut Err) {
            Ok(root) => root?,
            Err(error) if says_pcl(&manifest.text) => {
                manifest.errors.push((error.at.range, Wrong::Syntax(error.kind.to_string())));
                return Some(manifest);
            }
            Err(_) => return None,
        };
        let (key, runtime) = root.entry("runtime")?;
        manifest.runtime = key.at.range;
        let name = runtime.text().or_else(|| runtime.entry("name")?.1.text());
        if name != Some(RUNTIME) {
            return None;
        }
        let options = runtime.entry("options").map(|(_, options)| options);
        let mut text = |key: &'static str| {
            let (_, value) = options?.entry(key)?;
            let range = value.at.range;
            match &*value.data {
                yaml::Data::Text(text) => Some((text.clone(), range)),
                // `1.0` is a number, and means what is written.
                yaml::Data::Scalar(scalar, text) if !matches!(scalar, yaml::Scalar::Null) => {
                    Some((text.clone(), range))
                }
                _ => {
                    manifest.errors.push((range, Wrong::NotText(key)));
                    None
                }
            }
        };
        let (name, version) = (text("name"), text("version"));
        manifest.name = name;
        if let Some((text, range)) = version {
            match Version::parse(&text) {
                Ok(version) => manifest.version = Some((version, range)),
                Err(_) => manifest.errors.push((range, Wrong::Version(text))),
            }
        }
        Some(manifest)
    }

    /// The diagnostics about the file.
    pub fn diagnostics(&self, file: FileId) -> impl Iterator<Item = Diagnostic> {
        self.errors.iter().map(move |(range, wrong)| {
            let span = Span::new(file, *range);
            match wrong {
                Wrong::Syntax(reason) => not_yaml(span, reason),
                Wrong::NotText(key) => not_text(span, key),
                Wrong::Version(text) => not_a_version(span, text),
            }
        })
    }
}

/// Returns whether a text that is not YAML names the runtime all the same.
fn says_pcl(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim);
    lines.any(|line| {
        let value = line.strip_prefix("runtime:").or_else(|| line.strip_prefix("name:"));
        value.is_some_and(|value| value.trim().trim_matches(['"', '\'']) == RUNTIME)
    })
}

fn invalid(span: Span, message: String) -> Diagnostic {
    Diagnostic::error(Code::InvalidPluginFile, span, message).ours()
}

/// The text is not YAML.
fn not_yaml(span: Span, reason: &str) -> Diagnostic {
    invalid(span, format!("`{PLUGIN_FILE}` is not valid YAML: {reason}"))
        .help("the shortest such file is `runtime: pcl`")
}

/// An option is a list, a mapping, or nothing.
fn not_text(span: Span, key: &str) -> Diagnostic {
    invalid(span, format!("the option `{key}` must be a string"))
        .help(format!("write the {key} of the package, or remove the option"))
}

/// The version is not a semantic version.
fn not_a_version(span: Span, text: &str) -> Diagnostic {
    invalid(span, format!("`{text}` is not a semantic version"))
        .note("the version of the package is 0.0.0 until then")
        .help("write three numbers, as in `1.2.3`")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Option<(Option<String>, Option<String>, usize)> {
        let manifest = Manifest::parse(text.to_owned())?;
        let name = manifest.name.map(|(name, _)| name);
        let version = manifest.version.map(|(version, _)| version.to_string());
        Some((name, version, manifest.errors.len()))
    }

    #[test]
    fn the_runtime_decides() {
        for (text, expected) in [
            ("runtime: pcl\n", Some((None, None, 0))),
            ("runtime:\n  name: pcl\n", Some((None, None, 0))),
            (
                "runtime: { name: pcl, options: { name: shop, version: 22.0.0 } }\n",
                Some((Some("shop".into()), Some("22.0.0".into()), 0)),
            ),
            ("runtime: { name: pcl, options: { version: 1.0 } }\n", Some((None, None, 1))),
            ("runtime: { name: pcl, options: { name: [a] } }\n", Some((None, None, 1))),
            ("runtime: pcl\nname: {\n", Some((None, None, 1))),
            ("runtime: nodejs\n", None),
            ("runtime: nodejs\nname: {\n", None),
            ("name: pcl\n", None),
            ("", None),
        ] {
            assert_eq!(parsed(text), expected, "{text}");
        }
    }
}
