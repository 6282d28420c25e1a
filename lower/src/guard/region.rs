//! The operands in which an expression is strict, and what an expression needs.

use pcl_language::Function;
use pcl_model::TypeId;
use pcl_model::expression::{Call, Checker, ExprId, ExprKind};
use pcl_model::relations::Key;
use pcl_model::scope::DefinitionId;
use pcl_model::types::TypeStore;
use pcl_syntax::ast::BinaryOperator;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{GuardBuilder, Need, keys};
use crate::apply::may_be_null;
use crate::walk;

/// The use of an operand by the expression around it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Usage {
    /// There is no value without it. A list or object that a function takes as one of a type is
    /// strict in its elements, as far as that type is.
    Strict(Option<TypeId>),
    /// It may be null.
    Slot,
    /// A function answers when it fails: nothing in it is guarded.
    Attempted,
}

impl Usage {
    /// Strict, with nothing known about the type.
    pub const STRICT: Self = Self::Strict(None);

    /// The use of an operand without a type of its own inside an expression of this use.
    pub const fn within(self) -> Self {
        match self {
            Self::Attempted => Self::Attempted,
            _ => Self::STRICT,
        }
    }
}

/// Calls `visit` with the operands of `id` and their uses. The kinds that define names, and those
/// that choose between their operands, have rules of their own.
pub(super) fn operands(
    checker: &mut Checker<'_>,
    id: ExprId,
    usage: Usage,
    mut visit: impl FnMut(ExprId, Usage),
) {
    let (exprs, types) = (&*checker.exprs, &mut *checker.types);
    let kind = &exprs[id].kind;
    let wanted = match usage {
        Usage::Attempted => {
            kind.for_each_operand(|operand| visit(operand, Usage::Attempted));
            return;
        }
        Usage::Strict(wanted) => wanted,
        Usage::Slot => None,
    };
    match kind {
        ExprKind::Tuple(elements) => {
            let of = wanted.map_or(Usage::Slot, |ty| element(types, ty, TypeId::NUMBER));
            elements.iter().for_each(|&element| visit(element, of));
        }
        ExprKind::Object(items) => {
            let of = wanted.map_or(Usage::Slot, |ty| element(types, ty, TypeId::STRING));
            for &(key, value) in items {
                visit(key, Usage::STRICT);
                visit(value, of);
            }
        }
        ExprKind::Binary {
            operator: BinaryOperator::Equal | BinaryOperator::NotEqual,
            left,
            right,
        } => {
            visit(*left, Usage::Slot);
            visit(*right, Usage::Slot);
        }
        ExprKind::Call(call) => {
            let attempted = attempted(types, call);
            let is_try = Function::parse(types.name(call.name)) == Some(Function::Try);
            let last = call.arguments.len().saturating_sub(1);
            for (index, &argument) in call.arguments.iter().enumerate() {
                let usage = match call.signature.parameter(index) {
                    _ if index < attempted => Usage::Attempted,
                    _ if is_try => Usage::Slot,
                    Some(parameter) if !(call.expands_last && index == last) => {
                        argument_usage(types, parameter.ty, exprs[argument].ty)
                    }
                    _ => Usage::STRICT,
                };
                visit(argument, usage);
            }
        }
        ExprKind::TemplateJoin(_) | ExprKind::Convert(_) => {
            kind.for_each_operand(|operand| visit(operand, Usage::Strict(wanted)));
        }
        _ => kind.for_each_operand(|operand| visit(operand, Usage::STRICT)),
    }
}

/// The use of an argument of type `own`. That a parameter is of the same type, or of what it
/// resolves to, says nothing.
fn argument_usage(types: &mut TypeStore, parameter: TypeId, own: TypeId) -> Usage {
    if parameter == own || parameter == types.resolve(own) {
        Usage::Strict(Some(parameter))
    } else {
        as_type(types, parameter)
    }
}

/// The use of a value that becomes one of type `ty`.
fn as_type(types: &mut TypeStore, ty: TypeId) -> Usage {
    if ty == TypeId::DYNAMIC || types.assignable(ty, TypeId::NONE) {
        Usage::Slot
    } else {
        Usage::Strict(Some(ty))
    }
}

