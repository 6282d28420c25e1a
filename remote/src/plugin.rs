//! Schemas from provider plugins that are started for the question, and Pulumi's cache of their
//! answers, which it and `pcl` share.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pcl_schema::{
    InstalledPlugin, LoadError, Loader, NotFound, Package, PackageRequest, PulumiHome, Unanswered,
    parse_version,
};
use rustc_hash::FxHashMap;
use semver::Version;
use sha2::{Digest as _, Sha256};

use crate::call::{CallError, Connection, Deadline, on_own_thread, plain};
use crate::locate::{Located, PluginPlaces, PluginSearch, ProjectPlugin};
use crate::messages::{
    Empty, HandshakeRequest, Parameter, ParameterizeRequest, ParameterizeResponse, PluginInfo,
    ProviderSchemaRequest, SchemaResponse,
};
use crate::process::{End, Interrupts, Process, Wanted};

/// The address of Pulumi's engine for plugins: one that parses and cannot be reached. Schemas need
/// no engine.
const NO_ENGINE: &str = "127.0.0.1:0";

/// Asks the provider plugins that are installed, as Pulumi does: it finds the plugin, takes its
/// answer from Pulumi's cache if that is younger than the plugin, and otherwise starts it, asks it,
/// and stops it again. Only plugins of the plugin cache have their answers kept; others may change
/// at any time.
///
/// Each request is answered once, and several at the same time.
#[derive(Debug)]
pub struct PluginLoader {
    search: PluginSearch,
    time_limit: Duration,
    interrupts: Option<Arc<Interrupts>>,
    answers: Answers,
}

/// The answers to requests, each of which is made once, and several at the same time.
#[derive(Debug, Default)]
pub(crate) struct Answers(Mutex<FxHashMap<PackageRequest, Arc<Asked>>>);

type Asked = OnceLock<Result<Arc<Package>, LoadError>>;

impl Answers {
    /// The answer to a request, which a function asks for.
    pub fn get(
        &self,
        request: &PackageRequest,
        ask: impl FnOnce() -> Result<Arc<Package>, LoadError>,
    ) -> Result<Arc<Package>, LoadError> {
        let answer = {
            let mut answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(answers.entry(request.clone()).or_default())
        };
        answer.get_or_init(ask).clone()
    }
}

/// A package with the document that it was read from.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The package.
    pub package: Arc<Package>,
    /// Its schema, as it was answered.
    pub document: Vec<u8>,
}

impl PluginLoader {
    /// A loader of the plugins in those places.
    pub fn new(places: PluginPlaces) -> Self {
        Self {
            search: PluginSearch::new(places),
            time_limit: Duration::from_secs(60),
            interrupts: None,
            answers: Answers::default(),
        }
    }

