//! The law of what the check accepts: a program without unknown values fails in `pcl preview` if
//! and only if `pcl check` reports an error, or a warning of a listed set ([`Avoidable`]), and at
//! the same places.
//!
//! `PCL_TRIAL_CASES=100000 PCL_TRIAL_SEED=7 cargo test --release --test trial` takes so many
//! programs, other ones for each seed. Without it, a few hundred programs are the same in every
//! run.

mod generator;

use std::collections::BTreeSet;
use std::sync::Arc;

use pcl::diagnostics::{Diagnostic, SourceMap};
use pcl::eval::Answers;
use pcl::preview::{OfflineProgram, RunSettings};
use pcl::schema::MemoryLoader;
use pcl::{Avoidable, Checked, Settings, Target, Workspace};
use pcl_test_support::{scratch, write};

use generator::{Generator, SCHEMA};

/// A place in a file, for comparisons of diagnostics of two runs.
type Place = (String, u32, u32);

fn place(sources: &SourceMap, diagnostic: &Diagnostic) -> Place {
    let span = diagnostic.primary;
    let path = sources.path(span.file).to_owned();
    (path, span.range.start(), span.range.end())
}

/// Returns true for an error, and for a warning of the listed set.
fn foretells(diagnostic: &Diagnostic) -> bool {
    diagnostic.is_error() || Avoidable::of(diagnostic).is_some()
}

fn nest(one: &Place, other: &Place) -> bool {
    let holds = |a: &Place, b: &Place| a.1 <= b.1 && b.2 <= a.2;
    one.0 == other.0 && (holds(one, other) || holds(other, one))
}

/// Programs by what becomes of them.
#[derive(Debug, Default)]
struct Outcomes {
    clean: usize,
    bound_with_errors: usize,
    certain: usize,
    avoidable: usize,
}

fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn check(target: &Target, settings: Settings) -> Checked {
    let mut schemas = MemoryLoader::default();
    schemas.add(SCHEMA).expect("the schema is one");
    Workspace::new(settings).with_loader(Arc::new(schemas)).check(target)
}

#[test]
fn what_the_check_accepts_can_run() {
    let cases = variable("PCL_TRIAL_CASES").unwrap_or(600);
    let seed = variable("PCL_TRIAL_SEED").unwrap_or_default();
    let directory = scratch("trial");
    write(&directory.join("there.txt"), "here");
    write(&directory.join("part/main.pp"), generator::PART);
    let target = Target::Path(directory.to_path_buf());
    let mut outcomes = Outcomes::default();
    for case in 0..cases {
        let text = Generator::new(seed.wrapping_mul(1 << 32) + case).program();
        write(&directory.join("main.pp"), &text);
        let checked = check(&target, Settings::default());
        let mut settings = Settings::default();
        settings.options.diagnostics_only = true;
        let dropped = check(&target, settings);
        assert_eq!(dropped.diagnostics, checked.diagnostics, "without bodies:\n{text}");
        let settings = RunSettings {
            project: String::from("project"),
            stack: String::from("stack"),
            working_directory: directory.display().to_string(),
            parallel: 1,
            ..RunSettings::default()
        };
        let untried = Settings { untried: true, ..Settings::default() };
        let bound = check(&target, untried);
        let is_bound = bound.is_valid();
        let program = OfflineProgram::new(bound, settings, Answers::default(), &*directory);
        let preview = program.preview();

        let foretold: BTreeSet<Place> = checked
            .diagnostics
            .iter()
            .filter(|diagnostic| foretells(diagnostic))
            .map(|diagnostic| place(&checked.sources, diagnostic))
            .collect();
        let failed: BTreeSet<Place> = preview
            .diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.is_error())
            .map(|diagnostic| place(&preview.sources, diagnostic))
            .collect();
        let shown = || {
            let lines = |diagnostics: &[Diagnostic]| -> String {
                let line = |it: &Diagnostic| format!("  {:?} {:?}\n", it.code, it.message);
                diagnostics.iter().map(line).collect()
            };
            format!(
                "{text}\ncheck:\n{}preview:\n{}",
                lines(&checked.diagnostics),
                lines(&preview.diagnostics)
            )
        };
        // The content of a file is a value that the check does not know.
        let has_unknown = text.contains("(\"there.txt\")");
        let is_foretold = !foretold.is_empty() || has_unknown && preview.outputs.is_none();
        assert_eq!(preview.outputs.is_none(), is_foretold, "{}", shown());
        // It may end the evaluation of a line before what the check foretells of that line.
        let line = |place: &Place| {
            let before = text.get(..place.1 as usize).unwrap_or_default();
            before.matches('\n').count()
        };
        let both = [(&foretold, &failed), (&failed, &foretold)];
        for (these, those) in both.iter().take(if has_unknown { 1 } else { 2 }) {
            for place in *these {
                let ends =
                    |other: &Place| has_unknown && place.0 == other.0 && line(place) == line(other);
                let mut those = those.iter();
                let is_there = those.any(|other| nest(place, other) || ends(other));
                assert!(is_there, "{place:?} of case {case}:\n{}", shown());
            }
        }
        *match (foretold.is_empty(), is_bound, checked.is_valid()) {
            (true, ..) => &mut outcomes.clean,
            (_, false, _) => &mut outcomes.bound_with_errors,
            (_, _, false) => &mut outcomes.certain,
            _ => &mut outcomes.avoidable,
        } += 1;
    }
    println!("{outcomes:?}");
    let Outcomes { clean, bound_with_errors, certain, avoidable } = outcomes;
    let fewest = [clean, bound_with_errors, certain, avoidable];
    assert!(!fewest.contains(&0), "{fewest:?}");
}

/// A text that is no number or bool is found wherever it comes from.
#[test]
fn texts_that_inputs_cannot_read_are_foretold() {
    for (input, message) in [
        (
            "fast = [\"a\", \"true\"][0]",
            "`fast` of `toy:Car` must be a bool, found the string \"a\"",
        ),
        (
            "parts = [{ size = [\"q\"][0] }]",
            "`parts[0].size` of `toy:Car` must be a number, found the string \"q\"",
        ),
    ] {
        let text = format!("resource car \"toy:index:Car\" {{\n  {input}\n}}\n");
        let checked = check(&Target::text("main.pp", text), Settings::default());
        let found: Vec<&str> = checked.diagnostics.iter().map(|it| it.message.as_str()).collect();
        assert_eq!(found, [message]);
    }
}
