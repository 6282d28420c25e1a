//! `pcl dump`: what the front end sees of a program.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::Outcome;
use super::inputs::{self, SchemaArgs, StrictnessArgs};
use super::output::{Sink, complain, print};
use super::status::Status;
use pcl::Workspace;
use pcl::diagnostics::{Diagnostic, SourceMap, TextRange};
use pcl::render::{Format, Report, bound_json, bound_text};
use pcl::syntax::{SyntaxKind, SyntaxTree};

#[derive(Args)]
pub(crate) struct Dump {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// The tokens of each file
    Tokens(Files),
    /// The syntax tree of each file
    Tree(Files),
    /// The semantic model: nodes, types, dependencies, packages
    Bound(Bound),
}

#[derive(Args)]
struct Files {
    /// A program directory or a single .pp file; `-` reads standard input
    #[arg(value_name = "PATH", default_value = ".")]
    path: PathBuf,
}

#[derive(Args)]
struct Bound {
    #[command(flatten)]
    files: Files,
    /// What to call the file on standard input
    #[arg(long, value_name = "NAME")]
    stdin_filename: Option<String>,
    /// How to print the model
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    output_format: ModelFormat,
    #[command(flatten)]
    schemas: SchemaArgs,
    #[command(flatten)]
    strictness: StrictnessArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ModelFormat {
    Text,
    Json,
}

impl Dump {
    pub(crate) fn run(&self) -> Outcome {
        match &self.what {
            What::Tokens(files) => files.dump(tokens),
            What::Tree(files) => files.dump(pcl::syntax::dump),
            What::Bound(bound) => bound.run(),
        }
    }
}

impl Files {
    /// Prints `show` of each file; of several, each under its path.
    fn dump(&self, show: impl Fn(&SyntaxTree) -> String) -> Outcome {
        let target = inputs::target(&self.path, None)?;
        let mut map = SourceMap::new();
        let (sources, findings) = target.read(&mut map);
        let mut text = String::new();
        for source in &sources.files {
            if sources.files.len() > 1 {
                text.push_str(&format!("# {}\n", map.path(source.file)));
            }
            text.push_str(&show(&source.tree));
        }
        print(&text)?;
        tell(&target.display(), &map, &findings);
        Ok(if findings.is_empty() {
            Status::Clean
        } else {
            Status::Failed
        })
    }
}

impl Bound {
    fn run(&self) -> Outcome {
        let settings = inputs::settings(&self.schemas, &self.strictness)?;
        let target = inputs::target(&self.files.path, self.stdin_filename.as_deref())?;
        let mut checked = Workspace::new(settings).check(&target);
        match self.output_format {
            ModelFormat::Text => {
                print(&bound_text(&mut checked))?;
                tell(&checked.path, &checked.sources, &checked.diagnostics);
            }
            ModelFormat::Json => {
                let mut sink = Sink::stdout();
                sink.write(&bound_json(&mut checked))?;
                sink.finish()?;
            }
        }
        Ok(match (checked.readable, checked.is_valid()) {
            (false, _) => Status::Failed,
            (true, false) => Status::Found,
            (true, true) => Status::Clean,
        })
    }
}

/// Findings on standard error, since standard output holds something else.
fn tell(path: &str, sources: &SourceMap, diagnostics: &[Diagnostic]) {
    let text = Format::Concise.render(
        &Report {
            path,
            sources,
            diagnostics,
        },
        false,
    );
    if !text.is_empty() {
        complain(String::from_utf8_lossy(&text).trim_end());
    }
}

/// Kind, range and text of every token, one a line.
fn tokens(tree: &SyntaxTree) -> String {
    let text = tree.text();
    let line = |(kind, range): (SyntaxKind, TextRange)| {
        format!(
            "{kind:?}@{range:?} {:?}\n",
            text.get(range.to_usize()).unwrap_or_default()
        )
    };
    tree.tokens().iter().map(line).collect()
}