    /// Gives each plugin that long from its start to the end of its answer, instead of a minute.
    #[must_use]
    pub fn with_time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = limit;
        self
    }

    /// Stops plugins when a signal is to end this process.
    #[must_use]
    pub fn with_interrupts(mut self, interrupts: Arc<Interrupts>) -> Self {
        self.interrupts = Some(interrupts);
        self
    }

    /// The same for the programs of a project that names plugins. They are started only if
    /// [`PluginPlaces::starts_project`] is set.
    #[must_use]
    pub fn for_project(&self, plugins: Vec<ProjectPlugin>) -> Self {
        let mut places = self.search.places.clone();
        places.project = plugins;
        Self {
            search: PluginSearch::new(places),
            time_limit: self.time_limit,
            interrupts: self.interrupts.clone(),
            answers: Answers::default(),
        }
    }

    /// The program that [`ask`](Self::ask) would start, if there is one.
    pub fn program(&self, request: &PackageRequest) -> Option<PathBuf> {
        match self.search.find(request)? {
            Located::Loose(program) | Located::Installed { program, .. } => Some(program),
            Located::Attached(_) | Located::Interpreted(_) | Located::Refused(_) => None,
        }
    }

    /// Asks the plugin for a package, whatever it answered before. Nothing is kept.
    ///
    /// # Errors
    /// Returns an error if there is no plugin, or if it does not answer with the package.
    pub fn ask(&self, request: &PackageRequest) -> Result<Answer, LoadError> {
        self.ask_located(self.locate(request)?, request)
    }

    /// The plugin to ask.
    fn locate(&self, request: &PackageRequest) -> Result<Located, LoadError> {
        match self.search.find(request) {
            Some(Located::Refused(path)) => Err(self.not_found(request, Some(path))),
            Some(located) => Ok(located),
            None => Err(self.not_found(request, None)),
        }
    }

    fn answer(&self, request: &PackageRequest) -> Result<Arc<Package>, LoadError> {
        let located = self.locate(request)?;
        let Located::Installed { plugin, .. } = &located else {
            return Ok(self.ask_located(located, request)?.package);
        };
        if let Some(package) = self.kept(plugin, request) {
            return Ok(package);
        }
        let plugin = plugin.clone();
        let answer = self.ask_located(located, request)?;
        if let Some(home) = &self.search.home {
            // If it cannot be cached, the plugin is asked again next time.
            let place = cached(home, &plugin, request);
            let _ = pcl_system::replace(&place, &answer.document);
        }
        Ok(answer.package)
    }

    fn ask_located(&self, located: Located, request: &PackageRequest) -> Result<Answer, LoadError> {
        match located {
            Located::Attached(port) => {
                let who = format!("the plugin `{}` at port {port}", request.name);
                let help = "look at what PULUMI_DEBUG_PROVIDERS says".to_owned();
                let deadline = Deadline::new(self.time_limit);
                let address = format!("127.0.0.1:{port}");
                let answer = on_own_thread(|| {
                    converse(&address, request, deadline, &mut || None)
                        .map_err(|error| error.to_string())
                });
                answer
                    .and_then(|answer| answer.package(request, None))
                    .map_err(|reason| unanswered(who, reason, None, help))
            }
            Located::Interpreted(directory) => {
                let who = format!("the plugin in {}", directory.display());
                let reason = "is run by a language host, which `pcl` does not start".to_owned();
                let help = format!(
                    "write its schema once with `pulumi package get-schema {0} > schemas/{0}.json`",
                    request.name
                );
                Err(unanswered(who, reason, None, help))
            }
            Located::Refused(path) => Err(self.not_found(request, Some(path))),
            Located::Loose(program) => self.run(&program, None, request),
            Located::Installed { program, plugin } => {
                self.run(&program, Some(&plugin.version), request)
            }
        }
    }

    /// The answer of the plugin to an earlier request of `pcl` or Pulumi.
    fn kept(&self, plugin: &InstalledPlugin, request: &PackageRequest) -> Option<Arc<Package>> {
        let place = cached(self.search.home.as_ref()?, plugin, request);
        if !is_fresh(&place, plugin) {
            return None;
        }
        // A damaged one is requested again.
        let mut package = Package::open(&place, None).ok()?;
        if request.parameterization.is_none() {
            package.set_default_version(&plugin.version);
        }
        Some(Arc::new(package))
    }

    /// Starts a plugin, asks it, and stops it.
    fn run(
        &self,
        program: &Path,
        version: Option<&Version>,
        request: &PackageRequest,
    ) -> Result<Answer, LoadError> {
        let who = || format!("the plugin {}", program.display());
        let help = || format!("try it by hand: `{} {NO_ENGINE}`", program.display());
        let deadline = Deadline::new(self.time_limit);
        let mut command = Command::new(program);
        command.arg(NO_ENGINE);
        let interrupts = self.interrupts.clone();
        let mut process =
            Process::start(&mut command, Wanted::FirstLine, interrupts).map_err(|error| {
                unanswered(who(), format!("cannot be started: {error}"), None, help())
            })?;
        let answer = process.port(deadline).and_then(|port| {
            let address = format!("127.0.0.1:{port}");
            let unanswered = |end: End| format!("{end} before it answered");
            let answer = on_own_thread(|| {
                let watch = &mut || process.interruption().map(unanswered);
                converse(&address, request, deadline, watch)
            });
            answer.map_err(|error| match error {
                // Whoever ends does not say good-bye.
                CallError::Unreachable(_) | CallError::Refused(..) => match process.end_soon() {
                    Some(end) => unanswered(end),
                    None => error.to_string(),
                },
                CallError::GivenUp(_) => error.to_string(),
            })
        });
        let answer = answer.map_err(|reason| {
            let output = process.output();
            unanswered(who(), reason, output, help())
        })?;
        drop(process);
        answer.package(request, version).map_err(|reason| unanswered(who(), reason, None, help()))
    }

    /// The error for a request without a plugin that may be asked. `refused` is the one that the
    /// project names.
    fn not_found(&self, request: &PackageRequest, refused: Option<PathBuf>) -> LoadError {
        let mut places = Vec::new();
        places.extend(self.search.places.path.as_ref().map(|_| "PATH".to_owned()));
        if let Some(home) = &self.search.home {
            places.push(home.plugins().display().to_string());
        }
        let others = self.search.installed.iter();
        let others = others.filter(|plugin| plugin.name == request.name());
        let mut versions: Vec<_> = others.map(|plugin| plugin.version.clone()).collect();
        versions.sort();
        NotFound { request: request.clone(), places, versions, plugins: Vec::new(), refused }.into()
    }
}

