//! `lookup(m, k)`, which is `m[k]`.
//!
//! The rules, with examples: `tests/spec/functions/collections.md`.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit};
use pcl_language::Function;
use pcl_syntax::ast;

use super::checker::Checker;
use super::expr::{ExprId, ExprKind};

/// The collection and the key of a call of `lookup` that is an index. `None` for other functions,
/// and where a default is given or the arguments are not all known.
pub(super) fn operands(call: ast::Call<'_>, name: &str, written: &[ExprId]) -> Option<[ExprId; 2]> {
    let &[collection, key] = written else { return None };
    let is_index =
        name == Function::Lookup.name() && !call.expands_last() && !call.syntax().has_error();
    is_index.then_some([collection, key])
}

impl Checker<'_> {
    pub(super) fn bind_lookup(
        &mut self,
        call: ast::Call<'_>,
        [mut collection, mut key]: [ExprId; 2],
    ) -> ExprId {
        let syntax = call.syntax();
        let mark = self.reporter.mark();
        let mut ty = self.index_type(collection, self.exprs[collection].range, key);
        if self.reporter.since(mark).iter().any(Diagnostic::is_error) {
            let inner = self.reporter.mark();
            let swapped = self.index_type(key, self.exprs[key].range, collection);
            let is_right = self.reporter.since(inner).is_empty();
            self.reporter.retract(inner);
            if is_right && let Some(diagnostic) = self.swapped_lookup(call) {
                self.reporter.retract(mark);
                self.reporter.report(diagnostic);
                (collection, key) = (key, collection);
                ty = swapped;
            }
        }
        self.push(ExprKind::Index { collection, key }, ty, syntax.range(), syntax.id())
    }

    /// The diagnostic for a call whose arguments are the key and the collection.
    fn swapped_lookup(&self, call: ast::Call<'_>) -> Option<Diagnostic> {
        let mut arguments = call.arguments();
        let [(first, first_text), (second, second_text)] = [arguments.next()?, arguments.next()?]
            .map(|argument| {
                let syntax = argument.syntax();
                (Span::new(self.file, syntax.range()), syntax.text())
            });
        let message = "two arguments of `lookup` are in the wrong order";
        let edits =
            vec![TextEdit::replace(first, second_text), TextEdit::replace(second, first_text)];
        let diagnostic = Diagnostic::error(Code::TypeNotAssignable, first, message)
            .label(second, "this one comes first")
            .help("call it like `lookup(map, key, default?)`");
        Some(diagnostic.fix(Fix::safe("swap the arguments", edits)))
    }
}
