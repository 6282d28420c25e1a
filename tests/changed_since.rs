//! `--changed-since` and `--new-lines-since`, with real repositories of git. Without git the tests
//! are skipped, unless `PCL_REQUIRE_GIT` is 1.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::process::Command;

use pcl_test_support::{Run, items, run, skip, text, write};
use tempfile::TempDir;

/// A repository with programs.
struct Repository(TempDir);

impl Repository {
    /// A repository with a commit of these files; `None` without git.
    fn new(name: &str, files: &[(&str, &str)]) -> Option<Self> {
        let builder = tempfile::Builder::new().prefix(&format!("pcl-changed-{name}-")).tempdir();
        let place = Self(builder.expect("a directory can be made"));
        if Command::new("git").arg("--version").output().is_err() {
            skip("PCL_REQUIRE_GIT", "git cannot be started");
            return None;
        }
        place.git(&["init", "--quiet", "--initial-branch=main"]);
        for (file, content) in files {
            place.write(file, content);
        }
        place.commit();
        Some(place)
    }

    fn write(&self, file: &str, content: &str) {
        write(&self.0.path().join(file), content);
    }

    fn remove(&self, file: &str) {
        fs::remove_file(self.0.path().join(file)).expect("it is there");
    }

    #[track_caller]
    fn git(&self, arguments: &[&str]) {
        let output = Command::new("git")
            .current_dir(self.0.path())
            .args(["-c", "user.name=Ada", "-c", "user.email=ada@example.org"])
            .args(["-c", "protocol.file.allow=always"])
            .args(arguments)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env_remove("GIT_DIR")
            .env_remove("GIT_INDEX_FILE")
            .env_remove("GIT_WORK_TREE")
            .output()
            .expect("git runs");
        assert!(
            output.status.success(),
            "{arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }

    fn commit(&self) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "-m", "x"]);
    }

    /// Returns to the last commit.
    fn restore(&self) {
        self.git(&["reset", "--quiet", "--hard"]);
        self.git(&["clean", "--quiet", "-fd"]);
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = pcl_test_support::command();
        command.args(arguments).current_dir(self.0.path());
        command
    }

    fn run(&self, arguments: &[&str]) -> Run {
        run(self.command(arguments), b"")
    }

    /// The programs that changed since a commit.
    #[track_caller]
    fn changed_since(&self, revision: &str, more: &[&str]) -> Vec<String> {
        let always = ["check", "-r", "--output-format", "json", "--changed-since", revision];
        programs(&self.run(&[&always[..], more].concat()))
    }

    #[track_caller]
    fn changed(&self) -> Vec<String> {
        self.changed_since("HEAD", &[])
    }
}

#[track_caller]
fn programs(run: &Run) -> Vec<String> {
    assert!(!run.stderr.contains("error: "), "{}", run.stderr);
    let programs = run.json();
    let paths = items(&programs, "programs").map(|program| text(program, "path").to_owned());
    paths.collect()
}

const FINE: &str = "a = 1\n";
const USER: &str = "component c \"../parts/outer\" {\n}\n";

/// Two programs, one of which has a component with a component.
const FILES: [(&str, &str); 10] = [
    (".gitignore", "*.made.pp\n"),
    ("one/main.pp", FINE),
    ("one/more.pp", FINE),
    ("one/readme.md", "one"),
    ("two/main.pp", USER),
    ("parts/outer/main.pp", "component i \"../inner\" {\n}\n"),
    ("parts/inner/main.pp", FINE),
    ("parts/inner/Pulumi.yaml", "name: inner\n"),
    ("schemas/zoo-1.0.0.json", "{}"),
    ("more/named/zoo-1.0.0.json", "{}"),
];

