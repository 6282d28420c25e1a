//! The diagnostics of the PCL front end and the places that they refer to.
//!
//! Laws:
//! - Every [`Diagnostic`] has a [`Code`] from the one [`catalogue`], a file and a range.
//! - Offsets count bytes from 0; lines and columns are computed for output only and count from 1.
//! - A diagnostic is data until it is rendered; this crate prints nothing.
//! - Nothing here depends on the order of a hash table.
//!
//! ```
//! use pcl_diagnostics::{Code, Diagnostic, Fix, SourceMap, Span, TextEdit, TextRange, suggest};
//!
//! let mut sources = SourceMap::new();
//! let file = sources.add("main.pp", "size = lenght(names)\n");
//! let span = Span::new(file, TextRange::new(7, 13));
//! assert_eq!(sources.slice(span), "lenght");
//!
//! let meant = suggest("lenght", ["join", "length"]).unwrap();
//! let diagnostic = Diagnostic::error(Code::UnknownFunction, span, "there is no function `lenght`")
//!     .help(format!("did you mean `{meant}`?"))
//!     .fix(Fix::safe(format!("call `{meant}`"), vec![TextEdit::replace(span, meant)]));
//! assert_eq!(diagnostic.code.id(), "PCL0601");
//!
//! let (fixed, applied) = pcl_diagnostics::apply(&sources, file, &diagnostic.fixes);
//! assert_eq!((fixed.as_str(), applied), ("size = length(names)\n", 1));
//! ```

#![cfg_attr(
    not(test),
    deny(
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

pub mod catalogue;
mod diagnostic;
mod fix;
mod group;
mod opposite;
mod policy;
mod reporter;
mod source;
mod span;
mod suggest;
mod suppression;

pub use catalogue::Code;
pub use diagnostic::{Diagnostic, Label, Origin, Setting, Severity, sort};
pub use fix::{Applicability, Fix, Patch, TextEdit, apply};
pub use group::{Group, Selector};
pub use policy::{Compat, FileLevels, Leniency, Level, Levels, Matter, MissingSchema, Policy};
pub use reporter::{Mark, Reporter, Tally};
pub use source::{Encoding, LineColumn, LineIndex, SourceMap, SourceText};
pub use span::{FileId, Span, TextRange};
pub use suggest::{
    Comparisons, enumerate, is_same_word, is_too_long, related, suggest, suggest_where,
    without_prefix, words,
};
pub use suppression::{Suppression, UnusedSuppression};
