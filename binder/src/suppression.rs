//! Comments that suppress diagnostics: `# pcl: ignore[CODE] reason`.
//!
//! The rules, with examples: `tests/spec/programs/suppression.md`.

use pcl_diagnostics::{
    Code, Compat, Leniency, Level, MissingSchema, Reporter, Selector, Span, Suppression, TextRange,
    suggest,
};
use pcl_syntax::{SuppressionForm, suppression_comments};

use crate::lint::Lints;
use crate::messages::suppression as messages;
use crate::options::Options;
use crate::source::Source;

/// The words of the comments that suppress diagnostics or switch formatting.
const WORDS: [&str; 4] = ["ignore", "ignore-file", "on", "off"];

/// Words of other tools for suppressing diagnostics.
const FOREIGN: [&str; 7] = [
    "noqa", "disable", "skip", "allow", "suppress", "nolint", "expect",
];

/// Reads the comments of a file. What is wrong with them is reported.
pub(crate) fn read(reporter: &mut Reporter, source: &Source) {
    let mut suppressions = Vec::new();
    let mut diagnostics = Vec::new();
    for comment in suppression_comments(&source.tree) {
        let place = |range| Span::new(source.file, range);
        match comment.form {
            SuppressionForm::NoNames => diagnostics.push(messages::no_names(place(comment.range))),
            SuppressionForm::OtherWord(word, range) => {
                let meant = suggest(&word, WORDS);
                let foreign = FOREIGN.contains(&word.as_str()).then_some("ignore");
                // Other words begin a sentence about `pcl`.
                if let Some(meant) = meant.or(foreign) {
                    diagnostics.push(messages::other_word(place(range), &word, meant));
                }
            }
            SuppressionForm::Names(names) => {
                let mut codes: Vec<(Code, TextRange)> = Vec::new();
                let before = diagnostics.len();
                for (name, range) in names {
                    match Selector::parse(&name) {
                        Some(selector) if !selector.is_group => {
                            codes.extend(selector.codes.iter().map(|&code| (code, range)));
                        }
                        Some(_) => diagnostics.push(messages::group(place(range), &name)),
                        None => {
                            let names = Code::ALL.iter().flat_map(|code| [code.id(), code.name()]);
                            let meant = suggest(&name, names);
                            diagnostics.push(messages::unknown_code(place(range), &name, meant));
                        }
                    }
                }
                suppressions.push(Suppression {
                    comment: comment.range,
                    removal: (diagnostics.len() == before).then_some(comment.removal),
                    covered: comment.covered,
                    is_file_wide: comment.is_file_wide,
                    codes,
                });
            }
        }
    }
    reporter.suppress_in(source.file, suppressions);
    reporter.report_all(diagnostics);
}

/// Reports the codes that comments name and that nothing was reported of, unless it could have been
/// missed: by checks that are off, or since other errors hide it.
pub(crate) fn report_unused(reporter: &mut Reporter, options: &Options) {
    let policy = &options.policy;
    let is_strict = policy.compat == Compat::None
        && policy.missing_schema == MissingSchema::Error
        && policy.leniency == Leniency::default();
    if !is_strict || reporter.tally().errors > 0 {
        return;
    }
    let is_reported = |code: Code| {
        let runs = options.lints.contains(code) || Lints::codes().all(|lint| lint != code);
        runs && policy.levels.get(code) != Some(Level::Ignore) && code != Code::UnusedIgnore
    };
    let mut diagnostics = Vec::new();
    for found in reporter.unused_suppressions() {
        let (file, suppression, unused) = (found.file, found.suppression, found.codes);
        let names: Vec<&str> = unused
            .iter()
            .filter(|(code, _)| is_reported(*code))
            .map(|(code, _)| code.name())
            .collect();
        let Some(removal) = suppression.removal.filter(|_| !names.is_empty()) else {
            continue;
        };
        let kept = suppression.codes.iter().filter(|known| {
            let is_unused = unused.contains(known);
            !is_unused || !is_reported(known.0)
        });
        let kept: Vec<&str> = kept.map(|(code, _)| code.name()).collect();
        let first = unused.iter().find(|(code, _)| is_reported(*code));
        let place = first.map_or(suppression.comment, |&(_, range)| range);
        let list = suppression
            .codes
            .iter()
            .map(|&(_, range)| range)
            .reduce(TextRange::cover);
        let list = list.filter(|_| !kept.is_empty());
        diagnostics.push(messages::unused(
            Span::new(file, place),
            &names,
            Span::new(file, removal),
            list.map(|range| (Span::new(file, range), kept.join(", "))),
        ));
    }
    reporter.report_all(diagnostics);
}
