//! A proxy between Pulumi and a host, which is that of PCL under the name of another.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use pcl_remote::{Client, Empty, PluginInfo};
use rustix::process::{Pid, Signal, kill_process};
use tonic::{Code, Status};

const PROGRAM: &str = env!("CARGO_BIN_EXE_pulumi-language-pcl");

#[derive(Clone, PartialEq, prost::Message)]
struct GenerateProject {
    #[prost(string, tag = "1")]
    source_directory: String,
    #[prost(string, tag = "2")]
    target_directory: String,
    #[prost(string, tag = "3")]
    project: String,
}

#[derive(Clone, PartialEq, prost::Message)]
struct GenerateProgram {
    #[prost(btree_map = "string, string", tag = "1")]
    source: BTreeMap<String, String>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct Generated {
    #[prost(btree_map = "string, bytes", tag = "2")]
    source: BTreeMap<String, Vec<u8>>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct Handshake {
    #[prost(string, tag = "1")]
    engine_address: String,
}

/// The proxy for YAML, with a directory as its PATH.
struct Proxy {
    child: Child,
    client: Client,
    _output: BufReader<std::process::ChildStdout>,
}

impl Proxy {
    /// Starts it. To be called in a runtime.
    fn start(place: &Path) -> Self {
        let program = place.join("pulumi-language-pcl-yaml");
        symlink(PROGRAM, &program).unwrap();
        let mut child =
            Command::new(program).env("PATH", place).stdout(Stdio::piped()).spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut port = String::new();
        output.read_line(&mut port).unwrap();
        let client = Client::new(&format!("127.0.0.1:{}", port.trim())).unwrap();
        Self { child, client, _output: output }
    }

    async fn version(&self) -> Result<PluginInfo, Status> {
        self.client.call("/pulumirpc.LanguageRuntime/GetPluginInfo", Empty {}).await
    }
}

impl Drop for Proxy {
    /// Ends it as Pulumi does, with the host that it has started.
    fn drop(&mut self) {
        if let Ok(None) = self.child.try_wait() {
            kill_process(Pid::from_child(&self.child), Signal::TERM).unwrap();
            _ = self.child.wait();
        }
    }
}

/// The host of PCL as that of YAML, which notes its process.
fn install_host(place: &Path) {
    let host = place.join("pulumi-language-yaml");
    let noted = place.join("process");
    let script = format!("#!/bin/sh\necho $$ > '{}'\nexec '{PROGRAM}' \"$@\"\n", noted.display());
    fs::write(&host, script).unwrap();
    fs::set_permissions(&host, fs::Permissions::from_mode(0o755)).unwrap();
}

/// The process of the host that was started.
fn host(place: &Path) -> Pid {
    let noted = fs::read_to_string(place.join("process")).unwrap();
    Pid::from_raw(noted.trim().parse().unwrap()).unwrap()
}

#[tokio::test]
async fn programs_are_generated_without_a_host() {
    let place = tempfile::tempdir().unwrap();
    let (source, target) = (place.path().join("source"), place.path().join("target"));
    fs::create_dir(&source).unwrap();
    fs::write(source.join("main.pp"), "output one {\n  value = 1\n}\n").unwrap();
    let proxy = Proxy::start(place.path());
    let request = GenerateProject {
        source_directory: source.display().to_string(),
        target_directory: target.display().to_string(),
        project: String::from("{\"name\": \"shop\", \"runtime\": \"pcl-yaml\"}"),
    };
    let method = "/pulumirpc.LanguageRuntime/GenerateProject";
    let _: Empty = proxy.client.call(method, request.clone()).await.unwrap();
    let text = fs::read_to_string(target.join("Pulumi.yaml")).unwrap();
    assert_eq!(text, "name: shop\nruntime: yaml\noutputs:\n  one: 1\n");

    let outside =
        GenerateProject { project: String::from("{\"main\": \"../x\"}"), ..request.clone() };
    let error = proxy.client.call::<_, Empty>(method, outside).await.unwrap_err();
    let said = "`main` of the project is `../x`, expected a directory in the project";
    assert_eq!(error.message(), said);
    let list = GenerateProject { project: String::from("[1]"), ..request.clone() };
    let error = proxy.client.call::<_, Empty>(method, list).await.unwrap_err();
    assert!(error.message().starts_with("the project is no object in JSON"), "{error}");

    // Without a name, that of the source; the program is where its project says.
    fs::create_dir(source.join("app")).unwrap();
    fs::rename(source.join("main.pp"), source.join("app/main.pp")).unwrap();
    fs::write(source.join("Pulumi.yaml"), "name: shop\nruntime: pcl\nmain: app\n").unwrap();
    let unnamed = GenerateProject { project: String::from("{\"name\": null}"), ..request };
    let _: Empty = proxy.client.call(method, unnamed).await.unwrap();
    let text = fs::read_to_string(target.join("Pulumi.yaml")).unwrap();
    assert!(text.ends_with("runtime: yaml\noutputs:\n  one: 1\n"), "{text}");
    assert!(text.starts_with("name: shop\n"), "{text}");

    let files = [("main.pp".into(), "output one {\n  value = 1\n}\n".into())];
    let program = GenerateProgram { source: files.into() };
    let method = "/pulumirpc.LanguageRuntime/GenerateProgram";
    let generated: Generated = proxy.client.call(method, program).await.unwrap();
    let text = generated.source.get("Main.yaml").map(|text| String::from_utf8_lossy(text));
    assert_eq!(text.as_deref(), Some("outputs:\n  one: 1\n"));
}

#[tokio::test]
async fn a_missing_host_is_named() {
    let place = tempfile::tempdir().unwrap();
    let proxy = Proxy::start(place.path());
    let error = proxy.version().await.unwrap_err();
    assert_eq!(error.code(), Code::FailedPrecondition);
    assert!(error.message().contains("`pulumi-language-yaml` is neither"), "{error}");
    // It may be installed in the meantime.
    install_host(place.path());
    assert_eq!(proxy.version().await.unwrap().version, env!("CARGO_PKG_VERSION"));
}

#[tokio::test]
async fn a_program_that_is_no_host_is_an_error() {
    let place = tempfile::tempdir().unwrap();
    install_host(place.path());
    fs::write(place.path().join("pulumi-language-yaml"), "#!/bin/sh\necho hello\n").unwrap();
    let proxy = Proxy::start(place.path());
    let error = proxy.version().await.unwrap_err();
    assert!(error.message().ends_with("printed \"hello\", expected a port"), "{error}");
    fs::write(place.path().join("pulumi-language-yaml"), "#!/bin/sh\nexit 3\n").unwrap();
    let error = proxy.version().await.unwrap_err();
    let said = "ended before it printed a port: exit status: 3";
    assert!(error.message().ends_with(said), "{error}");
}

/// A script may start a proxy again, which must not start the script again.
#[tokio::test]
async fn proxies_do_not_start_each_other() {
    let place = tempfile::tempdir().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let other = elsewhere.path().join("pulumi-language-yaml");
    fs::copy(PROGRAM, &other).unwrap();
    install_host(place.path());
    let script = format!("#!/bin/sh\nexec '{}' \"$@\"\n", other.display());
    fs::write(place.path().join("pulumi-language-yaml"), script).unwrap();
    let proxy = Proxy::start(place.path());
    let error = proxy.version().await.unwrap_err();
    assert!(error.message().contains("`pulumi-language-yaml` is neither"), "{error}");
}

#[tokio::test]
async fn a_proxy_ends_with_the_engine_of_its_handshake() {
    let place = tempfile::tempdir().unwrap();
    install_host(place.path());
    let mut proxy = Proxy::start(place.path());
    // Nobody listens at port 1.
    let request = Handshake { engine_address: String::from("127.0.0.1:1") };
    let method = "/pulumirpc.LanguageRuntime/Handshake";
    let _: Empty = proxy.client.call(method, request).await.unwrap();
    assert!(proxy.child.wait().unwrap().success());
}

#[tokio::test]
async fn a_host_that_has_ended_is_named() {
    let place = tempfile::tempdir().unwrap();
    install_host(place.path());
    let proxy = Proxy::start(place.path());
    proxy.version().await.unwrap();
    kill_process(host(place.path()), Signal::KILL).unwrap();
    for _ in 0..2 {
        let error = proxy.version().await.unwrap_err();
        assert_eq!(error.code(), Code::Unavailable);
        let said = "pulumi-language-yaml` has ended: signal: 9 (SIGKILL)";
        assert!(error.message().ends_with(said), "{error}");
    }
}

#[tokio::test]
async fn other_requests_are_passed_on() {
    let place = tempfile::tempdir().unwrap();
    install_host(place.path());
    let mut proxy = Proxy::start(place.path());
    assert_eq!(proxy.version().await.unwrap().version, env!("CARGO_PKG_VERSION"));
    // The status of an error, and one for a method that the host does not have.
    let method = "/pulumirpc.LanguageRuntime/Run";
    let error = proxy.client.call::<_, Empty>(method, Empty {}).await.unwrap_err();
    assert_eq!(error.message(), "the request has no address of a resource monitor");
    let method = "/pulumirpc.LanguageRuntime/Sing";
    let error = proxy.client.call::<_, Empty>(method, Empty {}).await.unwrap_err();
    assert_eq!(error.code(), Code::Unimplemented);

    // The host ends with the proxy.
    let process = host(place.path()).as_raw_nonzero().get() as u64;
    assert!(pcl_system::is_running(process));
    kill_process(Pid::from_child(&proxy.child), Signal::TERM).unwrap();
    assert!(proxy.child.wait().unwrap().success());
    let start = Instant::now();
    while pcl_system::is_running(process) {
        assert!(start.elapsed() < Duration::from_secs(60), "the host does not end");
        std::thread::sleep(Duration::from_millis(10));
    }
}
