//! The passes over whole programs: every value of every node, those of component programs included.

use std::collections::HashMap;
use std::sync::Arc;

use pcl_binder::schema_types::SchemaTypes;
use pcl_binder::{
    BoundAttribute, ComponentProgram, DeferredOutput, Module, Node, NodeBody, NodeId, NodeKind,
    Program, Ranged,
};
use pcl_diagnostics::Reporter;
use pcl_language::{OPTIONS, Takes};
use pcl_model::expression::{Checker, Expr, ExprArena, ExprId, ExprKind, Names};
use pcl_model::relations::{Conversion, Key};
use pcl_model::types::{TypeId, TypeStore};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::deferred::Deferred;
use crate::expression::{self, Applies, Replacement, SchemaType};
use crate::walk;

/// Puts the text of a path in the place of every path to a property. Rules:
/// `tests/spec/lowering/properties.md`.
pub fn property_references(program: Program) -> Program {
    each_of(program, |checker, place, id| {
        if any(checker, id, |expr| expr.ty == TypeId::PROPERTY) {
            expression::property_references(checker, place.module.root, id)
        } else {
            id
        }
    })
}

/// Gives every `invoke` one form: the token as the schema writes it, and the inputs as one object.
/// Rules: `tests/spec/lowering/invokes.md`.
pub fn invokes(program: Program) -> Program {
    let schemas = Arc::clone(&program.schemas);
    each_of(program, |checker, place, id| {
        if any(checker, id, |expr| matches!(expr.kind, ExprKind::Call(_))) {
            expression::invokes(checker, place.module.root, id, &schemas)
        } else {
            id
        }
    })
}

/// Gives objects inside of the inputs of resources the properties with a constant or default that
/// they lack and the classes of SDKs do not add. Rules:
/// `tests/spec/lowering/constants.md`.
pub fn constants(program: Program) -> Program {
    let schemas = Arc::clone(&program.schemas);
    let types = input_types(&program, &schemas);
    each_of(program, |checker, place, id| match types.get(&id) {
        Some(ty) => expression::constants(checker, place.module.root, id, *ty),
        None => id,
    })
}

/// Replaces expressions by their values, or conditionals by the branches that they take, where
/// something outside of the program found these. Rules: `tests/spec/lowering/known.md`.
pub fn known_values(program: Program, replacements: &HashMap<ExprId, Replacement>) -> Program {
    each_of(program, |checker, place, id| {
        expression::known_values(checker, place.module.root, id, replacements)
    })
}

/// The types that schemas give the inputs of resources, by the value.
fn input_types<'s>(
    program: &Program,
    schemas: &'s SchemaTypes,
) -> FxHashMap<ExprId, SchemaType<'s>> {
    let mut types = FxHashMap::default();
    for node in nodes(program).filter(|node| node.kind == NodeKind::Resource) {
        let NodeBody::Resource(body) = &node.body else { continue };
        let Some((package, member)) = body.schema else { continue };
        let schema = schemas.packages().package(package);
        let Ok(Some(resource)) = schema.resource_by_id(member) else { continue };
        types.extend(body.inputs.iter().filter_map(|input| {
            let spec = &resource.inputs.get(&input.name)?.ty;
            let ty = SchemaType { schemas, package, spec, class_has_defaults: true };
            Some((input.value, ty))
        }));
    }
    types
}

/// The nodes of a program and of its components.
fn nodes(program: &Program) -> impl Iterator<Item = &Node> {
    let components = program.components.iter().map(|component| &component.module);
    components.chain([&program.module]).flat_map(|module| &module.nodes)
}

/// Makes an apply wherever something is made of eventual values. Rules:
/// `tests/spec/lowering/apply.md`.
pub fn applies(program: Program, options: &Applies) -> Program {
    each_of(program, |checker, place, id| {
        let subtree = checker.exprs.subtree(id);
        let mut types = subtree.map(|id| checker.exprs[id].ty);
        if types.any(|ty| checker.types.contains_eventuals(ty)) {
            expression::applies(checker, place.module.root, id, options)
        } else {
            id
        }
    })
}

