//! The results of a run: how many diagnostics there are of each code.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use pcl_diagnostics::{Applicability, Code, Diagnostic, Severity};

use super::json::count;
use super::left_out::LeftOut;
use super::report::Report;

/// The results of a run, which end a document.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Summary {
    /// The number of programs.
    pub programs: usize,
    /// The number of errors and bugs.
    pub errors: usize,
    /// The number of warnings.
    pub warnings: usize,
    /// Set if everything could be read and checked.
    pub complete: bool,
    /// The diagnostics of each code, if they are asked for.
    pub statistics: Option<Statistics>,
    /// The diagnostics that do not count, and are in no other number.
    pub left_out: LeftOut,
}

impl Summary {
    /// The results of a run without programs.
    pub const NONE: Self = Self {
        programs: 0,
        errors: 0,
        warnings: 0,
        complete: true,
        statistics: None,
        left_out: LeftOut { known: None, unchanged: None },
    };

    /// The results of a run with one program.
    pub fn of(report: &Report) -> Self {
        let mut summary = Self::NONE;
        summary.add(report);
        summary
    }

    /// Adds a program.
    pub fn add(&mut self, report: &Report) {
        let (errors, warnings) = count(&report.diagnostics);
        self.programs += 1;
        self.errors += errors;
        self.warnings += warnings;
        self.complete &= report.readable;
    }
}

/// The number of diagnostics of each code and severity.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Statistics {
    counts: BTreeMap<(Code, Severity), Count>,
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Count {
    all: usize,
    fixable: usize,
}

/// The diagnostics of one code and severity.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct Row {
    /// The stable number, such as `PCL0301`.
    pub code: &'static str,
    /// The stable name, such as `type-not-assignable`.
    pub name: &'static str,
    /// `warning`, `error` or `bug`.
    pub severity: &'static str,
    /// The number of diagnostics.
    pub count: usize,
    /// The number of diagnostics with a safe fix.
    pub fixable: usize,
}

impl Statistics {
    /// Counts a diagnostic.
    pub fn add(&mut self, diagnostic: &Diagnostic) {
        let kind = (diagnostic.code, diagnostic.severity);
        let count = self.counts.entry(kind).or_default();
        let mut fixes = diagnostic.fixes.iter();
        let is_fixable = fixes.any(|fix| fix.applicability == Applicability::Safe);
        count.all += 1;
        count.fixable += usize::from(is_fixable);
    }

    /// Adds the counts of another program.
    pub fn merge(&mut self, other: &Self) {
        for (kind, more) in &other.counts {
            let count = self.counts.entry(*kind).or_default();
            count.all += more.all;
            count.fixable += more.fixable;
        }
    }

    /// The number of diagnostics of a severity.
    pub fn count(&self, severity: Severity) -> usize {
        let counts = self.counts.iter();
        let of_severity = counts.filter(|((_, own), _)| *own == severity);
        of_severity.map(|(_, count)| count.all).sum()
    }

    /// The number of errors and bugs.
    pub fn errors(&self) -> usize {
        self.count(Severity::Error) + self.count(Severity::Bug)
    }

    /// The rows, the most frequent first, otherwise by code.
    pub fn rows(&self) -> Vec<Row> {
        let row = |(&(code, severity), count): (&(Code, Severity), &Count)| Row {
            code: code.id(),
            name: code.name(),
            severity: severity.as_str(),
            count: count.all,
            fixable: count.fixable,
        };
        let mut rows: Vec<Row> = self.counts.iter().map(row).collect();
        rows.sort_by_key(|row| Reverse(row.count));
        rows
    }
}

impl<'a> FromIterator<&'a Diagnostic> for Statistics {
    fn from_iter<T: IntoIterator<Item = &'a Diagnostic>>(diagnostics: T) -> Self {
        let mut statistics = Self::default();
        diagnostics.into_iter().for_each(|diagnostic| statistics.add(diagnostic));
        statistics
    }
}
