//! Conversions of values to other types.

use std::rc::Rc;

use pcl_codegen::Limit;

use crate::module::{Value, Writer};
use crate::place::Place;
use crate::syntax::{Expr, Stmt};
use crate::types::{Kind, Named, Ty};

impl Writer<'_> {
    /// A value as one of another type.
    pub fn coerce(&mut self, value: Value, to: &Ty) -> Expr {
        let Value { expr, ty } = value;
        if ty == *to {
            return expr;
        }
        match (&ty, to) {
            (Ty::Null, Ty::Output(_)) => {
                Expr::call("Output.ofNullable", [expr.cast(to.content().text())])
            }
            (Ty::Null, _) => Expr::null(),
            (Ty::Output(own), Ty::Output(other)) => self.coerce_output(expr, own, other),
            (Ty::Output(_), Ty::Any) => expr,
            (Ty::Output(_), to) => self.refuse_output(to),
            (_, Ty::Output(content)) => self.as_output(Value::new(expr, ty), content),
            (Ty::Optional(inner), to) => {
                let own = (**inner).clone().nullable();
                let value = Value::new(expr.method("orElse", [Expr::null()]), own);
                self.coerce(value, to)
            }
            (Ty::Nullable(own), to) => {
                let own = (**own).clone();
                self.behind_null(expr, own, to)
            }
            (_, Ty::Nullable(other)) => self.coerce(Value::new(expr, ty), &(**other).clone()),
            (_, Ty::Any) => as_any(expr, &ty),
            (Ty::Either(left, right), to) => {
                let functions = [left, right].map(|side| {
                    let count = self.locals();
                    let name = self.local("side");
                    let own = Value::text(&name, (**side).clone());
                    let (function, _) = self
                        .function(&name, |writer| Value::new(writer.coerce(own, to), to.clone()));
                    self.release(count);
                    function
                });
                expr.method(&format!("<{}>either", to.text()), functions)
            }
            (_, Ty::Either(left, right)) => {
                let is_left = goes_left(&ty, left, right);
                let side = if is_left { left } else { right };
                let part = self.coerce(Value::new(expr, ty), &(**side).clone());
                let text = format!("<{}, {}>", left.text(), right.text());
                let name = if is_left { "ofLeft" } else { "ofRight" };
                Expr::text("Either").method(&format!("{text}{name}"), [part])
            }
            _ => self.coerce_known(Value::new(expr, ty), to),
        }
    }

    /// A value that is known and is not null as one of another such type.
    fn coerce_known(&mut self, value: Value, to: &Ty) -> Expr {
        let Value { expr, ty } = value;
        if matches!(ty, Ty::Never) || ty.text() == to.text() && ty != Ty::Any {
            return expr;
        }
        if let (Ty::Archive, Ty::Asset) = (&ty, to) {
            return expr;
        }
        let own = ty.underlying();
        // An enumeration is the simple value behind it.
        if own != ty {
            return self.coerce(Value::new(expr.method("getValue", []), own), to);
        }
        if let Ty::Named(named) = to
            && let Kind::Enum(simple) = named.kind
        {
            let value = self.coerce(Value::new(expr, ty), &simple.ty());
            let values = Expr::text(&named.name).method("values", []);
            let getter = Expr::text(format!("{}::getValue", named.name));
            return Expr::call("Helpers.enumOf", [values, getter, value]);
        }
        if let Some(simple) = simple(&expr, &ty, to) {
            return simple;
        }
        if let (Ty::Named(named), true) = (to, matches!(ty, Ty::Record(_) | Ty::Map(_) | Ty::Any)) {
            return match named.kind {
                Kind::Inputs { .. } => self.entries_in(Value::new(expr, ty), named),
                _ => expr.cast("Object").cast(to.text()),
            };
        }
        if let (Ty::Named(own), Ty::Named(named)) = (&ty, to)
            && own.kind == Kind::Object
            && matches!(named.kind, Kind::Inputs { .. })
        {
            return self.object_as_inputs(Value::new(expr, ty.clone()), named);
        }
        match (&ty, to) {
            (Ty::List(own), Ty::List(other)) if own.holds_outputs() || is_typed(other) => {
                self.coerce_items(Value::new(expr, ty.clone()), other)
            }
            (_, Ty::Map(other))
                if ty.holds_outputs() || is_typed(other) && ty.entry().is_some() =>
            {
                self.coerce_entries(Value::new(expr, ty.clone()), other)
            }
            _ if ty.holds_outputs() => self.refuse_output(to),
            _ => convert(expr, to),
        }
    }

    /// A list whose elements become others one by one.
    fn coerce_items(&mut self, value: Value, to: &Ty) -> Expr {
        let own = value.ty.element().unwrap_or(Ty::Any);
        let to = to.clone();
        let count = self.locals();
        let item = self.local("item");
        let (mut body, part) = self.block(|writer| writer.coerce(Value::text(&item, own), &to));
        let name = self.names_take("items");
        self.emit(Stmt::define(&name, Expr::new(format!("ArrayList<{}>", to.text()), [])));
        body.push(Stmt::Evaluate(Expr::text(&name).method("add", [part])));
        self.emit(Stmt::For { name: item, over: value.expr, body });
        self.release(count);
        Expr::text(name)
    }

    /// A map whose entries become others one by one.
    fn coerce_entries(&mut self, value: Value, to: &Ty) -> Expr {
        let own = value.ty.entry().unwrap_or(Ty::Any);
        let to = to.clone();
        let count = self.locals();
        let entry = self.local("entry");
        let read = Expr::text(&entry).method("getValue", []);
        let (mut body, part) = self.block(|writer| writer.coerce(Value::new(read, own), &to));
        let name = self.names_take("entries");
        let new = Expr::new(format!("LinkedHashMap<String, {}>", to.text()), []);
        self.emit(Stmt::define(&name, new));
        let key = Expr::text(&entry).method("getKey", []);
        body.push(Stmt::Evaluate(Expr::text(&name).method("put", [key, part])));
        let over = value.expr.method("entrySet", []);
        self.emit(Stmt::For { name: entry, over, body });
        self.release(count);
        Expr::text(name)
    }

    /// Code that fails in the place of an output where Java needs the value.
    fn refuse_output(&mut self, to: &Ty) -> Expr {
        let message = "the SDK takes no output here";
        let limit = self.at.map(|place| Limit::Output.at(place, message).without_loss());
        self.unsupported.extend(limit);
        self.failure(message, to.clone()).expr
    }

    /// A value that may be null, as one of a type.
    fn behind_null(&mut self, expr: Expr, own: Ty, to: &Ty) -> Expr {
        let wanted = to.present().clone();
        if own.text() == wanted.text() || own == Ty::Archive && wanted == Ty::Asset {
            return expr;
        }
        if !own.holds_outputs() && !matches!(wanted, Ty::Named(_)) && !matches!(own, Ty::Named(_)) {
            // What converts any values leaves null as it is.
            return if wanted == Ty::Any { as_any(expr, &own) } else { convert(expr, &wanted) };
        }
        let source = self.simple("present", Value::new(expr, own.clone().nullable()));
        let inner = Value::new(source.expr.clone(), own);
        let (body, inner) = self.block(|writer| writer.coerce(inner, &wanted));
        let condition = Expr::binary("!=", source.expr, Expr::null());
        let missing = (Vec::new(), Expr::null());
        self.choose("value", wanted.nullable(), condition, (body, inner), missing).expr
    }

    /// A value that is known as an output.
    pub fn as_output(&mut self, value: Value, content: &Ty) -> Expr {
        if value.ty.holds_outputs() {
            if let (Ty::List(own), Ty::List(element)) = (&value.ty, content)
                && **own == Ty::output((**element).clone())
            {
                return Expr::call("Output.all", [value.expr]);
            }
            let own = value.ty.resolved();
            let resolve = format!("<{}>resolve", own.text());
            let output = Expr::text("Helpers").method(&resolve, [value.expr]);
            return self.coerce_output(output, &own, content);
        }
        let is_nullable = value.ty.may_be_null() || content.may_be_null();
        let expr = self.coerce(value, content);
        if is_nullable && !expr.is_present() {
            let expr = if expr.is_null() { expr.cast(content.text()) } else { expr };
            return Expr::call("Output.ofNullable", [expr]);
        }
        output_of("of", expr, content)
    }

    /// An output of one type as an output of another type.
    pub fn coerce_output(&mut self, expr: Expr, own: &Ty, to: &Ty) -> Expr {
        if own.text() == to.text() {
            return expr;
        }
        if let (Ty::Any, false) = (to, is_typed_inside(own)) {
            return expr;
        }
        if let Ty::Nullable(inner) = to
            && inner.text() == own.text()
        {
            return expr;
        }
        if let Ty::Either(left, right) = to
            && !matches!(own, Ty::Optional(_) | Ty::Nullable(_) | Ty::Either(..))
        {
            let is_left = goes_left(own, left, right);
            let side = if is_left { left } else { right };
            let part = self.coerce_output(expr, own, side);
            let name = if is_left { "ofLeft" } else { "ofRight" };
            let name = format!("<{}, {}>{name}", left.text(), right.text());
            return Expr::text("Output").method(&name, [part]);
        }
        let to = to.clone();
        let source = Value::new(expr, Ty::output(own.clone()));
        self.apply_one(source, "value", |writer, value| {
            let expr = writer.coerce(value, &to);
            Value::new(expr, to)
        })
        .expr
    }

    /// A map of any values as inputs of a class.
    fn entries_in(&mut self, value: Value, named: &Rc<Named>) -> Expr {
        let source = match &value.ty {
            Ty::Any => Value::new(convert(value.expr, &Ty::map(Ty::Any)), Ty::map(Ty::Any)),
            _ => value,
        };
        let source = self.simple("source", source);
        let known: Option<Vec<String>> = match &source.ty {
            Ty::Record(entries) => Some(entries.iter().map(|(name, _)| name.clone()).collect()),
            _ => None,
        };
        self.inputs_of_parts(named, |writer, name| match &known {
            Some(names) if !names.iter().any(|known| known == name) => None,
            Some(_) => Some(writer.entry_of(&source, name)),
            None => {
                let entry = source.expr.clone().method("get", [Expr::quoted(name)]);
                Some(Value::new(entry, source.ty.entry().unwrap_or(Ty::Any).nullable()))
            }
        })
    }

    /// An object that a provider gives, as inputs of the same type.
    fn object_as_inputs(&mut self, value: Value, named: &Rc<Named>) -> Expr {
        let source = self.simple("source", value);
        let Ty::Named(own) = source.ty.clone() else { return source.expr };
        self.inputs_of_parts(named, |writer, name| writer.member_of(&source, &own, name))
    }

    /// Inputs of a class, each made of the part that has its name.
    fn inputs_of_parts(
        &mut self,
        named: &Rc<Named>,
        part: impl Fn(&mut Self, &str) -> Option<Value>,
    ) -> Expr {
        let built = self.deeper(|writer| {
            let document = writer.document;
            let object = crate::source::object_of(document, named)?;
            let mut setters = Vec::new();
            for property in document.properties(object) {
                let Some(value) = part(writer, &property.name) else { continue };
                let place = writer.property_place(&Place::around(named), property);
                let value = writer.fit(value, &place);
                setters.push((Vec::new(), crate::names::property(&property.name), value.expr));
            }
            Some(builder(&named.name, setters))
        });
        match built {
            Some(Some(expr)) => expr,
            _ => {
                self.failure("types nested this deeply are left out", Ty::Named(Rc::clone(named)))
                    .expr
            }
        }
    }
}

