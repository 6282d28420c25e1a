//! The options that `check` and `dump bound` share: schemas, strictness, verdict.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::builder::ArgPredicate;
use clap::{Args, ValueEnum};

use super::config::{self, ConfigArgs};
use super::levels::LevelArgs;
#[cfg(feature = "remote")]
use super::output::complain;
use super::status::{Failure, Status};
use pcl::binder::edition::OldestPulumi;
use pcl::binder::{MAX_FILE_BYTES, Options};
use pcl::config::{Configuration, Discovery};
use pcl::diagnostics::{Compat, Leniency, MissingSchema, Severity};
#[cfg(feature = "remote")]
use pcl::remote::{Interrupts, PluginLoader, PluginPlaces, ServiceLoader};
use pcl::render::Report;
use pcl::schema::parse_version;
use pcl::{SchemaFile, SchemaPlaces, Settings, Target};

#[derive(Args)]
#[command(next_help_heading = "Schemas")]
pub(crate) struct PlaceArgs {
    /// Search this directory for NAME-VERSION.json or NAME.json (or .json.gz, .yaml, .yml) first;
    /// repeatable
    #[arg(long, value_name = "DIR")]
    schema_dir: Vec<PathBuf>,
    /// Use this file as the schema of a package; repeatable
    #[arg(long, value_name = "PKG[@VER]=FILE", value_parser = schema_file)]
    schema: Vec<SchemaFile>,
    #[cfg(feature = "remote")]
    #[command(flatten)]
    remote: RemoteArgs,
    #[command(flatten)]
    config: ConfigArgs,
}

/// The services that schemas are requested from.
#[cfg(feature = "remote")]
#[derive(Args)]
struct RemoteArgs {
    /// Ask the loader service of a running Pulumi before the default places
    #[arg(long, value_name = "HOST:PORT", value_parser = loader_address)]
    loader_address: Option<String>,
    /// Start installed provider plugins, to get schemas that are found nowhere else
    #[arg(long)]
    run_plugins: bool,
    /// Start the plugins that `plugins.providers` of Pulumi.yaml names, which are programs of the
    /// project: only for projects that you trust
    #[arg(long)]
    project_plugins: bool,
}

#[derive(Args)]
#[command(next_help_heading = "Schemas")]
pub(crate) struct SchemaArgs {
    #[command(flatten)]
    places: PlaceArgs,
    /// The level of a missing schema [default: error]; with `warn` and `ignore` the members of its
    /// package are dynamic
    #[arg(long, value_name = "LEVEL")]
    missing_schema: Option<Missing>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Missing {
    Error,
    Warn,
    Ignore,
}

#[derive(Args, Default)]
#[command(next_help_heading = "Strictness")]
pub(crate) struct StrictnessArgs {
    /// Report only what this binder reports: checks that go beyond it are off
    #[arg(long, value_name = "BINDER")]
    compat: Option<CompatArg>,
    /// Allow these, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    allow: Vec<Allow>,
    /// Allow everything that --allow names
    #[arg(long)]
    lenient: bool,
    /// Bind `invoke` in its output form wherever there is one
    #[arg(long)]
    prefer_output_invokes: bool,
    /// The oldest Pulumi that the programs have to work with, such as 3.220.0
    #[arg(long, value_name = "VERSION", value_parser = oldest_pulumi)]
    pulumi_version: Option<OldestPulumi>,
}

/// The flags that decide how programs are bound.
#[derive(Args)]
pub(crate) struct SettingsArgs {
    #[command(flatten)]
    pub(crate) schemas: SchemaArgs,
    #[command(flatten)]
    pub(crate) strictness: StrictnessArgs,
    #[command(flatten)]
    pub(crate) levels: LevelArgs,
}

/// The flags that name one program.
#[derive(Args)]
pub(crate) struct ProgramArgs {
    /// A program directory or a single .pp file; `-` reads standard input
    #[arg(
        value_name = "PATH",
        default_value = ".",
        default_value_if("stdin_filename", ArgPredicate::IsPresent, "-")
    )]
    path: PathBuf,
    /// Name of the file on standard input, for diagnostics
    #[arg(long, value_name = "NAME")]
    stdin_filename: Option<String>,
}

