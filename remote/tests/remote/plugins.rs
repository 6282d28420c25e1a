//! Provider plugins. Those that misbehave are small scripts; what they name as their port is a
//! server of the test.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pcl_remote::{PluginLoader, PluginPlaces, ProjectPlugin};
use pcl_schema::{LoadError, Loader, Package, PackageRequest, Parameterization, parse_version};

use tempfile::TempDir;

use crate::server::{Reply, Server};
use pcl_test_support::process::assert_all_gone;

const LIMIT: Duration = Duration::from_secs(2);

const ZOO: &str = r#"{"name": "zoo", "resources": {"zoo:index:Cage": {}}}"#;

/// A Pulumi home of a test, removed at its end.
struct Home(TempDir, Duration);

impl Home {
    fn new(name: &str) -> Self {
        let directory = tempfile::Builder::new()
            .prefix(&format!("remote-{name}-"))
            .tempdir_in(env!("CARGO_TARGET_TMPDIR"));
        Self(directory.expect("a directory"), LIMIT)
    }

    /// Writes a plugin: a shell script that has noted its number and counts as one start.
    fn script(&self, path: &str, body: &str) -> PathBuf {
        let program = self.0.path().join(path);
        fs::create_dir_all(program.parent().expect("a parent")).expect("a directory");
        let notes = self.0.path().join("started");
        let text = format!("#!/bin/sh\necho $$ >> '{}'\n{body}\n", notes.display());
        fs::write(&program, text).expect("a script");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("permissions");
        program
    }

    fn plugin(&self, name: &str, version: &str, body: &str) -> PathBuf {
        self.script(&format!("plugins/resource-{name}-v{version}/pulumi-resource-{name}"), body)
    }

    fn loader(&self) -> PluginLoader {
        PluginLoader::new(PluginPlaces {
            pulumi_home: Some(self.0.path().to_owned()),
            ..PluginPlaces::default()
        })
        .with_time_limit(self.1)
    }

    /// The processes that the scripts have noted.
    fn started(&self) -> Vec<String> {
        let notes = fs::read_to_string(self.0.path().join("started")).unwrap_or_default();
        notes.lines().map(str::to_owned).collect()
    }

    /// None of the processes that were started may be left.
    fn assert_all_gone(&self) {
        assert_all_gone(&self.started());
    }

    /// Loads `zoo` in time, or says why not, and leaves nothing behind.
    fn load(&self, request: &PackageRequest) -> Result<Arc<Package>, String> {
        let start = Instant::now();
        let loaded = self.loader().load(request);
        assert!(start.elapsed() < self.1 + LIMIT * 3, "{:?}", start.elapsed());
        self.assert_all_gone();
        let home = self.0.path().display().to_string();
        loaded.map_err(|error| error.to_string().replace(&home, "HOME"))
    }
}

/// The error about a plugin that is this script.
fn told(name: &str, body: &str) -> String {
    let home = Home::new(name);
    home.plugin("zoo", "1.0.0", body);
    let error = home.load(&PackageRequest::new("zoo")).expect_err("it cannot be used");
    assert!(!home.0.path().join("schemas").exists(), "nothing is kept");
    let plugin = "the plugin HOME/plugins/resource-zoo-v1.0.0/pulumi-resource-zoo ";
    error.strip_prefix(plugin).map(str::to_owned).unwrap_or(error)
}

/// The error about a plugin that gives this reply to the question for its schema.
fn told_of(name: &str, reply: impl Fn() -> Reply + Send + Sync + 'static) -> String {
    let server = Server::start(move |method| match method {
        "GetSchema" => reply(),
        _ => Reply::Status(12, "unimplemented"),
    });
    told(name, &format!("echo {}; sleep 100", server.port))
}

fn parameterized() -> PackageRequest {
    PackageRequest {
        parameterization: Some(Parameterization {
            name: "zoo".to_owned(),
            version: parse_version("0.70.0").expect("a version"),
            value: b"{\"x\":1}".to_vec(),
        }),
        ..PackageRequest::new("bridge")
    }
}

#[test]
fn without_a_port() {
    assert_eq!(told("silent", "sleep 100"), "printed no port within 2 s");
    assert_eq!(
        told("closed", "exec >&-; sleep 100"),
        "closed its standard output before it printed a port"
    );
    assert_eq!(
        told("noise", "echo hello; sleep 100"),
        "printed \"hello\" where its port has to stand"
    );
    assert_eq!(told("zero", "echo 0; sleep 100"), "printed \"0\" where its port has to stand");
    assert_eq!(
        told("large", "echo 65536; sleep 100"),
        "printed \"65536\" where its port has to stand"
    );
    let endless = told("endless", "exec tr '\\n' x < /dev/zero");
    assert!(endless.starts_with("printed \""), "{endless}");
    assert!(endless.len() < 700, "{endless}");
}

