//! The secret in the place of the strings of programs.

use pcl_test_support::corpora::Corpus;
use pcl_test_support::fixes::Program;
use pcl_test_support::{Random, corpus, root};

use crate::runs::{Files, Runs, Source};
use crate::{seed, variable};

/// The expressions that take the place of a string.
const PLANTED: [&str; 2] = ["planted", "\"/tmp/${planted}\""];

/// The strings of a program, from quote to quote.
fn strings(text: &str) -> Vec<(usize, usize)> {
    let mut strings = Vec::new();
    let mut end = 0;
    while let Some(start) = text[end..].find('"').map(|at| end + at) {
        let Some(length) = text[start + 1..].find('"') else { break };
        end = start + length + 2;
        strings.push((start, end));
    }
    strings
}

/// The places of all strings in the files, by file; none where the program asks for secrets.
fn places(files: &Files) -> Vec<(usize, (usize, usize))> {
    let files = files.iter().enumerate();
    let files = files.filter(|(_, (_, text))| !text.contains("unsecret"));
    files
        .flat_map(|(at, (_, text))| strings(text).into_iter().map(move |place| (at, place)))
        .collect()
}

/// Previews a program with something in the place of one of its strings.
fn plant(
    runs: &mut Runs,
    program: &Program,
    (at, (start, end)): (usize, (usize, usize)),
    planted: &str,
    source: Source,
) {
    let (name, text) = &program.files[at];
    let place = format!("{}: {name} with {planted} at {start}, from {source:?}", program.name);
    let mut files = program.files.clone();
    let declared = source.declared();
    files[at].1 = format!("{}{planted}{}{declared}", &text[..start], &text[end..]);
    runs.preview(&program.directory, &files, &place);
}

#[test]
fn a_secret_in_place_of_any_string() {
    let mut runs = Runs::new();
    for name in corpus("valid") {
        let program = Program::read(&root().join("corpus/valid").join(name));
        let Some(program) = program else { continue };
        for place in places(&program.files) {
            for planted in PLANTED {
                plant(&mut runs, &program, place, planted, Source::Config);
            }
        }
    }
    runs.finish(200);
}

/// Some strings of some programs, or as many as the environment says of all.
fn some_strings(corpus: &Corpus, programs: usize, least: usize) {
    let mut runs = Runs::with_schemas(corpus.schemas.clone());
    let count = variable("PCL_LEAKS_COUNT");
    let mut random = Random::new(seed());
    let nth = match count {
        Some(_) => 1,
        None => corpus.programs.len().div_ceil(programs),
    };
    let programs = corpus.programs.iter().step_by(nth);
    for program in programs.filter_map(|path| Program::read(path)) {
        let mut places = places(&program.files);
        for _ in 0..count.unwrap_or(2) {
            if places.is_empty() {
                break;
            }
            let place = places.swap_remove(random.below(places.len()));
            let planted = PLANTED[random.below(PLANTED.len())];
            let source = Source::ALL[random.below(Source::ALL.len())];
            plant(&mut runs, &program, place, planted, source);
        }
    }
    runs.finish(least);
}

#[test]
fn secrets_of_any_source_in_our_programs() {
    some_strings(&Corpus::own(), usize::MAX, 50);
}

#[test]
fn secrets_of_any_source_in_the_programs_of_others() {
    if let Some(corpus) = Corpus::shared() {
        some_strings(&corpus, 200, 50);
    }
}
