//! `-x`, `!x` and operators between two operands.
//!
//! The rules, with examples: `tests/spec/expressions/operator.md`.

use pcl_diagnostics::{Code, Diagnostic, Fix, Origin, Span, TextEdit, TextRange};
use pcl_syntax::ast::{self, BinaryOperator, UnaryOperator};

use super::checker::Checker;
use super::expr::{ExprId, ExprKind};
use super::print::print;
use crate::other_languages::template;
use crate::scope::ScopeId;
use crate::types::TypeId;
use crate::value::Constant;
use crate::wording::ValueRole;

impl Checker<'_> {
    pub(super) fn bind_unary(&mut self, unary: ast::Unary<'_>, scope: ScopeId) -> ExprId {
        let operand = self.bind_part(unary.operand(), ast::Expr::Unary(unary), scope);
        let syntax = unary.syntax();
        let operator = unary.operator();

        // A minus before a number is part of the number.
        if let (UnaryOperator::Negate, ExprKind::Literal(Constant::Number(number))) =
            (operator, &self.exprs[operand].kind)
        {
            // Zero has a sign when the program runs; its type has none.
            let value = Constant::Number(number.negated());
            let ty = self.types.constant(Constant::Number(-number.clone()));
            let literal = &mut self.exprs[operand];
            literal.kind = ExprKind::Literal(value);
            literal.ty = ty;
            literal.range = syntax.range();
            literal.node = syntax.id();
            return operand;
        }

        let ty = self.type_of(operand);
        let (wanted, result) = unary_types(operator, ty);
        self.expect(operand, wanted, ValueRole::Operand(operator));
        let ty = self.types.lift(result, &[ty]);
        let kind = ExprKind::Unary { operator, operand };
        self.push(kind, ty, syntax.range(), syntax.id())
    }

    pub(super) fn bind_binary(
        &mut self,
        binary: ast::Binary<'_>,
        left: ExprId,
        scope: ScopeId,
    ) -> ExprId {
        let right = self.bind_part(binary.right(), ast::Expr::Binary(binary), scope);
        let syntax = binary.syntax();
        let operator = binary.operator();
        let operands = [self.type_of(left), self.type_of(right)];
        let (wanted, result) = binary_types(operator, operands);
        // Anything can be compared with anything.
        if let Some(wanted) = wanted {
            let misfits = [
                (left, ValueRole::LeftOperand(operator)),
                (right, ValueRole::RightOperand(operator)),
            ]
            .map(|(operand, role)| self.misfit(self.type_of(operand), operand, wanted, role));
            match operator {
                BinaryOperator::Add => {
                    self.report_summands(misfits, [left, right], syntax.range());
                }
                BinaryOperator::Modulo if misfits[0].is_some() => {
                    self.report_formatting(misfits, [left, right], syntax.range());
                }
                _ => self.reporter.report_all(misfits.into_iter().flatten()),
            }
        }
        let ty = self.types.lift(result, &operands);
        let kind = ExprKind::Binary { operator, left, right };
        self.push(kind, ty, syntax.range(), syntax.id())
    }

    /// Reports operands of `%` that do not fit. A string before it that has verbs such as `%s` is
    /// meant to be formatted.
    fn report_formatting(
        &mut self,
        misfits: [Option<Diagnostic>; 2],
        [left, right]: [ExprId; 2],
        whole: TextRange,
    ) {
        let text = self.exprs.literal_string(left);
        let Some(text) = text.filter(|text| text.contains('%')) else {
            self.reporter.report_all(misfits.into_iter().flatten());
            return;
        };
        let values = match &self.exprs[right].kind {
            ExprKind::Tuple(values) => &values[..],
            _ => &[right],
        };
        let values: Vec<String> =
            values.iter().map(|&value| print(value, self.exprs, self.types, self.scopes)).collect();
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        // What has to be escaped in a template stays as it is written.
        let is_plain = !text.contains(['"', '\\', '$', '\n']);
        let template = is_plain.then(|| template(&text, &values)).flatten();
        let message = "`%` divides numbers in PCL, and does not format strings";
        let diagnostic = Diagnostic::error(Code::TypeNotAssignable, self.span_of(left), message)
            .help("write the values into the string, as in `\"${a}-${b}\"`");
        let fix = template.map(|template| {
            let edit = TextEdit::replace(Span::new(self.file, whole), template);
            Fix::unsafe_("write a template", vec![edit])
        });
        let diagnostic = fix.into_iter().fold(diagnostic, Diagnostic::fix);
        let mut misfits = misfits.iter().flatten();
        let is_ours = misfits.all(|misfit| misfit.origin == Origin::Ours);
        self.reporter.report(if is_ours { diagnostic.ours() } else { diagnostic });
    }
}

/// The types that an operator converts its operand to, and of its result. A plain int stays one.
pub fn unary_types(operator: UnaryOperator, operand: TypeId) -> (TypeId, TypeId) {
    match operator {
        UnaryOperator::Not => (TypeId::BOOL, TypeId::BOOL),
        UnaryOperator::Negate if operand == TypeId::INT => (TypeId::INT, TypeId::INT),
        UnaryOperator::Negate => (TypeId::NUMBER, TypeId::NUMBER),
    }
}

/// The types that an operator converts its operands to (`None`: any), and the type of its result.
/// Two plain ints stay ints, also when divided; a literal number has its own type and is not a
/// plain int.
pub fn binary_types(operator: BinaryOperator, operands: [TypeId; 2]) -> (Option<TypeId>, TypeId) {
    use BinaryOperator as Op;
    let numeric = if operands == [TypeId::INT, TypeId::INT] { TypeId::INT } else { TypeId::NUMBER };
    match operator {
        Op::Or | Op::And => (Some(TypeId::BOOL), TypeId::BOOL),
        Op::Equal | Op::NotEqual => (None, TypeId::BOOL),
        Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => (Some(numeric), TypeId::BOOL),
        Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Modulo => (Some(numeric), numeric),
    }
}
