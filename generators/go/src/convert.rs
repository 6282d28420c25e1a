//! Conversions of values to other types.

use pcl_codegen::Limit;

use crate::helper::Helper;
use crate::module::{Value, Writer};
use crate::place::Place;
use crate::syntax::{Expr, Item, Stmt};
use crate::types::{Kind, Ty, class, has_class, stem};

impl Writer<'_> {
    /// A value as one of another type.
    pub fn coerce(&mut self, value: Value, to: &Ty) -> Expr {
        let Value { expr, ty } = value;
        if ty == *to {
            return expr;
        }
        match (&ty, to) {
            (_, Ty::Input(content)) => self.as_input(Value::new(expr, ty), content, false),
            (Ty::Null, to) if to.has_nil() && !to.is_output() => Expr::nil(),
            (Ty::Null, Ty::Output(content)) => self.missing_output(content),
            (Ty::Output(own), Ty::Output(other)) => self.coerce_output(expr, own, other),
            (Ty::Output(_), Ty::Any) => expr,
            (Ty::Output(_), to) => self.refuse_output(to),
            (_, Ty::Output(content)) => self.as_output(Value::new(expr, ty), content),
            (_, Ty::Any) => self.as_any(Value::new(expr, ty)),
            (Ty::Pointer(own), to) => {
                let own = (**own).clone();
                self.behind_pointer(expr, own, to)
            }
            (own, Ty::Pointer(other)) => {
                let other = (**other).clone();
                let value = self.coerce(Value::new(expr, own.clone()), &other);
                self.address(value, &other)
            }
            _ => self.coerce_known(Value::new(expr, ty), to),
        }
    }

    /// A value that is known and is no pointer as one of another such type.
    fn coerce_known(&mut self, value: Value, to: &Ty) -> Expr {
        let Value { expr, ty } = value;
        if ty.text() == to.text() && !matches!((&ty, to), (Ty::Any | Ty::Null | Ty::Never, _)) {
            return expr;
        }
        match (&ty, to) {
            (Ty::Archive, Ty::Asset) => return expr,
            (Ty::Text, Ty::Id | Ty::Urn) => return Expr::call(to.text(), [expr]),
            (Ty::Id | Ty::Urn, Ty::Id | Ty::Urn) => return Expr::call(to.text(), [expr]),
            _ => {}
        }
        let own = ty.underlying();
        // An enumeration, or an id, is the simple value behind it.
        if own != ty {
            let expr = Expr::call(own.text(), [expr]);
            return self.coerce(Value::new(expr, own), to);
        }
        if let Ty::Named(named) = to
            && let Kind::Enum(simple) = named.kind
        {
            let value = self.coerce(Value::new(expr, ty), &simple.ty());
            return Expr::call(to.text(), [value]);
        }
        if let Some(simple) = simple(&expr, &ty, to) {
            return simple;
        }
        if let (Ty::Record(_), Ty::Named(named)) = (&ty, to) {
            return self.record_in(Value::new(expr, ty), named, &Place::Plain(to.clone()));
        }
        match (&ty, to) {
            (Ty::Text, Ty::Int) => {
                self.hoist_call("number", Expr::call("strconv.Atoi", [expr]), Ty::Int).expr
            }
            (Ty::Text, Ty::Float) => {
                let call = Expr::call("strconv.ParseFloat", [expr, Expr::text("64")]);
                self.hoist_call("number", call, Ty::Float).expr
            }
            (Ty::Record(own), Ty::Record(other)) => {
                let source = self.simple("source", Value::new(expr, ty.clone()));
                let mut items = Vec::new();
                for (name, wanted) in other.iter() {
                    let is_known = own.iter().any(|(known, _)| known == name);
                    let part = if is_known { self.entry_of(&source, name) } else { Value::null() };
                    let part = self.coerce(part, wanted);
                    items.push(Item::keyed(crate::syntax::quoted(name), part));
                }
                Expr::Composite { ty: to.text(), items, on_lines: true }
            }
            _ if ty.holds_outputs() => self.coerce_parts(Value::new(expr, ty), to),
            _ => {
                let call = Expr::call(format!("{}[{}]", Helper::To.name(), to.text()), [expr]);
                self.hoist_call("value", call, to.clone()).expr
            }
        }
    }

    /// A collection with outputs in it as one of another type.
    fn coerce_parts(&mut self, value: Value, to: &Ty) -> Expr {
        match (value.ty.element(), to.element(), value.ty.entry(), to.entry()) {
            (Some(own), Some(other), ..) => {
                let item = self.local("item");
                let (mut body, part) =
                    self.block(|writer| writer.coerce(Value::text(&item, own), &other));
                let name = self.names_take("items");
                let list = Expr::Composite { ty: to.text(), items: Vec::new(), on_lines: false };
                self.emit(Stmt::define([&name], list));
                let added = Expr::call("append", [Expr::text(&name), part]);
                body.push(Stmt::assign(&name, added));
                let key = String::new();
                self.emit(Stmt::Range { key, value: item, over: value.expr, body });
                Expr::text(name)
            }
            (.., Some(own), Some(other)) => {
                let (key, item) = (self.local("key"), self.local("item"));
                let (mut body, part) =
                    self.block(|writer| writer.coerce(Value::text(&item, own), &other));
                let name = self.names_take("entries");
                let map = Expr::Composite { ty: to.text(), items: Vec::new(), on_lines: false };
                self.emit(Stmt::define([&name], map));
                let target = Expr::text(&name).index(Expr::text(&key));
                body.push(Stmt::Assign { target, value: part });
                self.emit(Stmt::Range { key, value: item, over: value.expr, body });
                Expr::text(name)
            }
            _ => self.refuse_output(to),
        }
    }

    /// Code that fails in the place of an output where Go needs the value.
    fn refuse_output(&mut self, to: &Ty) -> Expr {
        let message = "the SDK takes no output here";
        let limit = self.at.map(|place| Limit::Output.at(place, message).without_loss());
        self.unsupported.extend(limit);
        self.failure(message, to.clone()).expr
    }

    fn as_any(&mut self, value: Value) -> Expr {
        let Value { expr, ty } = value;
        match &ty {
            Ty::Pointer(_) => Expr::call(Helper::OrNil.name(), [expr]),
            ty if ty.underlying() != *ty => Expr::call(ty.underlying().text(), [expr]),
            _ => expr,
        }
    }

    /// The value that a pointer leads to, as one of a type.
    fn behind_pointer(&mut self, expr: Expr, own: Ty, to: &Ty) -> Expr {
        if let Ty::Pointer(other) = to
            && own.underlying() == own
            && other.text() == own.text()
        {
            return expr;
        }
        if !to.has_nil() {
            let ty = own.clone();
            let call = Expr::call(Helper::Present.name(), [expr]);
            let value = self.hoist_call("value", call, ty);
            return self.coerce(value, to);
        }
        let source = self.simple("pointer", Value::new(expr, own.clone().nullable()));
        let inner = Value::new(Expr::unary("*", source.expr.clone()), own);
        let (body, inner) = self.block(|writer| writer.coerce(inner, to));
        let name = self.names_take("value");
        let condition = Expr::binary("!=", source.expr, Expr::nil());
        self.choose(&name, &to.text(), condition, (body, inner), (Vec::new(), Expr::nil()));
        Expr::text(name)
    }

    /// A pointer to a value.
    pub fn address(&mut self, value: Expr, ty: &Ty) -> Expr {
        let reference = match ty {
            Ty::Text => Some("pulumi.StringRef"),
            Ty::Bool => Some("pulumi.BoolRef"),
            Ty::Int => Some("pulumi.IntRef"),
            Ty::Float => Some("pulumi.Float64Ref"),
            _ => None,
        };
        if let Some(reference) = reference {
            return Expr::call(reference, [value]);
        }
        if matches!(value, Expr::Composite { .. }) {
            return Expr::unary("&", value);
        }
        let variable = self.hoist("value", Value::new(value, ty.clone()));
        Expr::unary("&", variable.expr)
    }

    /// An output that is null.
    fn missing_output(&mut self, content: &Ty) -> Expr {
        match content {
            Ty::Pointer(inner) if is_builtin(inner) => {
                let from = Expr::call(format!("{}PtrFromPtr", stem(inner)), [Expr::nil()]);
                from.method(&format!("To{}PtrOutput", short(inner)), [])
            }
            content => {
                let nil = Expr::call(format!("({})", content.text()), [Expr::nil()]);
                let nil =
                    if matches!(content, Ty::Any) { Expr::call("any", [Expr::nil()]) } else { nil };
                let any = Expr::call("pulumi.Any", [nil]);
                self.coerce_output(any, &Ty::Any, content)
            }
        }
    }

    /// A value that is known as an output.
    fn as_output(&mut self, value: Value, content: &Ty) -> Expr {
        if value.ty.holds_outputs() {
            let is_list = matches!(value.ty, Ty::List(_));
            let input = self.any_input(value);
            // The SDK knows what becomes of the parts.
            let (class, own) = if is_list {
                ("pulumi.ArrayOutput", Ty::list(Ty::Any))
            } else {
                ("pulumi.MapOutput", Ty::map(Ty::Any))
            };
            let output = match &input {
                Expr::Composite { .. } => {
                    let short = class.trim_start_matches("pulumi.");
                    input.method(&format!("To{short}"), [])
                }
                _ => Expr::call("pulumi.ToOutput", [input]),
            };
            return match output {
                Expr::Call { ref callee, .. } if matches!(&**callee, Expr::Selector(..)) => {
                    self.coerce_output(output, &own, content)
                }
                output => self.coerce_output(output, &Ty::Any, content),
            };
        }
        let expr = self.coerce(value, content);
        match content {
            inner if is_builtin(inner) => {
                let input = Expr::call(stem(inner), [expr]);
                input.method(&format!("To{}Output", short(inner)), [])
            }
            Ty::Pointer(inner) if is_builtin(inner) => {
                let input = Expr::call(format!("{}PtrFromPtr", stem(inner)), [expr]);
                input.method(&format!("To{}PtrOutput", short(inner)), [])
            }
            _ if class(content) == "pulumi.AnyOutput" => Expr::call("pulumi.Any", [expr]),
            _ => Expr::call("pulumi.ToOutput", [expr]).assert(class(content)),
        }
    }

    /// An output of one type as an output of another type.
    fn coerce_output(&mut self, expr: Expr, own: &Ty, to: &Ty) -> Expr {
        let (from, into) = (class(own), class(to));
        if own == to || from == into && (from != "pulumi.AnyOutput" || *to == Ty::Any) {
            return expr;
        }
        if *to == Ty::Any {
            return Expr::call("pulumi.Any", [expr]);
        }
        match (own, to) {
            (own, Ty::Pointer(inner)) if own == &**inner && is_builtin(inner) => {
                return expr.method(&format!("To{}PtrOutput", short(inner)), []);
            }
            (Ty::Id | Ty::Urn, Ty::Text) => return expr.method("ToStringOutput", []),
            (Ty::Pointer(inner), to) if &**inner == to && has_class(own) && has_class(to) => {
                return expr.method("Elem", []);
            }
            _ => {}
        }
        if matches!(own, Ty::Any) && !to.holds_outputs() {
            let function = Expr::text(format!("{}[{}]", Helper::To.name(), to.text()));
            return expr.method("ApplyT", [function]).assert(into);
        }
        let to = to.clone();
        let source = Value::new(expr, Ty::output(own.clone()));
        self.apply_one(source, "value", |writer, value| {
            let expr = writer.coerce(value, &to);
            Value::new(expr, to)
        })
        .expr
    }
}

