//! `pcl pulumi`, with a script in the place of `pulumi`, and `pcl` under the names of plugins. The
//! tests with the real command are in `tests/generated/plugins.py`.
#![cfg(all(unix, feature = "pulumi"))]

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;

use pcl_test_support::process::assert_all_gone;
use pcl_test_support::{Run, Scratch, run, scratch, write};
use serde_json::{Value, json};

/// A directory with programs on the PATH.
struct Place(Scratch);

impl Place {
    /// A place whose `pulumi` notes its arguments and does what a shell script says.
    fn new(name: &str, script: &str) -> Self {
        let place = Self(scratch(&format!("pulumi-command-{name}")));
        let noted = place.path("noted");
        place.program(
            "bin/pulumi",
            &format!("printf '%s ' \"$@\" >> '{0}'\necho >> '{0}'\n{script}", noted.display()),
        );
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn program(&self, path: &str, script: &str) -> PathBuf {
        let path = self.path(path);
        write(&path, format!("#!/bin/sh\n{script}\n"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("permissions");
        path
    }

    /// Runs `pcl pulumi` with words.
    fn pulumi(&self, words: &str) -> Run {
        let mut command = pcl_test_support::command();
        command
            .arg("pulumi")
            .args(words.split_whitespace())
            .current_dir(&*self.0)
            .env("PATH", format!("{}:/usr/bin:/bin", self.path("bin").display()));
        run(command, b"")
    }

    #[track_caller]
    fn fails(&self, words: &str, said: &str) {
        let run = self.pulumi(words);
        assert!(run.status == 2 && run.stderr.contains(said), "{}: {}", run.status, run.stderr);
    }

    /// The arguments of each start of `pulumi`.
    fn noted(&self) -> Vec<String> {
        let text = fs::read_to_string(self.path("noted")).unwrap_or_default();
        text.lines().map(|line| line.trim_end().to_owned()).collect()
    }
}

/// The command itself.
fn this() -> PathBuf {
    PathBuf::from(pcl_test_support::command().get_program())
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Prints the list of plugins that `pulumi plugin ls --json` prints.
fn lists(plugins: &Value) -> String {
    format!("if [ \"$2\" = ls ]; then cat <<'END'\n{plugins}\nEND\nfi")
}

#[test]
fn pulumi_installs_this_command_under_another_name() {
    let place = Place::new("install", "");
    let run = place.pulumi("install yaml python yaml");
    let said = "installed pcl-python: `pulumi convert --language pcl-python`\n\
                installed pcl-yaml: `pulumi convert --language pcl-yaml`\n\
                installed the converter pcl-yaml: `pulumi convert --from pcl-yaml`\n";
    assert_eq!((run.status, run.stdout.as_str(), run.stderr.as_str()), (0, "", said));
    let this = this();
    let install = |plugin: &str| {
        format!("plugin install {plugin} {VERSION} --reinstall --file {}", this.display())
    };
    let command = |language| install(&format!("language pcl-{language}"));
    let converter = install("converter pcl-yaml");
    assert_eq!(place.noted(), [command("python"), command("yaml"), converter.clone()]);

    assert_eq!(place.pulumi("install").status, 0);
    let mut all = ["typescript", "python", "go", "java", "yaml"].map(command).to_vec();
    all.push(converter);
    assert_eq!(place.noted()[3..], all);
    place.fails("install json", "invalid value 'json'");
}

#[test]
fn what_pulumi_says_is_shown_when_it_fails() {
    let place = Place::new("failing", "echo 'the disk is full' >&2; exit 7");
    for command in ["install", "status", "uninstall"] {
        place.fails(command, "ended with status 7");
        place.fails(command, "the disk is full");
    }
    let place = Place::new("talking", "echo Hello");
    place.fails("status", "`pulumi plugin ls --json` printed something else");
    fs::remove_file(place.path("bin/pulumi")).expect("a file");
    place.fails("install", "there is no `pulumi` in the directories of `PATH`");
}

#[test]
fn what_is_installed_is_removed() {
    let plugins = json!([
        { "name": "pcl-yaml", "kind": "language", "version": "0.0.1" },
        { "name": "pcl-yaml", "kind": "converter", "version": "0.0.1" },
        { "name": "pcl-python", "kind": "resource", "version": "0.0.1" },
    ]);
    let place = Place::new("uninstall", &lists(&plugins));
    let run = place.pulumi("uninstall python yaml");
    let said = "pcl-python is not installed\nremoved pcl-yaml\nremoved the converter pcl-yaml\n";
    assert_eq!((run.status, run.stderr.as_str()), (0, said));
    let removed = ["language", "converter"].map(|kind| format!("plugin rm {kind} pcl-yaml --yes"));
    assert_eq!(place.noted(), [&["plugin ls --json".to_owned()], &removed[..]].concat());
}

#[test]
fn the_status_tells_what_is_old_and_what_is_missing() {
    let plugins = json!([
        { "name": "pcl-yaml", "kind": "language", "version": "0.0.1" },
        { "name": "pcl-python", "kind": "language", "version": VERSION },
    ]);
    let place = Place::new("status", &lists(&plugins));
    let host = place.program("bin/pulumi-language-python", "");
    let run = place.pulumi("status");
    let missing = |runtime: &str| {
        format!(
            "missing: Pulumi's language host `pulumi-language-{runtime}` is neither on the PATH \
             nor beside the command `pulumi`; it is a part of Pulumi, whose directory has to be on \
             the PATH"
        )
    };
    let said = format!(
        "pcl-typescript\n  plugin    not installed; `pcl pulumi install typescript`\n  \
         host      {}\npcl-python\n  plugin    {VERSION}\n  host      {}\npcl-go\n  \
         plugin    not installed; `pcl pulumi install go`\n  host      {}\npcl-java\n  \
         plugin    not installed; `pcl pulumi install java`\n  host      {}\npcl-yaml\n  \
         plugin    0.0.1; `pcl pulumi install` installs {VERSION}\n  host      {}\n\
         the converter pcl-yaml\n  plugin    not installed; `pcl pulumi install yaml`\n",
        missing("nodejs"),
        host.display(),
        missing("go"),
        missing("java"),
        missing("yaml"),
    );
    assert_eq!((run.status, run.stdout), (0, said));

    let run = place.pulumi("status --output-format json");
    let status: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let python = json!({
        "language": "python", "plugin": "pcl-python", "installed": [VERSION],
        "host": host.to_str(), "launcher": null,
    });
    assert_eq!(status["languages"][1], python);
    assert_eq!(status["converter"], json!({ "plugin": "pcl-yaml", "installed": [] }));
    assert_eq!(status["version"], VERSION);
    assert_eq!(status["pulumi"], json!(place.path("bin/pulumi")));
}

#[test]
fn launchers_are_links_to_this_command() {
    let place = Place::new("launchers", &lists(&json!([])));
    let launchers = place.path("bin");
    let host = |runtime: &str| launchers.join(format!("pulumi-language-{runtime}"));
    let run = place.pulumi("install --shadow bin");
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stderr.starts_with("wrote bin/pulumi-language-nodejs\n"), "{}", run.stderr);
    for runtime in ["nodejs", "python", "go", "java", "yaml"] {
        assert_eq!(fs::read_link(host(runtime)).ok(), Some(this()));
    }
    // `pulumi` itself was not asked.
    assert!(place.noted().is_empty());
    assert_eq!(place.pulumi("install yaml --shadow bin").status, 0);
    let status = place.pulumi("status").stdout;
    let line = format!("launcher  {}\n", host("yaml").display());
    assert!(status.contains(&line), "{status}");

    let run = place.pulumi("uninstall python yaml --shadow bin");
    let said = "removed bin/pulumi-language-python\nremoved bin/pulumi-language-yaml\n";
    assert_eq!((run.status, run.stderr.as_str()), (0, said));
    assert!(host("nodejs").symlink_metadata().is_ok());
    let run = place.pulumi("uninstall python --shadow bin");
    let said = "there is no launcher bin/pulumi-language-python\n";
    assert_eq!((run.status, run.stderr.as_str()), (0, said));
    let run = place.pulumi("uninstall --shadow bin");
    let said = "removed bin/pulumi-language-nodejs\nremoved bin/pulumi-language-go\nremoved bin/pulumi-language-java\n";
    assert_eq!((run.status, run.stderr.as_str()), (0, said));
    let left = fs::read_dir(&launchers).expect("a directory").count();
    assert_eq!(left, 1, "`pulumi` alone");
}

#[test]
fn launchers_belong_to_commands_of_any_name() {
    let place = Place::new("renamed", "");
    for name in ["pcl-0.1.0", "wrapped"] {
        let renamed = place.path(name);
        fs::copy(this(), &renamed).expect("a copy");
        for words in ["install yaml", "install yaml", "uninstall yaml"] {
            let mut command = std::process::Command::new(&renamed);
            command
                .arg("pulumi")
                .args(words.split(' '))
                .args(["--shadow", "launchers"])
                .current_dir(&*place.0)
                .env("PATH", "/usr/bin:/bin");
            let run = run(command, b"");
            assert_eq!(run.status, 0, "{name} {words}: {}", run.stderr);
        }
        assert_eq!(fs::read_dir(place.path("launchers")).expect("a directory").count(), 0);
    }
}

#[test]
fn programs_of_others_are_left_alone() {
    let place = Place::new("others", "");
    let host = place.program("bin/pulumi-language-python", "echo real");
    let real = fs::read(&host).expect("a file");
    symlink("/opt/pulumi/pulumi-language-yaml", place.path("bin/pulumi-language-yaml")).unwrap();
    for words in ["install --shadow bin", "install yaml --shadow bin"] {
        place.fails(words, "is not a launcher of `pcl`; choose another directory");
    }
    // All or none.
    assert!(!place.path("bin/pulumi-language-nodejs").exists());
    // What is ours is removed, and nothing else.
    assert_eq!(place.pulumi("install typescript --shadow bin").status, 0);
    let run = place.pulumi("uninstall --shadow bin");
    let said = "removed bin/pulumi-language-nodejs\n";
    assert_eq!((run.status, run.stderr.as_str()), (0, said));
    assert_eq!(fs::read(&host).expect("a file"), real);
    assert!(place.path("bin/pulumi-language-yaml").symlink_metadata().is_ok());

    // A `pcl` that is gone left its launcher behind.
    let gone = place.path("launchers/pulumi-language-yaml");
    fs::create_dir(place.path("launchers")).expect("a directory");
    symlink("/gone/pcl", &gone).expect("a link");
    assert_eq!(place.pulumi("install yaml --shadow launchers").status, 0);
    assert_eq!(fs::read_link(&gone).ok(), Some(this()));
}

#[test]
fn an_interrupt_ends_pulumi_too() {
    let place = Place::new("interrupt", "");
    let sleeping = place.path("sleeping");
    place.program("bin/pulumi", &format!("sleep 600 & echo $! > '{}'; wait", sleeping.display()));
    let mut command = pcl_test_support::command();
    command
        .args(["pulumi", "install"])
        .env("PATH", format!("{}:/usr/bin:/bin", place.path("bin").display()));
    let mut child = command.spawn().expect("a process");
    let process = loop {
        let noted = fs::read_to_string(&sleeping).unwrap_or_default();
        if let Some(process) = noted.strip_suffix('\n') {
            break process.to_owned();
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    };
    let id = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(id, rustix::process::Signal::INT).expect("a signal");
    child.wait().expect("an end");
    assert_all_gone(&[process]);
}

/// Runs `pcl` under another name.
fn named(place: &Place, name: &str, arguments: &[&str]) -> Run {
    let link = place.path(name);
    symlink(this(), &link).expect("a link");
    let mut command = std::process::Command::new(&link);
    command.args(arguments);
    run(command, b"")
}

#[test]
fn the_name_of_the_program_decides_what_it_is() {
    let place = Place::new("names", "");
    for (name, said) in [
        ("pulumi-language-pcl", "The language host of PCL"),
        ("pulumi-language-pcl-python", "Pulumi's language host\n`pulumi-language-python`."),
        ("pulumi-language-nodejs", "Pulumi's language host\n`pulumi-language-nodejs`."),
    ] {
        let run = named(&place, name, &["--help"]);
        assert!(run.status == 0 && run.stdout.contains(said), "{name}: {}", run.stdout);
    }
    let run = named(&place, "pulumi-language-yaml", &["--version"]);
    assert_eq!((run.status, run.stdout), (0, format!("{VERSION}\n")));
    let run = named(&place, "pulumi-language-pcl-yaml", &["nowhere"]);
    assert_eq!(run.status, 1);
    let said = "pulumi-language-pcl-yaml: `nowhere` is not an address: the port is missing\n";
    assert_eq!(run.stderr, said);
    assert!(named(&place, "other", &["--version"]).stdout.starts_with("pcl "));
}
