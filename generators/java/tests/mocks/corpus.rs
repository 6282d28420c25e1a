//! Programs of others: each registers what the evaluator registers, in an update where providers
//! answer with values, and in a preview where resources have none. `corpus.json` lists those that
//! differ, with the reasons.

use std::path::Path;

use pcl_test_support::mocks::corpus::judge;
use pcl_test_support::skip;

use crate::language::{Java, Tools};

/// The sets of programs, with the directories of their schemas.
const SETS: [(&str, &str); 11] = [
    ("conformance", "conformance"),
    ("conformance-274", "conformance-274"),
    ("codegen/transpiled_examples/random-pp", "providers"),
    ("examples/auth0-3.49.0", "providers"),
    ("examples/cloudflare-5.49.1", "providers"),
    ("examples/command-1.2.1", "providers"),
    ("examples/datadog-4.57.0", "providers"),
    ("examples/docker-5.1.0", "providers"),
    ("examples/github-6.15.0", "providers"),
    ("examples/time-0.1.1", "providers"),
    ("examples/tls-5.5.1", "providers"),
];

#[test]
fn programs_of_the_corpora_register_what_the_evaluator_registers() {
    let tools = match Tools::find() {
        Ok(tools) => tools,
        Err(complaint) => return skip("PCL_REQUIRE_JAVA_MOCKS", complaint),
    };
    let known = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mocks/corpus.json");
    judge(&SETS, &known, |schemas, sdks| Box::new(Java::new(&tools, schemas, sdks)));
}
