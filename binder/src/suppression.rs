//! Comments that suppress diagnostics: `# pcl: ignore[CODE] reason`.
//!
//! The rules, with examples: `tests/spec/programs/suppression.md`.

use pcl_diagnostics::{
    Code, Compat, Diagnostic, Fix, Leniency, Level, Levels, MissingSchema, Reporter, Selector,
    SourceMap, Span, Suppression, TextEdit, TextRange, suggest,
};
use pcl_syntax::{Inexact, SuppressionComment, SuppressionForm, suppression_comments};

use crate::lint::Lints;
use crate::program_files::Source;
use crate::session::Options;

/// The words of the comments that suppress diagnostics or switch formatting.
const WORDS: [&str; 4] = ["ignore", "ignore-file", "on", "off"];

/// Words of other tools for suppressing diagnostics.
const FOREIGN: [&str; 7] = ["noqa", "disable", "skip", "allow", "suppress", "nolint", "expect"];

/// The words of other tools with what they are called here, and set if they are about the next line
/// or about their own.
const SYNONYMS: [(&str, &str, Option<bool>); 12] = [
    ("disable", "ignore", None),
    ("suppress", "ignore", None),
    ("noqa", "ignore", None),
    ("nolint", "ignore", None),
    ("ignore-line", "ignore", Some(false)),
    ("disable-line", "ignore", Some(false)),
    ("ignore-next-line", "ignore", Some(true)),
    ("ignore-next", "ignore", Some(true)),
    ("disable-next-line", "ignore", Some(true)),
    ("ignore-all", "ignore-file", None),
    ("disable-file", "ignore-file", None),
    ("disable-all", "ignore-file", None),
];

/// Reports something like a comment that suppresses diagnostics, unless it may be about something
/// else.
fn inexact(source: &Source, comment: &SuppressionComment, found: &Inexact) -> Option<Diagnostic> {
    let is_next = comment.covered.start() >= comment.range.end();
    let word = found.word.to_ascii_lowercase().replace('_', "-");
    let exact = ["ignore", "ignore-file"].into_iter().find(|it| *it == word);
    let synonym = SYNONYMS.iter().find(|(other, ..)| *other == word);
    let meant = exact
        .or(synonym.map(|(_, meant, _)| *meant))
        .or_else(|| suggest(&word, WORDS).filter(|meant| meant.starts_with("ignore")));
    let has_known = || found.names.iter().any(|name| Selector::parse(name).is_some());
    let is_about_diagnostics = match (found.is_ours && found.behind.is_none(), meant) {
        (true, Some(_)) => true,
        (true, None) => FOREIGN.contains(&word.as_str()) || has_known(),
        (false, Some(_)) => has_known(),
        // Any other comment may contain brackets.
        (false, None) => false,
    };
    if !is_about_diagnostics {
        return None;
    }
    let is_clear = exact.is_some()
        || synonym.is_some_and(|(.., next)| next.is_none_or(|next| next == is_next));
    let meant = meant.unwrap_or("ignore");
    let head = Span::new(source.file, found.head);
    let text: &str = source.tree.text();
    let written = text.get(found.head.to_usize())?;
    let Some(behind) = found.behind else {
        return Some(inexact_words(head, written, meant, is_clear));
    };
    let range = comment.range;
    let (before, after) =
        text.get(range.to_usize())?.split_at_checked((behind - range.start()) as usize)?;
    let sign = after.split_at_checked((found.head.start() - behind) as usize)?.0;
    let rest = text.get(found.head.end() as usize..range.end() as usize)?;
    let first = format!("{sign}pcl: {meant}{} {}", rest.trim_end(), before.trim_end());
    // A block comment has an end, which other text cannot follow.
    let first = (is_clear && !before.starts_with("/*")).then_some(first);
    Some(behind_text(head, written, Span::new(source.file, range), first))
}

