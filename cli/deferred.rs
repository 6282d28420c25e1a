//! Subcommands that the parser learns about when they are given.

use std::ops::Deref;

use clap::error::Error;
use clap::{ArgMatches, Args, Command, FromArgMatches};

/// The arguments of a subcommand, which the parser builds only for the subcommand that runs.
///
/// Building all of them takes 460,000 instructions and 28 page faults, two fifths of the
/// instructions of `pcl version`.
pub(super) struct Deferred<T>(Box<T>);

impl<T> Deref for Deferred<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Args> Args for Deferred<T> {
    fn augment_args(command: Command) -> Command {
        command.defer(|command| with_own_description(command, T::augment_args))
    }

    fn augment_args_for_update(command: Command) -> Command {
        command.defer(|command| with_own_description(command, T::augment_args_for_update))
    }
}

impl<T: FromArgMatches> FromArgMatches for Deferred<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches(matches).map(|arguments| Self(Box::new(arguments)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}

/// Adds arguments to a subcommand, which keeps its description: the derived code replaces it by the
/// comment on the type of the arguments or of some that are flattened into them.
fn with_own_description(command: Command, augment: fn(Command) -> Command) -> Command {
    let about = command.get_about().cloned().unwrap_or_default();
    let long_about = command.get_long_about().cloned();
    let command = augment(command).about(about);
    match long_about {
        Some(long_about) => command.long_about(long_about),
        None => command.long_about(None),
    }
}
