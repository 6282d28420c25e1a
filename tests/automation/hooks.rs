//! The hooks, in a repository that uses them.

use std::path::{Path, PathBuf};

use pcl_test_support::{Run, Scratch, root, scratch, write};

use super::{run_in, tools};

/// A repository with the hooks and one that uses them.
struct Place {
    scratch: Scratch,
    tools: &'static Path,
}

impl Place {
    /// The hooks are those of the project, except that the program is not built again.
    fn new() -> Option<Self> {
        let place = Self { tools: tools()?, scratch: scratch("hooks") };
        let manifest = std::fs::read_to_string(root().join(".pre-commit-hooks.yaml"));
        let manifest = manifest.expect("it is there");
        assert_eq!(manifest.matches("language: rust\n").count(), 2);
        let manifest = manifest.replace("language: rust\n", "language: system\n");
        write(&place.scratch.join("hooks/.pre-commit-hooks.yaml"), manifest);
        place.commit_all("hooks");
        let commit = place.git("hooks", &["rev-parse", "HEAD"]).stdout;
        let hooks = place.scratch.join("hooks");
        let config = format!(
            "repos:\n- repo: {}\n  rev: {commit}  hooks:\n  - id: pcl-check\n  - id: pcl-fmt\n",
            hooks.display()
        );
        write(&place.user(".pre-commit-config.yaml"), config);
        Some(place)
    }

    fn user(&self, name: &str) -> PathBuf {
        self.scratch.join("user").join(name)
    }

    fn git(&self, directory: &str, arguments: &[&str]) -> Run {
        let directory = self.scratch.join(directory);
        run_in(&directory, self.tools, Path::new("git"), arguments)
    }

    fn commit_all(&self, directory: &str) {
        for arguments in
            [&["init", "--quiet"][..], &["add", "--all"], &["commit", "--quiet", "-m", "x"]]
        {
            let run = self.git(directory, arguments);
            assert_eq!(run.status, 0, "{}", run.stderr);
        }
    }

    fn pre_commit(&self, arguments: &[&str]) -> Run {
        let program = self.tools.join("pre-commit");
        run_in(&self.scratch.join("user"), self.tools, &program, arguments)
    }
}

#[test]
fn the_list_of_hooks_is_valid() {
    let Some(tools) = tools() else { return };
    let arguments = ["validate-manifest", ".pre-commit-hooks.yaml"];
    let run = run_in(root(), tools, &tools.join("pre-commit"), &arguments);
    assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{}", run.stderr);
}

#[test]
fn hooks_check_and_format_what_is_committed() {
    let Some(place) = Place::new() else { return };
    // `b` is declared in another file, which no commit below changes.
    write(&place.user("app/other.pp"), "b = 1\n");
    write(&place.user("broken/main.pp"), "x = nobody\n");
    write(&place.user("skipped/main.pp"), "x = nobody\n");
    write(&place.user("pcl.toml"), "exclude = [\"skipped\"]\n");
    write(&place.user("readme.md"), "x\n");
    place.commit_all("user");

    // All files: one of them has an error.
    let run = place.pre_commit(&["run", "--all-files"]);
    assert_eq!(run.status, 1);
    let failed = |run: &Run, hook: &str| {
        let line = run.stdout.lines().find(|line| line.starts_with(hook));
        line.unwrap_or_else(|| panic!("{}", run.stdout)).ends_with("Failed")
    };
    assert!(failed(&run, "pcl check") && !failed(&run, "pcl fmt"), "{}", run.stdout);
    assert!(run.stdout.contains("broken/main.pp:1:5"), "{}", run.stdout);
    assert!(!run.stdout.contains("skipped/main.pp"), "{}", run.stdout);

    // A commit: only its own files count, as parts of their program.
    assert_eq!(place.pre_commit(&["install"]).status, 0);
    write(&place.user("app/main.pp"), "a=b\n");
    place.git("user", &["add", "--all"]);
    let run = place.git("user", &["commit", "-m", "unformatted"]);
    assert_eq!(run.status, 1);
    assert!(run.stderr.contains("files were modified by this hook"), "{}", run.stderr);
    let text = std::fs::read_to_string(place.user("app/main.pp")).expect("it is there");
    assert_eq!(text, "a = b\n");
    place.git("user", &["add", "--all"]);
    let run = place.git("user", &["commit", "-m", "formatted"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    write(&place.user("readme.md"), "y\n");
    let run = place.git("user", &["commit", "--all", "-m", "another file"]);
    assert!(run.stderr.contains("(no files to check)Skipped"), "{}", run.stderr);

    write(&place.user("app/main.pp"), "a = c\n");
    let run = place.git("user", &["commit", "--all", "-m", "wrong"]);
    assert_eq!(run.status, 1);
    assert!(run.stderr.contains("app/main.pp:1:5"), "{}", run.stderr);
}
