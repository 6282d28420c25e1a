//! The use that an expression makes of eventual values: it needs their content, or only passes them
//! on.
//!
//! An expression *observes* if it cannot be computed before an eventual value in it is known. It
//! *inspects* if it takes eventual values as they are: then its operands are analysed separately,
//! regardless of the use of the result.

use pcl_language::Function;
use pcl_model::TypeId;
use pcl_model::expression::{Call, ExprArena, ExprId, ExprKind, Splat, TraversalStep};
use pcl_model::functions::Signature;
use pcl_model::relations::Key;
use pcl_model::types::{Type, TypeStore};
use pcl_model::value::Constant;
use pcl_syntax::ast::{BinaryOperator, UnaryOperator};

use super::{Applies, Usage, may_be_null};
use crate::functions::{self, Takes};

/// The type inside an eventual value of type `ty`; `None` when `ty` is not eventual itself. A union
/// is eventual when a member is.
pub(crate) fn content(types: &mut TypeStore, ty: TypeId, options: &Applies) -> Option<TypeId> {
    let of_one = |types: &TypeStore, ty: TypeId| match types.get(ty) {
        Type::Output(element) => Some(*element),
        Type::Promise(element) if options.promises => Some(*element),
        _ => None,
    };
    let Type::Union(members) = types.get(ty) else { return of_one(types, ty) };
    let mut is_eventual = false;
    let members: Vec<TypeId> = members
        .iter()
        .map(|&member| {
            let content = of_one(types, member);
            is_eventual |= content.is_some();
            content.unwrap_or(member)
        })
        .collect();
    is_eventual.then(|| types.union(members))
}

/// Answers for the expressions of one arena.
pub(super) struct Look<'a> {
    pub types: &'a mut TypeStore,
    pub exprs: &'a ExprArena,
    pub options: &'a Applies,
}

