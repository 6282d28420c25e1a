//! The lints are those of the catalogue. `tests/spec/lints` has a page for each.

use pcl_binder::Lints;

#[test]
fn the_catalogue_has_group_and_default_of_every_lint() {
    for code in Lints::codes() {
        assert!(code.group().is_some(), "{code} has no group");
        assert!(Lints::all().contains(code), "{code}");
        assert_eq!(Lints::default().contains(code), code.is_default(), "{code}");
    }
}
