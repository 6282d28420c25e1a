//! The programs of `tests/spec/run`, the pages about evaluation: each registers what the evaluator
//! registers, in an update and in a preview.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::Language;
use super::corpus::{Comparison, Places, Set};
use crate::programs::{Program, pages, programs};
use crate::{root, write};

/// Compares the programs of all pages. `language` makes the SDKs of the schemas in a directory, and
/// runs projects in another one.
pub fn compare(
    comparison: &mut Comparison,
    work: &Path,
    language: impl Fn(&Path, &Path) -> Box<dyn Language>,
) {
    for (name, same_schemas) in sets() {
        let work = work.join(&name);
        let places = Places { programs: work.join("pages"), schemas: work.join("schemas") };
        write_set(&places, &same_schemas);
        let work = work.join("set");
        let language = language(&places.schemas, &work);
        comparison.add(&Set::new(&work, places, &name, language), 1);
    }
}

/// The programs of the pages, those with the same schemas together.
fn sets() -> Vec<(String, Vec<Program>)> {
    let mut sets: Vec<(String, Vec<Program>)> = Vec::new();
    for page in pages(&root().join("tests/spec/run")) {
        let name = page.file_stem().expect("a name").to_str().expect("text");
        let mut by_schemas: BTreeMap<BTreeMap<String, String>, Vec<Program>> = BTreeMap::new();
        for program in programs(name, &std::fs::read_to_string(&page).expect("a page")) {
            by_schemas.entry(program.schemas.clone()).or_default().push(program);
        }
        let by_schemas = by_schemas.into_values().enumerate();
        sets.extend(by_schemas.map(|(at, programs)| (format!("{name}-{at}"), programs)));
    }
    sets
}

/// Writes the programs and their schemas, and generates the SDKs of these.
fn write_set(places: &Places, programs: &[Program]) {
    std::fs::create_dir_all(&places.schemas).expect("a directory");
    for program in programs {
        for (file, text) in &program.schemas {
            write_packed(&places.schemas.join(format!("{file}.gz")), text);
        }
        let directory = places.programs.join(format!("line{}", program.line));
        for (file, text) in &program.files {
            let shown = if file == "main.pp" { outputs(text) } else { String::new() };
            write(&directory.join(file), format!("{text}{shown}"));
        }
    }
}

/// Outputs of the locals whose values a page shows: what a program registers says nothing about
/// them otherwise.
fn outputs(text: &str) -> String {
    let shown = text.lines().filter(|line| line.contains("# value: "));
    let names = shown.filter_map(|line| line.split_once('=')).map(|(name, _)| name.trim());
    let is_name = |name: &&str| !name.is_empty() && name.chars().all(char::is_alphanumeric);
    let output = |name| format!("output \"shown-{name}\" {{\n  value = {name}\n}}\n");
    names.filter(is_name).map(output).collect()
}

/// Writes a schema as those of the corpora are.
pub fn write_packed(path: &Path, text: &str) {
    let file = File::create(path).expect("a file");
    let mut packed = GzEncoder::new(file, Compression::fast());
    packed.write_all(text.as_bytes()).and_then(|()| packed.try_finish()).expect("a packed file");
}
