//! The input of every renderer: a report, the settings of its run, and the look of text.

use super::docs_url::DocsUrl;
use super::paths::Roots;
use pcl_diagnostics::{Diagnostic, SourceMap};

/// The diagnostics of one program, with the texts that they point into.
#[derive(Clone, Copy)]
pub struct Report<'a> {
    /// The program as people named it.
    pub path: &'a str,
    /// The files that the diagnostics point into.
    pub sources: &'a SourceMap,
    /// The diagnostics, in the order in which they are to be shown.
    pub diagnostics: &'a [Diagnostic],
    /// Set if the paths of the files are those of files on disk.
    pub on_disk: bool,
    /// The settings that reports share.
    pub settings: &'a ReportSettings,
}

/// The look of text for people.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Look {
    /// Set for colours, as escape sequences.
    pub color: bool,
    /// The width that messages are wrapped to; `None` for no limit.
    pub width: Option<usize>,
    /// Set if codes are links to their pages, as escape sequences.
    pub hyperlinks: bool,
}

impl From<bool> for Look {
    /// A look with or without colours, of any width.
    fn from(color: bool) -> Self {
        Self { color, ..Self::default() }
    }
}

/// The settings that the reports of a run share.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ReportSettings {
    /// The address of the pages about codes.
    pub docs_url: DocsUrl,
    /// The directories that the paths in machine formats are relative to.
    pub roots: Roots,
}

impl ReportSettings {
    /// The settings by default: the pages in the repository of `pcl`, and paths as they are named.
    pub const DEFAULT: Self = Self { docs_url: DocsUrl::DEFAULT, roots: Roots::NONE };
}
