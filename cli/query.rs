//! `pcl query`: the meaning of a place in a program.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::{Args, Subcommand};
use pcl_ide::{Analysis, FilePosition};
use pcl_server::query::{self, Ask};

use super::dump::tell;
use super::inputs::{self, SettingsArgs};
use super::output::{AnswerFormat, print, print_json};
use super::status::{Failure, Outcome, Status};
use super::whole_programs::ShownFiles;
use pcl::diagnostics::FileId;
use pcl::{Target, Workspace};

#[derive(Args)]
pub(crate) struct Query {
    #[command(subcommand)]
    question: Question,
}

#[derive(Subcommand)]
enum Question {
    /// The type of the expression at a place
    Type(PlaceQuestion),
    /// The explanation of the thing at a place
    Hover(PlaceQuestion),
    /// The declaration of the name at a place
    Def(PlaceQuestion),
    /// The declaration of the name at a place, and the references to it
    Refs(PlaceQuestion),
    /// The completions at a place
    Complete(PlaceQuestion),
    /// The outline of the file of a place
    Symbols(PlaceQuestion),
}

#[derive(Args)]
struct PlaceQuestion {
    /// A place in a .pp file of a program; lines and columns count from 1, columns in Unicode
    /// characters; `-` as the FILE reads standard input
    #[arg(value_name = "FILE:LINE:COLUMN", allow_hyphen_values = true)]
    place: Place,
    /// Name of the file on standard input, which stands for the one of that name on disk
    #[arg(long, value_name = "NAME")]
    stdin_filename: Option<String>,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    output_format: AnswerFormat,
    #[command(flatten)]
    settings: SettingsArgs,
}

/// A file with a line and a column, which count from 1.
#[derive(Clone, PartialEq, Debug)]
struct Place {
    file: PathBuf,
    line: u32,
    column: u32,
}

impl FromStr for Place {
    type Err = &'static str;

    /// Reads FILE:LINE:COLUMN. The name of the file may contain colons.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = |text: &str| text.parse().ok().filter(|&number: &u32| number > 0);
        let place = || {
            let (rest, column) = text.rsplit_once(':')?;
            let (file, line) = rest.rsplit_once(':')?;
            let (line, column) = (number(line)?, number(column)?);
            let file = PathBuf::from(file);
            (!file.as_os_str().is_empty()).then_some(Self { file, line, column })
        };
        place().ok_or("expected FILE:LINE:COLUMN, as in `main.pp:3:14`")
    }
}

impl Query {
    pub(crate) fn run(&self) -> Outcome {
        match &self.question {
            Question::Type(question) => question.ask("type", query::type_at),
            Question::Hover(question) => question.ask("hover", query::hover),
            Question::Def(question) => question.ask("def", query::definition),
            Question::Refs(question) => question.ask("refs", query::references),
            Question::Complete(question) => question.ask("complete", query::complete),
            Question::Symbols(question) => question.ask("symbols", query::symbols),
        }
    }
}

impl PlaceQuestion {
    /// Checks the program and prints the answer to a question about the place.
    fn ask(&self, name: &str, ask: Ask) -> Outcome {
        let (mut analysis, file) = self.program()?;
        let sources = &analysis.checked.sources;
        let Place { line, column, .. } = self.place;
        let at = FilePosition::of_line(sources, file, line, column).map_err(Failure::usage)?;
        let answer = ask(&mut analysis, at);
        match self.output_format {
            AnswerFormat::Json => {
                let document = query::document(name, &analysis, at, answer.as_ref());
                print_json(&document)?;
            }
            AnswerFormat::Text => {
                let text = answer.as_ref().map(|answer| format!("{}\n", answer.text));
                print(text.unwrap_or_default())?;
                tell(&analysis.checked.report);
            }
        }
        Ok(Status::of(true, answer.is_none()))
    }

    /// The program that the file is part of, and the file.
    fn program(&self) -> Result<(Analysis, FileId), Failure> {
        let path = &self.place.file;
        let target = inputs::target(path, self.stdin_filename.as_deref())?;
        let name = match &target {
            Target::Path(path) => path.clone(),
            Target::Memory { path, .. } => PathBuf::from(path),
        };
        if let Target::Path(path) = &target {
            pcl_system::open(path).map_err(|error| Failure::io("read", path, error))?;
        }
        let mut targets = vec![target];
        ShownFiles::widen(&mut targets);
        let [target] = &targets[..] else { return Err(no_program_file(&name)) };
        let (settings, _) = self.settings.of(target)?;
        let checked = Workspace::new(settings).check(target);
        let sources = &checked.sources;
        let mut files = checked.program.module.files.iter().copied();
        let file = files.find(|&file| {
            let shown = Path::new(sources.path(file));
            shown == name || shown.file_name() == name.file_name()
        });
        let file = file.ok_or_else(|| no_program_file(&name))?;
        Ok((Analysis::new(checked), file))
    }
}

fn no_program_file(path: &Path) -> Failure {
    Failure::usage(format!("`{}` is not a .pp file of a program", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        let place = |file: &str, line, column| Place { file: PathBuf::from(file), line, column };
        for (text, expected) in [
            ("main.pp:3:14", Some(place("main.pp", 3, 14))),
            ("C:/a:b/x.pp:1:2", Some(place("C:/a:b/x.pp", 1, 2))),
            ("-:1:1", Some(place("-", 1, 1))),
            ("main.pp", None),
            ("main.pp:3", None),
            (":3:4", None),
            ("main.pp:0:1", None),
            ("main.pp:1:0", None),
            ("main.pp:1:-1", None),
            ("main.pp:1:99999999999", None),
        ] {
            assert_eq!(text.parse().ok(), expected, "{text}");
        }
    }
}
