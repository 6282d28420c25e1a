//! Values: expressions of the language as expressions of Java, with the statements that they need.

use pcl::document::{
    Constant, Document, ExpressionIndex, ExpressionKind, ObjectItem, Reference, UnaryOperator,
};
use pcl_codegen::Limit;
use rustc_hash::FxHashSet;

use crate::module::{Value, Writer};
use crate::place::Place;
use crate::syntax::{Expr, Stmt, quote};
use crate::types::{Ty, unify};

/// The depth up to which expressions are translated.
const MAX_DEPTH: usize = 100;

impl<'d> Writer<'d> {
    /// The code of a value.
    pub fn value(&mut self, root: ExpressionIndex) -> Value {
        self.at = Some(self.document.expression(root).range);
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
        let ty = if ty == Ty::Null { Ty::Any } else { ty };
        let call = Expr::text("Helpers")
            .method(&format!("<{}>notImplemented", ty.text()), [Expr::quoted(message)]);
        Value::new(call, ty)
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
                let join = Expr::call("String.join", [Expr::quoted(""), list]);
                Value::new(join, Ty::Text)
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
                self.conditional(*condition, [*if_true, *if_false], None)
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
                return self.operand_in(value, &Place::Plain(to));
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
        let mut texts = texts.iter().map(|text| text.replace('%', "%%"));
        format.push_str(&texts.next().unwrap_or_default());
        let mut arguments = Vec::new();
        for (value, text) in values.into_iter().zip(texts) {
            format.push_str("%s");
            format.push_str(&text);
            arguments.push(match value.ty {
                Ty::Int | Ty::Bool | Ty::Text => value.expr,
                _ => self.coerce(value, &Ty::Text),
            });
        }
        arguments.insert(0, Expr::Text(quote(&format)));
        Value::new(Expr::call("String.format", arguments), Ty::Text)
    }

    /// One value or another; as it is in a place, if there is one.
    pub fn conditional(
        &mut self,
        condition: ExpressionIndex,
        branches: [ExpressionIndex; 2],
        place: Option<&Place>,
    ) -> Value {
        let condition = self.operand(condition);
        let condition = self.coerce(condition, &Ty::Bool);
        let [(body, own), (otherwise, other)] = branches.map(|branch| {
            self.block(|writer| match place {
                Some(place) => writer.operand_in(branch, place),
                None => writer.operand(branch),
            })
        });
        let ty = match unify(&own.ty, &other.ty) {
            Ty::Null => Ty::Any,
            ty => ty,
        };
        let (body, own) = self.resumed(body, |writer| writer.coerce(own, &ty));
        let (otherwise, other) = self.resumed(otherwise, |writer| writer.coerce(other, &ty));
        self.choose("value", ty, condition, (body, own), (otherwise, other))
    }

    /// One value or another: an expression, or a variable.
    pub fn choose(
        &mut self,
        hint: &str,
        ty: Ty,
        condition: Expr,
        (mut body, own): (Vec<Stmt>, Expr),
        (mut otherwise, other): (Vec<Stmt>, Expr),
    ) -> Value {
        // Java would read a number that is missing.
        let is_safe =
            !matches!(&ty, Ty::Nullable(inner) if inner.is_simple() && **inner != Ty::Text);
        if body.is_empty() && otherwise.is_empty() && is_safe {
            return Value::new(Expr::conditional(condition, own, other), ty);
        }
        let name = self.names_take(hint);
        body.push(Stmt::assign(&name, own));
        otherwise.push(Stmt::assign(&name, other));
        self.emit(Stmt::Define { ty: ty.text(), name: name.clone(), value: None });
        self.emit(Stmt::If { condition, body, otherwise });
        Value::text(name, ty)
    }

