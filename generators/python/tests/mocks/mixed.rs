//! Generated programs: each registers what the evaluator registers, in an update and in a preview.
//!
//! `PCL_MIXED_COUNT` is the number of programs, and `PCL_MIXED_SEED` the seed of the first one. The
//! directory `PCL_MIXED_KEEP` keeps the programs and projects.

use std::path::{Path, PathBuf};

use pcl_test_support::engine::vectors;
use pcl_test_support::mixed::seeds;
use pcl_test_support::mocks::mixed::Mixed;
use pcl_test_support::mocks::pages::write_packed;
use pcl_test_support::{skip, sorted, write};

use crate::language::{Python, Tools};

#[test]
fn generated_programs_register_what_the_evaluator_registers() {
    let tools = match Tools::find() {
        Ok(tools) => tools,
        Err(complaint) => return skip("PCL_REQUIRE_PYTHON_MOCKS", complaint),
    };
    let temporary = tempfile::tempdir().expect("a directory");
    let kept = std::env::var_os("PCL_MIXED_KEEP").map(PathBuf::from);
    let work = kept.as_deref().unwrap_or(temporary.path());
    let schema = vectors("registration.json")["schema"].take();
    let schemas = work.join("schemas");
    std::fs::create_dir_all(&schemas).expect("a directory");
    write_packed(&schemas.join("lab-1.0.0.json.gz"), &schema.to_string());
    let sdks = tools.sdks(&schemas, &work.join("sdks"));
    repair(&sdks.of("lab", "1.0.0").expect("an SDK"));
    let language = Python::new(&tools, sdks);
    let mixed = Mixed::write(&language, work, seeds(150), &schema, |_| {});
    let mut complaints = Vec::new();
    mixed.compare(&language, work, &mut complaints);
    mixed.finish(&complaints);
}

/// Repairs the differences between Pulumi's SDK and the recorded one: that of a function with an
/// output `list` fails, because the name hides the type, and every request has the version.
fn repair(sdk: &Path) {
    for module in sorted(&sdk.join("pulumi_lab")) {
        if module.extension().is_some_and(|it| it == "py") {
            let text = std::fs::read_to_string(&module).expect("a module");
            let text = text.replace("isinstance(list, list)", "isinstance(list, _builtins.list)");
            write(&module, text.replace("return _version_str", "return None"));
        }
    }
}
