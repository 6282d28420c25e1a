//! A short name for a diagnostic that survives edits elsewhere in the file.
//!
//! It is a hash of the code, the file's path in its project and the line of the diagnostic, not of
//! any offset. So it does not depend on how the program was named or on the place of the checkout.
//! Diagnostics that agree in all of these are told apart by their order.

use std::collections::HashMap;

use super::paths::Paths;
use super::report::Report;
use pcl_diagnostics::{Diagnostic, FileId, SourceMap};

/// Bytes of the line that count, at either side of the start of the diagnostic.
const REACH: usize = 200;

/// Gives each diagnostic of one report its fingerprint. Diagnostics have to be asked for in the
/// order of the report.
pub(super) struct Fingerprints<'a> {
    paths: Paths<'a>,
    /// The path of each file in its project.
    files: HashMap<FileId, String>,
    seen: HashMap<u64, u32>,
}

impl<'a> Fingerprints<'a> {
    pub(super) fn new(report: &'a Report) -> Self {
        Self { paths: Paths::new(report), files: HashMap::new(), seen: HashMap::new() }
    }

    /// Sixteen hexadecimal digits.
    pub(super) fn of(&mut self, diagnostic: &Diagnostic, sources: &SourceMap) -> String {
        let file = diagnostic.primary.file;
        let (paths, files) = (&mut self.paths, &mut self.files);
        let path = files.entry(file).or_insert_with(|| paths.in_project(file));
        let mut hash = Fnv::new();
        hash.add(diagnostic.code.id().as_bytes());
        hash.add(path.as_bytes());
        hash.add_line(diagnostic, sources);
        let count = self.seen.entry(hash.0).or_default();
        let nth = *count;
        *count += 1;
        if nth > 0 {
            hash.add(&nth.to_le_bytes());
        }
        hash.text()
    }
}

/// A fingerprint of a diagnostic within its file: that of its code and the text of its line.
/// Diagnostics that agree in these have the same one.
pub fn line_fingerprint(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let mut hash = Fnv::new();
    hash.add(diagnostic.code.id().as_bytes());
    hash.add_line(diagnostic, sources);
    hash.text()
}

/// The fingerprint of a diagnostic among those of all programs: the paths of two files in their
/// projects may be equal, but not those in the repository.
pub(super) fn among_programs(fingerprint: &str, path: &str) -> String {
    let mut hash = Fnv::new();
    hash.add(fingerprint.as_bytes());
    hash.add(path.as_bytes());
    hash.text()
}

/// The text of the diagnostic's line before its start, and from its start on.
#[expect(
    clippy::indexing_slicing,
    reason = "`at` is at most the length, and the other offsets are counted from it or found in the slices"
)]
fn line_around<'a>(diagnostic: &Diagnostic, sources: &'a SourceMap) -> [&'a [u8]; 2] {
    let text = sources.text(diagnostic.primary.file).as_bytes();
    let at = (diagnostic.primary.range.start() as usize).min(text.len());
    let before = &text[at.saturating_sub(REACH)..at];
    let after = &text[at..(at + REACH).min(text.len())];
    let from = memrchr_newline(before).map_or(0, |newline| newline + 1);
    let to = after.iter().position(|&b| b == b'\n').unwrap_or(after.len());
    [&before[from..], &after[..to]]
}

fn memrchr_newline(bytes: &[u8]) -> Option<usize> {
    bytes.iter().rposition(|&b| b == b'\n')
}

/// FNV-1a with 64 bits: small, and the same in every release and on every machine.
struct Fnv(u64);

impl Fnv {
    const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Adds a part and its end, so that two parts are not the same as one.
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes.iter().chain(&[0xFF]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// Adds the line of a diagnostic.
    fn add_line(&mut self, diagnostic: &Diagnostic, sources: &SourceMap) {
        for part in line_around(diagnostic, sources) {
            self.add(part.trim_ascii());
        }
    }

    fn text(&self) -> String {
        format!("{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{find, sample};
    use super::*;
    use pcl_diagnostics::Code;

    fn prints(text: &str, needles: &[(&str, usize)]) -> Vec<String> {
        let (sample, file) = sample(text);
        let mut fingerprints = Fingerprints::new(&sample);
        let mut result = Vec::new();
        for (needle, times) in needles {
            let span = find(&sample.sources, file, needle);
            let diagnostic = Diagnostic::error(Code::UndefinedVariable, span, "words may change");
            for _ in 0..*times {
                result.push(fingerprints.of(&diagnostic, &sample.sources));
            }
        }
        result
    }

    #[test]
    fn an_edit_elsewhere_changes_nothing() {
        let before = prints("a = b\n", &[("b", 1)]);
        let after = prints("# a comment\n\n  a = b\n", &[("b", 1)]);
        assert_eq!(before, after);
        assert_eq!(before, ["414fbc8930b9ec91"], "published fingerprints may not change");
    }

    #[test]
    fn findings_of_one_line_differ() {
        let all = prints("a = b + c\n", &[("b", 2), ("c", 1)]);
        assert!(all[0] != all[1] && all[0] != all[2] && all[1] != all[2]);
    }
}
