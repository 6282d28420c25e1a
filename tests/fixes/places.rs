//! The places that offer fixes.

use std::fmt;

use pcl::diagnostics::Code;

/// A place that offers a fix: the code of its diagnostic, and the title of the fix with `_` for
/// each name in it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    pub code: &'static str,
    pub title: String,
}

impl Place {
    pub fn of(code: Code, title: &str) -> Self {
        Self { code: code.id(), title: pattern(title) }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}", self.code, self.title)
    }
}

/// A title with `_` for what it quotes and for numbers.
pub fn pattern(title: &str) -> String {
    let mut pattern = String::new();
    let mut rest = title;
    while let Some(at) = rest.find(['`', '"']) {
        let quote = &rest[at..=at];
        let Some(len) = rest[at + 1..].rfind(quote) else { break };
        pattern.push_str(&rest[..at]);
        pattern.push('_');
        rest = &rest[at + 1 + len + 1..];
    }
    pattern.push_str(rest);
    let words = pattern.split(' ').map(|word| match word.parse::<f64>() {
        Ok(_) => "_",
        Err(_) => word,
    });
    words.collect::<Vec<_>>().join(" ")
}
