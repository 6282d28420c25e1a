//! The time of a re-check after an edit, natively: `recheck SCHEMA BEFORE AFTER TIMES`.
//!
//! It does what `tests/performance/browser.mjs` does in a browser, by the same functions: replaces
//! the text of a file by that of the other one, and asks for its diagnostics. The milliseconds of
//! each time are printed, a line each.

use std::time::Instant;

use pcl_embedded::programs::Programs;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [schema, before, after, times] = arguments.as_slice() else {
        panic!("usage: recheck SCHEMA BEFORE AFTER TIMES");
    };
    let read = |path: &str| std::fs::read(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut programs = Programs::default();
    let added = programs.schemas().add(read(schema));
    added.expect("the schema is one");
    let texts = [read(before), read(after)];
    let times: usize = times.parse().expect("the number of times is a number");
    for number in 0..=times {
        let text = texts[number % 2].clone();
        let start = Instant::now();
        programs.set_file("main.pp", text);
        let found = programs.diagnostics("main.pp").expect("the file is there");
        let time = start.elapsed();
        assert!(found.is_empty(), "{found:?}");
        // The first time is a check from nothing.
        if number > 0 {
            println!("{:.3}", time.as_secs_f64() * 1e3);
        }
    }
}
