//! The promises of a fix, checked by applying it.

use pcl::diagnostics::{Applicability, Code, Diagnostic, FileId, Fix, Severity, TextRange, apply};
use pcl::syntax::ast::Item;
use pcl::syntax::{SyntaxNode, parse};
use pcl::{Checked, Workspace};

use super::Program;
use super::positions::{Edits, Key, Position, counts, key};

/// Applies a fix of a diagnostic of a program that was checked. Returns the promise that it breaks,
/// and the program after it.
pub fn keeps(
    workspace: &Workspace,
    program: &Program,
    before: &Checked,
    diagnostic: &Diagnostic,
    fix: &Fix,
) -> Result<(), (String, Program)> {
    let applied = Applied { workspace, program, before, diagnostic, fix };
    applied.keeps_its_promise()
}

fn is_no_part_of_a_name(c: char) -> bool {
    !c.is_alphanumeric() && !matches!(c, '_' | '-')
}

/// The words in the text of an item.
pub(super) fn words<'t>(item: SyntaxNode<'t>) -> impl Iterator<Item = &'t str> + use<'t> {
    words_of(item.text())
}

pub(super) fn words_of(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(is_no_part_of_a_name);
    // A minus is no part of the name behind it.
    let words = words.map(|word| word.trim_start_matches('-'));
    words.filter(|word| !word.is_empty())
}

/// The words that may be the name that an item declares: those before its body or value, without
/// the keyword of a block.
pub(super) fn declared<'t>(item: SyntaxNode<'t>) -> impl Iterator<Item = &'t str> + use<'t> {
    const KEYWORDS: [&str; 6] = ["component", "config", "hook", "output", "read", "resource"];
    let header = item.text().split(['{', '=']).next().unwrap_or_default();
    words_of(header).filter(|word| !KEYWORDS.contains(word))
}

/// Returns true if a diagnostic is none that an unsafe fix answers for: a warning or a lint about
/// anything but something deprecated.
pub(super) fn is_advice(diagnostic: &Diagnostic) -> bool {
    !diagnostic.is_error() && diagnostic.code != Code::Deprecated
}

pub(super) struct Applied<'a> {
    pub workspace: &'a Workspace,
    pub program: &'a Program,
    pub before: &'a Checked,
    pub diagnostic: &'a Diagnostic,
    pub fix: &'a Fix,
}

