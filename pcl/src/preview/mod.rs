//! Previews: what a program would register, without an engine.

mod local_components;
mod options;
mod stack_config;

use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use pcl_diagnostics::{Code, Diagnostic, FileId, Span};
use pcl_eval::monitor::{Monitor, RegisterResource, Registered};
use pcl_eval::{
    Answers, Evaluation, Event, FileContents, Offline, Setup, Stop, UnknownRange, Value,
};
use pcl_syntax::SyntaxTree;
use pcl_values::{Content, Contents, Entry, PropertyMap, PropertyValue, Urn};

use crate::memory_files::MemoryFiles;
use crate::preview::local_components::Engine;
use crate::render::Report;
use crate::workspace::Checked;

pub use crate::preview::local_components::LocalComponents;
pub use crate::preview::options::RunOptions;
#[cfg(feature = "secrets")]
pub use crate::preview::stack_config::passphrase;
pub use crate::preview::stack_config::{StackConfig, project_name, stray_key};

/// The facts of a run; see [`pcl_eval::Settings`].
pub use pcl_eval::Settings as RunSettings;

/// A program whose evaluation needs no engine.
pub struct OfflineProgram {
    checked: Checked,
    settings: RunSettings,
    answers: Answers,
    root: PathBuf,
    contents: Option<Arc<dyn Contents + Send + Sync>>,
    components: Arc<LocalComponents>,
    cancellation: Cancellation,
}

/// The resources that a program would register, its outputs, and what is wrong with it.
pub struct Preview {
    /// The diagnostics of the check and of the run.
    pub report: Report,
    /// The project.
    pub project: String,
    /// The stack.
    pub stack: String,
    /// The requests of the program: resources in the order of their blocks, then everything else.
    pub events: Vec<Event>,
    /// The outputs of the stack; `None` if the run failed.
    pub outputs: Option<PropertyMap>,
    /// The blocks whose ranges are unknown: none of their resources is registered.
    pub unknown_ranges: Vec<UnknownRange>,
}

crate::render::reported!(Preview, Evaluated);

impl Preview {
    /// The resources and components, the stack first, with their answers: the outputs that are not
    /// inputs.
    pub fn resources(&self) -> impl Iterator<Item = (&RegisterResource, &Registered)> {
        self.events.iter().filter_map(|event| match event {
            Event::Resource(request, answer) => Some((&**request, answer)),
            _ => None,
        })
    }

    /// Returns true if the values of the preview, written out, have at most about so many bytes. A
    /// short program can make values that have more than a machine's memory.
    pub fn fits(&self, most: usize) -> bool {
        let mut room = most;
        let mut fit = |values: &PropertyMap| values.values().all(|value| value.fits(&mut room));
        let requests = self.events.iter().all(|event| match event {
            // The inputs are written as part of the outputs, too.
            Event::Resource(request, answer) => {
                fit(&request.inputs) && fit(&request.inputs) && fit(&answer.outputs)
            }
            Event::Read(request, answer) => {
                fit(&request.properties) && fit(&request.properties) && fit(&answer.properties)
            }
            Event::Invoke(request) => fit(&request.arguments),
            Event::Call(request) => fit(&request.arguments),
            // Outputs are written with their resources, and hooks have no values.
            _ => true,
        });
        requests && self.outputs.as_ref().is_none_or(fit)
    }
}

impl OfflineProgram {
    /// A checked program with the facts of its run and the answers of an engine that is not there.
    /// Files outside of `root` are reported when the program reads them.
    pub fn new(
        mut checked: Checked,
        settings: RunSettings,
        answers: Answers,
        root: impl Into<PathBuf>,
    ) -> Self {
        // The run itself tells whether these fail.
        checked.diagnostics.retain(|it| it.is_error() || !it.code.is_of_run());
        Self {
            checked,
            settings: RunSettings {
                is_preview: true,
                is_offline: true,
                keeps_going: true,
                ..settings
            },
            answers,
            root: root.into(),
            contents: None,
            components: Arc::default(),
            cancellation: Cancellation::default(),
        }
    }

