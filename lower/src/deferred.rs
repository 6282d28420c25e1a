//! Components that need each other. See `tests/spec/lowering/deferred.md`.
//!
//! - What the earlier one takes from the later one comes through a variable that gets its value
//!   once the later one is there.
//! - The one that was bound first refers to the other one with the type `dynamic`, as in Pulumi:
//!   the outputs of the other one were not known yet. They are known now.

use std::sync::Arc;

use pcl_binder::{DeferredOutput, Module, NodeId, NodeKind};
use pcl_model::expression::{Checker, ExprArena, ExprId, ExprKind, Traversal};
use pcl_model::relations::Key;
use pcl_model::scope::{Definition, DefinitionId, DefinitionKind};
use pcl_model::types::TypeStore;
use pcl_model::value::Constant;
use pcl_syntax::capitalized;
use rustc_hash::FxHashMap;

use crate::apply::identifier;
use crate::program::{Pass, ValuePlace, ValueSlot};
use crate::walk;

/// The variables of one module.
#[derive(Default)]
pub(crate) struct Deferred {
    /// The names that are taken, with how many were made of each.
    names: FxHashMap<Arc<str>, usize>,
    /// The variables created for the current component.
    found: Vec<DeferredOutput>,
    /// Those for single outputs, by their targets.
    known: FxHashMap<(Option<DefinitionId>, Vec<Key>), DefinitionId>,
}

impl Pass for Deferred {
    fn enter(&mut self, module: &Module) {
        let names = module.nodes.iter().map(|node| (Arc::clone(&node.name), 0));
        self.names = names.collect();
    }

    fn value(&mut self, checker: &mut Checker<'_>, place: &ValuePlace<'_>, id: ExprId) -> ExprId {
        if place.module.node(place.node).kind != NodeKind::Component {
            return id;
        }
        let id = with_types_of_components(checker, place.module, id);
        match place.slot {
            ValueSlot::Input(_) => self.input(checker, place.module, place.node, id),
            _ => id,
        }
    }

    fn deferred(&mut self) -> Vec<DeferredOutput> {
        self.known.clear();
        std::mem::take(&mut self.found)
    }
}

impl Deferred {
    /// The input `root` of the component `node`, with variables for what comes from components that
    /// come later.
    fn input(
        &mut self,
        checker: &mut Checker<'_>,
        module: &Module,
        node: NodeId,
        root: ExprId,
    ) -> ExprId {
        let later = |checker: &Checker<'_>, id: ExprId| match &checker.exprs[id].kind {
            ExprKind::Traversal(traversal) => later(checker, module, node, traversal),
            _ => None,
        };
        let over = |checker: &Checker<'_>, id: ExprId| match &checker.exprs[id].kind {
            ExprKind::For(for_expr) => later(checker, for_expr.collection),
            _ => None,
        };
        walk::replace_until(
            checker,
            module.root,
            root,
            |checker, id| over(checker, id).is_some(),
            |checker, id| {
                if let Some(component) = over(checker, id) {
                    let name = &module.node(component).name;
                    let name = format!("loopingOver{}", capitalized(name));
                    let made = self.variable(checker, name, component, id);
                    return walk::reference(checker, made, id);
                }
                match (&checker.exprs[id].kind, later(checker, id)) {
                    (ExprKind::Traversal(traversal), Some(component)) => {
                        let steps = checker.exprs.steps(traversal.steps).iter();
                        let keys = steps.map(|step| step.key.clone());
                        let key = (traversal.definition, keys.collect());
                        let name = path_name(checker.types, checker.exprs, traversal);
                        let known = self.known.get(&key).copied();
                        let made =
                            known.unwrap_or_else(|| self.variable(checker, name, component, id));
                        self.known.insert(key, made);
                        walk::reference(checker, made, id)
                    }
                    _ => id,
                }
            },
        )
    }

    /// A new variable that gets the value of `value`.
    fn variable(
        &mut self,
        checker: &mut Checker<'_>,
        wish: String,
        component: NodeId,
        value: ExprId,
    ) -> DefinitionId {
        let mut name = identifier(&wish);
        if let Some(count) = self.names.get(&*name).copied() {
            let mut count = count;
            let base = name.clone();
            while self.names.contains_key(&*name) {
                count += 1;
                name = format!("{base}{count}");
            }
            self.names.insert(base.into(), count);
        }
        self.names.insert(name.as_str().into(), 0);
        let ty = checker.type_of(value);
        let ty = checker.types.output(ty);
        let root = checker.types.symbol(&name);
        let definition = checker.scopes.define_anonymous(Definition::variable(root, ty));
        self.found.push(DeferredOutput { name, definition, component, value });
        definition
    }
}

/// `root` with references to components that have the types of these components.
fn with_types_of_components(checker: &mut Checker<'_>, module: &Module, root: ExprId) -> ExprId {
    let mut subtree = checker.exprs.subtree(root);
    if !subtree.any(|id| outdated(checker, module, id).is_some()) {
        return root;
    }
    walk::replace_all(checker, module.root, root, |checker, id| {
        let Some((traversal, definition)) = outdated(checker, module, id) else { return id };
        let traversal = Traversal { root_type: definition.ty, ..traversal.clone() };
        walk::in_place_of(checker, id, ExprKind::Traversal(traversal))
    })
}

/// The reference `id` to a component and the definition of the component, if the reference does
/// not have the type of the definition.
fn outdated<'a>(
    checker: &'a Checker<'_>,
    module: &Module,
    id: ExprId,
) -> Option<(&'a Traversal, &'a Definition)> {
    let ExprKind::Traversal(traversal) = &checker.exprs[id].kind else { return None };
    let (_, definition) = component(checker, module, traversal)?;
    (definition.ty != traversal.root_type).then_some((traversal, definition))
}

/// The component that a traversal starts from.
fn component<'a>(
    checker: &'a Checker<'_>,
    module: &Module,
    traversal: &Traversal,
) -> Option<(NodeId, &'a Definition)> {
    let definition = checker.scopes.definition(traversal.definition?);
    let DefinitionKind::Node(index) = definition.kind else { return None };
    let found = module.nodes.get(index as usize)?;
    (found.kind == NodeKind::Component).then_some((NodeId(index), definition))
}

/// The component that a traversal starts from, if it needs `node`, is needed by it and comes later.
fn later(
    checker: &Checker<'_>,
    module: &Module,
    node: NodeId,
    traversal: &Traversal,
) -> Option<NodeId> {
    let (other, _) = component(checker, module, traversal)?;
    let needs = |from, to| module.dependencies(from).contains(to);
    let needs_each_other = needs(other, &node) && needs(node, &other);
    (other > node && needs_each_other).then_some(other)
}

/// `second.passwords[0].length` gives `secondPasswordsAt0Length`.
fn path_name(types: &TypeStore, exprs: &ExprArena, traversal: &Traversal) -> String {
    let mut name = types.name(traversal.root).to_owned();
    for step in exprs.steps(traversal.steps) {
        match &step.key {
            Key::Name(part) => name.push_str(&capitalized(types.name(*part))),
            Key::Constant(Constant::String(key)) => {
                name.push_str("At");
                name.push_str(&capitalized(key));
            }
            Key::Constant(key) => name.push_str(&format!("At{key}")),
            Key::Unknown(_) => {}
        }
    }
    name
}
