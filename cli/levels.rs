//! The flags that choose the lints that run and the levels of diagnostics.

use clap::Args;

use pcl::config::{self, Configuration, WrongSelector};
use pcl::diagnostics::{Level, Selector};

use crate::status::Failure;

#[derive(Args)]
#[command(next_help_heading = "Levels")]
pub(super) struct LevelArgs {
    /// Run only these lints: codes, names or groups (default, all, suspicious, unused, security,
    /// upkeep, style), separated by commas; repeatable
    #[arg(long, value_name = "LINTS", value_parser = lints, value_delimiter = ',')]
    select: Vec<String>,
    /// Codes, names or groups whose diagnostics are errors, separated by commas; repeatable
    #[arg(long, value_name = "CODES", value_parser = codes, value_delimiter = ',')]
    error: Vec<String>,
    /// Codes, names or groups whose diagnostics are warnings, separated by commas; repeatable
    #[arg(long, value_name = "CODES", value_parser = codes, value_delimiter = ',')]
    warn: Vec<String>,
    /// Codes, names or groups that are not reported, separated by commas; repeatable
    #[arg(long, value_name = "CODES", value_parser = codes, value_delimiter = ',')]
    ignore: Vec<String>,
    /// Exit with status 1 on warnings too
    #[arg(long)]
    pub(super) error_on_warning: bool,
}

impl LevelArgs {
    /// Refuses a code with two levels.
    fn refuse_clashes(&self) -> Result<(), Failure> {
        let levels = self.levels();
        for (at, (one, level)) in levels.iter().enumerate() {
            let selected = Selector::parse(one);
            let others = levels.iter().take(at);
            let mut clashes = others.filter(|(other, other_level)| {
                other_level != level && Selector::parse(other) == selected
            });
            let code = selected.as_ref().and_then(|it| it.codes.first());
            if let (Some(_), Some(code)) = (clashes.next(), code) {
                return Err(Failure::usage(format!(
                    "{code} is given two levels; --error, --warn and --ignore exclude each other"
                )));
            }
        }
        Ok(())
    }

    /// Adds the lints and the levels that the flags name to a configuration.
    pub(super) fn add_to(&self, configuration: &mut Configuration) -> Result<(), Failure> {
        self.refuse_clashes()?;
        let added = configuration.set_levels(&self.select, &self.levels());
        added.map_err(|diagnostics| crate::config::wrong("in a flag", &diagnostics))
    }

    fn levels(&self) -> Vec<(String, Level)> {
        let levels =
            [(&self.error, Level::Error), (&self.warn, Level::Warn), (&self.ignore, Level::Ignore)];
        let levels = levels.into_iter();
        let each = levels.flat_map(|(selectors, level)| {
            selectors.iter().map(move |selector| (selector.clone(), level))
        });
        each.collect()
    }
}

/// A name that selects lints.
fn lints(text: &str) -> Result<String, WrongSelector> {
    config::selector_of_lints(text).map(|_| text.to_owned())
}

/// A name that selects codes.
fn codes(text: &str) -> Result<String, WrongSelector> {
    config::selector(text).map(|_| text.to_owned())
}
