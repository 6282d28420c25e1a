//! Programs of others: each registers what the evaluator registers, in an update where providers
//! answer with values, and in a preview where resources have none.
//!
//! `PCL_CORPUS_SETS` names the sets of programs; without it, all are run. The directory
//! `PCL_CORPUS_KEEP` keeps the programs and projects, and of `PCL_CORPUS_STEP` programs one is
//! taken. `corpus.json` lists those that differ, with the reasons.

use std::path::{Path, PathBuf};

use pcl_test_support::mocks::corpus::{Comparison, Places, Set};
use pcl_test_support::{root, skip};

use crate::language::{Golang, Tools};

/// The sets of programs, with the directories of their schemas.
const SETS: [(&str, &str); 2] =
    [("conformance", "conformance"), ("conformance-274", "conformance-274")];

#[test]
fn programs_of_the_corpora_register_what_the_evaluator_registers() {
    let tools = match Tools::find() {
        Ok(tools) => tools,
        Err(complaint) => return skip("PCL_REQUIRE_GO_MOCKS", complaint),
    };
    let corpus = root().join("../shared/corpus");
    if !corpus.is_dir() {
        return skip("PCL_REQUIRE_SHARED", "the shared corpus is not beside this".to_owned());
    }
    let temporary = tempfile::tempdir().expect("a directory");
    let kept = std::env::var_os("PCL_CORPUS_KEEP").map(PathBuf::from);
    let step = std::env::var("PCL_CORPUS_STEP").map_or(1, |step| step.parse().expect("a number"));
    let chosen = std::env::var("PCL_CORPUS_SETS").ok();
    let is_chosen =
        |set: &str| chosen.as_ref().is_none_or(|chosen| chosen.split(' ').any(|each| each == set));
    let work = kept.as_deref().unwrap_or(temporary.path());
    let known = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mocks/corpus.json");
    let mut comparison = Comparison::new(&known);
    let sets: Vec<_> = SETS.into_iter().filter(|(set, _)| is_chosen(set)).collect();
    for &(set, schemas) in &sets {
        let places = Places {
            programs: corpus.join("programs").join(set),
            schemas: corpus.join("schemas").join(schemas),
        };
        let work = work.join(set);
        let sdks = work.join("sdks");
        tools.generate_sdks(&places.schemas, &sdks);
        let language = Golang::new(&tools, &sdks);
        comparison.add(&Set::new(&work, places, set, Box::new(language)), step);
    }
    comparison
        .finish(|id| step == 1 && sets.iter().any(|(set, _)| id.starts_with(&format!("{set}-"))));
}
