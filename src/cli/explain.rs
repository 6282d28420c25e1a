//! `pcl explain`: what a diagnostic means.

use clap::Args;

use super::output::print;
use super::{Outcome, check};
use pcl::diagnostics::Code;

#[derive(Args)]
pub(crate) struct Explain {
    /// The code or name, such as PCL0301 or type-not-assignable
    #[arg(value_name = "CODE", value_parser = check::code, required_unless_present = "all")]
    code: Option<Code>,
    /// Explain every code
    #[arg(long, conflicts_with = "code")]
    all: bool,
}

impl Explain {
    pub(crate) fn run(&self) -> Outcome {
        match self.code {
            Some(code) => print(&format!("{code} {}\n\n{}\n", code.name(), code.summary())),
            None => print(&all()),
        }
    }
}

/// One line for each code.
fn all() -> String {
    let width = Code::ALL
        .iter()
        .map(|code| code.name().len())
        .max()
        .unwrap_or(0);
    let line = |code: &Code| format!("{code}  {:width$}  {}\n", code.name(), code.summary());
    Code::ALL.iter().map(line).collect()
}
