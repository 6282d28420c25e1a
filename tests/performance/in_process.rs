//! Work inside one process:
//! `in-process lower|edit|evaluate|serve|complete|write|read SCHEMAS PROGRAM [TIMES]`.
//!
//! `lower` runs every pass over a bound program. `edit` types a character into the first file of a
//! program and checks it again. `evaluate` evaluates a bound program without an engine. `serve`
//! types characters at the end of a program as an editor does, and asks the language server for
//! diagnostics and completions after each. `complete` asks for completions at places of each kind
//! in a checked program. `write` writes the document of a program as JSON, and `read` reads it
//! back. The best of so many times is printed; the instructions of a function can be counted with
//! `valgrind --tool=callgrind --toggle-collect`.

use std::hint::black_box;
use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Read, Write, pipe};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use pcl::binder::{Bound, OpenFiles, Options, Program, Sources, bind};
use pcl::diagnostics::{SourceMap, Span, TextEdit, TextRange};
use pcl::document::Document;
use pcl::eval::{Answers, Evaluation, Offline, Outcome, Setup};
use pcl::lower::{SdkOptions, sdk};
use pcl::schema::Loader;
use pcl::values::NoContents;
use pcl::{SchemaPlaces, Settings, Target, Workspace};
use pcl_ide::{Analysis, Completions, FilePosition, completions};
use pcl_server::{Environment, serve};
use serde_json::{Value, json};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (what, schemas, program, times) = match *arguments.as_slice() {
        [what, schemas, program] => (what, schemas, program, 1),
        [what, schemas, program, times] => {
            let times = times.parse().expect("the number of times is a number");
            (what, schemas, program, times)
        }
        _ => {
            panic!(
                "usage: in-process lower|edit|evaluate|serve|complete|write|read SCHEMAS PROGRAM \
                 [TIMES]"
            )
        }
    };
    let best = match what {
        "lower" => time_lowering(schemas, program, times),
        "edit" => time_editing(schemas, program, times),
        "evaluate" => time_evaluation(schemas, program, times),
        "serve" => time_serving(schemas, program, times),
        "complete" => time_completion(schemas, program, times),
        "write" => time_writing(schemas, program, times),
        "read" => time_reading(schemas, program, times),
        other => panic!("there is no work `{other}`"),
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
    sdk(program, &SdkOptions::default())
}

fn document(schemas: &str, program: &str) -> Document {
    let workspace = Workspace::new(settings(schemas));
    let checked = workspace.check(&Target::Path(program.into()));
    assert!(checked.is_valid(), "the program has errors");
    checked.document()
}

fn time_writing(schemas: &str, program: &str, times: usize) -> Duration {
    let document = document(schemas, program);
    let best = best(times, || {
        let start = Instant::now();
        let json = write_document(&document);
        let time = start.elapsed();
        drop(black_box(json));
        time
    });
    eprintln!("{} bytes", document.to_json().len());
    best
}

#[inline(never)]
fn write_document(document: &Document) -> String {
    document.to_json()
}

fn time_reading(schemas: &str, program: &str, times: usize) -> Duration {
    let json = document(schemas, program).to_json();
    best(times, || {
        let start = Instant::now();
        let document = read_document(&json);
        let time = start.elapsed();
        drop(black_box(document));
        time
    })
}

