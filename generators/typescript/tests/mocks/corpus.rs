//! Programs of others: each registers what the evaluator registers, in an update where providers
//! answer with values, and in a preview where resources have none.
//!
//! `PCL_CORPUS_SDKS` is a directory with the SDKs of `../shared/corpus/schemas/SET` in `SET`, as
//! `tests/engine/sdk` writes them, for one or more sets; without it, the test is skipped. The
//! directory `PCL_CORPUS_KEEP` keeps the programs and projects, and of `PCL_CORPUS_STEP` programs
//! one is taken. `corpus.json` lists those that differ, with the reasons. The modules are not
//! checked for their types, which `tests/typescript` does.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pcl::SchemaPlaces;
use pcl::document::Document;
use pcl::schema::Loader;
use pcl_test_support::corpora::Corpus;
use pcl_test_support::engine::evaluated_with;
use pcl_test_support::{root, skip, sorted};
use serde_json::{Value as Json, json};

use crate::answers::{config, responses};
use crate::compare::{Marks, lost};
use crate::installed;
use crate::programs::{Translated, link, read, run, write_program_with};

/// The sets of programs, with the directories of their schemas.
const SETS: [(&str, &str); 3] = [
    ("examples", "providers"),
    ("conformance", "conformance"),
    ("conformance-274", "conformance-274"),
];

#[test]
fn programs_of_the_corpora_register_what_the_evaluator_registers() {
    let Some(sdks) = std::env::var_os("PCL_CORPUS_SDKS").map(PathBuf::from) else {
        return skip("PCL_REQUIRE_CORPUS_SDKS", "PCL_CORPUS_SDKS is not set".to_owned());
    };
    let node_modules = match installed::node_modules() {
        Ok(place) => place,
        Err(complaint) => return skip("PCL_REQUIRE_MOCKS", complaint),
    };
    let temporary = tempfile::tempdir().expect("a directory");
    let kept = std::env::var_os("PCL_CORPUS_KEEP").map(PathBuf::from);
    let step = std::env::var("PCL_CORPUS_STEP").map_or(1, |step| step.parse().expect("a number"));
    let work = kept.as_deref().unwrap_or(temporary.path());
    let mut comparison = Comparison::new("corpus.json");
    let there = SETS.into_iter().filter(|(_, schemas)| sdks.join(schemas).is_dir());
    let there: Vec<_> = there.collect();
    assert!(!there.is_empty(), "{} has no SDKs", sdks.display());
    for &(set, schemas) in &there {
        let corpus = root().join("../shared/corpus");
        let places = Places {
            programs: corpus.join("programs").join(set),
            schemas: corpus.join("schemas").join(schemas),
            sdks: sdks.join(schemas),
            node_modules: node_modules.clone(),
        };
        let set = Set::prepare(&work.join(set), places, set);
        comparison.add(&set, step);
    }
    let is_tried =
        |id: &str| step == 1 && there.iter().any(|(set, _)| id.starts_with(&format!("{set}-")));
    comparison.finish(is_tried);
}

/// A comparison of what programs register with what the evaluator registers.
pub struct Comparison {
    /// The reasons of those that differ, by program.
    known: serde_json::Map<String, Json>,
    complaints: Vec<String>,
    differing: BTreeSet<String>,
    count: usize,
}

impl Comparison {
    /// A comparison that allows the differences of a file in this directory.
    pub fn new(known: &str) -> Self {
        let known = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mocks").join(known);
        Self {
            known: read(&known).as_object().cloned().expect("reasons by program"),
            complaints: Vec::new(),
            differing: BTreeSet::new(),
            count: 0,
        }
    }

    /// Runs one of `step` programs of a set, in an update and in a preview.
    pub fn add(&mut self, set: &Set, step: usize) {
        let programs = set.programs(step);
        for (phase, is_preview) in [("update", false), ("preview", true)] {
            let found = set.differences(&programs, is_preview).into_iter();
            for (id, found) in found.filter(|(_, found)| !found.is_empty()) {
                if !self.known.contains_key(&id) {
                    self.complaints.push(format!("=== {id} {phase}\n{}", found.join("\n")));
                }
                self.differing.insert(id);
            }
        }
        self.count += programs.len();
    }

    /// Fails if a program differs without a reason, or does not differ in spite of one. `is_tried`
    /// tells by its id if a program is among those that were run.
    pub fn finish(self, is_tried: impl Fn(&str) -> bool) {
        let Self { known, complaints, differing, count } = self;
        let differ = complaints.len();
        assert!(complaints.is_empty(), "{}\n{differ} of {count}", complaints.join("\n"));
        let same = known.keys().filter(|id| !differing.contains(*id) && is_tried(id));
        let same: Vec<_> = same.collect();
        assert!(same.is_empty(), "no differences any more: {same:?}");
        println!("{count} programs register what the evaluator registers, but {}", differing.len());
    }
}

/// The directories of a set of programs.
pub struct Places {
    pub programs: PathBuf,
    pub schemas: PathBuf,
    pub sdks: PathBuf,
    pub node_modules: PathBuf,
}

/// Programs with the same schemas.
pub struct Set {
    work: PathBuf,
    corpus: Corpus,
    /// The directory of the programs.
    directory: PathBuf,
    loader: Arc<dyn Loader>,
    /// The SDKs, by name and version.
    sdks: BTreeMap<(String, String), PathBuf>,
    name: String,
}

