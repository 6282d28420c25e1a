//! Cycles of references, and references to outputs.

use pcl_diagnostics::{Code, Diagnostic, Span};

/// A reference on a cycle.
pub(crate) struct Need<'a> {
    pub span: Span,
    /// The node that refers.
    pub node: &'a str,
    /// The node that it refers to.
    pub needed: &'a str,
}

/// A reference to an output, which gets its value at the very end. `declared` is the output's name.
pub(crate) fn output_referenced(span: Span, name: &str, declared: Span) -> Diagnostic {
    Diagnostic::warning(
        Code::OutputReferenced,
        span,
        format!("`{name}` is an output, and outputs have no value inside the program"),
    )
    .label(declared, "the output is declared here")
    .help("give the value a name of its own, `name = ..`, and refer to that in both places")
    .ours()
}

/// A cycle of nodes, with some of the references on it and the output on it, if there is one.
pub(crate) fn circular(
    span: Span,
    cycle: &[&str],
    needs: &[Need<'_>],
    output: Option<&str>,
) -> Diagnostic {
    let start = cycle.first().copied().unwrap_or_default();
    let is_one = cycle.len() == 1;
    let message = if is_one {
        format!("`{start}` refers to itself")
    } else {
        format!("`{start}` depends on itself")
    };
    let mut diagnostic = Diagnostic::error(Code::CircularReference, span, message);
    if !is_one {
        diagnostic = diagnostic.note(format!("the cycle is: {}", chain(cycle, start)));
    }
    for Need { span, node, needed } in needs {
        diagnostic = diagnostic.label(*span, format!("`{node}` needs `{needed}` here"));
    }
    diagnostic.help(match output {
        Some(output) => format!(
            "`{output}` is an output, which has no value inside the program: refer to what has the value"
        ),
        None => "break the cycle by removing one of these references".to_owned(),
    })
}

/// The names of a cycle from `start` to `start`, the middle of a long one left out.
fn chain(cycle: &[&str], start: &str) -> String {
    const MOST: usize = 10;
    let mut names = cycle.to_vec();
    names.push(start);
    if names.len() > MOST {
        names.splice(MOST - 3..names.len() - 2, [".."]);
    }
    names.join(" -> ")
}