#[inline(never)]
fn read_document(json: &str) -> Document {
    Document::from_json(json).expect("the document reads back")
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

/// The text that is typed.
const TYPED: &str = "last = pet0.i";

fn time_serving(schemas: &str, program: &str, times: usize) -> Duration {
    let path = std::path::absolute(program).expect("the program has a path").join("main.pp");
    let text = std::fs::read_to_string(&path).expect("the program is read");
    let uri = format!("file://{}", path.display());
    let (input, requests) = pipe().expect("a pipe");
    let (responses, output) = pipe().expect("a pipe");
    let configured = settings(schemas);
    let server = std::thread::spawn(move || {
        let environment = Environment {
            base: pcl::config::Configuration::default(),
            is_isolated: true,
            settings: Box::new(move |_| configured.clone()),
            add_schema: None,
            state: None,
        };
        serve(BufReader::new(input), output, environment).expect("the stream is whole")
    });
    let mut editor = Editor { requests, responses: BufReader::new(responses) };
    let capabilities = json!({ "textDocument": { "diagnostic": {} } });
    editor.ask("initialize", json!({ "capabilities": capabilities }));
    let document = json!({ "uri": uri, "languageId": "pcl", "version": 0, "text": text });
    editor.tell("textDocument/didOpen", json!({ "textDocument": document }));
    let document = json!({ "uri": uri });
    editor.ask("textDocument/diagnostic", json!({ "textDocument": document }));
    let end = text.matches('\n').count();
    let mut version = 0;
    let mut change = |editor: &mut Editor, from: usize, to: usize, text: &str| {
        version += 1;
        let range = json!({
            "start": { "line": end, "character": from }, "end": { "line": end, "character": to },
        });
        let document = json!({ "uri": uri, "version": version });
        let changes = json!([{ "range": range, "text": text }]);
        let params = json!({ "textDocument": document, "contentChanges": changes });
        editor.tell("textDocument/didChange", params);
    };
    let best = best(times, || {
        let start = Instant::now();
        for (at, _) in TYPED.char_indices() {
            change(&mut editor, at, at, &TYPED[at..=at]);
            let position = json!({ "line": end, "character": at + 1 });
            let params = json!({ "textDocument": document, "position": position });
            editor.ask("textDocument/completion", params);
            editor.ask("textDocument/diagnostic", json!({ "textDocument": document }));
        }
        let time = start.elapsed() / TYPED.len() as u32;
        change(&mut editor, 0, TYPED.len(), "");
        time
    });
    editor.ask("shutdown", Value::Null);
    editor.tell("exit", Value::Null);
    assert!(server.join().expect("the server does not panic"));
    best
}

/// The texts around the places of completions, of a key, a token, a value and a member, and the
/// numbers of characters before the places.
const AROUND: [(&str, usize); 4] =
    [("\n  special ", 3), ("\"random:index/", 1), ("{ pet = pet", 8), (".id", 1)];

fn time_completion(schemas: &str, program: &str, times: usize) -> Duration {
    let workspace = Workspace::new(settings(schemas));
    let checked = workspace.check(&Target::Path(program.into()));
    assert!(checked.is_valid(), "the program has errors");
    let mut analysis = Analysis::new(checked);
    let file = analysis.files().next().expect("the program has a file");
    let text = analysis.tree(file).expect("the file is parsed").text().to_string();
    let places = AROUND.map(|(around, before)| {
        let middle = text.len() / 2;
        let at = text[middle..].find(around).expect("there is such a place") + middle + before;
        FilePosition::new(file, u32::try_from(at).expect("the file is small"))
    });
    best(times, || {
        let start = Instant::now();
        for place in places {
            let found = complete(&mut analysis, place);
            assert!(found.is_some_and(|found| !found.items.is_empty()), "nothing is offered");
        }
        start.elapsed()
    })
}

#[inline(never)]
fn complete(analysis: &mut Analysis, at: FilePosition) -> Option<Completions> {
    completions(analysis, at)
}

/// The other end of the streams of a server.
struct Editor {
    requests: PipeWriter,
    responses: BufReader<PipeReader>,
}

impl Editor {
    fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request and waits for the response.
    fn ask(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }));
        loop {
            let message = self.receive();
            if message["id"] == 1 {
                assert!(message["error"].is_null(), "{method}: {message}");
                return;
            }
        }
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        let sent = write!(self.requests, "Content-Length: {}\r\n\r\n{body}", body.len());
        sent.expect("the server reads");
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.responses.read_line(&mut line).expect("the server writes");
            match line.trim().strip_prefix("Content-Length: ") {
                Some(value) => length = value.parse().expect("a length"),
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.responses.read_exact(&mut body).expect("the server writes");
        serde_json::from_slice(&body).expect("the server writes JSON")
    }
}