/// Makes a conversion wherever a value becomes one of another type: the type of the input or
/// option, the declared type of a config or output; any other value keeps its own. Rules:
/// `tests/spec/lowering/convert.md`.
pub fn conversions(program: Program) -> Program {
    each_of(program, |checker, place, id| {
        let to = place.target(checker, id);
        expression::conversions(checker, id, to)
    })
}

/// Guards the properties of resources that may not be there: a value of a type that is none or a
/// resource, or none or the outputs of a component. Rules: `tests/spec/lowering/guard.md`.
///
/// To be run after applies: it guards what they take.
pub fn optional_guards(program: Program) -> Program {
    let components = optional_components(&program);
    let is_optional = |types: &TypeStore, ty| {
        let present = types.without_none(ty);
        present.is_some_and(|present| types.is_resource(present)) || components.contains(&ty)
    };
    // Most programs have no such value, and the guards are a fifth of the cost of all passes.
    if !program.types.ids().any(|ty| is_optional(&program.types, ty)) {
        return program;
    }
    each_of(program, |checker, place, id| {
        expression::optional_guards(checker, place.module.root, id, is_optional)
    })
}

/// The types of components that may be absent.
fn optional_components(program: &Program) -> FxHashSet<TypeId> {
    let optional = nodes(program).filter(|node| match &node.body {
        NodeBody::Component(body) => body.range == Ranged::Optional,
        _ => false,
    });
    optional.map(|node| node.ty).collect()
}

/// Defers what a component takes from a later one that needs it in turn: see [`DeferredOutput`].
/// Gives references between such components the types of their outputs, which binding leaves
/// `dynamic`. Rules: `tests/spec/lowering/deferred.md`.
///
/// To be run before applies: what is deferred is an output, and so are the outputs of components.
pub fn deferred_outputs(program: Program) -> Program {
    rewrite(program, Deferred::default())
}

/// Returns whether there is such an expression in a value of a program.
fn any(checker: &Checker<'_>, id: ExprId, is: impl Fn(&Expr) -> bool) -> bool {
    let mut subtree = checker.exprs.subtree(id);
    subtree.any(|id| is(&checker.exprs[id]))
}

/// The place of a value in a program.
pub(crate) struct ValuePlace<'a> {
    pub module: &'a Module,
    pub node: NodeId,
    pub slot: ValueSlot<'a>,
}

/// The role of a value in its node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueSlot<'a> {
    /// An attribute of a resource, read or component.
    Input(&'a str),
    /// An option of one.
    Option(&'a str),
    /// The default of a config, the value of a local or output.
    Value,
    /// The command of a hook.
    Command,
    /// A yes or no of a hook.
    Switch,
    /// The version that a `pulumi` block requires.
    Version,
    /// The value of a variable for a later component.
    Deferred,
}

impl ValuePlace<'_> {
    /// The type that the value has to become. One that may be eventual becomes an input.
    fn target(&self, checker: &mut Checker<'_>, id: ExprId) -> TypeId {
        let node = self.module.node(self.node);
        let own = checker.type_of(id);
        let types = &mut *checker.types;
        let wanted = match self.slot {
            ValueSlot::Input(name) => {
                let name = types.symbol(name);
                let input_type = node.input_type;
                let reached = input_type.map(|ty| types.traverse(ty, &Key::Name(name)));
                // An unknown attribute was reported when the program was bound. Inputs accept
                // outputs as they are.
                let known = reached.filter(|reached| reached.errors.is_empty());
                return known.map_or(own, |reached| reached.ty);
            }
            ValueSlot::Option(name) => match OPTIONS.attribute(name, None).map(|rule| rule.takes) {
                Some(Takes::Value(_)) if name == "range" => None,
                Some(Takes::Value(ty)) => Some(types.static_type(&ty)),
                _ => None,
            },
            ValueSlot::Value if matches!(node.kind, NodeKind::Config | NodeKind::Output) => {
                Some(node.ty)
            }
            ValueSlot::Value | ValueSlot::Deferred => None,
            ValueSlot::Command => Some(types.list(TypeId::STRING)),
            ValueSlot::Switch => Some(TypeId::BOOL),
            ValueSlot::Version => Some(TypeId::STRING),
        };
        match wanted {
            Some(wanted) => input(checker, id, wanted),
            None => own,
        }
    }
}

