//! Repositories that name programs, in every place where `pcl` or what it starts could look for
//! one. Trust follows the origin of a path: what a repository names is started by a flag of the
//! command line alone.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use pcl_test_support::{Run, Scratch, command, run, scratch, write};

const CAGE: &str = "resource cage \"zoo:index:Cage\" {\n}\n";

/// A repository with traps, and a home of Pulumi beside it.
struct Trapped(Scratch);

impl Trapped {
    fn new(name: &str) -> Self {
        let place = Self(scratch(&format!("hostile-execution-{name}")));
        write(&place.0.join("repository/main.pp"), CAGE);
        place
    }

    fn repository(&self) -> PathBuf {
        self.0.join("repository")
    }

    /// Writes a program that notes its name, and in which directory it ran with how many files.
    fn trap(&self, path: &str) -> PathBuf {
        let program = self.0.join(path);
        let notes = self.0.join("notes");
        let note = "echo \"$0 $(ls -A | wc -l) $PWD\"";
        write(
            &program,
            format!("#!/bin/sh\nPATH=/bin:/usr/bin\n{note} >> '{}'\nexit 1\n", notes.display()),
        );
        fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).expect("permissions");
        program
    }

    /// The notes of the programs that ran since the last call.
    fn notes(&self) -> Vec<String> {
        let notes = self.0.join("notes");
        let text = fs::read_to_string(&notes).unwrap_or_default();
        let _ = fs::remove_file(notes);
        text.lines().map(str::to_owned).collect()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = command();
        command.args(arguments).current_dir(self.repository());
        command.env("PULUMI_HOME", self.0.join("home"));
        command.env("PCL_CACHE_DIR", self.0.join("cache"));
        command
    }

    fn run(&self, arguments: &[&str], input: &str) -> Run {
        run(self.command(arguments), input.as_bytes())
    }
}

/// The project file with a plugin at a path.
fn project(path: &str) -> String {
    format!("name: evil\nruntime: pcl\nplugins:\n  providers:\n  - name: zoo\n    path: {path}\n")
}

/// The messages of an editor that opens the program.
fn opening(place: &Trapped) -> String {
    let file = place.repository().join("main.pp");
    let messages = [
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#.to_owned(),
        r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#.to_owned(),
        // A repository may bring settings of the editor along.
        r#"{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":{"pcl":{"projectPlugins":true,"project-plugins":true}}}}"#.to_owned(),
        serde_json::json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {
            "textDocument": {"uri": format!("file://{}", file.display()), "languageId": "pcl", "version": 1, "text": CAGE},
        }})
        .to_string(),
        r#"{"jsonrpc":"2.0","id":2,"method":"workspace/diagnostic","params":{"previousResultIds":[]}}"#.to_owned(),
        r#"{"jsonrpc":"2.0","id":3,"method":"shutdown"}"#.to_owned(),
        r#"{"jsonrpc":"2.0","method":"exit"}"#.to_owned(),
    ];
    let framed = messages.map(|text| format!("Content-Length: {}\r\n\r\n{text}", text.len()));
    framed.concat()
}

/// The messages of an agent that checks the program.
const ASKING: &str = concat!(
    r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#,
    "\n",
    r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"check","arguments":{"path":"."}}}"#,
    "\n",
);

/// SECURITY.md: "A path that a repository names".
#[test]
fn a_plugin_of_a_project_is_started_by_a_flag_alone() {
    let place = Trapped::new("project");
    let own = place.trap("repository/bin/pulumi-resource-zoo");
    let outside = place.trap("outside/pulumi-resource-zoo");
    symlink("bin", place.repository().join("link")).expect("a link");
    // An installed plugin is another one, and not started in its place.
    place.trap("home/plugins/resource-zoo-v1.0.0/pulumi-resource-zoo");
    let paths = [
        "./bin",
        "bin/pulumi-resource-zoo",
        "link",
        "../outside",
        "bin/../../repository/bin",
        outside.to_str().expect("UTF-8"),
        own.parent().and_then(Path::to_str).expect("UTF-8"),
        "nowhere",
    ];
    let help = "get the schema from it with `--project-plugins`";
    for path in paths {
        write(&place.repository().join("Pulumi.yaml"), project(path));
        for arguments in [
            &["check"][..],
            &["check", "-r", "--whole-programs", "."],
            &["preview"],
            &["eval", "1"],
            &["convert", "--to", "yaml"],
            &["graph"],
            &["dump", "bound"],
        ] {
            for with in [&[][..], &["--run-plugins"]] {
                let mut command = place.command(&[arguments, with].concat());
                command.env("PCL_RUN_PLUGINS", "true");
                command.env("PCL_PROJECT_PLUGINS", "true");
                let run = run(command, b"");
                let all = run.stdout + &run.stderr;
                assert_eq!(place.notes(), [""; 0], "{path} {arguments:?}");
                assert!(all.contains("PCL0408"), "{path} {arguments:?}: {all}");
                assert!(all.contains(help), "{path} {arguments:?}: {all}");
            }
        }
        let server = place.run(&["server", "--run-plugins"], &opening(&place));
        assert_eq!(place.notes(), [""; 0], "{path}: the server");
        assert!(server.stdout.contains(help), "{path}: {}", server.stdout);
        let tools = place.run(&["mcp", "--run-plugins"], ASKING);
        assert_eq!(place.notes(), [""; 0], "{path}: the tools");
        assert!(tools.stdout.contains(help), "{path}: {}", tools.stdout);
    }
    // The flag is the only way.
    write(&place.repository().join("Pulumi.yaml"), project("./bin"));
    let set = ["check", "--run-plugins", "--setting", "project-plugins=true"];
    assert_eq!(place.run(&set, "").status, 2);
    for file in ["pcl.toml", ".pcl.toml"] {
        write(&place.repository().join(file), "project-plugins = true\n");
    }
    assert_eq!(place.run(&["check", "--run-plugins"], "").status, 2);
    assert_eq!(place.notes(), [""; 0]);
    fs::remove_file(place.repository().join("pcl.toml")).expect("it is there");

    // Even then it runs in an empty directory, which is removed afterwards.
    for flags in [&["--project-plugins"][..], &["--project-plugins", "--run-plugins"]] {
        let run = place.run(&[&["check"], flags].concat(), "");
        assert_eq!(run.status, 1, "{}", run.stdout);
        let notes = place.notes();
        let [note] = &notes[..] else { panic!("{notes:?}") };
        let (program, rest) = note.split_once(' ').expect("three parts");
        let (files, directory) = rest.trim_start().split_once(' ').expect("three parts");
        assert_eq!((Path::new(program), files), (&*own, "0"));
        assert!(!Path::new(directory).exists(), "{directory}");
    }
}

