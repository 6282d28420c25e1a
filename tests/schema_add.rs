//! `pcl schema add` and `pcl schema sync`, with a script in the place of `pulumi`. The tests of
//! real plugins are in `tests/plugins.rs`.
#![cfg(all(unix, feature = "remote"))]

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use pcl_test_support::json_schema::JsonSchema;
use pcl_test_support::process::assert_all_gone;
use pcl_test_support::{Run, Scratch, run, scratch, write};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

/// A directory with a project, and a `pulumi` on `PATH`.
struct Place(Scratch);

const ZOO: &str = r#"{"name": "zoo", "version": "1.5.0", "resources": {"zoo:index:Cage": {}}}"#;

impl Place {
    /// A place whose `pulumi` does what a shell script says. Each start is noted.
    fn new(name: &str, script: &str) -> Self {
        let place = Self(scratch(&format!("schema-add-{name}")));
        write(&place.path("project/Pulumi.yaml"), "name: test\n");
        place.install(script);
        place
    }

    fn install(&self, script: &str) {
        let program = self.path("bin/pulumi");
        let started = self.path("started");
        let script = format!(
            "#!/bin/sh\necho $$ >> '{0}'\nprintf '%s|' \"$@\" >> '{0}.as'\necho >> '{0}.as'\n{script}\n",
            started.display()
        );
        write(&program, script);
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("permissions");
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = pcl_test_support::command();
        command
            .args(arguments)
            .current_dir(self.path("project"))
            .env("PATH", format!("{}:/usr/bin:/bin", self.path("bin").display()))
            .env("PULUMI_HOME", self.path("home"))
            .env("PCL_CACHE_DIR", self.path("cache"));
        command
    }

    fn run(&self, arguments: &[&str]) -> Run {
        run(self.command(arguments), b"")
    }

    #[track_caller]
    fn fails(&self, arguments: &[&str], status: i32, said: &str) {
        let run = self.run(arguments);
        assert!(
            run.status == status && run.stderr.contains(said),
            "{}: {}",
            run.status,
            run.stderr
        );
    }

    /// The arguments of each start.
    fn starts(&self) -> Vec<String> {
        let text = fs::read_to_string(self.path("started.as")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    fn lock(&self) -> Value {
        let lock = self.read("project/schemas/pcl-schemas.lock");
        let lock = serde_json::from_str(&lock).expect("JSON");
        JsonSchema::published("schemas-lock").accept(&lock);
        lock
    }

    /// The names of what is in the directory of schemas.
    fn kept(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.path("project/schemas")) else { return Vec::new() };
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into()).collect();
        names.sort();
        names
    }
}

/// A script that prints a schema.
fn prints(schema: &str) -> String {
    format!("cat <<'END'\n{schema}\nEND")
}

