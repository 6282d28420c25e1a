//! The search for foreign notation, which runs only over texts with errors, and only over the lines
//! of these errors.
//!
//! The rules, with examples: `tests/spec/syntax/foreign.md`.

use std::collections::{BTreeMap, BTreeSet};

use pcl_diagnostics::{Code, TextRange};
use pcl_syntax::{Attempt, Found, Reading, SyntaxError};

use crate::habit::Habit;
use crate::view::{Line, View};
use crate::{
    bracket, character, conditional, conflict, file, function, heredoc, interpolation, nesting,
    number, program, quote, sdk, sign, statement, string, types, yaml,
};

/// Adds what a text with errors has to what was found before. Returns whether there was anything
/// new.
pub(super) fn find(attempt: &Attempt<'_>, found: &mut Found) -> bool {
    let before = found.readings.len();
    let whole = file::recognise(attempt.source).filter(|_| attempt.is_file);
    found.is_whole |= whole.is_some();
    let habits = match whole {
        Some(habit) => vec![habit],
        None => {
            let view = View::new(attempt.source, attempt.tokens);
            habits(&view, attempt.errors)
        }
    };
    add(found, habits);
    found.readings.len() > before
}

/// Adds habits to what was found. Of those that overlap the first one counts, of those that begin
/// together the longest.
fn add(found: &mut Found, mut habits: Vec<Habit>) {
    habits.sort_by_key(|habit| {
        let extent = habit.extent();
        (extent.start(), u32::MAX - extent.end())
    });
    // The ends of the readings so far, by their starts.
    let known = found.readings.iter();
    let mut taken: BTreeMap<u32, u32> =
        known.map(|reading| (reading.range.start(), reading.range.end())).collect();
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
            found.readings.push(Reading { range, kind, error: habit.error });
        }
        found.notes.push(habit.note);
    }
    found.readings.sort_by_key(|reading| reading.range.start());
    found.notes.sort_by_key(|note| (note.at, note.code));
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
    matches!(code, Code::TupleMissingComma | Code::CallMissingComma | Code::ObjMissingSep)
}

/// The habits on one line, and on those below that belong to it.
fn line_habits(view: &View<'_>, line: &Line, errors: &[SyntaxError]) -> Vec<Habit> {
    if line.is_text(view) {
        return Vec::new();
    }
    let whole = conflict::conflict(view, line)
        .or_else(|| statement::whole_line(view, line))
        .or_else(|| yaml::block(view, line))
        .or_else(|| program::statement(view, line))
        .or_else(|| nesting::parts(view, line));
    if let Some(habit) = whole {
        return vec![habit];
    }
    let mut habits = Vec::new();
    habits.extend(statement::comment(view, line, errors));
    habits.extend(statement::declaration(view, line));
    habits.extend(statement::header(view, line));
    habits.extend(sign::words(view, line));
    habits.extend(bracket::unopened_list(view, line));
    let mut token = line.first;
    while token < line.end {
        let habit = heredoc::introducer(view, token)
            .or_else(|| string::quoted(view, line, token))
            .or_else(|| quote::unopened(view, line, token))
            .or_else(|| quote::unescaped(view, line, token))
            .or_else(|| string::over_lines(view, line, token, errors))
            .or_else(|| quote::unclosed(view, line, token))
            .or_else(|| interpolation::bare(view, line, token))
            .or_else(|| number::number(view, line, token))
            .or_else(|| sdk::construction(view, line, token))
            .or_else(|| conditional::comprehension(view, token))
            .or_else(|| function::literal(view, line, token))
            .or_else(|| function::named_arguments(view, token))
            .or_else(|| function::method_call(view, line, token))
            .or_else(|| conditional::conditional(view, line, token))
            .or_else(|| conditional::null_operator(view, token))
            .or_else(|| sign::assignment(view, line, token))
            .or_else(|| sign::comparison(view, token))
            .or_else(|| sign::arrow(view, token))
            .or_else(|| types::type_name(view, line, token));
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
        habits.extend(string::unquoted(view, line, errors));
    }
    habits
}