impl Set {
    pub fn prepare(work: &Path, places: Places, name: &str) -> Self {
        let Places { programs: directory, schemas, sdks, node_modules } = places;
        let places = SchemaPlaces { directories: vec![schemas.clone()], ..SchemaPlaces::default() };
        let corpus = Corpus::new(vec![schemas], &directory);
        fs::create_dir_all(work).expect("a directory");
        link(&node_modules, &work.join("node_modules"));
        let sdks = std::path::absolute(sdks).expect("the SDKs");
        // An SDK looks for Pulumi's above its own place.
        let above = sdks.join("node_modules");
        if above.is_symlink() {
            fs::remove_file(&above).expect("a link");
        }
        link(&node_modules, &above);
        let mut found = BTreeMap::new();
        for version in sorted(&sdks).iter().filter(|path| !path.ends_with("node_modules")) {
            for scope in sorted(version) {
                for sdk in sorted(&scope) {
                    found.insert((file_name(&sdk), file_name(version)), sdk);
                }
            }
        }
        Self {
            work: work.to_owned(),
            corpus,
            directory,
            loader: places.loader(None),
            sdks: found,
            name: name.to_owned(),
        }
    }

    /// The valid programs, with what providers answer and the configuration that they need; each is
    /// translated and has its SDKs.
    fn programs(&self, step: usize) -> Vec<Json> {
        let mut programs = Vec::new();
        for path in self.corpus.programs.iter().step_by(step) {
            let below = path.strip_prefix(&self.directory).expect("it is below");
            let id = format!("{}-{}", self.name, below.to_str().expect("text").replace('/', "-"));
            let Some(files) = texts(path) else { continue };
            let mut program = json!({ "id": id, "files": files, "waits": true });
            let translated = write_program_with(&self.work, &program, self.loader.clone());
            let Some(Translated { document, is_partial: false }) = translated else { continue };
            program["config"] = config(&document);
            program["responses"] = responses(&document);
            self.link_sdks(&document, &self.work.join("programs").join(&id));
            programs.push(program);
        }
        programs
    }

    fn link_sdks(&self, document: &Document, place: &Path) {
        for package in &document.packages {
            let version = package.version.as_ref().map(ToString::to_string).unwrap_or_default();
            let exact = self.sdks.get(&(package.name.clone(), version));
            let any =
                || self.sdks.iter().find(|((name, _), _)| *name == package.name).map(|it| it.1);
            let Some(sdk) = exact.or_else(any) else { continue };
            let scope = sdk.parent().expect("a scope").file_name().expect("a name");
            let scope = place.join("node_modules").join(scope);
            fs::create_dir_all(&scope).expect("a directory");
            link(sdk, &scope.join(&package.name));
        }
    }

    /// The differences between the run of each program and its evaluation, by id.
    fn differences(&self, programs: &[Json], is_preview: bool) -> Vec<(String, Vec<String>)> {
        let mut programs = programs.to_vec();
        for program in &mut programs {
            program["isPreview"] = json!(is_preview);
            let answers = program["responses"].as_object_mut().expect("responses");
            let without_id = answers.values_mut().filter(|answer| answer.get("id").is_none());
            for answer in without_id.filter(|_| !is_preview) {
                // Some programs need a number.
                answer["id"] = json!("17");
            }
        }
        let results = run(&self.work, &programs.iter().collect::<Vec<_>>());
        let of_program = |program: &Json| {
            let id = program["id"].as_str().expect("an id");
            let evaluated = evaluated_with(program, is_preview, self.loader.clone(), Some(1));
            let (outcome, events) = evaluated.expect("the checker accepted it");
            let result = &results[id];
            let found = match (outcome.outputs.is_none(), result["error"].as_str()) {
                // What fails in the language may go on in JavaScript.
                (true, _) => Vec::new(),
                (false, Some(error)) => vec![format!("  error: {error}")],
                (false, None) => {
                    let run = result["events"].as_array().expect("events");
                    lost(&unversioned(&events), &unversioned(run), Marks::OfProperties)
                }
            };
            (id.to_owned(), found)
        };
        programs.iter().map(of_program).collect()
    }
}

/// Requests without the version that a class of an SDK sends of its own.
fn unversioned(events: &[Json]) -> Json {
    let mut events = events.to_vec();
    for event in &mut events {
        if let Some(request) = event["request"].as_object_mut() {
            request.remove("pluginDownloadURL");
            request.remove("version");
        }
    }
    Json::Array(events)
}

/// The files of a program; `None` if one of them is not text.
fn texts(program: &Path) -> Option<Json> {
    if program.is_file() {
        return Some(json!({ "main.pp": fs::read_to_string(program).ok()? }));
    }
    let mut files = serde_json::Map::new();
    let mut open = vec![program.to_owned()];
    while let Some(directory) = open.pop() {
        for path in sorted(&directory) {
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let name = path.strip_prefix(program).expect("it is below").to_str()?.to_owned();
            files.insert(name, json!(fs::read_to_string(&path).ok()?));
        }
    }
    Some(Json::Object(files))
}

fn file_name(path: &Path) -> String {
    path.file_name().expect("a name").to_str().expect("text").to_owned()
}
