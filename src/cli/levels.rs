//! The flags that choose lints and levels.

use clap::Args;

use super::status::Failure;
use pcl::binder::Options;
use pcl::config;
use pcl::diagnostics::{Level, Selector, suggest};

#[derive(Args)]
#[command(next_help_heading = "Levels")]
pub(super) struct LevelArgs {
    /// Run only these lints: codes, names or groups (default, all, suspicious, unused, security,
    /// upkeep, style)
    #[arg(long, value_name = "CODE", value_parser = selector, value_delimiter = ',')]
    select: Vec<Selector>,
    /// Make diagnostics of this code, name or group errors; repeatable
    #[arg(long, value_name = "CODE", value_parser = selector, value_delimiter = ',')]
    error: Vec<Selector>,
    /// Make diagnostics of this code, name or group warnings; repeatable
    #[arg(long, value_name = "CODE", value_parser = selector, value_delimiter = ',')]
    warn: Vec<Selector>,
    /// Do not show diagnostics of this code, name or group; repeatable
    #[arg(long, value_name = "CODE", value_parser = selector, value_delimiter = ',')]
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
        let levels = [
            (&self.error, Level::Error),
            (&self.warn, Level::Warn),
            (&self.ignore, Level::Ignore),
        ];
        let levels = levels.into_iter();
        let each = levels.flat_map(|(selectors, level)| {
            selectors
                .iter()
                .map(move |selector| (selector.clone(), level))
        });
        each.collect()
    }
}

fn selector(text: &str) -> Result<Selector, String> {
    Selector::parse(text).ok_or_else(|| {
        let hint = match suggest(text, Selector::names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`pcl explain --all` lists the codes".to_owned(),
        };
        format!("there is no code, name or group of lints like this; {hint}")
    })
}