/// A setter of a builder: the comments above it, its name and its value.
pub(crate) type Setter = (Vec<String>, String, Expr);

/// `class.builder().name(value).build()`
pub(crate) fn builder(class: &str, setters: Vec<Setter>) -> Expr {
    let start = Expr::text(class).method("builder", []);
    let add = |source: Expr, (comments, name, value): Setter| Expr::Call {
        source: Some(Box::new(source)),
        name,
        arguments: vec![value],
        comments,
    };
    setters.into_iter().fold(start, add).method("build", [])
}

/// `Output.of(value)`, with the type where Java would find another one.
pub(crate) fn output_of(function: &str, expr: Expr, content: &Ty) -> Expr {
    let needs_type =
        content.holds_any() || matches!(content, Ty::List(_) | Ty::Map(_) | Ty::Record(_));
    let name = if needs_type && *content != Ty::Any {
        format!("<{}>{function}", content.text())
    } else {
        function.to_owned()
    };
    Expr::text("Output").method(&name, [expr])
}

/// Returns true if values of a type belong on the left side of an `Either`.
pub(crate) fn goes_left(own: &Ty, left: &Ty, right: &Ty) -> bool {
    let own = own.present();
    let fits = |side: &Ty| match (own, side) {
        (own, side) if own == side => 4,
        (Ty::Named(own), Ty::Named(side)) if own.member.is_some() && own.member == side.member => 3,
        (Ty::Record(entries), Ty::Named(_)) if !entries.is_empty() => 3,
        (Ty::Record(_) | Ty::Map(_), Ty::Map(_) | Ty::Named(_)) => 2,
        (Ty::List(_), Ty::List(_)) => 3,
        (Ty::Int, Ty::Float) => 3,
        (own, side) if own.underlying() == *side => 3,
        (own, side) if *own == side.underlying() => 2,
        (own, side) if own.is_simple() && side.is_simple() => 1,
        _ => 0,
    };
    fits(left) >= fits(right)
}

