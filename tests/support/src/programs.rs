//! The programs of Markdown pages, in fenced blocks.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::{sorted, write};

const MAIN: &str = "main.pp";
/// The file of a block of JSON that is a document by itself, to be checked as such: a schema or the
/// state of a stack.
pub const DOCUMENT: &str = "document.json";

/// Every page below a directory, in order.
pub fn pages(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in sorted(directory) {
        if path.is_dir() {
            found.extend(pages(&path));
        } else if path.extension().is_some_and(|e| e == "md") {
            found.push(path);
        }
    }
    found
}

/// A program of a page, with the schemas that were given before it.
pub struct Program {
    /// The heading above it.
    pub heading: String,
    /// The line of the page, from 1.
    pub line: usize,
    pub files: BTreeMap<String, String>,
    pub schemas: BTreeMap<String, String>,
    /// The lowering passes that it goes through, in this order.
    pub passes: Vec<String>,
    /// The arguments of `pcl check` that the block names, such as `--warn unused-local`.
    pub arguments: Vec<String>,
    /// The output of `pcl check` as the page shows it.
    pub output: Option<String>,
    /// The program that all fixes of `pcl check` lead to, if the page shows one.
    pub fixed: Option<String>,
    /// The place of the mistake: `3:5..9`, a line with the columns.
    pub place: Option<String>,
    /// The number of diagnostics.
    pub diagnostics: Option<usize>,
    /// The number of diagnostics of the fixed program.
    pub left: usize,
}

impl Program {
    /// Writes the program and its schemas below a directory and tells where each is.
    pub fn write(&self, directory: &Path) -> (PathBuf, PathBuf) {
        let [program, schemas] = ["program", "schemas"].map(|name| directory.join(name));
        std::fs::create_dir_all(&schemas).expect("a directory can be made");
        for (folder, files) in [(&program, &self.files), (&schemas, &self.schemas)] {
            for (file, contents) in files {
                write(&folder.join(file), contents);
            }
        }
        (program, schemas)
    }
}

/// The programs of a page, by the rules for blocks in `tests/spec/README.md`; `name` is for error
/// messages.
pub fn programs(name: &str, page: &str) -> Vec<Program> {
    let mut heading = String::new();
    let (mut files, mut schemas, mut found) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
    let mut lines = page.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if let Some(title) = line.strip_prefix('#') {
            title.trim_start_matches('#').trim().clone_into(&mut heading);
        }
        let Some(info) = line.strip_prefix("```") else { continue };
        let mut body = String::new();
        loop {
            let (_, line) = lines.next().unwrap_or_else(|| panic!("{name}: a block has no end"));
            if line == "```" {
                break;
            }
            body.push_str(line);
            body.push('\n');
        }
        let mut words = info.split_whitespace();
        let language = words.next().unwrap_or_default();
        let (mut file, mut passes, mut arguments) = (None, Vec::new(), Vec::new());
        let mut ends_with_newline = true;
        let (mut place, mut diagnostics, mut left) = (None, None, 0);
        for word in words {
            match word.split_once('=') {
                None if word == "no-final-newline" => ends_with_newline = false,
                Some(("file", path)) => file = Some(path.to_owned()),
                Some(("place", range)) => place = Some(range.to_owned()),
                Some(("diagnostics", count)) => {
                    diagnostics = Some(count.parse().expect("a number"))
                }
                Some(("left", count)) => left = count.parse().expect("a number"),
                Some(("lower", names)) => passes = names.split(',').map(str::to_owned).collect(),
                Some((option, value)) => {
                    arguments.extend([format!("--{option}"), value.to_owned()]);
                }
                None => arguments.push(format!("--{word}")),
            }
        }
        match (language, file) {
            ("pcl" | "yaml", Some(file)) => {
                files.insert(file, body);
            }
            ("pcl", None) => {
                if !ends_with_newline {
                    body.pop();
                }
                let mut files = std::mem::take(&mut files);
                files.insert(MAIN.to_owned(), body);
                found.push(Program {
                    heading: heading.clone(),
                    line: number + 1,
                    files,
                    schemas: schemas.clone(),
                    passes,
                    arguments,
                    output: None,
                    fixed: None,
                    place,
                    diagnostics,
                    left,
                });
            }
            ("output" | "fixed", None) => {
                let program = found.last_mut();
                let program: &mut Program = program.unwrap_or_else(|| {
                    panic!("{name}: an output belongs to the program before it")
                });
                let shown = Some(body);
                match language {
                    "fixed" => program.fixed = shown,
                    _ => program.output = shown,
                }
            }
            ("json", Some(file)) => {
                let file = file
                    .strip_prefix("schemas/")
                    .unwrap_or_else(|| panic!("{name}: a schema lies in schemas/"));
                schemas.insert(file.to_owned(), body);
            }
            ("json", None) => found.push(Program {
                heading: heading.clone(),
                line: number + 1,
                files: BTreeMap::from([(DOCUMENT.to_owned(), body)]),
                schemas: schemas.clone(),
                passes,
                arguments,
                output: None,
                fixed: None,
                place,
                diagnostics,
                left,
            }),
            ("text", None) => {}
            _ => panic!("{name}: a block of the kind `{info}`"),
        }
    }
    found
}
