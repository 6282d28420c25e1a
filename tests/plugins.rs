//! Schemas from a running provider plugin and from a loader service: real ones, made of Pulumi's
//! Python package, and broken ones.
//!
//! The packages that the real ones need are installed once, below the target directory. Where that
//! is impossible, their tests are skipped, or fail when `PCL_REQUIRE_PLUGINS` is 1.
#![cfg(all(unix, feature = "remote"))]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use pcl_test_support::json_schema::JsonSchema;
use pcl_test_support::process::assert_all_gone;
use pcl_test_support::python::environment;
use pcl_test_support::skip;
use pcl_test_support::{Run, Scratch, command, items, root, run, scratch, text, write};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// The Python that has Pulumi's package, installed on the first use; `None` where it cannot be
/// installed.
fn python() -> Option<&'static Path> {
    static PYTHON: OnceLock<Option<PathBuf>> = OnceLock::new();
    let python = PYTHON.get_or_init(|| {
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pulumi-python");
        match environment(&place, "tests/plugins/requirements.txt") {
            Ok(programs) => Some(programs.join("python")),
            Err(complaint) => {
                skip("PCL_REQUIRE_PLUGINS", complaint);
                None
            }
        }
    });
    python.as_deref()
}

/// A Pulumi home of a test.
struct Home(Scratch);

impl Home {
    fn new(name: &str) -> Self {
        Self(scratch(&format!("plugins-{name}")))
    }

    /// Installs a plugin that is a shell script. Each start is noted.
    fn script(&self, name: &str, version: &str, body: &str) {
        let program = format!("plugins/resource-{name}-v{version}/pulumi-resource-{name}");
        let program = self.0.join(program);
        let notes = self.0.join("started");
        write(&program, format!("#!/bin/sh\necho $$ >> '{}'\n{body}\n", notes.display()));
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("permissions");
    }

    /// Installs the real plugin with a schema of the corpus.
    fn provider(&self, python: &Path, name: &str, version: &str) {
        let schema = root().join(format!("corpus/schemas/{name}-{version}.json"));
        let body = format!(
            "SCHEMA='{}' VERSION={version} exec '{}' '{}' \"$@\"",
            schema.display(),
            python.display(),
            root().join("tests/plugins/provider.py").display(),
        );
        self.script(name, version, &body);
    }

    fn pcl(&self, arguments: &[&str]) -> Run {
        let mut command = self.command(arguments);
        command.env("PULUMI_IGNORE_AMBIENT_PLUGINS", "true");
        run(command, &[])
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = command();
        command.args(arguments).env("PULUMI_HOME", &*self.0);
        command.env("PCL_CACHE_DIR", self.0.join("cache"));
        command.env_remove("PULUMI_DEBUG_PROVIDERS");
        command
    }

    fn program(&self, text: &str) -> String {
        let place = self.0.join("program");
        write(&place.join("main.pp"), text);
        place.display().to_string()
    }

    /// The processes that were started.
    fn started(&self) -> Vec<String> {
        let notes = fs::read_to_string(self.0.join("started")).unwrap_or_default();
        notes.lines().map(str::to_owned).collect()
    }

    /// Waits a moment until none of the processes that were started is left.
    fn assert_all_gone(&self) {
        assert_all_gone(&self.started());
    }
}

const CAGE: &str = "resource cage \"zoo:index:Cage\" {\n}\n";

/// `{"name": "zoo", "version": "1.5.0", "resources": {"zoo:index:Cage": {}}}` in Base64.
const PARAMETER: &str = "eyJuYW1lIjogInpvbyIsICJ2ZXJzaW9uIjogIjEuNS4wIiwgInJlc291cmNlcyI6IHsiem9vOmluZGV4OkNhZ2UiOiB7fX19";

