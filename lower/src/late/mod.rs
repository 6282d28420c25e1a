//! Values that a program has at once, and that its translation gets later. See
//! `tests/spec/lowering/late.md`.
//!
//! The types of declarations decide what is late, for this pass and for all that follow: the
//! declaration of a late value becomes an output, and what refers to it is typed again, so that
//! [`applies`](crate::applies) treats it as any other output.

mod needed;

use pcl_binder::{
    BoundAttribute, ComponentBody, ComponentId, Module, Node, NodeBody, NodeId, Program, Ranged,
};
use pcl_diagnostics::Reporter;
use pcl_model::TypeId;
use pcl_model::expression::{Checker, ExprId, ExprKind, Names, Traversal};
use pcl_model::scope::{DefinitionId, DefinitionKind};
use pcl_model::value::Constant;
use pcl_syntax::ast::BinaryOperator;
use rustc_hash::FxHashMap;

use self::needed::Needed;
use crate::apply::{Applies, content};
use crate::functions::{self, Takes};
use crate::program;
use crate::walk;

/// Makes outputs of the declarations whose values are late in the SDK:
/// - an input of a component, unless the component needs it at once and every block gives it one
///   that is there at once;
/// - configuration with an eventual default;
/// - the instances of a block whose `range` is eventual, and whatever is computed of these.
///
/// To be run after [`deferred_outputs`](crate::deferred_outputs) and before
/// [`applies`](crate::applies). Rules: `tests/spec/lowering/late.md`.
pub fn late(mut program: Program) -> Program {
    let needed = Needed::of(&program);
    let order = callers_first(&program);
    let mut pass = LateValues { program: &mut program, rewritten: FxHashMap::default() };
    for &at in &order {
        pass.inputs(at, &needed);
    }
    for &at in &order {
        pass.module(at);
    }
    let rewritten = pass.rewritten;
    if rewritten.is_empty() {
        return program;
    }
    program::each_of(program, |_, _, id| rewritten.get(&id).copied().unwrap_or(id))
}

/// The module at a position: the program itself, and then those of its components.
pub(super) fn module(program: &Program, at: usize) -> &Module {
    match at.checked_sub(1).and_then(|at| program.components.get(at)) {
        Some(component) => &component.module,
        None => &program.module,
    }
}

fn node_mut(program: &mut Program, at: usize, id: NodeId) -> Option<&mut Node> {
    let module = match at.checked_sub(1).and_then(|at| program.components.get_mut(at)) {
        Some(component) => &mut component.module,
        None => &mut program.module,
    };
    module.nodes.get_mut(id.0 as usize)
}

/// The position of the module of a component.
pub(super) const fn position(component: ComponentId) -> usize {
    component.0 as usize + 1
}

/// The components that a module uses.
fn used(module: &Module) -> impl Iterator<Item = usize> + '_ {
    module.nodes.iter().filter_map(|node| match &node.body {
        NodeBody::Component(body) => body.program.map(position),
        _ => None,
    })
}

/// The positions of all modules, each after those that use it.
fn callers_first(program: &Program) -> Vec<usize> {
    let count = program.components.len() + 1;
    let mut left = vec![false; count];
    let mut order = Vec::new();
    for start in (0..count).rev() {
        // A module is left after all that it uses.
        let mut open = vec![(start, false)];
        while let Some((at, is_done)) = open.pop() {
            if is_done {
                order.push(at);
            } else if let Some(known @ false) = left.get_mut(at) {
                *known = true;
                open.push((at, true));
                open.extend(used(module(program, at)).map(|at| (at, false)));
            }
        }
    }
    order.reverse();
    order
}

/// The definition of a declaration.
fn definition(program: &Program, at: usize, id: NodeId) -> Option<DefinitionId> {
    let module = module(program, at);
    let name = program.types.find_symbol(&module.node(id).name)?;
    let found = program.scopes.lookup(module.root, name)?;
    (program.scopes.definition(found).kind.node() == Some(id.0)).then_some(found)
}

/// Returns true for an output or promise, and for a type that may be one.
fn is_eventual(program: &mut Program, ty: TypeId) -> bool {
    content(&mut program.types, ty, &Applies::default()).is_some()
}

/// The declarations of a module.
fn ids(module: &Module) -> impl Iterator<Item = NodeId> + use<> {
    (0..module.nodes.len() as u32).map(NodeId)
}

/// The options of a block.
fn options(body: &NodeBody) -> &[BoundAttribute] {
    match body {
        NodeBody::Resource(body) => &body.options,
        NodeBody::Component(body) => &body.options,
        _ => &[],
    }
}

