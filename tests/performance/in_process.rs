//! Work inside one process: `in-process lower|edit|evaluate SCHEMAS PROGRAM [TIMES]`.
//!
//! `lower` runs every pass over a bound program. `edit` types a character into the first file of a
//! program and checks it again. `evaluate` evaluates a bound program without an engine. The best of
//! so many times is printed; the instructions of a function can be counted with
//! `valgrind --tool=callgrind --toggle-collect`.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use pcl::binder::{Bound, OpenFiles, Options, Program, Sources, bind};
use pcl::diagnostics::{SourceMap, Span, TextEdit, TextRange};
use pcl::eval::{Answers, Evaluation, Offline, Outcome, Setup};
use pcl::lower::{self as passes, expression::Applies};
use pcl::schema::Loader;
use pcl::values::NoContents;
use pcl::{SchemaPlaces, Settings, Target, Workspace};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (what, schemas, program, times) = match *arguments.as_slice() {
        [what, schemas, program] => (what, schemas, program, 1),
        [what, schemas, program, times] => {
            let times = times.parse().expect("the number of times is a number");
            (what, schemas, program, times)
        }
        _ => panic!("usage: in-process lower|edit|evaluate SCHEMAS PROGRAM [TIMES]"),
    };
    let best = match what {
        "lower" => time_lowering(schemas, program, times),
        "edit" => time_editing(schemas, program, times),
        "evaluate" => time_evaluation(schemas, program, times),
        other => panic!("`{other}` is none of `lower`, `edit` and `evaluate`"),
    };
    println!("{:.3} ms", best.as_secs_f64() * 1e3);
}

fn settings(schemas: &str) -> Settings {
    Settings {
        schemas: SchemaPlaces {
            directories: vec![PathBuf::from(schemas)],
            ..SchemaPlaces::default()
        },
        ..Settings::default()
    }
}

fn best(times: usize, mut work: impl FnMut() -> Duration) -> Duration {
    (0..times).map(|_| work()).min().unwrap_or_default()
}

fn time_lowering(schemas: &str, program: &str, times: usize) -> Duration {
    let workspace = Workspace::new(settings(schemas));
    let checked = workspace.check(&Target::Path(program.into()));
    assert!(checked.is_valid(), "the program has errors");
    best(times, || {
        let program = checked.program.clone();
        let start = Instant::now();
        let lowered = lower(program);
        let time = start.elapsed();
        drop(black_box(lowered));
        time
    })
}

#[inline(never)]
fn lower(program: Program) -> Program {
    let program = passes::invokes(passes::property_references(program));
    let program = passes::deferred_outputs(program);
    let program = passes::applies(program, &Applies::default());
    passes::optional_guards(passes::conversions(program).program)
}

fn time_editing(schemas: &str, program: &str, times: usize) -> Duration {
    let mut map = SourceMap::new();
    let (mut sources, problems) =
        Sources::read_directory(Path::new(program), program, &OpenFiles::default(), &mut map);
    assert!(problems.is_empty(), "{problems:?}");
    let loader = settings(schemas).schemas.loader(None);
    // After the first quote in the middle of the file: a text gets one character longer.
    let text = map.text(sources.files[0].file);
    let middle = text.len() / 2;
    let quote = text[middle..].find("= \"").expect("there is a text") + middle + 3;
    let place = TextRange::empty(u32::try_from(quote).expect("the file is small"));
    best(times, || {
        let start = Instant::now();
        let bound = edit(&mut sources, &mut map, place, loader.clone());
        let time = start.elapsed();
        drop(black_box(bound));
        time
    })
}

#[inline(never)]
fn edit(
    sources: &mut Sources,
    map: &mut SourceMap,
    place: TextRange,
    loader: Arc<dyn Loader>,
) -> Bound {
    let source = &mut sources.files[0];
    let typed = TextEdit::replace(Span::new(source.file, place), "x");
    let tree = source.tree.edit(&[typed]).expect("the edit fits");
    map.replace(source.file, tree.text().clone());
    source.tree = Arc::new(tree);
    bind(sources, map, loader, &Options::default())
}

fn time_evaluation(schemas: &str, program: &str, times: usize) -> Duration {
    let workspace = Workspace::new(settings(schemas));
    let checked = workspace.check(&Target::Path(program.into()));
    assert!(checked.is_valid(), "the program has errors");
    let program = Arc::new(checked.program);
    println!("{} expressions", program.exprs.len());
    best(times, || {
        let evaluation = Evaluation::new(Setup {
            program: program.clone(),
            settings: pcl::eval::Settings {
                project: String::from("project"),
                stack: String::from("dev"),
                parallel: 1,
                ..pcl::eval::Settings::default()
            },
            contents: Arc::new(NoContents),
            monitor: Arc::new(Offline::new("project", "dev", Answers::default())),
            trees: &[],
            variables: Vec::new(),
            nodes: Vec::new(),
        });
        let start = Instant::now();
        let outcome = run_evaluation(&evaluation);
        let time = start.elapsed();
        assert!(outcome.outputs.is_some(), "{:?}", outcome.diagnostics);
        time
    })
}

#[inline(never)]
fn run_evaluation(evaluation: &Evaluation) -> Outcome {
    evaluation.run()
}
