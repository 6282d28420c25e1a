//! The known weaknesses of Pulumi's own binder, one by one: what happens here instead.
//!
//! Each test bears the number of the weakness. Those that cannot occur in this crate are named at the end, with the reason; the last
//! test sees to it that no number is left out.

mod components;
mod expressions;
mod names;
mod packages;
mod resources;
#[path = "../support/mod.rs"]
mod support;

use std::time::{Duration, Instant};

/// Far more than any of these programs takes, even in a debug build on a busy machine; far less than the reference takes for them.
const PATIENCE: Duration = Duration::from_secs(20);

#[track_caller]
fn assert_quick(start: Instant) {
    let took = start.elapsed();
    assert!(took < PATIENCE, "took {took:?}");
}

/// What cannot occur in this crate, and why.
const ELSEWHERE: &[(u8, &str)] = &[
    (
        30,
        "names of classes are made by code generators; a component is known by its directory, which is unique",
    ),
    (
        56,
        "nothing here panics on a program, so nobody has to guard a call; the other tests and the fuzz targets see to that",
    ),
    (
        59,
        "nothing is run here; every option of a read and of a component is in the model, for whoever runs it",
    ),
];

#[test]
fn every_weakness_has_a_test_or_a_reason() {
    let source = [
        include_str!("components.rs"),
        include_str!("expressions.rs"),
        include_str!("names.rs"),
        include_str!("packages.rs"),
        include_str!("resources.rs"),
    ]
    .concat();
    for number in 1..=59_u8 {
        let tested = source.contains(&format!("fn w{number:02}_"))
            || source.contains(&format!("_and_w{number:02}_"));
        let explained = ELSEWHERE
            .iter()
            .any(|&(listed, reason)| listed == number && !reason.is_empty());
        assert!(tested != explained, "weakness {number}");
    }
}
