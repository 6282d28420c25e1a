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
        // Needed by what it needs.
        "▮resource a \"harbor:storage:Bucket\" {\n}\n\
         resource b \"harbor:storage:Bucket\" {\n  labels = { of = c }\n}▮\nc = a.url\n"
            .to_owned(),
        // An earlier name, which would be that of a child.
        format!("{bucket}  options {{\n    aliases = [{{ name = \"b\" }}]\n  }}\n}}\n"),
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

/// Asserts that a refactoring makes this of the program.
fn assert_becomes(title: &str, text: &str, expected: &[&str]) {
    let files = Folder::new(text, &[]).refactored(title).expect("it is offered");
    let texts: Vec<&str> = files.iter().map(|(_, text)| &**text).collect();
    assert_eq!(texts, expected);
}

/// Other edits are inside the one line of the block that gets more.
#[test]
fn resources_of_one_line_become_others() {
    let bucket = |name: &str, input: &str| {
        format!("resource {name} \"harbor:storage:Bucket\" {{ {input} }}\n")
    };
    let text = bucket("▮a", "labels = { of = b.url }") + &bucket("b", "");
    let component = "config bUrl \"string\" {\n}\n\nresource a \"harbor:storage:Bucket\" {\n  \
         labels = { of = bUrl }\n  options {\n    \
         aliases = [{ name = \"a\", noParent = true }]\n  }\n}\n";
    let program = "component aGroup \"./aGroup\" {\n  bUrl = b.url\n}\n".to_owned();
    let program = program + &bucket("b", "");
    assert_becomes("extract into the component", &text, &[&program, component]);

    let text = bucket("▮a", "versions = 1") + &bucket("b", "versions = 2");
    let folded = "resource a \"harbor:storage:Bucket\" {\n  versions = range.value\n  options {\n    \
         range = {\n      a = 1\n      b = 2\n    }\n    \
         aliases = [{ name = range.key }]\n  }\n}\n";
    assert_becomes("fold", &text, &[folded]);
}

#[test]
fn names_that_are_no_words_stay_in_quotes() {
    let text = "resource \"▮a b\" \"harbor:storage:Bucket\" {\n}\n";
    let mut folder = Folder::new(text, &[]);
    let files = folder.refactored("extract into the component `./group`").expect("it is offered");
    assert_eq!(files[0].1, "component group \"./group\" {\n}\n");
    assert!(files[1].1.starts_with("resource \"a b\" "), "{}", files[1].1);

    let text = text.to_owned() + "resource for \"harbor:storage:Bucket\" {\n}\n";
    let folded = "resource \"a b\" \"harbor:storage:Bucket\" {\n  options {\n    range = {\n      \
         \"a b\" = \"a b\"\n      \"for\" = \"for\"\n    }\n    \
         aliases = [{ name = range.key }]\n  }\n}\n";
    assert_becomes("fold", &text, &[folded]);
}

/// Inputs and outputs have names of their own, and the names of resources are not those of loops.
#[test]
fn new_names_mean_nothing_else() {
    let part = "output c {\n  value = \"1\"\n}\noutput bC {\n  value = \"2\"\n}\n";
    let text = "component a \"./part\" {\n}\ncomponent aB \"./part\" {\n}\n\
         resource ▮x \"harbor:storage:Bucket\" {\n  \
         labels = { i = a.bC, j = aB.c, k = [for aBC in [\"\"] : a.bC][0] }\n}\n";
    let mut folder = Folder::new(text, &[("part/main.pp", part)]);
    let files = folder.refactored("extract into the component").expect("it is offered");
    assert!(files[0].1.ends_with("{\n  aBC2 = a.bC\n  aBC3 = aB.c\n}\n"), "{}", files[0].1);
    let labels = "labels = { i = aBC2, j = aBC3, k = [for aBC in [\"\"] : aBC2][0] }";
    assert!(files[1].1.contains(labels), "{}", files[1].1);

    let text = "resource ▮up \"harbor:storage:Bucket\" {\n}\n\
         resource upper \"harbor:storage:Bucket\" {\n}\nx = [for up in [1] : upper.url]\n";
    let files = Folder::new(text, &[]).refactored("fold").expect("it is offered");
    assert!(files[0].1.ends_with("x = [for up in [1] : up2[\"upper\"].url]\n"), "{}", files[0].1);
}

#[test]
fn an_input_may_be_null_as_the_config_may_be() {
    let text = "config size \"int\" {\n  nullable = true\n}\n\
         resource ▮a \"harbor:storage:Bucket\" {\n  versions = size\n}\n";
    let files = Folder::new(text, &[]).refactored("extract into the component");
    let component = &files.expect("it is offered")[1].1;
    let config = "config size \"int\" {\n  nullable = true\n}\n";
    assert!(component.starts_with(config), "{component}");
}

/// A resource that another one of them needs, through what is between them.
#[test]
fn resources_that_need_each_other_are_not_folded() {
    let text = "resource ▮a \"harbor:storage:Bucket\" {\n  labels = { of = \"\" }\n}\nc = a.url\n\
         resource b \"harbor:storage:Bucket\" {\n  labels = { of = c }\n}\n";
    assert_eq!(Folder::new(text, &[]).refactored("fold"), None);
}

#[test]
fn line_endings_stay() {
    let bucket = "resource a \"harbor:storage:Bucket\" {\n  labels = {\n    b = <<E\n\nE\n  }\n}\n";
    let text = format!("▮{bucket}▮b = a.url\n").replace('\n', "\r\n");
    let two =
        "resource ▮a \"harbor:storage:Bucket\" {\n}\nresource b \"harbor:storage:Bucket\" {\n}\n";
    for (title, text) in [("extract", text), ("fold", two.replace('\n', "\r\n"))] {
        let files = Folder::new(&text, &[]).refactored(title).expect("it is offered");
        let all = files.iter().map(|(_, text)| text.as_str()).collect::<String>();
        assert_eq!(all.matches('\n').count(), all.matches("\r\n").count(), "{all:?}");
    }
    // Those of a file that a declaration moves to, unless they are part of its value.
    for (text, moved) in
        [("▮a = [\r\n]\r\n", "a = [\n]\n"), ("▮a = <<E\r\nE\r\n", "a = <<E\r\nE\n")]
    {
        let mut folder = Folder::new(text, &[("other.pp", "b = 1\n")]);
        let files = folder.refactored("move to `other.pp`").expect("it is offered");
        assert_eq!(files[1].1, format!("b = 1\n\n{moved}"));
    }
}

#[test]
fn lines_move_to_files_without_errors() {
    // The selection ends where the next declaration begins, and so do those of whole lines.
    let text = "\u{feff}▮a = 1\n\nb = 2\n\n▮c = 3\n";
    let others = [("bad.pp", "d = {\n"), ("good.pp", "e = 1\n")];
    let mut folder = Folder::new(text, &others);
    assert_eq!(folder.refactored("move to `bad.pp`"), None);
    let files = folder.refactored("move to `good.pp`").expect("it is offered");
    let texts: Vec<&str> = files.iter().map(|(_, text)| &**text).collect();
    assert_eq!(texts.len(), 2);
    assert!(texts.contains(&"\u{feff}c = 3\n"), "{texts:?}");
    assert!(texts.contains(&"e = 1\n\na = 1\n\nb = 2\n"), "{texts:?}");
}