impl ProgramArgs {
    /// The path as it was given.
    #[cfg(feature = "convert")]
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn target(&self) -> Result<Target, Failure> {
        target(&self.path, self.stdin_filename.as_deref())
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum CompatArg {
    Pulumi,
}

#[derive(Clone, Copy, ValueEnum)]
enum Allow {
    MissingVariables,
    MissingProperties,
    ResourceTypes,
    InvokeTypes,
    RangeTypes,
}

impl PlaceArgs {
    /// The places of schemas for commands that are not about one program: those of the flags and of
    /// the configuration of the current directory.
    pub(crate) fn places(&self) -> Result<SchemaPlaces, Failure> {
        self.places_in(Path::new("."))
    }

    /// The search for configurations.
    #[cfg(feature = "remote")]
    pub(crate) fn discovery(&self) -> Result<Discovery, Failure> {
        self.config.discovery()
    }

    /// The places of schemas with the configuration of a directory.
    pub(crate) fn places_in(&self, directory: &Path) -> Result<SchemaPlaces, Failure> {
        let discovery = self.config.discovery()?;
        let configuration = discovery.of(directory);
        config::refuse_errors(&discovery)?;
        let mut places = self.flags(discovery.base())?;
        join_places(&mut places, configuration.settings().schemas);
        Ok(places)
    }

    /// The places of schemas without those of configuration files: the named ones, which must
    /// exist, then the default ones.
    #[cfg_attr(not(feature = "remote"), expect(unused_variables))]
    fn flags(&self, base: &Configuration) -> Result<SchemaPlaces, Failure> {
        for directory in &self.schema_dir {
            directory
                .read_dir()
                .map_err(|error| Failure::io("read the schema directory", directory, error))?;
        }
        for file in &self.schema {
            pcl_system::open(&file.path)
                .map_err(|error| Failure::io("read the schema", &file.path, error))?;
        }
        Ok(SchemaPlaces {
            files: self.schema.clone(),
            directories: self.schema_dir.clone(),
            #[cfg(feature = "remote")]
            service: self.remote.service(base),
            #[cfg(feature = "remote")]
            plugins: self.remote.plugins(base)?,
            ..usual_places()
        })
    }
}

/// The places of schemas without any flags and settings.
pub(crate) fn usual_places() -> SchemaPlaces {
    SchemaPlaces {
        beside_programs: true,
        pulumi_home: pulumi_home(),
        index_cache: cache_directory().map(|cache| cache.join("schemas")),
        ..SchemaPlaces::default()
    }
}

/// Adds the places of a configuration, which are weaker than those of flags.
fn join_places(places: &mut SchemaPlaces, configured: SchemaPlaces) {
    let named = |file: &SchemaFile| places.files.iter().any(|own| own.package == file.package);
    let files: Vec<SchemaFile> = configured.files.into_iter().filter(|it| !named(it)).collect();
    places.files.extend(files);
    places.directories.extend(configured.directories);
}

/// The settings of the programs of a run: those of their configurations, and over them those of the
/// flags.
pub(crate) struct Inputs<'a> {
    pub(crate) discovery: Discovery,
    places: SchemaPlaces,
    schemas: &'a SchemaArgs,
    strictness: &'a StrictnessArgs,
}

impl<'a> Inputs<'a> {
    pub(crate) fn new(
        schemas: &'a SchemaArgs,
        strictness: &'a StrictnessArgs,
        levels: Option<&LevelArgs>,
    ) -> Result<Self, Failure> {
        let discovery = schemas.places.config.discovery_with(|configuration| {
            levels.map_or(Ok(()), |levels| levels.add_to(configuration))
        })?;
        Ok(Self { places: schemas.places.flags(discovery.base())?, discovery, schemas, strictness })
    }