/// A value that is known, and its parts, as values that Pulumi's SDK sends.
fn as_any(expr: Expr, ty: &Ty) -> Expr {
    if is_typed_inside(ty) { Expr::call("Helpers.plain", [expr]) } else { expr }
}

/// Returns true if a type has objects of packages in it.
pub(crate) fn is_typed_inside(ty: &Ty) -> bool {
    match ty {
        Ty::Named(named) => named.kind == Kind::Object,
        Ty::List(part) | Ty::Map(part) | Ty::Nullable(part) => is_typed_inside(part),
        Ty::Optional(_) | Ty::Either(..) => true,
        Ty::Record(entries) => entries.iter().any(|(_, ty)| is_typed_inside(ty)),
        _ => false,
    }
}

/// Returns true for types that no conversion of any values makes.
fn is_typed(ty: &Ty) -> bool {
    match ty {
        Ty::Named(_) | Ty::Either(..) | Ty::Output(_) => true,
        Ty::List(part) | Ty::Map(part) | Ty::Nullable(part) | Ty::Optional(part) => is_typed(part),
        _ => false,
    }
}

/// Any value as one of a type.
fn convert(expr: Expr, to: &Ty) -> Expr {
    match to {
        Ty::Text => Expr::call("Helpers.toText", [expr]),
        Ty::Int => Expr::call("Helpers.toInteger", [expr]),
        Ty::Float => Expr::call("Helpers.toDouble", [expr]),
        Ty::Bool => Expr::call("Helpers.toBoolean", [expr]),
        Ty::Nullable(inner) => convert(expr, inner),
        Ty::List(element) => Expr::call("Helpers.toList", [expr, converter(element)]),
        Ty::Map(entry) => Expr::call("Helpers.toMap", [expr, converter(entry)]),
        Ty::Record(entries) => {
            let entry = crate::types::record_entry(entries);
            Expr::call("Helpers.toMap", [expr, converter(&entry)])
        }
        Ty::Any | Ty::Null | Ty::Never => expr,
        other => expr.cast("Object").cast(other.text()),
    }
}

