//! Generated programs: each registers what the evaluator registers, in an update and in a preview.
//!
//! `PCL_MIXED_COUNT` is the number of programs, and `PCL_MIXED_SEED` the seed of the first one. The
//! directory `PCL_MIXED_KEEP` keeps the programs and projects.

use std::collections::BTreeSet;
use std::path::PathBuf;

use pcl_test_support::engine::vectors;
use pcl_test_support::mixed::seeds;
use pcl_test_support::mocks::mixed::{Mixed, Program};
use pcl_test_support::skip;

use crate::installed;
use crate::programs::{TypeScript, compile};

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

#[test]
fn generated_programs_register_what_the_evaluator_registers() {
    let node_modules = match installed::node_modules() {
        Ok(place) => place,
        Err(complaint) => return skip("PCL_REQUIRE_MOCKS", complaint),
    };
    let schema = vectors("registration.json")["schema"].take();
    let temporary = tempfile::tempdir().expect("a directory");
    let kept = std::env::var_os("PCL_MIXED_KEEP").map(PathBuf::from);
    let work = kept.as_deref().unwrap_or(temporary.path());
    let language = TypeScript::default();
    let mut packages = BTreeSet::from(["lab".to_owned()]);
    let mixed = Mixed::write(&language, work, seeds(450), &schema, |translated| {
        packages.extend(translated.document.packages.iter().map(|package| package.name.clone()));
    });
    let refused = compile(work, &node_modules, &packages);
    let mut complaints = Vec::new();
    for Program { seed, id, .. } in mixed.programs() {
        let errors = refused.get(id).map(Vec::as_slice).unwrap_or_default();
        if is_known(*seed) {
            assert!(!errors.is_empty(), "{id} compiles");
        } else if !errors.is_empty() {
            complaints.push(format!("=== {id}\n{}", errors.join("\n")));
        }
    }
    mixed.compare(&language, work, &mut complaints);
    mixed.finish(&complaints);
}
