//! `pcl completions`: a script that completes commands and flags in a shell.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::Cli;
use super::output::print;
use super::status::Outcome;

#[derive(Args)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self) -> Outcome {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "pcl", &mut script);
        print(&String::from_utf8_lossy(&script))
    }
}
