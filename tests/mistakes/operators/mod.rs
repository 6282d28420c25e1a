//! The operators: each makes one mistake, wherever it can be made in a program.

mod foreign;
mod labels;
mod levels;
mod lines;
mod names;
mod punctuation;
mod references;
mod text;
mod values;

use crate::source::{Mistake, Source};

/// A habit that leads to a mistake.
pub struct Operator {
    pub name: &'static str,
    /// The change that it makes, for the table.
    pub change: &'static str,
    /// Every mistake of its kind in a program.
    pub apply: fn(&Source) -> Vec<Mistake>,
}

/// The operators by group.
pub const GROUPS: [(&str, &[Operator]); 9] = [
    ("Names", names::OPERATORS),
    ("References", references::OPERATORS),
    ("Labels", labels::OPERATORS),
    ("Constructs of other languages", foreign::OPERATORS),
    ("Text", text::OPERATORS),
    ("Levels", levels::OPERATORS),
    ("Values", values::OPERATORS),
    ("Punctuation", punctuation::OPERATORS),
    ("Lines", lines::OPERATORS),
];