    /// The same with other files for the program to read than those on disk.
    #[must_use]
    pub fn with_contents(self, contents: Arc<dyn Contents + Send + Sync>) -> Self {
        Self { contents: Some(contents), ..self }
    }

    /// The same with components of packages in PCL, which are evaluated with it.
    #[must_use]
    pub fn with_components(self, components: LocalComponents) -> Self {
        Self { components: Arc::new(components), ..self }
    }

    /// The same with something that ends its evaluation.
    #[must_use]
    pub fn with_cancellation(self, cancellation: &Cancellation) -> Self {
        Self { cancellation: cancellation.clone(), ..self }
    }

    /// The program of a directory of files in memory, which it reads while it runs. Their root is
    /// the directory `/`.
    pub fn in_memory(
        checked: Checked,
        settings: RunSettings,
        answers: Answers,
        files: MemoryFiles,
        directory: &str,
    ) -> Self {
        let directory = MemoryFiles::normal(directory);
        let root = files.project_of(&directory);
        let settings = RunSettings {
            root_directory: MemoryContents::absolute(root.as_deref().unwrap_or(&directory)),
            working_directory: MemoryContents::absolute(&directory),
            ..settings
        };
        let contents = MemoryContents::new(files, directory);
        Self::new(checked, settings, answers, "").with_contents(Arc::new(contents))
    }

    /// Evaluates the program. A program with errors is not evaluated.
    pub fn preview(self) -> Preview {
        let (project, stack) = (self.settings.project.clone(), self.settings.stack.clone());
        let answers = self.answers.clone();
        let ran = self.run_against(|| Offline::new(&project, &stack, answers.clone()));
        let mut events = ran.engine.map(|engine| engine.take_events()).unwrap_or_default();
        events.sort_by_cached_key(place);
        let Ran { report, outputs, unknown_ranges, .. } = ran;
        Preview { report, project, stack, events, outputs, unknown_ranges }
    }

