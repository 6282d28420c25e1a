//! Names and steps from them.

use pcl::document::{
    Body, Constant, ExpressionIndex, Key, OtherReference, Reference, Step, Traversal, VariableRole,
};
use pcl_codegen::{Limit, property_path};

use crate::module::{Value, Writer};
use crate::names::{property, resource_property};
use crate::source::object_of;
use crate::syntax::Expr;
use crate::types::{Kind, Named, Ty, record_entry};
use crate::value::constant_value;

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
                        None => {
                            self.record(vec![("key".to_owned(), key), ("value".to_owned(), value)])
                        }
                    }
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
            Ty::Nullable(inner) | Ty::Optional(inner) => {
                self.step_behind(value, (*inner).clone(), key)
            }
            Ty::Named(named) => match self.member_of(&value, &named, &name) {
                Some(member) => member,
                None => self.at_key(value, &constant),
            },
            Ty::List(element) if position.is_some_and(|at| at >= 0) => {
                let at = Expr::text(position.unwrap_or_default().to_string());
                Value::new(value.expr.method("get", [at]), (*element).clone())
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
            return Value::new(value.expr.method("get", [key]), element);
        }
        Value::new(Expr::call("Helpers.entryAt", [value.expr, key]), element)
    }

    /// The entry of a record that is known.
    pub fn entry_of(&mut self, record: &Value, name: &str) -> Value {
        let Ty::Record(entries) = &record.ty else {
            return Value::null();
        };
        let found = entries.iter().find(|(known, _)| known == name);
        let own = found.map_or(Ty::Any, |(_, ty)| ty.clone());
        let whole = record_entry(entries);
        let entry = record.expr.clone().method("get", [Expr::quoted(name)]);
        if whole == Ty::Any && !matches!(own, Ty::Any | Ty::Null | Ty::Never) {
            return match own.present() {
                // Java does not know what is in a collection.
                Ty::List(_) | Ty::Map(_) | Ty::Record(_) | Ty::Output(_) | Ty::Either(..) => {
                    let cast =
                        Expr::text("Helpers").method(&format!("<{}>cast", own.text()), [entry]);
                    Value::new(cast, own)
                }
                _ => Value::new(entry.cast(own.text()), own),
            };
        }
        Value::new(entry, own)
    }

    /// An element of a value of any type.
    fn at_key(&mut self, value: Value, key: &Constant) -> Value {
        let key = constant_value(key);
        Value::new(Expr::call("Helpers.at", [value.expr, key.expr]), Ty::Any)
    }

    /// A step into a value that may be missing: what it leads to is missing as well.
    fn step_behind(&mut self, value: Value, inner: Ty, key: &Key) -> Value {
        // Reading a property of a resource that is not there fails.
        let is_resource = matches!(&inner, Ty::Named(named) if named.kind != Kind::Object);
        if self.attempts > 0 || is_resource {
            let present = match &value.ty {
                Ty::Optional(_) => value.expr.method("orElseThrow", []),
                _ => value.expr,
            };
            return self.step(Value::new(present, inner), key);
        }
        let source = match &value.ty {
            Ty::Optional(_) => value.expr,
            _ => Expr::call("Optional.ofNullable", [value.expr]),
        };
        let count = self.locals();
        let name = self.local("present");
        let mut result = Ty::Any;
        let (function, _) = self.function(&name, |writer| {
            let part = writer.step(Value::text(&name, inner), key);
            result = part.ty.clone();
            part
        });
        self.release(count);
        match result {
            Ty::Optional(_) => Value::new(source.method("flatMap", [function]), result),
            Ty::Nullable(_) => {
                let inner = result.present().clone();
                Value::new(source.method("map", [function]), Ty::Optional(std::rc::Rc::new(inner)))
            }
            result => {
                Value::new(source.method("map", [function]), Ty::Optional(std::rc::Rc::new(result)))
            }
        }
    }

    /// A property of an object, a resource or a component.
    pub fn member_of(&mut self, value: &Value, named: &Named, name: &str) -> Option<Value> {
        let document = self.document;
        let source = value.expr.clone();
        match named.kind {
            Kind::Component(at) => {
                let found =
                    self.component_outputs(at).into_iter().find(|(known, ..)| known == name);
                match (found, name) {
                    (Some((_, method, ty)), _) => Some(Value::new(source.method(&method, []), ty)),
                    (None, "urn") => {
                        Some(Value::new(source.method("urn", []), Ty::output(Ty::Text)))
                    }
                    _ => None,
                }
            }
            Kind::Resource => {
                if let "id" | "urn" = name {
                    return Some(Value::new(source.method(name, []), Ty::output(Ty::Text)));
                }
                if named.name.ends_with("StackReference") && name == "outputs" {
                    let outputs = source.method("outputs", []);
                    return Some(Value::new(outputs, Ty::output(Ty::map(Ty::Any))));
                }
                let object = object_of(document, named)?;
                let known = document.property(object, name)?;
                let is_built_in = named.member.is_some_and(|member| {
                    document.member(member).package == crate::package::BUILT_IN
                });
                let own = if is_built_in {
                    self.types().property(known).present().clone()
                } else {
                    self.types().resource_property(known)
                };
                let getter = source.method(&resource_property(name), []);
                Some(Value::new(getter, Ty::output(own)))
            }
            Kind::Object => {
                let object = object_of(document, named)?;
                let known = document.property(object, name)?;
                let own = self.types().property(known);
                Some(Value::new(source.method(&property(name), []), own))
            }
            Kind::Enum(_) | Kind::Inputs { .. } => None,
        }
    }

    /// The outputs of a component: their names, methods and types.
    pub fn component_outputs(&mut self, at: usize) -> Vec<(String, String, Ty)> {
        let document = self.document;
        let Some(component) = document.components.get(at) else { return Vec::new() };
        let mut names = crate::names::names();
        let mut outputs = Vec::new();
        for node in &component.module.nodes {
            let Body::Output { value } = &node.body else { continue };
            let own = node.logical_name();
            let ty = match value {
                Some(value) if pcl_codegen::types::is_dynamic(document, node.ty) => {
                    document.expression(*value).ty
                }
                _ => node.ty,
            };
            let ty = self.types().value(ty);
            let ty = Ty::output(ty.resolved());
            let name = names.take(own);
            outputs.push((own.to_owned(), resource_property(&name), ty));
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
        Expr::Field(_, name) => name.clone(),
        Expr::Call { name, source, .. } => match (source, name.as_str()) {
            (Some(source), "applyValue" | "apply" | "get" | "asSecret") => hint(source),
            (Some(_), name) if !name.contains('<') => name.trim_end_matches('_').to_owned(),
            _ => "value".to_owned(),
        },
        _ => "value".to_owned(),
    }
}