/// A function that makes values of a type of any values.
fn converter(to: &Ty) -> Expr {
    match to {
        Ty::Text => Expr::text("Helpers::toText"),
        Ty::Int => Expr::text("Helpers::toInteger"),
        Ty::Float => Expr::text("Helpers::toDouble"),
        Ty::Bool => Expr::text("Helpers::toBoolean"),
        Ty::Nullable(inner) => converter(inner),
        Ty::Any | Ty::Null | Ty::Never => Expr::text("Helpers::toAny"),
        other => {
            let part = convert(Expr::text("part"), other);
            Expr::lambda("part", part)
        }
    }
}

/// Conversions between simple types that cannot fail.
fn simple(expr: &Expr, from: &Ty, to: &Ty) -> Option<Expr> {
    let expr = expr.clone();
    Some(match (from, to) {
        (Ty::Int, Ty::Float) => match &expr {
            Expr::Text(text)
                if text.trim_start_matches('-').bytes().all(|it| it.is_ascii_digit()) =>
            {
                Expr::text(format!("{text}.0"))
            }
            _ => expr.cast("double"),
        },
        (Ty::Float, Ty::Int) => expr.cast("double").cast("int"),
        (Ty::Int | Ty::Bool, Ty::Text) => Expr::call("String.valueOf", [expr]),
        (Ty::Text, Ty::Bool) => Expr::quoted("true").method("equals", [expr]),
        _ => return None,
    })
}
