//! Names and steps from them.

use pcl::document::{
    Constant, ExpressionIndex, Key, OtherReference, Reference, Step, Traversal, VariableRole,
};
use pcl_codegen::{Limit, property_path};

use crate::helper::Helper;
use crate::module::{Value, Writer};
use crate::names::{exported, field, resource_field};
use crate::source::object_of;
use crate::syntax::Expr;
use crate::types::{Kind, Named, Ty};
use crate::value::{constant_value, record};

impl Writer<'_> {
    pub fn traversal(&mut self, index: ExpressionIndex, traversal: &Traversal) -> Value {
        let document = self.document;
        let mut steps = &traversal.steps[..];
        let start = match &traversal.reference {
            Reference::Node(node) => match self.nodes.get(node) {
                Some(value) => value.clone(),
                None => {
                    let message = format!("`{}` is not there", traversal.name);
                    return self.fail(Limit::Unbound, index, message);
                }
            },
            Reference::Variable(variable) => match document.variable(*variable).role {
                VariableRole::Range => {
                    let (key, value) = self.range.clone().unwrap_or((Value::null(), Value::null()));
                    match steps.split_first() {
                        Some((step, rest)) => {
                            steps = rest;
                            if step.key == Key::Name("key".to_owned()) { key } else { value }
                        }
                        None => record(vec![("key".to_owned(), key), ("value".to_owned(), value)]),
                    }
                }
                VariableRole::Supplied if !self.variables.contains_key(variable) => {
                    return self.supplied(&traversal.name, steps);
                }
                _ => match self.variables.get(variable) {
                    Some(value) => value.clone(),
                    None => {
                        let message = format!("there is no variable `{}`", traversal.name);
                        return self.fail(Limit::Unbound, index, message);
                    }
                },
            },
            Reference::Constant(constant) => constant_value(constant),
            Reference::Other(OtherReference::Property) => {
                let path = property_path(&traversal.name, steps);
                return Value::new(Expr::quoted(&path), Ty::Text);
            }
            Reference::Other(OtherReference::Keyword) => {
                return Value::new(Expr::quoted(&traversal.name), Ty::Text);
            }
            Reference::Other(OtherReference::Undefined) => {
                let message = format!("there is no variable `{}`", traversal.name);
                return self.fail(Limit::Unbound, index, message);
            }
        };
        self.steps(start, steps)
    }

    /// Steps into the arguments of a hook, whose inputs and outputs may be missing.
    fn supplied(&mut self, name: &str, steps: &[Step]) -> Value {
        let mut value = Value::text(name, Ty::Any);
        for (at, step) in steps.iter().enumerate() {
            let key = match &step.key {
                Key::Name(name) | Key::Index(Constant::String(name)) => name.clone(),
                Key::Index(other) => other.to_string(),
            };
            if at > 0 {
                value = self.step(value, &step.key);
                continue;
            }
            value = match key.as_str() {
                "id" => Value::text(format!("{name}.ID"), Ty::Id),
                "urn" => Value::text(format!("{name}.URN"), Ty::Urn),
                "name" => Value::text(format!("{name}.Name"), Ty::Text),
                "type" => {
                    let text = Expr::call("string", [Expr::text(format!("{name}.Type"))]);
                    Value::new(text, Ty::Text)
                }
                key => {
                    let map = Expr::text(format!("{name}.{}", exported(key)));
                    Value::new(map.method("Mappable", []), Ty::map(Ty::Any))
                }
            };
        }
        value
    }

    /// A value and the steps from it. Steps into an output go into its value.
    pub fn steps(&mut self, start: Value, steps: &[Step]) -> Value {
        let mut value = start;
        let mut rest = steps;
        while let Some((step, later)) = rest.split_first() {
            if value.ty.is_output() {
                let hint = hint(&value.expr);
                return self.apply_one(value, &hint, |writer, value| writer.steps(value, rest));
            }
            value = self.step(value, &step.key);
            rest = later;
        }
        value
    }

    /// A step into a value that is known.
    fn step(&mut self, value: Value, key: &Key) -> Value {
        let constant = match key {
            Key::Name(name) => Constant::String(name.clone()),
            Key::Index(constant) => constant.clone(),
        };
        let position = match &constant {
            Constant::Number(number) => number.to_i64(),
            Constant::String(text) => text.parse().ok(),
            _ => None,
        };
        let name = match &constant {
            Constant::String(text) => text.clone(),
            other => other.to_string(),
        };
        match value.ty.clone() {
            Ty::Pointer(inner) => self.step_behind(value, (*inner).clone(), key),
            Ty::Named(named) => match self.member_of(&value, &named, &name) {
                Some(member) => member,
                None => self.at_key(value, &constant),
            },
            Ty::List(element) if position.is_some_and(|at| at >= 0) => {
                let at = position.unwrap_or_default();
                let is_empty = matches!(value.expr, Expr::Composite { .. });
                let value = if is_empty { self.hoist("list", value) } else { value };
                Value::new(value.expr.index(Expr::text(at.to_string())), (*element).clone())
            }
            Ty::Record(entries) if entries.iter().any(|(known, _)| *known == name) => {
                self.entry_of(&value, &name)
            }
            Ty::Map(element) => self.map_entry(value, Expr::quoted(&name), (*element).clone()),
            _ => self.at_key(value, &constant),
        }
    }

    /// An entry of a map, which has to be there inside of `try` and `can`.
    pub fn map_entry(&mut self, value: Value, key: Expr, element: Ty) -> Value {
        if self.attempts == 0 {
            return Value::new(value.expr.index(key), element);
        }
        let call = Expr::call(Helper::Entry.name(), [value.expr, key]);
        self.hoist_call("entry", call, element)
    }

    /// The entry of a record that is known.
    pub fn entry_of(&mut self, record: &Value, name: &str) -> Value {
        let Ty::Record(entries) = &record.ty else {
            return Value::null();
        };
        let found = entries.iter().find(|(known, _)| known == name);
        let own = found.map_or(Ty::Any, |(_, ty)| ty.clone());
        let whole = record.ty.entry().unwrap_or(Ty::Any);
        let entry = record.expr.clone().index(Expr::quoted(name));
        if whole == Ty::Any && !matches!(own, Ty::Any | Ty::Null | Ty::Never) {
            if own.has_nil() {
                // What is `nil` has no type in a map.
                let name = self.names_take(name);
                let call = entry.assert(own.text());
                let names = vec![name.clone(), "_".to_owned()];
                self.emit(crate::syntax::Stmt::Define { names, value: call, is_new: true });
                return Value::text(name, own);
            }
            return Value::new(entry.assert(own.text()), own);
        }
        Value::new(entry, own)
    }

    /// An element of a value of any type.
    fn at_key(&mut self, value: Value, key: &Constant) -> Value {
        let key = constant_value(key);
        let call = Expr::call(Helper::At.name(), [value.expr, key.expr]);
        self.hoist_call("element", call, Ty::Any)
    }

    /// A step into a value that may be missing: what it leads to is missing as well.
    fn step_behind(&mut self, value: Value, inner: Ty, key: &Key) -> Value {
        let source = self.simple("pointer", value);
        let is_struct = matches!(&inner, Ty::Named(named) if named.kind == Kind::Struct);
        let reached = if is_struct {
            Value::new(source.expr.clone(), inner)
        } else {
            Value::new(Expr::unary("*", source.expr.clone()), inner)
        };
        let (body, part) = self.block(|writer| writer.step(reached, key));
        let ty = part.ty.clone().nullable();
        let (body, part) = self.resumed(body, |writer| writer.coerce(part, &ty));
        let name = self.names_take("part");
        let condition = Expr::binary("!=", source.expr, Expr::nil());
        self.choose(&name, &ty.text(), condition, (body, part), (Vec::new(), Expr::nil()));
        Value::text(name, ty)
    }

    /// A property of a struct, a resource or a component.
    fn member_of(&mut self, value: &Value, named: &Named, name: &str) -> Option<Value> {
        let document = self.document;
        let source = value.expr.clone();
        match named.kind {
            Kind::Component(at) => {
                let ty = self.component_outputs(at).into_iter().find(|(known, ..)| known == name);
                match (ty, name) {
                    (Some((_, field, ty)), _) => Some(Value::new(source.member(field), ty)),
                    (None, "urn") => {
                        Some(Value::new(source.method("URN", []), Ty::output(Ty::Urn)))
                    }
                    _ => None,
                }
            }
            Kind::Resource => {
                let class = named.name.rsplit('.').next().unwrap_or_default();
                match name {
                    "id" => return Some(Value::new(source.method("ID", []), Ty::output(Ty::Id))),
                    "urn" => {
                        return Some(Value::new(source.method("URN", []), Ty::output(Ty::Urn)));
                    }
                    _ => {}
                }
                let object = object_of(document, named)?;
                let property = document.property(object, name)?;
                let own = self.types().property(property);
                let field = source.member(resource_field(class, name));
                Some(Value::new(field, Ty::output(own)))
            }
            Kind::Struct => {
                let object = object_of(document, named)?;
                let property = document.property(object, name)?;
                let own = self.types().property(property);
                Some(Value::new(source.member(field(name)), own))
            }
            Kind::Enum(_) | Kind::Args => None,
        }
    }

    /// The outputs of a component: their names, fields and types.
    pub fn component_outputs(&mut self, at: usize) -> Vec<(String, String, Ty)> {
        let document = self.document;
        let Some(component) = document.components.get(at) else { return Vec::new() };
        let mut names = crate::names::names();
        for taken in [
            "URN",
            "ID",
            "GetProvider",
            "PulumiResourceName",
            "PulumiResourceType",
            "ResourceState",
        ] {
            names.take_exactly(taken);
        }
        let mut outputs = Vec::new();
        for node in &component.module.nodes {
            let pcl::document::Body::Output { value } = &node.body else { continue };
            let own = node.logical_name();
            let name = exported(own);
            let ty = match value {
                Some(value) if pcl_codegen::types::is_dynamic(document, node.ty) => {
                    document.expression(*value).ty
                }
                _ => node.ty,
            };
            let ty = self.types().value(ty);
            let ty = Ty::output(ty.resolved());
            outputs.push((own.to_owned(), names.take_exactly(&name), ty));
        }
        outputs
    }
}

/// A name for the value of an expression.
pub(crate) fn hint(expr: &Expr) -> String {
    match expr {
        Expr::Text(text) if text.starts_with(|c: char| c.is_ascii_alphabetic()) => {
            text.rsplit('.').next().unwrap_or_default().to_owned()
        }
        Expr::Selector(_, name) => name.clone(),
        Expr::Index(source, _) | Expr::Assert(source, _) => match &**source {
            Expr::Call { callee, .. } => match &**callee {
                Expr::Selector(source, name) if name == "ApplyT" => hint(source),
                other => hint(other),
            },
            other => hint(other),
        },
        Expr::Call { callee, .. } => match &**callee {
            Expr::Selector(_, name) => name.clone(),
            _ => "value".to_owned(),
        },
        _ => "value".to_owned(),
    }
}
