//! Every fix is applied, and keeps its promises:
//!
//! - Its edit fits the text, its own diagnostic is gone, and a file that parsed still does.
//! - A safe one also reveals nothing new. A diagnostic is not new if it existed before and was
//!   hidden: it still exists when the fixed place is left out, or it is about an item that could
//!   not be parsed before. A safe fix of a syntax error leaves fewer of them.
//!
//! - An unsafe one writes nothing that is deprecated.
//!
//! - A fix of the quotes of a string keeps its text.
//!
//! - All fixes of a program, applied together as `pcl check --fix` does, end, add no syntax error,
//!   and leave nothing to fix. The safe ones leave no diagnostic that they do not leave one by one.
//!
//! The programs are the corpus, the pages of the catalogue, of the specification and of
//! `tests/newcomers`, the mistakes of `newcomer.md`, the programs and mistakes beside the checkout
//! if they exist, and mutants of them: small changes to the tokens, the same ones in every run.
//!
//! `PCL_FIX_MUTANTS=20 PCL_FIX_SEED=7 cargo test --release --test fixes` takes every program and
//! that many mutants of each, changed in another way for each seed. Without it, a part of the
//! programs beside the checkout is left out. `PCL_FIX_ONLY=newcomer` takes the programs whose names
//! contain this text.

mod inputs;
mod names;
mod options;
mod places;
mod report;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use pcl_test_support::fixes::mutate;
use pcl_test_support::{Random, generated, root, scratch, sorted};
use places::pattern;
use report::{Broken, Report};

/// The default number of mutants of a program.
const MUTANTS: usize = 4;

static REPORT: LazyLock<Report> = LazyLock::new(|| {
    let chosen = variable("PCL_FIX_MUTANTS");
    let seed = variable("PCL_FIX_SEED").unwrap_or_default();
    let scratch = scratch("fixes");
    let sets = inputs::sets(chosen.is_some(), &scratch);
    let programs = sets.iter().flat_map(|set| {
        let programs = set.programs.iter();
        programs.map(move |program| (set, program))
    });
    let work: Vec<_> = (seed..).zip(programs).collect();
    let mut report = Report::default();
    let threads = std::thread::available_parallelism().expect("the machine has processors");
    pcl::in_order(
        &work,
        threads,
        |&(seed, (set, program))| {
            let mutants = chosen.map_or(set.mutants, |chosen| chosen as usize);
            let mut report = Report::default();
            let mut random = Random::new(seed);
            let original = Arc::new(report.check(set, program));
            for _ in 0..mutants {
                let mutant = mutate(program, &original, &mut random);
                report.check(set, &mutant);
            }
            report
        },
        |part| report.add(part),
    );
    report
});

fn variable(name: &str) -> Option<u64> {
    let value = std::env::var(name).ok()?;
    Some(value.parse().expect("a number"))
}

#[test]
fn every_fix_keeps_its_promises() {
    let report = &*REPORT;
    let applied: usize = report.exercised.values().sum();
    println!("{applied} fixes of {} programs", report.programs);
    for (place, count) in &report.exercised {
        println!("{count:8} {place}");
    }
    // Of each kind the shortest.
    let mut kinds: BTreeMap<String, (usize, &Broken)> = BTreeMap::new();
    for broken in &report.broken {
        let (place, kind) = (&broken.place, broken.applicability.as_str());
        let complaint: String = broken.complaint.chars().take(40).collect();
        let (count, shown) =
            kinds.entry(format!("{place} ({kind}): {complaint}")).or_insert((0, broken));
        *count += 1;
        if broken.shown.len() < shown.shown.len() {
            *shown = broken;
        }
    }
    let mut text = String::new();
    for (kind, (count, broken)) in kinds {
        let (program, complaint, shown) = (&broken.program, &broken.complaint, &broken.shown);
        let _ = write!(text, "\n{count} × {kind}\n{program}: {complaint}\n{shown}");
    }
    assert!(report.broken.is_empty(), "{text}");
}

#[test]
fn all_fixes_of_a_program_settle() {
    let mut unsettled: Vec<&String> = REPORT.unsettled.iter().collect();
    unsettled.sort_by_key(|text| text.len());
    unsettled.truncate(5);
    assert!(unsettled.is_empty(), "{unsettled:#?}");
}

#[test]
fn options_are_moved_to_one_block() {
    let seed = variable("PCL_FIX_SEED").unwrap_or_default();
    options::all_in_one_block(seed, &scratch("options"));
}

#[test]
fn no_name_is_declared_twice() {
    let seed = variable("PCL_FIX_SEED").unwrap_or_default();
    names::none_is_declared_twice(seed, &scratch("names"));
}

/// A place that no program reaches any more is untested.
#[test]
fn the_list_of_places_is_generated() {
    let places = REPORT.exercised.keys();
    let text: String = places.map(|place| format!("{place}\n")).collect();
    generated("tests/fixes/places.txt", &text);
}

/// Programs lead to the titles that are written in the sources.
#[test]
fn every_title_is_exercised() {
    let mut titles = Vec::new();
    for folder in ["syntax/src", "newcomers/src", "model/src", "binder/src"] {
        titles_below(&root().join(folder), &mut titles);
    }
    assert!(titles.len() > 40, "{titles:#?}");
    titles.retain(|title| REPORT.exercised.keys().all(|place| place.title != *title));
    assert!(titles.is_empty(), "no program leads to {titles:#?}");
}

/// Adds the titles that sources give to fixes as they are written, with `_` for each argument.
fn titles_below(directory: &Path, titles: &mut Vec<String>) {
    const MAKERS: [&str; 8] = [
        "Fix::safe(",
        "Fix::unsafe_(",
        "Fix::display_only(",
        "c.safe(",
        "c.likely(",
        "self.safe(",
        "self.likely(",
        ".title(",
    ];
    for path in sorted(directory) {
        if path.is_dir() {
            titles_below(&path, titles);
            continue;
        }
        let source = std::fs::read_to_string(&path).expect("a source is text");
        for rest in MAKERS.iter().flat_map(|maker| source.split(maker).skip(1)) {
            let rest = rest.trim_start();
            let rest = rest.strip_prefix("format!(").unwrap_or(rest);
            // A title that is made somewhere else is known by its diagnostics.
            let Some(rest) = rest.strip_prefix('"') else { continue };
            let rest = rest.replace("\\\"", "\0");
            let (title, _) = rest.split_once('"').expect("a string ends");
            // An argument that is a word is a number or a quotation.
            let is_argument = |word: &str| word.starts_with('{') && word.ends_with('}');
            let title = title.replace('\0', "\"");
            let words = title.split(' ');
            let words = words.map(|word| if is_argument(word) { "1" } else { word });
            titles.push(pattern(&words.collect::<Vec<_>>().join(" ")));
        }
    }
}