/// The inputs of a block.
fn inputs(body: &NodeBody) -> &[BoundAttribute] {
    match body {
        NodeBody::Resource(body) => &body.inputs,
        NodeBody::Component(body) => &body.inputs,
        _ => &[],
    }
}

struct LateValues<'p> {
    program: &'p mut Program,
    /// The new values, by the old ones.
    rewritten: FxHashMap<ExprId, ExprId>,
}

impl LateValues<'_> {
    /// Makes those inputs of a component late that it does not need at once.
    fn inputs(&mut self, at: usize, needed: &Needed) {
        if at == 0 {
            return;
        }
        for id in ids(module(self.program, at)) {
            let node = module(self.program, at).node(id);
            if matches!(node.body, NodeBody::Config(_)) && !needed.contains(at, id) {
                self.defer(at, id);
            }
        }
    }

    fn module(&mut self, at: usize) {
        for id in module(self.program, at).order() {
            self.node(at, id);
        }
    }

    /// Types the values of a declaration again, and makes it late if it is computed of late values.
    fn node(&mut self, at: usize, id: NodeId) {
        // Taken out, so that the pass can look at the module meanwhile.
        let Some(node) = node_mut(self.program, at, id) else { return };
        let mut body = std::mem::take(&mut node.body);
        self.defer_range_values(at, id, &body);
        program::each_value(&mut body, |_, value| {
            if self.rewritten.contains_key(value) {
                return;
            }
            let new = self.value(at, id, *value);
            if new != *value {
                self.rewritten.insert(*value, new);
            }
        });
        match &body {
            NodeBody::Local(value) => {
                let ty = self.type_of(*value);
                self.set_type(at, id, ty);
            }
            NodeBody::Output(Some(value)) if self.holds(*value) => {
                if let Some(known) = definition(self.program, at, id) {
                    let known = self.program.scopes.definition(known).ty;
                    let ty = self.program.types.output(known);
                    self.set_reference(at, id, ty);
                }
            }
            NodeBody::Config(config) if config.default.is_some_and(|it| self.holds(it)) => {
                self.defer(at, id);
            }
            NodeBody::Component(component) => self.defer_inputs(component),
            _ => {}
        }
        let instances = self.late_instances(&body);
        if let Some(node) = node_mut(self.program, at, id) {
            node.body = body;
        }
        if let Some(ty) = instances {
            self.set_type(at, id, ty);
        }
    }

    /// The type of the instances of a block whose range is eventual now.
    fn late_instances(&mut self, body: &NodeBody) -> Option<TypeId> {
        let (range, single) = match body {
            NodeBody::Resource(body) => (body.range, body.single),
            NodeBody::Component(body) => (body.range, body.single),
            _ => return None,
        };
        let value = options(body).iter().find(|option| *option.name == *"range")?;
        let ty = self.type_of(value.value);
        if !is_eventual(self.program, ty) {
            return None;
        }
        let types = &mut self.program.types;
        let all = match range {
            Ranged::Single => return None,
            Ranged::Optional => types.optional(single),
            Ranged::Each { key: TypeId::STRING, .. } => types.map(single),
            Ranged::Counted | Ranged::Each { .. } => types.list(single),
        };
        Some(types.output_of_instances(all))
    }

    /// Makes `range.value` late where the collection is known and its values are not.
    fn defer_range_values(&mut self, at: usize, id: NodeId, body: &NodeBody) {
        let Some(range) = options(body).iter().find(|option| *option.name == *"range") else {
            return;
        };
        let new = self.value(at, id, range.value);
        self.rewritten.insert(range.value, new);
        let ty = self.program.exprs[new].ty;
        if is_eventual(self.program, ty) || !self.program.types.contains_eventuals(ty) {
            return;
        }
        let types = &mut self.program.types;
        let collection = types.collection(ty);
        if !types.contains_eventuals(collection.value) {
            return;
        }
        let members = ["key", "value"].map(|name| types.symbol(name));
        let value = types.output(collection.value);
        let ty = types.object([(members[0], collection.key), (members[1], value)]);
        let mut variables = Vec::new();
        let values = options(body).iter().chain(inputs(body));
        for value in values {
            for part in self.program.exprs.subtree(value.value) {
                let ExprKind::Traversal(traversal) = &self.program.exprs[part].kind else {
                    continue;
                };
                let is_range = self.program.types.name(traversal.root) == "range";
                variables.extend(traversal.definition.filter(|_| is_range));
            }
        }
        for variable in variables {
            if self.program.scopes.definition(variable).kind == DefinitionKind::Variable {
                self.program.scopes.set_type(variable, ty);
            }
        }
    }

    /// Makes the inputs of a component late that get late values.
    fn defer_inputs(&mut self, component: &ComponentBody) {
        let Some(inner) = component.program else { return };
        for given in component.inputs.iter() {
            if !self.holds(given.value) {
                continue;
            }
            if let Some((input, _)) = self.program.component(inner).input(&given.name) {
                self.defer(position(inner), input);
            }
        }
    }

    /// Returns true if a value, or a part of it, is eventual now.
    fn holds(&mut self, value: ExprId) -> bool {
        let ty = self.type_of(value);
        self.program.types.contains_eventuals(ty)
    }

    /// The type that a value has now.
    fn type_of(&self, value: ExprId) -> TypeId {
        self.program.exprs[self.rewritten.get(&value).copied().unwrap_or(value)].ty
    }

    /// The value `id` of a declaration with the types that its parts have now.
    fn value(&mut self, at: usize, node: NodeId, id: ExprId) -> ExprId {
        let module = module(self.program, at);
        let (root, file) = (module.root, module.node(node).file);
        let mut reporter = Reporter::new(self.program.policy().clone());
        let mut checker = Checker {
            types: &mut self.program.types,
            scopes: &mut self.program.scopes,
            exprs: &mut self.program.exprs,
            reporter: &mut reporter,
            names: Names::Values,
            own: None,
            file,
        };
        if !checker.exprs.subtree(id).any(|id| may_change(&checker, id)) {
            return id;
        }
        walk::replace_all(&mut checker, root, id, |checker, id| {
            if let Some(traversal) = outdated(checker, id) {
                return walk::in_place_of(checker, id, ExprKind::Traversal(traversal));
            }
            if needs_known(checker, id) {
                let mut expr = checker.exprs[id].clone();
                expr.ty = checker.types.output(expr.ty);
                return checker.exprs.push(expr);
            }
            id
        })
    }

    /// Makes an output of a declaration.
    fn defer(&mut self, at: usize, id: NodeId) {
        let ty = module(self.program, at).node(id).ty;
        if !is_eventual(self.program, ty) {
            let ty = self.program.types.output(ty);
            self.set_type(at, id, ty);
        }
    }

    fn set_type(&mut self, at: usize, id: NodeId, ty: TypeId) {
        if let Some(node) = node_mut(self.program, at, id) {
            node.ty = ty;
        }
        self.set_reference(at, id, ty);
    }

    /// Sets the type of references to a declaration.
    fn set_reference(&mut self, at: usize, id: NodeId, ty: TypeId) {
        if let Some(definition) = definition(self.program, at, id) {
            self.program.scopes.set_type(definition, ty);
        }
    }
}

