//! Generated programs: each registers what the evaluator registers, in an update and in a preview.
//!
//! `PCL_MIXED_COUNT` is the number of programs, and `PCL_MIXED_SEED` the seed of the first one. The
//! directory `PCL_MIXED_KEEP` keeps the programs and projects.

use std::collections::BTreeSet;
use std::path::PathBuf;

use pcl_test_support::engine::{evaluated, vectors};
use pcl_test_support::mixed::mixed_program;
use pcl_test_support::skip;
use serde_json::{Value as Json, json};

use crate::compare::{Marks, lost, unforeseen};
use crate::installed;
use crate::programs::{compile, run, write_program};

/// The values of `{}` are of the type `any`, and so is what is computed of them: TypeScript wants
/// types of the parameters of functions that go over it.
const UNTYPED: [u64; 7] = [197, 641, 775, 956, 1219, 1665, 1790];

/// TypeScript finds no type for a condition whose branches are lists or objects of different types.
const BRANCHES: [u64; 4] = [1062, 1120, 1968, 2160];

/// The value of a branch is an output, but the condition is constant and never takes it.
const NEVER_TAKEN: [u64; 1] = [2057];

/// Returns true for the seed of a program whose modules do not compile, for one of these reasons.
fn is_known(seed: u64) -> bool {
    [&UNTYPED[..], &BRANCHES, &NEVER_TAKEN].iter().any(|seeds| seeds.contains(&seed))
}

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
    let register = |program: &Json| {
        let (outcome, events) = evaluated(program, false, &schema, Some(1))?;
        outcome.outputs.is_some().then_some(Json::Array(events))
    };
    let (count, first) = (number("PCL_MIXED_COUNT", 450), number("PCL_MIXED_SEED", 1));
    let temporary = tempfile::tempdir().expect("a directory");
    let kept = std::env::var_os("PCL_MIXED_KEEP").map(PathBuf::from);
    let work = kept.as_deref().unwrap_or(temporary.path());
    let mut packages = BTreeSet::from(["lab".to_owned()]);
    let mut programs = Vec::new();
    for seed in first..first + count {
        let program = mixed_program(seed);
        // The checker refuses a few, and some fail.
        if write_program(work, &program, &schema, &mut packages) {
            programs.extend(register(&program).map(|events| (seed, program, events)));
        }
    }
    let refused = compile(work, &node_modules, &packages);
    let mut complaints = Vec::new();
    for (seed, program, _) in &programs {
        let id = program["id"].as_str().expect("an id");
        let errors = refused.get(id).map(Vec::as_slice).unwrap_or_default();
        if is_known(*seed) {
            assert!(!errors.is_empty(), "{id} compiles");
        } else if !errors.is_empty() {
            complaints.push(format!("=== {id}\n{}", errors.join("\n")));
        }
    }
    for (phase, is_preview) in [("update", false), ("preview", true)] {
        let mut requests: Vec<Json> =
            programs.iter().map(|(_, program, _)| program.clone()).collect();
        requests.iter_mut().for_each(|request| request["isPreview"] = json!(is_preview));
        let results = run(work, &requests.iter().collect::<Vec<_>>());
        for (_, program, updated) in &programs {
            let id = program["id"].as_str().expect("an id");
            let given = &results[id];
            let found = match given["error"].as_str() {
                Some(error) => vec![format!("  error: {error}")],
                None if is_preview => unforeseen(updated, &given["events"]),
                None => {
                    let has_length = program["files"].to_string().contains("length(");
                    let compared = if has_length { Marks::None } else { Marks::All };
                    lost(updated, &given["events"], compared)
                }
            };
            if !found.is_empty() {
                complaints.push(format!("=== {id} {phase}\n{}", found.join("\n")));
            }
        }
    }
    let differ = complaints.len();
    assert!(complaints.is_empty(), "{}\n{differ} of {}", complaints.join("\n"), programs.len());
    let least = count * 4 / 5;
    assert!(programs.len() as u64 >= least, "only {} of {count} are valid", programs.len());
}
