//! Workspaces: settings and schemas that programs share.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use pcl::binder::OpenFiles;
use pcl::schema::ChainLoader;
use pcl::{Checked as CheckedProgram, Fixes, MemoryFiles, Target, Walk};
use pcl_convert::{Language, Options, PythonOptions, PythonToolchain};
use pyo3::prelude::*;

use crate::checked::{Checked, Place};
use crate::run::{Class, error};
use crate::run::{cancellable, detached};
use crate::schemas;
use crate::settings::Shared;

/// Settings and schemas that programs share.
#[pyclass(frozen, module = "pcl._native")]
pub struct Workspace {
    shared: Shared,
    threads: Option<NonZeroUsize>,
}

/// The files that fixes change, the names of the codes that they fix, and the program after them.
type Fixed = (Vec<(String, String, String)>, Vec<&'static str>, Checked);

/// The files of a project, and the program with the diagnostics of its conversion.
type Converted = (Vec<(String, String)>, Checked);

#[pymethods]
impl Workspace {
    #[new]
    #[pyo3(signature = (*, settings, isolated, schema_dirs, pulumi_home, schemas, loader, jobs))]
    #[expect(clippy::too_many_arguments, reason = "Python passes them by name")]
    fn new(
        py: Python<'_>,
        settings: &str,
        isolated: bool,
        schema_dirs: Vec<PathBuf>,
        pulumi_home: Option<PathBuf>,
        schemas: Vec<Vec<u8>>,
        loader: Option<Py<PyAny>>,
        jobs: Option<NonZeroUsize>,
    ) -> PyResult<Self> {
        let shared =
            Shared::new(py, settings, isolated, schema_dirs, pulumi_home, schemas, loader)?;
        Ok(Self { shared, threads: jobs })
    }

    /// Checks programs, several at a time.
    fn check(&self, py: Python<'_>, inputs: Vec<Input>) -> PyResult<Vec<Checked>> {
        let programs: Vec<Program> = inputs.into_iter().map(Program::from).collect();
        let is_cancelled = AtomicBool::new(false);
        let cancel = || is_cancelled.store(true, Ordering::Relaxed);
        let checked = cancellable(py, cancel, || {
            let machine = || std::thread::available_parallelism().ok();
            let threads = self.threads.or_else(machine).unwrap_or(NonZeroUsize::MIN);
            let mut all = Vec::with_capacity(programs.len());
            pcl::in_order(
                &programs,
                threads,
                |program| {
                    if is_cancelled.load(Ordering::Relaxed) {
                        None
                    } else {
                        Some(self.check_one(program))
                    }
                },
                |checked| all.extend(checked),
            );
            all
        })?;
        self.raise(py)?;
        let all = programs.iter().zip(checked);
        Ok(all.map(|(program, checked)| Checked::new(checked, Place::of(program))).collect())
    }

    /// Applies the fixes of a program to its texts until none is left.
    fn fix(&self, py: Python<'_>, input: Input, is_unsafe: bool) -> PyResult<Fixed> {
        let mut program = Program::from(input);
        let fixes = if is_unsafe { Fixes::Unsafe } else { Fixes::Safe };
        let fixed = detached(py, || {
            let workspace = self.shared.workspace(&program);
            workspace.fix_open(&program.target(), &program.open(), fixes, |_, _| true)
        })?;
        self.raise(py)?;
        if fixed.is_endless {
            let message = "the fixes lead to each other without an end, so none is applied";
            return Err(error(py, Class::Pcl, message));
        }
        if let Program::Memory(memory) = &mut program {
            for file in &fixed.files {
                memory.files.insert(&file.path, file.new.as_str());
            }
        }
        let files = fixed.files.into_iter();
        let files = files.map(|file| (file.path, file.old, file.new)).collect();
        let names = fixed.fixed.iter().map(|code| code.name()).collect();
        Ok((files, names, Checked::new(fixed.checked, Place::of(&program))))
    }

    /// The files of a project in a language, by path, and the program with the diagnostics of the
    /// conversion. Without a name, the project has that of the program's own.
    fn convert(
        &self,
        py: Python<'_>,
        input: Input,
        language: &str,
        name: Option<String>,
        toolchain: &str,
        with_classes: bool,
    ) -> PyResult<Converted> {
        let language = Language::parse(language);
        let language = language.map_err(|message| error(py, Class::Pcl, message))?;
        let program = Program::from(input);
        let toolchain = PythonToolchain::parse(toolchain);
        let toolchain = toolchain.map_err(|message| error(py, Class::Pcl, message))?;
        let python = PythonOptions { toolchain, classes: with_classes };
        let options = Options { python, ..Options::default() };
        let converted = detached(py, || {
            let workspace = self.shared.converting(&program, language);
            let checked = workspace.check_open(&program.target(), &program.open());
            let name = match (name, program.directory()) {
                (Some(name), _) => name,
                (None, Some(directory)) if checked.is_valid() => {
                    pcl_convert::project_name(&directory)?
                }
                (None, _) => "program".to_owned(),
            };
            let own = checked.program.clone();
            let (mut checked, project) = pcl_convert::convert(checked, language, &name, &options);
            // The model is that of the program as it was written.
            checked.program = own;
            let files = project.map(|project| project.files).unwrap_or_default();
            Ok::<_, String>((files, checked))
        })?;
        self.raise(py)?;
        let (files, checked) = converted.map_err(|message| error(py, Class::Settings, message))?;
        let files = files.into_iter().map(|file| (file.path, file.text)).collect();
        Ok((files, Checked::new(checked, Place::of(&program))))
    }

    /// A package, NAME or NAME@VERSION, as JSON.
    fn package(&self, py: Python<'_>, name: &str) -> PyResult<Vec<u8>> {
        self.look_up(py, |loader| schemas::package(loader, name))
    }

    /// The members that a token names, as JSON.
    fn members(&self, py: Python<'_>, token: &str) -> PyResult<Vec<u8>> {
        self.look_up(py, |loader| schemas::members(loader, token))
    }

    /// The members of a package whose tokens or descriptions contain words, as JSON.
    fn search(&self, py: Python<'_>, package: &str, words: Vec<String>) -> PyResult<Vec<u8>> {
        self.look_up(py, |loader| schemas::search(loader, package, &words))
    }
}

impl Workspace {
    fn check_one(&self, program: &Program) -> CheckedProgram {
        let workspace = self.shared.workspace(program);
        workspace.check_open(&program.target(), &program.open())
    }

    fn look_up(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&ChainLoader) -> Result<Vec<u8>, String> + Send,
    ) -> PyResult<Vec<u8>> {
        let answer = detached(py, || ask(&self.shared.loader()))?;
        self.raise(py)?;
        answer.map_err(|message| error(py, Class::Schema, message))
    }

    /// Passes exceptions of the caller's loader on, and raises one about configuration files.
    fn raise(&self, py: Python<'_>) -> PyResult<()> {
        if let Some(callback) = &self.shared.callback {
            callback.raise()?;
        }
        self.shared.raise(py)
    }
}

