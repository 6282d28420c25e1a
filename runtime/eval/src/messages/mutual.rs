//! Components that need each other.

use pcl_diagnostics::{Code, Diagnostic, Span};

/// The most steps of a cycle that a message names.
const MOST: usize = 10;

/// A part of a component that needs itself. The names are those of all parts on the way, in order.
pub(crate) fn circular(span: Span, names: &[String], references: &[(Span, String)]) -> Diagnostic {
    let start = names.first().map_or("", String::as_str);
    let message = format!("`{start}` depends on itself");
    let mut chain: Vec<&str> = names.iter().map(String::as_str).chain([start]).collect();
    if chain.len() > MOST {
        chain.splice(MOST - 3..chain.len() - 2, [".."]);
    }
    let chain = chain.join(" -> ");
    let mut diagnostic = Diagnostic::error(Code::CircularReference, span, message)
        .note(format!("the cycle is: {chain}"));
    for (span, text) in references.iter().take(MOST) {
        diagnostic = diagnostic.label(*span, text.clone());
    }
    diagnostic.help(
        "components may use outputs of each other that do not depend on what they get in return",
    )
}
