//! `pcl dump`: the tokens, trees, model and packages of a program.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};

use super::hints;
use super::inputs::{ProgramArgs, SettingsArgs};
use super::output::{AnswerFormat, complain, print};
use super::status::Outcome;
use super::status::{Failure, Status};
use crate::everywhere::color_on_stderr;
use pcl::binder::{OpenFiles, Sources};
use pcl::diagnostics::{Diagnostic, SourceMap, TextRange};
use pcl::document::{DocumentOptions, Wording};
use pcl::render::{
    Format, Report, ast_json, ast_text, bound_json, bound_text, packages_json, packages_text,
    tokens_json, tree_json,
};
use pcl::syntax::{SyntaxKind, SyntaxTree};
use pcl::{Checked, Workspace};

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
    /// The meaning of the tree: attributes, blocks, expressions and decoded texts of each file
    Ast(Files),
    /// The semantic model: nodes, types, dependencies, packages
    Bound(Bound),
    /// The packages that the program and its components use, with their versions
    Packages(Packages),
}

#[derive(Args)]
struct Files {
    #[command(flatten)]
    program: ProgramArgs,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    output_format: AnswerFormat,
}

#[derive(Args)]
struct Bound {
    #[command(flatten)]
    files: Files,
    /// With `--output-format json`: the document for code generators, with expression trees,
    /// structured types, facts of schemas and comments
    #[arg(long)]
    full: bool,
    /// With `--full`: the descriptions in schemas as well
    #[arg(long, requires = "full")]
    descriptions: bool,
    /// With `--full`: the language whose names descriptions have
    #[arg(long, value_name = "LANGUAGE", requires = "full", default_value = "pcl")]
    #[arg(value_parser = wordings())]
    wording: Wording,
    #[command(flatten)]
    settings: SettingsArgs,
}

#[derive(Args)]
struct Packages {
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    settings: SettingsArgs,
}

/// The languages that `--wording` takes.
fn wordings() -> impl TypedValueParser<Value = Wording> {
    let names = Wording::ALL.map(Wording::name);
    PossibleValuesParser::new(names).map(|name| {
        let mut all = Wording::ALL.into_iter();
        all.find(|wording| wording.name() == name).unwrap_or_default()
    })
}

impl Dump {
    pub(crate) fn run(&self) -> Outcome {
        match &self.what {
            What::Tokens(files) => files.dump(tokens, tokens_json),
            What::Tree(files) => files.dump(pcl::syntax::dump, tree_json),
            What::Ast(files) => files.dump(ast_text, ast_json),
            What::Bound(bound) => bound.run(),
            What::Packages(Packages { files, settings }) => {
                files.dump_checked(settings, |checked| packages_text(checked), packages_json)
            }
        }
    }
}

impl Files {
    /// Prints `text` of each file, of several each under its path; or `json` of all.
    fn dump(
        &self,
        text: impl Fn(&SyntaxTree) -> String,
        json: impl Fn(&Sources, &SourceMap, &[Diagnostic]) -> Vec<u8>,
    ) -> Outcome {
        let target = self.program.target()?;
        let mut map = SourceMap::new();
        let (sources, mut diagnostics) = target.read(&OpenFiles::default(), &mut map);
        hints::name_flags(&mut diagnostics);
        let status = Status::of(diagnostics.is_empty(), false);
        match self.output_format {
            AnswerFormat::Text => {
                let mut all = String::new();
                for source in &sources.files {
                    if sources.files.len() > 1 {
                        all.push_str(&format!("# {}\n", map.path(source.file)));
                    }
                    all.push_str(&text(&source.tree));
                }
                print(&all)?;
                tell(&Report::new(target.display(), map, diagnostics));
            }
            AnswerFormat::Json => {
                print(json(&sources, &map, &diagnostics))?;
            }
        }
        Ok(status)
    }

    /// Checks the program and prints `text` or `json` of it.
    fn dump_checked(
        &self,
        settings: &SettingsArgs,
        text: impl Fn(&mut Checked) -> String,
        json: impl Fn(&mut Checked) -> Vec<u8>,
    ) -> Outcome {
        let target = self.program.target()?;
        let (options, configuration) = settings.of(&target)?;
        let mut checked = Workspace::new(options).check(&target);
        hints::name_flags(&mut checked.diagnostics);
        match self.output_format {
            AnswerFormat::Text => {
                print(text(&mut checked))?;
                tell(&checked.report);
            }
            AnswerFormat::Json => {
                print(json(&mut checked))?;
            }
        }
        Ok(settings.status(&checked.report, &configuration))
    }
}

impl Bound {
    fn run(&self) -> Outcome {
        if self.full && self.files.output_format == AnswerFormat::Text {
            let message = "`--full` goes with `--output-format json`";
            return Err(Failure::usage(message));
        }
        let json = |checked: &mut Checked| {
            if self.full {
                let mut options = DocumentOptions::default();
                options.descriptions = self.descriptions;
                options.wording = self.wording;
                checked.document_with(&options).to_json().into_bytes()
            } else {
                bound_json(checked)
            }
        };
        self.files.dump_checked(&self.settings, bound_text, json)
    }
}

/// The diagnostics of a program on standard error, since standard output holds something else.
pub(super) fn tell(report: &Report) {
    let text = Format::Full.render(report, color_on_stderr());
    if !text.is_empty() {
        complain(String::from_utf8_lossy(&text).trim_end());
    }
}

/// Kind, range and text of every token, one a line.
fn tokens(tree: &SyntaxTree) -> String {
    let text = tree.text();
    let line = |(kind, range): (SyntaxKind, TextRange)| {
        format!("{kind:?}@{range:?} {:?}\n", text.get(range.to_usize()).unwrap_or_default())
    };
    tree.tokens().iter().map(line).collect()
}
