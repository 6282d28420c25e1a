//! The input of every renderer: a report, the settings of its run, and the look of text.

use super::docs_url::DocsUrl;
use super::paths::Roots;
use pcl_diagnostics::{Code, Diagnostic, SourceMap, Span, TextRange};

/// The diagnostics of one program or file, with the texts that they point into.
#[derive(Clone)]
pub struct Report {
    /// The program or file as people named it.
    pub path: String,
    /// The files that the diagnostics point into, those of components included.
    pub sources: SourceMap,
    /// The diagnostics, in the order in which they are to be shown.
    pub diagnostics: Vec<Diagnostic>,
    /// Tells whether everything could be read: the path, the files of the program and of its
    /// components, and the schemas.
    pub readable: bool,
    /// Set if the paths of the files are those of files on disk, unset if they only name texts in
    /// memory.
    pub on_disk: bool,
    /// The settings that reports share.
    pub settings: ReportSettings,
}

impl Report {
    /// A report about texts in memory that could be read, with the settings by default.
    pub fn new(
        path: impl Into<String>,
        sources: SourceMap,
        diagnostics: impl Into<Vec<Diagnostic>>,
    ) -> Self {
        Self {
            path: path.into(),
            sources,
            diagnostics: diagnostics.into(),
            readable: true,
            on_disk: false,
            settings: ReportSettings::DEFAULT,
        }
    }

    /// The report about a file that cannot be read.
    pub(crate) fn unreadable(path: &str, error: &std::io::Error, help: Option<&str>) -> Self {
        let mut sources = SourceMap::new();
        let place = Span::new(sources.add(path, ""), TextRange::empty(0));
        let message = format!("cannot read `{path}`: {error}");
        let mut diagnostic = Diagnostic::error(Code::UnreadableSource, place, message);
        diagnostic.help = help.map(str::to_owned);
        Self { readable: false, ..Self::new(path, sources, [diagnostic]) }
    }

    /// Returns true if there is no error among the diagnostics.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        !self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Gives each type the fields of its report.
macro_rules! reported {
    ($($type:ty),*) => {$(
        impl std::ops::Deref for $type {
            type Target = $crate::render::Report;

            fn deref(&self) -> &Self::Target {
                &self.report
            }
        }

        impl std::ops::DerefMut for $type {
            fn deref_mut(&mut self) -> &mut Self::Target {
                &mut self.report
            }
        }
    )*};
}

pub(crate) use reported;

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