/// Reads the comments of a file. What is wrong with them is reported.
pub(crate) fn read(reporter: &mut Reporter, source: &Source) {
    let mut suppressions = Vec::new();
    let mut diagnostics = Vec::new();
    for comment in suppression_comments(&source.tree) {
        let place = |range| Span::new(source.file, range);
        match comment.form {
            SuppressionForm::NoNames => diagnostics.push(no_names(place(comment.range))),
            SuppressionForm::OtherWord(word, range) => {
                let meant = suggest(&word, WORDS);
                let foreign = FOREIGN.contains(&word.as_str()).then_some("ignore");
                // Other words begin a sentence about `pcl`.
                if let Some(meant) = meant.or(foreign) {
                    diagnostics.push(other_word(place(range), &word, meant));
                }
            }
            SuppressionForm::Inexact(ref found) => {
                diagnostics.extend(inexact(source, &comment, found));
            }
            SuppressionForm::Names(names) => {
                let mut repeated = Vec::new();
                let mut end = 0;
                let mut codes: Vec<(Code, TextRange)> = Vec::new();
                let before = diagnostics.len();
                for (name, range) in names {
                    match Selector::parse(&name) {
                        Some(selector) if !selector.is_group => {
                            for &code in &selector.codes {
                                let first = codes.iter().find(|(known, _)| *known == code);
                                match first {
                                    Some(&(_, first)) => repeated.push(repeated_name(
                                        place(range),
                                        &name,
                                        source.tree.text().get(first.to_usize()),
                                        place(TextRange::new(end, range.end())),
                                    )),
                                    None => codes.push((code, range)),
                                }
                            }
                        }
                        Some(_) => diagnostics.push(group_of_lints(place(range), &name)),
                        None => {
                            let names = Code::ALL.iter().flat_map(|code| [code.id(), code.name()]);
                            let meant = suggest(&name, names);
                            diagnostics.push(unknown_code(place(range), &name, meant));
                        }
                    }
                    end = range.end();
                }
                suppressions.push(Suppression {
                    comment: comment.range,
                    removal: (diagnostics.len() == before).then_some(comment.removal),
                    covered: comment.covered,
                    is_file_wide: comment.is_file_wide,
                    codes,
                });
                diagnostics.append(&mut repeated);
            }
        }
    }
    reporter.suppress_in(source.file, suppressions);
    reporter.report_all(diagnostics);
}

/// Reports the codes that comments name and that nothing was reported of, unless it could have been
/// missed: by checks that are off, or since other errors hide it.
pub(crate) fn report_unused(reporter: &mut Reporter, map: &SourceMap, options: &Options) {
    let policy = &options.policy;
    let is_strict = policy.compat == Compat::None
        && policy.missing_schema == MissingSchema::Error
        && policy.leniency == Leniency::default();
    if !is_strict || reporter.tally().errors > 0 {
        return;
    }
    let is_reported = |code: Code, levels: &Levels| {
        let runs = options.lints.contains(code) || Lints::codes().all(|lint| lint != code);
        runs && levels.get(code) != Some(Level::Ignore) && code != Code::UnusedIgnore
    };
    let mut diagnostics = Vec::new();
    for found in reporter.unused_suppressions() {
        let (file, suppression) = (found.file, found.suppression);
        let Some(removal) = suppression.removal else { continue };
        let levels = reporter.levels(file);
        let is_unused =
            |known: &(Code, TextRange)| found.codes.contains(known) && is_reported(known.0, levels);
        let names = suppression.codes.iter().filter(|known| is_unused(known));
        let names: Vec<Span> = names.map(|&(_, range)| Span::new(file, range)).collect();
        let Some(&place) = names.first() else { continue };
        let texts: Vec<&str> = names.iter().map(|&name| map.slice(name)).collect();
        let is_whole = names.len() == suppression.codes.len();
        let removals =
            if is_whole { vec![removal] } else { removals(&suppression.codes, is_unused) };
        let removals = removals.into_iter().map(|range| Span::new(file, range));
        diagnostics.push(unused_names(place, &texts, removals.collect(), is_whole));
    }
    reporter.report_all(diagnostics);
}

/// The texts to remove with some names of a list, so that the others and the commas between them
/// are left.
fn removals(
    names: &[(Code, TextRange)],
    is_removed: impl Fn(&(Code, TextRange)) -> bool,
) -> Vec<TextRange> {
    let mut is_first = true;
    let pairs = names.iter().zip(names.iter().skip(1));
    let mut removals = Vec::new();
    for (one, next) in pairs {
        is_first &= is_removed(one);
        if is_first {
            removals.push(TextRange::new(one.1.start(), next.1.start()));
        } else if is_removed(next) {
            removals.push(TextRange::new(one.1.end(), next.1.end()));
        }
    }
    removals
}