/// The type that a value has to become where a `wanted` is needed: one that is eventual, or has
/// eventual parts, may stay so.
fn input(checker: &mut Checker<'_>, value: ExprId, wanted: TypeId) -> TypeId {
    let (types, ty) = (&mut *checker.types, checker.exprs[value].ty);
    let may_stay = types.contains_eventuals(ty)
        && ty != wanted
        && types.convert(wanted, ty) != Conversion::Safe;
    if may_stay { types.input_type(wanted) } else { wanted }
}

/// A change to the values of a program.
pub(crate) trait Pass {
    /// A module begins.
    fn enter(&mut self, _module: &Module) {}

    /// The expression that replaces the value `id`.
    fn value(&mut self, checker: &mut Checker<'_>, place: &ValuePlace<'_>, id: ExprId) -> ExprId;

    /// The variables that the values of the node took.
    fn deferred(&mut self) -> Vec<DeferredOutput> {
        Vec::new()
    }
}

/// A pass that looks at each value alone.
struct Each<F>(F);

impl<F: FnMut(&mut Checker<'_>, &ValuePlace<'_>, ExprId) -> ExprId> Pass for Each<F> {
    fn value(&mut self, checker: &mut Checker<'_>, place: &ValuePlace<'_>, id: ExprId) -> ExprId {
        (self.0)(checker, place, id)
    }
}

pub(crate) fn each_of(
    program: Program,
    pass: impl FnMut(&mut Checker<'_>, &ValuePlace<'_>, ExprId) -> ExprId,
) -> Program {
    rewrite(program, Each(pass))
}

/// The program with every value replaced by what `pass` makes of it.
///
/// A pass has nothing to say to the user: what is wrong with a program was reported when it was
/// bound, and what its author sees is not the text that passes make. What a rule of the binder
/// reports when it types a replacement is dropped.
fn rewrite(mut program: Program, mut pass: impl Pass) -> Program {
    let end = program.exprs.end();
    let replaced = replacements(&mut program, &mut pass);
    if replaced.is_changed {
        with_replacements(program, replaced)
    } else {
        program.exprs.truncate(end);
        program
    }
}

/// The expressions that a pass puts in the places of the values of a program.
#[derive(Default)]
struct Replacements {
    is_changed: bool,
    /// One for every value, in the order of [`each_value`] over all nodes of all modules.
    values: Vec<ExprId>,
    /// The variables that the values of each node took.
    deferred: Vec<Vec<DeferredOutput>>,
}

/// The modules of a program, its own first.
fn modules_mut<'p>(
    module: &'p mut Module,
    components: &'p mut [ComponentProgram],
) -> impl Iterator<Item = &'p mut Module> {
    [module].into_iter().chain(components.iter_mut().map(|component| &mut component.module))
}

fn replacements(program: &mut Program, pass: &mut impl Pass) -> Replacements {
    let mut reporter = Reporter::new(program.policy().clone());
    let mut replaced = Replacements::default();
    for module in modules_mut(&mut program.module, &mut program.components) {
        pass.enter(module);
        for at in 0..module.nodes.len() {
            // Taken out, so that the pass can look at the module meanwhile.
            let Some(node) = module.nodes.get_mut(at) else { continue };
            let mut body = std::mem::take(&mut node.body);
            let mut checker = Checker {
                types: &mut program.types,
                scopes: &mut program.scopes,
                exprs: &mut program.exprs,
                reporter: &mut reporter,
                names: Names::Values,
                own: None,
                file: node.file,
            };
            each_value(&mut body, |slot, value| {
                let place = ValuePlace { module, node: NodeId(at as u32), slot };
                let new = pass.value(&mut checker, &place, *value);
                replaced.is_changed |= new != *value;
                replaced.values.push(new);
            });
            let deferred = pass.deferred();
            replaced.is_changed |= !deferred.is_empty();
            replaced.deferred.push(deferred);
            if let Some(node) = module.nodes.get_mut(at) {
                node.body = body;
            }
        }
    }
    replaced
}

