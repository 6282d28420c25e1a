//! The destinations of text. A reader that closes the pipe early is not an error: the rest is
//! dropped and the status stays the same.

use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::PathBuf;

use super::status::Outcome;
use super::status::{Failure, Status};
use super::width;
use pcl::render::{Format, Look};

/// Prints `text` on standard output.
pub(crate) fn print(text: &str) -> Outcome {
    let mut sink = Sink::stdout();
    sink.write(text.as_bytes())?;
    sink.finish()?;
    Ok(Status::Clean)
}

/// Prints a line on standard error, if anyone listens.
pub(crate) fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Standard output or a file.
pub(crate) struct Sink {
    /// `None` once the reader is gone.
    writer: Option<Box<dyn Write>>,
    name: PathBuf,
}

impl Sink {
    pub(crate) fn stdout() -> Self {
        let writer = BufWriter::with_capacity(1 << 16, io::stdout());
        Self {
            writer: Some(Box::new(writer)),
            name: "standard output".into(),
        }
    }

    fn stderr() -> Self {
        Self {
            writer: Some(Box::new(io::stderr())),
            name: "standard error".into(),
        }
    }

    fn file(path: PathBuf) -> Result<Self, Failure> {
        let file = File::create(&path).map_err(|error| Failure::io("create", &path, error))?;
        Ok(Self {
            writer: Some(Box::new(BufWriter::new(file))),
            name: path,
        })
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let Some(writer) = &mut self.writer else {
            return Ok(());
        };
        let result = writer.write_all(bytes);
        self.heed(result)
    }

    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        let Some(writer) = &mut self.writer else {
            return Ok(());
        };
        let result = writer.flush();
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
            Some((name, file)) => (name, Some(PathBuf::from(file))),
            None => (text, None),
        };
        match Format::parse(name) {
            Some(format) => Ok(Self { format, file }),
            None => Err(format!(
                "there is no format `{name}`; the formats are {}",
                Format::ALL.map(Format::name).join(", ")
            )),
        }
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
    plans: Vec<Plan>,
    sinks: Vec<Sink>,
    count: usize,
}

/// The rendering of one document.
#[derive(Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) format: Format,
    pub(crate) look: Look,
}

impl Documents {
    /// Opens what is asked for. Standard output gets `full` unless another format is asked for
    /// there.
    pub(crate) fn open(requests: &[Request], color: bool, main: Main) -> Result<Self, Failure> {
        let mut documents = Self {
            plans: Vec::new(),
            sinks: Vec::new(),
            count: 0,
        };
        let on_stdout: Vec<Format> = requests
            .iter()
            .filter(|r| r.file.is_none())
            .map(|r| r.format)
            .collect();
        let format = match *on_stdout {
            [] => Format::Full,
            [format] => format,
            _ => {
                return Err(Failure::usage(
                    "standard output takes one format; write the others to files, as in `--output-format json=FILE`",
                ));
            }
        };
        let look = Look {
            color,
            width: width::on_stdout(),
        };
        match main {
            Main::Stdout => documents.add(Plan { format, look }, Sink::stdout())?,
            Main::Stderr => documents.add(Plan { format, look }, Sink::stderr())?,
            Main::Nowhere => {}
        }
        for request in requests {
            if let Some(path) = &request.file {
                documents.add(
                    Plan {
                        format: request.format,
                        look: Look::default(),
                    },
                    Sink::file(path.clone())?,
                )?;
            }
        }
        Ok(documents)
    }

    fn add(&mut self, plan: Plan, mut sink: Sink) -> Result<(), Failure> {
        sink.write(plan.format.open().as_bytes())?;
        self.plans.push(plan);
        self.sinks.push(sink);
        Ok(())
    }

    /// The rendering of each document, so that it can be done on another thread.
    pub(crate) fn plans(&self) -> Vec<Plan> {
        self.plans.clone()
    }

    /// Adds a program: its part of each document, in the order of the plans.
    pub(crate) fn program(&mut self, parts: &[Vec<u8>]) -> Result<(), Failure> {
        for ((plan, sink), part) in self.plans.iter().zip(&mut self.sinks).zip(parts) {
            if self.count > 0 {
                sink.write(plan.format.between().as_bytes())?;
            }
            sink.write(part)?;
        }
        self.count += 1;
        Ok(())
    }

    /// Completes every document.
    pub(crate) fn close(self) -> Result<(), Failure> {
        for (plan, mut sink) in self.plans.iter().zip(self.sinks) {
            sink.write(plan.format.close().as_bytes())?;
            sink.finish()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_and_files() {
        let json = Request {
            format: Format::Json,
            file: Some("out.json".into()),
        };
        assert_eq!(Request::parse("json=out.json"), Ok(json));
        assert_eq!(
            Request::parse("concise"),
            Ok(Request {
                format: Format::Concise,
                file: None
            })
        );
        assert!(
            Request::parse("xml")
                .is_err_and(|error| error.contains("full, concise, json, json-lines"))
        );
        assert!(Request::parse("json=").is_err());
    }
}
