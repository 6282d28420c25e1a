//! Loops whose keys or conditions are eventual. What such a loop makes depends on them, so they are
//! computed first, by loops of their own, and the loop itself takes them from the results. See
//! `tests/spec/lowering/apply.md`.

use pcl_model::TypeId;
use pcl_model::expression::{Apply, Checker, CollectionUse, ExprId, ExprKind, For};
use pcl_model::scope::{Definition, DefinitionId, ScopeId};
use rustc_hash::FxHashSet;

use super::{Applies, content, names};
use crate::walk::{self, Replaced};

/// `root` with every such loop rewritten.
pub(super) fn prepared(
    checker: &mut Checker<'_>,
    scope: ScopeId,
    root: ExprId,
    options: &Applies,
) -> ExprId {
    let mut subtree = checker.exprs.subtree(root);
    if !subtree.any(|id| matches!(checker.exprs[id].kind, ExprKind::For(_))) {
        return root;
    }
    walk::replace_all(checker, scope, root, |checker, id| known_parts(checker, scope, id, options))
}

/// The expression `id`, rewritten if it is such a loop.
pub(super) fn known_parts(
    checker: &mut Checker<'_>,
    scope: ScopeId,
    id: ExprId,
    options: &Applies,
) -> ExprId {
    let ExprKind::For(for_expr) = &checker.exprs[id].kind else { return id };
    let [key, condition] = [for_expr.key, for_expr.condition].map(|part| {
        part.filter(|&part| {
            let ty = checker.exprs[part].ty;
            content(checker.types, ty, options).is_some()
        })
    });
    if key.is_none() && condition.is_none() {
        return id;
    }
    let for_expr = For::clone(for_expr);
    let mut known = KnownParts { checker, scope, id, for_expr, arguments: Vec::new() };
    if let Some(key) = key {
        known.for_expr.key = Some(known.part(key, "keys"));
    }
    if let Some(condition) = condition {
        known.for_expr.condition = Some(known.part(condition, "conditions"));
    }
    known.finish()
}

/// A loop that is being rewritten.
struct KnownParts<'c, 'a> {
    checker: &'c mut Checker<'a>,
    scope: ScopeId,
    /// The loop as it was.
    id: ExprId,
    for_expr: For,
    arguments: Vec<(DefinitionId, ExprId)>,
}

impl KnownParts<'_, '_> {
    /// The known value of a key or condition in a round of the loop.
    fn part(&mut self, part: ExprId, name: &str) -> ExprId {
        let variables = [self.for_expr.key_variable, self.for_expr.value_variable];
        let (checker, mut subtree) = (&*self.checker, self.checker.exprs.subtree(part));
        let depends = subtree.any(|id| match &checker.exprs[id].kind {
            ExprKind::Traversal(traversal) => {
                variables.into_iter().flatten().any(|it| traversal.definition == Some(it))
            }
            _ => false,
        });
        if !depends {
            return self.argument(part, name.trim_end_matches('s'), part);
        }
        let all = self.of_all_rounds(part);
        let all = self.argument(all, name, part);
        let key = self.key_variable();
        let key = walk::reference(self.checker, key, part);
        let element = ExprKind::Index { collection: all, key };
        walk::in_place_of(self.checker, part, element)
    }

    /// A loop that makes `part` of every round: a list, or a map for a collection with keys.
    fn of_all_rounds(&mut self, part: ExprId) -> ExprId {
        let is_keyed = self.key_type() == TypeId::STRING;
        if is_keyed {
            self.key_variable();
        }
        let mut replaced = Replaced::default();
        let mut fresh = |variable: Option<DefinitionId>| {
            let variable = variable?;
            let definition = self.checker.scopes.definition(variable).clone();
            let new = self.checker.scopes.define_anonymous(definition);
            replaced.insert(variable, new);
            Some(new)
        };
        let key_variable = fresh(self.for_expr.key_variable);
        let value_variable = fresh(self.for_expr.value_variable);
        let value = walk::substitute(self.checker, self.scope, part, &mut replaced);
        let key = match key_variable {
            Some(variable) if is_keyed => Some(walk::reference(self.checker, variable, part)),
            _ => None,
        };
        let collection = self.for_expr.collection;
        let all = For {
            key_variable,
            value_variable,
            collection,
            key,
            value,
            condition: None,
            groups: false,
        };
        walk::in_place_of(self.checker, part, ExprKind::For(Box::new(all)))
    }

    fn key_type(&mut self) -> TypeId {
        let collection = self.checker.exprs[self.for_expr.collection].clone();
        let mark = self.checker.reporter.mark();
        let ty = self.checker.types.resolve(collection.ty);
        let (key, _) = self.checker.collection(ty, collection.range, CollectionUse::Loop);
        self.checker.reporter.retract(mark);
        key
    }

    /// The variable for the keys or positions of the loop, which it may not have had.
    fn key_variable(&mut self) -> DefinitionId {
        if let Some(variable) = self.for_expr.key_variable {
            return variable;
        }
        let ty = self.key_type();
        let name = if ty == TypeId::STRING { "key" } else { "index" };
        let name = self.free_name(name);
        let name = self.checker.types.symbol(&name);
        let variable = self.checker.scopes.define_anonymous(Definition::variable(name, ty));
        self.for_expr.key_variable = Some(variable);
        variable
    }

    /// Makes `value` an argument. Returns a reference to its parameter in the place of `before`.
    fn argument(&mut self, value: ExprId, name: &str, before: ExprId) -> ExprId {
        let name = self.free_name(name);
        let name = self.checker.types.symbol(&name);
        let ty = self.checker.exprs[value].ty;
        let ty = self.checker.types.resolve(ty);
        let parameter = self.checker.scopes.define_anonymous(Definition::variable(name, ty));
        self.arguments.push((parameter, value));
        walk::reference(self.checker, parameter, before)
    }

    /// A name like `wish` that nothing in the loop and no other parameter has.
    fn free_name(&self, wish: &str) -> String {
        let (exprs, scopes) = (&*self.checker.exprs, &*self.checker.scopes);
        let taken = names::taken(exprs, scopes, self.id, &FxHashSet::default());
        let mut used: FxHashSet<&str> =
            taken.iter().map(|&name| self.checker.types.name(name)).collect();
        let own = [self.for_expr.key_variable, self.for_expr.value_variable].into_iter().flatten();
        let own = own.chain(self.arguments.iter().map(|(parameter, _)| *parameter));
        used.extend(own.map(|it| self.checker.types.name(scopes.definition(it).name)));
        let mut name = wish.to_owned();
        let mut number = 0;
        while used.contains(&*name) {
            number += 1;
            name = format!("{wish}{number}");
        }
        name
    }

    /// The apply of what is computed first with the loop.
    fn finish(self) -> ExprId {
        let Self { checker, id, for_expr, arguments, .. } = self;
        let body = walk::in_place_of(checker, id, ExprKind::For(Box::new(for_expr)));
        let apply = Apply { arguments: arguments.into(), body };
        walk::in_place_of(checker, id, ExprKind::Apply(Box::new(apply)))
    }
}
