//! The programs of `tests/spec/run`, the pages about evaluation: each registers what the evaluator
//! registers, in an update and in a preview.
//!
//! `PCL_SDK_GENERATOR` is the command of `tests/engine/sdk`, which makes the SDKs of the schemas of
//! the pages; without it, the test is skipped. The directory `PCL_CORPUS_KEEP` keeps the programs
//! and projects. `pages.json` lists those that differ, with the reasons.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::Compression;
use flate2::write::GzEncoder;
use pcl_test_support::programs::{Program, pages, programs};
use pcl_test_support::{root, skip, write};

use crate::corpus::{Comparison, Places, Set};
use crate::installed;

#[test]
fn programs_of_the_pages_register_what_the_evaluator_registers() {
    let Some(generator) = std::env::var_os("PCL_SDK_GENERATOR").map(PathBuf::from) else {
        let reason = "PCL_SDK_GENERATOR is not set".to_owned();
        return skip("PCL_REQUIRE_SDK_GENERATOR", reason);
    };
    let node_modules = match installed::node_modules() {
        Ok(place) => place,
        Err(complaint) => return skip("PCL_REQUIRE_MOCKS", complaint),
    };
    let temporary = tempfile::tempdir().expect("a directory");
    let kept = std::env::var_os("PCL_CORPUS_KEEP").map(|kept| PathBuf::from(kept).join("pages"));
    let work = kept.as_deref().unwrap_or(temporary.path());
    let mut comparison = Comparison::new("pages.json");
    for (name, same_schemas) in sets() {
        let work = work.join(&name);
        let places = Places {
            programs: work.join("pages"),
            schemas: work.join("schemas"),
            sdks: work.join("sdks"),
            node_modules: node_modules.clone(),
        };
        write_set(&places, &same_schemas, &generator);
        comparison.add(&Set::prepare(&work.join("set"), places, &name), 1);
    }
    comparison.finish(|_| true);
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
fn write_set(places: &Places, programs: &[Program], generator: &Path) {
    std::fs::create_dir_all(&places.schemas).expect("a directory");
    std::fs::create_dir_all(&places.sdks).expect("a directory");
    for program in programs {
        for (file, text) in &program.schemas {
            write_packed(&places.schemas.join(format!("{file}.gz")), text);
        }
        let directory = places.programs.join(format!("line{}", program.line));
        for (file, text) in &program.files {
            write(&directory.join(file), text);
        }
    }
    let made = Command::new(generator).args([&places.schemas, &places.sdks]).output();
    let made = made.expect("the generator can be run");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
}

fn write_packed(path: &Path, text: &str) {
    let file = File::create(path).expect("a file");
    let mut packed = GzEncoder::new(file, Compression::fast());
    packed.write_all(text.as_bytes()).and_then(|()| packed.try_finish()).expect("a packed file");
}
