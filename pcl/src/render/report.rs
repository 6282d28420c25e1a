//! The input of every renderer: a report, the settings of its run, the addresses of the pages
//! about codes, and the look of text.

use std::borrow::Cow;
use std::fmt;

use pcl_diagnostics::{Code, Diagnostic, SourceMap, Span, TextRange};

use crate::render::paths::Roots;

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

/// The address of `pcl` itself.
pub(super) const INFORMATION_URL: &str = env!("CARGO_PKG_REPOSITORY");
/// The place of the code in an address.
const PLACEHOLDER: &str = "{code}";

/// The address of the pages about codes, in which `{code}` stands for the code. Where it has no
/// `{code}`, the code follows it after a slash.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DocsUrl(Cow<'static, str>);

impl DocsUrl {
    /// The pages of the book.
    pub const DEFAULT: Self =
        Self(Cow::Borrowed(concat!(env!("CARGO_PKG_HOMEPAGE"), "/codes/{code}.html")));

    /// An address that begins with `https://` or `http://`.
    ///
    /// # Errors
    /// Returns a description of what is wrong with the address. As it is printed to terminals, it
    /// is limited to the characters that an address may have.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let rest = ["https://", "http://"].iter().find_map(|scheme| text.strip_prefix(scheme));
        if rest.is_none_or(|rest| rest.trim_start_matches('/').is_empty()) {
            return Err("it is not an address that begins with `https://` or `http://`");
        }
        let is_allowed = |c: char| c.is_ascii_graphic() && !"\"<>\\^`|{}".contains(c);
        if !text.replace(PLACEHOLDER, "").chars().all(is_allowed) {
            return Err("it contains a character that has to be percent-encoded");
        }
        Ok(Self(Cow::Owned(text.to_owned())))
    }

    /// The address of the page about a code.
    pub fn page(&self, code: Code) -> String {
        if self.0.contains(PLACEHOLDER) {
            self.0.replace(PLACEHOLDER, code.id())
        } else {
            format!("{}/{}", self.0.trim_end_matches('/'), code.id())
        }
    }
}

impl Default for DocsUrl {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl fmt::Display for DocsUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_is_put_in_its_place_or_after_a_slash() {
        let page = |text| DocsUrl::parse(text).map(|url| url.page(Code::TypeNotAssignable));
        assert_eq!(page("https://a.b/pcl").unwrap(), "https://a.b/pcl/PCL0301");
        assert_eq!(page("https://a.b/pcl/").unwrap(), "https://a.b/pcl/PCL0301");
        assert_eq!(
            page("http://a.b/{code}.html#{code}").unwrap(),
            "http://a.b/PCL0301.html#PCL0301"
        );
        assert!(DocsUrl::default().page(Code::TypeNotAssignable).ends_with("/codes/PCL0301.html"));
    }

    #[test]
    fn an_address_cannot_contain_control_sequences() {
        let wrong = [
            "",
            "https://",
            "https:///",
            "file:///etc",
            "javascript:alert(1)",
            "https://a.b/\u{1b}]8;;",
            "https://a.b/ c",
            "https://a.b/{page}",
            "https://a.b/é",
        ];
        for text in wrong {
            assert!(DocsUrl::parse(text).is_err(), "{text}");
        }
    }
}
