//! Computations on values that are known later, on several of them by `Output.tuple`.

use pcl::document::{ApplyArgument, ExpressionIndex, ExpressionKind, Reference};

use crate::module::{Value, Writer};
use crate::syntax::{Expr, quote};
use crate::traversal::hint;
use crate::types::Ty;

/// The most values that a tuple of Pulumi's SDK has.
const MAX_TUPLE: usize = 8;

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
            // It is there at once in Java.
            let name = self.document.variable(argument.parameter).name.clone();
            let value = self.simple(&name, value);
            self.variables.insert(argument.parameter, value);
        }
        if late.is_empty() {
            return self.operand(body);
        }
        if let Some(template) = self.interpolation(&late, body) {
            return template;
        }
        let parameters: Vec<_> = late.iter().map(|(argument, _)| argument.parameter).collect();
        let values = late.into_iter().map(|(_, value)| value).collect();
        let hint = parameters.first().map(|&parameter| self.document.variable(parameter));
        let hint = hint.map(|variable| variable.name.clone()).unwrap_or_default();
        self.apply_values(values, &hint, |writer, values| {
            for (&parameter, value) in parameters.iter().zip(values) {
                writer.variables.insert(parameter, value);
            }
            writer.operand(body)
        })
    }

    /// `source.applyValue(name -> ..)`
    pub fn apply_one(
        &mut self,
        source: Value,
        hint: &str,
        write: impl FnOnce(&mut Self, Value) -> Value,
    ) -> Value {
        let content = source.ty.content().clone();
        let count = self.locals();
        let name = self.local(hint);
        let range = self.range.clone();
        let (function, ty) = self.function(&name, |writer| {
            // A value that is missing is null, whatever the type says.
            let value = write(writer, Value::text(&name, content));
            writer.returned(value)
        });
        self.range = range;
        self.release(count);
        applied(source.expr, function, ty)
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

    /// A computation on the values of several outputs; the hint is for the name of a single one.
    pub fn apply_values(
        &mut self,
        sources: Vec<Value>,
        one: &str,
        write: impl FnOnce(&mut Self, Vec<Value>) -> Value,
    ) -> Value {
        if let [only] = &sources[..] {
            let one = if one.is_empty() { hint(&only.expr) } else { one.to_owned() };
            let only = only.clone();
            return self.apply_one(only, &one, |writer, value| write(writer, vec![value]));
        }
        let count = self.locals();
        let all = self.local("values");
        let range = self.range.clone();
        let is_deep = sources.len() > MAX_TUPLE;
        let (mut tuples, mut values) = (Vec::new(), Vec::new());
        for (group, members) in sources.chunks(MAX_TUPLE).enumerate() {
            for (at, value) in members.iter().enumerate() {
                let path = if is_deep {
                    format!("{all}.t{}.t{}", group + 1, at + 1)
                } else {
                    format!("{all}.t{}", at + 1)
                };
                values.push(Value::text(path, value.ty.content().clone()));
            }
            let members: Vec<Expr> = members.iter().map(|value| value.expr.clone()).collect();
            tuples.push(match &members[..] {
                // A tuple of one value has no function.
                [only] => Expr::call("Output.tuple", [only.clone(), only.clone()]),
                _ => Expr::call("Output.tuple", members),
            });
        }
        let tuple = if is_deep {
            Expr::call("Output.tuple", tuples)
        } else {
            tuples.pop().unwrap_or_else(Expr::null)
        };
        let (function, ty) = self.function(&all, |writer| {
            let value = write(writer, values);
            writer.returned(value)
        });
        self.range = range;
        self.release(count);
        applied(tuple, function, ty)
    }

    /// A template of outputs, if its parts are no more than texts: `Output.format(..)`.
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
            if !matches!(value.ty.content(), Ty::Text | Ty::Int) {
                return None;
            }
            format.push_str("%s");
            arguments.push(value.expr.clone());
        }
        if format == "%s" {
            return None;
        }
        arguments.insert(0, Expr::Text(quote(&format)));
        Some(Value::new(Expr::call("Output.format", arguments), Ty::output(Ty::Text)))
    }
}

/// The result of a function of the value of an output.
fn applied(source: Expr, function: Expr, ty: Ty) -> Value {
    let content = ty.content().clone();
    let method = if ty.is_output() { "apply" } else { "applyValue" };
    let needs_type = match content.present() {
        Ty::Any | Ty::List(_) | Ty::Map(_) | Ty::Record(_) | Ty::Either(..) => true,
        _ => matches!(content, Ty::Nullable(_) | Ty::Optional(_)),
    };
    let method =
        if needs_type { format!("<{}>{method}", content.text()) } else { method.to_owned() };
    Value::new(source.method(&method, [function]), Ty::output(content))
}
