//! The lints that run by default. `tests/spec/lints` has a page for each.

use pcl_binder::Lints;
use pcl_diagnostics::Code;

#[test]
fn what_is_hardly_ever_meant_is_on_by_default() {
    let on: Vec<Code> = Lints::codes()
        .filter(|&code| Lints::default().contains(code))
        .collect();
    assert_eq!(
        on,
        [
            Code::Deprecated,
            Code::TextForResource,
            Code::ForeignInterpolation,
            Code::DateArithmetic
        ]
    );
    assert!(Lints::codes().all(|code| Lints::all().contains(code)));
    assert!(Lints::codes().all(|code| code.id().starts_with("PCL07")));
}
