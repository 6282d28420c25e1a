//! The files of a project in Pulumi YAML.

use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

use pcl::generated::{Project, ProjectFile};
use pcl::schema::yaml::{self, Node};

/// The largest file that is read.
const MAX_BYTES: u64 = 64 << 20;

/// The files that may have the program; the first that is there has it.
const PROGRAMS: [&str; 3] = ["Main.json", "Main.yaml", "Pulumi.yaml"];

/// The file of a plugin.
const PLUGIN: &str = "PulumiPlugin.yaml";

/// The kinds of sources.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SourceKind {
    /// A program in Pulumi YAML.
    Program,
    /// A plugin in Pulumi YAML, which has components.
    Plugin,
    /// Manifests of Kubernetes.
    Manifests,
}

/// A project in Pulumi YAML, or manifests of Kubernetes.
#[derive(Clone, Debug)]
pub struct Source {
    /// The file that has the program.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// The other files of manifests or of a plugin, and their texts.
    pub others: Vec<(PathBuf, String)>,
    /// The text of the project file, if there is one.
    pub project: Option<String>,
    /// The name of the project.
    pub name: String,
    /// The directory of the program in that of the project, with a slash behind it; empty for the
    /// same directory.
    pub main: String,
    /// The texts of the files that may declare packages.
    pub sdks: Vec<String>,
    /// The settings of stacks: the names and texts of their files.
    pub stacks: Vec<(String, String)>,
    /// The kind of the source.
    pub kind: SourceKind,
    /// The values that all settings give the configuration: names and types of PCL.
    pub settings: Vec<(String, String)>,
}

/// The reason why a project cannot be read, and the file or directory.
#[derive(Debug)]
pub struct ReadError {
    /// The path.
    pub path: PathBuf,
    /// The reason.
    pub error: io::Error,
}

impl Source {
    /// Reads the project or plugin in a directory, or the one whose program is a file.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, or no file has a program.
    pub fn read(place: &Path) -> Result<Self, ReadError> {
        if let Some(plugin) = Self::plugin(place)? {
            return Ok(plugin);
        }
        let (root, file) = if place.is_dir() {
            (place.to_owned(), None)
        } else {
            (pcl_system::directory_of(place).to_owned(), Some(place.to_owned()))
        };
        let project = match optional(&root.join("Pulumi.yaml"))? {
            Some(text) => Some(text),
            None => optional(&root.join("Pulumi.json"))?,
        };
        let tree = project.as_deref().and_then(|text| yaml::read(text, &mut |_| Ok(())).ok()?);
        let main = tree.as_ref().and_then(|tree| text_of(tree, "main")).unwrap_or_default();
        let main = main.trim_start_matches("./").trim_end_matches('/');
        let is_here = main.is_empty() || !is_inside(main) || file.is_some();
        let main = if is_here { String::new() } else { format!("{main}/") };
        let directory = root.join(&main);
        let (path, text) = match file {
            Some(file) => {
                let text = required(&file)?;
                (file, text)
            }
            None => program(&directory)?,
        };
        let name = tree.as_ref().and_then(|tree| text_of(tree, "name"));
        let name = name.map(str::to_owned).unwrap_or_else(|| name_of(&root));
        let settings = tree.as_ref().and_then(|tree| text_of(tree, "stackConfigDir"));
        let stacks = stacks(&root, settings.filter(|path| is_inside(path)))?;
        let texts = stacks.iter().map(|(_, text)| text).chain(&project);
        let trees = texts.filter_map(|text| yaml::read(text, &mut |_| Ok(())).ok()?);
        let mut settings: Vec<_> =
            trees.flat_map(|tree| crate::config::settings(&tree, &name)).collect();
        settings.sort();
        settings.dedup_by(|next, first| next.0 == first.0);
        let sdks = sdks(&directory);
        let others = Vec::new();
        let kind = SourceKind::Program;
        Ok(Self { path, text, others, project, name, main, sdks, stacks, kind, settings })
    }

