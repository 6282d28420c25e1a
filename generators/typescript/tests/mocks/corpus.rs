//! Programs of others: each registers what the evaluator registers, in an update where providers
//! answer with values, and in a preview where resources have none.
//!
//! `PCL_CORPUS_SDKS` is a directory with the SDKs of `../shared/corpus/schemas/SET` in `SET`, as
//! `tests/engine/sdk` writes them, for one or more sets; without it, the test is skipped. The
//! directory `PCL_CORPUS_KEEP` keeps the programs and projects, and of `PCL_CORPUS_STEP` programs
//! one is taken. `corpus.json` lists those that differ, with the reasons. The modules are not
//! checked for their types, which `tests/typescript` does.

use std::path::{Path, PathBuf};

use pcl_test_support::mocks::corpus::{Comparison, Places, Set};
use pcl_test_support::{root, skip};

use crate::installed;
use crate::programs::TypeScript;

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
    let known = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mocks/corpus.json");
    let mut comparison = Comparison::new(&known);
    let there = SETS.into_iter().filter(|(_, schemas)| sdks.join(schemas).is_dir());
    let there: Vec<_> = there.collect();
    assert!(!there.is_empty(), "{} has no SDKs", sdks.display());
    for &(set, schemas) in &there {
        let corpus = root().join("../shared/corpus");
        let places = Places {
            programs: corpus.join("programs").join(set),
            schemas: corpus.join("schemas").join(schemas),
        };
        let work = work.join(set);
        let language = TypeScript::prepare(&work, &sdks.join(schemas), &node_modules);
        let set = Set::new(&work, places, set, Box::new(language));
        comparison.add(&set, step);
    }
    let is_tried =
        |id: &str| step == 1 && there.iter().any(|(set, _)| id.starts_with(&format!("{set}-")));
    comparison.finish(is_tried);
}