#[test]
fn a_real_plugin_is_asked_once() {
    let Some(python) = python() else { return };
    let home = Home::new("real");
    home.provider(python, "harbor", "2.1.0");
    // The directories above the programs of the corpus have the schema.
    let program =
        home.program("resource a \"harbor:network:Network\" {\n  cidr = \"10.0.0.0/8\"\n}\n");
    let check = |flags: &[&str]| home.pcl(&[&["check", &program], flags].concat());

    let run = check(&[]);
    assert_eq!(run.status, 1);
    assert!(run.stdout.contains("= note: plugin harbor 2.1.0 is installed"), "{}", run.stdout);
    assert!(
        run.stdout.contains("= help: get the schema from it with `--run-plugins`"),
        "{}",
        run.stdout
    );
    assert_eq!(home.started().len(), 0);

    let run = check(&["--run-plugins"]);
    assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    assert_eq!(home.started().len(), 1);
    home.assert_all_gone();
    let kept = fs::read(home.0.join("schemas/harbor-2.1.0.json")).expect("the answer is kept");
    let asked = fs::read(root().join("corpus/schemas/harbor-2.1.0.json")).expect("it is there");
    assert!(kept == asked, "what is kept is what was answered");

    // From now on no plugin is needed.
    for flags in [&["--run-plugins"][..], &[]] {
        assert_eq!(check(flags).status, 0);
    }
    assert_eq!(home.started().len(), 1);
}

#[test]
fn a_real_plugin_makes_a_package_of_a_parameter() {
    let Some(python) = python() else { return };
    let home = Home::new("parameter");
    home.provider(python, "harbor", "2.1.0");
    let program = home.program(&format!(
        "package {{\n  baseProviderName = \"harbor\"\n  baseProviderVersion = \"2.1.0\"\n  parameterization {{\n    name = \"zoo\"\n    version = \"1.5.0\"\n    value = \"{PARAMETER}\"\n  }}\n}}\n{CAGE}",
    ));
    let run = home.pcl(&["check", "--run-plugins", &program]);
    assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    home.assert_all_gone();
    let run = home.pcl(&["check", &program]);
    assert_eq!((run.status, run.stdout.as_str()), (0, ""), "the answer is kept");
    assert_eq!(home.started().len(), 1);
}