/// The program with other values, in an arena where the expressions of each node are one stretch.
fn with_replacements(mut program: Program, replaced: Replacements) -> Program {
    let mut fresh = ExprArena::new();
    fresh.reserve(program.exprs.len());
    let exprs = &mut program.exprs;
    let mut values = replaced.values.into_iter();
    let mut deferred = replaced.deferred.into_iter();
    for module in modules_mut(&mut program.module, &mut program.components) {
        for node in &mut module.nodes {
            let start = fresh.len() as u32;
            let roots = roots(exprs, node.expressions.clone());
            let mut done = Vec::new();
            each_value(&mut node.body, |_, value| {
                done.push(*value);
                let new = values.next().unwrap_or(*value);
                *value = if new == *value {
                    fresh.take(exprs, new)
                } else {
                    walk::copy(exprs, new, &mut fresh)
                };
            });
            let new = deferred.next().unwrap_or_default().into_iter().map(|mut deferred| {
                deferred.value = walk::copy(exprs, deferred.value, &mut fresh);
                deferred
            });
            if let NodeBody::Component(body) = &mut node.body {
                body.deferred.extend(new);
            }
            done.sort_unstable();
            for root in roots {
                if done.binary_search(&root).is_err() {
                    fresh.take(exprs, root);
                }
            }
            node.expressions = start..fresh.len() as u32;
        }
    }
    program.exprs = fresh;
    program
}

/// The expressions in a stretch of the arena that are part of no other.
fn roots(exprs: &ExprArena, stretch: std::ops::Range<u32>) -> Vec<ExprId> {
    let ids: Vec<ExprId> = exprs.range(stretch).map(|(id, _)| id).collect();
    let mut roots = Vec::new();
    let mut end = ids.len();
    while let Some(&root) = end.checked_sub(1).and_then(|last| ids.get(last)) {
        roots.push(root);
        end = end.saturating_sub(exprs.subtree(root).count());
    }
    roots.reverse();
    roots
}

/// Calls `visit` with every value of a node.
pub(crate) fn each_value(body: &mut NodeBody, mut visit: impl FnMut(ValueSlot<'_>, &mut ExprId)) {
    match body {
        NodeBody::Empty | NodeBody::Output(None) | NodeBody::Pulumi(None) => {}
        NodeBody::Local(value) | NodeBody::Output(Some(value)) => visit(ValueSlot::Value, value),
        NodeBody::Config(body) => {
            if let Some(value) = &mut body.default {
                visit(ValueSlot::Value, value);
            }
        }
        NodeBody::Resource(body) => attributes(&mut body.inputs, &mut body.options, visit),
        NodeBody::Component(body) => {
            attributes(&mut body.inputs, &mut body.options, &mut visit);
            for deferred in &mut body.deferred {
                visit(ValueSlot::Deferred, &mut deferred.value);
            }
        }
        NodeBody::Hook(body) => {
            if let Some(value) = &mut body.command {
                visit(ValueSlot::Command, value);
            }
            let switches = [&mut body.on_dry_run, &mut body.ignore_errors];
            for value in switches.into_iter().flatten() {
                visit(ValueSlot::Switch, value);
            }
        }
        NodeBody::Pulumi(Some(value)) => visit(ValueSlot::Version, value),
    }
}

/// Calls `visit` with the values of the inputs and options of a block.
fn attributes(
    inputs: &mut [BoundAttribute],
    options: &mut [BoundAttribute],
    mut visit: impl FnMut(ValueSlot<'_>, &mut ExprId),
) {
    for input in inputs {
        visit(ValueSlot::Input(&input.name), &mut input.value);
    }
    for option in options {
        visit(ValueSlot::Option(&option.name), &mut option.value);
    }
}
