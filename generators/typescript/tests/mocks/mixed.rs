//! Generated programs: each registers what the evaluator registers.
//!
//! `PCL_MIXED_COUNT` is the number of programs, and `PCL_MIXED_SEED` the seed of the first one. The
//! directory `PCL_MIXED_KEEP` keeps the programs and projects.

use std::collections::BTreeSet;
use std::path::PathBuf;

use pcl_test_support::engine::{evaluated, vectors};
use pcl_test_support::mixed::mixed_program;
use pcl_test_support::skip;
use serde_json::Value as Json;

use crate::compare::lost;
use crate::installed;
use crate::programs::{compile, run, write_program};

/// The programs whose modules do not compile, by seed, with the reasons.
const KNOWN: &[(u64, &str)] = &[(
    197,
    "The values of `{}` are of the type `any`, and so is what is computed of them: TypeScript wants \
     types of the parameters of functions that go over it.",
)];

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

#[test]
fn generated_programs_register_what_the_evaluator_registers() {
    let node_modules = match installed::node_modules() {
        Ok(place) => place,
        Err(complaint) => return skip("PCL_REQUIRE_MOCKS", complaint),
    };
    let schema = vectors("registration.json")["schema"].take();
    let (count, first) = (number("PCL_MIXED_COUNT", 450), number("PCL_MIXED_SEED", 1));
    let temporary = tempfile::tempdir().expect("a directory");
    let kept = std::env::var_os("PCL_MIXED_KEEP").map(PathBuf::from);
    let work = kept.as_deref().unwrap_or(temporary.path());
    let mut packages = BTreeSet::from(["lab".to_owned()]);
    let mut programs = Vec::new();
    for seed in first..first + count {
        let program = mixed_program(seed);
        // The checker refuses a few.
        if !write_program(work, &program, &schema, &mut packages) {
            continue;
        }
        let (outcome, events) = evaluated(&program, false, &schema, Some(1)).expect("it is valid");
        if outcome.outputs.is_some() {
            programs.push((seed, program, Json::Array(events)));
        }
    }
    let refused = compile(work, &node_modules, &packages);
    let accepted: Vec<&Json> = programs.iter().map(|(_, program, _)| program).collect();
    let results = run(work, &accepted);
    let mut complaints = Vec::new();
    for (seed, program, events) in &programs {
        let id = program["id"].as_str().expect("an id");
        let mut found: Vec<String> = refused.get(id).cloned().unwrap_or_default();
        let is_known = KNOWN.iter().any(|(known, _)| known == seed);
        if is_known {
            assert!(!found.is_empty(), "{id} compiles");
            found.clear();
        }
        match results[id]["error"].as_str() {
            Some(error) => found.push(format!("  error: {error}")),
            None => {
                let with_marks = !program["files"].to_string().contains("length(");
                found.extend(lost(events, &results[id]["events"], with_marks));
            }
        }
        if !found.is_empty() {
            complaints.push(format!("=== {id}\n{}", found.join("\n")));
        }
    }
    let differ = complaints.len();
    assert!(complaints.is_empty(), "{}\n{differ} of {}", complaints.join("\n"), programs.len());
    let least = count * 4 / 5;
    assert!(programs.len() as u64 >= least, "only {} of {count} are valid", programs.len());
}
