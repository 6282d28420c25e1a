//! The destinations of text. A reader that closes the pipe early is not an error: the rest is
//! dropped and the status stays the same.

use std::io::{self, BufWriter, ErrorKind, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use pcl::render::{Format, Look, Part, Report, ReportSettings, Stream, Summary};
use pcl_system::OutputFile;

use super::everywhere::{color_on_stderr, color_on_stdout};
use super::status::{Failure, Outcome, Status};
use super::terminal;

/// Prints a text on standard output.
pub(crate) fn print(text: impl AsRef<[u8]>) -> Outcome {
    let mut sink = Sink::stdout();
    sink.write(text.as_ref())?;
    sink.finish()?;
    Ok(Status::Clean)
}

/// Prints a JSON document for tools and for people.
pub(crate) fn print_json(value: &serde_json::Value) -> Outcome {
    print(format!("{value:#}\n"))
}

/// The format of an answer to a question.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnswerFormat {
    Text,
    Json,
}

/// Prints a line on standard error, if anyone listens.
pub(crate) fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Standard output or a file.
pub(crate) struct Sink {
    /// `None` once the reader is gone.
    writer: Option<Writer>,
    name: PathBuf,
}

enum Writer {
    Stdout(BufWriter<io::Stdout>),
    Stderr(io::Stderr),
    File(OutputFile),
}

impl Sink {
    pub(crate) fn stdout() -> Self {
        let writer = BufWriter::with_capacity(1 << 16, io::stdout());
        Self { writer: Some(Writer::Stdout(writer)), name: "standard output".into() }
    }

    fn stderr() -> Self {
        Self { writer: Some(Writer::Stderr(io::stderr())), name: "standard error".into() }
    }

    pub(crate) fn file(path: PathBuf) -> Result<Self, Failure> {
        let file =
            OutputFile::create(&path).map_err(|error| Failure::io("create", &path, error))?;
        Ok(Self { writer: Some(Writer::File(file)), name: path })
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let Some(writer) = &mut self.writer else { return Ok(()) };
        let result = match writer {
            Writer::Stdout(stdout) => stdout.write_all(bytes),
            Writer::Stderr(stderr) => stderr.write_all(bytes),
            Writer::File(file) => file.write_all(bytes),
        };
        self.heed(result)
    }

    /// Shows what was written so far on standard output.
    fn flush(&mut self) -> Result<(), Failure> {
        let Some(Writer::Stdout(stdout)) = &mut self.writer else { return Ok(()) };
        let result = stdout.flush();
        self.heed(result)
    }

    /// Completes the output; the content of a file appears.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        let result = match self.writer.take() {
            Some(Writer::Stdout(mut stdout)) => stdout.flush(),
            Some(Writer::File(file)) => file.commit(),
            Some(Writer::Stderr(_)) | None => Ok(()),
        };
        self.heed(result)
    }

    fn heed(&mut self, result: io::Result<()>) -> Result<(), Failure> {
        match result {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.writer = None;
                Ok(())
            }
            other => other.map_err(|error| Failure::io("write to", &self.name, error)),
        }
    }
}

/// `FORMAT` for standard output, or `FORMAT=FILE`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Request {
    format: Format,
    file: Option<PathBuf>,
}

impl Request {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (name, file) = match text.split_once('=') {
            Some((_, "")) => return Err("the file name after `=` is missing".to_owned()),
            Some((name, "-")) => (name, None),
            Some((name, file)) => (name, Some(PathBuf::from(file))),
            None => (text, None),
        };
        if let Some(file) = &file
            && file.extension().is_some_and(|extension| extension == "pp")
        {
            let file = file.display();
            return Err(format!("`{file}` is the name of a program, not of a report"));
        }
        match Format::parse(name) {
            Some(format) => Ok(Self { format, file }),
            None => Err(format!(
                "there is no format `{name}`; the formats are {}",
                Format::ALL.map(Format::name).join(", ")
            )),
        }
    }
}

impl Request {
    /// Returns true unless the document has a file.
    pub(crate) fn is_on_stdout(&self) -> bool {
        self.file.is_none()
    }
}

/// The destination of the diagnostics that have no file of their own.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Main {
    Stdout,
    /// Standard output holds something else.
    Stderr,
    Nowhere,
}

/// The documents of a run, written a program at a time.
pub(crate) struct Documents {
    each: Vec<Document>,
    /// The format of the diagnostics that have no file of their own.
    main: Option<Format>,
}

struct Document {
    plan: Plan,
    stream: Stream,
    sink: Sink,
}

/// The rendering of one document.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) format: Format,
    pub(crate) look: Look,
}

