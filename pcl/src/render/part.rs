//! The parts of documents, and the form of the documents of one output format.

use pcl_diagnostics::{Code, Diagnostic, Severity};

use super::report::{Look, Report, ReportSettings};
use super::sarif::Rules;
use super::statistics::Summary;

/// The part of one program in a document.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Part {
    pub(super) bytes: Vec<u8>,
    /// The pieces that `bytes` consists of, one for each diagnostic. Only formats whose pieces
    /// matter have them.
    pub(super) pieces: Vec<Piece>,
}

/// A diagnostic in the bytes of a [`Part`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    /// The place of its last byte, exclusive. It begins where the one before it ends.
    pub(super) end: usize,
    pub(super) code: Code,
    pub(super) severity: Severity,
}

impl Part {
    /// A part whose pieces do not matter.
    pub(super) fn whole(bytes: Vec<u8>) -> Self {
        Self { bytes, pieces: Vec::new() }
    }

    /// Ends the piece of a diagnostic after the last byte.
    pub(super) fn end_piece(&mut self, diagnostic: &Diagnostic) {
        self.pieces.push(Piece {
            end: self.bytes.len(),
            code: diagnostic.code,
            severity: diagnostic.severity,
        });
    }

    /// The pieces with their bytes.
    pub(super) fn pieces(&self) -> impl Iterator<Item = (Piece, &[u8])> {
        let starts = std::iter::once(0).chain(self.pieces.iter().map(|piece| piece.end));
        let pieces = starts.zip(&self.pieces);
        pieces.map(|(start, piece)| {
            let bytes = self.bytes.get(start..piece.end);
            (*piece, bytes.unwrap_or_default())
        })
    }
}

/// The form of the documents of one output format. Each format has one in its file, with what
/// differs from [`Layout::PLAIN`].
pub(super) struct Layout {
    /// The name on the command line.
    pub name: &'static str,
    /// Set if people read the format, and its diagnostics may be limited.
    pub is_for_people: bool,
    /// Set if a document contains the statistics of its [`Summary`].
    pub has_statistics: bool,
    /// The text before the first program.
    pub open: fn(&ReportSettings) -> Vec<u8>,
    /// The part of one program.
    pub part: fn(&Report, Look) -> Part,
    /// The text between the parts of two programs.
    pub between: &'static str,
    /// The text after the last program.
    pub close: fn(&Rules, &ReportSettings, &Summary) -> Vec<u8>,
}

impl Layout {
    /// The form of documents that are nothing but their parts.
    pub const PLAIN: Self = Self {
        name: "",
        is_for_people: false,
        has_statistics: false,
        open: |_| Vec::new(),
        part: |_, _| Part::default(),
        between: "",
        close: |_, _, _| Vec::new(),
    };
}
