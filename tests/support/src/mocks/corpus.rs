//! Programs of others: each registers what the evaluator registers, in an update where providers
//! answer with values, and in a preview where resources have none.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pcl::SchemaPlaces;
use pcl::schema::Loader;
use serde_json::{Value as Json, json};

use super::answers::{config, responses};
use super::compare::{Marks, lost};
use super::{Language, Translated, write_program};
use crate::corpora::Corpus;
use crate::engine::evaluated_with;
use crate::{root, skip, sorted};

/// Judges sets of programs of the shared corpus, each with the directory of its schemas: `language`
/// makes the language, given the schemas and the directory for their SDKs. The file `known` lists
/// the programs that differ, with the reasons.
///
/// `PCL_CORPUS_SETS` names the sets; without it, all are run. The directory `PCL_CORPUS_KEEP` keeps
/// the programs and projects, and of `PCL_CORPUS_STEP` programs one is taken.
pub fn judge(
    sets: &[(&str, &str)],
    known: &Path,
    language: impl Fn(&Path, &Path) -> Box<dyn Language>,
) {
    let corpus = root().join("../shared/corpus");
    if !corpus.is_dir() {
        return skip("PCL_REQUIRE_SHARED", "the shared corpus is not beside this");
    }
    let temporary = tempfile::tempdir().expect("a directory");
    let kept = std::env::var_os("PCL_CORPUS_KEEP").map(PathBuf::from);
    let step = std::env::var("PCL_CORPUS_STEP").map_or(1, |step| step.parse().expect("a number"));
    let chosen = std::env::var("PCL_CORPUS_SETS").ok();
    let is_chosen =
        |set: &str| chosen.as_ref().is_none_or(|chosen| chosen.split(' ').any(|each| each == set));
    let work = kept.as_deref().unwrap_or(temporary.path());
    let mut comparison = Comparison::new(known);
    let sets: Vec<_> = sets.iter().filter(|(set, _)| is_chosen(set)).collect();
    for &&(set, schemas) in &sets {
        let places = Places {
            programs: corpus.join("programs").join(set),
            schemas: corpus.join("schemas").join(schemas),
        };
        let work = work.join(set);
        let language = language(&places.schemas, &work.join("sdks"));
        comparison.add(&Set::new(&work, places, set, language), step);
    }
    comparison.finish(|id| step == 1 && sets.iter().any(|(set, _)| id.starts_with(&prefix(set))));
}

/// The start of the ids of a set's programs.
fn prefix(set: &str) -> String {
    set.replace('/', "-") + "-"
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
    /// A comparison that allows the differences that a file lists.
    pub fn new(known: &Path) -> Self {
        let known = fs::read(known).expect("a file");
        Self {
            known: serde_json::from_slice(&known).expect("reasons by program"),
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
}

/// Programs with the same schemas.
pub struct Set {
    work: PathBuf,
    corpus: Corpus,
    /// The directory of the programs.
    directory: PathBuf,
    loader: Arc<dyn Loader>,
    language: Box<dyn Language>,
    name: String,
}

impl Set {
    /// The programs in these places, which a language runs in the directory `work`.
    pub fn new(work: &Path, places: Places, name: &str, language: Box<dyn Language>) -> Self {
        let Places { programs: directory, schemas } = places;
        let places = SchemaPlaces { directories: vec![schemas.clone()], ..SchemaPlaces::default() };
        let corpus = Corpus::new(vec![schemas], &directory);
        fs::create_dir_all(work).expect("a directory");
        Self {
            work: work.to_owned(),
            corpus,
            directory,
            loader: places.loader(None),
            language,
            name: name.to_owned(),
        }
    }

    /// The valid programs, with what providers answer and the configuration that they need; each is
    /// translated and has its SDKs.
    fn programs(&self, step: usize) -> Vec<Json> {
        let mut programs = Vec::new();
        for path in self.corpus.programs.iter().step_by(step) {
            let below = path.strip_prefix(&self.directory).expect("it is below");
            let id = prefix(&self.name) + &below.to_str().expect("text").replace('/', "-");
            // A set may be one program.
            let id = id.trim_end_matches('-').to_owned();
            let Some(files) = texts(path) else { continue };
            let mut program = json!({ "id": id, "files": files, "waits": true });
            let language = self.language.as_ref();
            let translated = write_program(language, &self.work, &program, self.loader.clone());
            let Some(Translated { document, is_partial: false }) = translated else { continue };
            program["config"] = config(&document);
            program["responses"] = responses(&document);
            self.language.give_sdks(&document, &self.work.join("programs").join(&id));
            programs.push(program);
        }
        programs
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
        let results = self.language.run(&self.work, &programs.iter().collect::<Vec<_>>());
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