impl Loader for PluginLoader {
    fn find(&self, request: &PackageRequest) -> Result<Arc<Package>, LoadError> {
        self.answers.get(request, || self.answer(request))
    }

    fn names(&self) -> Vec<String> {
        let attached = self.search.places.attached.iter().map(|(name, _)| name);
        let project = self.search.places.project.iter().map(|plugin| &plugin.name);
        let installed = self.search.installed.iter().map(|plugin| &plugin.name);
        let mut names: Vec<String> = attached.chain(project).chain(installed).cloned().collect();
        names.sort();
        names.dedup();
        names
    }
}

/// The answer of a plugin.
struct Answered {
    schema: Vec<u8>,
    /// The version that it says it has.
    version: Option<Version>,
}

impl Answered {
    /// The package that the answer is, and its document.
    fn package(
        self,
        request: &PackageRequest,
        version: Option<&Version>,
    ) -> Result<Answer, String> {
        let version = version.or(self.version.as_ref());
        let version = version.filter(|_| request.parameterization.is_none());
        Answer::read(self.schema, request, version)
    }
}

impl Answer {
    /// Reads an answer to a request. `version` is that of a document that does not say its own.
    /// The error is the end of a sentence about who answered.
    pub(crate) fn read(
        document: Vec<u8>,
        request: &PackageRequest,
        version: Option<&Version>,
    ) -> Result<Self, String> {
        let mut package = Package::from_bytes(document.clone())
            .map_err(|error| format!("answered with a document that is not a schema: {error}"))?;
        if let Some(version) = version {
            package.set_default_version(version);
        }
        if !request.is_met_by(&package) {
            let version = package.version().map(|version| format!(" {version}"));
            return Err(format!(
                "answered with the schema of {}{}, not of {request}",
                plain(package.name()),
                version.unwrap_or_default(),
            ));
        }
        Ok(Self { package: Arc::new(package), document })
    }
}

/// Asks the provider at an address.
fn converse(
    address: &str,
    request: &PackageRequest,
    deadline: Deadline,
    watch: &mut dyn FnMut() -> Option<String>,
) -> Result<Answered, CallError> {
    let mut provider = Connection::open(address, true, deadline, watch)?;
    let handshake =
        HandshakeRequest { engine_address: NO_ENGINE.to_owned(), ..HandshakeRequest::default() };
    // Not every provider knows it, and none needs it for its schema.
    optional(provider.call::<_, Empty>("/pulumirpc.ResourceProvider/Handshake", handshake))?;
    let mut question = ProviderSchemaRequest::default();
    if let Some(parameter) = &request.parameterization {
        let parameter = Parameter::from(parameter);
        let answer: ParameterizeResponse = provider.call(
            "/pulumirpc.ResourceProvider/Parameterize",
            ParameterizeRequest { value: Some(parameter.clone()) },
        )?;
        if (&answer.name, &answer.version) != (&parameter.name, &parameter.version) {
            return Err(CallError::GivenUp(format!(
                "makes {} {} of the parameter for {} {}",
                plain(&answer.name),
                plain(&answer.version),
                parameter.name,
                parameter.version,
            )));
        }
        question.subpackage_name = answer.name;
        question.subpackage_version = answer.version;
    }
    let answer: SchemaResponse =
        provider.call("/pulumirpc.ResourceProvider/GetSchema", question)?;
    let info = provider.call("/pulumirpc.ResourceProvider/GetPluginInfo", Empty {});
    let info: Option<PluginInfo> = optional(info)?;
    Ok(Answered {
        schema: answer.schema,
        version: info.and_then(|info| parse_version(&info.version).ok()),
    })
}

