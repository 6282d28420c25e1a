//! Which findings are shown, and how bad each is: what the user chose, applied to what the binder found.

use pcl_diagnostics::{Code, Diagnostic, Origin, Severity};

/// Whose verdict is asked for. It changes which findings are shown, never the model.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Compat {
    /// Ours: every check.
    #[default]
    None,
    /// That of Pulumi's own binder: checks that go beyond it are off.
    Pulumi,
}

/// What to do with the findings of one code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// They are errors.
    Error,
    /// They are warnings.
    Warn,
    /// They are not shown.
    Ignore,
}

/// What was chosen for single codes. A fault of `pcl` itself is always shown as such.
#[derive(Clone, Default, Debug)]
pub struct Levels {
    chosen: Vec<(Code, Level)>,
}

impl Levels {
    /// Chooses the level of a code; a later choice replaces an earlier one.
    pub fn set(&mut self, code: Code, level: Level) {
        self.chosen.retain(|(known, _)| *known != code);
        self.chosen.push((code, level));
    }

    /// What was chosen for a code.
    #[must_use]
    pub fn get(&self, code: Code) -> Option<Level> {
        self.chosen
            .iter()
            .find(|(known, _)| *known == code)
            .map(|&(_, level)| level)
    }
}

/// The findings that are shown, in the order in which they were found.
pub(crate) fn judge(found: Vec<Diagnostic>, compat: Compat, levels: &Levels) -> Vec<Diagnostic> {
    found
        .into_iter()
        .filter_map(|finding| {
            let finding = match compat {
                Compat::None => finding,
                Compat::Pulumi => as_pulumi(finding)?,
            };
            with_level(finding, levels)
        })
        .collect()
}

/// What Pulumi makes of a finding.
fn as_pulumi(finding: Diagnostic) -> Option<Diagnostic> {
    match (finding.code, finding.origin) {
        // Accepted by us with a warning: the file is whole all the same.
        (Code::HeredocNoFinalNewline, _) => Some(finding.with_severity(Severity::Error)),
        (_, Origin::Ours) => None,
        (_, Origin::Reference) => Some(finding),
    }
}

fn with_level(finding: Diagnostic, levels: &Levels) -> Option<Diagnostic> {
    if finding.severity == Severity::Bug {
        return Some(finding);
    }
    match levels.get(finding.code) {
        None => Some(finding),
        Some(Level::Error) => Some(finding.with_severity(Severity::Error)),
        Some(Level::Warn) => Some(finding.with_severity(Severity::Warning)),
        Some(Level::Ignore) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pcl_diagnostics::{FileId, Span, TextRange};

    fn finding(code: Code) -> Diagnostic {
        Diagnostic::error(code, Span::new(FileId(0), TextRange::empty(0)), "x")
    }

    #[test]
    fn pulumi_says_less() {
        let found = vec![
            finding(Code::IgnoredBlock).ours(),
            finding(Code::TypeNotAssignable),
        ];
        let shown = judge(found, Compat::Pulumi, &Levels::default());
        assert_eq!(shown, [finding(Code::TypeNotAssignable)]);
    }

    #[test]
    fn levels_change_what_is_shown() {
        let mut levels = Levels::default();
        levels.set(Code::IgnoredBlock, Level::Ignore);
        levels.set(Code::TypeNotAssignable, Level::Error);
        levels.set(Code::TypeNotAssignable, Level::Warn);
        levels.set(Code::Internal, Level::Ignore);
        let bug = finding(Code::Internal).with_severity(Severity::Bug);
        let found = vec![
            finding(Code::IgnoredBlock),
            finding(Code::TypeNotAssignable),
            bug.clone(),
        ];
        let warning = finding(Code::TypeNotAssignable).with_severity(Severity::Warning);
        assert_eq!(judge(found, Compat::None, &levels), [warning, bug]);
    }
}
