//! Sums of strings, which PCL does not have: one diagnostic, which offers one template for the
//! whole sum.
//!
//! A sum is bound operand by operand, so the template grows with it.
//!
//! The rules, with examples: `tests/spec/expressions/operator.md`.

use pcl_diagnostics::{Code, Diagnostic, Fix, Origin, Span, TextEdit, TextRange};
use pcl_syntax::ast::BinaryOperator;

use super::checker::Checker;
use super::expr::{ExprId, ExprKind};
use super::print::print;
use crate::scope::JoinedSum;
use crate::types::TypeId;
use crate::value::Number;
use crate::wording::string_in_words;

/// The most operands of a sum that are joined or searched.
const MOST_OPERANDS: usize = 32;

impl Checker<'_> {
    /// Reports operands of `+` that do not fit. Strings cannot be added: the errors about them
    /// become one, which advises to join them.
    pub(super) fn report_summands(
        &mut self,
        misfits: [Option<Diagnostic>; 2],
        operands: [ExprId; 2],
        whole: TextRange,
    ) {
        let misfits = misfits.into_iter().zip(operands);
        let misfits = misfits.filter_map(|(misfit, operand)| Some((misfit?, operand)));
        let (texts, others): (Vec<_>, Vec<_>) = misfits.partition(|(misfit, operand)| {
            let ty = self.exprs[*operand].ty;
            misfit.origin == Origin::Ours && self.types.is_of_kinds(ty, &[TypeId::STRING])
        });
        let alone = others.is_empty();
        self.reporter.report_all(others.into_iter().map(|(misfit, _)| misfit));
        if self.extend_joined(operands, whole, alone) {
            return;
        }
        let Some(&(_, first)) = texts.first() else { return };
        let [left, _] = operands;
        if first != left && self.adds_string(left) {
            // The sum before it has been reported.
            return;
        }
        let is_joinable = alone && operands.iter().all(|&id| self.is_simple(id));
        let template = is_joinable.then(|| self.joined(operands)).flatten();
        let text = self.exprs.literal_string(first).unwrap_or_default();
        let span = self.span_of(first);
        let mark = self.reporter.mark();
        let found = string_in_words(&text);
        let message = format!("`+` adds numbers, found {found}");
        let diagnostic = Diagnostic::error(Code::TypeNotAssignable, span, message).ours();
        let help = "strings are joined in a template, as in `\"${a}${b}\"`";
        self.reporter.report(diagnostic.help(help));
        if let Some(template) = template {
            let joined = JoinedSum {
                whole: Span::new(self.file, whole),
                mark,
                place: span,
                template,
                operands: 2,
            };
            self.offer_joined(joined);
        }
    }

    /// Extends the template for a sum by its next operand. Returns false if `operands` do not
    /// continue the last sum for which a template is offered.
    fn extend_joined(&mut self, operands: [ExprId; 2], whole: TextRange, fits: bool) -> bool {
        let [left, right] = operands;
        let left = self.span_of(left);
        let Some(mut joined) = self.scopes.joined.take_if(|joined| joined.whole == left) else {
            return false;
        };
        let is_joinable = fits
            && joined.operands < MOST_OPERANDS
            && self.is_simple(right)
            && !joined.template.ends_with(['$', '%']);
        if is_joinable {
            joined.template.push_str(&self.part_of_template(right));
            joined.operands += 1;
            joined.whole = Span::new(self.file, whole);
            self.offer_joined(joined);
        } else {
            // The beginning of a sum alone would be as wrong as before.
            self.reporter.revise(joined.mark, joined.place, |mut diagnostic| {
                diagnostic.fixes.clear();
                diagnostic
            });
        }
        true
    }

    fn offer_joined(&mut self, joined: JoinedSum) {
        let edit = TextEdit::replace(joined.whole, format!("\"{}\"", joined.template));
        self.reporter.revise(joined.mark, joined.place, |mut diagnostic| {
            diagnostic.fixes.clear();
            diagnostic.fix(Fix::unsafe_("join them in a template", vec![edit]))
        });
        self.scopes.joined = Some(joined);
    }

    fn is_simple(&self, operand: ExprId) -> bool {
        let is_whole = |kind: &ExprKind| {
            !matches!(
                kind,
                ExprKind::Binary { .. } | ExprKind::Conditional { .. } | ExprKind::Error
            )
        };
        match &self.exprs[operand].kind {
            ExprKind::Unary { operand, .. } => is_whole(&self.exprs[*operand].kind),
            kind => is_whole(kind),
        }
    }

    /// Returns whether a sum has a string written out among its first operands.
    fn adds_string(&self, mut sum: ExprId) -> bool {
        for _ in 0..MOST_OPERANDS {
            let ExprKind::Binary { operator: BinaryOperator::Add, left, right } =
                self.exprs[sum].kind
            else {
                return false;
            };
            let is_string = |id| {
                let text = self.exprs.literal_string(id);
                text.is_some_and(|text| Number::parse(&text).is_none())
            };
            if is_string(left) || is_string(right) {
                return true;
            }
            sum = left;
        }
        false
    }

    /// The operands in one template, as PCL, without its quotes. `None` where what is inserted
    /// would be plain text.
    fn joined(&self, operands: [ExprId; 2]) -> Option<String> {
        let [left, right] = operands.map(|id| self.part_of_template(id));
        // A `$` before what is inserted would turn it into text.
        let is_plain = left.ends_with(['$', '%']);
        (!is_plain).then(|| format!("{left}{right}"))
    }

    fn part_of_template(&self, id: ExprId) -> String {
        let text = print(id, self.exprs, self.types, self.scopes);
        match &self.exprs[id].kind {
            ExprKind::Template(_) => {
                let text = text.strip_prefix('"').unwrap_or(&text);
                text.strip_suffix('"').unwrap_or(text).to_owned()
            }
            _ => format!("${{{text}}}"),
        }
    }
}