/// Keys of a project file that name programs of other kinds, and what the permission for plugins of
/// the project does not include.
#[test]
fn other_programs_of_a_project_are_not_started() {
    let place = Trapped::new("keys");
    for name in ["resource-zoo", "language-pcl", "analyzer-zoo", "converter-zoo"] {
        place.trap(&format!("repository/bin/pulumi-{name}"));
    }
    place.trap("home/plugins/resource-zoo-v1.0.0/pulumi-resource-zoo");
    let trap = "- name: zoo\n    path: ./bin\n";
    write(
        &place.repository().join("Pulumi.yaml"),
        format!(
            "name: evil\nruntime:\n  name: pcl\n  options:\n    binary: ./bin/pulumi-language-pcl\nplugins:\n  languages:\n  {trap}  analyzers:\n  {trap}packages:\n  zoo: ./bin\n"
        ),
    );
    write(
        &place.repository().join("Pulumi.dev.yaml"),
        format!("config:\n  pcl:projectPlugins: true\nplugins:\n  providers:\n  {trap}"),
    );
    for command in ["check", "preview", "graph"] {
        place.run(&[command, "--project-plugins"], "");
        assert_eq!(place.notes(), [""; 0], "{command}");
    }
    // What is installed is started, and nothing else.
    place.run(&["check", "--run-plugins", "--project-plugins"], "");
    let installed = place.0.join("home/plugins/resource-zoo-v1.0.0/pulumi-resource-zoo");
    let notes = place.notes();
    assert!(
        notes.len() == 1 && notes[0].starts_with(&installed.display().to_string()),
        "{notes:?}"
    );
}

/// SECURITY.md: "absolute directories of `PATH`".
#[test]
fn relative_entries_of_the_environment_start_nothing() {
    let place = Trapped::new("path");
    let names = ["git", "pulumi", "pulumi-resource-zoo"];
    for name in names {
        for directory in ["repository", "repository/bin"] {
            place.trap(&format!("{directory}/{name}"));
        }
    }
    place.trap("repository/home/plugins/resource-zoo-v1.0.0/pulumi-resource-zoo");
    let repository = place.repository();
    let name = repository.file_name().and_then(|it| it.to_str());
    let up = format!("../{}", name.expect("a name"));
    let paths = [
        "",
        ":/nowhere",
        "/nowhere:",
        "/nowhere::/nowhere",
        ".:/nowhere",
        "bin:/nowhere",
        "./bin",
        &up,
    ];
    for path in paths {
        for arguments in [
            &["check", "-r", "--changed-since", "HEAD", "."][..],
            &["fmt", "--changed-since", "HEAD"],
            &["schema", "add", "zoo"],
            &["schema", "add", "zoo", "--from", "pulumi"],
            &["schema", "add", "zoo", "--from", "plugin"],
            &["schema", "sync"],
            &["check", "--run-plugins"],
        ] {
            let mut command = place.command(arguments);
            command.env("PATH", path);
            let run = run(command, b"");
            assert_eq!(place.notes(), [""; 0], "{path} {arguments:?}");
            assert_ne!(run.status, 0, "{path} {arguments:?}");
        }
    }
    // A home of Pulumi in the repository is not one of the user.
    for home in ["home", "./home", &format!("{up}/home")] {
        for arguments in
            [&["check", "--run-plugins"][..], &["schema", "add", "zoo", "--from", "plugin"]]
        {
            let mut command = place.command(arguments);
            command.env("PULUMI_HOME", home).env("PATH", "/nowhere");
            let run = run(command, b"");
            assert_eq!(place.notes(), [""; 0], "{home} {arguments:?}");
            assert_ne!(run.status, 0, "{home} {arguments:?}");
            let warning = "warning: no plugins are started from the relative PULUMI_HOME";
            assert!(run.stderr.contains(warning), "{}", run.stderr);
        }
    }
    // The same entries are used if they are absolute.
    for name in names {
        let arguments = match name {
            "git" => &["check", "--changed-since", "HEAD"][..],
            "pulumi" => &["schema", "add", "zoo", "--from", "pulumi"],
            _ => &["check", "--run-plugins"],
        };
        let mut command = place.command(arguments);
        let path = format!("{}:/bin:/usr/bin", repository.join("bin").display());
        command.env("PATH", path);
        run(command, b"");
        let notes = place.notes();
        let program = repository.join("bin").join(name).display().to_string();
        assert!(notes.iter().any(|note| note.starts_with(&program)), "{name}: {notes:?}");
    }
}
