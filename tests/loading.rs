//! The places that packages of a program are loaded from, and that they are loaded together.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use pcl::schema::{LoadError, Loader, MemoryLoader, Package, PackageRequest};
use pcl::{Settings, Target, Workspace};
use pcl_test_support::{Run, Scratch, command, run, scratch, write};

/// Delays all answers until the expected number of requests has arrived.
struct Gate {
    packages: MemoryLoader,
    expected: usize,
    waiting: Mutex<usize>,
    changed: Condvar,
}

impl Loader for Gate {
    fn find(&self, request: &PackageRequest) -> Result<Arc<Package>, LoadError> {
        let mut waiting = self.waiting.lock().expect("no panic");
        *waiting += 1;
        self.changed.notify_all();
        let patience = Duration::from_secs(20);
        let closed = |waiting: &mut usize| *waiting < self.expected;
        let (waiting, timeout) =
            self.changed.wait_timeout_while(waiting, patience, closed).expect("no panic");
        drop(waiting);
        assert!(!timeout.timed_out(), "one is loaded after another");
        self.packages.find(request)
    }
}

#[test]
fn packages_of_a_program_are_loaded_together() {
    let mut packages = MemoryLoader::default();
    for name in ["ark", "boat", "cage"] {
        let document = format!(
            r#"{{"name": "{name}", "version": "1.0.0", "resources": {{"{name}:index:R": {{}}}}, "functions": {{"{name}:index:f": {{"inputs": {{}}}}}}}}"#
        );
        packages.add(document).expect("a package");
    }
    let gate =
        Arc::new(Gate { packages, expected: 4, waiting: Mutex::new(0), changed: Condvar::new() });
    let workspace =
        Workspace::new(Settings { threads: NonZeroUsize::new(4), ..Settings::default() });
    let workspace = workspace.with_loader(Arc::clone(&gate) as Arc<dyn Loader>);
    let program = "resource a \"ark:index:R\" {\n}\nresource b \"boat:index:R\" {\n  options {\n    version = \"1.0.0\"\n  }\n}\nc = invoke(\"cage:index:f\", {})\nresource d \"dock:index:R\" {\n}\n";
    let checked = workspace.check(&Target::text("main.pp", program));
    let codes: Vec<_> = checked.diagnostics.iter().map(|d| d.code.id()).collect();
    assert_eq!(codes.len(), 1, "only `dock` is nowhere: {:?}", checked.diagnostics);
}

/// A Pulumi home with plugins and the schemas that they have answered, as several versions of
/// Pulumi leave them.
struct Home(Scratch);

impl Home {
    fn new() -> Self {
        let home = Self(scratch("loading-home"));
        let bars = |version: &str, name: &str| {
            format!(
                r#"{{"name": "zoo", "version": "{version}", "resources": {{"zoo:index:Cage": {{"inputProperties": {{"{name}": {{"type": "integer"}}}}, "requiredInputs": ["{name}"]}}}}}}"#
            )
        };
        for (version, name) in [("1.0.0", "one"), ("1.2.0", "two"), ("2.0.0-rc.1", "three")] {
            home.plugin("zoo", version);
            home.0.write(&format!("schemas/zoo-{version}.json"), bars(version, name));
        }
        home.0.write("plugins/resource-zoo-v1.2.0.lock", "");
        home.0.write("plugins/resource-zoo-v9.0.0.tmp123/pulumi-resource-zoo", "");
        // A package that a plugin made of a parameter.
        home.plugin("bridge", "0.13.0");
        home.0.write(
            "schemas/bridge-0.13.0-edfce89abadd.json",
            r#"{"name": "tfe", "version": "0.70.0", "resources": {"tfe:index:Team": {}}}"#,
        );
        // As Pulumi kept them until 2026, and until 2022.
        home.plugin("ark", "3.0.0");
        home.0.write(
            "plugins/schema-ark-3.0.0-.json",
            r#"{"name": "ark", "resources": {"ark:index:Deck": {}}}"#,
        );
        home.plugin("boat", "4.0.0");
        home.0.write(
            "plugins/resource-boat-v4.0.0/schema-boat.json",
            r#"{"name": "boat", "resources": {"boat:index:Sail": {}}}"#,
        );
        home
    }

    /// An installed plugin that is not executable, so that starting it fails.
    fn plugin(&self, name: &str, version: &str) {
        let directory = format!("plugins/resource-{name}-v{version}");
        self.0.write(&format!("{directory}/pulumi-resource-{name}"), "");
        self.0.write(&format!("{directory}.lastused"), "");
    }

    fn check(&self, program: &str) -> Run {
        let place: &Path = &self.0.join("program");
        write(&place.join("main.pp"), program);
        let mut command = command();
        command
            .args(["check", "--output-format", "concise", "-q"])
            .arg(place)
            .env("PULUMI_HOME", &*self.0)
            .env("PCL_CACHE_DIR", self.0.join("cache"));
        run(command, &[])
    }
}

/// `pcl check` finds the schemas of a Pulumi installation without a flag, in the versions that
/// Pulumi takes.
#[test]
fn the_plugin_cache_of_pulumi_needs_no_flags() {
    let home = Home::new();
    let cage = |version: &str, input: &str| {
        let options = match version {
            "" => String::new(),
            _ => format!("  options {{\n    version = \"{version}\"\n  }}\n"),
        };
        home.check(&format!("resource c \"zoo:index:Cage\" {{\n  {input} = 1\n{options}}}\n"))
    };
    for (version, input) in [
        // The newest release.
        ("", "two"),
        ("1.0.0", "one"),
        ("1.2.0", "two"),
        ("2.0.0-rc.1", "three"),
    ] {
        let run = cage(version, input);
        assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{version}");
    }
    let run = cage("1.1.0", "one");
    assert!(
        run.stdout.contains("error[PCL0408] there is no schema for package `zoo 1.1.0`"),
        "{}",
        run.stdout
    );
    assert_eq!(run.status, 1);
    // A request without a version gets the newest installed plugin.
    home.plugin("zoo", "1.3.0");
    assert_eq!(cage("", "two").status, 0, "its schema is not there, so the next best is");
    home.0.write("schemas/zoo-1.3.0.json", r#"{"name": "zoo", "resources": {}}"#);
    assert_eq!(cage("", "two").status, 1);

    let run = home.check(
        "package {\n  baseProviderName = \"bridge\"\n  baseProviderVersion = \"0.13.0\"\n  parameterization {\n    name = \"tfe\"\n    version = \"0.70.0\"\n    value = \"eyJ4IjoxfQ==\"\n  }\n}\nresource t \"tfe:index:Team\" {\n}\nresource a \"ark:index:Deck\" {\n}\nresource b \"boat:index:Sail\" {\n}\n",
    );
    assert_eq!((run.status, run.stdout.as_str()), (0, ""));
}
