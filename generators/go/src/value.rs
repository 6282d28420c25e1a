//! Values: expressions of the language as expressions of Go, with the statements that they need.

use pcl::document::{
    Constant, Document, ExpressionIndex, ExpressionKind, ObjectItem, Reference, UnaryOperator,
};
use pcl_codegen::Limit;
use rustc_hash::FxHashSet;

use crate::helper::Helper;
use crate::module::{Value, Writer};
use crate::place::Place;
use crate::syntax::{Expr, Item, Stmt};
use crate::types::{Ty, unify};

/// The depth up to which expressions are translated.
const MAX_DEPTH: usize = 100;

impl<'d> Writer<'d> {
    /// The code of a value.
    pub fn value(&mut self, root: ExpressionIndex) -> Value {
        self.refuel(root);
        self.operand(root)
    }

    /// Allows as many steps as the value has parts, and some that are written twice.
    pub fn refuel(&mut self, root: ExpressionIndex) {
        if self.depth == 0 {
            self.fuel = 1_000 + 16 * self.document.walk(root).len();
        }
    }

    /// Runs a step one level deeper; `None` if that is too deep.
    pub fn deeper<R>(&mut self, step: impl FnOnce(&mut Self) -> R) -> Option<R> {
        if self.depth >= MAX_DEPTH || self.fuel == 0 {
            return None;
        }
        self.fuel -= 1;
        self.depth += 1;
        let result = step(self);
        self.depth -= 1;
        Some(result)
    }

    /// The code of a part of a value.
    pub fn operand(&mut self, index: ExpressionIndex) -> Value {
        let result = self.deeper(|writer| writer.expression(index));
        match result {
            Some(value) => value,
            None => self.fail(Limit::Depth, index, "expressions nested this deeply are left out"),
        }
    }

    /// Code that fails when it runs, in the place of what cannot be translated.
    pub fn fail(&mut self, limit: Limit, at: ExpressionIndex, message: impl Into<String>) -> Value {
        let message = message.into();
        let place = self.document.expression(at).range;
        let known = limit.at(place, message.clone()).without_loss();
        if !self.unsupported.contains(&known) {
            self.unsupported.push(known);
        }
        let ty = self.document.expression(at).ty;
        let ty = self.types().value(ty);
        self.failure(&message, ty)
    }

    /// A call that fails when it runs.
    pub fn failure(&mut self, message: &str, ty: Ty) -> Value {
        let function = format!("{}[{}]", Helper::NotImplemented.name(), ty.text());
        let call = Expr::call(function, [Expr::quoted(message)]);
        self.hoist_call("value", call, ty)
    }

    fn expression(&mut self, index: ExpressionIndex) -> Value {
        let document = self.document;
        let expression = document.expression(index);
        if let Some(constant) = document.literal(index) {
            return constant_value(constant);
        }
        match &expression.kind {
            ExpressionKind::Literal { value } => constant_value(value),
            ExpressionKind::Template { parts } => self.template(parts),
            ExpressionKind::TemplateJoin { value } => {
                let list = self.operand(*value);
                let list = self.coerce(list, &Ty::list(Ty::Text));
                Value::new(Expr::call("strings.Join", [list, Expr::quoted("")]), Ty::Text)
            }
            ExpressionKind::Unary { operator, operand } => {
                let value = self.operand(*operand);
                match operator {
                    UnaryOperator::Negate => {
                        let value = self.number(value);
                        Value::new(Expr::unary("-", value.expr), value.ty)
                    }
                    UnaryOperator::Not => {
                        let value = self.coerce(value, &Ty::Bool);
                        Value::new(Expr::unary("!", value), Ty::Bool)
                    }
                }
            }
            ExpressionKind::Binary { operator, left, right } => {
                self.binary(*operator, *left, *right)
            }
            ExpressionKind::Conditional { condition, if_true, if_false } => {
                self.conditional(*condition, *if_true, *if_false)
            }
            ExpressionKind::Tuple { elements } => self.tuple(elements),
            ExpressionKind::Object { items } => self.object(items),
            ExpressionKind::Index { collection, key } => self.index(*collection, *key),
            ExpressionKind::For(each) => self.for_each(each, None),
            ExpressionKind::Traversal(traversal) => self.traversal(index, traversal),
            ExpressionKind::RelativeTraversal { source, steps } => {
                let value = self.operand(*source);
                self.steps(value, steps)
            }
            ExpressionKind::Splat { source, item, each, .. } => {
                self.splat(*source, *item, *each, None)
            }
            ExpressionKind::Call(call) => self.call(index, call),
            ExpressionKind::Apply { arguments, body } => self.apply(arguments, *body),
            ExpressionKind::Convert { value } => self.converted(*value, expression.ty),
            ExpressionKind::Error => self.fail(Limit::Unbound, index, "this did not bind"),
        }
    }

