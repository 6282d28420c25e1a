//! Any bytes go all the way through the front end, and keep the laws of every layer.
#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use pcl::Workspace;
use pcl_fuzz::{check_program, workspaces};

fuzz_target!(|bytes: &[u8]| {
    static WORKSPACES: OnceLock<[Workspace; 2]> = OnceLock::new();
    check_program(WORKSPACES.get_or_init(workspaces), bytes);
});
