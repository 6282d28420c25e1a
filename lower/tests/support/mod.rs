//! Laws of every expression, lowered or not.

#![allow(dead_code, reason = "each test program uses a part of this")]

pub mod case;

use pcl_diagnostics::{FileId, Policy, Reporter};
use pcl_model::expression::{Checker, ExprArena, ExprId, ExprKind, Names, print};
use pcl_model::scope::{DefinitionId, Scopes};
use pcl_model::types::{Symbol, TypeStore};

/// An expression with all that belongs to it.
pub struct World<'a> {
    pub types: &'a mut TypeStore,
    pub scopes: &'a mut Scopes,
    pub exprs: &'a mut ExprArena,
    pub policy: Policy,
}

impl World<'_> {
    /// The violations of the laws in `root`.
    pub fn complaints(&mut self, root: ExprId) -> Vec<String> {
        let mut wrong = self.meaning(root);
        self.places(root, &mut wrong);
        wrong
    }

    /// The violations of the laws in `root`, regardless of where its parts are stored.
    pub fn meaning(&mut self, root: ExprId) -> Vec<String> {
        let mut wrong = Vec::new();
        self.types(root, &mut wrong);
        self.names(root, &mut wrong);
        if !wrong.is_empty() {
            wrong.push(print(root, self.exprs, self.types, self.scopes));
        }
        wrong
    }

    /// Every expression has the type that follows from its operands.
    fn types(&mut self, root: ExprId, wrong: &mut Vec<String>) {
        for id in all(self.exprs, root) {
            let before = self.exprs[id].clone();
            let mut reporter = Reporter::new(self.policy.clone());
            let mut checker = Checker {
                types: self.types,
                scopes: self.scopes,
                exprs: self.exprs,
                reporter: &mut reporter,
                names: Names::Values,
                own: None,
                file: FileId(0),
            };
            checker.retype(id);
            let (was, is) = (before.ty, self.exprs[id].ty);
            self.exprs[id] = before;
            // A call whose arguments were converted gives what it gave before, eventual or not.
            let is_call = matches!(self.exprs[id].kind, ExprKind::Call(_));
            let same = was == is || is_call && self.types.resolve(was) == self.types.resolve(is);
            if !same {
                let [was, is] = [was, is].map(|ty| self.types.pretty(ty));
                let text = print(id, self.exprs, self.types, self.scopes);
                wrong.push(format!("`{text}` has the type {was}, not {is}"));
            }
        }
    }

    /// The parts of an expression are contiguous and end with it.
    fn places(&self, root: ExprId, wrong: &mut Vec<String>) {
        let mut parts = all(self.exprs, root);
        parts.sort_unstable();
        if parts != self.exprs.subtree(root).collect::<Vec<_>>() {
            wrong.push("the parts are not one stretch".to_owned());
        }
    }

    /// Every name resolves to its target at its place.
    fn names(&self, root: ExprId, wrong: &mut Vec<String>) {
        enum Task {
            Enter(ExprId),
            Bind(DefinitionId),
            Unbind,
        }
        let name = |id: DefinitionId| self.scopes.definition(id).name;
        let mut around: Vec<DefinitionId> = Vec::new();
        let mut local: Vec<DefinitionId> = Vec::new();
        let mut tasks = vec![Task::Enter(root)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Bind(definition) => {
                    around.push(definition);
                    local.push(definition);
                }
                Task::Unbind => _ = around.pop(),
                Task::Enter(id) => match &self.exprs[id].kind {
                    ExprKind::Traversal(traversal) => {
                        let Some(definition) = traversal.definition else { continue };
                        let meant = around.iter().rev().find(|&&d| name(d) == traversal.root);
                        let is_local = around.contains(&definition);
                        let right = match meant {
                            Some(&meant) => meant == definition,
                            None => !is_local,
                        };
                        if !right || traversal.root != name(definition) {
                            let text = self.text(traversal.root);
                            wrong.push(format!("`{text}` is captured"));
                        }
                    }
                    ExprKind::For(for_expr) => {
                        let variables = [for_expr.key_variable, for_expr.value_variable];
                        let variables: Vec<_> = variables.into_iter().flatten().collect();
                        let parts = [for_expr.key, Some(for_expr.value), for_expr.condition];
                        tasks.extend(variables.iter().map(|_| Task::Unbind));
                        tasks.extend(parts.into_iter().flatten().map(Task::Enter));
                        tasks.extend(variables.into_iter().map(Task::Bind));
                        tasks.push(Task::Enter(for_expr.collection));
                    }
                    ExprKind::Splat(splat) => {
                        tasks.push(Task::Unbind);
                        tasks.push(Task::Enter(splat.each));
                        tasks.push(Task::Bind(splat.item));
                        tasks.push(Task::Enter(splat.source));
                    }
                    ExprKind::Apply(apply) => {
                        for &(parameter, argument) in &apply.arguments {
                            tasks.push(Task::Enter(argument));
                            if !pcl_syntax::is_identifier(&self.text(name(parameter))) {
                                wrong.push(format!("`{}` is no name", self.text(name(parameter))));
                            }
                        }
                        // The arguments come first: the body is pushed below them.
                        let arguments = tasks.len() - apply.arguments.len();
                        let body = apply.arguments.iter().map(|_| Task::Unbind);
                        let body: Vec<Task> = body
                            .chain([Task::Enter(apply.body)])
                            .chain(apply.arguments.iter().map(|&(p, _)| Task::Bind(p)))
                            .collect();
                        tasks.splice(arguments..arguments, body);
                    }
                    kind => kind.for_each_operand(|operand| tasks.push(Task::Enter(operand))),
                },
            }
        }
    }

    fn text(&self, name: Symbol) -> String {
        self.types.name(name).to_owned()
    }
}

/// Every expression that belongs to `root`.
fn all(exprs: &ExprArena, root: ExprId) -> Vec<ExprId> {
    let mut found = vec![root];
    let mut at = 0;
    while let Some(&id) = found.get(at) {
        exprs[id].kind.for_each_operand(|operand| found.push(operand));
        at += 1;
    }
    found
}

/// The expressions of a stretch of the arena that are part of no other.
pub fn outermost(exprs: &ExprArena, stretch: std::ops::Range<u32>) -> Vec<ExprId> {
    let ids: Vec<ExprId> = exprs.range(stretch).map(|(id, _)| id).collect();
    let mut ids = &*ids;
    let mut found = Vec::new();
    while let Some(&last) = ids.last() {
        found.push(last);
        ids = &ids[..ids.len() - exprs.subtree(last).count()];
    }
    found
}
