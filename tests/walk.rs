//! The programs that `-r` finds: ignore files, hidden directories, `--exclude`.

use std::path::Path;
use std::process::Command;

use pcl_test_support::{Scratch, items, run, scratch_outside, skip, text};

const FINE: &str = "a = 1\n";
const TYPO: &str = "a = b\n";

/// A directory of programs, outside of any repository unless the test makes one.
fn place(name: &str, files: &[(&str, &str)]) -> Scratch {
    let place = scratch_outside(&format!("walk-{name}"));
    for (file, content) in files {
        place.write(file, content);
    }
    place
}

/// The programs that `pcl check -r` checks.
#[track_caller]
fn programs(place: &Scratch, arguments: &[&str]) -> Vec<String> {
    let always = ["check", "-r", "--output-format", "json"];
    let programs = place.run_list(&[&always, arguments].concat(), "").json();
    items(&programs, "programs").map(|program| text(program, "path").to_owned()).collect()
}

#[test]
fn ignore_files_of_git_count_in_a_repository() {
    let place = place(
        "git",
        &[
            (".gitignore", "/build/\n*.gen\ndeep/*\n!deep/kept\n"),
            ("build/main.pp", FINE),
            ("sub/build/main.pp", FINE),
            ("sub/.gitignore", "local\n!x.gen\n"),
            ("sub/local/main.pp", FINE),
            ("sub/x.gen/main.pp", FINE),
            ("x.gen/main.pp", FINE),
            ("deep/lost/main.pp", FINE),
            ("deep/kept/main.pp", FINE),
            ("cloned/main.pp", FINE),
            ("local/main.pp", FINE),
        ],
    );
    // Git knows ignore files in repositories only.
    let all = programs(&place, &[]);
    assert_eq!(all.len(), 9, "{all:?}");

    place.write(".git/info/exclude", "cloned\n");
    let kept = ["deep/kept", "local", "sub/build", "sub/x.gen"];
    assert_eq!(programs(&place, &[]), kept);
    assert_eq!(programs(&place, &["sub"]), ["sub/build", "sub/x.gen"]);
    // What somebody names is checked, and so is what is below it.
    assert_eq!(programs(&place, &["build", "x.gen"]), ["build", "x.gen"]);
    let run = place.run_list(&["check", "build/main.pp"], "");
    assert_eq!(run.status, 0, "{}", run.stderr);
}

#[test]
fn a_nested_repository_has_its_own_rules() {
    let place = place(
        "nested",
        &[
            (".git/HEAD", ""),
            (".gitignore", "lost\n"),
            (".pclignore", "gone\n"),
            ("module/.git", "gitdir: ../.git/modules/module\n"),
            (".git/modules/module/info/exclude", "local\n"),
            ("module/lost/main.pp", FINE),
            ("module/gone/main.pp", FINE),
            ("module/local/main.pp", FINE),
            ("lost/main.pp", FINE),
            // The files of a worktree are in a directory that names the shared one.
            ("tree/.git", "gitdir: ../.git/worktrees/tree\n"),
            (".git/worktrees/tree/commondir", "../..\n"),
            (".git/info/exclude", "shared\n"),
            ("tree/shared/main.pp", FINE),
            ("tree/main.pp", FINE),
        ],
    );
    assert_eq!(programs(&place, &[]), ["module/lost", "tree"]);
    assert_eq!(programs(&place, &["module"]), ["module/gone", "module/lost"]);
}

#[test]
fn pclignore_counts_everywhere_and_wins() {
    let place = place(
        "own",
        &[
            (".pclignore", "old\n"),
            ("old/main.pp", FINE),
            ("new/main.pp", FINE),
            ("new/.pclignore", "!/old\n"),
            ("new/old/main.pp", FINE),
            ("new/parts/old/main.pp", FINE),
        ],
    );
    assert_eq!(programs(&place, &[]), ["new", "new/old"]);
    // Rules above the PATH count.
    assert_eq!(programs(&place, &["new/parts", "new"]).len(), 2);
    place.write(".gitignore", "generated\nnew\n");
    place.write("generated/main.pp", FINE);
    place.write(".git/HEAD", "");
    assert_eq!(programs(&place, &[]).len(), 0);
    place.write(".pclignore", "!generated\n");
    assert_eq!(programs(&place, &[]), ["generated", "old"]);
}