    pub fn tuple(&mut self, elements: &[ExpressionIndex]) -> Value {
        let values: Vec<Value> = elements.iter().map(|&element| self.operand(element)).collect();
        let ty = values.iter().fold(Ty::Never, |ty, value| unify(&ty, &value.ty));
        let ty = if ty == Ty::Null { Ty::Any } else { ty };
        let mut items = Vec::new();
        let is_nullable = values.iter().any(|value| value.ty.may_be_null());
        for value in values {
            items.push(self.coerce(value, &ty));
        }
        Value::new(list_of(items, is_nullable), Ty::list(ty))
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
            return self.record(entries);
        }
        let all = entries.iter().map(|(_, value)| value);
        let all = all.chain(computed.iter().map(|(_, value)| value));
        let element = all.fold(Ty::Never, |ty, value| unify(&ty, &value.ty));
        let element = if matches!(element, Ty::Null | Ty::Never) { Ty::Any } else { element };
        let entries = entries.into_iter().map(|(name, value)| (Expr::quoted(&name), value));
        let mut pairs = Vec::new();
        for (key, value) in entries.chain(computed).collect::<Vec<_>>() {
            pairs.push((key, self.coerce(value, &element)));
        }
        self.filled_map(pairs, element)
    }

    /// A map with entries whose keys are computed: of equal ones, the last counts.
    pub fn filled_map(&mut self, pairs: Vec<(Expr, Expr)>, element: Ty) -> Value {
        let name = self.names_take("entries");
        let ty = Ty::map(element);
        let new = Expr::new(format!("LinkedHashMap<String, {}>", entry_text(&ty)), []);
        self.emit(Stmt::define(&name, new));
        for (key, value) in pairs {
            self.emit(Stmt::Evaluate(Expr::text(&name).method("put", [key, value])));
        }
        Value::text(name, ty)
    }

    /// A map with these entries.
    pub fn record(&mut self, entries: Vec<(String, Value)>) -> Value {
        let types = entries.iter().map(|(name, value)| {
            let ty = if value.ty == Ty::Null { Ty::Any } else { value.ty.clone() };
            (name.clone(), ty)
        });
        let mut types: Vec<(String, Ty)> = types.collect();
        types.sort_by(|a, b| a.0.cmp(&b.0));
        let ty = Ty::record(types);
        let is_nullable = entries.iter().any(|(_, value)| value.ty.may_be_null());
        let entries = entries.into_iter().map(|(name, value)| (name, value.expr)).collect();
        Value::new(map_of(entries, is_nullable), ty)
    }
}

/// The type of the entries of a map, in code.
pub(crate) fn entry_text(ty: &Ty) -> String {
    ty.entry().unwrap_or(Ty::Any).text()
}

/// `List.of(items)`
pub(crate) fn list_of(items: Vec<Expr>, is_nullable: bool) -> Expr {
    let function = if is_nullable && !items.is_empty() { "Arrays.asList" } else { "List.of" };
    // One value that is null would be no list.
    if let [only] = &items[..]
        && only.is_null()
    {
        return Expr::call("Collections.singletonList", items);
    }
    Expr::call(function, items)
}

/// `Map.of("key", value)`, and what it is with several entries, or with some that are null.
pub(crate) fn map_of(entries: Vec<(String, Expr)>, is_nullable: bool) -> Expr {
    let entry = |function: &str, (name, value): (String, Expr)| {
        Expr::call(function, [Expr::quoted(&name), value])
    };
    if entries.is_empty() {
        return Expr::call("Map.of", []);
    }
    if is_nullable {
        let entries: Vec<Expr> =
            entries.into_iter().map(|it| entry("Helpers.entryOf", it)).collect();
        return Expr::call("Helpers.mapOf", entries);
    }
    if entries.len() == 1 {
        let mut all = entries.into_iter();
        return all.next().map_or_else(Expr::null, |it| entry("Map.of", it));
    }
    let entries: Vec<Expr> = entries.into_iter().map(|it| entry("Map.entry", it)).collect();
    Expr::call("Map.ofEntries", entries)
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
        Constant::Number(number) => match number.to_i64().map(i32::try_from) {
            Some(Ok(whole)) if !number.is_negative_zero() => {
                Value::text(whole.to_string(), Ty::Int)
            }
            _ => Value::new(float(number.to_f64()), Ty::Float),
        },
    }
}

/// A number that is not whole, or too large.
pub(crate) fn float(value: f64) -> Expr {
    if !value.is_finite() {
        let name = if value < 0.0 { "NEGATIVE_INFINITY" } else { "POSITIVE_INFINITY" };
        return Expr::text(format!("Double.{name}"));
    }
    Expr::text(format!("{value:?}"))
}
