//! Generated programs: each registers what the evaluator registers, in an update and in a preview.
//!
//! `PCL_MIXED_COUNT` is the number of programs, and `PCL_MIXED_SEED` the seed of the first one. The
//! directory `PCL_MIXED_KEEP` keeps the programs and projects.

use std::path::PathBuf;

use pcl_test_support::engine::vectors;
use pcl_test_support::mixed::seeds;
use pcl_test_support::mocks::mixed::Mixed;
use pcl_test_support::mocks::pages::write_packed;
use pcl_test_support::skip;

use crate::language::{Golang, Tools};

#[test]
fn generated_programs_register_what_the_evaluator_registers() {
    let tools = match Tools::find() {
        Ok(tools) => tools,
        Err(complaint) => return skip("PCL_REQUIRE_GO_MOCKS", complaint),
    };
    let temporary = tempfile::tempdir().expect("a directory");
    let kept = std::env::var_os("PCL_MIXED_KEEP").map(PathBuf::from);
    let work = kept.as_deref().unwrap_or(temporary.path());
    let schema = vectors("registration.json")["schema"].take();
    let (schemas, sdks) = (work.join("schemas"), work.join("sdks"));
    std::fs::create_dir_all(&schemas).expect("a directory");
    write_packed(&schemas.join("lab-1.0.0.json.gz"), &schema.to_string());
    tools.generate_sdks(&schemas, &sdks);
    let language = Golang::new(&tools, &sdks);
    let mixed = Mixed::write(&language, work, seeds(150), &schema, |_| {});
    let mut complaints = Vec::new();
    mixed.compare(&language, work, &mut complaints);
    mixed.finish(&complaints);
}
