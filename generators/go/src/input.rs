//! Values as inputs of resources, which may be outputs.

use std::rc::Rc;

use crate::convert::{is_builtin, short};
use crate::module::{Value, Writer};
use crate::names::field;
use crate::place::{Place, around};
use crate::source::object_of;
use crate::syntax::{Expr, Item, Stmt, quoted};
use crate::types::{Kind, Named, Ty, class, has_class, input_class, stem};

impl Writer<'_> {
    /// A value as an input of a type.
    pub fn as_input(&mut self, value: Value, ty: &Ty, is_optional: bool) -> Expr {
        match &value.ty {
            Ty::Null => Expr::nil(),
            // It is an input already.
            Ty::Output(own) if is_input(&value) && **own == *ty => value.expr,
            Ty::Output(own) => {
                let own = (**own).clone();
                self.output_in(value.expr, &own, ty, is_optional)
            }
            _ => match ty {
                Ty::Any => self.any_input(value),
                ty => self.plain_in(value, ty, is_optional),
            },
        }
    }

    fn output_in(&mut self, expr: Expr, own: &Ty, ty: &Ty, is_optional: bool) -> Expr {
        let fits = match (own, ty) {
            (_, Ty::Any) => true,
            (own, ty) if own == ty => true,
            (Ty::Id | Ty::Urn, Ty::Text) => true,
            (Ty::Pointer(inner), ty) => is_optional && **inner == *ty && has_class(own),
            (own, ty) => class(own) == class(ty) && class(own) != "pulumi.AnyOutput",
        };
        if fits {
            return expr;
        }
        let is_nullable = is_optional && matches!(own, Ty::Pointer(_) | Ty::Any);
        let wanted = ty.clone().nullable();
        let wanted = if is_nullable && has_class(&wanted) { wanted } else { ty.clone() };
        self.coerce(Value::new(expr, Ty::output(own.clone())), &Ty::output(wanted))
    }

    /// A value that is known as an input of any type.
    pub fn any_input(&mut self, value: Value) -> Expr {
        match &value.ty {
            ty if is_builtin(ty) => Expr::call(stem(ty), [value.expr]),
            Ty::Pointer(inner) if is_builtin(inner) => {
                Expr::call(format!("{}PtrFromPtr", stem(inner)), [value.expr])
            }
            Ty::Asset | Ty::Archive | Ty::Named(_) if is_input(&value) => value.expr,
            ty if ty.holds_outputs() => match ty {
                Ty::List(_) => self.plain_in(value, &Ty::list(Ty::Any), false),
                _ => self.plain_in(value, &Ty::map(Ty::Any), false),
            },
            _ => Expr::call("pulumi.Any", [value.expr]),
        }
    }

    /// A value that is known as an input of a type.
    fn plain_in(&mut self, value: Value, ty: &Ty, is_optional: bool) -> Expr {
        let Value { expr, ty: own } = value;
        if is_builtin(ty) {
            if let Ty::Pointer(_) = own
                && is_optional
            {
                let pointer = ty.clone().nullable();
                let expr = self.coerce(Value::new(expr, own), &pointer);
                return Expr::call(format!("{}PtrFromPtr", stem(ty)), [expr]);
            }
            if own == Ty::Any && is_optional {
                let pointer = ty.clone().nullable();
                let expr = self.coerce(Value::new(expr, own), &pointer);
                return Expr::call(format!("{}PtrFromPtr", stem(ty)), [expr]);
            }
            let expr = self.coerce(Value::new(expr, own), ty);
            return Expr::call(stem(ty), [expr]);
        }
        match (&own, ty) {
            (Ty::Pointer(inner), _) => {
                let inner = (**inner).clone();
                let source = self.simple("pointer", Value::new(expr, own.clone()));
                let value = Value::new(Expr::unary("*", source.expr.clone()), inner);
                let (body, value) = self.block(|writer| writer.as_input(value, ty, is_optional));
                let name = self.names_take("value");
                let condition = Expr::binary("!=", source.expr, Expr::nil());
                let text = input_class(ty, is_optional);
                self.choose(&name, &text, condition, (body, value), (Vec::new(), Expr::nil()));
                Expr::text(name)
            }
            (_, Ty::Named(named)) => self.named_in(Value::new(expr, own), named, is_optional),
            (_, Ty::Asset) if matches!(own, Ty::Asset | Ty::Archive) => expr,
            (_, Ty::Archive) if own == Ty::Archive => expr,
            (_, Ty::List(element)) => match own.element() {
                Some(part) => self.list_in(Value::new(expr, own), part, element, ty),
                None => self.as_output_of(Value::new(expr, own), ty),
            },
            (_, Ty::Map(element)) => match own.entry() {
                Some(part) => self.entries_in(Value::new(expr, own), part, element, ty),
                None => self.as_output_of(Value::new(expr, own), ty),
            },
            _ => self.as_output_of(Value::new(expr, own), ty),
        }
    }

    /// A value that is known as an output of a type.
    fn as_output_of(&mut self, value: Value, ty: &Ty) -> Expr {
        self.coerce(value, &Ty::output(ty.clone()))
    }

    fn named_in(&mut self, value: Value, named: &Rc<Named>, is_optional: bool) -> Expr {
        let ty = Ty::Named(Rc::clone(named));
        match (named.kind, &value.ty) {
            (Kind::Enum(_), _) => self.coerce(value, &ty),
            (Kind::Resource, Ty::Named(_)) => value.expr,
            (Kind::Struct, Ty::Record(_)) => {
                let place = Place::input(ty.clone(), is_optional);
                self.record_in(value, named, &place)
            }
            _ => self.as_output_of(value, &ty),
        }
    }

    /// A record as a struct of its package.
    pub fn record_in(&mut self, value: Value, named: &Rc<Named>, place: &Place) -> Expr {
        let Ty::Record(entries) = value.ty.clone() else { return value.expr };
        let Some(object) = object_of(self.document, named) else { return value.expr };
        let source = self.simple("source", value);
        let mut items = Vec::new();
        for (name, _) in entries.iter() {
            let Some(property) = self.document.property(object, name) else { continue };
            let (ty, is_plain) = (property.ty, property.plain);
            let inner = self.property_place(&around(named, place), ty, is_plain);
            let part = self.entry_of(&source, name);
            let part = self.fit(part, &inner);
            items.push(Item::keyed(field(name), part));
        }
        self.struct_of(items, named, place)
    }

    /// A list that is known as an input.
    fn list_in(&mut self, value: Value, own: Ty, element: &Ty, ty: &Ty) -> Expr {
        if own.text() == element.text() && is_builtin(element) {
            return Expr::call(format!("pulumi.To{}", short(ty)), [value.expr]);
        }
        if own == Ty::output(element.clone()) && is_builtin(element) {
            return Expr::call(format!("pulumi.To{}Output", short(ty)), [value.expr]);
        }
        if !needs_loop(&own, element) {
            return self.as_output_of(value, ty);
        }
        let item = self.local("item");
        let (mut body, part) =
            self.block(|writer| writer.as_input(Value::text(&item, own), element, false));
        let name = self.names_take("items");
        let place = Place::input(ty.clone(), false);
        let text = self.collection_text(ty, &place);
        let list = Expr::Composite { ty: text, items: Vec::new(), on_lines: false };
        self.emit(Stmt::define([&name], list));
        let added = Expr::call("append", [Expr::text(&name), part]);
        body.push(Stmt::assign(&name, added));
        self.emit(Stmt::Range { key: String::new(), value: item, over: value.expr, body });
        Expr::text(name)
    }

    /// A map that is known as an input.
    fn entries_in(&mut self, value: Value, own: Ty, element: &Ty, ty: &Ty) -> Expr {
        if own.text() == element.text() && is_builtin(element) {
            return Expr::call(format!("pulumi.To{}", short(ty)), [value.expr]);
        }
        if own == Ty::output(element.clone()) && is_builtin(element) {
            return Expr::call(format!("pulumi.To{}Output", short(ty)), [value.expr]);
        }
        if let Ty::Record(entries) = &value.ty {
            let source = self.simple("source", value.clone());
            let mut items = Vec::new();
            for (name, _) in entries.iter() {
                let part = self.entry_of(&source, name);
                let part = self.as_input(part, element, false);
                items.push(Item::keyed(quoted(name), part));
            }
            let place = Place::input(ty.clone(), false);
            let on_lines = !items.is_empty();
            return Expr::Composite { ty: self.collection_text(ty, &place), items, on_lines };
        }
        if !needs_loop(&own, element) {
            return self.as_output_of(value, ty);
        }
        let (key, item) = (self.local("key"), self.local("item"));
        let (mut body, part) =
            self.block(|writer| writer.as_input(Value::text(&item, own), element, false));
        let name = self.names_take("entries");
        let place = Place::input(ty.clone(), false);
        let text = self.collection_text(ty, &place);
        let map = Expr::Composite { ty: text, items: Vec::new(), on_lines: false };
        self.emit(Stmt::define([&name], map));
        let target = Expr::text(&name).index(Expr::text(&key));
        body.push(Stmt::Assign { target, value: part });
        self.emit(Stmt::Range { key, value: item, over: value.expr, body });
        Expr::text(name)
    }
}

/// Returns true if the elements of a collection have to become inputs one by one.
fn needs_loop(own: &Ty, element: &Ty) -> bool {
    own.holds_outputs()
        || matches!((own, element), (Ty::Record(_), Ty::Named(_)))
        || matches!((own, element), (Ty::Named(a), Ty::Named(_)) if a.kind == Kind::Resource)
        || *element == Ty::Any && *own != Ty::Any
}

/// Returns true if a value that is known is an input of Pulumi's SDK.
fn is_input(value: &Value) -> bool {
    match &value.ty {
        Ty::Asset | Ty::Archive => true,
        Ty::Named(named) => matches!(named.kind, Kind::Resource),
        Ty::Output(_) => true,
        _ => false,
    }
}