#[test]
fn real_plugins_give_the_schemas_that_are_kept() {
    let Some(python) = python() else { return };
    let home = Home::new("add");
    home.provider(python, "harbor", "2.1.0");
    let program = home.program(&format!(
        "package {{\n  baseProviderName = \"harbor\"\n  baseProviderVersion = \"2.1.0\"\n  parameterization {{\n    name = \"zoo\"\n    version = \"1.5.0\"\n    value = \"{PARAMETER}\"\n  }}\n}}\n{CAGE}resource net \"harbor:network:Network\" {{\n  cidr = \"10.0.0.0/8\"\n}}\n",
    ));
    let run = Home::new("none").pcl(&["check", &program]);
    let help = "= help: get it with `pcl schema sync`, which asks the plugin";
    assert!(run.stdout.contains(help), "{}", run.stdout);

    let run = home.pcl(&["schema", "sync", "--from", "plugin", &program]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let plugin = "plugins/resource-harbor-v2.1.0/pulumi-resource-harbor";
    let shown = format!("running `{} 127.0.0.1:0`\n", home.0.join(plugin).display());
    assert_eq!(run.stderr.matches(&shown).count(), 2, "{}", run.stderr);
    assert_eq!(home.started().len(), 2);
    home.assert_all_gone();
    let kept = fs::read(home.0.join("program/schemas/harbor-2.1.0.json")).expect("it is kept");
    let asked = fs::read(root().join("corpus/schemas/harbor-2.1.0.json")).expect("it is there");
    assert!(kept == asked, "what is kept is what was answered");
    let lock = || {
        let lock = fs::read_to_string(home.0.join("program/schemas/pcl-schemas.lock"));
        serde_json::from_str(&lock.expect("it is there")).expect("JSON")
    };
    let first: Value = lock();
    let mut schema = JsonSchema::published("schemas-lock");
    schema.accept(&first);
    assert_eq!(schema.absent(), [""; 0]);
    assert_eq!(first["packages"][1]["base"]["parameter"], PARAMETER);
    assert_eq!(home.pcl(&["check", &program]).status, 0);

    // The lock file is enough to get them again.
    fs::remove_file(home.0.join("program/schemas/zoo-1.5.0.json")).expect("it is there");
    fs::remove_file(home.0.join("program/schemas/harbor-2.1.0.json")).expect("it is there");
    let run = home.pcl(&["schema", "sync", "--from", "plugin", &program]);
    assert!(run.stderr.ends_with("0 schemas there, 2 added\n"), "{}", run.stderr);
    assert_eq!(lock(), first);
    assert_eq!(home.pcl(&["schema", "sync", "--locked", &program]).status, 0);

    let directory = home.0.join("named").display().to_string();
    let add = ["schema", "add", "harbor", "--from", "plugin", "--dir", &directory];
    assert_eq!(home.pcl(&add).status, 0);
    assert!(home.0.join("named/harbor-2.1.0.json").exists());
    let run = home.pcl(&["schema", "add", "harbor@3.0.0", "--from", "plugin"]);
    assert!(run.status == 2 && run.stderr.contains("is not installed"), "{}", run.stderr);
    home.assert_all_gone();
}

#[test]
fn real_plugins_are_found_on_the_path_and_asked_at_the_same_time() {
    let Some(python) = python() else { return };
    let home = Home::new("path");
    let mut path = std::ffi::OsString::new();
    for (name, version) in [("harbor", "2.1.0"), ("mathx", "0.3.1"), ("gadget", "5.0.0")] {
        home.provider(python, name, version);
        path.push(home.0.join(format!("plugins/resource-{name}-v{version}")));
        path.push(":");
    }
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let program = home.program(
        "resource net \"harbor:network:Network\" {\n  cidr = \"10.0.0.0/8\"\n}\nx = invoke(\"mathx:index:clamp\", 1, 2, 3)\nresource g \"gadget:index:Gadget\" {\n}\n",
    );
    let mut check =
        home.command(&["check", "--run-plugins", &program, "--output-format", "concise"]);
    check.env("PATH", path).env("PULUMI_HOME", home.0.join("elsewhere"));
    let run = run(check, &[]);
    assert!(!run.stdout.contains("PCL0408"), "{}", run.stdout);
    assert_eq!(home.started().len(), 3);
    assert!(!home.0.join("elsewhere").exists(), "what is on PATH may change, and is not kept");
    home.assert_all_gone();
}

#[test]
fn nothing_is_executed_unless_it_is_asked_for() {
    let home = Home::new("nothing");
    home.script("zoo", "1.0.0", "exit 1");
    home.script("harbor", "2.1.0", "exit 1");
    let path = home.0.join("plugins/resource-zoo-v1.0.0");
    fs::copy(path.join("pulumi-resource-zoo"), path.join("pulumi")).expect("a copy");
    let program = home.program(CAGE);
    let add = ["schema", "add", "zoo", "--dir", &program];
    let mut command = home.command(&add);
    command.env("PATH", &path);
    assert_eq!(run(command, &[]).status, 2);
    assert_eq!(home.started().len(), 1, "this one asks for it");
    for arguments in [
        &["check", &program][..],
        &["check", "--missing-schema", "warn", &program],
        &["check", "--fix", "--unsafe-fixes", "-r", &program],
        &["fmt", &program],
        &["config", "show"],
        &["man"],
        &["dump", "bound", &program],
        &["dump", "ast", &program],
        &["schema", "ls"],
        &["schema", "ls", "zoo"],
        &["schema", "show", "zoo:index:Cage"],
        &["schema", "search", "cage"],
        &["schema", "check", "corpus/schemas/harbor-2.1.0.json"],
        &["schema", "sync", "--locked", &program],
        &["explain", "PCL0408"],
        &["version"],
    ] {
        let mut command = home.command(arguments);
        command.env("PATH", &path);
        run(command, &[]);
        assert_eq!(home.started().len(), 1, "{arguments:?}");
    }
}

/// A misbehaving plugin is reported where its package is used, with a code; no process is ever left
/// running.
#[test]
fn broken_plugins_are_reported() {
    let home = Home::new("broken");
    let program = home.program(CAGE);
    let mut told = String::new();
    for (what, body) in [
        ("ends at once", "echo 'a licence is missing' >&2; exit 3"),
        ("prints no port", "echo ready; sleep 100"),
        ("closes its output", "exec >&-; sleep 100"),
        (
            "leaves a child",
            "sleep 100 & echo $! >> \"$(dirname \"$0\")/../../started\"; kill -9 $$",
        ),
    ] {
        home.script("zoo", "1.0.0", body);
        let run = home.pcl(&["check", "--run-plugins", "--output-format", "json", &program]);
        assert_eq!(run.status, 1, "{}", run.stderr);
        let json = run.json();
        let programs: Vec<_> = items(&json, "programs").collect();
        let diagnostics: Vec<_> = items(programs[0], "diagnostics").collect();
        let [diagnostic] = diagnostics[..] else { panic!("{json:#}") };
        assert_eq!(text(diagnostic, "code"), "PCL0408");
        assert_eq!(diagnostic["range"]["start"]["line"], 1);
        let notes: Vec<_> = items(diagnostic, "notes").filter_map(|note| note.as_str()).collect();
        let (message, help) = (text(diagnostic, "message"), text(diagnostic, "help"));
        told += &format!("{what}: {message}\n  {}\n  {help}\n", notes.join("\n  "));
        home.assert_all_gone();
    }
    insta::assert_snapshot!(told.replace(&home.0.display().to_string(), "HOME"));
}

/// Ctrl-C and its kin end the plugin too, although they do not reach it by themselves.
#[test]
fn a_signal_ends_plugins_too() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let home = Home::new(&format!("signal-{}", signal.as_raw()));
        home.script("zoo", "1.0.0", "trap '' INT; sleep 100");
        let program = home.program(CAGE);
        let mut child = home
            .command(&["check", "--run-plugins", &program])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command starts");
        let start = Instant::now();
        while home.started().is_empty() {
            assert!(start.elapsed() < Duration::from_secs(20), "the plugin does not start");
            std::thread::sleep(Duration::from_millis(10));
        }
        kill_process(Pid::from_child(&child), signal).expect("a signal can be sent");
        let status = child.wait().expect("it ends");
        assert_eq!(status.code(), None, "ended by the signal");
        assert!(start.elapsed() < Duration::from_secs(20));
        home.assert_all_gone();
    }
}

