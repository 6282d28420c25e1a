//! The type of an expression, worked out again from those of its operands.

use super::checker::Checker;
use super::expr::{Apply, ExprId, ExprKind};
use super::operator::{binary_types, unary_types};
use crate::types::{Type, TypeId};

impl Checker<'_> {
    /// Gives `id` the type that follows from those of its operands, as binding would have. Used by
    /// passes that replace operands. A name keeps the type of its target, a call its signature
    /// ([`Checker::renew_signature`] makes a new one), and a conversion its type. Reports nothing.
    pub fn retype(&mut self, id: ExprId) {
        let mark = self.reporter.mark();
        // Taken out, so that the rules can use the arena meanwhile.
        let mut kind = std::mem::replace(&mut self.exprs[id].kind, ExprKind::Error);
        let ty = match &mut kind {
            ExprKind::Literal(constant) => self.types.constant(constant.clone()),
            ExprKind::Template(parts) => self.template_type(parts),
            ExprKind::TemplateJoin(made) => self.template_type(&[*made]),
            ExprKind::Unary { operator, operand } => {
                let operand = self.type_of(*operand);
                let (_, result) = unary_types(*operator, operand);
                self.types.lift(result, &[operand])
            }
            ExprKind::Binary { operator, left, right } => {
                let operands = [self.type_of(*left), self.type_of(*right)];
                let (_, result) = binary_types(*operator, operands);
                self.types.lift(result, &operands)
            }
            ExprKind::Conditional { condition, if_true, if_false } => {
                let ty = self.conditional_type([*condition, *if_true, *if_false]);
                self.as_late_as(ty, [*if_true, *if_false])
            }
            ExprKind::Tuple(elements) => match elements[..] {
                [element] if self.exprs[element].range == self.exprs[id].range => {
                    let source = self.type_of(element);
                    let source = self.types.null_as_none(source);
                    self.types.list(source)
                }
                _ => self.tuple_type(elements),
            },
            ExprKind::Object(items) => self.object_type(items),
            ExprKind::Index { collection, key } => {
                let raw = self.exprs[*collection].range;
                self.index_type(*collection, raw, *key)
            }
            ExprKind::For(for_expr) => self.for_type(for_expr),
            ExprKind::Traversal(traversal) => self.retyped_traversal(traversal),
            ExprKind::RelativeTraversal { source, steps } => {
                let source = self.type_of(*source);
                let mut own = self.exprs.steps(*steps).to_vec();
                let ty = self.retype_steps(source, &mut own);
                *steps = self.exprs.add_steps(own);
                ty
            }
            ExprKind::Splat(splat) => {
                let written = self.exprs.wrapped_alone(splat.source);
                let source = self.type_of(written.unwrap_or(splat.source));
                let source = self.types.null_as_none(source);
                self.splat_type(source, splat.each)
            }
            ExprKind::Call(call) => self.retyped_call(call),
            ExprKind::Apply(apply) => self.apply_type(apply),
            ExprKind::Convert(_) => self.type_of(id),
            ExprKind::Error => TypeId::ERROR,
        };
        self.reporter.retract(mark);
        let expr = &mut self.exprs[id];
        expr.kind = kind;
        expr.ty = ty;
    }

    /// The type `ty` of a conditional of collections, as an output when a branch is one: nothing
    /// goes over a union of collections, or knows that one of them is late.
    fn as_late_as(&mut self, ty: TypeId, branches: [ExprId; 2]) -> TypeId {
        let is_late = branches.into_iter().any(|it| self.types.may_be_output(self.exprs[it].ty));
        let resolved = self.types.resolve(ty);
        let is_collection = self.types.collection(resolved).unsupported.is_none();
        if is_late && is_collection { self.types.output(ty) } else { ty }
    }

    /// An output of what is made when one of the arguments is an output, or has outputs as its
    /// parts; otherwise a promise.
    fn apply_type(&mut self, apply: &Apply) -> TypeId {
        let body = self.type_of(apply.body);
        let arguments = apply.arguments.iter();
        let mut types = arguments.map(|&(_, argument)| self.exprs[argument].ty);
        let is_output = |ty| match self.types.get(ty) {
            Type::Promise(_) => false,
            _ => self.types.contains_outputs(ty),
        };
        if types.any(is_output) { self.types.output(body) } else { self.types.promise(body) }
    }
}
