//! Runs mutants of the seeds through all laws, in one process: `mutants NUMBER [SEED]`.
//!
//! A mutant is a seed with one to four changes to its tokens. The generator starts from a fixed
//! seed and gives each mutant its own state, so that the result of a run does not depend on the
//! number of threads. The mutants in work are kept in `artifacts/mutant-THREAD`. One that takes
//! longer than [`PATIENCE`] ends the run with status 1; one that breaks a law is kept in
//! `artifacts/broken-INDEX`, and [`MOST`] of these end it.

use std::path::PathBuf;
use std::process::exit;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use fastrand::Rng;
use pcl::syntax::tokenize;
use pcl_fuzz::{check_program, seeds, workspaces};

/// The longest that one mutant may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// The number of mutants that break a law after which a run ends.
const MOST: usize = 20;

/// The stack of a thread, in bytes: what the system gives the first one.
const STACK: usize = 8 << 20;

/// Mutants do not grow beyond this many bytes.
const LARGEST: usize = 16 << 10;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default| match arguments.next() {
        Some(argument) => argument.parse().expect("usage: mutants NUMBER [SEED]"),
        None => default,
    };
    let (count, seed): (u64, u64) = (number(10_000), number(20_261_120));
    let seeds = programs();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let start = Instant::now();
    let next = AtomicU64::new(0);
    let broken = AtomicUsize::new(0);
    let running = AtomicUsize::new(threads);
    // When each thread began its mutant, in milliseconds since the start.
    let began: Vec<AtomicU64> = (0..threads).map(|_| AtomicU64::new(0)).collect();
    std::thread::scope(|scope| {
        for (thread, began) in began.iter().enumerate() {
            let (next, broken, running, seeds) = (&next, &broken, &running, &seeds);
            let work = move || {
                let workspaces = workspaces();
                let path = artifact(&format!("mutant-{thread}"));
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        break;
                    }
                    let mutant = mutant(seeds, &mut Rng::with_seed(seed ^ index << 20));
                    std::fs::write(&path, &mutant).expect("an artifact can be written");
                    began.store(start.elapsed().as_millis() as u64, Ordering::Relaxed);
                    let law = || check_program(&workspaces, &mutant);
                    if std::panic::catch_unwind(std::panic::AssertUnwindSafe(law)).is_err() {
                        let kept = artifact(&format!("broken-{index}"));
                        std::fs::copy(&path, &kept).expect("an artifact can be copied");
                        println!("a law is broken: {}", kept.display());
                        if broken.fetch_add(1, Ordering::Relaxed) + 1 == MOST {
                            exit(1);
                        }
                    }
                }
                std::fs::remove_file(&path).ok();
                running.fetch_sub(1, Ordering::Relaxed);
            };
            let thread = std::thread::Builder::new().stack_size(STACK);
            thread.spawn_scoped(scope, work).expect("a thread can be started");
        }
        while running.load(Ordering::Relaxed) > 0 {
            std::thread::sleep(Duration::from_millis(20));
            let now = start.elapsed().as_millis() as u64;
            for (thread, began) in began.iter().enumerate() {
                let took = now.saturating_sub(began.load(Ordering::Relaxed));
                let path = artifact(&format!("mutant-{thread}"));
                if took > PATIENCE.as_millis() as u64
                    && path.exists()
                    && began.load(Ordering::Relaxed) > 0
                {
                    fail(&path, next.load(Ordering::Relaxed), "a mutant does not end");
                }
            }
        }
    });
    let broken = broken.into_inner();
    println!("{count} mutants in {:.1?}: {broken} break a law", start.elapsed());
    if broken > 0 {
        exit(1);
    }
}

fn artifact(name: &str) -> PathBuf {
    let directory: PathBuf = [env!("CARGO_MANIFEST_DIR"), "artifacts"].iter().collect();
    std::fs::create_dir_all(&directory).expect("a directory can be made");
    directory.join(name)
}

fn fail(path: &std::path::Path, index: u64, what: &str) -> ! {
    println!("{what}: {} (mutant {index})", path.display());
    exit(1)
}

/// The programs of the seeds.
fn programs() -> Vec<Vec<u8>> {
    let directory = seeds().join("program");
    let entries = std::fs::read_dir(&directory)
        .unwrap_or_else(|error| panic!("run fuzz/seeds.py: {}: {error}", directory.display()));
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let seeds = paths.iter().map(|path| std::fs::read(path).expect("a seed can be read"));
    let seeds: Vec<Vec<u8>> = seeds.collect();
    assert!(!seeds.is_empty(), "{} is empty", directory.display());
    seeds
}

/// A seed with some changes.
fn mutant(seeds: &[Vec<u8>], random: &mut Rng) -> Vec<u8> {
    let mut mutant = seeds[random.usize(..seeds.len())].clone();
    for _ in 0..random.usize(1..=4) {
        let text = String::from_utf8_lossy(&mutant).into_owned();
        let other = String::from_utf8_lossy(&seeds[random.usize(..seeds.len())]).into_owned();
        let [at, from, to] = [&text, &text, &other].map(|text| stretch(text, random));
        let (before, own, after) = (&text[..at.start], &text[at.clone()], &text[at.end..]);
        mutant = match random.u8(..7) {
            0 => format!("{before}{after}"),
            1 => format!("{before}{own}{own}{after}"),
            2 => format!("{before}{}{after}", &text[from]),
            3 => format!("{before}{}{after}", &other[to]),
            4 => format!("{before}{}{own}{after}", &other[to]),
            5 => format!("{before}{}{after}", own.repeat(random.usize(2..40))),
            _ => format!("{text}\n{}", &other[to]),
        }
        .into_bytes();
        mutant.truncate(LARGEST);
    }
    mutant
}

/// A run of tokens: usually one, sometimes several.
fn stretch(text: &str, random: &mut Rng) -> std::ops::Range<usize> {
    let tokens = tokenize(text);
    if tokens.len() == 0 {
        return 0..0;
    }
    let first = random.usize(..tokens.len());
    let count = if random.u8(..4) == 0 { random.usize(1..20) } else { 1 };
    let last = (first + count - 1).min(tokens.len() - 1);
    let range = |index| tokens.iter().nth(index).map_or(0..0, |(_, range)| range.to_usize());
    range(first).start..range(last).end
}
