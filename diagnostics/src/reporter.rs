//! The diagnostics of one run.

use std::collections::{HashMap, HashSet};

use crate::catalogue::Code;
use crate::diagnostic::{Diagnostic, Label, Origin, Severity};
use crate::fix::{Applicability, TextEdit};
use crate::policy::{Levels, Matter, Policy, SYNTAX};
use crate::span::{FileId, Span, TextRange};
use crate::suppression::{Suppression, Suppressions, UnusedSuppression};

/// The number of diagnostics reported so far, before `--compat` and levels hide or change any.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// All diagnostics.
    pub all: usize,
    /// The errors.
    pub errors: usize,
    /// The errors that Pulumi's own binder reports too.
    pub reference_errors: usize,
    /// The diagnostics about files and directories that could not be read.
    pub unread: usize,
}

/// The state of a [`Reporter`] at one moment, to return to.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    length: usize,
    tally: Tally,
    suppressed: usize,
}

/// A group of diagnostics of which one is reported.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// Its position among the reported ones; `None` if the group is suppressed.
    at: Option<usize>,
    /// The tally before it was reported, and after.
    counted: [Tally; 2],
}

/// The collected diagnostics of a run. The [`Policy`] decides the severity of each when it is
/// reported.
///
/// ```
/// use pcl_diagnostics::{Code, Diagnostic, FileId, Matter, Policy, Reporter, Severity, Span, TextRange};
///
/// let mut policy = Policy::default();
/// policy.leniency.missing_variables = true;
/// let mut reporter = Reporter::new(policy);
/// let span = Span::new(FileId(0), TextRange::new(0, 4));
/// reporter.report_about(
///     Matter::Variable,
///     Diagnostic::error(Code::UndefinedVariable, span, "there is no variable `size`"),
/// );
/// assert_eq!(reporter.into_diagnostics()[0].severity, Severity::Warning);
/// ```
#[derive(Default, Debug)]
pub struct Reporter {
    policy: Policy,
    /// The levels of the files that have their own.
    levels: HashMap<FileId, Levels>,
    /// The matter that everything reported at the moment is part of.
    around: Option<Matter>,
    /// The files with syntax errors, with the ranges that nothing else is reported in, in order.
    unreadable: HashMap<FileId, Vec<TextRange>>,
    reported: Vec<Diagnostic>,
    /// The diagnostics that represent a group.
    groups: HashMap<(Code, String), Group>,
    /// The positions in `reported` of suppressed diagnostics.
    hidden: HashSet<usize>,
    suppressions: Suppressions,
    tally: Tally,
}

impl Reporter {
    /// A reporter without diagnostics.
    pub fn new(policy: Policy) -> Self {
        Self { policy, ..Self::default() }
    }

    /// The policy that decides the severity of diagnostics.
    pub const fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Notes the path of a file, before anything in it is reported: the policy may have levels for
    /// it alone.
    pub fn open(&mut self, file: FileId, path: &str) {
        if let Some(files) = &self.policy.files {
            self.levels.insert(file, files.levels_in(path));
        }
    }

    /// The levels in a file.
    pub fn levels(&self, file: FileId) -> &Levels {
        self.levels.get(&file).unwrap_or(&self.policy.levels)
    }

