//! The diagnostics that a run leaves out.

use std::fmt;

use serde::Serialize;

/// The numbers of diagnostics that a run leaves out, by reason.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct LeftOut {
    /// Those that a baseline knows; `None` without a baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<usize>,
    /// Those on lines that are the same in another commit; `None` if all lines count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unchanged: Option<usize>,
}

impl LeftOut {
    /// Returns true if no diagnostic may be left out.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds the numbers of another program.
    pub fn add(&mut self, other: Self) {
        let sum = |own: Option<usize>, other: Option<usize>| match (own, other) {
            (None, None) => None,
            (own, other) => Some(own.unwrap_or_default() + other.unwrap_or_default()),
        };
        self.known = sum(self.known, other.known);
        self.unchanged = sum(self.unchanged, other.unchanged);
    }
}

/// Such as `left out: 12 known, 1 on unchanged lines`.
impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = self.known.map(|known| format!("{known} known"));
        let unchanged = self.unchanged.map(|unchanged| format!("{unchanged} on unchanged lines"));
        let parts: Vec<String> = known.into_iter().chain(unchanged).collect();
        write!(f, "left out: {}", parts.join(", "))
    }
}