    /// A value as one of another type of the language.
    fn converted(&mut self, value: ExpressionIndex, ty: pcl::document::TypeIndex) -> Value {
        let document = self.document;
        let wanted = pcl_codegen::types::wanted(document, ty);
        let to = self.types().value(wanted);
        if pcl_codegen::is_written(document, value) && !to.is_output() && !to.holds_outputs() {
            let is_apart = matches!(
                document.expression(document.unconverted(value)).kind,
                ExpressionKind::Object { .. }
            );
            // Objects get the form of their place later.
            if !is_apart {
                let expr = self.operand_in(value, &Place::Plain(to.clone()));
                return Value::new(expr, to);
            }
        }
        let value = self.operand(value);
        if value.ty.is_output() {
            let to = Ty::output(to.content().resolved());
            let expr = self.coerce(value, &to);
            return Value::new(expr, to);
        }
        if to.is_output() || value.ty.holds_outputs() || !is_changed(&value.ty, &to) {
            return value;
        }
        let expr = self.coerce(value, &to);
        Value::new(expr, to)
    }

    /// Returns true if null is written as the value.
    pub fn is_null(&self, index: ExpressionIndex) -> bool {
        match &self.document.expression(self.document.unconverted(index)).kind {
            ExpressionKind::Literal { value } => *value == Constant::Null,
            ExpressionKind::Traversal(traversal) => {
                traversal.reference == Reference::Constant(Constant::Null)
            }
            _ => false,
        }
    }

    fn template(&mut self, parts: &[ExpressionIndex]) -> Value {
        let mut texts = vec![String::new()];
        let mut values = Vec::new();
        for &part in parts {
            if let (Some(text), Some(last)) = (self.document.literal_string(part), texts.last_mut())
            {
                last.push_str(text);
                continue;
            }
            values.push(self.operand(part));
            texts.push(String::new());
        }
        self.formatted(&texts, values)
    }

    /// A text with values in it.
    pub fn formatted(&mut self, texts: &[String], values: Vec<Value>) -> Value {
        if values.is_empty() {
            return Value::new(Expr::quoted(&texts.concat()), Ty::Text);
        }
        let is_bare = values.len() == 1 && texts.iter().all(String::is_empty);
        if let ([value], true) = (&values[..], is_bare) {
            let expr = self.coerce(value.clone(), &Ty::Text);
            return Value::new(expr, Ty::Text);
        }
        let mut format = String::new();
        let mut arguments = Vec::new();
        let mut texts = texts.iter().map(|text| text.replace('%', "%%"));
        format.push_str(&texts.next().unwrap_or_default());
        for (value, text) in values.into_iter().zip(texts) {
            match value.ty {
                Ty::Int => {
                    format.push_str("%d");
                    arguments.push(value.expr);
                }
                Ty::Bool => {
                    format.push_str("%t");
                    arguments.push(value.expr);
                }
                _ => {
                    format.push_str("%s");
                    arguments.push(self.coerce(value, &Ty::Text));
                }
            }
            format.push_str(&text);
        }
        arguments.insert(0, Expr::quoted(&format));
        Value::new(Expr::call("fmt.Sprintf", arguments), Ty::Text)
    }

    fn conditional(
        &mut self,
        condition: ExpressionIndex,
        if_true: ExpressionIndex,
        if_false: ExpressionIndex,
    ) -> Value {
        let condition = self.operand(condition);
        let condition = self.coerce(condition, &Ty::Bool);
        let (body, own) = self.block(|writer| writer.operand(if_true));
        let (otherwise, other) = self.block(|writer| writer.operand(if_false));
        let ty = match unify(&own.ty, &other.ty) {
            Ty::Null => Ty::Any,
            ty => ty,
        };
        let (body, own) = self.resumed(body, |writer| writer.coerce(own, &ty));
        let (otherwise, other) = self.resumed(otherwise, |writer| writer.coerce(other, &ty));
        let name = self.names_take("value");
        self.choose(&name, &ty.text(), condition, (body, own), (otherwise, other));
        Value::text(name, ty)
    }

    /// A variable that has one value or another.
    pub fn choose(
        &mut self,
        name: &str,
        ty: &str,
        condition: Expr,
        (mut body, own): (Vec<Stmt>, Expr),
        (mut otherwise, other): (Vec<Stmt>, Expr),
    ) {
        body.push(Stmt::assign(name, own));
        let is_literal = |expr: &Expr| match expr {
            Expr::Text(text) => text.starts_with('"') || text == "true" || text == "false",
            _ => false,
        };
        let mut declared = Stmt::Declare { name: name.to_owned(), ty: ty.to_owned(), value: None };
        if otherwise.is_empty() && other.is_nil() {
            // It is `nil` at first.
        } else if otherwise.is_empty() && is_literal(&other) && ["string", "bool"].contains(&ty) {
            declared = Stmt::define([name], other);
        } else {
            otherwise.push(Stmt::assign(name, other));
        }
        self.emit(declared);
        self.emit(Stmt::If { condition, body, otherwise });
    }