#[test]
fn hidden_directories_and_modules_are_skipped_unless_named() {
    let place = place(
        "hidden",
        &[
            (".hidden/main.pp", FINE),
            ("node_modules/x/main.pp", FINE),
            ("a/node_modules/main.pp", FINE),
            ("a/.venv/main.pp", FINE),
            ("a/main.pp", FINE),
            // A hidden file is a part of its program, as it is for Pulumi.
            ("b/.main.pp", FINE),
        ],
    );
    assert_eq!(programs(&place, &[]), ["a", "b"]);
    assert_eq!(programs(&place, &[".hidden"]), [".hidden"]);
    assert_eq!(programs(&place, &["node_modules"]), ["node_modules/x"]);
}

#[test]
fn globs_exclude_what_is_not_named() {
    let files = [
        ("a/main.pp", FINE),
        ("a/vendor/main.pp", FINE),
        ("vendor/x/main.pp", FINE),
        ("b/deep/test-1/main.pp", FINE),
        ("b/deep/test-2/main.pp", FINE),
        ("#odd/main.pp", FINE),
    ];
    let place = place("globs", &files);
    let without = |globs: &[&str]| {
        let flags = globs.iter().flat_map(|glob| ["--exclude", glob]);
        programs(&place, &flags.collect::<Vec<_>>())
    };
    assert_eq!(without(&[]).len(), 6);
    assert_eq!(without(&["vendor", "#odd"]), ["a", "b/deep/test-1", "b/deep/test-2"]);
    assert_eq!(without(&["/vendor", "b", "#*"]), ["a", "a/vendor"]);
    assert_eq!(without(&["*", "!a", "!a/*.pp"]), ["a"]);
    assert_eq!(without(&["test-*", "!test-2", "a", "#odd", "vendor/"]), ["b/deep/test-2"]);
    assert_eq!(without(&["b/**/test-[12]", "v*", "?odd"]), ["a"]);

    // Relative to the current directory, however PATHs are written.
    let absolute = place.join("b").display().to_string();
    for path in ["../b", "./../b", absolute.as_str()] {
        let arguments = ["check", "-r", path, "--exclude", "deep/test-1", "--verbose"];
        let mut command = place.command("");
        command.args(arguments).current_dir(place.join("b"));
        let run = run(command, b"");
        assert!(!run.stderr.contains("test-1"), "{}", run.stderr);
        assert!(run.stderr.contains("test-2"), "{}", run.stderr);
    }
    let named = ["check", "vendor/x/main.pp", "--exclude", "vendor"];
    assert!(place.run_list(&named, "").stderr.contains("checked 1 program"));
    assert_eq!(programs(&place, &["vendor", "--exclude", "vendor"]), ["vendor/x"]);
    let forced = place.run_list(&[&named[..], &["--force-exclude"]].concat(), "");
    assert!(forced.stderr.contains("checked 0 programs"), "{}", forced.stderr);
    assert_eq!(forced.status, 0);

    for (glob, said) in [("", "it is empty"), ("{a", "unclosed")] {
        let run = place.run_list(&["check", "-r", "--exclude", glob], "");
        assert_eq!(run.status, 2);
        assert!(run.stderr.contains(said), "{}", run.stderr);
    }
}

