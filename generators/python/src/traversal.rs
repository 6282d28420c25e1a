//! Names and steps from them: into values that are known, and into outputs.

use pcl::document::language::python_name;
use pcl::document::{
    Body, Constant, ExpressionIndex, Key, OtherReference, Reference, Repeat, Step, Traversal, Type,
    TypeIndex, VariableRole,
};
use pcl_codegen::{Limit, property_path};

use crate::component::Found;
use crate::helper::Helper;
use crate::module::Writer;
use crate::names::attribute;
use crate::print::{Id, Node};
use crate::source::Source;
use crate::types;

/// The form of a value that steps lead into.
#[derive(Clone, Copy)]
struct Place {
    ty: TypeIndex,
    /// True if an object of a schema may be a dict.
    is_flat: bool,
    /// True if it is an instance of a component of the project.
    is_component: bool,
}

impl Writer<'_> {
    pub fn traversal(&mut self, index: ExpressionIndex, traversal: &Traversal) -> Id {
        let document = self.document;
        let mut steps = &traversal.steps[..];
        let mut root_type = traversal.root_type.unwrap_or(document.expression(index).ty);
        let start = match &traversal.reference {
            Reference::Node(node) => {
                let key = self.key(*node);
                self.tree.name(key)
            }
            Reference::Variable(variable) => match document.variable(*variable).role {
                VariableRole::Range => match steps.split_first() {
                    Some((step, rest)) => {
                        steps = rest;
                        root_type = step.ty;
                        let is_key = step.key == Key::Name("key".to_owned());
                        self.tree.local(if is_key { "range_key" } else { "range_value" })
                    }
                    None => {
                        let [key, value] =
                            ["range_key", "range_value"].map(|name| self.tree.local(name));
                        let items = [("key", key), ("value", value)];
                        let items = items.map(|(name, id)| crate::print::Item::entry(name, id));
                        self.tree.dict(items.into())
                    }
                },
                // The error of `recover` is the parameter of a function that is written there.
                VariableRole::Supplied if traversal.name != "error" => {
                    return self.supplied(&traversal.name, steps);
                }
                _ => self.variable_id(*variable),
            },
            Reference::Constant(constant) => self.constant(constant),
            Reference::Other(OtherReference::Property) => {
                let path = property_path(&traversal.name, steps);
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
        let source = Source {
            id: start,
            ty: root_type,
            is_late: types::is_late(document, root_type),
            sure: self.is_sure_root(traversal),
            parameter: None,
        };
        let is_component = self.is_single_component(traversal);
        let is_flat = match traversal.reference {
            Reference::Variable(variable) => self.flat.contains(&variable),
            _ => self.is_flat(index),
        };
        self.steps_from(source, steps, is_flat, is_component)
    }

    /// Returns true if a traversal begins at a component of the project.
    pub fn is_component_declaration(&self, traversal: &Traversal) -> bool {
        matches!(self.declaration(traversal), Some(Body::Component(body)) if body.program.is_some())
    }

    /// Returns true if a traversal begins at a component of the project that has one instance.
    fn is_single_component(&self, traversal: &Traversal) -> bool {
        match self.declaration(traversal) {
            Some(Body::Component(body)) => {
                body.program.is_some() && matches!(body.repeat, Repeat::Single | Repeat::Optional)
            }
            _ => false,
        }
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
    fn supplied(&mut self, name: &str, steps: &[Step]) -> Id {
        let mut id = self.tree.name(name);
        for (at, step) in steps.iter().enumerate() {
            id = match &step.key {
                Key::Name(name) if at == 0 => self.tree.member(id, python_name(name)),
                Key::Name(name) | Key::Index(Constant::String(name)) => {
                    let empty = self.tree.dict(Vec::new());
                    let there = self.tree.binary(id, "or", empty);
                    let key = self.tree.text(name);
                    self.tree.method(there, "get", [key])
                }
                Key::Index(key) => {
                    let key = self.constant(key);
                    self.tree.index(id, key)
                }
            };
        }
        id
    }

    /// A value and the steps from it. Steps into an output go into its value.
    /// `is_flat` tells that objects of schemas in the value may be dicts.
    pub fn steps(&mut self, source: Source, steps: &[Step], is_flat: bool) -> Id {
        self.steps_from(source, steps, is_flat, false)
    }

    fn steps_from(
        &mut self,
        source: Source,
        steps: &[Step],
        is_flat: bool,
        is_component: bool,
    ) -> Id {
        let document = self.document;
        let Source { mut id, mut ty, mut is_late, mut sure, parameter } = source;
        let mut rest = steps;
        let mut place = Place { ty, is_flat, is_component };
        while let Some((step, later)) = rest.split_first() {
            place.ty = types::content(document, ty);
            if !is_late {
                id = self.access(id, place, step);
                sure = types::is_resource(document, ty) || place.is_component;
                ty = step.ty;
                is_late = types::is_late(document, ty);
            } else if sure && self.lifts(place, rest) {
                for step in rest {
                    id = self.access(id, place, step);
                    place = self.behind(place, step);
                }
                return id;
            } else {
                let parameter = match parameter {
                    Some(parameter) => self.variable(parameter),
                    None => self.parameter_for(id),
                };
                // What is made an output on the way becomes a dict.
                place.is_flat |= !sure;
                let mut body = self.tree.local(&parameter);
                for step in rest {
                    body = self.access(body, place, step);
                    place = self.behind(place, step);
                }
                return self.once_known(id, sure, parameter, body);
            }
            place = self.behind(place, step);
            rest = later;
        }
        id
    }

    /// Returns true if outputs give access to these parts of their values.
    fn lifts(&self, place: Place, steps: &[Step]) -> bool {
        let mut place = place;
        for step in steps {
            let name = match &step.key {
                Key::Name(name) | Key::Index(Constant::String(name)) => Some(name),
                Key::Index(_) => None,
            };
            if let Some(name) = name {
                let is_member = self.is_member(place);
                if is_member && is_output_member(&python_name(name))
                    || !is_member && self.may_be_missing(place, step)
                {
                    return false;
                }
            }
            place = self.behind(place, step);
        }
        true
    }

    /// The place behind a step. Nothing makes dicts of the parts of a result of a function.
    fn behind(&self, place: Place, step: &Step) -> Place {
        let is_flat = place.is_flat && !types::is_result(self.document, place.ty);
        Place { ty: types::content(self.document, step.ty), is_flat, is_component: false }
    }

    /// Returns true if parts of a value are members, and not entries.
    fn is_member(&self, place: Place) -> bool {
        let document = self.document;
        place.is_component
            || types::is_resource(document, place.ty)
            || types::is_result(document, place.ty)
            || types::is_object_of_schema(document, place.ty) && !place.is_flat
    }

    /// Returns true if an entry of a dict may be missing that is null in the language.
    fn may_be_missing(&self, place: Place, step: &Step) -> bool {
        let document = self.document;
        types::any(document, place.ty, |ty| matches!(ty, Type::Object(_)))
            && (types::may_be_null(document, step.ty)
                || types::is_object_of_schema(document, place.ty))
    }

    /// A step into a value that is known.
    fn access(&mut self, id: Id, place: Place, step: &Step) -> Id {
        let document = self.document;
        let name = match &step.key {
            Key::Name(name) | Key::Index(Constant::String(name)) => name,
            Key::Index(constant) => {
                let key = self.constant(constant);
                return self.tree.index(id, key);
            }
        };
        if place.is_component {
            return self.tree.member(id, attribute(name));
        }
        if self.is_member(place) {
            return self.tree.member(id, python_name(name));
        }
        match self.shared.component_types.find(place.ty, document) {
            Found::No => {}
            Found::Component => return self.tree.member(id, attribute(name)),
            Found::Perhaps => {
                let [key, own] = [name, &attribute(name)].map(|name| self.tree.text(name));
                return self.help(Helper::Member, [id, key, own]);
            }
        }
        let is_schema = types::is_object_of_schema(document, place.ty);
        let key = if is_schema { python_name(name) } else { name.clone() };
        if self.may_be_missing(place, step) {
            let key = self.tree.text(key);
            return self.tree.method(id, "get", [key]);
        }
        self.tree.entry(id, &key)
    }

    /// Code as an index of a list.
    pub fn as_index(&mut self, id: Id, index: ExpressionIndex) -> Id {
        if self.is_integral(index) || matches!(self.tree.node(id), Node::Text(_)) {
            return id;
        }
        self.tree.call("int", [id])
    }
}

/// Returns true for the names of members that outputs have themselves.
fn is_output_member(name: &str) -> bool {
    matches!(
        name,
        "all"
            | "apply"
            | "concat"
            | "format"
            | "from_input"
            | "future"
            | "get"
            | "is_known"
            | "is_secret"
            | "json_dumps"
            | "json_loads"
            | "recover"
            | "resources"
            | "secret"
            | "unsecret"
    ) || name.starts_with('_')
}