#[test]
fn plugins_of_the_project_and_plugins_that_run_already() {
    let Some(python) = python() else { return };
    let home = Home::new("project");
    home.provider(python, "harbor", "2.1.0");
    fs::rename(home.0.join("plugins"), home.0.join("own")).expect("it can be moved");
    let program =
        home.program("resource net \"harbor:network:Network\" {\n  cidr = \"10.0.0.0/8\"\n}\n");
    write(
        &home.0.join("program/Pulumi.yaml"),
        "name: p\nruntime: yaml\nplugins:\n  providers:\n    - name: harbor\n      path: ../own/resource-harbor-v2.1.0\n",
    );
    let refused = home.pcl(&["check", "--run-plugins", &program]);
    assert_eq!(refused.status, 1);
    assert!(refused.stdout.contains("with `--project-plugins`"), "{}", refused.stdout);
    assert_eq!(home.started().len(), 0);
    let run_it = home.pcl(&["check", "--project-plugins", &program]);
    assert_eq!((run_it.status, run_it.stdout.as_str()), (0, ""), "{}", run_it.stderr);
    assert_eq!(home.started().len(), 1);

    let script = home.0.join("own/resource-harbor-v2.1.0/pulumi-resource-harbor");
    let plugin = Service::start(Command::new(script).arg("127.0.0.1:0"));
    fs::remove_file(home.0.join("program/Pulumi.yaml")).expect("it can be removed");
    let mut check = home.command(&["check", "--run-plugins", &program]);
    check.env("PULUMI_DEBUG_PROVIDERS", format!("harbor:{}", plugin.port));
    let attached = run(check, &[]);
    assert_eq!((attached.status, attached.stdout.as_str()), (0, ""), "{}", attached.stderr);
    assert_eq!(home.started().len(), 2, "it was started by the test alone");

    let mut wrong = home.command(&["check", "--run-plugins", &program]);
    wrong.env("PULUMI_DEBUG_PROVIDERS", "harbor:port");
    assert_eq!(run(wrong, &[]).status, 2);
}