/// A reference with the type that its declaration has now, if it has another one.
fn outdated(checker: &Checker<'_>, id: ExprId) -> Option<Traversal> {
    let ExprKind::Traversal(traversal) = &checker.exprs[id].kind else { return None };
    let definition = checker.scopes.definition(traversal.definition?);
    let is_outdated = definition.ty != traversal.root_type;
    is_outdated.then(|| Traversal { root_type: definition.ty, ..traversal.clone() })
}

/// Returns whether the type of an expression may not be that of its translation.
fn may_change(checker: &Checker<'_>, id: ExprId) -> bool {
    match &checker.exprs[id].kind {
        ExprKind::Call(call) => {
            functions::takes(checker.types.name(call.name)) == Some(Takes::Known)
        }
        ExprKind::Binary { .. } => true,
        _ => outdated(checker, id).is_some(),
    }
}

/// Returns whether `id` is at once in the language although it is computed of eventual parts of its
/// operands.
fn needs_known(checker: &mut Checker<'_>, id: ExprId) -> bool {
    let operands: Vec<ExprId> = match &checker.exprs[id].kind {
        ExprKind::Call(call)
            if functions::takes(checker.types.name(call.name)) == Some(Takes::Known) =>
        {
            call.arguments.to_vec()
        }
        &ExprKind::Binary {
            operator: BinaryOperator::Equal | BinaryOperator::NotEqual,
            left,
            right,
        } if ![left, right].into_iter().any(|it| is_null(checker, it)) => vec![left, right],
        _ => return false,
    };
    let own = checker.exprs[id].ty;
    let holds = |checker: &mut Checker<'_>, id: ExprId| {
        let ty = checker.exprs[id].ty;
        checker.types.contains_eventuals(ty)
    };
    content(checker.types, own, &Applies::default()).is_none()
        && operands.into_iter().any(|operand| holds(checker, operand))
}

fn is_null(checker: &Checker<'_>, id: ExprId) -> bool {
    matches!(checker.exprs[id].kind, ExprKind::Literal(Constant::Null))
}
