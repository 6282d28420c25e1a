//! The speed of the syntax layer, compared with `hcl-edit`: `cargo bench -p pcl-syntax [-- FILE]`.
//!
//! Times are the processor time of the thread where the system reports it (Linux does), so that
//! other work on the machine does not count; the best of several rounds is shown. Without a file,
//! the programs of `corpus/valid` are repeated up to 4 MB.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use pcl_diagnostics::SourceText;

fn main() {
    let file = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let text = match &file {
        Some(file) => std::fs::read_to_string(file).expect("the file can be read"),
        None => repeated_corpus(4_000_000),
    };
    let lines = text.lines().count();
    println!("{} bytes, {lines} lines", text.len());
    let source = SourceText::from(text.as_str());
    let rounds = (200_000_000 / text.len()).clamp(5, 40);

    let lexing = best(rounds, || pcl_syntax::tokenize(&text));
    report("lex", lexing, text.len(), lines);
    let parsing = best(rounds, || pcl_syntax::parse(source.clone()));
    report("lex, parse, tree", parsing, text.len(), lines);
    let theirs = best((rounds / 8).max(2), || text.parse::<hcl_edit::structure::Body>().is_ok());
    report("hcl-edit", theirs, text.len(), lines);

    let tree = pcl_syntax::parse(source.clone());
    // Without the second tables, which few tokens and nodes need.
    let kept = 2.2 * tree.tokens().len() as f64 + 8.0 * f64::from(tree.node_count());
    println!(
        "tree: {:.2} bytes a byte of source, {} errors",
        kept / text.len() as f64,
        tree.errors().len()
    );

    let small = SourceText::from(start_of(&text, 500));
    let repeat = 2000;
    let many = best(20, || {
        for _ in 0..repeat {
            black_box(pcl_syntax::parse(small.clone()));
        }
    });
    println!(
        "a file of {} bytes: {:.2} µs",
        small.len(),
        many.as_secs_f64() * 1e6 / f64::from(repeat)
    );
}

/// Whole items from the start of `text`, of about `size` bytes together.
fn start_of(text: &str, size: usize) -> &str {
    let end = text.match_indices("\n}\n").map(|(at, end)| at + end.len());
    end.take_while(|&end| end <= size + size / 10).last().map_or(text, |end| &text[..end])
}

fn report(what: &str, time: Duration, bytes: usize, lines: usize) {
    let seconds = time.as_secs_f64();
    println!(
        "{what:<18}{:9.2} ms {:8.1} MB/s {:7.2} M lines/s",
        seconds * 1e3,
        bytes as f64 / seconds / 1e6,
        lines as f64 / seconds / 1e6,
    );
}

/// The shortest time that `work` took. What it makes is dropped outside of the measured time.
fn best<T>(rounds: usize, work: impl Fn() -> T) -> Duration {
    let once = |_| {
        let (cpu, wall) = (cpu_time(), Instant::now());
        let made = black_box(work());
        match (cpu, cpu_time()) {
            (Some(start), Some(end)) => {
                drop(made);
                end - start
            }
            _ => wall.elapsed(),
        }
    };
    (0..rounds).map(once).min().unwrap_or_default()
}

/// The processor time of this thread so far.
fn cpu_time() -> Option<Duration> {
    // The system brings the figure up to date when it looks for something else to run.
    std::thread::yield_now();
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = statistics.split(' ').next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

/// The valid programs of the corpus that `hcl-edit` reads too, each in its own block, repeated.
fn repeated_corpus(size: usize) -> String {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/valid");
    let mut programs = Vec::new();
    for directory in std::fs::read_dir(corpus).expect("the corpus is there").flatten() {
        for file in std::fs::read_dir(directory.path()).into_iter().flatten().flatten() {
            let path = file.path();
            if path.extension().is_some_and(|extension| extension == "pp") {
                let text = std::fs::read_to_string(path).expect("the file can be read");
                let program = format!("program {{\n{text}\n}}\n");
                if program.parse::<hcl_edit::structure::Body>().is_ok() {
                    programs.push(program);
                }
            }
        }
    }
    programs.sort();
    let mut text = String::with_capacity(size + 100_000);
    for program in programs.iter().cycle() {
        if text.len() >= size {
            break;
        }
        text.push_str(program);
    }
    text
}
