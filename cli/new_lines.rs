//! `--new-lines-since`: the diagnostics on lines that a commit of git does not have.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::changed_since::{Changes, Committed};
use crate::status::Failure;
use pcl::diagnostics::{Diagnostic, FileId, SourceMap, Span};
use pcl::render::{Report, changed_lines};

/// The lines that have changed since a commit, which are looked up for files with diagnostics.
pub(super) struct NewLines(Mutex<State>);

struct State {
    changes: Changes,
    /// The new lines of files by their paths.
    files: HashMap<String, Arc<Lines>>,
    /// The first failure of git.
    failure: Option<Failure>,
}

/// The lines of a file that are new.
enum Lines {
    All,
    /// Counted from 0.
    Some(Vec<Range<usize>>),
}

impl NewLines {
    /// The lines that have changed since a commit.
    pub fn since(revision: &str) -> Result<Self, Failure> {
        let changes = Changes::since("--new-lines-since", revision)?;
        Ok(Self(Mutex::new(State { changes, files: HashMap::new(), failure: None })))
    }

    /// Takes the diagnostics that are on unchanged lines alone out of a report, and counts them.
    pub fn take(&self, report: &mut Report) -> usize {
        let Report { sources, diagnostics, .. } = report;
        let before = diagnostics.len();
        diagnostics.retain(|diagnostic| self.is_new(sources, diagnostic));
        before - diagnostics.len()
    }

    /// Fails if git did.
    pub fn finish(self) -> Result<(), Failure> {
        let state = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.failure.map_or(Ok(()), Err)
    }

    /// Returns true if some place that a diagnostic shows is on a new line: one of the uses of an
    /// unknown name, the second declaration of a name.
    fn is_new(&self, sources: &SourceMap, diagnostic: &Diagnostic) -> bool {
        let labels = diagnostic.labels.iter().map(|label| label.span);
        let mut places = std::iter::once(diagnostic.primary).chain(labels);
        places.any(|place| self.is_on_new_line(sources, place))
    }

    fn is_on_new_line(&self, sources: &SourceMap, Span { file, range }: Span) -> bool {
        let line = |offset| sources.position(file, offset).line as usize;
        let (first, last) = (line(range.start()) - 1, line(range.end()) - 1);
        match &*self.lines(sources, file) {
            Lines::All => true,
            Lines::Some(ranges) => ranges.iter().any(|it| it.start <= last && first < it.end),
        }
    }

    /// The new lines of a file.
    fn lines(&self, sources: &SourceMap, file: FileId) -> Arc<Lines> {
        let path = sources.path(file);
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = state.files.get(path) {
            return Arc::clone(known);
        }
        let lines = Arc::new(match state.changes.committed(Path::new(path)) {
            Ok(Committed::Text(old)) => {
                // Git may have changed the ends of lines.
                let [old, new] = [&*String::from_utf8_lossy(&old), sources.text(file)]
                    .map(|text| text.replace("\r\n", "\n"));
                Lines::Some(changed_lines(&old, &new))
            }
            Ok(Committed::Nothing) => Lines::All,
            Err(failure) => {
                state.failure.get_or_insert(failure);
                Lines::All
            }
        });
        state.files.insert(path.to_owned(), Arc::clone(&lines));
        lines
    }
}