fn sha256(text: &str) -> String {
    use sha2::Digest as _;
    let digest = sha2::Sha256::digest(text.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn a_schema_is_kept_with_its_digest() {
    let place = Place::new("kept", &prints(ZOO));
    write(&place.path("project/main.pp"), "resource c \"zoo:index:Cage\" {\n}\n");
    let check = place.run(&["check"]);
    assert_eq!(check.status, 1);
    let help = "= help: get it with `pcl schema add zoo`";
    assert!(check.stdout.contains(help), "{}", check.stdout);
    assert!(place.starts().is_empty());

    let run = place.run(&["schema", "add", "zoo"]);
    let said = "running `pulumi package get-schema zoo --non-interactive`\n\
                added zoo 1.5.0: schemas/zoo-1.5.0.json\n";
    assert_eq!((run.status, run.stderr.as_str(), run.stdout.as_str()), (0, said, ""));
    assert_eq!(place.starts(), ["package|get-schema|zoo|--non-interactive|"]);
    assert_eq!(place.read("project/schemas/zoo-1.5.0.json"), format!("{ZOO}\n"));
    let digest = format!("sha256:{}", sha256(&format!("{ZOO}\n")));
    let package = json!({ "name": "zoo", "version": "1.5.0", "digest": digest });
    assert_eq!(place.lock(), json!({ "format_version": "1.0", "packages": [package] }));
    assert_eq!(place.run(&["check"]).status, 0);

    for package in ["zoo", "zoo@1.5.0", "zoo@v1.5"] {
        let run = place.run(&["schema", "add", package]);
        let said = "zoo 1.5.0 is there: schemas/zoo-1.5.0.json\n";
        assert_eq!((run.status, run.stderr.as_str()), (0, said));
    }
    assert_eq!(place.starts().len(), 1);
    for flag in ["--force", "--upgrade"] {
        assert_eq!(place.run(&["schema", "add", "zoo", flag]).status, 0);
    }
    assert_eq!(place.starts().len(), 3);

    // Another version is another file.
    place.install(&prints(&ZOO.replace("1.5.0", "1.10.0")));
    assert_eq!(place.run(&["schema", "add", "zoo@1.10.0"]).status, 0);
    assert_eq!(place.starts()[3], "package|get-schema|zoo@1.10.0|--non-interactive|");
    let names = ["pcl-schemas.lock", "zoo-1.10.0.json", "zoo-1.5.0.json"];
    assert_eq!(place.kept(), names);
    assert_eq!(place.lock()["packages"][1]["version"], "1.10.0", "sorted as versions");
    assert_eq!(place.run(&["schema", "add", "zoo@1.5.0", "zoo"]).status, 0);
    assert_eq!(place.starts().len(), 4);
}

#[test]
fn the_directory_is_beside_the_project_or_named() {
    let place = Place::new("where", &prints(ZOO));
    write(&place.path("project/deep/er/x"), "");
    let mut deep = place.command(&["schema", "add", "zoo"]);
    deep.current_dir(place.path("project/deep/er"));
    assert_eq!(run(deep, b"").status, 0);
    assert_eq!(place.kept().len(), 2);
    let run_in = |directory: &str, arguments: &[&str]| {
        let mut command = place.command(arguments);
        command.current_dir(place.path(directory));
        run(command, b"")
    };
    write(&place.path("alone/x"), "");
    assert_eq!(run_in("alone", &["schema", "add", "zoo"]).status, 0);
    assert!(place.path("alone/schemas/zoo-1.5.0.json").exists());
    let named = ["schema", "add", "zoo", "--dir", "../a/b"];
    assert_eq!(run_in("alone", &named).status, 0);
    assert!(place.path("a/b/pcl-schemas.lock").exists());
}

#[test]
fn a_document_without_a_version_has_that_of_the_request() {
    let place = Place::new("unversioned", &prints(r#"{"name": "zoo"}"#));
    assert_eq!(place.run(&["schema", "add", "zoo"]).status, 0);
    assert_eq!(place.run(&["schema", "add", "zoo@2.0.0-rc.1"]).status, 0);
    let names = ["pcl-schemas.lock", "zoo-2.0.0-rc.1.json", "zoo.json"];
    assert_eq!(place.kept(), names);
    assert_eq!(place.lock()["packages"][0]["version"], Value::Null);
}

#[test]
fn names_that_are_none_are_refused() {
    let place = Place::new("names", &prints(ZOO));
    for name in [
        "",
        "../x",
        "/bin/sh",
        "a b",
        "https://example.org/x",
        "github.com/x/y",
        "-",
        "a;b",
        "$(x)",
        "a\nb",
        ".",
        "..",
        "@1.0.0",
        "é",
        "C:\\x",
        "a=b",
    ] {
        place.fails(&["schema", "add", "--", name], 2, "expected the name of a package");
    }
    for name in ["--help-me", "-x"] {
        place.fails(&["schema", "add", name], 2, "unexpected argument");
        place.fails(&["schema", "add", "--", name], 2, "expected the name of a package");
    }
    for version in ["", "latest", "1.0.0/../..", "-x", "1 2"] {
        let package = format!("zoo@{version}");
        place.fails(&["schema", "add", &package], 2, "is not a version");
    }
    place.fails(&["schema", "add", "pulumi"], 2, "the package `pulumi` is built in");
    assert!(place.starts().is_empty());
}

#[test]
fn answers_that_are_wrong_leave_nothing() {
    let place = Place::new("wrong", "");
    let command = "`pulumi package get-schema zoo --non-interactive`";
    for (script, said) in [
        (
            "echo 'error: no such plugin' >&2; exit 255",
            "ended with status 255; it printed: error: no such plugin",
        ),
        ("kill -9 $$", "was ended by signal 9"),
        ("", "answered with a document that is not a schema"),
        ("echo garbage", "answered with a document that is not a schema"),
        ("echo '{\"name\": \"zoo\", '", "answered with a document that is not a schema"),
        ("echo '[]'", "answered with a document that is not a schema"),
        ("echo '{\"name\": \"other\"}'", "answered with the schema of other, not of zoo"),
        ("head -c 100000 /dev/zero", "answered with a document that is not a schema"),
        ("sleep 100", "did not end within 1 s"),
        ("echo '{'; exec >&-; sleep 100", "did not end within 1 s"),
        (
            "sleep 100 & echo $! >> \"$(dirname \"$0\")/../started\"",
            "ended and left its standard output open",
        ),
    ] {
        place.install(script);
        let limit = ["schema", "add", "zoo", "--timeout"];
        let limit = [&limit[..], &[if script.contains("& echo") { "20" } else { "1" }]].concat();
        place.fails(&limit, 2, &format!("the schema of zoo cannot be loaded: {command} {said}"));
        assert!(place.kept().is_empty(), "{script}");
    }
    place.install(&prints(ZOO));
    place.fails(
        &["schema", "add", "zoo@1.6.0"],
        2,
        "answered with the schema of zoo 1.5.0, not of zoo 1.6.0",
    );
    assert!(place.kept().is_empty());
    let started = place.read("started");
    let numbers: Vec<String> = started.lines().map(str::to_owned).collect();
    assert_all_gone(&numbers);

    // The other packages are added all the same.
    place.fails(&["schema", "add", "ark", "zoo"], 2, "not of ark");
    assert_eq!(place.kept().len(), 2);
}

#[test]
fn a_missing_program_is_an_error() {
    let place = Place::new("missing", "");
    fs::remove_file(place.path("bin/pulumi")).expect("it is there");
    let said = "the schema of zoo 1.0.0 cannot be loaded: neither `pulumi` nor the plugin \
                `pulumi-resource-zoo` is installed\n  help: `pcl schema add zoo@1.0.0 --from PATH` \
                takes it from a file, folder or archive";
    place.fails(&["schema", "add", "zoo@1.0.0"], 2, said);
    place.fails(&["schema", "add", "zoo", "--from", "pulumi"], 2, "there is no `pulumi` in the");
    place.fails(
        &["schema", "add", "zoo", "--from", "plugin"],
        2,
        "the plugin `pulumi-resource-zoo` is not installed",
    );
}

/// In the directory of a project, Pulumi would start what the project brings along.
#[test]
fn pulumi_is_run_outside_of_the_project() {
    let place = Place::new("outside", "pwd >&2; ls -A >&2; exit 3");
    write(&place.path("project/zoo/PulumiPlugin.yaml"), "runtime: python\n");
    let run = place.run(&["schema", "add", "zoo"]);
    let printed = run.stderr.split("it printed: ").nth(1).expect("it failed");
    let printed = printed.lines().next().expect("a line");
    assert!(!printed.contains(' ') && printed.starts_with('/'), "{}", run.stderr);
    assert!(!printed.contains("project"), "{}", run.stderr);
    assert!(!PathBuf::from(printed).exists(), "the directory is removed");
}

#[test]
fn what_is_there_is_replaced_only_by_force() {
    let place = Place::new("force", &prints(ZOO));
    let add = ["schema", "add", "zoo"];
    write(&place.path("project/schemas/zoo-1.5.0.json"), "{ \"name\": \"zoo\" }");
    place.fails(
        &add,
        2,
        "has another content than the schema of zoo\n  help: `--force` replaces it",
    );
    assert_eq!(place.kept(), ["zoo-1.5.0.json"]);
    assert_eq!(place.run(&["schema", "add", "zoo", "--force"]).status, 0);

    // The file was changed by somebody.
    write(&place.path("project/schemas/zoo-1.5.0.json"), "{ \"name\": \"zoo\" }");
    place.fails(&add, 2, "has another content");
    // The lock file is right, and Pulumi gives another schema today.
    place.install(&prints(&ZOO.replace("Cage", "Tank")));
    fs::remove_file(place.path("project/schemas/zoo-1.5.0.json")).expect("it is there");
    place.fails(&add, 2, "is not the one that `pcl-schemas.lock` names");
    assert_eq!(place.kept(), ["pcl-schemas.lock"]);
    assert_eq!(place.run(&["schema", "add", "zoo", "--force"]).status, 0);
    assert!(place.read("project/schemas/zoo-1.5.0.json").contains("Tank"));
    place.lock();
}

#[test]
fn schemas_with_errors_are_kept_with_a_warning() {
    let schema = r##"{"name": "zoo", "version": "1.0.0", "resources": {"zoo:index:Cage": {"properties": 3}}}"##;
    let place = Place::new("errors", &prints(schema));
    let run = place.run(&["schema", "add", "zoo"]);
    let said =
        "warning: the schema has 1 error; `pcl schema check schemas/zoo-1.0.0.json` shows them\n";
    assert!(run.status == 0 && run.stderr.ends_with(said), "{}", run.stderr);
}

#[test]
fn lock_files_are_checked() {
    let place = Place::new("lock", &prints(ZOO));
    let digest = "sha256:0";
    for (lock, said) in [
        ("{".to_owned(), "is not a lock file of schemas: "),
        (json!({ "format_version": "9", "packages": [] }).to_string(), "its format is `9`"),
        (
            json!({ "format_version": "1.0", "packages": [
                { "name": "../../x", "version": "1.0.0", "digest": digest }] })
            .to_string(),
            "`../../x` is not the name of a package",
        ),
        (
            json!({ "format_version": "1.0", "packages": [
                { "name": "x", "version": "../1", "digest": digest }] })
            .to_string(),
            "is not a lock file of schemas: ",
        ),
        (
            json!({ "format_version": "1.0", "packages": [{ "name": "x", "version": "1.0.0", "digest": digest,
                "base": { "name": "-x", "parameter": "" } }] })
            .to_string(),
            "`-x` is not the name of a package",
        ),
    ] {
        write(&place.path("project/schemas/pcl-schemas.lock"), lock);
        place.fails(&["schema", "add", "zoo"], 2, said);
        place.fails(&["schema", "sync"], 2, said);
    }
    assert!(place.starts().is_empty());
}

/// A program whose component needs another package, and whose packages refer to each other.
fn sync_place(name: &str) -> Place {
    let ark = r##"{"name": "ark", "version": "2.0.0", "resources": {"ark:index:Boat": {
        "inputProperties": {"cage": {"$ref": "/zoo/v1.5.0/schema.json#/resources/zoo:index:Cage"}}}}}"##;
    let bay = r#"{"name": "bay", "version": "3.1.0", "resources": {"bay:index:Pier": {}}}"#;
    let script = format!(
        "case $3 in\nzoo@1.5.0) {}\n;;\nark) {}\n;;\nbay@3.1.0) {}\n;;\n*) echo \"no $3\" >&2; exit 1;;\nesac",
        prints(ZOO),
        prints(ark),
        prints(bay)
    );
    let place = Place::new(name, &script);
    write(
        &place.path("project/app/main.pp"),
        "resource b \"ark:index:Boat\" {\n}\ncomponent p \"./parts\" {\n}\n",
    );
    write(
        &place.path("project/app/parts/main.pp"),
        "resource p \"bay:index:Pier\" {\n  options {\n    version = \"3.1.0\"\n  }\n}\n",
    );
    place
}

#[test]
fn sync_gets_what_programs_need() {
    let place = sync_place("sync");
    place.fails(
        &["schema", "sync", "app", "--locked"],
        1,
        "0 schemas there, 2 missing or different",
    );
    assert!(place.starts().is_empty());

    let run = place.run(&["schema", "sync", "app"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stderr.ends_with("0 schemas there, 3 added\n"), "{}", run.stderr);
    let names = ["ark-2.0.0.json", "bay-3.1.0.json", "pcl-schemas.lock", "zoo-1.5.0.json"];
    assert_eq!(place.kept(), names);
    assert_eq!(place.starts().len(), 3);
    assert_eq!(place.run(&["check", "app"]).status, 0);

    for flags in [&["--locked"][..], &["--check"], &[], &["-r"]] {
        let run = place.run(&[&["schema", "sync", "."][..], flags].concat());
        // The project itself has no program.
        let is_error = flags != ["-r"];
        assert_eq!(run.status, if is_error { 2 } else { 0 }, "{}", run.stderr);
        let run = place.run(&[&["schema", "sync", "app"][..], flags].concat());
        assert_eq!(run.status, 0, "{}", run.stderr);
    }
    assert_eq!(place.starts().len(), 3);

    // A clone that has the lock file alone.
    for name in ["ark-2.0.0.json", "bay-3.1.0.json", "zoo-1.5.0.json"] {
        fs::remove_file(place.path("project/schemas").join(name)).expect("it is there");
    }
    place.install(&place.read("bin/pulumi").replace("ark)", "ark@2.0.0)"));
    place.fails(
        &["schema", "sync", "app", "--locked"],
        1,
        "error: `schemas/ark-2.0.0.json` is missing",
    );
    let run = place.run(&["schema", "sync", "app"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(place.kept(), names);

    write(&place.path("project/schemas/bay-3.1.0.json"), "{ \"name\": \"bay\" }");
    let said = "warning: `schemas/bay-3.1.0.json` is not the schema that `pcl-schemas.lock` names";
    place.fails(&["schema", "sync", "app"], 0, said);
    place.fails(&["schema", "sync", "app", "--locked"], 1, said);
    let run = place.run(&["schema", "sync", "app", "--upgrade"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    place.fails(
        &["schema", "sync", "app", "--locked"],
        0,
        "3 schemas there, 0 missing or different",
    );
}

#[test]
fn sync_reports_what_it_cannot_get() {
    let place = sync_place("sync-fails");
    write(
        &place.path("project/app/more.pp"),
        "resource a \"none:index:X\" {\n}\nresource b \"../x:index:Y\" {\n}\nresource c \"--y:index:Y\" {\n}\n",
    );
    let run = place.run(&["schema", "sync", "app"]);
    assert_eq!(run.status, 2);
    for said in [
        "the schema of none cannot be loaded: `pulumi package get-schema none --non-interactive` ended with status 1",
        "`app` needs `../x`, which cannot be the name of a package",
        "`app` needs `--y`, which cannot be the name of a package",
        "3 added",
    ] {
        assert!(run.stderr.contains(said), "{}", run.stderr);
    }
    // Schemas of other places are there, and not in the lock file.
    write(&place.path("project/bare/main.pp"), "size = 1\n");
    let run = place.run(&["schema", "sync", "bare", "--dir", "empty"]);
    assert_eq!((run.status, &*run.stderr), (0, "no schema is missing\n"));
    place.fails(
        &["schema", "sync", "nowhere"],
        2,
        "error[PCL0001]: there is no directory `nowhere`",
    );
}

/// Ctrl-C and its kin end `pulumi` too.
#[test]
fn a_signal_ends_pulumi_too() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let place = Place::new("signal", "trap '' INT; sleep 100");
        let mut child = place
            .command(&["schema", "add", "zoo"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command starts");
        let start = Instant::now();
        while place.starts().is_empty() {
            assert!(start.elapsed() < Duration::from_secs(20), "it does not start");
            std::thread::sleep(Duration::from_millis(10));
        }
        kill_process(Pid::from_child(&child), signal).expect("a signal can be sent");
        let status = child.wait().expect("it ends");
        assert_eq!(status.code(), None, "ended by the signal");
        let started = place.read("started");
        let numbers: Vec<String> = started.lines().map(str::to_owned).collect();
        assert_all_gone(&numbers);
        assert!(place.kept().is_empty());
    }
}

/// A message of an editor.
fn message(mut fields: Value) -> String {
    fields["jsonrpc"] = json!("2.0");
    let body = fields.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len())
}

#[test]
fn an_editor_gets_schemas_if_the_server_may_run_programs() {
    // Two at once, which both read the lock file in the meantime unless one waits for the other.
    let place = Place::new("editor", &format!("sleep 0.2; echo '{ZOO}' | sed \"s/zoo/$3/g\""));
    let mut command = place.command(&["server", "--allow-schema-add"]);
    let mut server =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a server");
    let uri = format!("file://{}", place.path("project/main.pp").display());
    let command = |package: &str| {
        let arguments = json!([{ "uri": uri, "package": package }]);
        json!({ "command": "pcl.addSchema", "arguments": arguments })
    };
    let mut input = server.stdin.take().expect("a stream");
    for fields in [
        json!({ "id": 1, "method": "initialize", "params": { "capabilities": {} } }),
        json!({ "id": 2, "method": "workspace/executeCommand", "params": command("zoo") }),
        json!({ "id": 3, "method": "workspace/executeCommand", "params": command("farm") }),
    ] {
        input.write_all(message(fields).as_bytes()).expect("the server reads");
    }
    let mut said = Vec::new();
    let mut output = server.stdout.take().expect("a stream");
    while String::from_utf8_lossy(&said).matches("window/showMessage").count() < 2 {
        let mut buffer = [0; 1024];
        let read = output.read(&mut buffer).expect("the server writes");
        assert!(read > 0, "{}", String::from_utf8_lossy(&said));
        said.extend_from_slice(&buffer[..read]);
    }
    drop(input);
    server.wait().expect("it ends");
    let mut starts = place.starts();
    starts.sort();
    let start = |package| format!("package|get-schema|{package}|--non-interactive|");
    assert_eq!(starts, ["farm", "zoo"].map(start));
    let lock = place.lock();
    let locked = lock["packages"].as_array().expect("a list").iter();
    assert_eq!(locked.map(|it| &it["name"]).collect::<Vec<_>>(), ["farm", "zoo"]);
    assert_eq!(place.read("project/schemas/zoo-1.5.0.json"), format!("{ZOO}\n"));
    let said = String::from_utf8_lossy(&said);
    assert!(said.contains("pcl.addSchema"), "{said}");
}
