//! The hook for the notation of other languages, which `pcl-newcomers` recognises.
//!
//! The parser asks it only about texts with errors. The results are [`Reading`]s for the lexer: the
//! unparsable text becomes one token, which represents a value, a sign, or nothing. So one habit is
//! one error, and the lines around it are parsed as if it were not there. A [`Note`] has the words
//! for that error, and the PCL that was meant.

use std::borrow::Cow;

use pcl_diagnostics::{Applicability, Code, TextRange};

use crate::error::SyntaxError;
use crate::kind::SyntaxKind;
use crate::tree::{SyntaxTree, Tokens};

/// The recognition of other languages.
#[derive(Debug)]
pub struct Hook {
    /// Adds what a text with errors has to what was found before. Returns whether there was
    /// anything new.
    pub find: fn(&Attempt<'_>, &mut Found) -> bool,
    /// Returns the errors of a tree without those that repeat another one, and those.
    pub merge: fn(&SyntaxTree) -> (Vec<SyntaxError>, Vec<Repetition>),
}

/// A text that was parsed with errors.
#[derive(Clone, Copy, Debug)]
pub struct Attempt<'a> {
    /// The text.
    pub source: &'a str,
    /// Its tokens.
    pub tokens: &'a Tokens,
    /// Its errors and warnings, in order.
    pub errors: &'a [SyntaxError],
    /// Set for a whole file, not for an expression.
    pub is_file: bool,
}

/// The notation of other languages in a text.
#[derive(Default, Debug)]
pub struct Found {
    /// In order; none overlaps another.
    pub readings: Vec<Reading>,
    /// Sorted by place and code.
    pub notes: Vec<Note>,
    /// Set if the whole text is in another language.
    pub is_whole: bool,
}

/// Text that is read as one token, whatever the rules of the lexer make of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reading {
    /// The text.
    pub range: TextRange,
    /// The kind of the token.
    pub kind: SyntaxKind,
    /// The report of it. Several readings that have one cause have the same one.
    pub error: SyntaxError,
}

/// The words for an error that has to do with another language, and the PCL that was meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// The code of the error.
    pub code: Code,
    /// The start of the error.
    pub at: u32,
    /// The message. Without one, the error has the usual words of its code.
    pub message: Option<Cow<'static, str>>,
    /// The place that is shown instead of that of the error.
    pub place: Option<TextRange>,
    /// The label of the second place.
    pub related: Option<&'static str>,
    /// The advice; the usual one if there is none.
    pub help: Option<Cow<'static, str>>,
    /// The title of the fix.
    pub title: Cow<'static, str>,
    /// The ranges that the fix replaces, in order, each with its new text. There is no fix without
    /// any.
    pub edits: Vec<(TextRange, String)>,
    /// The certainty of the fix.
    pub applicability: Applicability,
}

impl Note {
    /// A note without words or edits.
    pub const fn new(error: &SyntaxError) -> Self {
        Self {
            code: error.code(),
            at: error.range().start(),
            message: None,
            place: None,
            related: None,
            help: None,
            title: Cow::Borrowed(""),
            edits: Vec::new(),
            applicability: Applicability::Unsafe,
        }
    }
}

/// The further places of an error whose mistake its body repeats.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repetition {
    /// The code of the first error, which represents all.
    pub code: Code,
    /// The start of the first error.
    pub at: u32,
    /// The others, in order.
    pub errors: Vec<SyntaxError>,
}
