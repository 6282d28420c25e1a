//! `pcl explain`: what a diagnostic means, and what a function does.

use clap::Args;

use super::output::print;
use super::status::Outcome;
use pcl::diagnostics::{Code, suggest};
use pcl::model::functions::{Builtin, all_areas};

#[derive(Args)]
pub(crate) struct Explain {
    /// A code or its name, such as PCL0301 or type-not-assignable, or a function, such as element
    #[arg(value_name = "CODE|FUNCTION", value_parser = topic, required_unless_present = "all")]
    topic: Option<Topic>,
    /// The book: every code with its page, and every function, as Markdown
    #[arg(long, conflicts_with = "topic")]
    all: bool,
}

/// The subject of an explanation.
#[derive(Clone)]
enum Topic {
    Code(Code),
    Function(&'static Builtin),
}

impl Explain {
    pub(crate) fn run(&self) -> Outcome {
        match self.topic {
            Some(Topic::Code(code)) => print(&page(code, "#")),
            Some(Topic::Function(function)) => print(&explained(function)),
            None => print(&book()),
        }
    }
}

fn functions() -> impl Iterator<Item = &'static Builtin> {
    all_areas().flat_map(|area| area.functions)
}

fn topic(text: &str) -> Result<Topic, String> {
    if let Some(function) = functions().find(|function| function.name == text) {
        return Ok(Topic::Function(function));
    }
    Code::parse(text).map(Topic::Code).ok_or_else(|| {
        let codes = Code::ALL.iter().flat_map(|code| [code.id(), code.name()]);
        let names = codes.chain(functions().map(|function| function.name));
        let hint = match suggest(text, names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`pcl explain --all` lists them".to_owned(),
        };
        format!("there is no diagnostic or function of this name; {hint}")
    })
}

fn explained(function: &Builtin) -> String {
    format!(
        "{}\n\n{}\n\ngives    {}\nexample  {}\n",
        function.usage(),
        function.summary,
        function.returns(),
        function.example
    )
}

/// The page of a code below its title.
fn page(code: Code, level: &str) -> String {
    let (name, summary, page) = (code.name(), code.summary(), code.page());
    format!("{level} {code} {name}\n\n{summary}\n\n{page}")
}

/// Every code by number, then the functions, each on a line.
fn book() -> String {
    let mut book = "# What pcl says\n\n\
        The packages in the examples are inventions.\n\n"
        .to_owned();
    for &code in Code::ALL {
        book.push_str(&page(code, "##"));
        book.push('\n');
    }
    book.push_str("# Functions\n\n`pcl explain NAME` tells more.\n\n");
    for function in functions() {
        book.push_str(&format!("- `{}`: {}\n", function.usage(), function.summary));
    }
    book
}
