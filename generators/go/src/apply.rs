//! Computations on values that are known later, on several of them by `pulumi.All`.

use pcl::document::{ApplyArgument, ExpressionIndex, ExpressionKind, Reference};

use crate::module::{Value, Writer};
use crate::syntax::{Expr, Stmt, mentions};
use crate::traversal::hint;
use crate::types::{Ty, class, has_class};

impl Writer<'_> {
    /// A computation on values that are known later.
    pub fn apply(&mut self, arguments: &[ApplyArgument], body: ExpressionIndex) -> Value {
        let mut late: Vec<(ApplyArgument, Value)> = Vec::new();
        for &argument in arguments {
            let value = self.operand(argument.value);
            if value.ty.is_output() {
                late.push((argument, value));
                continue;
            }
            if value.ty.holds_outputs() {
                let ty = Ty::output(value.ty.resolved());
                let expr = self.coerce(value, &ty);
                late.push((argument, Value::new(expr, ty)));
                continue;
            }
            // It is there at once in Go.
            let name = self.document.variable(argument.parameter).name.clone();
            let value = self.simple(&name, value);
            self.variables.insert(argument.parameter, value);
        }
        match &late[..] {
            [] => self.operand(body),
            [(argument, value)] => {
                if let Some(template) = self.interpolation(&late, body) {
                    return template;
                }
                let (parameter, value) = (argument.parameter, value.clone());
                let name = self.document.variable(parameter).name.clone();
                let name = if name.is_empty() { hint(&value.expr) } else { name };
                self.hide_for(body);
                self.apply_one(value, &name, |writer, value| {
                    writer.variables.insert(parameter, value);
                    writer.operand(body)
                })
            }
            _ => match self.interpolation(&late, body) {
                Some(template) => template,
                None => self.apply_all(late, body),
            },
        }
    }

    /// `source.ApplyT(func(name T) U { .. }).(UOutput)`
    pub fn apply_one(
        &mut self,
        source: Value,
        hint: &str,
        write: impl FnOnce(&mut Self, Value) -> Value,
    ) -> Value {
        let content = source.ty.content().clone();
        let count = self.locals();
        let name = self.local(hint);
        self.used = None;
        let is_typed = has_class(&content);
        let parameter = if is_typed { content.text() } else { "any".to_owned() };
        let range = self.range.clone();
        let (function, ty) = self.function(format!("{name} {parameter}"), false, |writer| {
            let own = if is_typed {
                Value::text(&name, content)
            } else {
                let cast = Expr::text(&name).assert(content.text());
                let typed = writer.names_take(&name);
                let names = vec![typed.clone(), "_".to_owned()];
                let names = if content.has_nil() { names } else { vec![typed.clone()] };
                writer.emit(Stmt::Define { names, value: cast, is_new: true });
                Value::text(typed, content)
            };
            let value = write(writer, own);
            writer.returned(value)
        });
        self.range = range;
        self.release(count);
        let result = class(ty.content());
        Value::new(
            source.expr.method("ApplyT", [function]).assert(result),
            Ty::output(ty.content().clone()),
        )
    }

    /// A result of a function: an output if a part of it is one.
    fn returned(&mut self, value: Value) -> Value {
        if value.ty.is_output() || !value.ty.holds_outputs() {
            return value;
        }
        let ty = Ty::output(value.ty.resolved());
        let expr = self.coerce(value, &ty);
        Value::new(expr, ty)
    }

    fn apply_all(&mut self, late: Vec<(ApplyArgument, Value)>, body: ExpressionIndex) -> Value {
        let count = self.locals();
        let all = self.local("all");
        let range = self.range.clone();
        let mut sources = Vec::new();
        let (function, ty) = self.function(format!("{all} []any"), false, |writer| {
            let mut bound = Vec::new();
            for (at, (argument, value)) in late.into_iter().enumerate() {
                let content = value.ty.content().clone();
                let own = writer.document.variable(argument.parameter).name.clone();
                let name = if own.is_empty() { hint(&value.expr) } else { own };
                writer.hide_for(body);
                let name = writer.local(&name);
                writer.used = None;
                let cast = Expr::text(&all).index(Expr::text(at.to_string()));
                bound.push((name.clone(), cast, content.clone()));
                writer.variables.insert(argument.parameter, Value::text(name, content));
                sources.push(value.expr);
            }
            let (statements, value) = writer.block(|writer| {
                let value = writer.operand(body);
                writer.returned(value)
            });
            let last = [Stmt::Return(vec![value.expr.clone()])];
            for (name, cast, ty) in bound {
                if !mentions(&statements, &name) && !mentions(&last, &name) {
                    continue;
                }
                let names = if ty.has_nil() { vec![name, "_".to_owned()] } else { vec![name] };
                let cast = match ty {
                    Ty::Any | Ty::Null | Ty::Never => {
                        let [name, ..] = &names[..] else { continue };
                        writer.emit(Stmt::define([name], cast));
                        continue;
                    }
                    ty => cast.assert(ty.text()),
                };
                writer.emit(Stmt::Define { names, value: cast, is_new: true });
            }
            statements.into_iter().for_each(|statement| writer.emit(statement));
            value
        });
        self.range = range;
        self.release(count);
        let result = class(ty.content());
        let all = Expr::call("pulumi.All", sources);
        Value::new(
            all.method("ApplyT", [function]).assert(result),
            Ty::output(ty.content().clone()),
        )
    }

    /// A template of outputs, if its parts are no more than texts: `pulumi.Sprintf(..)`.
    fn interpolation(
        &mut self,
        late: &[(ApplyArgument, Value)],
        body: ExpressionIndex,
    ) -> Option<Value> {
        let document = self.document;
        let ExpressionKind::Template { parts } = &document.expression(body).kind else {
            return None;
        };
        let mut format = String::new();
        let mut arguments = Vec::new();
        for &part in parts {
            if let Some(text) = document.literal_string(part) {
                format.push_str(&text.replace('%', "%%"));
                continue;
            }
            let ExpressionKind::Traversal(traversal) = &document.expression(part).kind else {
                return None;
            };
            let is_it = |(argument, _): &&(ApplyArgument, Value)| {
                traversal.reference == Reference::Variable(argument.parameter)
            };
            let value = match late.iter().find(is_it) {
                Some((_, value)) if traversal.steps.is_empty() => value,
                _ => return None,
            };
            match value.ty.content() {
                Ty::Text | Ty::Id | Ty::Urn => format.push_str("%s"),
                Ty::Int => format.push_str("%d"),
                _ => return None,
            }
            arguments.push(value.expr.clone());
        }
        if format.len() == 2 && arguments.len() == 1 {
            return None;
        }
        arguments.insert(0, Expr::quoted(&format));
        Some(Value::new(Expr::call("pulumi.Sprintf", arguments), Ty::output(Ty::Text)))
    }
}
