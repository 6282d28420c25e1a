//! Diagnostics as text, one file per output format or two.
//!
//! [`Format::render`] makes a document about one program. For several, [`Format::part`] turns the
//! [`Report`] of each into a [`Part`], on any thread, and a [`Stream`] joins the parts to one
//! document. So a run over thousands of programs keeps none of them.
//!
//! Laws: a renderer prints nothing itself and never fails; the same report gives the same bytes; no
//! character of the program reaches a terminal as a control sequence.

mod bound;
pub(crate) mod diff;
mod excerpt;
mod fingerprint;
mod fix;
mod full;
mod github;
mod gitlab;
pub(crate) mod json;
mod junit;
mod left_out;
mod part;
mod paths;
#[cfg(feature = "run")]
mod preview;
mod rdjson;
mod report;
mod sarif;
mod statistics;
mod stream;
mod syntax;
pub(crate) mod text;

pub use self::paths::Roots;
pub(crate) use self::report::reported;
pub use self::report::{Look, Report, ReportSettings};
pub use self::statistics::{Row, Statistics, Summary};
pub use self::stream::Stream;
pub use crate::render::part::Part;
pub use crate::render::report::DocsUrl;
pub use crate::render::text::wrap;
pub use bound::{bound_json, bound_text, packages_json, packages_text};
pub use diff::{changed_lines, unified_diff};
pub use fingerprint::line_fingerprint;
pub use json::FORMAT_VERSION;
pub use left_out::LeftOut;
#[cfg(feature = "run")]
pub use preview::{preview_json, preview_text, shown, value_json};
pub use syntax::{ast_json, ast_text, tokens_json, tree_json};
pub use text::one_line;

use crate::render::part::Layout;

macro_rules! formats {
    ($(#[doc = $summary:literal] $variant:ident $layout:path;)*) => {
        /// An output format of `pcl check`.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[non_exhaustive]
        pub enum Format { $(#[doc = $summary] $variant,)* }

        impl Format {
            /// Every format.
            pub const ALL: [Self; [$(Self::$variant),*].len()] = [$(Self::$variant),*];

            const fn layout(self) -> &'static Layout {
                match self { $(Self::$variant => &$layout,)* }
            }
        }
    };
}

formats! {
    /// Snippets with labels, notes and suggested edits, for people.
    Full full::LAYOUT;
    /// One line for each diagnostic.
    Concise full::CONCISE;
    /// One JSON document.
    Json json::LAYOUT;
    /// One JSON object a line, one for each diagnostic.
    JsonLines json::LINES;
    /// SARIF 2.1.0, for code scanning.
    Sarif sarif::LAYOUT;
    /// Workflow commands of GitHub Actions.
    Github github::LAYOUT;
    /// A Code Quality report of GitLab.
    Gitlab gitlab::LAYOUT;
    /// JUnit XML.
    Junit junit::LAYOUT;
    /// The Reviewdog Diagnostic Format.
    Rdjson rdjson::LAYOUT;
}

impl Format {
    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        self.layout().name
    }

    /// The format of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Returns true if people read the format, and its diagnostics may be limited.
    pub const fn is_for_people(self) -> bool {
        self.layout().is_for_people
    }

    /// Returns true if a document contains the statistics of its [`Summary`].
    pub const fn has_statistics(self) -> bool {
        self.layout().has_statistics
    }

    /// The part of one program in a document. Only `full` and `concise` have a look, and only
    /// `full` has a width.
    pub fn part(self, report: &Report, look: impl Into<Look>) -> Part {
        (self.layout().part)(report, look.into())
    }

    /// A document about one program.
    pub fn render(self, report: &Report, look: impl Into<Look>) -> Vec<u8> {
        let mut stream = Stream::new(self, &report.settings);
        let mut out = stream.open();
        out.extend(stream.add(self.part(report, look)));
        out.extend(stream.close(&Summary::of(report)));
        out
    }
}

/// The document of [`Format::Json`] about one program. A caller that needs no other format does not
/// contain their code.
pub fn check_json(report: &Report) -> Vec<u8> {
    let mut out: Vec<u8> = json::OPEN.into();
    out.extend(json::render(report));
    out.extend(json::close(&Summary::of(report)));
    out
}

#[cfg(test)]
pub(crate) mod samples {
    //! Reports for the tests of the renderers.

    use super::Report;
    use pcl_diagnostics::{Code, Diagnostic, FileId, Fix, SourceMap, Span, TextEdit, TextRange};

    pub fn sample(text: &str) -> (Report, FileId) {
        let mut sources = SourceMap::new();
        let file = sources.add("web/main.pp", text);
        (Report::new("web", sources, []), file)
    }

    /// The span of the first `needle` in the file.
    pub fn find(sources: &SourceMap, file: FileId, needle: &str) -> Span {
        let start = sources.text(file).find(needle).expect("the needle is there") as u32;
        Span::new(file, TextRange::new(start, start + needle.len() as u32))
    }

    /// Two diagnostics with everything that a diagnostic can have.
    pub fn rich() -> Report {
        let (mut sample, file) = sample(
            "config \"names\" \"list(string)\" {}\n\nconfig \"names\" \"number\" {}\n\nsize = lenght(names)\n",
        );
        let other = sample.sources.add("web/extra.pp", "size = 1\n");
        let map = &sample.sources;
        let second = Span::new(file, TextRange::new(41, 48));
        let typo = find(map, file, "lenght");
        sample.diagnostics = vec![
            Diagnostic::error(Code::AlreadyDeclared, second, "`names` is declared twice")
                .label(find(map, file, "\"names\""), "first declared here")
                .label(find(map, other, "size"), "another file")
                .note("a name stands for one thing in the whole program")
                .help("give one of them another name"),
            Diagnostic::warning(Code::UnknownFunction, typo, "there is no function `lenght`")
                .help("did you mean `length`?")
                .fix(Fix::safe("call `length`", vec![TextEdit::replace(typo, "length")])),
        ];
        sample
    }
}
