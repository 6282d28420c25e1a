//! The flags that let a repository with diagnostics pass: `--baseline` and `--new-lines-since`.

use std::path::PathBuf;

use clap::Args;
use pcl::render::{LeftOut, Report};

use crate::baseline::{Baseline, Found};
use crate::new_lines::NewLines;
use crate::status::Failure;

#[derive(Args)]
#[command(next_help_heading = "Adoption")]
pub(super) struct AdoptionArgs {
    /// Leave out the diagnostics that FILE lists; other ones count
    #[arg(long, value_name = "FILE", conflicts_with_all = ["watch", "add_ignore"])]
    baseline: Option<PathBuf>,
    /// Write the diagnostics that there are now to the file of `--baseline`
    #[arg(long, requires = "baseline", conflicts_with_all = ["diff", "new_lines_since"])]
    update_baseline: bool,
    /// Leave out the diagnostics on lines that are the same in REF, a commit of git
    #[arg(long, value_name = "REF", conflicts_with_all = ["watch", "add_ignore"])]
    new_lines_since: Option<String>,
}

/// The choice of the diagnostics that count.
pub(super) struct Adoption {
    baseline: Option<Baseline>,
    new_lines: Option<NewLines>,
}

/// The diagnostics of programs that do not count.
#[derive(Clone, Default)]
pub(super) struct Taken {
    pub left_out: LeftOut,
    found: Found,
}

impl AdoptionArgs {
    /// Reads the file of the baseline.
    pub fn open(&self) -> Result<Adoption, Failure> {
        let baseline = self.baseline.as_deref();
        Ok(Adoption {
            baseline: baseline.map(|it| Baseline::open(it, self.update_baseline)).transpose()?,
            new_lines: self.new_lines_since.as_deref().map(NewLines::since).transpose()?,
        })
    }
}

impl Adoption {
    /// Takes the diagnostics that do not count out of a report.
    pub fn take(&self, report: &mut Report) -> Taken {
        let mut taken = Taken::default();
        if let Some(new_lines) = &self.new_lines {
            taken.left_out.unchanged = Some(new_lines.take(report));
        }
        if let Some(baseline) = &self.baseline {
            let (found, known) = baseline.take(report);
            taken.left_out.known = Some(known);
            taken.found = found;
        }
        taken
    }

    /// The result of a run without programs.
    pub fn nothing(&self) -> Taken {
        let left_out = LeftOut {
            known: self.baseline.as_ref().map(|_| 0),
            unchanged: self.new_lines.as_ref().map(|_| 0),
        };
        Taken { left_out, ..Taken::default() }
    }

    /// Writes the baseline if it is to be updated, and returns what there is to say about it.
    /// `is_complete` is set if all programs could be read and checked.
    pub fn finish(self, taken: &Taken, is_complete: bool) -> Result<Vec<String>, Failure> {
        self.new_lines.map_or(Ok(()), NewLines::finish)?;
        self.baseline.map_or(Ok(Vec::new()), |it| it.finish(&taken.found, is_complete))
    }
}

impl Taken {
    /// Adds what is left out of another program.
    pub fn add(&mut self, other: &Self) {
        self.left_out.add(other.left_out);
        self.found.merge(&other.found);
    }
}