/// The use of an element of a list or object that becomes one of type `ty`.
fn element(types: &mut TypeStore, ty: TypeId, key: TypeId) -> Usage {
    let reached = types.traverse(ty, &Key::Unknown(key));
    if reached.errors.is_empty() { as_type(types, reached.ty) } else { Usage::Slot }
}

/// The number of arguments, from the first, whose failure a function answers: `try` takes the next
/// one, and `can` is false.
fn attempted(types: &TypeStore, call: &Call) -> usize {
    match Function::parse(types.name(call.name)) {
        Some(Function::Try) => call.arguments.len().saturating_sub(1),
        Some(Function::Can) => call.arguments.len(),
        _ => 0,
    }
}

impl GuardBuilder<'_, '_> {
    /// The values that are not known to be there and without which `root` has no value, in the
    /// order of the expressions. What bodies of applies in it need of their parameters, and the
    /// arguments that they need, is noted.
    pub(super) fn needs(&mut self, root: ExprId) -> Vec<Need> {
        let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
        // The argument and body of each parameter.
        let mut parameters: FxHashMap<DefinitionId, (ExprId, ExprId)> = FxHashMap::default();
        let mut open = vec![(root, Usage::STRICT)];
        while let Some((id, usage)) = open.pop() {
            let start = open.len();
            match &self.checker.exprs[id].kind {
                ExprKind::Traversal(traversal) => {
                    let parameter = traversal.definition.and_then(|name| parameters.get(&name));
                    let body = parameter.map(|&(argument, body)| {
                        if self.strict.insert(argument) {
                            open.push((argument, Usage::STRICT));
                        }
                        body
                    });
                    if let Some(need) = self.need(id)
                        && !self.is_known(&need.path)
                        && seen.insert(need.path.clone())
                    {
                        match body {
                            Some(body) => self.needed.entry(body).or_default().push(need),
                            None => found.push(need),
                        }
                    }
                }
                ExprKind::Apply(apply) => {
                    for &(parameter, argument) in &apply.arguments {
                        parameters.insert(parameter, (argument, apply.body));
                    }
                    open.push((apply.body, Usage::STRICT));
                }
                ExprKind::For(for_expr) => open.push((for_expr.collection, Usage::STRICT)),
                ExprKind::Conditional { condition, .. } => open.push((*condition, Usage::STRICT)),
                ExprKind::Binary {
                    operator: BinaryOperator::And | BinaryOperator::Or,
                    left,
                    ..
                } => open.push((*left, Usage::STRICT)),
                _ => operands(self.checker, id, usage, |operand, usage| {
                    if let Usage::Strict(_) = usage {
                        open.push((operand, usage));
                    }
                }),
            }
            walk::reverse_from(&mut open, start);
        }
        found
    }

    /// The value that must be there for the name and steps `id` to be.
    fn need(&self, id: ExprId) -> Option<Need> {
        let ExprKind::Traversal(traversal) = &self.checker.exprs[id].kind else { return None };
        let definition = self.current(traversal.definition?);
        let (exprs, types) = (&*self.checker.exprs, &*self.checker.types);
        let steps = exprs.steps(traversal.steps);
        let count = if self.nullable.contains(&definition) {
            0
        } else {
            let root = std::iter::once(traversal.root_type);
            let receivers = root.chain(steps.iter().map(|step| step.ty));
            let mut receivers = receivers.take(steps.len()).enumerate();
            // What comes after a null is null anyway, whatever its type.
            let (at, ty) = receivers.find(|&(_, ty)| may_be_null(types, ty))?;
            if !(self.is_optional)(types, ty) {
                return None;
            }
            at
        };
        // The item of a splat has no name to ask about.
        if types.name(traversal.root).is_empty() {
            return None;
        }
        let mut asked = traversal.clone();
        asked.steps = exprs.first_steps(traversal.steps, count);
        Some(Need { path: (definition, keys(exprs.steps(asked.steps))), traversal: asked })
    }
}
