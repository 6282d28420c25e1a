//! Projects that code generators make of the programs of the corpus, and the laws for all of them.

use std::collections::BTreeSet;

use pcl::generated::Project;
use pcl::{Checked, SchemaPlaces, Settings, Target, Workspace};

use crate::{root, sorted};

/// The programs whose projects are compared with what was read and found right.
pub const SHOWN: [&str; 14] = [
    "components",
    "components-mutual",
    "config-attributes",
    "conversions",
    "eventuals",
    "for-expressions",
    "functions-collections",
    "functions-outputs",
    "hooks",
    "invokes",
    "ranges",
    "read",
    "resource-options",
    "webserver",
];

/// A program that was checked with the schemas of the corpus, and is valid.
pub fn checked(target: &Target) -> Checked {
    checked_with(target, Settings::default())
}

/// The same, where the forms of functions that give outputs are preferred.
pub fn checked_for_outputs(target: &Target) -> Checked {
    let mut settings = Settings::default();
    settings.options.prefer_output_versioned_invokes = true;
    checked_with(target, settings)
}

fn checked_with(target: &Target, mut settings: Settings) -> Checked {
    let directories = vec![root().join("corpus/schemas")];
    settings.schemas = SchemaPlaces { directories, ..SchemaPlaces::default() };
    let checked = Workspace::new(settings).check(target);
    assert!(checked.is_valid(), "{}: {:?}", target.display(), checked.diagnostics);
    checked
}

/// The valid programs of the corpus, by name.
pub fn valid_programs() -> Vec<(String, Target)> {
    let directories = sorted(&root().join("corpus/valid")).into_iter().filter(|path| path.is_dir());
    let programs = directories.map(|path| {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        (name, Target::Path(path))
    });
    let programs: Vec<_> = programs.collect();
    assert!(programs.len() > 50);
    programs
}

/// The programs of [`SHOWN`].
pub fn shown_programs() -> Vec<(String, Target)> {
    let mut programs = valid_programs();
    programs.retain(|(name, _)| SHOWN.contains(&name.as_str()));
    assert_eq!(programs.len(), SHOWN.len());
    programs
}

/// A project as one text. Files that all projects share are left out.
pub fn text_of(project: &Project, shared: &[&str]) -> String {
    let mut text = String::new();
    for unsupported in &project.unsupported {
        text.push_str(&format!("not supported: {}\n", unsupported.message));
    }
    for file in project.files.iter().filter(|file| !shared.contains(&&*file.path)) {
        text.push_str(&format!("=== {}\n{}", file.path, file.text));
    }
    text
}

/// Fails unless the paths of a project are unique, its files are empty or end with a line break,
/// and no line ends with a space outside of the texts in these quotes, which may have several
/// lines.
pub fn assert_tidy(name: &str, project: &Project, quotes: &str) {
    let paths: BTreeSet<&str> = project.files.iter().map(|file| &*file.path).collect();
    assert_eq!(paths.len(), project.files.len(), "{name}: a file is there twice");
    let escaped = format!("\\{}", &quotes[..1]);
    for file in &project.files {
        assert!(file.text.is_empty() || file.text.ends_with('\n'), "{name}: {}", file.path);
        let mut is_inside = false;
        for line in file.text.lines() {
            let plain = line.replace("\\\\", "").replace(&escaped, "");
            is_inside ^= plain.matches(quotes).count() % 2 == 1;
            assert!(is_inside || !line.ends_with(' '), "{name}: {line:?}");
        }
        assert!(!is_inside, "{name}: a text of {} has no end", file.path);
    }
}

/// Fails if a name is there twice.
pub fn assert_unique(program: &str, names: &[&str]) {
    let unique: BTreeSet<&str> = names.iter().copied().collect();
    assert_eq!(unique.len(), names.len(), "{program}: {names:?}");
}

/// The number of terms of a sum in [`deep_program`].
pub const TERMS: usize = 50_000;

/// A program with long chains and deep nesting.
pub fn deep_program() -> Target {
    let sum = vec!["1"; TERMS].join(" + ");
    let choice = "true ? 1 : ".repeat(200);
    let list = format!("{}1{}", "[".repeat(200), "]".repeat(200));
    let names: Vec<String> = (0..2000).map(|at| format!("x{at} = x{}\n", at + 1)).collect();
    let text = format!(
        "sum = {sum}\nchoice = {choice} 2\nlist = {list}\n{}x2000 = secret(1)\ny = x0 + 1\n",
        names.concat()
    );
    Target::text("main.pp", text)
}
