//! Diagnostics that a comment in the program suppresses.

use std::collections::{HashMap, HashSet};

use crate::catalogue::Code;
use crate::diagnostic::{Diagnostic, Severity};
use crate::span::{FileId, TextRange};

/// A comment that suppresses diagnostics of some codes in a part of its file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suppression {
    /// The comment.
    pub comment: TextRange,
    /// The text to remove with the comment; `None` if the comment has names that are not known, so
    /// that nothing in it is reported as unused.
    pub removal: Option<TextRange>,
    /// The text in which diagnostics are suppressed if they start there: a line, or the whole file.
    /// The lines of a file do not overlap.
    pub covered: TextRange,
    /// Set if it is about the whole file.
    pub is_file_wide: bool,
    /// The suppressed codes, each with the place of its name.
    pub codes: Vec<(Code, TextRange)>,
}

/// A suppression with codes of which nothing was reported.
#[derive(Clone, Debug)]
pub struct UnusedSuppression<'a> {
    /// The file.
    pub file: FileId,
    /// The suppression.
    pub suppression: &'a Suppression,
    /// Those of its codes, each with the place of its name.
    pub codes: Vec<(Code, TextRange)>,
}

/// The suppressions of the files of a run, and their uses.
#[derive(Clone, Default, Debug)]
pub(crate) struct Suppressions {
    files: HashMap<FileId, Vec<Suppression>>,
    /// The uses: a file, the position of a suppression and that of one of its codes.
    uses: Vec<(FileId, usize, usize)>,
}

impl Suppressions {
    pub(crate) fn add(&mut self, file: FileId, mut suppressions: Vec<Suppression>) {
        if !suppressions.is_empty() {
            suppressions.sort_by_key(|it| (!it.is_file_wide, it.covered, it.comment));
            self.files.insert(file, suppressions);
        }
    }

    /// Returns true if a diagnostic is suppressed. The suppressions that do so are used then.
    pub(crate) fn suppress(&mut self, diagnostic: &Diagnostic) -> bool {
        if self.files.is_empty() || diagnostic.severity == Severity::Bug {
            return false;
        }
        let span = diagnostic.primary;
        let Some(suppressions) = self.files.get(&span.file) else { return false };
        let start = span.range.start();
        let wide = suppressions.partition_point(|it| it.is_file_wide);
        // Those of the lines that start at or before the diagnostic; the last of them cover it.
        let until =
            suppressions.partition_point(|it| it.is_file_wide || it.covered.start() <= start);
        let lines = suppressions.iter().enumerate().take(until).rev();
        let lines = lines.take_while(|(at, it)| *at >= wide && start < it.covered.end());
        let all = suppressions.iter().enumerate().take(wide).chain(lines);
        let before = self.uses.len();
        for (at, suppression) in all {
            let mut codes = suppression.codes.iter();
            if let Some(code) = codes.position(|(code, _)| *code == diagnostic.code) {
                self.uses.push((span.file, at, code));
            }
        }
        self.uses.len() > before
    }

    pub(crate) const fn uses(&self) -> usize {
        self.uses.len()
    }

    /// Takes back the uses since there were `length`.
    pub(crate) fn retract(&mut self, length: usize) {
        self.uses.truncate(length);
    }

    /// The suppressions with codes that nothing used, in the order of the text.
    pub(crate) fn unused(&self) -> Vec<UnusedSuppression<'_>> {
        let uses: HashSet<_> = self.uses.iter().copied().collect();
        let mut unused = Vec::new();
        for (&file, suppressions) in &self.files {
            for (at, suppression) in suppressions.iter().enumerate() {
                let codes = suppression.codes.iter().enumerate();
                let codes = codes.filter(|(code, _)| !uses.contains(&(file, at, *code)));
                let codes: Vec<_> = codes.map(|(_, &code)| code).collect();
                if !codes.is_empty() {
                    unused.push(UnusedSuppression { file, suppression, codes });
                }
            }
        }
        unused.sort_by_key(|it| (it.file, it.suppression.comment));
        unused
    }
}
