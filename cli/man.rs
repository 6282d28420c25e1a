//! `pcl man` and `pcl completions`: the manual pages, and scripts that complete commands.

use std::io;
use std::path::PathBuf;

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Inline, Roff, bold, roman};

use super::Cli;
use super::output::print;
use super::status::{Failure, Outcome, Status};
use crate::everywhere::summarize;

#[derive(Args)]
pub(crate) struct ManPages {
    /// The directory that gets a page for each command; without it, the page of `pcl` is printed
    #[arg(value_name = "DIR")]
    directory: Option<PathBuf>,
}

/// A manual page.
struct Page {
    name: String,
    text: Vec<u8>,
}

impl ManPages {
    pub(crate) fn run(&self) -> Outcome {
        let mut command = Cli::command();
        command.build();
        let failed = |error| Failure::io("write", "the manual pages", error);
        let Some(directory) = &self.directory else {
            let page = page(&command, None).map_err(failed)?;
            return print(page.text);
        };
        std::fs::create_dir_all(directory)
            .map_err(|error| Failure::io("create the directory", directory, error))?;
        let mut pages = Vec::new();
        add_pages(&command, None, &mut pages).map_err(failed)?;
        for page in &pages {
            let file = directory.join(format!("{}.1", page.name));
            pcl_system::replace(&file, &page.text)
                .map_err(|error| Failure::io("write", &file, error))?;
        }
        summarize(&format!("wrote {} manual pages to {}", pages.len(), directory.display()));
        Ok(Status::Clean)
    }
}

/// Adds the pages of a command and of those below it.
fn add_pages(
    command: &clap::Command,
    parent: Option<&str>,
    pages: &mut Vec<Page>,
) -> io::Result<()> {
    let own = page(command, parent)?;
    let name = own.name.clone();
    pages.push(own);
    for inner in command.get_subcommands().filter(|it| !it.is_hide_set()) {
        add_pages(inner, Some(&name), pages)?;
    }
    Ok(())
}

fn page(command: &clap::Command, parent: Option<&str>) -> io::Result<Page> {
    let name = command.get_display_name();
    let name = name.unwrap_or(command.get_name()).to_owned();
    let man = Man::new(command.clone());
    let version = env!("CARGO_PKG_VERSION");
    // The page of a version has no date of its own.
    let title = format!(".TH \"{name}\" \"1\" \"\" \"pcl {version}\" \"pcl\"\n");
    let mut text = title.into_bytes();
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut text)?;
    }
    text.extend(examples(&name).to_roff().into_bytes());
    text.extend(exit_status().to_roff().into_bytes());
    text.extend(see_also(parent).to_roff().into_bytes());
    Ok(Page { name, text })
}

/// The examples of the command with a page of this name, `pcl-schema-add`.
fn examples(page: &str) -> Roff {
    let mut roff = Roff::new();
    let path = page.trim_start_matches("pcl-").replace('-', " ");
    let Some(examples) = super::examples::of(&path) else { return roff };
    roff.control("SH", ["EXAMPLES"]);
    for (example, meaning) in examples {
        roff.control("TP", []);
        roff.text([bold(*example)]);
        roff.text([roman(*meaning)]);
    }
    roff
}

fn exit_status() -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["EXIT STATUS"]);
    for (status, meaning) in [
        ("0", "no errors, or all files formatted"),
        ("1", "errors, unformatted files, or, with --error-on-warning, warnings"),
        ("2", "incorrect usage or configuration, or a file that could not be read or written"),
        ("101", "a bug in pcl"),
    ] {
        roff.control("TP", []);
        roff.text([bold(status)]);
        roff.text([roman(meaning)]);
    }
    roff
}

/// References to the page of the command above and to that of `pcl`.
fn see_also(parent: Option<&str>) -> Roff {
    let mut roff = Roff::new();
    let Some(parent) = parent else { return roff };
    roff.control("SH", ["SEE ALSO"]);
    let mut names: Vec<Inline> = vec![bold(parent), roman("(1)")];
    if parent != "pcl" {
        names.extend([roman(", "), bold("pcl"), roman("(1)")]);
    }
    roff.text(names);
    roff
}

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
        print(script)
    }
}