impl Documents {
    /// Opens what is asked for. Standard output gets `full` unless another format is asked for
    /// there. Formats for people show at most `limit` diagnostics.
    pub(crate) fn open(
        requests: &[Request],
        main: Main,
        settings: &ReportSettings,
        limit: Option<usize>,
    ) -> Result<Self, Failure> {
        let on_stdout: Vec<Format> =
            requests.iter().filter(|r| r.file.is_none()).map(|r| r.format).collect();
        let format = match *on_stdout {
            [] => Format::Full,
            [format] => format,
            _ => {
                return Err(Failure::usage(
                    "standard output takes one format; write the others to files, as in `--output-format json=FILE`",
                ));
            }
        };
        if main == Main::Nowhere && !on_stdout.is_empty() {
            return Err(Failure::usage(
                "with `--diff` and `--fix-only`, diagnostics are written to files only, as in `--output-format json=FILE`",
            ));
        }
        let look = match main {
            Main::Stdout | Main::Nowhere => Look {
                color: color_on_stdout(),
                width: terminal::width(),
                hyperlinks: terminal::shows_hyperlinks(color_on_stdout()),
            },
            Main::Stderr => Look::from(color_on_stderr()),
        };
        let mut documents =
            Self { each: Vec::new(), main: (main != Main::Nowhere).then_some(format) };
        let mut add = |plan: Plan, mut sink: Sink| {
            let stream = Stream::new(plan.format, settings).with_limit(limit);
            sink.write(&stream.open())?;
            documents.each.push(Document { plan, stream, sink });
            Ok(())
        };
        match main {
            Main::Stdout => add(Plan { format, look }, Sink::stdout())?,
            Main::Stderr => add(Plan { format, look }, Sink::stderr())?,
            Main::Nowhere => {}
        }
        let mut files: Vec<&Path> = Vec::new();
        for request in requests {
            let Some(path) = request.file.as_deref() else { continue };
            if files.contains(&path) {
                let path = path.display();
                return Err(Failure::usage(format!("two formats for the file `{path}`")));
            }
            files.push(path);
            let plan = Plan { format: request.format, look: Look::default() };
            add(plan, Sink::file(path.to_path_buf())?)?;
        }
        Ok(documents)
    }

    /// The rendering of each document, so that it can be done on another thread.
    pub(crate) fn plans(&self) -> Vec<Plan> {
        self.each.iter().map(|document| document.plan).collect()
    }

    /// Returns true if the document on standard output contains the statistics.
    pub(crate) fn has_statistics(&self) -> bool {
        self.main.is_some_and(Format::has_statistics)
    }

    /// Returns true unless a terminal shows a document whose lines may be incomplete.
    pub(crate) fn has_whole_lines(&self) -> bool {
        self.main.is_none_or(Format::is_for_people) || !io::stdout().is_terminal()
    }

    /// Adds a program: its part of each document, in the order of the plans.
    pub(crate) fn program(&mut self, parts: Vec<Part>) -> Result<(), Failure> {
        for (document, part) in self.each.iter_mut().zip(parts) {
            document.sink.write(&document.stream.add(part))?;
        }
        Ok(())
    }

    /// Renders the report about a program and adds it.
    pub(crate) fn add(&mut self, report: &Report) -> Result<(), Failure> {
        let plans = self.each.iter().map(|document| document.plan);
        let parts = plans.map(|plan| plan.format.part(report, plan.look)).collect();
        self.program(parts)
    }

    /// Shows what was written so far on standard output.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        let mut documents = self.each.iter_mut();
        documents.try_for_each(|document| document.sink.flush())
    }

    /// Completes every document.
    pub(crate) fn close(self, summary: &Summary) -> Result<(), Failure> {
        for Document { stream, mut sink, .. } in self.each {
            sink.write(&stream.close(summary))?;
            let hidden = stream.hidden();
            if hidden > 0 {
                let more = many(hidden, "more diagnostic");
                let line = format!("{more}; `--max-diagnostics none` shows all of them\n");
                sink.write(line.as_bytes())?;
            }
            sink.finish()?;
        }
        Ok(())
    }
}

/// `1 error`, `2 errors`.
pub(crate) fn many(count: usize, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_and_files() {
        let json = Request { format: Format::Json, file: Some("out.json".into()) };
        assert_eq!(Request::parse("json=out.json"), Ok(json));
        assert_eq!(Request::parse("concise"), Ok(Request { format: Format::Concise, file: None }));
        assert!(
            Request::parse("xml")
                .is_err_and(|error| error.contains("full, concise, json, json-lines"))
        );
        assert!(Request::parse("json=").is_err());
        assert_eq!(Request::parse("json=-"), Request::parse("json"));
    }
}