impl Applied<'_> {
    fn keeps_its_promise(&self) -> Result<(), (String, Program)> {
        let mut after = self.program.clone();
        let mut edits: Vec<Edits> = Vec::new();
        for (file, (_, text)) in (0..).map(FileId).zip(&mut after.files) {
            let ours = Edits::new(file, &self.fix.edits);
            if !ours.0.is_empty() {
                let (new, applied) =
                    apply(&self.before.sources, file, std::slice::from_ref(self.fix));
                if applied != 1 {
                    return Err(("it does not fit the text".to_owned(), after));
                }
                *text = new;
            }
            edits.push(ours);
        }
        for ((_, old), (_, new)) in self.program.files.iter().zip(&after.files) {
            if old != new && parse(old.as_str()).errors().is_empty() {
                let tree = parse(new.as_str());
                if let Some(error) = tree.errors().first() {
                    let message = error.to_diagnostic(FileId(0), &tree).message;
                    return Err((format!("the file no longer parses: {message}"), after));
                }
            }
        }
        let checked = self.workspace.check(&after.target());
        let of = |file: FileId| edits.get(file.0 as usize);
        let old = |file, offset| of(file).map_or(Position::Kept(offset), |e| e.before(offset));
        let new = |file, offset| of(file).map_or(Position::Kept(offset), |e| e.after(offset));
        let (was, is) = (counts(self.before, old), counts(&checked, new));
        let own = key(self.diagnostic, old);
        let stays = is.get(&own).is_some_and(|is| is >= &was[&own]);
        // A fix that is only shown in a file that cannot be read is a hint.
        let is_hint = self.fix.applicability == Applicability::DisplayOnly
            && self.program.files.iter().any(|(_, text)| !parse(text.as_str()).errors().is_empty());
        if stays && !is_hint && !self.is_another(&checked, own, new) {
            return Err(("its own diagnostic stays".to_owned(), after));
        }
        if let Some(text) = self.lost_text() {
            return Err((format!("{text:?} is lost"), after));
        }
        let is_safe = self.fix.applicability == Applicability::Safe;
        if self.fix.applicability == Applicability::DisplayOnly {
            return Ok(());
        }
        let mistakes = |program: &Program| -> usize {
            let texts = program.files.iter().map(|(_, text)| parse(text.as_str()));
            texts.map(|tree| tree.errors().len()).sum()
        };
        let is_syntax = self.diagnostic.code.is_syntax();
        if is_safe && is_syntax && mistakes(&after) >= mistakes(self.program) {
            return Err(("another syntax error takes its place".to_owned(), after));
        }
        let appears: Vec<&Diagnostic> = checked
            .diagnostics
            .iter()
            .filter(|d| is[&key(d, new)] > was.get(&key(d, new)).copied().unwrap_or(0))
            .filter(|d| !self.was_unreadable(key(d, new), d, &after))
            .filter(|d| !self.was_behind_first(d, key(d, new).2, &after))
            .filter(|d| !self.has_moved(d, key(d, new).2, &checked))
            .filter(|d| !self.is_about_renamed(d, &after, &edits))
            .filter(|d| !self.comes_into_effect(d))
            .filter(|d| !self.is_in_new_attribute(d, &after, &edits))
            .filter(|d| is_safe || !is_advice(d))
            .filter(|d| !self.was_in_misfit(d, key(d, new).2, &after))
            .filter(|d| !self.was_not_tried(d))
            .filter(|d| !self.is_of_the_original(d))
            .filter(|d| is_safe || !Self::is_in_broken(d, &after))
            .filter(|d| is_safe || !self.was_unchecked(d, key(d, new).2, &after))
            .collect();
        if appears.is_empty() {
            return Ok(());
        }
        let without = self.without_the_place(&after, &edits);
        for diagnostic in appears {
            if !without.iter().any(|other| other.has(diagnostic)) {
                let (code, message) = (diagnostic.code, &diagnostic.message);
                let severity = match diagnostic.severity {
                    Severity::Warning => "warning",
                    _ => "error",
                };
                return Err((format!("new: {severity} {code} {message}"), after));
            }
        }
        Ok(())
    }

    /// The text of a string that a fix of its quotes leaves out.
    fn lost_text(&self) -> Option<&str> {
        let is_of_strings = matches!(
            self.diagnostic.code,
            Code::LexBacktick
                | Code::LexCurlyQuote
                | Code::LexNewlineInQuoted
                | Code::LexSingleQuote
                | Code::PrefixedString
                | Code::UnquotedString
        );
        let mut edits = self.fix.edits.iter().filter(|_| is_of_strings);
        edits.find_map(|edit| {
            let old = self.before.sources.slice(edit.span);
            // The letters before the quote are those of a prefix.
            let is_letter = |c: char| c.is_alphabetic() || c == '@' || c == '$';
            let text = if old.trim_start_matches(is_letter).starts_with(['"', '\'']) {
                old.trim_start_matches(is_letter)
            } else {
                old
            };
            let mut new = edit.text.chars();
            let mut kept = text.chars().filter(|&c| c.is_alphanumeric() || c == '$');
            let is_kept = kept.all(|c| new.any(|other| other == c));
            (!is_kept).then_some(old)
        })
    }

    /// Returns true if the diagnostics at the place of this one are others: of several reasons why
    /// a value does not fit, one is given, and of several missing commas of a list, the first.
    fn is_another(
        &self,
        checked: &Checked,
        own: Key,
        new: impl Fn(FileId, u32) -> Position,
    ) -> bool {
        let said = |of: &Checked, d: &Diagnostic| {
            (d.message.clone(), of.sources.slice(d.primary).to_owned())
        };
        let was = said(self.before, self.diagnostic);
        let mut here = checked.diagnostics.iter().filter(|d| key(d, &new) == own);
        let is_one_of_several = matches!(
            self.diagnostic.code,
            Code::CallMissingComma | Code::TupleMissingComma | Code::TypeNotAssignable
        );
        is_one_of_several && here.all(|other| said(checked, other) != was)
    }

    /// The fixed program without the new text, and without each item that contains it or is next to
    /// it.
    fn without_the_place(&self, after: &Program, edits: &[Edits]) -> Vec<Without> {
        let new: Vec<Vec<TextRange>> = edits.iter().map(Edits::new_ranges).collect();
        let mut ways = Vec::new();
        for (file, (_, text)) in after.files.iter().enumerate() {
            let tree = parse(text.as_str());
            let mut bodies = vec![tree.file().body()];
            while let Some(body) = bodies.pop() {
                for item in body.items() {
                    let whole = item.syntax().range();
                    let touches = |edit: &TextRange| {
                        whole.start() <= edit.end() && edit.start() <= whole.end()
                    };
                    if new[file].iter().any(touches) {
                        let mut way = vec![Vec::new(); after.files.len()];
                        way[file].push(whole);
                        ways.push(way);
                        if let Item::Block(block) = item {
                            bodies.extend(block.body());
                        }
                    }
                }
            }
        }
        let leaves_text = new.iter().flatten().any(|range| !range.is_empty());
        if leaves_text || ways.is_empty() {
            ways.push(new);
        }
        let ways = ways.into_iter();
        ways.map(|ranges| Without::new(self.workspace, after, ranges)).collect()
    }
}

/// A program without some ranges of its files.
struct Without {
    edits: Vec<Edits>,
    checked: Checked,
}

impl Without {
    fn new(workspace: &Workspace, program: &Program, ranges: Vec<Vec<TextRange>>) -> Self {
        let mut rest = program.clone();
        for ((_, text), ranges) in rest.files.iter_mut().zip(&ranges) {
            for range in ranges.iter().rev() {
                text.replace_range(range.to_usize(), "");
            }
        }
        let edits = ranges
            .into_iter()
            .map(|ranges| Edits(ranges.into_iter().map(|range| (range, 0)).collect()));
        Self { edits: edits.collect(), checked: workspace.check(&rest.target()) }
    }

    /// Returns true if a diagnostic of the whole program is also one of the rest.
    fn has(&self, diagnostic: &Diagnostic) -> bool {
        let of = |file: FileId| self.edits.get(file.0 as usize);
        let old = |file, offset| of(file).map_or(Position::Kept(offset), |e| e.before(offset));
        let new = |file, offset| of(file).map_or(Position::Kept(offset), |e| e.after(offset));
        let wanted = key(diagnostic, old);
        !matches!(wanted.2, Position::Edit(_))
            && self.checked.diagnostics.iter().any(|d| key(d, new) == wanted)
    }
}
