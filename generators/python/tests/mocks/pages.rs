//! The programs of `tests/spec/run`, the pages about evaluation. `pages.json` lists those that
//! differ, with the reasons.

use std::path::{Path, PathBuf};

use pcl_test_support::mocks::corpus::Comparison;
use pcl_test_support::mocks::pages;
use pcl_test_support::skip;

use crate::language::{Python, Tools};

#[test]
fn programs_of_the_pages_register_what_the_evaluator_registers() {
    let tools = match Tools::find() {
        Ok(tools) => tools,
        Err(complaint) => return skip("PCL_REQUIRE_PYTHON_MOCKS", complaint),
    };
    let temporary = tempfile::tempdir().expect("a directory");
    let kept = std::env::var_os("PCL_CORPUS_KEEP").map(|kept| PathBuf::from(kept).join("pages"));
    let work = kept.as_deref().unwrap_or(temporary.path());
    let known = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mocks/pages.json");
    let mut comparison = Comparison::new(&known);
    pages::compare(&mut comparison, work, |schemas, work| {
        Box::new(Python::new(&tools, tools.sdks(schemas, &work.join("sdks"))))
    });
    comparison.finish(|_| true);
}
