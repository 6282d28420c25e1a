//! The files around the modules: the packages that a project needs, and `Pulumi.yaml`.

use pcl::generated::ProjectFile;
use pcl_codegen::{json_text, yaml_name};

use crate::package::Packages;

/// The choices of those who generate a project.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Options {
    /// The tool that installs the packages.
    pub toolchain: Toolchain,
    /// True to write nested inputs as instances of classes of an SDK, instead of dicts.
    pub classes: bool,
}

/// A tool that installs the packages of a project.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Toolchain {
    /// pip, with `requirements.txt`.
    #[default]
    Pip,
    /// uv, with `pyproject.toml`.
    Uv,
}

impl Toolchain {
    /// All toolchains.
    pub const ALL: [Self; 2] = [Self::Pip, Self::Uv];

    /// The name of the tool, as options and `Pulumi.yaml` have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pip => "pip",
            Self::Uv => "uv",
        }
    }

    /// The toolchain with a name.
    ///
    /// # Errors
    /// Returns a message with all names if there is none.
    pub fn parse(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|toolchain| toolchain.name() == name).ok_or_else(|| {
            let known = Self::ALL.map(|toolchain| format!("`{}`", toolchain.name()));
            format!("unknown toolchain `{name}`; expected {}", known.join(" or "))
        })
    }
}

/// The versions of Pulumi's SDK that a project works with.
const SDK_VERSIONS: &str = ">=3.255.0,<4.0.0";

/// The versions of Python that a project works with.
const PYTHON_VERSIONS: &str = ">=3.11";

/// The files for a toolchain, and `Pulumi.yaml`.
pub(crate) fn files(packages: &Packages<'_>, name: &str, toolchain: Toolchain) -> Vec<ProjectFile> {
    let mut needed = vec![format!("pulumi{SDK_VERSIONS}")];
    for package in packages.installed() {
        needed.push(match package.version {
            Some(version) => format!("{}=={}", package.name, version_of(&version)),
            None => package.name,
        });
    }
    needed.sort();
    needed.dedup();
    let list = match toolchain {
        Toolchain::Pip => {
            let text = needed.join("\n") + "\n";
            ProjectFile::settings("requirements.txt", text)
        }
        Toolchain::Uv => {
            let lines: Vec<String> =
                needed.iter().map(|line| format!("    {},\n", json_text(line))).collect();
            let text = format!(
                "[project]\nname = {}\nversion = \"0.0.0\"\nrequires-python = {}\ndependencies = [\n{}]\n",
                json_text(&project_name(name)),
                json_text(PYTHON_VERSIONS),
                lines.concat(),
            );
            ProjectFile::settings("pyproject.toml", text)
        }
    };
    let pulumi = format!(
        "name: {}\nruntime:\n  name: python\n  options:\n    toolchain: {}\n    virtualenv: {}\n",
        yaml_name(name),
        toolchain.name(),
        if toolchain == Toolchain::Pip { "venv" } else { ".venv" },
    );
    vec![list, ProjectFile::settings("Pulumi.yaml", pulumi)]
}

/// A version as Python writes it: `2.0.0a1` for `2.0.0-alpha.1`. What Python has no form for
/// becomes a local part, as in the versions of Pulumi's SDKs.
fn version_of(version: &str) -> String {
    let (version, build) = version.split_once('+').unwrap_or((version, ""));
    let (release, before) = version.split_once('-').unwrap_or((version, ""));
    let mut parts: Vec<String> = Vec::new();
    for part in before.split('.').filter(|part| !part.is_empty()) {
        match parts.last_mut() {
            // `alpha.1` is `alpha1`.
            Some(last) if is_word(last) && is_number(part) => last.push_str(part),
            _ => parts.push(part.to_owned()),
        }
    }
    let mut parts = parts.into_iter().peekable();
    let mut out = release.to_owned();
    let kinds: [&[(&str, &str)]; 3] = [
        &[("alpha", "a"), ("beta", "b"), ("rc", "rc"), ("a", "a"), ("b", "b")],
        &[("dev", ".dev")],
        &[("post", ".post")],
    ];
    for kind in kinds {
        let found = parts.peek().and_then(|part| {
            kind.iter().find_map(|(word, short)| {
                let number = part.strip_prefix(word).filter(|number| is_number(number))?;
                Some(format!("{short}{number}"))
            })
        });
        if let Some(found) = found {
            out.push_str(&found);
            parts.next();
        }
    }
    let local = parts.chain(build.split('.').filter(|part| !part.is_empty()).map(str::to_owned));
    let local: Vec<String> = local.map(|part| part.replace('-', ".")).collect();
    if !local.is_empty() {
        out.push('+');
        out.push_str(&local.join("."));
    }
    out
}

fn is_word(text: &str) -> bool {
    ["alpha", "beta", "rc", "dev", "post"].contains(&text)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// A name of a project as `pyproject.toml` allows it.
fn project_name(name: &str) -> String {
    let legal = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name: String = name.chars().map(legal).collect();
    let name = name.trim_matches('-');
    if name.is_empty() { "project".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_python() {
        for (version, expected) in [
            ("1.2.3", "1.2.3"),
            ("2.0.0-alpha.18", "2.0.0a18"),
            ("2.0.0-dev.20230524", "2.0.0.dev20230524"),
            ("2.0.0-rc1+build", "2.0.0rc1+build"),
            ("2.0.0-odd", "2.0.0+odd"),
            ("3.0.0-alpha.1.internal+exp.sha.12", "3.0.0a1+internal.exp.sha.12"),
        ] {
            assert_eq!(version_of(version), expected);
        }
    }
}