    /// Evaluates the program against an engine that is made for it. A program with errors is not
    /// evaluated.
    pub(crate) fn run_against<E: Monitor + 'static>(self, make: impl Fn() -> E) -> Ran<E> {
        let is_valid = self.checked.is_valid();
        let files = self.files();
        let components = Arc::clone(&self.components);
        let Checked { mut report, program } = self.checked;
        let (mut outputs, mut unknown_ranges, mut made) = (None, Vec::new(), None);
        if is_valid {
            let program = Arc::new(program);
            let run = |parallel| {
                let settings = RunSettings { parallel, ..self.settings.clone() };
                let made = Arc::new(make());
                let monitor = Arc::clone(&made) as Arc<dyn Monitor>;
                let evaluation = Arc::new(Evaluation::new(Setup {
                    program: Arc::clone(&program),
                    monitor: engine(monitor, &components, &settings),
                    settings,
                    contents: files.clone(),
                    trees: &[],
                    variables: Vec::new(),
                    nodes: Vec::new(),
                }));
                self.cancellation.begin(&evaluation);
                (evaluation.run(), made)
            };
            let mut result = run(self.settings.parallel);
            let is_limit = |it: &Diagnostic| it.code == Code::ValueTooLarge;
            if self.settings.parallel != 1 && result.0.diagnostics.iter().any(is_limit) {
                // Of several nodes at once, chance decides which one comes to a limit of the run.
                result = run(1);
            }
            outputs = result.0.outputs;
            unknown_ranges = result.0.unknown_ranges;
            report.diagnostics.extend(result.0.diagnostics);
            made = Some(result.1);
        }
        Ran { report, outputs, unknown_ranges, engine: made }
    }

    /// Evaluates an expression in the scope of the program, and of the program what it needs. The
    /// result are the value, if there is one, and all diagnostics; the file of the expression is
    /// added to the sources.
    pub fn evaluate(mut self, expression: &str) -> Evaluated {
        let file = self.checked.sources.add("expression", expression);
        let tree = pcl_newcomers::parse_expression(expression);
        let program = &mut self.checked.program;
        let (expr, found) = program.bind_expression(&tree, file);
        self.checked.diagnostics.extend(found);
        let mut value = None;
        if let Some(expr) = expr.filter(|_| self.checked.is_valid()) {
            let result = self.value_of(expr, (file, &tree));
            self.checked.diagnostics.extend(result.1);
            value = result.0;
        }
        Evaluated { report: self.checked.report, value }
    }

    fn value_of(
        &self,
        expr: pcl_model::expression::ExprId,
        tree: (FileId, &SyntaxTree),
    ) -> (Option<Value>, Vec<Diagnostic>) {
        let (project, stack) = (&self.settings.project, &self.settings.stack);
        let files = self.files();
        let offline = Arc::new(Offline::new(project, stack, self.answers.clone()));
        let evaluation = Evaluation::new(Setup {
            program: Arc::new(self.checked.program.clone()),
            settings: self.settings.clone(),
            contents: files.clone(),
            monitor: engine(offline, &self.components, &self.settings),
            trees: &[tree],
            variables: Vec::new(),
            nodes: Vec::new(),
        });
        let evaluation = Arc::new(evaluation);
        self.cancellation.begin(&evaluation);
        let result = evaluation.value_of(expr);
        let mut diagnostics = evaluation.take_warnings();
        let span = Span::new(tree.0, tree.1.root().range());
        let value = match result {
            Ok(value) => Some(value),
            Err(Stop::Failed(errors)) => {
                diagnostics.extend(*errors);
                None
            }
            Err(Stop::Poisoned(name)) => {
                diagnostics.push(failed_resource(span, &name));
                None
            }
            Err(Stop::Cancelled) => None,
        };
        (value, diagnostics)
    }

    /// The facts of a plan for the program.
    #[cfg(feature = "state")]
    pub(crate) fn plan_setup(
        &self,
        prior: Arc<pcl_plan::Prior>,
        options: pcl_plan::Options,
    ) -> pcl_plan::Setup {
        let program = &self.checked.program;
        pcl_plan::Setup {
            project: self.settings.project.clone(),
            stack: self.settings.stack.clone(),
            answers: self.answers.clone(),
            prior,
            options,
            schemas: Arc::new(crate::plan::ProgramSchemas::of(program)),
            packages: crate::plan::packages(program),
            config: self.settings.config.clone(),
            constructed: self.components.tokens().collect(),
        }
    }

    /// The files that diagnostics refer to.
    #[cfg(feature = "state")]
    pub(crate) fn sources_mut(&mut self) -> &mut pcl_diagnostics::SourceMap {
        &mut self.checked.sources
    }

    /// The first file of the program.
    #[cfg(feature = "state")]
    pub(crate) fn first_file(&self) -> Option<FileId> {
        self.checked.program.module.files.first().copied()
    }

    /// The files that the program reads.
    fn files(&self) -> Arc<dyn Contents + Send + Sync> {
        match &self.contents {
            Some(contents) => Arc::clone(contents),
            None => {
                let working = &self.settings.working_directory;
                Arc::new(FileContents::new(working).with_project(&self.root))
            }
        }
    }
}

/// A program that was evaluated against an engine of its own.
pub(crate) struct Ran<E> {
    /// The diagnostics of the check and of the run.
    pub report: Report,
    /// The outputs of the stack; `None` if the run failed.
    pub outputs: Option<PropertyMap>,
    /// The blocks whose ranges are unknown.
    pub unknown_ranges: Vec<UnknownRange>,
    /// The engine; `None` for a program with errors.
    pub engine: Option<Arc<E>>,
}

/// The engine for a program that uses these components.
fn engine(
    offline: Arc<dyn Monitor>,
    components: &Arc<LocalComponents>,
    settings: &RunSettings,
) -> Arc<dyn Monitor> {
    if components.is_empty() {
        return offline;
    }
    Arc::new(Engine {
        offline,
        components: Arc::clone(components),
        settings: Arc::new(settings.clone()),
        asked_by: None,
        within: Vec::new(),
        count: Arc::default(),
    })
}