    /// The settings of one program, and the configuration that they come from.
    pub(crate) fn of(&self, target: &Target) -> Result<(Settings, Arc<Configuration>), Failure> {
        let configuration = self.discovery.of(&directory(target));
        config::refuse_errors(&self.discovery)?;
        Ok((self.settings(&configuration), configuration))
    }

    /// The settings that a configuration and the flags make up.
    pub(crate) fn settings(&self, configuration: &Configuration) -> Settings {
        let mut settings = configuration.settings();
        let configured = std::mem::replace(&mut settings.schemas, self.places.clone());
        join_places(&mut settings.schemas, configured);
        let options = &mut settings.options;
        self.strictness.apply(options);
        if let Some(missing) = self.schemas.missing_schema {
            options.policy.missing_schema = missing.into();
        }
        settings
    }
}

impl SettingsArgs {
    /// The settings of the programs of a run.
    pub(crate) fn inputs(&self) -> Result<Inputs<'_>, Failure> {
        Inputs::new(&self.schemas, &self.strictness, Some(&self.levels))
    }

    /// The settings of one program, and its configuration.
    pub(crate) fn of(&self, target: &Target) -> Result<(Settings, Arc<Configuration>), Failure> {
        self.inputs()?.of(target)
    }

    /// Returns true if warnings make the exit status 1.
    pub(crate) fn warnings_fail(&self, configuration: &Configuration) -> bool {
        self.levels.error_on_warning || configuration.error_on_warning()
    }

    /// The exit status of a command that checked a program and printed something else than its
    /// diagnostics.
    pub(crate) fn status(&self, report: &Report, configuration: &Configuration) -> Status {
        let least =
            if self.warnings_fail(configuration) { Severity::Warning } else { Severity::Error };
        let is_found = report.diagnostics.iter().any(|it| it.severity >= least);
        Status::of(report.readable, is_found)
    }
}

/// The directory whose configuration counts for a program.
pub(crate) fn directory(target: &Target) -> PathBuf {
    match target {
        Target::Path(path) if path.is_file() => pcl_system::directory_of(path).to_path_buf(),
        Target::Path(path) => path.clone(),
        Target::Memory { directory, .. } => directory.clone().unwrap_or_default(),
    }
}

impl SchemaArgs {
    pub(crate) fn places(&self) -> Result<SchemaPlaces, Failure> {
        self.places.places()
    }

    pub(crate) fn missing(&self) -> MissingSchema {
        self.missing_schema.map_or_else(MissingSchema::default, MissingSchema::from)
    }
}

impl From<Missing> for MissingSchema {
    fn from(missing: Missing) -> Self {
        match missing {
            Missing::Error => Self::Error,
            Missing::Warn => Self::Warn,
            Missing::Ignore => Self::Ignore,
        }
    }
}

#[cfg(feature = "remote")]
impl RemoteArgs {
    fn service(&self, base: &Configuration) -> Option<Arc<ServiceLoader>> {
        let configured = || base.loader_address();
        let address = self.loader_address.as_deref().or_else(configured)?;
        Some(Arc::new(ServiceLoader::new(address)))
    }

    /// The plugins that may be started. A permission to start what is installed comes from a flag
    /// or the environment; that to start what a project names is given for a command line.
    fn plugins(&self, base: &Configuration) -> Result<Option<Arc<PluginLoader>>, Failure> {
        let installed = self.run_plugins || base.run_plugins();
        if !installed && !self.project_plugins {
            return Ok(None);
        }
        let mut places = if installed { plugin_places()? } else { PluginPlaces::default() };
        places.starts_project = self.project_plugins;
        let interrupts = Interrupts::install()
            .map_err(|error| Failure::usage(format!("cannot watch for signals: {error}")))?;
        let loader = PluginLoader::new(places);
        Ok(Some(Arc::new(loader.with_interrupts(Arc::new(interrupts)))))
    }
}

