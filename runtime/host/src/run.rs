//! `Run`: a program against the engine.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pcl::binder::Program;
use pcl::remote::ServiceLoader;
use pcl::{Checked, SchemaPlaces, Settings, Target, Workspace};
use pcl_diagnostics::{Compat, Diagnostic};
use pcl_eval::{ConfigEntry, Evaluation, FileContents, Limits, Setup};
use tokio::runtime::Handle;
use tokio::sync::watch;
use tonic::Status;

use crate::calls::{Calls, Engine, on_thread};
use crate::hooks::{AllHooks, Hooks};
use crate::monitor::{self, EngineMonitor};
use crate::protocol::language::{ProgramInfo, RunRequest, RunResponse};
use crate::report::Reporter;

/// The surroundings of a run.
pub(crate) struct Surroundings {
    pub engine: Option<Engine>,
    pub hooks: AllHooks,
    /// The address of this host.
    pub address: String,
    /// Cancels the run.
    pub cancelled: watch::Sender<bool>,
}

/// Runs a program. Errors are reported to the engine; without one, the answer has their text.
///
/// # Errors
/// Returns an error if the request lacks something.
pub(crate) async fn run(
    request: RunRequest,
    surroundings: Surroundings,
) -> Result<RunResponse, Status> {
    if request.attach_debugger {
        return Err(Status::unimplemented("there is no debugger for PCL"));
    }
    if request.monitor_address.is_empty() {
        let message = "the request has no address of a resource monitor";
        return Err(Status::invalid_argument(message));
    }
    let missing = || Status::invalid_argument("the request has no information about the program");
    let info = request.info.clone().ok_or_else(missing)?;
    let malformed = |reason| {
        let address = &request.monitor_address;
        Status::invalid_argument(format!("`{address}` is not an address: {reason}"))
    };
    let calls =
        Calls::new(&request.monitor_address, surroundings.cancelled.clone()).map_err(malformed)?;
    let directory = PathBuf::from(&info.program_directory);
    let root = info.root_directory.clone();
    let loader = request.loader_target.clone();
    let settings = settings(request, info);
    let Surroundings { engine, hooks, address, cancelled } = surroundings;
    let runtime = Handle::current();
    // The engine that ends its request does not want its result.
    let guard = CancelOnDrop(cancelled.clone());
    let result = on_thread(move || {
        let loader = service(&loader);
        let loader = loader.map(|loader| loader.with_cancellation(cancelled.subscribe()));
        let checked = check(&directory, Some(Path::new(&root)), loader, true);
        if *cancelled.borrow() {
            return RunResponse { bail: true, ..RunResponse::default() };
        }
        let mut diagnostics = checked.report.diagnostics;
        let sources = Arc::new(checked.report.sources);
        let reporter = Reporter { runtime: &runtime, engine: engine.as_ref(), sources: &sources };
        if diagnostics.iter().any(Diagnostic::is_error) {
            return answer(&reporter, &diagnostics, "", false);
        }
        let working_directory = PathBuf::from(&settings.working_directory);
        let monitor = Arc::new(EngineMonitor {
            calls,
            engine: engine.clone(),
            sources: Arc::clone(&sources),
            uris: monitor::uris(&sources),
            hooks: Hooks::new(hooks, address, working_directory),
            is_preview: settings.is_preview,
            root: <_>::default(),
        });
        let evaluation =
            Evaluation::new(setup(Arc::new(checked.program), settings, monitor.clone()));
        let outcome = until_cancelled(evaluation, &runtime, cancelled, Evaluation::run);
        if outcome.outputs.is_some() {
            monitor.hooks.remove();
        }
        diagnostics.extend(outcome.diagnostics);
        answer(&reporter, &diagnostics, monitor.root(), outcome.outputs.is_some())
    });
    let result = result.await;
    drop(guard);
    result
}

/// The answer to a request to run: all diagnostics go to the log of the engine, and those that do
/// not get there into the answer.
fn answer(
    reporter: &Reporter<'_>,
    diagnostics: &[Diagnostic],
    stack: &str,
    succeeded: bool,
) -> RunResponse {
    let error = reporter.report(diagnostics, stack);
    if succeeded {
        return RunResponse::default();
    }
    // Without an error to report, it is the engine that ended the run.
    RunResponse { bail: error.is_empty(), error }
}

