//! Names and steps from them: into values that are known, and into outputs.

use pcl::document::{
    Constant, ExpressionIndex, Key, OtherReference, Reference, Step, Traversal, Type, TypeIndex,
    VariableRole,
};

use crate::module::Writer;
use crate::print::Id;
use crate::source::Source;
use crate::types::{self, Eventual, eventual};
use pcl_codegen::{Limit, property_path};

impl Writer<'_> {
    pub fn traversal(&mut self, index: ExpressionIndex, traversal: &Traversal) -> Id {
        let document = self.document;
        let start = match &traversal.reference {
            Reference::Node(node) => {
                let key = self.key(*node);
                self.tree.path(&key)
            }
            Reference::Variable(variable) => match document.variable(*variable).role {
                VariableRole::Range => self.tree.name("range"),
                VariableRole::Supplied => {
                    let args = self.tree.name(&traversal.name);
                    return self.supplied(args, &traversal.steps);
                }
                _ => self.variable_id(*variable),
            },
            Reference::Constant(constant) => {
                let expected = document.expression(index).expected;
                self.constant(constant, expected)
            }
            Reference::Other(OtherReference::Property) => {
                let path = property_path(&traversal.name, &traversal.steps);
                return self.tree.text(path);
            }
            Reference::Other(OtherReference::Keyword) => return self.tree.text(&traversal.name),
            Reference::Other(OtherReference::Undefined) => {
                let message = format!("there is no variable `{}`", traversal.name);
                self.fail(Limit::Unbound, index, message)
            }
        };
        if self.is_component_id(traversal) {
            return self.fail(Limit::Unbound, index, "components have no id in the SDK");
        }
        let whole = document.expression(index).ty;
        let root_type = traversal.root_type.unwrap_or(whole);
        let late = match eventual(document, root_type) {
            Eventual::Promise
                if self.local_value(traversal).is_some_and(|value| self.gives_output(value)) =>
            {
                Eventual::Output
            }
            late => late,
        };
        let source = Source {
            id: start,
            ty: root_type,
            late,
            sure: self.is_sure_root(traversal),
            parameter: None,
            is_checked: self.checked.contains(&index),
        };
        self.steps(source, &traversal.steps)
    }

    /// Returns true if a traversal reads the id of a component.
    fn is_component_id(&self, traversal: &Traversal) -> bool {
        let Reference::Node(node) = traversal.reference else { return false };
        let schema = self.module.node(node);
        let schema = schema.and_then(|node| self.document.resource_schema(node));
        let mut names = traversal.steps.iter().filter_map(|step| match &step.key {
            Key::Name(name) => Some(name.as_str()),
            Key::Index(_) => None,
        });
        names.next() == Some("id") && schema.is_some_and(|schema| schema.is_component)
    }

    /// Steps into the arguments of a hook, whose inputs and outputs may be missing.
    fn supplied(&mut self, start: Id, steps: &[Step]) -> Id {
        let steps = steps.iter().enumerate();
        steps.fold(start, |id, (at, step)| self.access(id, step, at > 0))
    }

    /// A value and the steps from it. Steps into an output go into its value.
    pub fn steps(&mut self, source: Source, steps: &[Step]) -> Id {
        let document = self.document;
        let Source { mut id, mut ty, mut late, mut sure, parameter, is_checked } = source;
        let mut rest = steps;
        while let Some((step, later)) = rest.split_first() {
            match late {
                Eventual::No => {
                    id = self.step(id, ty, step, is_checked);
                    sure = self.is_resource(ty);
                    ty = step.ty;
                    late = eventual(document, ty);
                }
                late if late == Eventual::Output && sure && self.lifts(ty, rest, is_checked) => {
                    for step in rest {
                        id = self.access(id, step, false);
                    }
                    return id;
                }
                late => {
                    let parameter = match parameter {
                        Some(parameter) => self.variable_id(parameter),
                        None => self.parameter_for(id),
                    };
                    let mut body = parameter;
                    let mut inner = types::content(document, ty);
                    for step in rest {
                        body = self.step(body, inner, step, is_checked);
                        inner = types::content(document, step.ty);
                    }
                    return self.once_known(id, (late, sure), parameter, body);
                }
            }
            rest = later;
        }
        id
    }

    /// Returns true if outputs of this type give access to these parts of their values.
    fn lifts(&self, ty: TypeIndex, steps: &[Step], is_checked: bool) -> bool {
        let document = self.document;
        let mut ty = types::content(document, ty);
        for step in steps {
            let ok = match document.ty(ty) {
                _ if self.is_resource(ty) => false,
                _ if is_checked => {
                    matches!(&step.key, Key::Name(name) if self.has_property(ty, name))
                }
                Type::Object(_) | Type::Map { .. } => match &step.key {
                    Key::Name(name) | Key::Index(Constant::String(name)) => !is_output_member(name),
                    Key::Index(_) => false,
                },
                Type::List { .. } => matches!(step.key, Key::Index(Constant::Number(_))),
                _ => false,
            };
            // A property that may be missing is no output where it is.
            if !ok || types::may_be_null(document, step.ty) {
                return false;
            }
            ty = types::content(document, step.ty);
        }
        true
    }

    pub fn is_resource(&self, ty: TypeIndex) -> bool {
        self.document.object(ty).and_then(|object| object.schema.as_ref()).is_some_and(|schema| {
            matches!(
                schema.role,
                pcl::document::ObjectRole::Resource | pcl::document::ObjectRole::ResourceReference
            )
        })
    }

    /// A step into a value that is known.
    fn step(&mut self, id: Id, ty: TypeIndex, step: &Step, is_checked: bool) -> Id {
        if is_checked {
            return self.checked_step(id, ty, step);
        }
        self.access(id, step, types::may_be_null(self.document, ty))
    }

    fn access(&mut self, id: Id, step: &Step, optional: bool) -> Id {
        match &step.key {
            Key::Name(name) | Key::Index(Constant::String(name)) => {
                self.tree.access(id, name, optional)
            }
            Key::Index(constant) => {
                let key = self.constant(constant, None);
                self.tree.index(id, key, optional)
            }
        }
    }
}

/// Returns true for the names of members that outputs have themselves.
fn is_output_member(name: &str) -> bool {
    matches!(
        name,
        "apply"
            | "get"
            | "isSecret"
            | "isKnown"
            | "promise"
            | "resources"
            | "allResources"
            | "toString"
            | "toJSON"
            | "constructor"
            | "length"
    ) || name.starts_with("__")
}