impl<'a> Look<'a> {
    fn kind(&self, id: ExprId) -> &'a ExprKind {
        &self.exprs[id].kind
    }

    fn is_eventual(&mut self, ty: TypeId) -> bool {
        content(self.types, ty, self.options).is_some()
    }

    /// Returns whether there is an eventual value in `id`, at any depth.
    fn holds(&mut self, id: ExprId) -> bool {
        self.types.contains_eventuals(self.exprs[id].ty)
    }

    /// Returns whether there is an eventual value below the top of `ty`.
    pub fn holds_below(&mut self, ty: TypeId) -> bool {
        let inner = content(self.types, ty, self.options).unwrap_or(ty);
        self.types.contains_eventuals(inner)
    }

    /// Returns whether `id` holds eventual values without being one.
    pub fn only_holds(&mut self, id: ExprId) -> bool {
        !self.is_eventual(self.exprs[id].ty) && self.holds(id)
    }

    /// Returns whether `id` holds eventual values that no expression in it stands for.
    pub fn is_opaque(&mut self, id: ExprId) -> bool {
        match self.kind(id) {
            ExprKind::Tuple(_) | ExprKind::Object(_) => false,
            ExprKind::For(for_expr) => self.holds(for_expr.value),
            ExprKind::Splat(splat) => self.holds(splat.each),
            _ => self.only_holds(id),
        }
    }

    /// Returns whether a condition needs the content of eventual values. The existence of a
    /// resource is known, whatever its properties are.
    fn asks(&mut self, condition: ExprId) -> bool {
        let mut open = vec![condition];
        while let Some(id) = open.pop() {
            match self.kind(id) {
                ExprKind::Unary { operator: UnaryOperator::Not, operand } => open.push(*operand),
                ExprKind::Binary {
                    operator: BinaryOperator::And | BinaryOperator::Or,
                    left,
                    right,
                } => open.extend([*left, *right]),
                _ if self.asks_for_null(id) => {}
                _ if self.holds(id) => return true,
                _ => {}
            }
        }
        false
    }

    /// Returns whether `id` is a comparison with null of what is not eventual itself.
    pub fn asks_for_null(&mut self, id: ExprId) -> bool {
        let &ExprKind::Binary {
            operator: BinaryOperator::Equal | BinaryOperator::NotEqual,
            left,
            right,
        } = self.kind(id)
        else {
            return false;
        };
        let is_null = |id| matches!(self.kind(id), ExprKind::Literal(Constant::Null));
        let other = match (is_null(left), is_null(right)) {
            (true, _) => right,
            (_, true) => left,
            _ => return false,
        };
        !self.is_eventual(self.exprs[other].ty)
    }

    /// The type of what a splat goes over.
    fn source_type(&self, splat: &Splat) -> TypeId {
        let source = self.exprs.wrapped_alone(splat.source);
        self.exprs[source.unwrap_or(splat.source)].ty
    }

    /// Returns whether `id` takes eventual values as they are.
    pub fn inspects(&mut self, id: ExprId) -> bool {
        let ty = self.exprs[id].ty;
        match self.kind(id) {
            ExprKind::Conditional { if_true, if_false, .. } => {
                self.holds(*if_true) || self.holds(*if_false)
            }
            ExprKind::For(for_expr) => self.holds_below(self.exprs[for_expr.collection].ty),
            ExprKind::Splat(splat) => self.holds_below(self.source_type(splat)),
            ExprKind::Index { collection, .. } => self.only_holds(*collection),
            // What the function of the target language gives is one eventual value.
            ExprKind::Call(call) if self.is_skipped(call) => {
                self.options.is_exact && self.is_eventual(ty)
            }
            ExprKind::Call(call) => self.is_eventual(ty) || self.arguments(call).any_taken,
            ExprKind::Apply(_) => true,
            ExprKind::Convert(value) => self.is_eventual(ty) || self.holds(*value),
            ExprKind::Binary { operator, right, .. } if is_lazy(*operator) => {
                self.options.is_exact && self.holds(*right) && self.may_fail(*right)
            }
            ExprKind::Binary { .. } => self.asks_for_null(id),
            _ => false,
        }
    }

    /// Returns whether `id` needs what is in an eventual value.
    pub fn observes(&mut self, id: ExprId) -> bool {
        let ty = self.exprs[id].ty;
        // The type of a step that leads nowhere is lost, but not that of its start.
        let is_lost = ty == TypeId::ERROR;
        if !is_lost && !self.is_eventual(ty) {
            return false;
        }
        match self.kind(id) {
            ExprKind::Traversal(traversal) => {
                self.any_before_last(traversal.root_type, self.exprs.steps(traversal.steps))
            }
            ExprKind::RelativeTraversal { source, steps } => {
                self.any_before_last(self.exprs[*source].ty, self.exprs.steps(*steps))
            }
            _ if is_lost => false,
            ExprKind::Literal(_) | ExprKind::Apply(_) | ExprKind::Convert(_) | ExprKind::Error => {
                false
            }
            ExprKind::Conditional { condition, .. } => self.asks(*condition),
            ExprKind::For(for_expr) => self.is_eventual(self.exprs[for_expr.collection].ty),
            ExprKind::Splat(splat) => self.is_eventual(self.source_type(splat)),
            ExprKind::Index { collection, key } => {
                self.is_eventual(self.exprs[*collection].ty) || self.holds(*key)
            }
            ExprKind::Call(call) => !self.is_skipped(call) && self.arguments(call).any_not_taken,
            ExprKind::Binary { .. } => !self.asks_for_null(id),
            ExprKind::Template(_)
            | ExprKind::TemplateJoin(_)
            | ExprKind::Unary { .. }
            | ExprKind::Tuple(_)
            | ExprKind::Object(_) => true,
        }
    }

    /// The use that `id` makes of its first operand, and of the others.
    pub fn usages(&mut self, id: ExprId) -> [Usage; 2] {
        if !self.options.is_exact {
            return [Usage::Operand; 2];
        }
        match self.kind(id) {
            ExprKind::Conditional { .. } => [Usage::Operand, Usage::Branch],
            ExprKind::Binary { operator, right, .. } if is_lazy(*operator) => {
                let is_safe = !self.may_fail(*right);
                [Usage::Operand, if is_safe { Usage::Operand } else { Usage::Branch }]
            }
            ExprKind::Binary { .. } if !self.asks_for_null(id) => [Usage::Whole; 2],
            ExprKind::Call(call) if self.takes(call) == Some(Takes::Known) => [Usage::Whole; 2],
            _ => [Usage::Operand; 2],
        }
    }

    /// Returns whether `id` may fail where it is not needed: it calls a function, or takes a part
    /// out of what may not have it.
    fn may_fail(&self, id: ExprId) -> bool {
        let may_lack = |start: TypeId, steps: &[TraversalStep]| {
            let sources = [start].into_iter().chain(steps.iter().map(|step| step.ty));
            let mut steps = sources.zip(steps);
            steps.any(|(source, step)| {
                !matches!(step.key, Key::Name(_)) || may_be_null(self.types, source)
            })
        };
        self.exprs.subtree(id).any(|part| match self.kind(part) {
            ExprKind::Index { .. } | ExprKind::Call(_) | ExprKind::Splat(_) => true,
            ExprKind::Traversal(traversal) => {
                may_lack(traversal.root_type, self.exprs.steps(traversal.steps))
            }
            ExprKind::RelativeTraversal { source, steps } => {
                may_lack(self.exprs[*source].ty, self.exprs.steps(*steps))
            }
            _ => false,
        })
    }

    /// The values that a function takes in a language without eventual ones, if it has a rule.
    fn takes(&self, call: &Call) -> Option<Takes> {
        if !self.options.is_exact {
            return None;
        }
        functions::takes(self.types.name(call.name))
    }

    /// Returns whether a part of a traversal is eventual, other than its last.
    fn any_before_last(&mut self, root: TypeId, steps: &[TraversalStep]) -> bool {
        let Some((_, before)) = steps.split_last() else { return false };
        self.is_eventual(root) || before.iter().any(|step| self.is_eventual(step.ty))
    }

    fn is_skipped(&self, call: &Call) -> bool {
        self.options.skip_to_json
            && Function::parse(self.types.name(call.name)) == Some(Function::ToJson)
    }

    /// The use that a call makes of those of its arguments that hold eventual values.
    fn arguments(&mut self, call: &Call) -> Arguments {
        let mut found = Arguments::default();
        let last = call.arguments.len().saturating_sub(1);
        for (index, &argument) in call.arguments.iter().enumerate() {
            if !self.holds(argument) {
                continue;
            }
            let ty = self.exprs[argument].ty;
            let rule = self.takes(call);
            let taken = if let Some(rule) = rule {
                rule == Takes::Top && !self.is_eventual(ty)
            } else if call.expands_last && index == last {
                let elements = self.spread(ty);
                let mut elements = elements.into_iter().enumerate();
                elements.all(|(at, ty)| self.accepts(&call.signature, index + at, ty))
            } else {
                self.accepts(&call.signature, index, ty)
            };
            found.any_taken |= taken;
            found.any_not_taken |= !taken;
        }
        found
    }

    /// The elements of a collection followed by `...`; an eventual one has none before it is known.
    fn spread(&self, ty: TypeId) -> Vec<TypeId> {
        match self.types.get(ty) {
            Type::Tuple(elements) => elements.to_vec(),
            Type::List(element) | Type::Set(element) => vec![*element],
            _ => vec![ty],
        }
    }

    /// Returns whether a parameter takes a value of type `ty` as it is.
    fn accepts(&mut self, signature: &Signature, index: usize, ty: TypeId) -> bool {
        if !self.types.contains_eventuals(ty) {
            return true;
        }
        let Some(parameter) = signature.parameter(index) else { return false };
        let takes = |types: &mut TypeStore, member: TypeId| {
            member != TypeId::DYNAMIC && types.convert(member, ty).exists()
        };
        let Type::Union(members) = self.types.get(parameter.ty).clone() else {
            return takes(self.types, parameter.ty);
        };
        members.iter().any(|&member| takes(self.types, member))
    }
}

/// Returns whether an operator may not need its right operand.
const fn is_lazy(operator: BinaryOperator) -> bool {
    matches!(operator, BinaryOperator::And | BinaryOperator::Or)
}

#[derive(Default)]
struct Arguments {
    /// True when a parameter takes one as it is.
    any_taken: bool,
    /// True when a parameter takes one only once what is eventual in it is known.
    any_not_taken: bool,
}