#[test]
fn a_program_changes_with_its_files() {
    let Some(place) = Repository::new("files", &FILES) else { return };
    assert!(place.changed().is_empty());
    let run = place.run(&["check", "-r", "--changed-since", "HEAD"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, "checked 0 programs: no errors\n"));

    place.write("one/readme.md", "1");
    place.write("one/main.pp", FINE);
    place.write("one/other.made.pp", FINE);
    assert!(place.changed().is_empty(), "other files, the same content, ignored files");

    place.write("one/more.pp", "a = 2\n");
    assert_eq!(place.changed(), ["one"]);
    place.git(&["add", "one/more.pp"]);
    assert_eq!(place.changed(), ["one"], "in the index");
    place.restore();

    place.remove("one/more.pp");
    assert_eq!(place.changed(), ["one"], "deleted");
    place.restore();
    place.write("one/new.pp", FINE);
    assert_eq!(place.changed(), ["one"], "untracked");
    place.git(&["add", "-f", "one/other.made.pp"]);
    place.remove("one/new.pp");
    assert_eq!(place.changed(), ["one"], "ignored, and in the index");
    place.commit();
    assert!(place.changed().is_empty());
    assert_eq!(place.changed_since("HEAD~1", &[]), ["one"]);
    assert_eq!(place.changed_since("main^", &["one", "two"]), ["one"]);
    place.git(&["tag", "-a", "v1", "-m", "v1", "HEAD~1"]);
    assert_eq!(place.changed_since("v1", &[]), ["one"]);

    // A link is what git stores of it, and what it leads to.
    symlink("../one/readme.md", place.0.path().join("two/link.pp")).expect("a link");
    place.commit();
    assert!(place.changed().is_empty());
    place.write("one/readme.md", "2");
    assert_eq!(place.changed(), ["two"]);
}

#[test]
fn a_program_changes_with_its_components_project_and_schemas() {
    let Some(place) = Repository::new("parts", &FILES) else { return };
    let changed_by = |file: &str, more: &[&str]| {
        place.write(file, "# changed\n");
        let changed = place.changed_since("HEAD", more);
        place.restore();
        changed
    };
    assert_eq!(changed_by("parts/outer/main.pp", &[]), ["parts/outer", "two"]);
    let inner = ["parts/inner", "parts/outer", "two"];
    assert_eq!(changed_by("parts/inner/main.pp", &[]), inner);
    assert_eq!(changed_by("parts/inner/new.pp", &[]), inner);
    assert_eq!(changed_by("parts/inner/Pulumi.yaml", &[]), ["parts/inner"]);
    assert_eq!(changed_by("one/Pulumi.yaml", &[]), ["one"]);
    assert_eq!(changed_by("Pulumi.yml", &[]), ["one", "parts/inner", "parts/outer", "two"]);
    assert_eq!(changed_by("pcl.toml", &["one", "two"]).len(), 2);
    assert_eq!(changed_by("one/schemas/zoo.json", &[]), ["one"]);
    // The directories above a program count up to the root of the repository.
    let all = ["one", "parts/inner", "parts/outer", "two"];
    assert_eq!(changed_by("schemas/zoo-1.0.0.json", &[]), all);
    assert_eq!(changed_by("parts/schemas/zoo.json", &[]), ["parts/inner", "parts/outer"]);
    assert!(changed_by("more/named/zoo-1.0.0.json", &[]).is_empty());
    let flag = ["--schema-dir", "more/named", "one"];
    assert_eq!(changed_by("more/named/zoo-1.0.0.json", &flag), ["one"]);
    let flag = ["--schema", "zoo=more/named/zoo-1.0.0.json", "one"];
    assert_eq!(changed_by("more/named/zoo-1.0.0.json", &flag), ["one"]);

    fs::remove_dir_all(place.0.path().join("parts/inner")).expect("it is there");
    assert_eq!(place.changed(), ["parts/outer", "two"]);
}

#[test]
fn single_files_and_whole_programs_are_filtered_too() {
    let Some(place) = Repository::new("single", &FILES) else { return };
    place.write("one/more.pp", "b = 2\n");
    let files = ["one/main.pp", "one/more.pp", "two/main.pp"];
    assert_eq!(place.changed_since("HEAD", &files), ["one/more.pp"]);
    let whole = [&files[..], &["--whole-programs"]].concat();
    assert_eq!(place.changed_since("HEAD", &whole), ["one"]);
    let run = run(place.command(&["check", "-", "--changed-since", "HEAD"]), b"a = 1\n");
    assert_eq!(run.stderr, "checked 1 program: no errors\n");
    // From another directory, and in an environment that git makes for hooks.
    let mut elsewhere = pcl_test_support::command();
    elsewhere.args(["check", "-r", "--output-format", "json", "--changed-since", "HEAD"]);
    elsewhere.arg(place.0.path()).env("GIT_DIR", ".git").env("GIT_INDEX_FILE", ".git/none");
    let found = programs(&pcl_test_support::run(elsewhere, b""));
    assert_eq!(found.len(), 1);
    assert!(found[0].ends_with("/one"), "{found:?}");
}