/// Conversions between simple types that cannot fail.
fn simple(expr: &Expr, from: &Ty, to: &Ty) -> Option<Expr> {
    let expr = expr.clone();
    Some(match (from, to) {
        (Ty::Int, Ty::Float) => match &expr {
            Expr::Text(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => {
                Expr::text(format!("{text}.0"))
            }
            _ => Expr::call("float64", [expr]),
        },
        (Ty::Float, Ty::Int) => Expr::call("int", [expr]),
        (Ty::Int, Ty::Text) => Expr::call("strconv.Itoa", [expr]),
        (Ty::Float, Ty::Text) => {
            let options = [Expr::text("'f'"), Expr::text("-1"), Expr::text("64")];
            let all: Vec<Expr> = [expr].into_iter().chain(options).collect();
            Expr::call("strconv.FormatFloat", all)
        }
        (Ty::Bool, Ty::Text) => Expr::call("strconv.FormatBool", [expr]),
        (Ty::Text, Ty::Bool) => Expr::binary("==", expr, Expr::quoted("true")),
        _ => return None,
    })
}

/// Returns true for types whose inputs Pulumi's SDK makes by a conversion.
pub(crate) const fn is_builtin(ty: &Ty) -> bool {
    ty.is_simple() || matches!(ty, Ty::Id | Ty::Urn)
}

/// The name of a type in names of methods: `String`.
pub(crate) fn short(ty: &Ty) -> String {
    let stem = stem(ty);
    stem.rsplit('.').next().unwrap_or_default().to_owned()
}