/// An expression that was evaluated.
pub struct Evaluated {
    /// The diagnostics of the program, of the expression and of the evaluation.
    pub report: Report,
    /// The value; `None` if there is none, which a diagnostic explains.
    pub value: Option<Value>,
}

/// The place of a request in a preview, which does not depend on the order in which nodes finish:
/// resources by their blocks, those of one block by their parents, then in their order, and calls
/// by what they ask.
fn place(event: &Event) -> (usize, Option<Span>, Arc<str>) {
    let parent = |parent: &Option<Urn>| parent.as_ref().map(Urn::shared).unwrap_or_default();
    match event {
        Event::Resource(request, _) => (0, request.source, parent(&request.parent)),
        Event::Read(request, _) => (0, request.source, parent(&request.parent)),
        Event::Outputs(urn, _) => (1, None, urn.shared()),
        Event::Invoke(request) => {
            let arguments = PropertyValue::Object(request.arguments.clone());
            (2, None, format!("{} {arguments}", request.token).into())
        }
        Event::Call(request) => {
            let arguments = PropertyValue::Object(request.arguments.clone());
            (3, None, format!("{} {arguments}", request.token).into())
        }
        _ => (4, None, Arc::default()),
    }
}

/// An expression needs a resource that failed.
fn failed_resource(span: Span, name: &str) -> Diagnostic {
    let message = format!("the expression needs the resource `{name}`, which failed");
    Diagnostic::error(Code::EngineError, span, message)
}

/// Ends the evaluation of programs from another thread. What is evaluated with it then has no
/// value, and nothing is evaluated any more.
///
/// ```
/// use pcl::preview::{Cancellation, OfflineProgram, RunSettings};
/// use pcl::{Settings, Target, Workspace, eval::Answers};
///
/// let checked = Workspace::new(Settings::default()).check(&Target::text("main.pp", "a = 1\n"));
/// let program = OfflineProgram::new(checked, RunSettings::default(), Answers::default(), "");
/// let cancellation = Cancellation::default();
/// cancellation.cancel();
/// let program = program.with_cancellation(&cancellation);
/// assert!(program.evaluate("[for i in range(9) : i]").value.is_none());
/// ```
#[derive(Clone, Default)]
pub struct Cancellation {
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    is_cancelled: bool,
    /// It frees its values when it is done, which may be before the result is shown.
    running: Weak<Evaluation>,
}

impl Cancellation {
    /// Ends the evaluation.
    pub fn cancel(&self) {
        let mut state = self.lock();
        state.is_cancelled = true;
        if let Some(evaluation) = state.running.upgrade() {
            evaluation.cancel();
        }
    }