#[test]
fn fmt_formats_changed_files_only() {
    let files = [("one/a.pp", "a=1\n"), ("one/b.pp", "b=1\n"), ("two/c.pp", "c=1\n")];
    let Some(place) = Repository::new("fmt", &files) else { return };
    place.write("one/b.pp", "b=2\n");
    let run = place.run(&["fmt", "-r", "--check", "--changed-since", "HEAD"]);
    assert_eq!((run.status, run.stdout.as_str()), (1, "one/b.pp\n"), "{}", run.stderr);
    let run = place.run(&["fmt", "-r", "--changed-since", "HEAD"]);
    assert_eq!(run.stderr, "1 file reformatted, 0 already formatted\n");
}

#[test]
fn line_endings_that_git_converted_are_no_change() {
    let Some(place) = Repository::new("crlf", &FILES) else { return };
    place.git(&["config", "core.autocrlf", "true"]);
    place.remove("one/main.pp");
    place.git(&["checkout", "--", "one/main.pp"]);
    let content = fs::read(place.0.path().join("one/main.pp")).expect("it is there");
    assert_eq!(content, b"a = 1\r\n");
    assert!(place.changed().is_empty());
}

#[test]
fn a_repository_may_use_the_longer_hashes() {
    let Some(place) = Repository::new("sha256", &[]) else { return };
    fs::remove_dir_all(place.0.path().join(".git")).expect("it is there");
    place.git(&["init", "--quiet", "--object-format=sha256"]);
    place.write("one/main.pp", FINE);
    place.write("two/main.pp", FINE);
    place.commit();
    place.write("two/main.pp", "a = 2\n");
    assert_eq!(place.changed(), ["two"]);
}

/// Nobody knows what happened outside, and in a repository with commits of its own.
#[test]
fn what_another_repository_has_counts_as_changed() {
    let Some(inner) = Repository::new("inner", &FILES) else { return };
    let Some(place) = Repository::new("outer", &FILES) else { return };
    let url = inner.0.path().display().to_string();
    place.git(&["submodule", "--quiet", "add", &url, "sub"]);
    place.write("three/main.pp", "component c \"../sub/one\" {\n}\n");
    let outside = format!("component c \"{}\" {{\n}}\n", "../".repeat(20) + &url[1..] + "/one");
    place.write("four/main.pp", &outside);
    place.commit();
    let changed = place.changed_since("HEAD", &["one", "two", "three", "four", "sub/one"]);
    assert_eq!(changed, ["three", "four"], "the submodule has not changed since its own commit");
    assert_eq!(place.changed_since("HEAD", &["sub"]), [] as [&str; 0]);
    let run = place.run(&["check", "three", "--changed-since", "HEAD"]);
    assert!(run.stderr.contains("note: what depends on `"), "{}", run.stderr);
}

