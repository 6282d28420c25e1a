//! The cost of `pcl` grows in proportion to its input, whatever the input looks like.
//!
//! Each shape is a family of programs of any size. A command runs over it at 1, 4 and 16 times a
//! base size, below `valgrind --tool=callgrind`, which counts instructions: they are reproducible
//! on busy machines. For a cost of `a + b * n^e`, the two differences between the three counts
//! determine `e` whatever `a` is, so that the cost of starting up does not count. `e` is at most
//! [`MOST`] unless the shape states a reason.
//!
//! `PCL_GROWTH=fast` measures the first command of the shapes whose cost once grew faster,
//! `PCL_GROWTH=full` all commands of all shapes; `PCL_GROWTH_BINARY` is the binary to measure, by
//! default the one that Cargo built for the tests. Without `PCL_GROWTH` nothing is measured.

mod documents;
mod errors;
mod measure;
mod names;
mod programs;
mod runs;
mod schemas;
mod sessions;
mod states;
mod syntax;
mod text;
mod types;

use libtest_mimic::{Arguments, Trial};

use measure::{Growth, is_available, measure};

/// The largest exponent that counts as linear: room for sorting and for tables that grow.
const MOST: f64 = 1.2;

/// A family of programs.
struct Shape {
    name: &'static str,
    /// The size of the smallest program that is measured.
    base: usize,
    /// The files of the program of a size; package schemas are below `schemas`.
    files: fn(usize) -> Vec<(String, String)>,
    /// The most telling one comes first.
    commands: &'static [Command],
    /// The commands for which another exponent than [`MOST`] is allowed, it, and the reason.
    exception: Option<(&'static [Command], f64, &'static str)>,
    /// True if the cost once grew faster than the shape, which `fast` measures.
    has_failed: bool,
}

impl Shape {
    const fn new(
        name: &'static str,
        base: usize,
        commands: &'static [Command],
        files: fn(usize) -> Vec<(String, String)>,
    ) -> Self {
        Self { name, base, files, commands, exception: None, has_failed: false }
    }

    /// Marks a shape of which the cost once grew faster.
    const fn failed(self) -> Self {
        Self { has_failed: true, ..self }
    }

    /// Allows a larger exponent for some commands.
    const fn allow(
        self,
        commands: &'static [Command],
        exponent: f64,
        reason: &'static str,
    ) -> Self {
        Self { exception: Some((commands, exponent, reason)), ..self }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Command {
    /// `pcl check` with JSON as output.
    Check,
    /// `pcl check` with snippets as output.
    Show,
    /// `pcl fmt --check`.
    Fmt,
    /// `pcl fmt --diff`.
    Diff,
    /// `pcl dump bound`.
    Bound,
    /// `pcl dump bound --full`.
    Document,
    /// `pcl graph --only`.
    Graph,
    /// `pcl preview`.
    Preview,
    /// `pcl convert --to typescript`.
    TypeScript,
    /// `pcl convert --to go`.
    Go,
    /// `pcl convert --batch` of the file `batch.jsonl`.
    Batch,
    /// `pcl preview --mock`.
    Mock,
    /// `pcl schema check`.
    Schema,
    /// `pcl schema sync --locked`.
    Sync,
    /// `pcl server`, which reads the messages of the file `session`.
    Server,
    /// `pcl state check`.
    StateCheck,
    /// `pcl state ls`.
    StateList,
    /// `pcl state graph`.
    StateGraph,
    /// `pcl import --fold`.
    Import,
    /// `pcl plan --state` of the file `state.json`.
    Plan,
}

fn main() {
    let arguments = Arguments::from_args();
    // The number of commands of each shape, and whether all shapes are measured.
    let (commands, all) = match std::env::var("PCL_GROWTH").as_deref() {
        Ok("fast") => (1, false),
        Ok("full") => (usize::MAX, true),
        Ok(other) => panic!("PCL_GROWTH is `fast` or `full`, not `{other}`"),
        Err(_) => {
            println!("skipped: growth is measured where PCL_GROWTH is set");
            return;
        }
    };
    assert!(is_available(), "PCL_GROWTH needs `valgrind`");
    println!("millions of instructions at 1, 4 and 16 times the base size, and the exponent");
    let mut trials = Vec::new();
    for group in [
        text::SHAPES,
        syntax::SHAPES,
        names::SHAPES,
        types::SHAPES,
        errors::SHAPES,
        programs::SHAPES,
        runs::SHAPES,
        schemas::SHAPES,
        states::SHAPES,
        documents::SHAPES,
        sessions::SHAPES,
    ] {
        for shape in group.iter().filter(|shape| all || shape.has_failed) {
            for &command in shape.commands.iter().take(commands) {
                let name = format!("{}: {command:?}", shape.name);
                trials.push(Trial::test(name.clone(), move || {
                    let growth = measure(shape, command);
                    println!("{name:<52}{growth}");
                    judge(shape, command, &growth)
                }));
            }
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn judge(shape: &Shape, command: Command, growth: &Growth) -> Result<(), libtest_mimic::Failed> {
    let exception = shape.exception.as_ref();
    let (most, reason) = match exception.filter(|(commands, ..)| commands.contains(&command)) {
        Some(&(_, most, reason)) => (most, reason),
        None => (MOST, "which is what is allowed"),
    };
    let exponent = growth.exponent();
    if exponent <= most {
        return Ok(());
    }
    Err(format!("{growth}: the exponent is above {most}, {reason}").into())
}

/// A program of one file.
fn main_file(text: impl Into<String>) -> Vec<(String, String)> {
    vec![("main.pp".to_owned(), text.into())]
}

/// The texts for 0 to `n`, one after another.
fn each(n: usize, text: impl Fn(usize) -> String) -> String {
    (0..n).map(text).collect()
}

/// `a = ` with `middle` inside `n` pairs.
fn nested(n: usize, before: &str, middle: &str, after: &str) -> Vec<(String, String)> {
    let (before, after) = (before.repeat(n), after.repeat(n));
    main_file(format!("a = {before}{middle}{after}\n"))
}
