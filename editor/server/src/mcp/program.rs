//! The program that the arguments of a tool name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pcl::binder::OpenFiles;
use pcl::{Checked, Settings, Target, Workspace};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::directories::Context;
use super::tool::MAX_TEXT;

/// The arguments that name a program.
#[derive(Deserialize, Default)]
pub struct Source {
    /// A directory, or a file of the program in it.
    path: Option<String>,
    /// Texts by name of file, which count instead of those on disk.
    files: Option<BTreeMap<String, String>>,
}

/// A program with the workspace that checks it.
pub struct Program {
    /// The workspace, whose settings are those of the program.
    pub workspace: Workspace,
    /// The program.
    pub target: Target,
    /// The file that the path named, if it named one.
    pub file: Option<PathBuf>,
    open: Arc<OpenFiles>,
}

/// The schemas of the arguments of [`Source`], with others after them.
pub fn arguments(others: Value) -> Map<String, Value> {
    let path = "A directory whose `.pp` files are one program, or one of these files; relative to \
        a directory of the server, or absolute. Without `path` and `files`, it is the first \
        directory of the server.";
    let files = "The texts of `.pp` files by name, such as {\"main.pp\": \"a = 1\\n\"}. With \
        `path` they count instead of, or in addition to, the files of that directory; without it \
        they are a program by themselves. Nothing is written.";
    let own = json!({
        "path": { "type": "string", "description": path },
        "files": {
            "type": "object",
            "additionalProperties": { "type": "string" },
            "description": files,
        },
    });
    let all = [own, others].into_iter().filter_map(|it| match it {
        Value::Object(arguments) => Some(arguments),
        _ => None,
    });
    all.flatten().collect()
}

impl Source {
    /// The program, which is not read yet.
    ///
    /// # Errors
    /// Returns a message if it must not be read, or if its configuration is not valid.
    pub fn program(&self, context: &Context<'_>) -> Result<Program, String> {
        self.program_with(context, |settings| settings)
    }

    /// The same, with other settings.
    ///
    /// # Errors
    /// Returns a message if it must not be read, or if its configuration is not valid.
    pub fn program_with(
        &self,
        context: &Context<'_>,
        adjust: impl FnOnce(Settings) -> Settings,
    ) -> Result<Program, String> {
        let texts = self.files.as_ref();
        for (name, text) in texts.into_iter().flatten() {
            if name.contains(['/', '\\']) || !name.ends_with(".pp") || name.starts_with('.') {
                return Err(format!("`{name}` is not the name of a file such as `main.pp`"));
            }
            if text.len() > MAX_TEXT {
                return Err(format!("`{name}` has more than {MAX_TEXT} bytes"));
            }
        }
        let path = match (&self.path, texts) {
            (Some(path), _) => Some(context.directories.resolve(path)?),
            (None, Some(texts)) if !texts.is_empty() => None,
            (None, _) => Some(context.directories.first().to_path_buf()),
        };
        let mut open = OpenFiles::default();
        let (target, file) = match path {
            None => {
                let files = texts.into_iter().flatten();
                let files = files.map(|(name, text)| (name.clone(), text.clone().into_bytes()));
                let target = Target::Memory {
                    path: "program".to_owned(),
                    directory: Some(context.directories.first().to_path_buf()),
                    files: files.collect(),
                };
                (target, None)
            }
            Some(path) => {
                let (directory, file) = if path.is_dir() {
                    (path, None)
                } else if path.extension().is_some_and(|it| it == "pp") {
                    let directory = path.parent().filter(|it| !it.as_os_str().is_empty());
                    let directory = directory.unwrap_or(Path::new("."));
                    (directory.to_path_buf(), Some(path))
                } else {
                    let path = path.display();
                    return Err(format!("`{path}` is neither a directory nor a .pp file"));
                };
                for (name, text) in texts.into_iter().flatten() {
                    let path = if directory == Path::new(".") {
                        PathBuf::from(name)
                    } else {
                        directory.join(name)
                    };
                    let tree = pcl::syntax::parse(text.as_str());
                    open.insert(pcl_system::shown(&path), Arc::new(tree));
                }
                (Target::Path(directory), file)
            }
        };
        let open = Arc::new(open);
        let place = target.place().unwrap_or(Path::new("."));
        let mut settings = context.settings(place)?;
        settings.options.open_files = Arc::clone(&open);
        Ok(Program { workspace: Workspace::new(adjust(settings)), target, file, open })
    }
}

impl Program {
    /// The program after its check.
    ///
    /// # Errors
    /// Returns a message if one of its files lies outside of the directories of the server.
    pub fn check(&self, context: &Context<'_>) -> Result<Checked, String> {
        let checked = self.workspace.check(&self.target);
        self.admit(&checked, context)?;
        Ok(checked)
    }

    /// Refuses a program with a file outside of the directories of the server: a link, or a
    /// component elsewhere.
    ///
    /// # Errors
    /// Returns a message that names the file.
    pub fn admit(&self, checked: &Checked, context: &Context<'_>) -> Result<(), String> {
        let own = match self.target {
            Target::Path(_) => &checked.program.module.files[..],
            Target::Memory { .. } => &[],
        };
        let components = checked.program.components.iter();
        let components = components.flat_map(|component| &component.module.files);
        for &file in own.iter().chain(components) {
            let path = checked.sources.path(file);
            if self.open.get(path).is_none() {
                context.directories.admit(Path::new(path))?;
            }
        }
        Ok(())
    }
}
