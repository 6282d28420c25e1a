//! `hcl-edit` accepts the same texts and sees the same names, labels and nesting in them, except
//! for the documented differences.
#![no_main]

use hcl_edit::structure::Body;
use libfuzzer_sys::fuzz_target;
use pcl_test_support::divergence;

fuzz_target!(|text: &str| {
    let tree = pcl_syntax::parse(text);
    if divergence::shown(text, &tree).is_some() {
        return;
    }
    match text.parse::<Body>() {
        Ok(body) => {
            assert!(!tree.is_refused(), "hcl-edit accepts it: {:?}", tree.errors());
            let (ours, theirs) =
                (divergence::outline(tree.file().body()), divergence::their_outline(&body));
            assert_eq!(ours, theirs);
        }
        Err(error) => assert!(tree.is_refused(), "hcl-edit refuses it: {error}"),
    }
});
