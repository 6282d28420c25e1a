//! The recorded registrations (`tests/vectors/registration.json`): each program registers what is
//! recorded or, where that is wrong, what the evaluator registers. `differences.json` lists the
//! programs that do not, with the reasons; the reason of one that is to be fixed begins with
//! `fault: `.

use std::collections::BTreeSet;
use std::path::Path;

use pcl_test_support::{root, skip};

use crate::installed;
use crate::programs::{compile, read, run, write_program};
use pcl_test_support::mocks::compare::{Given, differences};

/// The number of programs that the checker accepts; it refuses some that fail when they run.
const ACCEPTED: usize = 208;

#[test]
fn programs_register_what_is_recorded() {
    let node_modules = match installed::node_modules() {
        Ok(place) => place,
        Err(complaint) => return skip("PCL_REQUIRE_MOCKS", complaint),
    };
    let document = read(&root().join("tests/vectors/registration.json"));
    let exceptions = read(&root().join("tests/vectors/registration_exceptions.json"));
    let programs = document["programs"].as_array().expect("programs");
    let work = tempfile::tempdir().expect("a directory");
    let work = work.path();
    let mut packages = BTreeSet::from(["lab".to_owned()]);
    let mut accepted = Vec::new();
    for program in programs {
        if write_program(work, program, &document["schema"], &mut packages) {
            accepted.push(program);
        }
    }
    let refused = compile(work, &node_modules, &packages);
    let results = run(work, &accepted);

    let known = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mocks/differences.json"));
    let mut complaints = Vec::new();
    for program in &accepted {
        let id = program["id"].as_str().expect("an id");
        let mut found: Vec<String> = refused.get(id).cloned().unwrap_or_default();
        let given = Given::of(&results[id]);
        if let Some(expected) = Given::recorded(program, &exceptions) {
            found.extend(differences(&expected, &given));
        }
        match (found.is_empty(), known[id].as_str()) {
            (true, None) | (false, Some(_)) => {}
            (true, Some(reason)) => {
                complaints.push(format!("=== {id} is no difference any more: {reason}"));
            }
            (false, None) => complaints.push(format!("=== {id}\n{}", found.join("\n"))),
        }
    }
    let ids: BTreeSet<&str> = accepted.iter().filter_map(|it| it["id"].as_str()).collect();
    for (id, reason) in known.as_object().expect("an object") {
        assert!(reason.as_str().is_some_and(|reason| !reason.is_empty()), "{id}");
        if !ids.contains(id.as_str()) {
            complaints.push(format!("=== {id} is not among the programs"));
        }
    }
    let count = complaints.len();
    assert!(complaints.is_empty(), "{}\n{count} of {}", complaints.join("\n"), ids.len());
    assert_eq!(accepted.len(), ACCEPTED);
}