    /// Makes an evaluation the one that is ended.
    fn begin(&self, evaluation: &Arc<Evaluation>) {
        let mut state = self.lock();
        if state.is_cancelled {
            evaluation.cancel();
        }
        state.running = Arc::downgrade(evaluation);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The files of a workspace as a program in one of its directories reads them. The root of the
/// workspace is `/`.
struct MemoryContents {
    files: MemoryFiles,
    /// Their paths, sorted.
    paths: Vec<String>,
    directory: String,
}

impl MemoryContents {
    /// The files as a program in `directory` reads them.
    pub fn new(files: MemoryFiles, directory: String) -> Self {
        Self { paths: files.paths(), files, directory }
    }

    /// A directory of the workspace as a program names it.
    pub fn absolute(directory: &str) -> String {
        match directory {
            "." => "/".to_owned(),
            directory => format!("/{directory}"),
        }
    }

    /// The entries of a directory; none if it does not exist.
    fn entries(&self, directory: &str) -> Vec<Entry> {
        let prefix = match directory {
            "." => String::new(),
            _ => format!("{directory}/"),
        };
        // The files below a directory are neighbors, as they start with the same text.
        let start = self.paths.partition_point(|path| path.as_str() < prefix.as_str());
        let below = self.paths.iter().skip(start);
        let mut entries: Vec<Entry> = Vec::new();
        for rest in below.map_while(|path| path.strip_prefix(&prefix)) {
            let (name, is_directory) = match rest.split_once('/') {
                Some((name, _)) => (name, true),
                None => (rest, false),
            };
            if entries.last().is_none_or(|last| last.name != name) {
                let name = name.to_owned();
                entries.push(Entry { name, is_directory });
            }
        }
        entries
    }

    /// The path from the root of the workspace. What would be above the root is the root.
    fn place(&self, written: &str) -> String {
        let base = if written.starts_with('/') { "" } else { self.directory.as_str() };
        let mut parts: Vec<&str> = Vec::new();
        for part in base.split('/').chain(written.split('/')) {
            match part {
                "" | "." => {}
                ".." => _ = parts.pop(),
                part => parts.push(part),
            }
        }
        if parts.is_empty() { ".".to_owned() } else { parts.join("/") }
    }
}

impl Contents for MemoryContents {
    fn file(&self, path: &str) -> io::Result<Content<'_>> {
        let place = self.place(path);
        match self.files.bytes(&place) {
            Some(bytes) => Ok(Content::of(bytes)),
            None if self.entries(&place).is_empty() => Err(ErrorKind::NotFound.into()),
            None => Err(ErrorKind::IsADirectory.into()),
        }
    }

    fn directory(&self, path: &str) -> io::Result<Vec<Entry>> {
        let place = self.place(path);
        let entries = self.entries(&place);
        if !entries.is_empty() {
            Ok(entries)
        } else if self.files.bytes(&place).is_some() {
            Err(ErrorKind::NotADirectory.into())
        } else {
            Err(ErrorKind::NotFound.into())
        }
    }

    fn fetch(&self, _: &str) -> io::Result<Content<'_>> {
        let message = "remote content is not fetched here";
        Err(io::Error::new(ErrorKind::Unsupported, message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_belong_to_the_directory_of_the_program() {
        let mut files = MemoryFiles::default();
        for path in [
            "top.txt",
            "web-old/main.pp",
            "web.txt",
            "web/main.pp",
            "web/data/a.txt",
            "web/data/b/c.txt",
        ] {
            files.insert(path, path);
        }
        let reading = MemoryContents::new(files, "web".to_owned());
        let read = |path: &str| -> io::Result<String> {
            let mut text = String::new();
            let mut content = reading.file(path)?;
            io::Read::read_to_string(&mut content.reader, &mut text)?;
            Ok(text)
        };
        assert_eq!(read("data/a.txt").unwrap(), "web/data/a.txt");
        assert_eq!(read("./main.pp").unwrap(), "web/main.pp");
        assert_eq!(read("../top.txt").unwrap(), "top.txt");
        assert_eq!(read("/../web/./data/a.txt").unwrap(), "web/data/a.txt");
        assert_eq!(read("a.txt").unwrap_err().kind(), ErrorKind::NotFound);
        assert_eq!(read("data").unwrap_err().kind(), ErrorKind::IsADirectory);
        let list = |path| -> io::Result<Vec<(String, bool)>> {
            let entries = reading.directory(path)?.into_iter();
            Ok(entries.map(|it| (it.name, it.is_directory)).collect())
        };
        let expected = [("a.txt".to_owned(), false), ("b".to_owned(), true)];
        assert_eq!(list("data").unwrap(), expected);
        assert_eq!(list(".").unwrap().len(), 2);
        let expected = ["top.txt", "web-old", "web.txt", "web"];
        let names = |list: Vec<(String, bool)>| list.into_iter().map(|(name, _)| name);
        assert!(names(list("/").unwrap()).eq(expected));
        let refused = list("main.pp").unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::NotADirectory);
        assert_eq!(list("none").unwrap_err().kind(), ErrorKind::NotFound);
    }
}
