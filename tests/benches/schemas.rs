//! The cost of large package schemas: `cargo bench --bench schemas`. The figures of
//! `docs/performance.md` come from here.
//!
//! `PCL_BENCH_SCHEMA` names a schema file; without it, one of the size and shape of the largest
//! real one is generated.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pcl::schema::{IndexCache, Package, Section};
use pcl::schema_view::View;
use pcl::{SchemaFile, SchemaPlaces, Settings, Target, Workspace};

const ROUNDS: usize = 25;
const RESOURCES: usize = 20;

fn main() {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench-schemas");
    std::fs::create_dir_all(&place).expect("a directory can be made");
    let file = match std::env::var_os("PCL_BENCH_SCHEMA") {
        Some(file) => PathBuf::from(file),
        None => made_up(&place),
    };
    let cache = place.join("index");
    // A file that is younger than two seconds is not remembered.
    std::thread::sleep(Duration::from_secs(2));
    let package = Package::open(&file, Some(&IndexCache::new(&cache))).expect("it is a schema");
    println!(
        "{}: {:.1} MB, {} members",
        file.display(),
        std::fs::metadata(&file).map_or(0.0, |m| m.len() as f64 / 1e6),
        package.member_count()
    );
    let program = program(&package);
    let name = package.name().to_owned();
    drop(package);

    let index = || drop(Package::open(&file, None).expect("it is a schema"));
    let open = || {
        let cache = IndexCache::new(&cache);
        drop(Package::open(&file, Some(&cache)).expect("it is a schema"));
    };
    let check = |index_cache: Option<&Path>| {
        let workspace = Workspace::new(Settings {
            schemas: SchemaPlaces {
                files: vec![SchemaFile {
                    package: name.clone(),
                    version: None,
                    path: file.clone(),
                }],
                index_cache: index_cache.map(Path::to_path_buf),
                ..SchemaPlaces::default()
            },
            ..Settings::default()
        });
        let checked = workspace.check(&Target::Memory {
            path: "demo".to_owned(),
            directory: None,
            files: vec![("main.pp".to_owned(), program.clone().into_bytes())],
        });
        assert!(checked.is_valid(), "{program}\n{:#?}", checked.diagnostics);
        private_memory()
    };
    report("index", index);
    report("open with side index", open);
    let with =
        report(&format!("check {RESOURCES} resources with side index"), || check(Some(&cache)));
    let without = report(&format!("check {RESOURCES} resources without"), || check(None));
    println!("private memory: {with} with, {without} without side index");
}

/// Runs a piece of work often and prints the best time, the median, and the average processor time,
/// which says more on a shared machine. Returns the largest result.
fn report<T: Ord>(what: &str, work: impl Fn() -> T) -> T {
    let mut times = Vec::new();
    let mut most = None;
    let before = processor_time();
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let result = work();
        times.push(start.elapsed());
        most = most.max(Some(result));
    }
    times.sort();
    let processor = processor_time().saturating_sub(before) / ROUNDS as u32;
    println!(
        "{what:36}  best {:>9.2?}  median {:>9.2?}  processor {processor:>9.2?}",
        times[0],
        times[ROUNDS / 2]
    );
    most.expect("there are rounds")
}

/// The processor time of this thread so far, as Linux counts it.
fn processor_time() -> Duration {
    let status = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = status.split(' ').next().and_then(|text| text.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}

/// The private memory of this process in kilobytes, as Linux reports it.
fn private_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    line.unwrap_or("unknown").trim().to_owned()
}

/// A program of resources from all over the package.
fn program(package: &Package) -> String {
    let resources: Vec<_> = package.members(Section::Resources).collect();
    let mut program = String::new();
    let mut taken = 0;
    for member in resources.iter().step_by((resources.len() / RESOURCES / 2).max(1)) {
        let Ok(View { token, kind: "resource", program: Some(text), .. }) =
            View::of(package, *member)
        else {
            continue;
        };
        // Values that refer to another resource have to be filled in by hand.
        if taken == RESOURCES || text.contains("null") {
            continue;
        }
        taken += 1;
        let body = text.split_once('{').map_or("}", |(_, body)| body);
        let _ = write!(program, "resource r{taken} \"{token}\" {{{body}");
    }
    program
}

/// A schema of 68,000 members and about 97 MB.
fn made_up(place: &Path) -> PathBuf {
    let path = place.join("vast.json");
    let about = "Says, in so many words, what a property is there for, which values it may have and what becomes of it.";
    let property = |n: usize, of: usize| match n % 4 {
        0 => format!("\"size{n}\":{{\"type\":\"integer\",\"description\":\"{about}\"}}"),
        1 => format!(
            "\"kind{n}\":{{\"type\":\"string\",\"description\":\"{about}\",\"willReplaceOnChanges\":true}}"
        ),
        // A type leads to some others, and these to fewer.
        2 => format!(
            "\"part{n}\":{{\"$ref\":\"#/types/vast:m{}/v1:Type{}\"}}",
            (of / 4 + n) % 500,
            of / 4 + n
        ),
        _ => format!(
            "\"list{n}\":{{\"type\":\"array\",\"items\":{{\"type\":\"string\"}},\"description\":\"{about}\"}}"
        ),
    };
    let object = |n: usize, count: usize| {
        let properties: Vec<String> = (0..count).map(|p| property(p, n)).collect();
        properties.join(",")
    };
    let mut text = String::from("{\"name\":\"vast\",\"version\":\"1.0.0\",\"types\":{");
    for n in 0..50_020 {
        let comma = if n > 0 { "," } else { "" };
        let _ = write!(
            text,
            "{comma}\"vast:m{}/v1:Type{n}\":{{\"type\":\"object\",\"description\":\"{about}\",\"properties\":{{{}}}}}",
            n % 500,
            object(n, 8)
        );
    }
    text.push_str("},\"resources\":{");
    for n in 0..18_000 {
        let comma = if n > 0 { "," } else { "" };
        let _ = write!(
            text,
            "{comma}\"vast:m{}/v1:Resource{n}\":{{\"description\":\"{about}\",\"properties\":{{{}}},\"inputProperties\":{{{}}},\"requiredInputs\":[\"size0\"]}}",
            n % 500,
            object(n, 12),
            object(n, 10)
        );
    }
    text.push_str("}}");
    std::fs::write(&path, text).expect("a file can be written");
    path
}
