//! The flags that choose lints and levels.

use clap::Args;

use super::status::Failure;
use pcl::binder::Options;
use pcl::config;
use pcl::diagnostics::{Level, Selector};

#[derive(Args)]
#[command(next_help_heading = "Levels")]
pub(super) struct LevelArgs {
    /// Run only these lints: codes, names or groups (default, all, suspicious, unused, security,
    /// upkeep, style), separated by commas; repeatable
    #[arg(
        long,
        value_name = "LINTS",
        value_parser = config::selector_of_lints,
        value_delimiter = ','
    )]
    select: Vec<Selector>,
    /// Codes, names or groups whose diagnostics are errors, separated by commas; repeatable
    #[arg(long, value_name = "CODES", value_parser = config::selector, value_delimiter = ',')]
    error: Vec<Selector>,
    /// Codes, names or groups whose diagnostics are warnings, separated by commas; repeatable
    #[arg(long, value_name = "CODES", value_parser = config::selector, value_delimiter = ',')]
    warn: Vec<Selector>,
    /// Codes, names or groups that are not reported, separated by commas; repeatable
    #[arg(long, value_name = "CODES", value_parser = config::selector, value_delimiter = ',')]
    ignore: Vec<Selector>,
    /// Exit with status 1 on warnings too
    #[arg(long)]
    pub(super) error_on_warning: bool,
}

impl LevelArgs {
    /// Refuses a code with two levels.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let levels = self.levels();
        for (at, (one, level)) in levels.iter().enumerate() {
            let others = levels.iter().take(at);
            let mut clashes = others.filter(|(other, other_level)| {
                other_level != level && other.is_group == one.is_group && other.codes == one.codes
            });
            if let (Some(_), Some(code)) = (clashes.next(), one.codes.first()) {
                return Err(Failure::usage(format!(
                    "{code} is given two levels; --error, --warn and --ignore exclude each other"
                )));
            }
        }
        Ok(())
    }

    /// Chooses the lints and the levels that the flags name.
    pub(super) fn apply(&self, options: &mut Options) {
        if !self.select.is_empty() {
            config::select(options, &self.select);
        }
        config::set_levels(options, self.levels());
    }

    fn levels(&self) -> Vec<(Selector, Level)> {
        let levels =
            [(&self.error, Level::Error), (&self.warn, Level::Warn), (&self.ignore, Level::Ignore)];
        let levels = levels.into_iter();
        let each = levels.flat_map(|(selectors, level)| {
            selectors.iter().map(move |selector| (selector.clone(), level))
        });
        each.collect()
    }
}