    /// Reports a diagnostic.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.add(diagnostic, None);
    }

    /// Reports a diagnostic about a matter that an option may excuse.
    pub fn report_about(&mut self, matter: Matter, diagnostic: Diagnostic) {
        self.add(diagnostic, Some(matter));
    }

    /// Reports diagnostics in this order.
    pub fn report_all(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        for diagnostic in diagnostics {
            self.report(diagnostic);
        }
    }

    /// Reports a diagnostic about a matter once for all of its group. The places of the later ones
    /// become labels with the text `label`; the first place in the text stays the primary one. A
    /// fix that all of them have corrects all places.
    pub fn report_group(
        &mut self,
        matter: Matter,
        group: &str,
        diagnostic: Diagnostic,
        label: &str,
    ) {
        let key = (diagnostic.code, group.to_owned());
        let Some(&known) = self.groups.get(&key) else {
            self.report_first_of_group(key, matter, diagnostic);
            return;
        };
        let Some(diagnostic) = self.policy.excused(diagnostic, [matter]) else { return };
        if self.suppressions.suppress(&diagnostic) {
            self.suppress_group(key, known);
            return;
        }
        let Some(first) = known.at.and_then(|at| self.reported.get_mut(at)) else { return };
        first.severity = first.severity.max(diagnostic.severity);
        let mut other = diagnostic;
        let place = |it: &Diagnostic| (it.primary.file, it.primary.range.start());
        if place(&other) < place(first) {
            other.labels.append(&mut first.labels);
            other.severity = first.severity;
            std::mem::swap(first, &mut other);
        }
        if first.primary != other.primary {
            merge_advice(first, &mut other);
            first.labels.push(Label { span: other.primary, message: label.to_owned() });
        }
    }

    fn report_first_of_group(
        &mut self,
        key: (Code, String),
        matter: Matter,
        diagnostic: Diagnostic,
    ) {
        let (length, before) = (self.reported.len(), self.tally);
        self.report_about(matter, diagnostic);
        if self.reported.len() > length {
            let group = Group {
                at: (!self.hidden.contains(&length)).then_some(length),
                counted: [before, self.tally],
            };
            self.groups.insert(key, group);
        }
    }

    /// Takes back the diagnostic of a group: a comment in one of its places is about all of them.
    fn suppress_group(&mut self, key: (Code, String), group: Group) {
        let Some(at) = group.at else { return };
        self.hidden.insert(at);
        let [before, after] = group.counted;
        self.tally.all -= after.all - before.all;
        self.tally.errors -= after.errors - before.errors;
        self.tally.reference_errors -= after.reference_errors - before.reference_errors;
        self.tally.unread -= after.unread - before.unread;
        self.groups.insert(key, Group { at: None, ..group });
    }

    /// Makes everything that is reported from now on part of a matter. Returns the matter before,
    /// which the caller sets again afterwards.
    pub fn set_matter(&mut self, matter: Option<Matter>) -> Option<Matter> {
        std::mem::replace(&mut self.around, matter)
    }

    /// Notes that a file has syntax errors. From now on, only fixes of these are safe in it: an
    /// edit can change how far a statement reaches that cannot be read. Nothing else is reported
    /// that begins in one of the `unreadable` ranges, which are in order and do not overlap.
    pub fn doubt(&mut self, file: FileId, unreadable: Vec<TextRange>) {
        self.unreadable.insert(file, unreadable);
    }

    /// Returns true if a diagnostic is about text that a syntax error makes unreadable.
    fn is_unreadable(&self, diagnostic: &Diagnostic) -> bool {
        let Span { file, range } = diagnostic.primary;
        let Some(ranges) = self.unreadable.get(&file) else { return false };
        let behind = ranges.partition_point(|unreadable| unreadable.start() <= range.start());
        let before = behind.checked_sub(1).and_then(|at| ranges.get(at));
        before.is_some_and(|unreadable| range.start() < unreadable.end())
    }

    /// Reports that the program fails when it runs, certainly if the failure is an error. Warnings
    /// about types in the same place say why already, and become the error, or get the notes of a
    /// failure that is a warning.
    pub fn report_failure(&mut self, failure: Diagnostic) {
        let says_why = |known: &Diagnostic| {
            (known.code.id().starts_with("PCL03") || known.code == Code::TextForResource)
                && known.primary.nests_with(failure.primary)
        };
        let reported = self.reported.iter().enumerate();
        let reasons = reported.filter(|(_, known)| says_why(known));
        let reasons: Vec<usize> = reasons.map(|(at, _)| at).collect();
        if reasons.is_empty() {
            return self.report(failure);
        }
        for at in reasons {
            let Some(warning) = self.reported.get_mut(at) else { continue };
            let levels = self.levels.get(&warning.primary.file).unwrap_or(&self.policy.levels);
            let is_chosen = levels.get(warning.code).is_some();
            if !is_chosen && !self.hidden.contains(&at) && warning.severity < failure.severity {
                warning.severity = failure.severity;
                warning.origin = Origin::Ours;
                self.tally.errors += 1;
            } else if failure.severity == Severity::Warning {
                let notes = failure.notes.iter();
                let new: Vec<String> =
                    notes.filter(|note| !warning.notes.contains(note)).cloned().collect();
                warning.notes.extend(new);
            }
        }
    }

    /// Suppresses diagnostics in a file from now on.
    pub fn suppress_in(&mut self, file: FileId, suppressions: Vec<Suppression>) {
        self.suppressions.add(file, suppressions);
    }

    /// The suppressions with codes of which nothing was reported so far, in the order of the text.
    pub fn unused_suppressions(&self) -> Vec<UnusedSuppression<'_>> {
        self.suppressions.unused()
    }

    fn add(&mut self, mut diagnostic: Diagnostic, matter: Option<Matter>) {
        if !self.unreadable.is_empty() && !diagnostic.code.is_syntax() {
            if self.is_unreadable(&diagnostic) {
                return;
            }
            for fix in &mut diagnostic.fixes {
                let is_unreadable = |edit: &TextEdit| self.unreadable.contains_key(&edit.span.file);
                if fix.applicability == Applicability::Safe && fix.edits.iter().any(is_unreadable) {
                    fix.applicability = Applicability::Unsafe;
                }
            }
        }
        let matters = matter.into_iter().chain(self.around);
        let Some(mut diagnostic) = self.policy.excused(diagnostic, matters) else { return };
        let is_suppressed = self.suppressions.suppress(&diagnostic);
        if is_suppressed && diagnostic.is_syntax_error() {
            diagnostic = diagnostic.note(SYNTAX);
        } else if is_suppressed {
            // It stays among those that `since` returns: rules that ask whether something is wrong
            // must not report it in another way.
            self.hidden.insert(self.reported.len());
            self.reported.push(diagnostic);
            return;
        }
        self.tally.all += 1;
        let is_unread = matches!(diagnostic.code, Code::UnreadableSource | Code::FileTooLarge);
        self.tally.unread += usize::from(is_unread);
        if diagnostic.severity >= Severity::Error {
            self.tally.errors += 1;
            self.tally.reference_errors += usize::from(diagnostic.origin == Origin::Reference);
        }
        let judged = self.policy.judge(self.levels(diagnostic.primary.file), diagnostic);
        self.reported.extend(judged);
    }

    /// The number of diagnostics so far.
    pub const fn tally(&self) -> Tally {
        self.tally
    }

    /// Returns true if an error was reported, be it suppressed, hidden or less than an error by its
    /// level.
    pub fn has_errors(&self) -> bool {
        self.tally.errors > 0 || self.reported.iter().any(Diagnostic::is_error)
    }

    /// The present state, for [`Reporter::retract`].
    pub const fn mark(&self) -> Mark {
        Mark {
            length: self.reported.len(),
            tally: self.tally,
            suppressed: self.suppressions.uses(),
        }
    }

    /// The diagnostics that were reported since `mark`, suppressed ones included.
    pub fn since(&self, mark: Mark) -> &[Diagnostic] {
        self.reported.get(mark.length..).unwrap_or_default()
    }

    /// Revises the first diagnostic that was reported after `mark`, if it is about `span`.
    pub fn revise(
        &mut self,
        mark: Mark,
        span: Span,
        revised: impl FnOnce(Diagnostic) -> Diagnostic,
    ) {
        let reported = self.reported.get_mut(mark.length);
        if let Some(reported) = reported.filter(|reported| reported.primary == span) {
            let diagnostic = revised(reported.clone());
            *reported = diagnostic;
        }
    }

    /// Takes back everything that was reported since `mark`.
    pub fn retract(&mut self, mark: Mark) {
        self.reported.truncate(mark.length);
        self.groups.retain(|_, group| group.at.is_none_or(|at| at < mark.length));
        self.hidden.retain(|at| *at < mark.length);
        self.tally = mark.tally;
        self.suppressions.retract(mark.suppressed);
    }

    /// The diagnostics in the order in which they were reported.
    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        let Self { reported, hidden, .. } = self;
        if hidden.is_empty() {
            return reported;
        }
        let shown = reported.into_iter().enumerate();
        let shown = shown.filter(|(at, _)| !hidden.contains(at));
        shown.map(|(_, diagnostic)| diagnostic).collect()
    }
}

/// Makes the advice of one diagnostic that of two of a group: a fix corrects both places, or there
/// is none, and the help is that of the one without.
fn merge_advice(first: &mut Diagnostic, other: &mut Diagnostic) {
    fn title(diagnostic: &Diagnostic) -> Option<&str> {
        diagnostic.fixes.first().map(|fix| &*fix.title)
    }
    if title(first) == title(other) {
        for (fix, more) in first.fixes.iter_mut().zip(&mut other.fixes) {
            fix.edits.append(&mut more.edits);
            fix.applicability = fix.applicability.min(more.applicability);
        }
    } else if !first.fixes.is_empty() {
        first.fixes.clear();
        if other.fixes.is_empty() {
            first.help = other.help.take();
        }
    }
}