/// A comment `ignore` that names nothing.
fn no_names(span: Span) -> Diagnostic {
    let message = "this comment does not say which diagnostic to ignore";
    Diagnostic::warning(Code::InvalidIgnore, span, message)
        .help("name it in brackets, as in `# pcl: ignore[unused-local] kept for the tests`")
        .ours()
}

/// A comment with a word that is probably meant as another one.
fn other_word(span: Span, word: &str, meant: &str) -> Diagnostic {
    let message = format!("`pcl: {word}` has no meaning");
    Diagnostic::warning(Code::InvalidIgnore, span, message)
        .help(format!("did you mean `{meant}`?"))
        .fix(Fix::respelled(
            word,
            meant,
            format!("rename to `{meant}`"),
            vec![TextEdit::replace(span, meant)],
        ))
        .ours()
}

/// A name that is not that of a diagnostic.
fn unknown_code(span: Span, name: &str, meant: Option<&str>) -> Diagnostic {
    let message = format!("unknown diagnostic `{name}`");
    let diagnostic = Diagnostic::warning(Code::InvalidIgnore, span, message).ours();
    match meant {
        Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")).fix(Fix::respelled(
            name,
            meant,
            format!("rename to `{meant}`"),
            vec![TextEdit::replace(span, meant)],
        )),
        None => diagnostic.help("`pcl explain --all` lists the diagnostics"),
    }
}

/// A group of lints in the place of a diagnostic.
fn group_of_lints(span: Span, name: &str) -> Diagnostic {
    let message = format!("`{name}` is a group of lints, and a comment names single diagnostics");
    Diagnostic::warning(Code::InvalidIgnore, span, message)
        .help("name the diagnostic, or ignore the group in `pcl.toml`")
        .ours()
}

/// Something like `pcl: ignore` with names in brackets. The fix is safe if what it means is clear.
fn inexact_words(span: Span, written: &str, meant: &str, is_clear: bool) -> Diagnostic {
    let message = format!("`{written}` has no meaning");
    let edits = vec![TextEdit::replace(span, format!("pcl: {meant}"))];
    let title = format!("write `pcl: {meant}`");
    Diagnostic::warning(Code::InvalidIgnore, span, message)
        .help(format!("did you mean `pcl: {meant}`?"))
        .fix(Fix::safe_if(is_clear, title, edits))
        .ours()
}

/// A comment that suppresses diagnostics behind other text of the same comment. `first` is the
/// comment with that text at its end.
fn behind_text(span: Span, written: &str, comment: Span, first: Option<String>) -> Diagnostic {
    let message = format!("`{written}` has no meaning behind other text of a comment");
    let diagnostic = Diagnostic::warning(Code::InvalidIgnore, span, message)
        .help("put it at the beginning of the comment")
        .ours();
    diagnostic.fix(
        first.map(|text| {
            Fix::safe("put it at the beginning", vec![TextEdit::replace(comment, text)])
        }),
    )
}

/// A name of a diagnostic that the comment names already, as `first`. `removal` is the name with
/// the comma before it.
fn repeated_name(span: Span, name: &str, first: Option<&str>, removal: Span) -> Diagnostic {
    let message = match first {
        Some(first) if first != name => format!("`{name}` and `{first}` are the same diagnostic"),
        _ => format!("`{name}` is named twice"),
    };
    Diagnostic::warning(Code::UnusedIgnore, span, message)
        .help("remove one of them")
        .fix(Fix::safe("remove the second name", vec![TextEdit::delete(removal)]))
        .ours()
}

/// Names in a comment of which nothing is reported. `removals` are those names with their commas,
/// or the whole comment.
fn unused_names(span: Span, names: &[&str], removals: Vec<Span>, is_whole: bool) -> Diagnostic {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let listed = quoted.join(", ");
    let verb = if names.len() == 1 { "is" } else { "are" };
    let message = format!("{listed} {verb} not reported here");
    let title = if is_whole { "remove the comment" } else { "remove the unused names" };
    let edits = removals.into_iter().map(TextEdit::delete).collect();
    Diagnostic::warning(Code::UnusedIgnore, span, message)
        .help("remove it, so that it does not hide a diagnostic later")
        .fix(Fix::safe(title, edits))
        .ours()
}