#[test]
fn that_end_at_once() {
    assert_eq!(
        told("exit", "echo 'no licence' >&2; exit 3"),
        "ended with status 3 before it printed a port; it printed: no licence"
    );
    assert_eq!(told("signal", "kill -9 $$"), "was ended by signal 9 before it printed a port");
    let flood = told("flood", "yes much ado about nothing | head -c 1000000 >&2; exit 1");
    assert!(flood.contains("it printed: ") && flood.len() < 700, "{flood}");
    let home = Home::new("interpreter");
    let program = home.plugin("zoo", "1.0.0", "");
    fs::write(&program, "#!/no/such/interpreter\n").expect("a script");
    let error = home.load(&PackageRequest::new("zoo")).expect_err("it cannot be started");
    assert!(error.contains("cannot be started: No such file"), "{error}");
}

#[test]
fn that_do_not_speak_the_protocol() {
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = nobody.local_addr().expect("an address").port();
    assert_eq!(told("mute", &format!("echo {port}; sleep 100")), "did not answer within 2 s");
    drop(nobody);
    assert_eq!(told("deserted", &format!("echo {port}; sleep 100")), "did not answer within 2 s");
    let web = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = web.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        while let Ok((mut stream, _)) = web.accept() {
            let _ = std::io::Write::write_all(&mut stream, b"HTTP/1.1 400 Bad Request\r\n\r\n");
        }
    });
    let error = told("web", &format!("echo {port}; sleep 100"));
    assert!(error.starts_with("answered with an error: "), "{error}");
}

#[test]
fn that_end_instead_of_answering() {
    let server = Server::start(|_| Reply::Silence);
    assert_eq!(
        told("tired", &format!("echo {}; sleep 0.3; exit 7", server.port)),
        "ended with status 7 before it answered"
    );
    let server = Server::start(|_| Reply::Claims(1000));
    assert_eq!(
        told("halfway", &format!("echo {}; sleep 0.3; kill -11 $$", server.port)),
        "was ended by signal 11 before it answered"
    );
}

