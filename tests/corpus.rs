//! A snapshot of every program of the corpus: its source, the trees of its smaller files, the
//! output of `pcl check` and the bound model. In addition, `valid/` must be accepted, `broken/`
//! must not, and `corpus/README.md` must list each program with its purpose.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use libtest_mimic::{Arguments, Failed, Trial};
use pcl_test_support::{SCHEMAS, corpus, file_name, items, pcl, root, sorted, text};
use serde_json::Value;

/// Files above this many bytes are shown without their tree, which would be too long.
const TREE_LIMIT: usize = 300;

/// The programs of `broken/` that are accepted all the same, with warnings.
const ACCEPTED_WITH_WARNINGS: [&str; 2] = ["heredoc-at-end", "warnings"];

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = vec![
        Trial::test("every purpose is listed", every_purpose_is_listed),
        Trial::test("every snapshot has a program", every_snapshot_has_a_program),
        Trial::test("the picture of the README shows what is said", the_picture_shows_what_is_said),
    ];
    for kind in ["valid", "broken"] {
        for name in corpus(kind) {
            let directory = root().join("corpus").join(kind).join(&name);
            trials.push(Trial::test(format!("{kind}/{name}"), move || {
                snapshot(kind, &name, &directory)
            }));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// The `.pp` files directly in a directory.
fn sources(directory: &Path) -> Vec<PathBuf> {
    sorted(directory)
        .into_iter()
        .filter(|path| path.extension().is_some_and(|e| e == "pp"))
        .collect()
}

fn snapshot(kind: &str, name: &str, directory: &Path) -> Result<(), Failed> {
    let path = format!("corpus/{kind}/{name}");
    let check = pcl(["check", "--schema-dir", SCHEMAS, &path]);
    let refused = kind == "broken" && !ACCEPTED_WITH_WARNINGS.contains(&name);
    let bound =
        pcl(["dump", "bound", "--output-format", "json", "--schema-dir", SCHEMAS, &path]).json();

    let mut out = String::new();
    for file in sources(directory) {
        let bytes = std::fs::read(&file)?;
        let shown = String::from_utf8_lossy(&bytes);
        section(&mut out, &file_name(&file), &escape(&shown));
        if !bytes.is_empty() && bytes.len() <= TREE_LIMIT {
            let file_path = format!("{path}/{}", file_name(&file));
            let tree = pcl(["dump", "tree", &file_path]);
            section(&mut out, &format!("tree of {}", file_name(&file)), &tree.stdout);
        }
    }
    section(&mut out, &format!("check: exit status {}", check.status), &escape(&check.stdout));
    section(&mut out, "model", &model(&bound, directory));

    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join("tests/snapshots").join(kind));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, out));

    if check.status != i32::from(refused) {
        return Err(format!("exit status {}\n{}", check.status, check.stdout).into());
    }
    Ok(())
}

fn section(out: &mut String, title: &str, body: &str) {
    let _ = writeln!(out, "──── {title} ────");
    out.push_str(body);
    if !body.is_empty() && !body.ends_with('\n') {
        out.push('\n');
    }
}

/// Makes the characters visible that a snapshot would lose or an editor would hide.
fn escape(text: &str) -> String {
    text.replace('\u{feff}', "\\u{feff}").replace('\r', "\\r")
}

/// Types above this many characters are shown once, and then by the node that has them.
const TYPE_LIMIT: usize = 60;

/// The bound program, a line for each node and expression, each expression with its text.
fn model(bound: &Value, directory: &Path) -> String {
    let mut out = String::new();
    let mut known: BTreeMap<&str, &str> = BTreeMap::new();
    for node in items(bound, "nodes") {
        let ty = text(node, "type");
        if ty.len() > TYPE_LIMIT {
            known.entry(ty).or_insert(text(node, "name"));
        }
    }
    for node in items(bound, "nodes") {
        let _ = write!(out, "{} {}", text(node, "kind"), text(node, "name"));
        if text(node, "logical_name") != text(node, "name") {
            let _ = write!(out, " called {:?}", text(node, "logical_name"));
        }
        if !text(node, "token").is_empty() {
            let _ = write!(out, " of {}", text(node, "token"));
        }
        let name = text(node, "name");
        match known.get(text(node, "type")) {
            Some(&other) if other != name => {
                let _ = writeln!(out, ": as `{other}`");
            }
            _ => {
                let _ = writeln!(out, ": {}", text(node, "type"));
            }
        }
        if !text(node, "input_type").is_empty() {
            let _ = writeln!(out, "  takes {}", text(node, "input_type"));
        }
        let needs: Vec<_> = items(node, "dependencies").filter_map(Value::as_str).collect();
        if !needs.is_empty() {
            let _ = writeln!(out, "  needs {}", needs.join(", "));
        }
        for expression in items(node, "expressions") {
            let ty = text(expression, "type");
            let ty = match known.get(ty) {
                Some(name) => format!("as `{name}`"),
                None => ty.to_owned(),
            };
            let _ = writeln!(
                out,
                "  {}..{} {} {} : {}",
                expression["start"],
                expression["end"],
                text(expression, "kind"),
                excerpt(expression, directory),
                ty
            );
        }
    }
    for package in items(bound, "packages") {
        let _ = writeln!(out, "package {} {}", text(package, "name"), text(package, "version"));
    }
    let order: Vec<_> = items(bound, "order").filter_map(Value::as_str).collect();
    if !order.is_empty() {
        let _ = writeln!(out, "order {}", order.join(", "));
    }
    out
}

