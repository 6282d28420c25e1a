//! The declarations whose values are needed at once.

use pcl_binder::{Module, Node, NodeBody, NodeId, Program};
use pcl_language::ResourceOption;
use pcl_model::expression::{ExprId, ExprKind};
use pcl_schema::ResourceSpec;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{module, options, position};

/// The declarations that ranges, options without outputs, hooks and inputs that accept plain values
/// need, directly or through others, by the position of their module.
pub(super) struct Needed(FxHashSet<(usize, NodeId)>);

impl Needed {
    pub fn of(program: &Program) -> Self {
        let mut found = Finder { program, open: Vec::new(), given: FxHashMap::default() };
        for at in 0..=program.components.len() {
            for node in &module(program, at).nodes {
                found.node(at, node);
            }
        }
        Self(found.close())
    }

    pub fn contains(&self, module: usize, node: NodeId) -> bool {
        self.0.contains(&(module, node))
    }
}

struct Finder<'p> {
    program: &'p Program,
    /// Values that are needed, with their modules.
    open: Vec<(usize, ExprId)>,
    /// The values that the inputs of components get.
    given: FxHashMap<(usize, &'p str), Vec<(usize, ExprId)>>,
}

impl<'p> Finder<'p> {
    fn node(&mut self, at: usize, node: &'p Node) {
        let plain = options(&node.body).iter().filter(|it| takes_plain(&it.name));
        self.open.extend(plain.map(|option| (at, option.value)));
        match &node.body {
            NodeBody::Hook(hook) => {
                let values = [hook.command, hook.on_dry_run, hook.ignore_errors];
                self.open.extend(values.into_iter().flatten().map(|value| (at, value)));
            }
            NodeBody::Pulumi(version) => self.open.extend(version.map(|value| (at, value))),
            NodeBody::Resource(resource) => {
                let spec = resource.schema.and_then(|(package, member)| {
                    let package = self.program.schemas.packages().package(package);
                    package.resource_by_id(member).ok().flatten()
                });
                let is_plain = |spec: &ResourceSpec, name: &str| {
                    spec.inputs.get(name).is_some_and(|it| it.ty.plain)
                };
                for input in &resource.inputs {
                    if spec.is_some_and(|spec| is_plain(spec, &input.name)) {
                        self.open.push((at, input.value));
                    }
                }
            }
            NodeBody::Component(component) => {
                let Some(program) = component.program else { return };
                for input in &component.inputs {
                    let key = (position(program), &*input.name);
                    self.given.entry(key).or_default().push((at, input.value));
                }
            }
            _ => {}
        }
    }

    fn close(mut self) -> FxHashSet<(usize, NodeId)> {
        let mut needed = FxHashSet::default();
        while let Some((at, value)) = self.open.pop() {
            let module = module(self.program, at);
            for id in references(self.program, module, value) {
                if !needed.insert((at, id)) {
                    continue;
                }
                let node = module.node(id);
                match &node.body {
                    NodeBody::Local(value) => self.open.push((at, *value)),
                    NodeBody::Config(config) => {
                        self.open.extend(config.default.map(|default| (at, default)));
                        let given = self.given.get(&(at, &*node.logical_name));
                        self.open.extend(given.into_iter().flatten());
                    }
                    _ => {}
                }
            }
        }
        needed
    }
}

/// Returns true for an option that takes no output in the SDKs, or is better known at once.
fn takes_plain(option: &str) -> bool {
    let option = ResourceOption::parse(option);
    !matches!(option, Some(ResourceOption::DependsOn | ResourceOption::ReplacementTrigger))
}

/// The declarations that a value refers to.
fn references(program: &Program, module: &Module, value: ExprId) -> Vec<NodeId> {
    let parts = program.exprs.subtree(value);
    let found = parts.filter_map(|part| match &program.exprs[part].kind {
        ExprKind::Traversal(traversal) => {
            let definition = program.scopes.definition(traversal.definition?);
            definition.kind.node().filter(|&node| (node as usize) < module.nodes.len()).map(NodeId)
        }
        _ => None,
    });
    found.collect()
}