#[test]
fn that_answer_otherwise_than_they_should() {
    assert_eq!(told_of("quiet", || Reply::Silence), "did not answer within 2 s");
    assert_eq!(told_of("slow", || Reply::Claims(1000)), "did not answer within 2 s");
    let broken = told_of("broken", || Reply::Breaks(1000));
    assert!(broken.starts_with("answered with an error: "), "{broken}");
    assert_eq!(
        told_of("refusal", || Reply::Status(2, "no%1B[31m schema%0Atoday")),
        "answered with an error: no [31m schema today"
    );
    assert_eq!(
        told_of("huge", || Reply::Claims(500 << 20)),
        "answered with an error: the answer is longer than 400 MiB"
    );
    let no_schema = "answered with a document that is not a schema: ";
    for (name, text) in [
        ("empty", &b""[..]),
        ("braces", b"{}"),
        ("list", b"[1, 2]"),
        ("torn", b"{\"name\": \"zoo\", \"resources\": {"),
        ("binary", b"\xFF\xFE\x00"),
        ("unnamed", b"{\"version\": \"1.0.0\"}"),
        ("version", b"{\"name\": \"zoo\", \"version\": \"one\"}"),
    ] {
        let error = told_of(name, move || Reply::text(text));
        assert!(error.starts_with(no_schema), "{name}: {error}");
    }
    let odd = told_of("fields", || Reply::Fields(vec![(7, b"x".to_vec())]));
    assert!(odd.starts_with(no_schema), "{odd}");
    assert_eq!(
        told_of("other", || Reply::text(r#"{"name": "ark"}"#)),
        "answered with the schema of ark 1.0.0, not of zoo"
    );
}

/// 200 MB that are not a schema, and 200 MB that are one.
#[test]
fn that_answer_much() {
    const MUCH: usize = 200_000_000;
    let no_schema = vec![b'x'; MUCH];
    let mut schema = br#"{"name": "zoo", "description": ""#.to_vec();
    schema.resize(MUCH, b'x');
    schema.extend_from_slice(b"\"}");
    for (answer, reason) in
        [(no_schema, Some("answered with a document that is not a schema: ")), (schema, None)]
    {
        let server = Server::start(move |method| match method {
            "GetSchema" => Reply::text(answer.clone()),
            _ => Reply::Fields(Vec::new()),
        });
        let mut home = Home::new("much");
        home.1 = Duration::from_secs(60);
        home.plugin("zoo", "1.0.0", &format!("echo {}; sleep 100", server.port));
        match (home.load(&PackageRequest::new("zoo")), reason) {
            (Err(error), Some(reason)) => assert!(error.contains(reason), "{error}"),
            (loaded, reason) => assert_eq!((loaded.err(), reason), (None, None)),
        }
    }
}

/// Not even what ignores polite signals, or starts others, is left.
#[test]
fn that_do_not_want_to_end() {
    let home = Home::new("stubborn");
    let notes = home.0.path().join("started");
    let body = format!(
        "trap '' INT TERM HUP\n(trap '' INT; echo $$ >> '{0}'; sleep 100 & echo $! >> '{0}'; wait) &\necho $! >> '{0}'\nsleep 100",
        notes.display()
    );
    home.plugin("zoo", "1.0.0", &body);
    let error = home.load(&PackageRequest::new("zoo")).expect_err("there is no port");
    assert!(error.contains("printed no port"), "{error}");
    assert!(home.started().len() >= 4, "{:?}", home.started());
}

#[test]
fn an_answer_is_kept_until_the_plugin_changes() {
    let server = Server::start(|method| match method {
        "GetSchema" => Reply::text(ZOO),
        _ => Reply::Status(12, "unimplemented"),
    });
    let home = Home::new("kept");
    home.plugin("zoo", "1.0.0", &format!("echo {}; sleep 100", server.port));
    let request = PackageRequest::new("zoo");
    let version = |package: Arc<Package>| package.version().map(ToString::to_string);
    let package = home.load(&request).expect("it answers");
    assert_eq!(version(package).as_deref(), Some("1.0.0"), "the directory says it");
    assert_eq!(server.methods(), ["Handshake", "GetSchema", "GetPluginInfo"]);
    let kept = home.0.path().join("schemas/zoo-1.0.0.json");
    assert_eq!(fs::read_to_string(&kept).expect("it is kept"), ZOO);
    let mode =
        fs::metadata(home.0.path().join("schemas")).expect("a directory").permissions().mode();
    assert_eq!(mode & 0o777, 0o700);

    let package = home.load(&request).expect("it is kept");
    assert_eq!(version(package).as_deref(), Some("1.0.0"));
    assert_eq!(home.started().len(), 1, "it is not started again");

    // Damage is repaired, and a plugin that was reinstalled is asked again.
    fs::write(&kept, "{\"name\": ").expect("it can be damaged");
    home.load(&request).expect("it answers");
    assert_eq!(home.started().len(), 2);
    std::thread::sleep(Duration::from_millis(20));
    fs::write(home.0.path().join("plugins/resource-zoo-v1.0.0/new"), "").expect("a file");
    home.load(&request).expect("it answers");
    assert_eq!(home.started().len(), 3);

    // A schema that cannot be cached is requested each time.
    fs::remove_dir_all(home.0.path().join("schemas")).expect("it can be removed");
    fs::write(home.0.path().join("schemas"), "in the way").expect("a file");
    home.load(&request).expect("it answers");
    home.load(&request).expect("it answers");
    assert_eq!(home.started().len(), 5);
}

#[test]
fn a_parameter_is_handed_over_first() {
    let answer = |name: &'static str| {
        Server::start(move |method| match method {
            "Parameterize" => Reply::Fields(vec![(1, name.into()), (2, b"0.70.0".to_vec())]),
            "GetSchema" => Reply::text(r#"{"name": "zoo", "version": "0.70.0"}"#),
            _ => Reply::Fields(Vec::new()),
        })
    };
    let server = answer("zoo");
    let home = Home::new("parameter");
    home.plugin("bridge", "0.13.0", &format!("echo {}; sleep 100", server.port));
    home.load(&parameterized()).expect("it answers");
    let calls = server.calls.lock().expect("no panic").clone();
    let parameter = b"\x12\x16\x0a\x03zoo\x12\x060.70.0\x1a\x07{\"x\":1}".to_vec();
    assert_eq!(calls[1], ("Parameterize".to_owned(), parameter));
    let question = b"\x12\x03zoo\x1a\x060.70.0".to_vec();
    assert_eq!(calls[2], ("GetSchema".to_owned(), question));
    let kept: Vec<_> = fs::read_dir(home.0.path().join("schemas")).expect("a directory").collect();
    assert_eq!(kept.len(), 1);
    home.load(&parameterized()).expect("it is kept");
    assert_eq!(home.started().len(), 1, "it is not started again");

    let server = answer("ark");
    let home = Home::new("other-parameter");
    home.plugin("bridge", "0.13.0", &format!("echo {}; sleep 100", server.port));
    let error = home.load(&parameterized()).expect_err("it is another package");
    assert!(error.ends_with("makes ark 0.70.0 of the parameter for zoo 0.70.0"), "{error}");
}

#[test]
fn which_plugin_is_started() {
    let server = Server::start(|method| match method {
        "GetSchema" => Reply::text(ZOO),
        "GetPluginInfo" => Reply::text("3.2.1"),
        _ => Reply::Fields(Vec::new()),
    });
    let home = Home::new("which");
    let says = |name: &str| {
        format!(
            "echo {name} >> '{}/which'; echo {}; sleep 100",
            home.0.path().display(),
            server.port
        )
    };
    home.plugin("zoo", "1.0.0", &says("old"));
    home.plugin("zoo", "2.0.0-rc.1", &says("early"));
    home.script("bin/pulumi-resource-zoo", &says("path"));
    home.script("project/pulumi-resource-zoo", &says("project"));
    let request = |version: &str| match version {
        "" => PackageRequest::new("zoo"),
        _ => PackageRequest::new("zoo").with_version(parse_version(version).expect("a version")),
    };
    let ask = |places: PluginPlaces, version: &str| {
        let _ = fs::remove_dir_all(home.0.path().join("schemas"));
        let _ = fs::remove_file(home.0.path().join("which"));
        let loaded = PluginLoader::new(places).with_time_limit(LIMIT).load(&request(version));
        let which = fs::read_to_string(home.0.path().join("which")).unwrap_or_default();
        match loaded {
            Ok(package) => format!("{} {}", which.trim(), package.version().expect("a version")),
            Err(error) => error.to_string().replace(&home.0.path().display().to_string(), "HOME"),
        }
    };
    let installed =
        PluginPlaces { pulumi_home: Some(home.0.path().to_owned()), ..PluginPlaces::default() };
    assert_eq!(ask(installed.clone(), ""), "old 1.0.0");
    assert_eq!(ask(installed.clone(), "2.0.0-rc.1"), "early 2.0.0-rc.1");
    assert_eq!(
        ask(installed.clone(), "1.1.0"),
        "no schema for zoo 1.1.0; found only 1.0.0, 2.0.0-rc.1; searched HOME/plugins"
    );
    let path = PluginPlaces { path: Some(home.0.path().join("bin").into()), ..installed.clone() };
    assert_eq!(ask(path.clone(), ""), "path 3.2.1");
    assert!(!home.0.path().join("schemas").exists(), "what is on PATH is not kept");
    let project = |version: Option<&str>| PluginPlaces {
        project: vec![ProjectPlugin {
            name: "zoo".to_owned(),
            version: version.map(|version| parse_version(version).expect("a version")),
            path: home.0.path().join("project"),
        }],
        starts_project: true,
        ..path.clone()
    };
    assert_eq!(ask(project(None), ""), "project 3.2.1");
    let refused = PluginPlaces { starts_project: false, ..project(None) };
    let error = ask(refused, "");
    let end = "; the project names the plugin HOME/project, which was not asked";
    assert!(error.ends_with(end), "{error}");
    assert_eq!(ask(project(Some("3.2.1")), "3.2.1"), "project 3.2.1");
    assert_eq!(ask(project(Some("9.0.0")), "3.2.1"), "path 3.2.1");
    let attached =
        PluginPlaces { attached: vec![("zoo".to_owned(), server.port)], ..project(None) };
    assert_eq!(ask(attached, ""), " 3.2.1");

    for name in ["../zoo", "zoo/../zoo", ".."] {
        let error = PluginLoader::new(path.clone()).load(&PackageRequest::new(name));
        let error = error.expect_err("it is no plugin");
        assert!(matches!(error, LoadError::NotFound(_)), "{name}");
    }
    home.assert_all_gone();
}

#[test]
fn a_plugin_that_a_language_runs() {
    let home = Home::new("language");
    let directory = home.0.path().join("plugins/resource-zoo-v1.0.0");
    fs::create_dir_all(&directory).expect("a directory");
    fs::write(directory.join("PulumiPlugin.yaml"), "runtime: python\n").expect("a file");
    let error = home.load(&PackageRequest::new("zoo")).expect_err("it is not started");
    assert_eq!(
        error,
        "the plugin in HOME/plugins/resource-zoo-v1.0.0 is run by a language host, which `pcl` does not start"
    );
}

#[test]
fn plugins_are_started_at_the_same_time() {
    let home = Home::new("together");
    let names = ["a", "b", "c", "d"];
    let servers = names.map(|name| {
        let server = Server::start(move |method| match method {
            "GetSchema" => Reply::text(format!(r#"{{"name": "{name}"}}"#)),
            _ => Reply::Fields(Vec::new()),
        });
        home.plugin(name, "1.0.0", &format!("sleep 1; echo {}; sleep 100", server.port));
        server
    });
    let loader = home.loader().with_time_limit(Duration::from_secs(30));
    let start = Instant::now();
    std::thread::scope(|scope| {
        for name in names {
            let loader = &loader;
            scope.spawn(move || loader.load(&PackageRequest::new(name)).expect("it answers"));
        }
    });
    assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
    assert_eq!(servers.len(), home.started().len());
    home.assert_all_gone();
}
