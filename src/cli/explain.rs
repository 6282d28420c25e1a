//! `pcl explain`: what a diagnostic means, and what a function does.

use clap::Args;

use super::Outcome;
use super::output::print;
use pcl::diagnostics::{Code, suggest};
use pcl::model::functions::{Builtin, all_areas};

#[derive(Args)]
pub(crate) struct Explain {
    /// A code or its name, such as PCL0301 or type-not-assignable, or a function, such as element
    #[arg(value_name = "CODE|FUNCTION", value_parser = topic, required_unless_present = "all")]
    topic: Option<Topic>,
    /// Explain every code and every function, each on a line
    #[arg(long, conflicts_with = "topic")]
    all: bool,
}

/// What is to be explained.
#[derive(Clone)]
enum Topic {
    Code(Code),
    Function(&'static Builtin),
}

impl Explain {
    pub(crate) fn run(&self) -> Outcome {
        match self.topic {
            Some(Topic::Code(code)) => {
                print(&format!("{code} {}\n\n{}\n", code.name(), code.summary()))
            }
            Some(Topic::Function(function)) => print(&explained(function)),
            None => print(&all()),
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

/// One line for each code and each function.
fn all() -> String {
    let codes = Code::ALL.iter().map(|code| code.name().len());
    let width = codes.max().unwrap_or(0);
    let code = |code: &Code| format!("{code}  {:width$}  {}\n", code.name(), code.summary());
    let function = |function: &Builtin| format!("{:18}  {}\n", function.name, function.summary);
    let codes = Code::ALL.iter().map(code);
    let functions = functions().map(function);
    codes.chain(["\n".to_owned()]).chain(functions).collect()
}
