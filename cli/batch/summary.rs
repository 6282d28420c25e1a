//! The figures of a batch: how many programs were converted to each language, and why others were
//! not. The form is that of the coverage figures of Pulumi's Terraform bridge.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use pcl_convert::Language;
use serde::Serialize;

use super::conversion::{Converted, Severity};
use crate::output::{Sink, many};
use crate::status::Failure;

/// The number of reasons that are listed.
const MOST_REASONS: usize = 20;

/// The counts of a batch.
pub(super) struct Summary {
    languages: BTreeMap<&'static str, Counts>,
    programs: usize,
    /// The texts that were no programs.
    unread: usize,
}

#[derive(Default)]
struct Counts {
    by_severity: [usize; 4],
    reasons: HashMap<String, usize>,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Figures {
    total: usize,
    successes: Share,
    warnings: Share,
    failures: Share,
    fatals: Share,
    frequent_errors: Vec<Reason>,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Share {
    number: usize,
    pct: f64,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Reason {
    reason: String,
    count: usize,
}

impl Summary {
    pub(super) fn new(languages: &[Language]) -> Self {
        let languages = languages.iter().map(|it| (it.name(), Counts::default())).collect();
        Self { languages, programs: 0, unread: 0 }
    }

    pub(super) fn add(&mut self, converted: &Converted) {
        let is_read = converted.records.iter().any(|record| record.language.is_some());
        self.programs += usize::from(is_read);
        for record in &converted.records {
            let counts = record.language.and_then(|it| self.languages.get_mut(it.name()));
            let Some(counts) = counts else {
                self.unread += 1;
                continue;
            };
            if let Some(count) = counts.by_severity.get_mut(record.severity as usize) {
                *count += 1;
            }
            if let Some(reason) = &record.reason {
                *counts.reasons.entry(reason.clone()).or_default() += 1;
            }
        }
    }

    /// Returns true if a program could not be read or converted.
    pub(super) fn has_failures(&self) -> bool {
        let failed =
            |counts: &Counts| counts.of(Severity::Failure) + counts.of(Severity::Fatal) > 0;
        self.unread > 0 || self.languages.values().any(failed)
    }

    /// The figures in a line.
    pub(super) fn line(&self) -> String {
        let mut line = format!("converted {}", many(self.programs, "program"));
        for (language, counts) in &self.languages {
            let complete = counts.of(Severity::Success);
            line += &format!("; {language}: {complete} without a diagnostic");
            for (severity, words) in [
                (Severity::Warning, "with warnings"),
                (Severity::Failure, "refused"),
                (Severity::Fatal, "failed in pcl"),
            ] {
                match counts.of(severity) {
                    0 => {}
                    count => line += &format!(", {count} {words}"),
                }
            }
        }
        if self.unread > 0 {
            line += &format!("; {} cannot be read", many(self.unread, "program"));
        }
        line
    }

    /// Writes the figures as JSON.
    pub(super) fn write(&self, path: &Path) -> Result<(), Failure> {
        let languages: BTreeMap<_, _> =
            self.languages.iter().map(|(name, counts)| (*name, counts.figures())).collect();
        let text = serde_json::to_string_pretty(&languages).unwrap_or_default() + "\n";
        let mut sink = Sink::file(path.to_owned())?;
        sink.write(text.as_bytes())?;
        sink.finish()
    }
}

impl Counts {
    fn of(&self, severity: Severity) -> usize {
        self.by_severity.get(severity as usize).copied().unwrap_or_default()
    }

    fn figures(&self) -> Figures {
        let total: usize = self.by_severity.iter().sum();
        let share = |severity| {
            let number = self.of(severity);
            let pct = (number * 10_000 + total / 2).checked_div(total).unwrap_or_default();
            Share { number, pct: pct as f64 / 100.0 }
        };
        let mut reasons: Vec<Reason> = self
            .reasons
            .iter()
            .map(|(reason, &count)| Reason { reason: reason.clone(), count })
            .collect();
        reasons.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.reason.cmp(&b.reason)));
        reasons.truncate(MOST_REASONS);
        Figures {
            total,
            successes: share(Severity::Success),
            warnings: share(Severity::Warning),
            failures: share(Severity::Failure),
            fatals: share(Severity::Fatal),
            frequent_errors: reasons,
        }
    }
}