/// A program with all that its evaluation against an engine needs.
pub(crate) fn setup(
    program: Arc<Program>,
    settings: pcl_eval::Settings,
    monitor: Arc<EngineMonitor>,
) -> Setup<'static> {
    Setup {
        program,
        contents: Arc::new(FileContents::new(&settings.working_directory)),
        settings,
        monitor,
        trees: &[],
        variables: Vec::new(),
        nodes: Vec::new(),
    }
}

/// Evaluates until it is cancelled: programs that compute are cancelled too, not only those that
/// wait for the engine.
pub(crate) fn until_cancelled<T>(
    evaluation: Evaluation,
    runtime: &Handle,
    cancelled: watch::Sender<bool>,
    evaluate: impl FnOnce(&Evaluation) -> T,
) -> T {
    let evaluation = Arc::new(evaluation);
    let cancelling = Arc::clone(&evaluation);
    let watcher = runtime.spawn(async move {
        _ = cancelled.subscribe().wait_for(|cancelled| *cancelled).await;
        cancelling.cancel();
    });
    let result = evaluate(&evaluation);
    watcher.abort();
    result
}

/// The settings of the evaluation that a request asks for.
fn settings(request: RunRequest, info: ProgramInfo) -> pcl_eval::Settings {
    let working_directory = match request.working_directory.as_str() {
        "" => info.program_directory,
        given => given.to_owned(),
    };
    pcl_eval::Settings {
        project: request.project,
        stack: request.stack,
        organization: request.organization,
        root_directory: info.root_directory,
        working_directory,
        is_preview: request.dry_run,
        parallel: usize::try_from(request.parallel).unwrap_or_default(),
        keeps_going: false,
        is_offline: false,
        defers_resources: false,
        any_stack: false,
        unknown_config: false,
        config: config(request.config, &request.config_secret_keys),
        environment: environment(),
        limits: Limits::NONE,
    }
}

/// Cancels a run when the request for it is dropped.
pub(crate) struct CancelOnDrop(pub watch::Sender<bool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.send_replace(true);
    }
}

/// The loader service at an address, which may be empty.
pub(crate) fn service(address: &str) -> Option<ServiceLoader> {
    (!address.is_empty()).then(|| ServiceLoader::new(address))
}

/// The program in a directory, checked with the schemas of a loader service.
pub(crate) fn check(
    directory: &Path,
    root: Option<&Path>,
    service: Option<ServiceLoader>,
    strict: bool,
) -> Checked {
    let directory = relative(directory);
    workspace(root, service, strict).check(&Target::Path(directory))
}

/// A workspace for programs that run, with the schemas of a loader service.
pub(crate) fn workspace(
    root: Option<&Path>,
    service: Option<ServiceLoader>,
    strict: bool,
) -> Workspace {
    let mut settings = settings_as_pulumi(service, strict);
    settings.options.prefer_output_versioned_invokes = true;
    settings.options.project_directory =
        root.filter(|root| !root.as_os_str().is_empty()).map(Path::to_path_buf);
    Workspace::new(settings)
}

/// The settings of a check that judges programs as Pulumi does, with the schemas of a loader
/// service.
pub(crate) fn settings_as_pulumi(service: Option<ServiceLoader>, strict: bool) -> Settings {
    let mut options =
        if strict { pcl::binder::Options::default() } else { pcl::binder::Options::lenient() };
    options.policy.compat = Compat::Pulumi;
    Settings {
        options,
        schemas: SchemaPlaces { service: service.map(Arc::new), ..SchemaPlaces::default() },
        ..Settings::default()
    }
}

/// A path as a user in the current directory would write it, for messages.
pub(crate) fn relative(path: &Path) -> PathBuf {
    let current = std::env::current_dir().ok();
    match current.and_then(|current| Some(path.strip_prefix(current).ok()?.to_path_buf())) {
        Some(path) if path.as_os_str().is_empty() => PathBuf::from("."),
        Some(path) => path,
        None => path.to_path_buf(),
    }
}

fn config(values: BTreeMap<String, String>, secrets: &[String]) -> BTreeMap<String, ConfigEntry> {
    let secrets: BTreeSet<&String> = secrets.iter().collect();
    let entry = |(key, text): (String, String)| {
        let is_secret = secrets.contains(&key);
        let text = Some(text.into());
        (key, ConfigEntry { text, is_secret })
    };
    values.into_iter().map(entry).collect()
}

/// The environment variables, from which schemas take defaults.
fn environment() -> BTreeMap<String, String> {
    let text = |(name, value): (OsString, OsString)| {
        Some((name.into_string().ok()?, value.into_string().ok()?))
    };
    std::env::vars_os().filter_map(text).collect()
}