/// The text of an expression, on one line, the middle of a long one left out.
fn excerpt(expression: &Value, directory: &Path) -> String {
    let read = || {
        let bytes = std::fs::read(directory.join(text(expression, "file"))).ok()?;
        let start = usize::try_from(expression["start"].as_u64()?).ok()?;
        let end = usize::try_from(expression["end"].as_u64()?).ok()?;
        Some(String::from_utf8_lossy(bytes.get(start..end)?).into_owned())
    };
    let Some(source) = read() else { return "`?`".to_owned() };
    let line = source.split_whitespace().collect::<Vec<_>>().join(" ");
    let characters: Vec<char> = line.chars().collect();
    if characters.len() <= 48 {
        return format!("`{line}`");
    }
    let head: String = characters[..30].iter().collect();
    let tail: String = characters[characters.len() - 14..].iter().collect();
    format!("`{head} … {tail}`")
}

/// The first line of each program states its purpose, and the list of the corpus states the same,
/// for these programs and no others.
fn every_purpose_is_listed() -> Result<(), Failed> {
    let whole = std::fs::read_to_string(root().join("corpus/README.md"))?;
    for kind in ["valid", "broken"] {
        let (_, list) =
            whole.split_once(&format!("## `{kind}/`")).ok_or("corpus/README.md lacks a section")?;
        let list = list.split("\n## ").next().unwrap_or_default();
        let rows = list.lines().filter_map(|line| {
            let (name, purpose) = line.strip_prefix("| `")?.split_once("` | ")?;
            Some((name.to_owned(), purpose.trim_end_matches(" |").to_owned()))
        });
        let rows: BTreeMap<String, String> = rows.collect();
        let names = corpus(kind);
        if let Some(gone) = rows.keys().find(|name| !names.contains(name)) {
            return Err(format!("corpus/README.md lists {kind}/{gone}, which is gone").into());
        }
        for name in names {
            let directory = root().join("corpus").join(kind).join(&name);
            let row = rows
                .get(&name)
                .ok_or_else(|| format!("corpus/README.md does not list {kind}/{name}"))?;
            let first =
                sources(&directory).into_iter().min_by_key(|file| file_name(file) != "main.pp");
            let bytes = first.map(std::fs::read).transpose()?.unwrap_or_default();
            let source = String::from_utf8_lossy(&bytes);
            let line = source.lines().next().unwrap_or_default();
            let says = line.split_once(" purpose: ").map(|(_, purpose)| purpose);
            if says.is_some_and(|purpose| purpose != row) {
                return Err(format!("{kind}/{name}: {says:?} is listed as {row:?}").into());
            }
            if row.is_empty() {
                return Err(
                    format!("corpus/README.md does not say what {kind}/{name} is for").into()
                );
            }
        }
    }
    Ok(())
}

/// A program that is gone leaves nothing behind: no snapshot, and no name on a list.
fn every_snapshot_has_a_program() -> Result<(), Failed> {
    for kind in ["valid", "broken"] {
        let names = corpus(kind);
        for snapshot in sorted(&root().join("tests/snapshots").join(kind)) {
            let name = file_name(&snapshot);
            // A test that fails leaves its output behind as `NAME.snap.new`, which git ignores.
            let is_pending = name.ends_with(".snap.new");
            if !is_pending && !names.contains(&name.replace(".snap", "")) {
                return Err(format!("{} has no program", snapshot.display()).into());
            }
        }
    }
    let broken = corpus("broken");
    match ACCEPTED_WITH_WARNINGS.iter().find(|name| !broken.iter().any(|other| other == *name)) {
        None => Ok(()),
        Some(gone) => Err(format!("corpus/broken/{gone} is gone").into()),
    }
}

/// The words of `docs/pictures/check.svg` are those of the command that it shows. The script beside
/// it, which draws it, compares colours and places as well.
fn the_picture_shows_what_is_said() -> Result<(), Failed> {
    let picture = std::fs::read_to_string(root().join("docs/pictures/check.svg"))?;
    let mut texts = picture.split("</text>").filter_map(|part| {
        let text = part.rsplit_once('>')?.1;
        let text = text.replace("&lt;", "<").replace("&gt;", ">");
        Some(text.replace("&quot;", "\"").replace("&#x27;", "'").replace("&amp;", "&"))
    });
    let command = texts.nth(1).ok_or("the picture shows no command")?;
    let run = pcl(command.split_whitespace().skip(1));
    let said = format!("{}{}", run.stdout, run.stderr);
    for text in texts.filter(|text| !text.trim().is_empty()) {
        if !said.contains(&text) {
            return Err(format!("{text}\nis not what the command says:\n{said}").into());
        }
    }
    Ok(())
}
