//! Refactorings of declarations, which change several files or make some.

use std::fs;

use pcl::Target;
use pcl::diagnostics::{Patch, Span, TextEdit, TextRange};
use pcl_ide::{Analysis, NewFile, quick_fixes, refactorings};
use tempfile::TempDir;

use crate::support::{CURSOR, workspace};

/// A program on disk whose `main.pp` marks a selection.
struct Folder {
    folder: TempDir,
    analysis: Analysis,
    selection: Span,
}

impl Folder {
    fn new(text: &str, others: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().expect("a directory");
        let parts: Vec<&str> = text.split(CURSOR).collect();
        let start = parts[0].len() as u32;
        let end =
            if let [_, selected, _] = parts[..] { start + selected.len() as u32 } else { start };
        let plain = parts.concat();
        for (name, text) in others.iter().copied().chain([("main.pp", plain.as_str())]) {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
            fs::write(path, text).expect("a file");
        }
        let analysis = Analysis::new(workspace().check(&Target::Path(folder.path().to_owned())));
        let path = folder.path().join("main.pp");
        let file = analysis.file(&path.to_string_lossy()).expect("the file");
        let selection = Span::new(file, TextRange::new(start, end));
        Self { folder, analysis, selection }
    }

    /// The texts of the files that an action changes or makes, by name.
    fn files(&self, edits: &[TextEdit], created: &[NewFile]) -> Vec<(String, String)> {
        let sources = &self.analysis.checked.sources;
        let mut patch = Patch::default();
        assert!(patch.add(sources, edits), "{edits:?}");
        let changed = patch.files();
        let changed =
            changed.map(|file| (sources.path(file).to_owned(), patch.text(sources, file)));
        let created = created.iter().map(|it| (it.path.clone(), it.text.clone()));
        let name = |path: String| {
            let start = format!("{}/", self.folder.path().display());
            path.strip_prefix(&start).expect("it is in the folder").to_owned()
        };
        changed.chain(created).map(|(path, text)| (name(path), text)).collect()
    }

    /// The files after the refactoring whose title begins like this; `None` if there is none.
    fn refactored(&mut self, title: &str) -> Option<Vec<(String, String)>> {
        let all = refactorings(&mut self.analysis, self.selection);
        let action = all.into_iter().find(|action| action.title.starts_with(title))?;
        Some(self.files(&action.edits, &action.created))
    }
}

/// The files of a result as one text.
fn shown(files: Option<Vec<(String, String)>>) -> String {
    let files = files.expect("it is offered").into_iter();
    files.map(|(name, text)| format!("== {name}\n{text}")).collect()
}

const BUCKETS: &str = "\
config size \"int\" {
}

resource net \"harbor:storage:Bucket\" {
}

# the data
resource ▮data \"harbor:storage:Bucket\" {
  versions = size
  labels = { of = net.url }
}

url = \"${data.url}/x\"
";

#[test]
fn a_resource_becomes_a_component() {
    let found = Folder::new(BUCKETS, &[]).refactored("extract into the component");
    insta::assert_snapshot!(shown(found));
}

#[test]
fn declarations_become_a_component_together() {
    let text = "▮kind = \"x\"\nresource a \"harbor:storage:Bucket\" {\n  labels = { kind = kind }\n}\n\
                resource b \"harbor:storage:Bucket\" {\n  labels = { of = a.url }\n}▮\n\n\
                output url {\n  value = b.url\n}\n";
    let found = Folder::new(text, &[]).refactored("extract into the component");
    insta::assert_snapshot!(shown(found));
}

/// Declarations that mean something else in a component stay.
#[test]
fn not_everything_becomes_a_component() {
    let bucket = "resource ▮a \"harbor:storage:Bucket\" {\n";
    for text in [
        // Named as a whole.
        format!(
            "{bucket}}}\nresource b \"harbor:storage:Bucket\" {{\n  options {{\n    dependsOn = [a]\n  }}\n}}\n"
        ),
        // A path.
        format!("{bucket}  labels = {{ a = readFile(\"./main.pp\") }}\n}}\n"),
        // A parent, and several instances.
        format!("{bucket}  options {{\n    range = 2\n  }}\n}}\n"),
        // No resource.
        "▮a = 1\n".to_owned(),
        // A part of a declaration.
        "resource a \"harbor:storage:Bucket\" {\n  ▮versions = 1▮\n}\n".to_owned(),
    ] {
        let found = Folder::new(&text, &[]).refactored("extract into the component");
        assert_eq!(found, None, "{text}");
    }
}

#[test]
fn repeated_resources_become_one() {
    let bucket = |name: &str, versions: u32| {
        format!("resource {name} \"harbor:storage:Bucket\" {{\n  versions = {versions}\n}}\n\n")
    };
    let text =
        bucket("▮logsEast", 1) + &bucket("logsWest", 2) + "urls = [logsEast.url, logsWest.url]\n";
    let found = Folder::new(&text, &[]).refactored("fold 2 resources");
    insta::assert_snapshot!(shown(found));
}

#[test]
fn a_declaration_moves_to_another_file() {
    let text = "a = 1\n\n# why\n▮b = a # so\n\nc = b\n";
    let mut folder = Folder::new(text, &[("other.pp", "d = c\n")]);
    let others = folder.refactored("move to `other.pp`");
    let new = folder.refactored("move to the new file `moved.pp`");
    insta::assert_snapshot!(shown(others) + &shown(new));
}

#[test]
fn a_missing_output_of_a_component_is_declared() {
    let text = "component c \"./part\" {\n}\na = c.ready▮\n";
    let part = [("part/main.pp", "output done {\n  value = true\n}\n")];
    let mut folder = Folder::new(text, &part);
    let fixes = quick_fixes(&mut folder.analysis, folder.selection);
    let fix = fixes.iter().find(|fix| fix.title == "declare the output `ready` of `c`");
    let files = folder.files(&fix.expect("it is offered").edits, &[]);
    let text = "output done {\n  value = true\n}\n\noutput ready {\n  value = \"\"\n}\n";
    assert_eq!(files, [("part/main.pp".to_owned(), text.to_owned())]);
}
