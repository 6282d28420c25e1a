//! The arguments of applies: values that are collected, and the parameters that stand for them.

use pcl_model::TypeId;
use pcl_model::expression::{Apply, Expr, ExprId, ExprKind, Steps, Traversal, TraversalStep};
use pcl_model::relations::Key;
use pcl_model::scope::{Definition, DefinitionId};
use pcl_model::types::Type;
use rustc_hash::FxHashSet;

use super::names::{self, Namer};
use super::{ApplyBuilder, Argument, Context, EnteredExpr, Usage};
use crate::walk;

impl ApplyBuilder<'_, '_> {
    /// Makes `value` an argument of the apply that is to come, and gives its parameter with `rest`
    /// taken from it.
    pub(super) fn collect(
        &mut self,
        value: ExprId,
        rest: Box<[TraversalStep]>,
        node: EnteredExpr,
    ) -> ExprId {
        // The parts of a loop look at what its items hold by themselves.
        let held = self.held(value, !rest.is_empty() || node.usage != Usage::Collection);
        let key = self.key(value, held);
        if let Some(used) = self.known_around(key.as_ref(), value, &rest, node.id) {
            return used;
        }
        let Some(at) = self.context_for(node) else { return value };
        let Some(Context::Collect(collection)) = self.contexts.get(at) else { return value };
        let known = key.as_ref().and_then(|key| collection.known.get(key));
        let index = known.copied().unwrap_or(collection.arguments.len());
        let known = collection.arguments.get(index);
        let known = known.map(|argument| argument.parameter);
        let new = known.is_none().then(|| self.argument(value, held));
        let Some(parameter) = known.or(new.as_ref().map(|argument| argument.parameter)) else {
            return value;
        };
        let use_ = self.parameter(parameter, value, rest, node.id);
        if let Some(Context::Collect(collection)) = self.contexts.get_mut(at) {
            collection.arguments.extend(new);
            if let Some(argument) = collection.arguments.get_mut(index) {
                argument.uses.push(use_);
            }
            collection.known.extend(key.map(|key| (key, index)));
        }
        use_
    }

    /// The parameter for `value` of an apply around the branch that the current context belongs to.
    pub(super) fn known_around(
        &mut self,
        key: Option<&(DefinitionId, Vec<Key>, TypeId)>,
        value: ExprId,
        rest: &[TraversalStep],
        before: ExprId,
    ) -> Option<ExprId> {
        let key = key.filter(|_| self.options.is_exact)?;
        let mut at = self.contexts.len().checked_sub(1)?;
        loop {
            let Some(Context::Collect(collection)) = self.contexts.get(at) else { return None };
            let Some(&index) = collection.known.get(key) else {
                // What is in a branch is in the body of the apply around it.
                at = at.checked_sub(1).filter(|_| collection.is_branch)?;
                continue;
            };
            let parameter = collection.arguments.get(index)?.parameter;
            let used = self.parameter(parameter, value, Box::from(rest), before);
            if let Some(Context::Collect(collection)) = self.contexts.get_mut(at)
                && let Some(argument) = collection.arguments.get_mut(index)
            {
                argument.uses.push(used);
            }
            return Some(used);
        }
    }

    /// The context that collects what was found in `node`: that of the innermost loop on whose
    /// variables it depends, or the one around the loops.
    fn context_for(&self, node: EnteredExpr) -> Option<usize> {
        let contexts = self.contexts.iter().enumerate().rev();
        for (at, context) in contexts {
            let Context::Collect(collection) = context else { return None };
            let depends = |index: usize| {
                let around = self.loops.get(index);
                around.is_some_and(|around| around.last_use >= node.entered)
            };
            if collection.part_of.is_none_or(depends) {
                return Some(at);
            }
        }
        None
    }

    /// The type of what an eventual value holds, without anything eventual in it if `deep`.
    pub(super) fn held(&mut self, value: ExprId, deep: bool) -> TypeId {
        let own = self.checker.exprs[value].ty;
        let ty = self.content(value).unwrap_or(own);
        let types = &mut *self.checker.types;
        // What is known of an instance are its outputs.
        let are_instances =
            matches!(types.get(own), Type::Output(_)) && types.contains_eventuals(ty);
        if deep && !are_instances { types.resolve(ty) } else { ty }
    }

    /// The key by which two arguments are the same: the name, the steps, and the type inside.
    pub(super) fn key(
        &self,
        value: ExprId,
        held: TypeId,
    ) -> Option<(DefinitionId, Vec<Key>, TypeId)> {
        let ExprKind::Traversal(traversal) = &self.checker.exprs[value].kind else { return None };
        let steps = self.checker.exprs.steps(traversal.steps).iter();
        let keys = steps.map(|step| step.key.clone());
        Some((traversal.definition?, keys.collect(), held))
    }

    /// A new argument, whose parameter is of type `held`.
    pub(super) fn argument(&mut self, expr: ExprId, held: TypeId) -> Argument {
        let name = self.checker.types.symbol("");
        let definition = Definition::variable(name, held);
        Argument {
            expr,
            parameter: self.checker.scopes.define_anonymous(definition),
            uses: Vec::new(),
        }
    }

    /// The parameter for `value`, with steps from it, in the place of `before`.
    pub(super) fn parameter(
        &mut self,
        parameter: DefinitionId,
        value: ExprId,
        mut steps: Box<[TraversalStep]>,
        before: ExprId,
    ) -> ExprId {
        let Definition { name, ty, .. } = *self.checker.scopes.definition(parameter);
        let traversal = Traversal {
            root: name,
            root_range: self.checker.exprs[value].range,
            root_type: ty,
            definition: Some(parameter),
            steps: Steps::default(),
        };
        let ty = self.checker.retype_steps(ty, &mut steps);
        let steps = self.checker.exprs.add_steps(steps);
        let kind = ExprKind::Traversal(Traversal { steps, ..traversal });
        let Expr { file, range, node, .. } = self.checker.exprs[before];
        self.checker.exprs.push(Expr { kind, ty, file, range, node })
    }

    /// The apply of `arguments` with `body`. Only now is it known how the parameters can be called.
    pub(super) fn close(&mut self, arguments: Vec<Argument>, body: ExprId) -> ExprId {
        let parameters: FxHashSet<DefinitionId> =
            arguments.iter().map(|argument| argument.parameter).collect();
        let (exprs, scopes) = (&*self.checker.exprs, &*self.checker.scopes);
        let taken = names::taken(exprs, scopes, body, &parameters);
        let values: Vec<ExprId> = arguments.iter().map(|argument| argument.expr).collect();
        let names = Namer { exprs, types: self.checker.types, scopes, format: self.options.format }
            .assign(&values, &taken);
        for (argument, name) in arguments.iter().zip(names) {
            self.checker.scopes.set_name(argument.parameter, name);
            for &used in &argument.uses {
                if let ExprKind::Traversal(traversal) = &mut self.checker.exprs[used].kind {
                    traversal.root = name;
                }
            }
        }
        let pairs = arguments.into_iter().map(|argument| (argument.parameter, argument.expr));
        let apply = Apply { arguments: pairs.collect(), body };
        walk::in_place_of(self.checker, body, ExprKind::Apply(Box::new(apply)))
    }
}
