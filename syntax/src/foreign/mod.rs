//! The notation of other languages: code of newcomers from Terraform, YAML, JSON, Python,
//! JavaScript or Go.
//!
//! The search runs only over texts with errors, and only over the lines of these errors. Its
//! results become [`Reading`]s for the lexer: the unparsable text becomes one token, which
//! represents a value, a sign, or nothing. So one habit is one error, and the lines around it are
//! parsed as if it were not there. The equivalent PCL is a [`Rewrite`].
//!
//! The rules, with examples: `tests/spec/syntax/foreign.md`.

mod character;
mod comprehension;
mod conditional;
mod file;
mod function;
mod habit;
mod heredoc;
mod interpolation;
mod multiline;
mod named;
mod number;
mod sdk;
mod sign;
mod statement;
mod string;
mod types;
mod unquoted;
mod view;
mod yaml;
mod yaml_value;

use std::collections::{BTreeMap, BTreeSet};

use pcl_diagnostics::{Code, TextRange};

use crate::error::{Rewrite, SyntaxError};
use crate::lexer::Reading;
use crate::tree::Tokens;
pub(crate) use character::visible;
pub(crate) use file::language;
use habit::Habit;
pub(crate) use heredoc::{swallowed, swallowing};
pub use types::foreign_type;
use view::{Line, View};

/// The foreign notation of a text.
#[derive(Default)]
pub(crate) struct Foreign {
    /// In order; none overlaps another.
    pub(crate) readings: Vec<Reading>,
    pub(crate) rewrites: Vec<Rewrite>,
}

impl Foreign {
    /// Adds what a text with these errors has; gives whether there was anything new. `is_file`
    /// tells whether it is a whole file.
    pub(crate) fn find(
        &mut self,
        source: &str,
        tokens: &Tokens,
        errors: &[SyntaxError],
        is_file: bool,
    ) -> bool {
        let before = self.readings.len();
        let habits = match file::recognise(source) {
            Some(habit) if is_file => vec![habit],
            _ => habits(&View::new(source, tokens), errors),
        };
        self.add(habits);
        self.readings.len() > before
    }

    /// That of a file that is in another language as a whole.
    pub(crate) fn whole_file(source: &str) -> Self {
        let mut foreign = Self::default();
        foreign.add(vec![file::whole_file(source)]);
        foreign
    }

    /// Returns whether the text is a file that is not PCL at all.
    pub(crate) fn is_whole_file(&self) -> bool {
        self.readings.first().is_some_and(|reading| {
            matches!(
                reading.error.code(),
                Code::ForeignFile | Code::ForeignEncoding
            )
        })
    }

    /// Adds habits. Of those that overlap the first one counts, of those that begin together the
    /// longest.
    fn add(&mut self, mut habits: Vec<Habit>) {
        habits.sort_by_key(|habit| {
            let extent = habit.extent();
            (extent.start(), u32::MAX - extent.end())
        });
        // The ends of the readings so far, by their starts.
        let known = self.readings.iter();
        let mut taken: BTreeMap<u32, u32> = known
            .map(|reading| (reading.range.start(), reading.range.end()))
            .collect();
        for habit in habits {
            let is_free = |range: &TextRange| {
                let before = taken.range(..range.end()).next_back();
                !range.is_empty() && before.is_none_or(|(_, &end)| end <= range.start())
            };
            if !habit.readings.iter().all(|(range, _)| is_free(range)) {
                continue;
            }
            for (range, kind) in habit.readings {
                taken.insert(range.start(), range.end());
                self.readings.push(Reading {
                    range,
                    kind,
                    error: habit.error,
                });
            }
            if !habit.edits.is_empty() {
                self.rewrites.push(Rewrite {
                    code: habit.error.code(),
                    at: habit.error.range().start(),
                    edits: habit.edits,
                    applicability: habit.applicability,
                });
            }
        }
        self.readings.sort_by_key(|reading| reading.range.start());
        self.rewrites
            .sort_by_key(|rewrite| (rewrite.at, rewrite.code));
    }
}

/// The most lines below an error in brackets that are searched, too.
const LINES: usize = 64;

/// The habits of a text with these errors.
fn habits(view: &View<'_>, errors: &[SyntaxError]) -> Vec<Habit> {
    let mut lines = BTreeSet::new();
    let mut habits = Vec::new();
    for error in errors.iter().filter(|error| error.is_error()) {
        habits.extend(heredoc::wrong_end(view, error));
        let places = [Some(error.range()), error.related()];
        let places = places.into_iter().flatten();
        lines.extend(places.map(|place| view.line_start(place.start())));
        if hides_others(error.code()) {
            // Further errors in these brackets are not reported.
            lines.extend(view.lines_to_closer(error.range().start()).take(LINES));
        }
    }
    habits.extend(character::spaces(view, errors));
    let mut done = 0;
    for start in lines {
        if start < done {
            continue;
        }
        let line = view.line(start);
        let found = line_habits(view, &line, errors);
        let ends = found.iter().map(|habit| habit.extent().end());
        done = ends.max().unwrap_or(done);
        habits.extend(found);
    }
    habits
}

/// Returns whether one error of this kind is reported in a pair of brackets.
fn hides_others(code: Code) -> bool {
    matches!(
        code,
        Code::TupleMissingComma | Code::CallMissingComma | Code::ObjMissingSep
    )
}

/// The habits on one line, and on those below that belong to it.
fn line_habits(view: &View<'_>, line: &Line, errors: &[SyntaxError]) -> Vec<Habit> {
    if line.is_text(view) {
        return Vec::new();
    }
    if let Some(habit) = statement::whole_line(view, line).or_else(|| yaml::block(view, line)) {
        return vec![habit];
    }
    let mut habits = Vec::new();
    habits.extend(statement::comment(view, line, errors));
    habits.extend(statement::declaration(view, line));
    habits.extend(statement::header(view, line));
    habits.extend(sign::words(view, line));
    let mut token = line.first;
    while token < line.end {
        let habit = heredoc::introducer(view, token)
            .or_else(|| string::quoted(view, line, token))
            .or_else(|| multiline::over_lines(view, line, token, errors))
            .or_else(|| interpolation::bare(view, line, token))
            .or_else(|| number::number(view, line, token))
            .or_else(|| sdk::construction(view, line, token))
            .or_else(|| comprehension::comprehension(view, token))
            .or_else(|| function::literal(view, line, token))
            .or_else(|| named::arguments(view, token))
            .or_else(|| function::method_call(view, line, token))
            .or_else(|| conditional::conditional(view, line, token))
            .or_else(|| conditional::null_operator(view, token))
            .or_else(|| sign::assignment(view, line, token))
            .or_else(|| sign::comparison(view, token))
            .or_else(|| sign::type_name(view, line, token));
        let next = match habit {
            Some(habit) => {
                let end = habit.extent().end();
                habits.push(habit);
                view.token_at(end)
            }
            None => token,
        };
        token = next.max(token + 1);
    }
    habits.extend(character::signs(view, line));
    if habits.is_empty() {
        habits.extend(sign::missing_equals(view, line));
    }
    if habits.is_empty() {
        habits.extend(unquoted::value(view, line, errors));
    }
    habits
}