    /// Reads the plugin in a directory, or the one with a file; `None` if there is none. All files
    /// of the directory are part of it.
    fn plugin(place: &Path) -> Result<Option<Self>, ReadError> {
        let directory = if place.is_dir() { place } else { pcl_system::directory_of(place) };
        let path = directory.join(PLUGIN);
        let is_named = place.file_name().is_some_and(|name| name == PLUGIN);
        let has_project = || directory.join("Pulumi.yaml").exists();
        if !is_named && (!place.is_dir() || has_project()) {
            return Ok(None);
        }
        let Some(text) = optional(&path)? else { return Ok(None) };
        let mut others = Vec::new();
        for other in yaml_files(directory) {
            if other != path {
                others.push((other.clone(), required(&other)?));
            }
        }
        Ok(Some(Self {
            text,
            others,
            project: None,
            name: name_of(directory),
            main: String::new(),
            sdks: sdks(directory),
            stacks: Vec::new(),
            kind: SourceKind::Plugin,
            settings: Vec::new(),
            path,
        }))
    }

    /// Reads files of manifests of Kubernetes, which are one program.
    ///
    /// # Errors
    /// Returns an error if one cannot be read.
    pub fn manifests(path: &Path, others: &[PathBuf]) -> Result<Self, ReadError> {
        let others = others.iter().map(|path| Ok((path.clone(), required(path)?)));
        Ok(Self {
            path: path.to_owned(),
            text: required(path)?,
            others: others.collect::<Result<_, _>>()?,
            project: None,
            name: name_of(pcl_system::directory_of(path)),
            main: String::new(),
            sdks: Vec::new(),
            stacks: Vec::new(),
            kind: SourceKind::Manifests,
            settings: Vec::new(),
        })
    }

    /// Returns true if the program is in the project file.
    pub fn is_project(&self) -> bool {
        let name = self.path.file_name().and_then(|name| name.to_str());
        matches!(name, Some("Pulumi.yaml" | "Pulumi.json" | "Pulumi.yml"))
    }

    /// The files of a project in PCL with these programs: their paths and texts. A package has a
    /// program for each component, with its directory.
    pub fn files<'p>(
        &self,
        programs: impl IntoIterator<Item = (&'p str, &'p str)>,
    ) -> Vec<(String, String)> {
        let mut programs = programs.into_iter();
        if self.kind == SourceKind::Plugin {
            let others = self.others.iter().map(|(_, text)| text.as_str());
            let texts: Vec<&str> = [self.text.as_str()].into_iter().chain(others).collect();
            let file = crate::plugin_file(&texts);
            let file = file.unwrap_or_else(|| String::from("runtime: pcl\n"));
            let component =
                |(name, text): (&str, &str)| (format!("{name}/main.pp"), text.to_owned());
            return [(PLUGIN.to_owned(), file)]
                .into_iter()
                .chain(programs.map(component))
                .collect();
        }
        let program = programs.next().map_or_else(String::new, |(_, text)| text.to_owned());
        let project =
            self.project_file().and_then(|text| crate::project_file(text, self.is_project()));
        let project = project.unwrap_or_else(|| {
            format!("name: {}\nruntime: pcl\n", pcl::syntax::quoted_label(&self.name))
        });
        let mut files =
            vec![("Pulumi.yaml".to_owned(), project), (format!("{}main.pp", self.main), program)];
        files.extend(self.stacks.iter().cloned());
        files
    }

    /// The text of the file of the project, if there is one.
    fn project_file(&self) -> Option<&str> {
        self.project.as_deref().or_else(|| self.is_project().then_some(&self.text))
    }

    /// Adds what the project has besides its program to a project in another language: the other
    /// entries of the project file, and the settings of the stacks.
    pub fn add_settings(&self, project: &mut Project) {
        let file = project.files.iter_mut().find(|file| file.path == "Pulumi.yaml");
        let own = self.project_file();
        let entries = own.and_then(|text| crate::project::other_entries(text, self.is_project()));
        if let (Some(file), Some(entries)) = (file, entries) {
            file.text.push_str(&entries);
        }
        let stacks = self.stacks.iter().cloned();
        project.files.extend(stacks.map(|(path, text)| ProjectFile::new(path, text)));
    }
}

