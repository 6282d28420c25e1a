//! Diagnostics as text, one file per output format.
//!
//! A [`Format`] turns the [`Report`] of one program into bytes; the parts of several programs, put
//! between [`Format::open`], [`Format::between`] and [`Format::close`], make one document. So a run
//! over thousands of programs keeps none of them.
//!
//! Laws: a renderer prints nothing itself and never fails; the same report gives the same bytes; no
//! character of the program reaches a terminal as a control sequence.

mod bound;
mod concise;
mod excerpt;
mod fingerprint;
mod fix;
mod full;
pub(crate) mod json;
mod json_lines;
mod syntax;
mod text;
mod wrap;

pub use self::wrap::wrap;
pub use bound::{bound_full_json, bound_json, bound_text, packages_json, packages_text};
pub use syntax::{ast_json, ast_text, tokens_json, tree_json};

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
}

/// The look of text for people.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Look {
    /// Set for colours, as escape sequences.
    pub color: bool,
    /// The width that messages are wrapped to; `None` for no limit.
    pub width: Option<usize>,
}

impl From<bool> for Look {
    /// A look with or without colours, of any width.
    fn from(color: bool) -> Self {
        Self { color, width: None }
    }
}

/// An output format of `pcl check`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// Snippets with labels, notes and suggested edits, for people.
    Full,
    /// One line for each diagnostic.
    Concise,
    /// One JSON document.
    Json,
    /// One JSON object a line, one for each diagnostic.
    JsonLines,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 4] = [Self::Full, Self::Concise, Self::Json, Self::JsonLines];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Concise => "concise",
            Self::Json => "json",
            Self::JsonLines => "json-lines",
        }
    }

    /// The format of this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The text before the first program.
    #[must_use]
    pub const fn open(self) -> &'static str {
        match self {
            Self::Json => json::OPEN,
            _ => "",
        }
    }

    /// The text between two programs.
    #[must_use]
    pub const fn between(self) -> &'static str {
        match self {
            Self::Json => json::BETWEEN,
            _ => "",
        }
    }

    /// The text after the last program.
    #[must_use]
    pub const fn close(self) -> &'static str {
        match self {
            Self::Json => json::CLOSE,
            _ => "",
        }
    }

    /// The part of one program. Only `full` and `concise` have a look, and only `full` has a width.
    #[must_use]
    pub fn render(self, report: &Report<'_>, look: impl Into<Look>) -> Vec<u8> {
        let look = look.into();
        match self {
            Self::Full => full::render(report, look),
            Self::Concise => concise::render(report, look.color),
            Self::Json => json::render(report),
            Self::JsonLines => json_lines::render(report),
        }
    }
}

#[cfg(test)]
pub(crate) mod samples {
    //! Reports for the tests of the renderers.

    use super::Report;
    use pcl_diagnostics::{Code, Diagnostic, FileId, Fix, SourceMap, Span, TextEdit, TextRange};

    pub struct Sample {
        pub sources: SourceMap,
        pub diagnostics: Vec<Diagnostic>,
    }

    impl Sample {
        pub fn new(text: &str) -> (Self, FileId) {
            let mut sources = SourceMap::new();
            let file = sources.add("web/main.pp", text);
            let sample = Self {
                sources,
                diagnostics: Vec::new(),
            };
            (sample, file)
        }

        pub fn report(&self) -> Report<'_> {
            Report {
                path: "web",
                sources: &self.sources,
                diagnostics: &self.diagnostics,
            }
        }
    }

    /// The span of the first `needle` in the file.
    pub fn find(sources: &SourceMap, file: FileId, needle: &str) -> Span {
        let start = sources
            .text(file)
            .find(needle)
            .expect("the needle is there") as u32;
        Span::new(file, TextRange::new(start, start + needle.len() as u32))
    }

    /// Two diagnostics with everything that a diagnostic can have.
    pub fn rich() -> Sample {
        let (mut sample, file) = Sample::new(
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
                .fix(Fix::safe(
                    "call `length`",
                    vec![TextEdit::replace(typo, "length")],
                )),
        ];
        sample
    }
}