#[test]
fn a_loader_service_is_asked_before_the_default_places() {
    let Some(python) = python() else { return };
    let home = Home::new("service");
    let schemas = home.0.join("served");
    for (name, version) in [("zoo", "2.0.0"), ("harbor", "2.1.0")] {
        write(
            &schemas.join(format!("{name}.json")),
            format!(
                r#"{{"name": "{name}", "version": "{version}", "resources": {{"{name}:index:Cage": {{}}}}}}"#
            ),
        );
    }
    let service = Service::start(
        Command::new(python).arg(root().join("tests/plugins/loader.py")).arg(&schemas),
    );
    let address = format!("127.0.0.1:{}", service.port);
    // The cache of the installation has other versions.
    write(&home.0.join("schemas/zoo-1.0.0.json"), r#"{"name": "zoo"}"#);
    write(&home.0.join("schemas/ark-1.0.0.json"), r#"{"name": "ark"}"#);
    let ls = |package: &str, flags: &[&str]| {
        let run = home.pcl(
            &[
                &["schema", "ls", package, "--loader-address", &address, "--output-format", "json"],
                flags,
            ]
            .concat(),
        );
        match run.status {
            0 => format!("{} {}", text(&run.json(), "package"), text(&run.json(), "version")),
            _ => {
                run.stderr.replace(&address, "HOST").replace(&home.0.display().to_string(), "HOME")
            }
        }
    };
    assert_eq!(ls("zoo", &[]), "zoo 2.0.0");
    assert_eq!(ls("ark", &[]), "ark 1.0.0", "what it does not have is elsewhere");
    assert_eq!(ls("harbor", &["--schema-dir", "corpus/schemas"]), "harbor 2.1.0");
    assert_eq!(
        ls("zoo@3.0.0", &[]),
        "error: the document is the schema of zoo 2.0.0, not of zoo 3.0.0\n"
    );
    let nowhere = ls("boat", &[]);
    assert!(
        nowhere.contains("the loader service HOST (there is no plugin for boat), `schemas` in "),
        "{nowhere}"
    );
    let program = home.program(CAGE);
    let run = home.pcl(&["check", "--loader-address", &address, &program]);
    assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    drop(service);
    let run =
        home.pcl(&["check", "--loader-address", &address, &program, "--output-format", "concise"]);
    assert_eq!(run.status, 1);
    assert!(
        run.stdout.contains("error[PCL0408] the schema of package `zoo` could not be loaded"),
        "{}",
        run.stdout
    );
    for wrong in ["", "nonsense", "host:port", "http://a:1", ":1"] {
        assert_eq!(home.pcl(&["check", "--loader-address", wrong, &program]).status, 2, "{wrong}");
    }
}

/// A process that prints its port and runs until it is dropped.
struct Service {
    port: u16,
    process: Child,
}

impl Service {
    fn start(command: &mut Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().expect("it starts");
        let mut line = String::new();
        let mut stdout = BufReader::new(process.stdout.take().expect("a pipe"));
        stdout.read_line(&mut line).expect("it prints its port");
        let port = line.trim().parse().expect("a port");
        Self { port, process }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
