//! `pcl convert --batch`: many programs to several languages, with a record for each pair.
//!
//! The way of a program: [`input`] reads it, [`conversion`] makes its records, [`records`] writes
//! them in the order of the input, and [`summary`] counts them. The programs of a chunk are
//! converted on all processors, and the next chunk is read when they are written, so that the
//! memory does not depend on the length of the input, but for a hash of each id. Schemas are loaded
//! once.

mod conversion;
mod input;
mod records;
mod summary;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;
use pcl_convert::{Language, Options};

use super::inputs::SettingsArgs;
use super::status::{Failure, Outcome, Status};
use super::terminal::Progress;
use crate::config;
use crate::everywhere::summarize;
use conversion::{Converted, Converter};
use input::{Entries, Entry};
use records::Records;
use summary::Summary;

/// The most programs of a chunk.
const MOST: usize = 256;

/// The size of the programs of a chunk after which no more are added, in bytes.
const MOST_BYTES: usize = 32 << 20;

#[derive(Args)]
#[command(next_help_heading = "Batches")]
pub(crate) struct BatchArgs {
    /// Convert the programs of FILE, a JSON map by id or JSON lines; `-` reads standard input
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["path", "stdin_filename", "out", "name", "output_format"]
    )]
    pub(crate) batch: Option<PathBuf>,
    /// Write the records of a batch into FILE, which must not exist; without it, they are printed
    #[arg(long, value_name = "FILE", requires = "batch")]
    output: Option<PathBuf>,
    /// Go on with the FILE of `--output`: what it has is not converted again
    #[arg(long, requires = "output")]
    resume: bool,
    /// Write the number of conversions by language and severity, and the most frequent reasons
    /// against a complete one, into FILE
    #[arg(long, value_name = "FILE", requires = "batch")]
    summary: Option<PathBuf>,
    /// The number of threads for a batch; by default as many as the machine has
    #[arg(short, long, value_name = "N", requires = "batch")]
    jobs: Option<NonZeroUsize>,
}

impl BatchArgs {
    /// Refuses flags of a batch where there is none. `clap` does not, beside a path.
    pub(crate) fn refuse_alone(&self) -> Result<(), Failure> {
        let given = [
            ("--output", self.output.is_some(), "; `--out DIR` writes a project"),
            ("--summary", self.summary.is_some(), ""),
            ("--jobs", self.jobs.is_some(), ""),
        ];
        match given.iter().find(|(_, is_given, _)| *is_given) {
            Some((flag, _, others)) => {
                Err(Failure::usage(format!("`{flag}` is for `--batch`{others}")))
            }
            None => Ok(()),
        }
    }

    /// Converts the programs of an input.
    pub(crate) fn run(
        &self,
        input: &Path,
        settings: &SettingsArgs,
        languages: &[Language],
        options: &Options,
    ) -> Outcome {
        let inputs = settings.inputs()?;
        let configuration = inputs.discovery.of(Path::new("."));
        config::refuse_errors(&inputs.discovery)?;
        let settings = inputs.settings(&configuration);
        let mut entries = Entries::open(input)?;
        let mut records = Records::open(self.output.as_deref(), self.resume, languages)?;
        let mut summary = Summary::new(languages);
        let converter = Converter::new(settings, languages, options);
        let threads = self.jobs.or_else(|| std::thread::available_parallelism().ok());
        let threads = threads.unwrap_or(NonZeroUsize::MIN);
        let progress = Progress::endless("converted");
        loop {
            let chunk = chunk(&mut entries, &records)?;
            if chunk.is_empty() {
                break;
            }
            let mut written = Ok(());
            let work = |(entry, known): &(Entry, Vec<Language>)| {
                let converted = converter.convert(entry, known);
                progress.add_one();
                converted
            };
            pcl::in_order(&chunk, threads, work, |converted: Converted| {
                summary.add(&converted);
                if written.is_ok() {
                    written = records.write(&converted);
                }
            });
            written?;
        }
        progress.finish();
        records.finish()?;
        if let Some(path) = &self.summary {
            summary.write(path)?;
        }
        summarize(&summary.line());
        Ok(if summary.has_failures() { Status::Found } else { Status::Clean })
    }
}

/// The next programs, each with the languages that it was converted to before.
fn chunk(entries: &mut Entries, records: &Records) -> Result<Vec<(Entry, Vec<Language>)>, Failure> {
    let mut chunk = Vec::new();
    let mut size = 0;
    while chunk.len() < MOST && size < MOST_BYTES {
        let Some(entry) = entries.next()? else { break };
        if records.has_unread(&entry) {
            continue;
        }
        size += entry.size();
        let known = records.known(&entry);
        chunk.push((entry, known));
    }
    Ok(chunk)
}