/// A text in the canonical layout; `None` if it has syntax errors.
#[pyfunction]
pub fn format_text(py: Python<'_>, text: &str) -> PyResult<Option<String>> {
    detached(py, || pcl::format::format(&pcl::syntax::parse(text)))
}

/// The page about a topic, in Markdown.
#[pyfunction]
pub fn explain(py: Python<'_>, topic: &str) -> PyResult<String> {
    pcl::explain::explain(topic)
        .map_err(|unknown| error(py, Class::UnknownTopic, unknown.to_string()))
}

/// The programs at or below a directory, as `pcl check -r` finds them.
#[pyfunction]
pub fn find_programs(py: Python<'_>, directory: PathBuf) -> PyResult<Vec<PathBuf>> {
    detached(py, || {
        let found = Walk::default().programs(&directory);
        found.programs.into_iter().map(|it| it.path).collect()
    })
}

/// Replaces the text of a file, whole or not at all. Links, owners and attributes stay.
#[pyfunction]
pub fn write(py: Python<'_>, path: PathBuf, old: &str, new: &str) -> PyResult<()> {
    let written = detached(py, || pcl_system::write(&path, old.as_bytes(), new.as_bytes()))?;
    Ok(written?)
}

/// A program: a path, or files.
#[derive(FromPyObject)]
pub enum Input {
    /// The contents of files by path; the program is that of the directory.
    #[pyo3(transparent)]
    Files((String, BTreeMap<String, Vec<u8>>)),
    /// A directory, or a file.
    #[pyo3(transparent)]
    Path(PathBuf),
}

/// A program that can be read.
#[derive(Clone)]
pub enum Program {
    Disk(PathBuf),
    Memory(Memory),
}

/// A program in memory.
#[derive(Clone)]
pub struct Memory {
    pub directory: String,
    pub files: MemoryFiles,
}

impl Program {
    pub fn target(&self) -> Target {
        match self {
            Self::Disk(path) => Target::Path(path.clone()),
            Self::Memory(memory) => memory.files.target(&memory.directory),
        }
    }

    /// The files that count instead of those on disk.
    pub fn open(&self) -> Arc<OpenFiles> {
        match self {
            Self::Disk(_) => Arc::default(),
            Self::Memory(memory) => Arc::clone(memory.files.programs()),
        }
    }

    /// The directory whose configuration counts; `None` for a program that is not on a disk.
    pub fn directory(&self) -> Option<PathBuf> {
        match self {
            Self::Disk(path) if path.is_file() => {
                Some(pcl_system::directory_of(path).to_path_buf())
            }
            Self::Disk(path) => Some(path.clone()),
            Self::Memory(_) => None,
        }
    }
}

impl From<Input> for Program {
    fn from(input: Input) -> Self {
        match input {
            Input::Path(path) => Self::Disk(path),
            Input::Files((directory, contents)) => {
                let mut files = MemoryFiles::default();
                for (path, content) in contents {
                    files.insert(&path, content);
                }
                Self::Memory(Memory { directory, files })
            }
        }
    }
}