/// The places where Pulumi would find plugins with this environment.
#[cfg(feature = "remote")]
pub(crate) fn plugin_places() -> Result<PluginPlaces, Failure> {
    let home = pulumi_home();
    let relative = home.as_ref().filter(|home| !home.is_absolute());
    if let Some(home) = relative.filter(|home| home.join("plugins").is_dir()) {
        let shown = home.display();
        complain(&format!(
            "warning: no plugins are started from the relative PULUMI_HOME `{shown}`"
        ));
    }
    Ok(PluginPlaces {
        attached: attached_plugins()?,
        path: std::env::var_os("PATH").filter(|_| !is_set("PULUMI_IGNORE_AMBIENT_PLUGINS")),
        // A relative one would be a directory of whatever repository the command runs in.
        pulumi_home: home.filter(|home| home.is_absolute()),
        ..PluginPlaces::default()
    })
}

/// The plugins that run already, as `PULUMI_DEBUG_PROVIDERS` lists them: `NAME:PORT`, separated by
/// commas.
#[cfg(feature = "remote")]
fn attached_plugins() -> Result<Vec<(String, u16)>, Failure> {
    let list = std::env::var("PULUMI_DEBUG_PROVIDERS").unwrap_or_default();
    let items = list.split(',').map(str::trim).filter(|item| !item.is_empty());
    let plugin = |item: &str| {
        let (name, port) = item.split_once(':')?;
        Some((name.to_owned(), port.parse().ok()?))
    };
    items
        .map(|item| {
            plugin(item).ok_or_else(|| {
                Failure::usage(format!(
                    "PULUMI_DEBUG_PROVIDERS must list NAME:PORT, found `{item}`"
                ))
            })
        })
        .collect()
}

/// Returns true if an environment variable is switched on.
#[cfg(feature = "remote")]
fn is_set(name: &str) -> bool {
    std::env::var(name).is_ok_and(|value| value == "1" || value.eq_ignore_ascii_case("true"))
}

#[cfg(feature = "remote")]
fn loader_address(text: &str) -> Result<String, String> {
    let is_address = text.rsplit_once(':').is_some_and(|(host, port)| {
        !host.is_empty()
            && !host.contains(|c: char| c.is_whitespace() || "/@".contains(c))
            && port.parse::<u16>().is_ok()
    });
    if is_address { Ok(text.to_owned()) } else { Err("expected HOST:PORT".to_owned()) }
}

impl StrictnessArgs {
    /// Sets what the flags name.
    fn apply(&self, options: &mut Options) {
        let leniency = &mut options.policy.leniency;
        if self.lenient {
            *leniency = Leniency::ALL;
        }
        for allowed in &self.allow {
            allowed.apply(leniency);
        }
        options.prefer_output_versioned_invokes |= self.prefer_output_invokes;
        if self.pulumi_version.is_some() {
            options.oldest.clone_from(&self.pulumi_version);
        }
        if let Some(CompatArg::Pulumi) = self.compat {
            options.policy.compat = Compat::Pulumi;
        }
    }
}

impl Allow {
    fn apply(self, leniency: &mut Leniency) {
        *match self {
            Self::MissingVariables => &mut leniency.missing_variables,
            Self::MissingProperties => &mut leniency.missing_properties,
            Self::ResourceTypes => &mut leniency.resource_types,
            Self::InvokeTypes => &mut leniency.invoke_types,
            Self::RangeTypes => &mut leniency.range_types,
        } = true;
    }
}

/// Allows what a value of `--allow` names.
pub(crate) fn allow(options: &mut Options, name: &str) -> Result<(), String> {
    let allowed = Allow::from_str(name, false).map_err(|_| {
        let all = Allow::value_variants().iter().filter_map(Allow::to_possible_value);
        let all: Vec<String> = all.map(|it| format!("`{}`", it.get_name())).collect();
        format!("`{name}` cannot be allowed; expected one of {}", all.join(", "))
    })?;
    allowed.apply(&mut options.policy.leniency);
    Ok(())
}

