//! The programs of `tests/spec/run`, the pages about evaluation.
//!
//! `PCL_SDK_GENERATOR` is the command of `tests/engine/sdk`, which makes the SDKs of the schemas of
//! the pages; without it, the test is skipped. The directory `PCL_CORPUS_KEEP` keeps the programs
//! and projects. `pages.json` lists those that differ, with the reasons.

use std::path::{Path, PathBuf};
use std::process::Command;

use pcl_test_support::mocks::corpus::Comparison;
use pcl_test_support::mocks::pages;
use pcl_test_support::skip;

use crate::installed;
use crate::programs::TypeScript;

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
    let known = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mocks/pages.json");
    let mut comparison = Comparison::new(&known);
    pages::compare(&mut comparison, work, |schemas, work| {
        let sdks = work.join("sdks");
        std::fs::create_dir_all(&sdks).expect("a directory");
        let made = Command::new(&generator).args([schemas, &*sdks]).output();
        let made = made.expect("the generator can be run");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        Box::new(TypeScript::prepare(work, &sdks, &node_modules))
    });
    comparison.finish(|_| true);
}
