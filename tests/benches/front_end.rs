//! The time that each layer takes, for people: `cargo bench`. Instruction counts, which are
//! reproducible on shared machines, are measured with `valgrind --tool=callgrind` on the same
//! inputs.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use pcl::binder::{Options, Sources, bind};
use pcl::diagnostics::{SourceMap, Span, TextEdit, TextRange};
use pcl::lower::{SdkOptions, sdk};
use pcl::schema::{Loader, MemoryLoader, Package};
use pcl::{Settings, Target, Workspace};

fn main() {
    divan::main();
}

/// The number of nodes in a group of [`program`].
const NODES_OF_GROUP: usize = 6;

/// The number of lines in a group of [`program`].
const LINES_OF_GROUP: usize = 18;

/// A program of `groups` resources with locals, templates, loops and outputs around each, every one
/// referring to the one before.
fn program(groups: usize) -> String {
    let mut text = String::new();
    for i in 0..groups {
        let before = match i {
            0 => "\"seed\"".to_owned(),
            _ => format!("server{}.id", i - 1),
        };
        let _ = write!(
            text,
            r#"
# Group {i}.
config "prefix{i}" "string" {{
  default     = "p{i}"
  description = "Prefix of group {i}"
}}
words{i} = ["alpha{i}", "beta-{i}", "gamma ${{prefix{i}}}"]
resource "server{i}" "harbor:network:Network" {{
  cidr = "${{prefix{i}}}-${{{before}}}"
  options {{
    protect = {protect}
  }}
}}
lengths{i} = [for word in words{i} : length(word) if word != "${{prefix{i}}}"]
picked{i} = {i} % 2 == 0 ? words{i}[0] : element(words{i}, {i} % 3)
output "out{i}" {{
  value = {{ id = server{i}.id, json = toJSON({{ n = {i}, picked = picked{i} }}), parts = split("-", picked{i}) }}
}}
"#,
            protect = i % 2 == 0,
        );
    }
    text
}

fn loader() -> Arc<dyn Loader> {
    let mut loader = MemoryLoader::default();
    let schema = include_str!("../../corpus/schemas/harbor-2.1.0.json");
    loader.add(schema).expect("the schema is sound");
    Arc::new(loader)
}

#[divan::bench(args = [10, 1000])]
fn lex(bencher: Bencher, groups: usize) {
    let text = program(groups);
    bencher.counter(BytesCount::of_str(&text)).bench(|| pcl::syntax::tokenize(&text));
}

#[divan::bench(args = [10, 1000])]
fn parse(bencher: Bencher, groups: usize) {
    let text = pcl::diagnostics::SourceText::from(program(groups));
    bencher.counter(BytesCount::of_str(&*text)).bench(|| pcl::syntax::parse(text.clone()));
}

/// Parsing and binding, without the end of the program, which the command leaves to the system.
#[divan::bench(args = [800, 8_000, 80_000], max_time = 5)]
fn check_nodes(bencher: Bencher, nodes: usize) {
    let text = program(nodes / NODES_OF_GROUP);
    let loader = loader();
    bencher.counter(ItemsCount::new(nodes)).bench(|| {
        let mut map = SourceMap::new();
        let sources = Sources::from_texts([("main.pp", text.as_str())], &mut map);
        bind(&sources, &mut map, Arc::clone(&loader), &Options::default())
    });
}

/// A change of one literal in the middle of a program of so many lines, and a check of the result,
/// as an editor does it.
#[divan::bench(args = [1_000, 10_000])]
fn edit_and_check(bencher: Bencher, lines: usize) {
    let text = program(lines / LINES_OF_GROUP);
    let changed = text[text.len() / 2..].find(" % 3)").expect("each group has one");
    let start = (text.len() / 2 + changed + 3) as u32;
    let loader = loader();
    let options = Options { diagnostics_only: true, ..Options::default() };
    let mut map = SourceMap::new();
    let mut sources = Sources::from_texts([("main.pp", text.as_str())], &mut map);
    let file = sources.files[0].file;
    let place = Span::new(file, TextRange::new(start, start + 1));
    let edits = [TextEdit::replace(place, "2")];
    let tree = Arc::clone(&sources.files[0].tree);
    bencher.counter(ItemsCount::new(lines)).bench_local(|| {
        let edited = tree.edit(&edits).expect("the edit fits the text");
        map.replace(file, edited.text().clone());
        sources.files[0].tree = Arc::new(edited);
        bind(&sources, &mut map, Arc::clone(&loader), &options)
    });
}

/// Everything that a generator may want: each pass over the whole program.
#[divan::bench(args = [10, 1000])]
fn lower_program(bencher: Bencher, groups: usize) {
    let text = program(groups);
    let mut map = SourceMap::new();
    let sources = Sources::from_texts([("main.pp", text.as_str())], &mut map);
    let bound = bind(&sources, &mut map, loader(), &Options::default());
    bencher
        .counter(ItemsCount::new(bound.program.exprs.len()))
        .with_inputs(|| bound.program.clone())
        .bench_values(|program| sdk(program, &SdkOptions::default()));
}

#[divan::bench]
fn index_schema(bencher: Bencher) {
    let schema = include_str!("../../corpus/schemas/harbor-2.1.0.json");
    bencher.counter(BytesCount::of_str(schema)).bench(|| Package::from_bytes(schema));
}

/// Reading, parsing and binding from disk, as the command does it.
#[divan::bench]
fn check_directory() -> usize {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut settings = Settings::default();
    settings.schemas.directories.push(root.join("schemas"));
    let workspace = Workspace::new(settings);
    let path = root.join("valid/webserver");
    workspace.check(&Target::Path(path)).diagnostics.len()
}
