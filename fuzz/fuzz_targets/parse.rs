//! Any bytes give tokens and a tree that keep their laws and every byte; every diagnostic can be
//! rendered.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let tree = pcl_fuzz::check_text(bytes);
    let _ = pcl_syntax::dump(&tree);
});