/// A directory of schemas that is not in the repository, by every way to name it, is named once.
#[test]
fn a_note_names_what_is_not_in_the_repository() {
    let Some(place) = Repository::new("note", &FILES) else { return };
    let outside = tempfile::tempdir().expect("a directory");
    write(&outside.path().join("zoo.json"), r#"{"name": "zoo"}"#);
    let shown = outside.path().display().to_string();
    let note = format!(
        "note: what depends on `{shown}` counts as changed, because that is not in the same \
         repository\n"
    );
    let file = format!("zoo={shown}/zoo.json");
    let programs = ["check", "one", "two", "--changed-since", "HEAD"];
    for flags in [["--schema-dir", &shown], ["--schema", &file]] {
        let run = place.run(&[&programs[..], &flags].concat());
        assert_eq!(run.stderr.matches(&note).count(), 1, "{}", run.stderr);
        assert!(run.stderr.contains("checked 2 programs"), "{}", run.stderr);
    }
    // A program that has changed itself needs no reason.
    place.write("one/main.pp", "a = 3\n");
    let run = place.run(&["check", "one", "--changed-since", "HEAD", "--schema-dir", &shown]);
    assert!(!run.stderr.contains("note: "), "{}", run.stderr);
    place.write("pcl.toml", &format!("schema-dirs = [\"{shown}\"]\n"));
    place.commit();
    let run = place.run(&programs);
    assert_eq!(run.stderr.matches(&note).count(), 1, "{}", run.stderr);
    // A link leads out of it, too.
    place.write("pcl.toml", "");
    symlink(outside.path(), place.0.path().join("one/schemas")).expect("a link");
    place.commit();
    let run = place.run(&programs);
    let link = "note: what depends on `one/schemas` counts as changed";
    assert_eq!(run.stderr.matches(link).count(), 1, "{}", run.stderr);
    assert!(run.stderr.contains("checked 1 program:"), "{}", run.stderr);
}

#[test]
fn names_need_not_be_text() {
    let Some(place) = Repository::new("names", &[("o n\te\n/mäin.pp", FINE), ("b/\"q\".pp", FINE)])
    else {
        return;
    };
    assert!(place.changed().is_empty());
    place.write("o n\te\n/mäin.pp", "a = 2\n");
    assert_eq!(place.changed(), ["o n\te\n"]);
    place.write("b/\"q\".pp", "a = 2\n");
    assert_eq!(place.changed(), ["b", "o n\te\n"]);
}

#[test]
fn errors_are_errors_of_usage() {
    let Some(place) = Repository::new("errors", &FILES) else { return };
    let fails = |arguments: &[&str], said: &str| {
        let run = place.run(arguments);
        assert_eq!(run.status, 2, "{}", run.stderr);
        assert!(run.stderr.contains(said), "{}", run.stderr);
        assert_eq!(run.stdout, "");
    };
    for revision in ["-x", "--output=x", "-", ""] {
        let said = format!("`--changed-since` needs a commit, branch or tag, not `{revision}`");
        fails(&["check", "--changed-since", revision], &said);
        fails(&["fmt", &format!("--changed-since={revision}")], &said);
    }
    for revision in ["nobody", "HEAD~9", "main..HEAD", "HEAD:one", "a b", "$(touch pwned)"] {
        let said = format!("has no commit `{revision}`");
        fails(&["check", "one", "--changed-since", revision], &said);
    }
    assert!(!place.0.path().join("pwned").exists());

    let outside = tempfile::tempdir().expect("a directory");
    write(&outside.path().join("main.pp"), FINE);
    let path = outside.path().display().to_string();
    for command in ["check", "fmt"] {
        let arguments = [command, &path, "--changed-since", "HEAD"];
        fails(&arguments, "cannot compare with a commit: git says of");
        let mut without = place.command(&arguments);
        without.env("PATH", outside.path());
        let run = run(without, b"");
        let said = "there is no git in the absolute directories of PATH";
        assert!(run.status == 2 && run.stderr.contains(said), "{}", run.stderr);
    }
}

/// A repository that names programs wherever git would run one for a change.
#[test]
fn nothing_of_a_repository_is_executed() {
    let Some(place) = Repository::new("hostile", &FILES) else { return };
    let script = place.0.path().join(".git/trap");
    let trace = place.0.path().join(".git/executed");
    write(&script, format!("#!/bin/sh\necho \"$0 $@\" >> '{}'\ncat\n", trace.display()));
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("permissions");
    let trap = script.display().to_string();
    let attributes = "* filter=trap diff=trap merge=trap text=auto working-tree-encoding=UTF-16\n";
    place.write(".git/info/attributes", attributes);
    place.write(".gitattributes", "* filter=trap diff=trap ident\n");
    let hooks = ["post-index-change", "post-checkout", "pre-commit", "reference-transaction"];
    for hook in hooks {
        symlink(&script, place.0.path().join(".git/hooks").join(hook)).expect("a link");
    }
    let settings = [
        "core.fsmonitor",
        "core.pager",
        "core.editor",
        "core.sshCommand",
        "core.gitProxy",
        "core.askPass",
        "core.alternateRefsCommand",
        "diff.external",
        "diff.trap.command",
        "diff.trap.textconv",
        "filter.trap.clean",
        "filter.trap.smudge",
        "filter.trap.process",
        "merge.trap.driver",
        "pager.ls-tree",
        "pager.ls-files",
        "pager.rev-parse",
        "credential.helper",
        "gpg.program",
        "uploadpack.packObjectsHook",
        "trace2.eventTarget",
        "alias.ls-tree",
        "alias.ls-files",
        "alias.rev-parse",
        "remote.origin.uploadpack",
        "interactive.diffFilter",
        "sequence.editor",
    ];
    // Git itself is not run from here on: it would fall into the traps.
    let mut config = fs::read_to_string(place.0.path().join(".git/config")).expect("it is there");
    for setting in settings {
        let (section, key) = setting.rsplit_once('.').expect("a section");
        let header = match section.split_once('.') {
            Some((section, name)) => format!("[{section} \"{name}\"]"),
            None => format!("[{section}]"),
        };
        config += &format!("{header}\n\t{key} = {trap}\n");
    }
    config += "[remote \"origin\"]\n\turl = ext::/bin/sh -c \"touch pwned\"\n\tpromisor = true\n";
    place.write(".git/config", &config);

    // The traps work: git falls into one of them.
    place.write("one/main.pp", "a = 2\n");
    let git = Command::new("git").arg("diff").current_dir(place.0.path()).output();
    git.expect("git runs");
    assert!(trace.exists(), "no trap works");
    fs::remove_file(&trace).expect("it is there");

    assert_eq!(place.changed(), ["one"]);
    let run = place.run(&["fmt", "-r", "--changed-since", "HEAD"]);
    assert!(run.status == 0, "{}", run.stderr);
    // A tree that is missing would be downloaded.
    let objects = place.0.path().join(".git/objects");
    let entries = fs::read_dir(&objects).expect("a directory").flatten();
    for entry in entries.filter(|entry| entry.file_name().len() == 2) {
        fs::remove_dir_all(entry.path()).expect("it can be removed");
    }
    let run = place.run(&["check", "-r", "--changed-since", "HEAD"]);
    assert_eq!(run.status, 2, "{}", run.stderr);
    let executed = fs::read_to_string(&trace).unwrap_or_default();
    assert_eq!(executed, "");
    assert!(!place.0.path().join("pwned").exists());
}

/// Only diagnostics on lines that a commit does not have count.
#[test]
fn only_new_lines_count() {
    let old = "a = nope\nb = 1\nc = lost\n";
    let Some(place) = Repository::new("lines", &[("one/main.pp", old)]) else { return };
    let lines = |revision: &str, flags: &[&str]| {
        let always = ["check", "-r", "--output-format", "concise", "--new-lines-since", revision];
        let run = place.run(&[&always[..], flags].concat());
        let places = run.stdout.lines().map(|line| line.split(": ").next().unwrap_or_default());
        (run.status, places.map(str::to_owned).collect::<Vec<_>>(), run.stderr)
    };
    let (status, places, said) = lines("HEAD", &[]);
    assert_eq!((status, places), (0, Vec::new()));
    assert_eq!(said, "checked 1 program: no errors; left out: 2 on unchanged lines\n");
    // The lines move, one is new, and one is changed.
    place.write("one/main.pp", "# New.\na = nope\nb = gone\nc = [lost]\n");
    let (status, places, said) = lines("HEAD", &[]);
    assert_eq!((status, places), (1, vec!["one/main.pp:3:5".into(), "one/main.pp:4:6".into()]));
    assert!(said.contains("2 errors, 0 warnings; left out: 1 on unchanged lines"), "{said}");
    // A new use of a name that was unknown before.
    place.write("one/main.pp", "a = nope\nb = nope\nc = lost\n");
    let (status, places, said) = lines("HEAD", &[]);
    assert_eq!((status, places), (1, vec!["one/main.pp:1:5".into()]));
    assert!(said.contains("1 error, 0 warnings; left out: 1 on unchanged lines"), "{said}");
    // In a new file, every line is new; the ends of lines do not count.
    place.write("two/main.pp", "a = nope\n");
    place.write("one/main.pp", &old.replace('\n', "\r\n"));
    assert_eq!(lines("HEAD", &[]).1, ["two/main.pp:1:5"]);
    place.commit();
    assert_eq!(lines("HEAD", &[]).1, [""; 0]);
    assert_eq!(lines("HEAD~1", &["two"]).1, ["two/main.pp:1:5"]);

    for (revision, said) in
        [("nowhere", "has no commit `nowhere`"), ("--all", "`--new-lines-since` needs a commit")]
    {
        let run = place.run(&["check", "-r", &format!("--new-lines-since={revision}")]);
        assert!(run.status == 2 && run.stderr.contains(said), "{}", run.stderr);
    }
}

/// A program whose configuration extends a changed file has changed.
#[test]
fn a_change_of_an_extended_configuration_counts() {
    let files = [
        ("base/strict.pcl.toml", "select = [\"unused\"]\n"),
        ("one/main.pp", FINE),
        ("one/pcl.toml", "extend = \"../base/strict.pcl.toml\"\n"),
        ("two/main.pp", FINE),
    ];
    let Some(place) = Repository::new("extended", &files) else { return };
    assert!(place.changed().is_empty());
    place.write("base/strict.pcl.toml", "select = []\n");
    assert_eq!(place.changed(), ["one"]);
}
