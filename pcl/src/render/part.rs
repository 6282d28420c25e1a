//! The parts of documents.

use pcl_diagnostics::{Code, Diagnostic, Severity};

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
