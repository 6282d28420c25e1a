//! The files of a project in Pulumi YAML.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use pcl::schema::yaml::{self, Node};

/// The largest file that is read.
const MAX_BYTES: u64 = 64 << 20;

/// The files that may have the program; the first that is there has it.
const PROGRAMS: [&str; 3] = ["Main.json", "Main.yaml", "Pulumi.yaml"];

/// A project in Pulumi YAML.
#[derive(Clone, Debug)]
pub struct Source {
    /// The file that has the program.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
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
    /// Set for manifests of Kubernetes, in the place of a program.
    pub has_manifests: bool,
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
    /// Reads the project in a directory, or the one whose program is a file.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, or no file has a program.
    pub fn read(place: &Path) -> Result<Self, ReadError> {
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
        let is_inside = Path::new(main)
            .components()
            .all(|part| matches!(part, std::path::Component::Normal(_)));
        let is_here = main.is_empty() || !is_inside || file.is_some();
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
        let stacks = stacks(&root)?;
        let texts = stacks.iter().map(|(_, text)| text).chain(&project);
        let trees = texts.filter_map(|text| yaml::read(text, &mut |_| Ok(())).ok()?);
        let mut settings: Vec<_> =
            trees.flat_map(|tree| crate::config::settings(&tree, &name)).collect();
        settings.sort();
        settings.dedup_by(|next, first| next.0 == first.0);
        let sdks = sdks(&directory);
        let has_manifests = false;
        Ok(Self { path, text, project, name, main, sdks, stacks, has_manifests, settings })
    }

    /// Reads a file of manifests of Kubernetes.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    pub fn manifests(path: &Path) -> Result<Self, ReadError> {
        Ok(Self {
            path: path.to_owned(),
            text: required(path)?,
            project: None,
            name: name_of(pcl_system::directory_of(path)),
            main: String::new(),
            sdks: Vec::new(),
            stacks: Vec::new(),
            has_manifests: true,
            settings: Vec::new(),
        })
    }

    /// Returns true if the program is in the project file.
    pub fn is_project(&self) -> bool {
        let name = self.path.file_name().and_then(|name| name.to_str());
        matches!(name, Some("Pulumi.yaml" | "Pulumi.json" | "Pulumi.yml"))
    }

    /// The files of a project in PCL with this program: their paths and texts.
    pub fn files(&self, program: String) -> Vec<(String, String)> {
        let own = self.project.as_deref().or_else(|| self.is_project().then_some(&self.text));
        let project = own.and_then(|text| crate::project_file(text, self.is_project()));
        let project = project.unwrap_or_else(|| {
            format!("name: {}\nruntime: pcl\n", pcl::syntax::quoted_label(&self.name))
        });
        let mut files =
            vec![("Pulumi.yaml".to_owned(), project), (format!("{}main.pp", self.main), program)];
        files.extend(self.stacks.iter().cloned());
        files
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

/// The settings of the stacks of a project.
fn stacks(root: &Path) -> Result<Vec<(String, String)>, ReadError> {
    let mut found = Vec::new();
    let entries = std::fs::read_dir(root);
    let entries = entries.map_err(|error| ReadError { path: root.to_owned(), error })?;
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        let stack = name.strip_prefix("Pulumi.").and_then(|rest| rest.strip_suffix(".yaml"));
        if stack.is_some_and(|stack| !stack.is_empty()) {
            found.push((name.to_owned(), required(&entry.path())?));
        }
    }
    found.sort();
    Ok(found)
}

/// The files that declare packages, which Pulumi looks for in all directories. They are read in
/// `sdks` alone, where Pulumi writes them.
fn sdks(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory.join("sdks"));
    let mut paths: Vec<PathBuf> = entries
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "yaml"))
        .collect();
    paths.sort();
    paths.iter().filter_map(|path| optional(path).ok()?).collect()
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
    let text = String::from_utf8(bytes);
    let text = text.map_err(|_| io::Error::new(ErrorKind::InvalidData, "the file is not UTF-8"));
    text.map_err(failed)
}