/// The answer to a question that need not be understood.
fn optional<T>(answer: Result<T, CallError>) -> Result<Option<T>, CallError> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(CallError::Refused(code, _)) if code != tonic::Code::Unavailable => Ok(None),
        Err(error) => Err(error),
    }
}

pub(crate) fn unanswered(
    process: String,
    reason: String,
    output: Option<String>,
    help: String,
) -> LoadError {
    LoadError::Unanswered(Arc::new(Unanswered { process, reason, output, help, setting: None }))
}

/// The file that keeps the answer of an installed plugin to a request.
fn cached(home: &PulumiHome, plugin: &InstalledPlugin, request: &PackageRequest) -> PathBuf {
    let mut name = format!("{}-{}", plugin.name, plugin.version);
    if let Some(url) = &request.download_url {
        name.push_str(&short_hash(url.as_bytes()));
    }
    if let Some(parameter) = &request.parameterization {
        // The very text that Pulumi hashes; names need no escaping that Go and we would do
        // differently.
        let json = format!(
            r#"{{"name":{},"version":"{}","value":"{}"}}"#,
            serde_json::Value::from(parameter.name.as_str()),
            parameter.version,
            STANDARD.encode(&parameter.value),
        );
        name.push_str(&short_hash(json.as_bytes()));
    }
    home.schemas().join(format!("{name}.json"))
}

fn short_hash(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    let digits = digest.iter().take(6).map(|byte| format!("{byte:02x}"));
    format!("-{}", digits.collect::<String>())
}

/// Returns whether an answer is younger than the installation of the plugin that gave it.
fn is_fresh(answer: &Path, plugin: &InstalledPlugin) -> bool {
    let changed = |path: &Path, of: fn(&Metadata) -> Option<SystemTime>| {
        path.metadata().ok().as_ref().and_then(of)
    };
    let written = changed(answer, |metadata| metadata.modified().ok());
    let installed = changed(&plugin.directory, install_time);
    written.zip(installed).is_some_and(|(written, installed)| written >= installed)
}

/// The time of the last change of a directory.
fn install_time(metadata: &Metadata) -> Option<SystemTime> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        use std::time::UNIX_EPOCH;
        let seconds = u64::try_from(metadata.ctime()).ok()?;
        let nanoseconds = u32::try_from(metadata.ctime_nsec()).ok()?;
        UNIX_EPOCH.checked_add(Duration::new(seconds, nanoseconds))
    }
    #[cfg(not(unix))]
    metadata.modified().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pcl_schema::Parameterization;
    use semver::Version;

    /// The names with a hash are those that `sha256sum` gives for the texts.
    #[test]
    fn file_names() {
        let home = PulumiHome::new("home");
        let plugin = InstalledPlugin {
            name: "bridge".to_owned(),
            version: Version::new(0, 13, 0),
            directory: PathBuf::new(),
        };
        let named = |request: &PackageRequest| {
            let place = cached(&home, &plugin, request);
            place.strip_prefix("home/schemas").unwrap().display().to_string()
        };
        let mut request = PackageRequest::new("bridge");
        assert_eq!(named(&request), "bridge-0.13.0.json");
        request.download_url = Some("https://example.com".to_owned());
        assert_eq!(named(&request), "bridge-0.13.0-100680ad546c.json");
        request.parameterization = Some(Parameterization {
            name: "tfe".to_owned(),
            version: Version::new(0, 70, 0),
            value: b"{\"x\":1}".to_vec(),
        });
        assert_eq!(named(&request), "bridge-0.13.0-100680ad546c-edfce89abadd.json");
    }
}
