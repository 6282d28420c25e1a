//! Generated programs: each registers what the evaluator registers, in an update and in a preview.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::compare::{Marks, lost, unforeseen};
use super::{Language, Translated, write_program};
use crate::engine::{Lab, evaluated};
use crate::mixed::mixed_program;

/// The programs of some seeds that the checker accepts and that the evaluator runs to their end.
pub struct Mixed {
    programs: Vec<Program>,
    count: u64,
}

/// A generated program.
pub struct Program {
    /// Its seed.
    pub seed: u64,
    /// Its name in complaints.
    pub id: String,
    request: Json,
    /// The requests of the evaluator in an update.
    updated: Json,
}

impl Mixed {
    /// Writes the projects of the programs of some seeds below a directory. `schema` is that of the
    /// package that they use, and `see` gets what was translated.
    pub fn write(
        language: &dyn Language,
        work: &Path,
        seeds: Range<u64>,
        schema: &Json,
        mut see: impl FnMut(&Translated),
    ) -> Self {
        let count = seeds.end - seeds.start;
        let mut programs = Vec::new();
        for seed in seeds {
            let request = mixed_program(seed);
            let loader = Arc::new(Lab::new(schema));
            let Some(translated) = write_program(language, work, &request, loader) else {
                continue;
            };
            let id = request["id"].as_str().expect("an id").to_owned();
            language.give_sdks(&translated.document, &work.join("programs").join(&id));
            see(&translated);
            let Some((outcome, events)) = evaluated(&request, false, schema, Some(1)) else {
                continue;
            };
            if outcome.outputs.is_some() {
                programs.push(Program { seed, id, request, updated: Json::Array(events) });
            }
        }
        Self { programs, count }
    }

    /// The programs.
    pub fn programs(&self) -> &[Program] {
        &self.programs
    }

    /// Runs the programs, and adds what differs to the complaints.
    pub fn compare(&self, language: &dyn Language, work: &Path, complaints: &mut Vec<String>) {
        for (phase, is_preview) in [("update", false), ("preview", true)] {
            let requests = self.programs.iter().map(|program| {
                let mut request = program.request.clone();
                request["isPreview"] = json!(is_preview);
                request
            });
            let requests: Vec<Json> = requests.collect();
            let results = language.run(work, &requests.iter().collect::<Vec<_>>());
            for program in &self.programs {
                let given = &results[&program.id];
                let found = match given["error"].as_str() {
                    Some(error) => vec![format!("  error: {error}")],
                    None if is_preview => unforeseen(&program.updated, &given["events"]),
                    None => {
                        let has_length = program.request["files"].to_string().contains("length(");
                        let compared = if has_length { Marks::None } else { Marks::All };
                        lost(&program.updated, &given["events"], compared)
                    }
                };
                if !found.is_empty() {
                    complaints.push(format!("=== {} {phase}\n{}", program.id, found.join("\n")));
                }
            }
        }
    }

    /// Fails if there are complaints, or if too few programs were compared.
    pub fn finish(&self, complaints: &[String]) {
        let (differ, all) = (complaints.len(), self.programs.len());
        assert!(complaints.is_empty(), "{}\n{differ} of {all}", complaints.join("\n"));
        assert!(all as u64 >= self.count * 4 / 5, "only {all} of {} are valid", self.count);
    }
}