/// The file of a directory that has a program.
fn program(directory: &Path) -> Result<(PathBuf, String), ReadError> {
    for name in PROGRAMS {
        let path = directory.join(name);
        if let Some(text) = optional(&path)? {
            return Ok((path, text));
        }
    }
    let error =
        io::Error::new(ErrorKind::NotFound, "there is no Main.json, Main.yaml or Pulumi.yaml");
    Err(ReadError { path: directory.to_owned(), error })
}

/// Returns true for a path that leads to no place outside of a directory.
fn is_inside(path: &str) -> bool {
    let mut parts = Path::new(path).components();
    parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

/// The settings of the stacks of a project, which a directory of it may have.
fn stacks(root: &Path, directory: Option<&str>) -> Result<Vec<(String, String)>, ReadError> {
    let mut found = Vec::new();
    let place = root.join(directory.unwrap_or_default());
    let entries = match std::fs::read_dir(&place) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(found),
        entries => entries.map_err(|error| ReadError { path: place.clone(), error })?,
    };
    let prefix = directory.map(|path| path.trim_start_matches("./").trim_end_matches('/'));
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        let stack = name.strip_prefix("Pulumi.").and_then(|rest| rest.strip_suffix(".yaml"));
        if stack.is_some_and(|stack| !stack.is_empty()) {
            let path = match prefix {
                Some(prefix) if !prefix.is_empty() => format!("{prefix}/{name}"),
                _ => name.to_owned(),
            };
            found.push((path, required(&entry.path())?));
        }
    }
    found.sort();
    Ok(found)
}

/// The files that declare packages, which Pulumi looks for in all directories. They are read in
/// `sdks` alone, where Pulumi writes them.
fn sdks(directory: &Path) -> Vec<String> {
    let paths = yaml_files(&directory.join("sdks"));
    paths.iter().filter_map(|path| optional(path).ok()?).collect()
}

/// The files of a directory whose names end with `.yaml`, sorted.
fn yaml_files(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "yaml"))
        .filter(|path| !path.is_dir())
        .collect();
    paths.sort();
    paths
}

fn text_of<'t>(tree: &'t Node, key: &str) -> Option<&'t str> {
    tree.entry(key)?.1.text()
}

/// The name of a project without a project file.
fn name_of(root: &Path) -> String {
    let resolved = pcl_system::resolved(root);
    let name = resolved.file_name().and_then(|name| name.to_str());
    name.unwrap_or("project").to_owned()
}

fn optional(path: &Path) -> Result<Option<String>, ReadError> {
    match required(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn required(path: &Path) -> Result<String, ReadError> {
    let failed = |error| ReadError { path: path.to_owned(), error };
    let bytes = pcl_system::read(path, MAX_BYTES).map_err(failed)?;
    decoded(bytes).map_err(failed)
}

/// The text of a file in YAML, which is UTF-8, or UTF-16 with a byte order mark.
fn decoded(bytes: Vec<u8>) -> io::Result<String> {
    let invalid = |message| io::Error::new(ErrorKind::InvalidData, message);
    let unit = match bytes.first_chunk() {
        Some([0xfe, 0xff]) => u16::from_be_bytes,
        Some([0xff, 0xfe]) => u16::from_le_bytes,
        _ => return String::from_utf8(bytes).map_err(|_| invalid("the file is not UTF-8")),
    };
    let (pairs, []) = bytes.as_chunks() else {
        return Err(invalid("the file is UTF-16, and ends within a character"));
    };
    let units: Vec<u16> = pairs.iter().skip(1).map(|pair| unit(*pair)).collect();
    String::from_utf16(&units).map_err(|_| invalid("the file is not UTF-16"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_utf_8_or_utf_16() {
        let little = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for text in ["name: ü𝄞\n", ""] {
            let marked = format!("\u{feff}{text}");
            assert_eq!(decoded(little(&marked)).unwrap(), text);
            assert_eq!(decoded(big(&marked)).unwrap(), text);
            assert_eq!(decoded(text.as_bytes().to_vec()).unwrap(), text);
        }
        for bytes in [&b"\xff\xfea"[..], b"\xff\xfe\x00\xd8", b"a\xff"] {
            let error = decoded(bytes.to_vec()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidData);
        }
    }
}
