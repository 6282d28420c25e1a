//! A program or component that is being evaluated: the values of its nodes.

use std::sync::{Arc, OnceLock};

use pcl_binder::{ComponentId, Module, NodeKind};
use pcl_model::scope::DefinitionId;
use pcl_values::{PropertyMap, Urn};
use rustc_hash::FxHashMap;

use crate::run::Run;
use crate::value::{References, Value};

/// A program or component that is being evaluated.
pub(crate) struct Frame {
    pub run: Arc<Run>,
    /// The component whose directory is evaluated; `None` for the program itself.
    pub component: Option<ComponentId>,
    /// The resource whose children the resources are: the stack or the component. The stack is
    /// registered when the program runs.
    parent: OnceLock<Urn>,
    /// The beginning of the names of all resources; empty or with a hyphen at its end.
    pub prefix: Name,
    /// The values of the nodes so far.
    values: Box<[OnceLock<Value>]>,
    /// The values of variables that no node declares.
    extra: FxHashMap<DefinitionId, Value>,
}

/// The name of a resource, or the beginning of one.
#[derive(Clone, Default)]
pub(crate) struct Name {
    pub text: Arc<str>,
    /// The name as people see it, if it has a secret key of a range.
    pub shown: Option<Arc<str>>,
}

impl Name {
    /// This name with an end, which people may see otherwise.
    pub fn with(&self, end: &str, shown: Option<&str>) -> Self {
        if end.is_empty() && shown.is_none() {
            return self.clone();
        }
        let seen = self.shown.as_deref().unwrap_or(&self.text);
        let is_hidden = self.shown.is_some() || shown.is_some();
        Self {
            text: [&*self.text, end].concat().into(),
            shown: is_hidden.then(|| [seen, shown.unwrap_or(end)].concat().into()),
        }
    }

    /// The name as people see it.
    pub fn shown(&self) -> &str {
        self.shown.as_deref().unwrap_or(&self.text)
    }
}

/// The value of a node that was never evaluated.
static UNKNOWN: Value = Value::UNKNOWN;

impl Frame {
    /// A program or component without values yet.
    pub fn new(
        run: Arc<Run>,
        component: Option<ComponentId>,
        parent: Option<Urn>,
        prefix: Name,
    ) -> Self {
        let module = match component {
            Some(component) => &run.program.component(component).module,
            None => &run.program.module,
        };
        Self {
            values: module.nodes.iter().map(|_| OnceLock::new()).collect(),
            run,
            component,
            parent: parent.map_or_else(OnceLock::new, OnceLock::from),
            prefix,
            extra: FxHashMap::default(),
        }
    }

    /// The program with the values of nodes that were evaluated before.
    pub fn resumed(run: Arc<Run>, parent: Option<Urn>, values: Box<[OnceLock<Value>]>) -> Self {
        Self {
            values,
            run,
            component: None,
            parent: parent.map_or_else(OnceLock::new, OnceLock::from),
            prefix: Name::default(),
            extra: FxHashMap::default(),
        }
    }

    /// The run and the values so far.
    pub fn into_parts(self) -> (Arc<Run>, Option<Urn>, Box<[OnceLock<Value>]>) {
        (self.run, self.parent.into_inner(), self.values)
    }

    /// The same with variables that no node declares.
    pub fn with_variables(mut self, variables: FxHashMap<DefinitionId, Value>) -> Self {
        self.extra = variables;
        self
    }

    /// The nodes.
    pub fn module(&self) -> &Module {
        match self.component {
            Some(component) => &self.run.program.component(component).module,
            None => &self.run.program.module,
        }
    }

    /// The resource whose children the resources are.
    pub fn parent(&self) -> Option<&Urn> {
        self.parent.get()
    }

    /// Makes the stack the parent of the resources.
    pub fn set_parent(&self, urn: Urn) {
        _ = self.parent.set(urn);
    }

    /// The outputs by their names; those that need a failed resource are missing.
    pub fn outputs(&self) -> PropertyMap {
        let nodes = self.module().nodes_with_ids();
        let outputs = nodes.filter(|(_, node)| node.kind == NodeKind::Output);
        let outputs = outputs.filter_map(|(id, node)| {
            let value = self.node_value(id.0).to_property(References::Collapse);
            Some((Arc::clone(&node.logical_name), value.ok()?))
        });
        outputs.collect()
    }

    /// Returns true if a node has a value.
    pub fn has_value(&self, node: u32) -> bool {
        let value = self.values.get(node as usize);
        value.is_some_and(|value| value.get().is_some())
    }

    /// The value of a node; unknown before it is evaluated.
    pub fn node_value(&self, node: u32) -> &Value {
        let value = self.values.get(node as usize).and_then(OnceLock::get);
        value.unwrap_or(&UNKNOWN)
    }

    /// Sets the value of a node. The first one stays.
    pub fn set(&self, node: u32, value: Value) {
        if let Some(place) = self.values.get(node as usize) {
            _ = place.set(value);
        }
    }

    /// The value of a variable that no node declares.
    pub fn extra_value(&self, definition: DefinitionId) -> &Value {
        self.extra.get(&definition).unwrap_or(&UNKNOWN)
    }
}