    pub fn tuple(&mut self, elements: &[ExpressionIndex]) -> Value {
        let values: Vec<Value> = elements.iter().map(|&element| self.operand(element)).collect();
        let ty = values.iter().fold(Ty::Never, |ty, value| unify(&ty, &value.ty));
        let ty = if ty == Ty::Null { Ty::Any } else { ty };
        let list = Ty::list(ty.clone());
        let mut items = Vec::new();
        for value in values {
            items.push(self.coerce(value, &ty));
        }
        let is_short = items.len() <= 8 && items.iter().all(|item| matches!(item, Expr::Text(_)));
        let items: Vec<Item> = items.into_iter().map(Item::of).collect();
        let expr = Expr::Composite { ty: list.text(), items, on_lines: !is_short };
        Value::new(expr, list)
    }

    fn object(&mut self, items: &[ObjectItem]) -> Value {
        let document = self.document;
        let mut entries: Vec<(String, Value)> = Vec::new();
        let mut computed: Vec<(Expr, Value)> = Vec::new();
        for item in counted(document, items) {
            match document.key_text(item.key) {
                Some(name) => {
                    let value = self.operand(item.value);
                    entries.push((name.into_owned(), value));
                }
                None => {
                    let key = self.operand(item.key);
                    let key = self.coerce(key, &Ty::Text);
                    computed.push((key, self.operand(item.value)));
                }
            }
        }
        if computed.is_empty() {
            return record(entries);
        }
        let all = entries.iter().map(|(_, value)| value);
        let all = all.chain(computed.iter().map(|(_, value)| value));
        let element = all.fold(Ty::Never, |ty, value| unify(&ty, &value.ty));
        let element = if matches!(element, Ty::Null | Ty::Never) { Ty::Any } else { element };
        let mut items = Vec::new();
        for (name, value) in entries {
            let value = self.coerce(value, &element);
            items.push(Item::keyed(crate::syntax::quoted(&name), value));
        }
        let ty = Ty::map(element.clone());
        let map = Expr::Composite { ty: ty.text(), items, on_lines: true };
        let map = self.hoist("entries", Value::new(map, ty));
        for (key, value) in computed {
            let value = self.coerce(value, &element);
            self.emit(Stmt::Assign { target: map.expr.clone().index(key), value });
        }
        map
    }
}

/// The entries of an object that count: of equal keys, that is the last one.
pub(crate) fn counted<'i>(document: &Document, items: &'i [ObjectItem]) -> Vec<&'i ObjectItem> {
    let mut later = FxHashSet::default();
    let is_last =
        |item: &&ObjectItem| document.key_text(item.key).is_none_or(|key| later.insert(key));
    let mut found: Vec<_> = items.iter().rev().filter(is_last).collect();
    found.reverse();
    found
}

/// A map with these entries.
pub(crate) fn record(entries: Vec<(String, Value)>) -> Value {
    let types = entries.iter().map(|(name, value)| {
        let ty = if value.ty == Ty::Null { Ty::Any } else { value.ty.clone() };
        (name.clone(), ty)
    });
    let mut types: Vec<(String, Ty)> = types.collect();
    types.sort_by(|a, b| a.0.cmp(&b.0));
    let ty = Ty::record(types);
    let item =
        |(name, value): (String, Value)| Item::keyed(crate::syntax::quoted(&name), value.expr);
    let items: Vec<Item> = entries.into_iter().map(item).collect();
    let on_lines = !items.is_empty();
    Value::new(Expr::Composite { ty: ty.text(), items, on_lines }, ty)
}

/// Returns true if a conversion to another type makes another value.
fn is_changed(from: &Ty, to: &Ty) -> bool {
    match (from, to) {
        (_, Ty::Any) | (Ty::Null, _) => false,
        (Ty::Record(_), Ty::Named(_)) => false,
        _ => from.text() != to.text(),
    }
}

/// The code of a constant.
pub(crate) fn constant_value(constant: &Constant) -> Value {
    match constant {
        Constant::Null => Value::null(),
        Constant::Bool(value) => Value::text(value.to_string(), Ty::Bool),
        Constant::String(text) => Value::new(Expr::quoted(text), Ty::Text),
        Constant::Number(number) => match number.to_i64() {
            Some(whole) if !number.is_negative_zero() => {
                let text = whole.to_string();
                match text.strip_prefix('-') {
                    Some(text) => Value::new(Expr::unary("-", Expr::text(text)), Ty::Int),
                    None => Value::text(text, Ty::Int),
                }
            }
            _ => Value::new(float(number.to_f64()), Ty::Float),
        },
    }
}

/// A number that is not whole, or too large.
fn float(value: f64) -> Expr {
    if !value.is_finite() {
        let sign = if value < 0.0 { "-1" } else { "1" };
        return Expr::call("math.Inf", [Expr::text(sign)]);
    }
    if value == 0.0 && value.is_sign_negative() {
        return Expr::call("math.Copysign", [Expr::text("0"), Expr::text("-1")]);
    }
    let mut text = format!("{value:?}").replace("e", "e+").replace("e+-", "e-");
    if !text.contains(['.', 'e']) {
        text.push_str(".0");
    }
    match text.strip_prefix('-') {
        Some(text) => Expr::unary("-", Expr::text(text)),
        None => Expr::text(text),
    }
}