fn oldest_pulumi(text: &str) -> Result<OldestPulumi, &'static str> {
    OldestPulumi::parse(text, "`--pulumi-version`")
}

fn schema_file(text: &str) -> Result<SchemaFile, String> {
    let (package, path) = text.split_once('=').ok_or("expected PKG=FILE or PKG@VERSION=FILE")?;
    let (package, version) = match package.split_once('@') {
        Some((package, version)) => {
            let parsed = parse_version(version)
                .map_err(|_| format!("`{version}` is not a version such as 1.2.3"))?;
            (package, Some(parsed))
        }
        None => (package, None),
    };
    if package.is_empty() || path.is_empty() {
        return Err("the package or the file is missing".to_owned());
    }
    Ok(SchemaFile { package: package.to_owned(), version, path: path.into() })
}

/// The home directory of a Pulumi installation.
fn pulumi_home() -> Option<PathBuf> {
    variable("PULUMI_HOME").or_else(|| Some(home()?.join(".pulumi")))
}

/// The cache directory of `pcl`.
fn cache_directory() -> Option<PathBuf> {
    let shared = || {
        let local = if cfg!(windows) { variable("LOCALAPPDATA") } else { None };
        variable("XDG_CACHE_HOME")
            // A relative one is to be ignored.
            .filter(|directory| directory.is_absolute())
            .or(local)
            .or_else(|| Some(home()?.join(".cache")))
    };
    variable("PCL_CACHE_DIR").or_else(|| Some(shared()?.join("pcl")))
}

fn home() -> Option<PathBuf> {
    variable("HOME").or_else(|| variable("USERPROFILE"))
}

/// An environment variable that is set to something.
fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// Reads at most `limit` bytes of standard input.
pub(crate) fn standard_input(limit: u64) -> Result<Vec<u8>, Failure> {
    pcl_system::read_stream(std::io::stdin().lock(), limit)
        .map_err(|error| Failure::io("read", "standard input", error))
}

/// Returns true if a PATH stands for standard input. A name for standard input beside another PATH
/// is an error: whoever gives one does not expect that files are read, and maybe written.
pub(crate) fn is_input(path: &Path, stdin_name: Option<&str>) -> Result<bool, Failure> {
    match (path == Path::new("-"), stdin_name) {
        (false, Some(_)) => Err(Failure::usage(format!(
            "`--stdin-filename` is for standard input, the PATH `-`, and not for `{}`",
            path.display()
        ))),
        (is_input, _) => Ok(is_input),
    }
}

/// The program that a PATH names; `-` reads standard input, which then is called `stdin_name`.
pub(crate) fn target(path: &Path, stdin_name: Option<&str>) -> Result<Target, Failure> {
    if !is_input(path, stdin_name)? {
        return Ok(Target::Path(path.to_path_buf()));
    }
    let bytes = standard_input(MAX_FILE_BYTES)?;
    let name = stdin_name.unwrap_or("<stdin>");
    let directory = pcl_system::directory_of(Path::new(name));
    Ok(Target::Memory {
        path: name.to_owned(),
        directory: Some(directory.to_path_buf()),
        files: vec![(name.to_owned(), bytes)],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schema_files() {
        let file = schema_file("aws@7.1.0=a=b.json").expect("well formed");
        assert_eq!((file.package.as_str(), file.path), ("aws", PathBuf::from("a=b.json")));
        assert_eq!(file.version.expect("a version").to_string(), "7.1.0");
        assert_eq!(schema_file("aws=x.json").expect("well formed").version, None);
        for wrong in ["aws", "=x.json", "aws=", "aws@one=x.json", "@1.0.0=x"] {
            assert!(schema_file(wrong).is_err(), "{wrong}");
        }
    }
}