#[test]
fn configurations_exclude_what_is_below_them() {
    let place = place(
        "configured",
        &[
            ("pcl.toml", "exclude = [\"/infra/old\", \"vendor\"]\n"),
            ("vendor/main.pp", FINE),
            ("old/main.pp", FINE),
            ("infra/old/main.pp", FINE),
            ("infra/new/main.pp", FINE),
            ("own/pcl.toml", "exclude = [\"old/\"]\n"),
            ("own/old/main.pp", FINE),
            ("own/vendor/main.pp", FINE),
        ],
    );
    assert_eq!(programs(&place, &[]), ["infra/new", "old", "own/vendor"]);
    assert_eq!(programs(&place, &["own"]), ["own/vendor"]);
    assert_eq!(programs(&place, &["vendor"]), ["vendor"]);
    assert_eq!(programs(&place, &["--isolated"]).len(), 6);
    let more = ["--exclude", "new", "--setting", "exclude=old"];
    assert_eq!(programs(&place, &more), ["own/vendor"]);
    assert!(programs(&place, &["vendor", "--force-exclude"]).is_empty());
    let run = place.run_list(&["fmt", "-r"], "");
    assert_eq!(run.stderr, "0 files reformatted, 3 already formatted\n");

    for glob in ["{a", "[", "a[b"] {
        place.write("pcl.toml", format!("exclude = [\"{glob}\"]\n"));
        for command in ["check", "fmt"] {
            let run = place.run_list(&[command, "-r"], "");
            assert_eq!(run.status, 2);
            let said = format!("in the setting `exclude`, `{glob}` is not a glob: ");
            assert!(run.stderr.contains(&said), "{}", run.stderr);
        }
        let run = place.run_list(&["check", "-r", "--isolated", "--exclude", glob], "");
        assert_eq!(run.status, 2);
        let said = format!("`--exclude`: `{glob}` is not a glob: ");
        assert!(run.stderr.contains(&said), "{}", run.stderr);
    }
}

#[test]
fn excluded_files_are_parts_of_their_program() {
    let place = place(
        "files",
        &[("a/main.pp", "b = c\n"), ("a/made.gen.pp", "c   = d\n"), ("only/made.gen.pp", TYPO)],
    );
    let exclude = ["--exclude", "*.gen.pp"];
    let check = |more: &[&str]| {
        let format = ["check", "-r", "--output-format", "concise"];
        place.run_list(&[&format[..], more].concat(), "")
    };
    let all = check(&[]);
    assert!(all.stdout.contains("a/made.gen.pp:1:7"), "{}", all.stdout);
    assert!(all.stdout.contains("only/made.gen.pp"), "{}", all.stdout);
    // `c` is declared, and nothing is said about its own file.
    let run = check(&exclude);
    assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    assert!(run.stderr.contains("checked 1 program: no errors"), "{}", run.stderr);

    let run = place.run_list(&[&["fmt", "-r"], &exclude[..]].concat(), "");
    assert_eq!(run.stderr, "0 files reformatted, 1 already formatted\n");
    let run = place.run_list(&["fmt", "-r"], "");
    assert_eq!(run.stderr, "1 file reformatted, 2 already formatted\n");
}

#[test]
fn a_search_without_result_says_why() {
    let place = place("nothing", &[("a/main.pp", TYPO), ("main.pp", TYPO), ("x/y/z", "")]);
    let run = place.run_list(&["check", "-r", "--exclude", "*.pp"], "");
    let said = "warning: no programs below `.`, apart from ignored and excluded ones\n\
                checked 0 programs: no errors\n";
    assert_eq!((run.status, run.stderr.as_str()), (0, said));
    let run = place.run_list(&["check", "-r", "x"], "");
    assert!(run.stdout.contains("no `.pp` file"), "{}", run.stdout);
    assert_eq!(run.status, 1);
}

