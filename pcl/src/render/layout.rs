//! The form of the documents of one output format.

use super::part::Part;
use super::report::{Look, Report, ReportSettings};
use super::sarif::Rules;
use super::statistics::Summary;

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
