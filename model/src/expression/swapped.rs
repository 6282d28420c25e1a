//! Arguments in the wrong order.
//!
//! The rules, with examples: `tests/spec/expressions/call.md`.

use pcl_diagnostics::{Code, Diagnostic, Fix, Mark, Span, TextEdit};
use pcl_syntax::ast;

use super::checker::Checker;
use crate::expression::call::with_usage;
use crate::functions::{CallSite, Callable, Signature};
use crate::types::{TypeId, TypeStore};

/// The pairs of arguments that are tried.
const PAIRS: [(usize, usize); 3] = [(0, 1), (1, 2), (0, 2)];

impl Checker<'_> {
    /// The result of a call if two of its arguments are swapped: the diagnostics about them, which
    /// were reported since `mark`, become one. Returns `None`, and reports nothing, when no swap
    /// makes the call right.
    pub(super) fn check_swapped(
        &mut self,
        function: &dyn Callable,
        site: &CallSite,
        call: ast::Call<'_>,
        mark: Mark,
    ) -> Option<(Signature, TypeId)> {
        let is_wrong_twice = self.reporter.since(mark).len() > 1;
        let is_as_written = || site.arguments.len() == site.written.len() && !call.expands_last();
        if !is_wrong_twice || site.is_broken || !is_as_written() {
            return None;
        }
        for (first, second) in PAIRS {
            if second >= site.arguments.len() {
                continue;
            }
            let mut swapped = site.clone();
            swapped.arguments.swap(first, second);
            swapped.written.swap(first, second);
            let inner = self.reporter.mark();
            let checked = self.check_call(function, &swapped, None);
            let is_right = self.reporter.since(inner).is_empty();
            self.reporter.retract(inner);
            if !is_right {
                continue;
            }
            self.reporter.retract(mark);
            let mut arguments = call.arguments();
            let places = [arguments.nth(first)?, arguments.nth(second - first - 1)?];
            let places = places.map(|argument| {
                let syntax = argument.syntax();
                (Span::new(self.file, syntax.range()), syntax.text())
            });
            let (signature, ty) = checked;
            let diagnostic = swapped_arguments(places, self.types, &site.name, &signature);
            self.reporter.report(diagnostic);
            return Some((signature, ty));
        }
        None
    }
}

/// Two arguments that are each in the place of the other, with their texts.
fn swapped_arguments(
    [(first, first_text), (second, second_text)]: [(Span, &str); 2],
    types: &mut TypeStore,
    function: &str,
    signature: &Signature,
) -> Diagnostic {
    let message = format!("two arguments of `{function}` are in the wrong order");
    let diagnostic = Diagnostic::error(Code::TypeNotAssignable, first, message)
        .label(second, "this one comes first");
    let edits = vec![
        TextEdit::replace(first, second_text),
        TextEdit::replace(second, first_text),
    ];
    with_usage(diagnostic, types, function, signature).fix(Fix::safe("swap the arguments", edits))
}