#[test]
fn broken_ignore_files_are_reported_and_the_rest_counts() {
    let place = place(
        "broken",
        &[
            (".pclignore", "{a\nlost\n[\n"),
            ("lost/main.pp", FINE),
            ("a/main.pp", FINE),
            ("a/.pclignore/x", ""),
        ],
    );
    let run = place.run_list(&["check", "-r"], "");
    assert!(run.stderr.contains("/.pclignore:1: `{a` is not a glob: "), "{}", run.stderr);
    assert!(run.stderr.contains("/.pclignore:3: `[` is not a glob: "), "{}", run.stderr);
    assert!(run.stderr.contains("a/.pclignore`: "), "{}", run.stderr);
    assert!(run.stderr.contains("checked 1 program: no errors"), "{}", run.stderr);
    assert_eq!(run.status, 0);
}

/// A pipe would block whoever opens it, and a device has no end.
#[cfg(unix)]
#[test]
fn ignore_files_that_are_no_files_are_not_opened() {
    use std::os::unix::fs::symlink;
    let place = place("devices", &[(".git/HEAD", ""), ("a/main.pp", FINE)]);
    symlink("/dev/zero", place.join(".gitignore")).expect("a link");
    let pipe = Command::new("mkfifo").arg(place.join("a/.pclignore")).status();
    assert!(pipe.expect("mkfifo").success());
    let run = place.run_list(&["check", "-r"], "");
    assert_eq!(run.status, 0);
    assert_eq!(run.stderr.matches("warning: cannot read ").count(), 2, "{}", run.stderr);
    assert!(run.stderr.contains("checked 1 program: no errors"), "{}", run.stderr);
}

#[cfg(unix)]
#[test]
fn links_to_directories_are_followed_only_if_they_are_named() {
    use std::os::unix::fs::symlink;
    let place = place("links", &[("a/main.pp", FINE), ("x/y", "")]);
    symlink("..", place.join("a/up")).expect("a link");
    symlink("../a", place.join("x/link")).expect("a link");
    assert_eq!(programs(&place, &[]), ["a"]);
    assert_eq!(programs(&place, &["x/link"]), ["x/link"]);
    assert_eq!(programs(&place, &["x/link", "--exclude", "/a/main.pp"]).len(), 0);
}

/// Git itself, asked about the same names.
#[test]
fn the_rules_are_those_of_git() {
    let rules = [
        "*.log",
        "/top",
        "dir/",
        "a/b",
        "a/**/z",
        "**/deep",
        "q?",
        "[ab]x",
        "!keep.log",
        "\\#hash",
        "\\!bang",
        "space\\ ",
        "trail   ",
        "# comment",
        "",
        "nested/*",
        "!nested/in",
    ];
    let names = [
        "x.log",
        "top",
        "sub/top",
        "dir",
        "sub/dir",
        "a/b",
        "s/a/b",
        "a/z",
        "a/1/2/z",
        "deep",
        "m/deep",
        "qq",
        "ax",
        "cx",
        "keep.log",
        "#hash",
        "!bang",
        "space ",
        "trail",
        "nested/out",
        "nested/in",
        "x.log/keep.log",
        "keep.log/x.log",
    ];
    let place = place("parity", &[(".gitignore", &(rules.join("\n") + "\n"))]);
    for name in names {
        place.write(&format!("{name}/main.pp"), FINE);
    }
    let git = |arguments: &[&str]| {
        let mut git = Command::new("git");
        git.arg("-C").arg(&*place).args(arguments);
        for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
            git.env_remove(variable);
        }
        git.env("GIT_CONFIG_GLOBAL", "/dev/null").output()
    };
    if git(&["init", "--quiet"]).is_err() {
        return skip("PCL_REQUIRE_GIT", "git cannot be started");
    }
    let listed = git(&["ls-files", "-z", "--others", "--exclude-standard"]).expect("git runs");
    let listed = String::from_utf8(listed.stdout).expect("UTF-8");
    let mut expected: Vec<&str> =
        listed.split('\0').filter_map(|file| file.strip_suffix("/main.pp")).collect();
    expected.sort_by(|a, b| Path::new(a).cmp(Path::new(b)));
    assert!(expected.len() > 4 && expected.len() < names.len(), "{expected:?}");
    assert_eq!(programs(&place, &[]), expected);
}
