//! Any bytes give a tree that keeps its laws and every byte; every finding can be said.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pcl_diagnostics::FileId;

fuzz_target!(|bytes: &[u8]| {
    let tree = pcl_syntax::parse_bytes(bytes);
    tree.verify().expect("the tree keeps its laws");
    assert_eq!(tree.text().len(), bytes.len(), "offsets are those of the file");
    for error in tree.errors() {
        let finding = error.to_diagnostic(FileId(0), &tree);
        assert!(finding.primary.range.end() as usize <= bytes.len());
        assert!(!finding.message.is_empty());
    }
    let _ = pcl_syntax::dump(&tree);
});
