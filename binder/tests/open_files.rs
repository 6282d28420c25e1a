//! Files whose text counts instead of the one on disk.

use std::path::Path;
use std::sync::Arc;

use pcl_binder::{Bound, OpenFiles, Options, Sources, bind};
use pcl_diagnostics::SourceMap;
use pcl_schema::MemoryLoader;

const COMPONENT: &str = "component inner \"./inner\" {\n}\n";

/// A directory with a program that uses the component in `inner`.
fn directory() -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    let inner = directory.path().join("inner");
    std::fs::create_dir(&inner).expect("a directory inside");
    std::fs::write(directory.path().join("main.pp"), COMPONENT).expect("a file");
    std::fs::write(inner.join("main.pp"), "config size \"int\" {\n}\n").expect("a file");
    directory
}

fn check(directory: &Path, open: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    let shown = directory.to_string_lossy();
    let mut files = OpenFiles::default();
    for (name, text) in open {
        let tree = Arc::new(pcl_syntax::parse(*text));
        files.insert(format!("{shown}/{name}"), tree);
    }
    let mut map = SourceMap::new();
    let (sources, unread) = Sources::read_directory(directory, &shown, &files, &mut map);
    assert_eq!(unread, []);
    let options = Options { open_files: Arc::new(files), ..Options::default() };
    let loader = Arc::new(MemoryLoader::default());
    let Bound { diagnostics, .. } = bind(&sources, &mut map, loader, &options);
    let messages = diagnostics.into_iter().map(|found| found.message);
    let names = sources.files.into_iter().map(|source| source.name);
    (messages.collect(), names.collect())
}

#[test]
fn an_open_file_counts_instead_of_the_one_on_disk() {
    let directory = directory();
    let (messages, _) = check(directory.path(), &[]);
    assert_eq!(messages, ["component `inner` is missing the required input `size`"]);
    let with_input = "component inner \"./inner\" {\n  size = 1\n}\n";
    let (messages, _) = check(directory.path(), &[("main.pp", with_input)]);
    assert_eq!(messages, [""; 0]);
}

/// Neither the files and components of the directory of the process nor those of its project count.
#[test]
fn open_files_may_be_all_there_are() {
    let check = |files: &[(&str, &str)]| {
        let mut open = OpenFiles::default().without_disk();
        for (path, text) in files {
            open.insert(*path, Arc::new(pcl_syntax::parse(*text)));
        }
        let mut map = SourceMap::new();
        let (sources, unread) = Sources::read_directory(Path::new("."), ".", &open, &mut map);
        let options = Options { open_files: Arc::new(open), ..Options::default() };
        let loader = Arc::new(MemoryLoader::default());
        let Bound { diagnostics, .. } = bind(&sources, &mut map, loader, &options);
        let all = unread.into_iter().chain(diagnostics);
        all.map(|found| found.message).collect::<Vec<_>>()
    };
    // There is a directory `src` on the disk.
    let main = ("main.pp", "component inner \"./src\" {\n}\n");
    let messages = check(&[main]);
    assert_eq!(messages, ["there is no directory `src`"]);
    let inner = ("src/main.pp", "config size \"int\" {\n}\n");
    let messages = check(&[main, inner]);
    let missing = "component `inner` is missing the required input `size`";
    assert_eq!(messages, [missing]);
    assert_eq!(check(&[]), ["there is no directory `.`"]);
}

#[test]
fn an_open_file_of_a_component_counts() {
    let directory = directory();
    let optional = "config size \"int\" {\n  default = 1\n}\n";
    let (messages, _) = check(directory.path(), &[("inner/main.pp", optional)]);
    assert_eq!(messages, [""; 0]);
}

#[test]
fn a_file_that_is_not_saved_is_one_of_its_directory() {
    let directory = directory();
    let open = [("a.pp", "a = 1\n"), ("notes.txt", "?"), ("other/b.pp", "b = 2\n")];
    let (_, names) = check(directory.path(), &open);
    assert_eq!(names, ["a.pp", "main.pp"]);
}

#[test]
fn a_component_may_have_open_files_alone() {
    let directory = tempfile::tempdir().expect("a directory");
    let open = [
        ("main.pp", "component a \"./one\" {\n}\n"),
        ("one/main.pp", "component b \"../two\" {\n}\n"),
        ("two/main.pp", "config size \"int\" {\n}\n"),
    ];
    let (messages, _) = check(directory.path(), &open);
    let inner = "component `b` is missing the required input `size`";
    let outer = "the program of component `a` has errors";
    assert!(messages.iter().any(|it| it == inner), "{messages:?}");
    assert_eq!(messages.len(), 2, "{messages:?} {outer}");

    let cycle = [
        ("main.pp", "component a \"./one\" {\n}\n"),
        ("one/main.pp", "component b \"../one\" {\n}\n"),
    ];
    let (messages, _) = check(directory.path(), &cycle);
    let itself = "this component is the program that uses it";
    assert!(messages.iter().any(|it| it == itself), "{messages:?}");
}

#[test]
fn a_missing_directory_is_still_reported() {
    let directory = directory();
    let open = [("main.pp", "component a \"./other\" {\n}\n")];
    let (messages, _) = check(directory.path(), &open);
    assert_eq!(messages.len(), 1, "{messages:?}");
}
