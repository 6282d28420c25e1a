//! Values in the places that take them: arguments of functions, which are plain values, and inputs
//! of resources, which may be outputs.

use std::rc::Rc;

use pcl::document::{
    Body, Constant, ExpressionIndex, ExpressionKind, Node, ObjectItem, Property, TypeIndex,
};
use pcl::language::Function;
use rustc_hash::FxHashSet;

use crate::convert::{Setter, builder, goes_left, output_of};
use crate::module::{Value, Writer};
use crate::names::{constant, property};
use crate::source::{Side, object_of};
use crate::syntax::Expr;
use crate::types::{Kind, Named, Ty};
use crate::value::{constant_value, counted, list_of, map_of};

/// A place for a value.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// One for a plain value.
    Plain(Ty),
    /// One for a value or an output.
    Input(Ty),
}

impl Place {
    /// The place that decides about the properties of a class.
    pub fn around(named: &Rc<Named>) -> Self {
        match named.kind {
            Kind::Inputs { is_plain: false } => Self::Input(Ty::Any),
            _ => Self::Plain(Ty::Any),
        }
    }

    /// The type of the values in it.
    pub fn ty(&self) -> &Ty {
        match self {
            Self::Plain(ty) | Self::Input(ty) => ty.present(),
        }
    }

    pub const fn is_input(&self) -> bool {
        matches!(self, Self::Input(_))
    }

    /// The same place for a part of the value.
    pub fn part(&self, ty: Ty) -> Self {
        match self {
            Self::Plain(_) => Self::Plain(ty),
            Self::Input(_) => Self::Input(ty),
        }
    }
}

impl Writer<'_> {
    /// The code of a value in a place.
    pub fn value_in(&mut self, root: ExpressionIndex, place: &Place) -> Value {
        self.at = Some(self.document.expression(root).range);
        self.refuel(root);
        self.operand_in(root, place)
    }

    /// The code of a part of a value in a place.
    pub fn operand_in(&mut self, index: ExpressionIndex, place: &Place) -> Value {
        let document = self.document;
        let written = document.unconverted(index);
        if self.is_null(written) {
            return Value::null();
        }
        if let Some(constant) = document.literal(written) {
            return self.constant_in(constant, place);
        }
        let kind = &document.expression(written).kind;
        let side = match place.ty() {
            Ty::Either(left, right) => {
                let own = document.expression(written).ty;
                let own = self.types().value(own);
                let is_object = matches!(kind, ExpressionKind::Object { .. });
                let own = if is_object { self.object_side(written, left, right) } else { own };
                let is_left = goes_left(own.content(), left, right);
                Some((**(if is_left { left } else { right })).clone())
            }
            _ => None,
        };
        let result = self.deeper(|writer| match kind {
            ExpressionKind::Object { items } => match side {
                Some(side) => {
                    let value = writer.object_in(items, &place.part(side))?;
                    Some(writer.fit(value, place))
                }
                None => writer.object_in(items, place),
            },
            ExpressionKind::Tuple { elements } => match side {
                Some(side) => {
                    let value = writer.tuple_in(elements, &place.part(side))?;
                    Some(writer.fit(value, place))
                }
                None => writer.tuple_in(elements, place),
            },
            ExpressionKind::Conditional { condition, if_true, if_false } => {
                let value = writer.conditional(*condition, [*if_true, *if_false], Some(place));
                Some(writer.fit(value, place))
            }
            ExpressionKind::For(each) => {
                let value = writer.for_each(each, Some(place));
                Some(writer.fit(value, place))
            }
            ExpressionKind::Splat { source, item, each, .. } => {
                let value = writer.splat(*source, *item, *each, Some(place));
                Some(writer.fit(value, place))
            }
            ExpressionKind::Call(call) if call.function() == Some(Function::Secret) => {
                writer.secret_in(call.arguments.first().copied()?, place)
            }
            _ => None,
        });
        match result {
            Some(Some(value)) => value,
            _ => {
                // A conversion that the place makes itself is not made before.
                let value = self.operand(written);
                self.fit(value, place)
            }
        }
    }

    /// The code of a part of a collection in its place, which builders do not make of a side of an
    /// `Either`.
    pub fn part_in(&mut self, index: ExpressionIndex, place: &Place) -> Value {
        let value = self.operand_in(index, place);
        if !matches!(place.ty(), Ty::Either(..)) || matches!(value.ty, Ty::Output(_) | Ty::Null) {
            return value;
        }
        let ty = place.ty().clone();
        let expr = self.coerce(value, &ty);
        Value::new(expr, ty)
    }

    /// The side of an `Either` that an object belongs to.
    fn object_side(&mut self, value: ExpressionIndex, left: &Ty, right: &Ty) -> Ty {
        let document = self.document;
        let chosen = document.expression(value).expected;
        let member = chosen.and_then(|ty| document.object(ty)?.schema).map(|schema| schema.member);
        let is_it = |side: &Ty| match side {
            Ty::Named(named) => member.is_some() && named.member == member,
            _ => false,
        };
        if is_it(left) {
            return left.clone();
        }
        if is_it(right) {
            return right.clone();
        }
        Ty::record(vec![(String::new(), Ty::Any)])
    }

    /// The code of a constant in a place.
    pub fn constant_in(&mut self, constant: &Constant, place: &Place) -> Value {
        let ty = place.ty().clone();
        let ty = match &ty {
            Ty::Either(left, right) => {
                let own = constant_value(constant).ty;
                let named = [left, right].into_iter().find(|side| {
                    matches!(&***side, Ty::Named(named) if self.enum_value(constant, named).is_some())
                });
                let is_left = goes_left(&own, left, right);
                (**named.unwrap_or(if is_left { left } else { right })).clone()
            }
            _ => ty,
        };
        if let Ty::Named(named) = &ty
            && let Kind::Enum(_) = named.kind
            && let Some(name) = self.enum_value(constant, named)
        {
            return self.fit(Value::text(name, ty), place);
        }
        let value = match (constant, &ty) {
            (Constant::Number(number), Ty::Text) => {
                Value::new(Expr::quoted(&number.render_plain()), Ty::Text)
            }
            (Constant::Bool(value), Ty::Text) => {
                Value::new(Expr::quoted(&value.to_string()), Ty::Text)
            }
            (Constant::String(text), Ty::Int | Ty::Float) => {
                match pcl::model::Number::parse(text) {
                    Some(number) => constant_value(&Constant::Number(number)),
                    None => constant_value(constant),
                }
            }
            (Constant::String(text), Ty::Bool) if text == "true" || text == "false" => {
                Value::text(text, Ty::Bool)
            }
            _ => constant_value(constant),
        };
        self.fit(value, place)
    }

    /// The constant of an enumeration.
    fn enum_value(&self, value: &Constant, named: &Rc<Named>) -> Option<String> {
        let all = self.shared.packages.enumeration(named.member?)?;
        let known = all.members.iter().find(|known| known.value == *value)?;
        let text = match (&known.name, value) {
            (Some(name), _) => name.clone(),
            (None, Constant::String(text)) => text.clone(),
            (None, other) => other.to_string(),
        };
        Some(format!("{}.{}", named.name, constant(&text)?))
    }

    fn secret_in(&mut self, value: ExpressionIndex, place: &Place) -> Option<Value> {
        if !place.is_input() || matches!(place.ty(), Ty::Any | Ty::Either(..)) {
            return None;
        }
        let value = self.operand_in(value, place);
        if value.ty == Ty::Null { None } else { Some(as_secret(value, place)) }
    }

    /// The value of a property in its place, which `write` writes: a secret if the schema says that
    /// the property is one, which the SDK does not look for. A part of a secret is none.
    pub fn property_in(
        &mut self,
        written: ExpressionIndex,
        place: &Place,
        known: Option<&Property>,
        write: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        let takes_outputs = place.is_input() && !matches!(place.ty(), Ty::Any | Ty::Either(..));
        let is_secret = takes_outputs && known.is_some_and(|property| property.secret);
        if !is_secret || self.is_in_secret {
            return write(self);
        }
        self.is_in_secret = true;
        let value = write(self);
        self.is_in_secret = false;
        if value.ty == Ty::Null || self.says_secret(written) {
            return value;
        }
        as_secret(value, place)
    }

    /// Returns true for an expression that is known to give a secret.
    fn says_secret(&self, written: ExpressionIndex) -> bool {
        let document = self.document;
        let own = document.unconverted(written);
        match (&document.expression(own).kind, document.referred(own)) {
            (ExpressionKind::Call(call), _) => call.function() == Some(Function::Secret),
            (ExpressionKind::Traversal(traversal), Some(node)) => {
                let node = self.module.node(node);
                let is_secret = |node: &Node| matches!(&node.body, Body::Config(it) if it.secret);
                traversal.steps.is_empty() && node.is_some_and(is_secret)
            }
            _ => false,
        }
    }

    /// A list that is written out.
    fn tuple_in(&mut self, elements: &[ExpressionIndex], place: &Place) -> Option<Value> {
        let element = match place.ty() {
            Ty::List(element) => (**element).clone(),
            Ty::Any if place.is_input() => Ty::Any,
            _ => return None,
        };
        let inner = place.part(element.clone());
        let values: Vec<Value> =
            elements.iter().map(|&value| self.part_in(value, &inner)).collect();
        Some(self.list_in(values, element))
    }

    /// A list of values that are in their places; an output if one of them is.
    pub fn list_in(&mut self, values: Vec<Value>, element: Ty) -> Value {
        let is_late = element != Ty::Any && values.iter().any(|value| value.ty.is_output());
        let list = Ty::list(element.clone());
        if !is_late {
            let is_nullable = values.iter().any(|value| value.ty.may_be_null());
            let items = values.into_iter().map(|value| value.expr).collect();
            return Value::new(list_of(items, is_nullable), list);
        }
        let to = Ty::output(element);
        let mut items = Vec::new();
        for value in values {
            items.push(self.coerce(value, &to));
        }
        Value::new(Expr::call("Output.all", items), Ty::output(list))
    }

    /// An object that is written out.
    fn object_in(&mut self, items: &[ObjectItem], place: &Place) -> Option<Value> {
        match place.ty().clone() {
            Ty::Named(named) if matches!(named.kind, Kind::Inputs { .. }) => {
                self.inputs_in(items, &named)
            }
            Ty::Map(entry) => self.map_in(items, (*entry).clone(), place),
            Ty::Any if place.is_input() => self.map_in(items, Ty::Any, place),
            _ => None,
        }
    }

    /// An object as a map.
    fn map_in(&mut self, items: &[ObjectItem], element: Ty, place: &Place) -> Option<Value> {
        let document = self.document;
        let inner = place.part(element.clone());
        let mut entries: Vec<(String, Value)> = Vec::new();
        let mut computed = Vec::new();
        for item in counted(document, items) {
            match document.key_text(item.key) {
                Some(name) => {
                    let value = self.part_in(item.value, &inner);
                    entries.push((name.into_owned(), value));
                }
                None => {
                    let key = self.operand(item.key);
                    let key = self.coerce(key, &Ty::Text);
                    computed.push((key, self.part_in(item.value, &inner)));
                }
            }
        }
        let all = entries.iter().map(|(_, value)| value);
        let mut all = all.chain(computed.iter().map(|(_, value)| value));
        let is_late = element != Ty::Any && all.any(|value| value.ty.is_output());
        let ty = Ty::map(element.clone());
        if is_late {
            let start = format!("<{}>mapBuilder", element.text());
            let start = Expr::text("Output").method(&start, []);
            let entries = entries.into_iter().map(|(name, value)| (Expr::quoted(&name), value));
            let put =
                |source: Expr, (key, value): (Expr, Value)| source.method("put", [key, value.expr]);
            let map = entries.chain(computed).fold(start, put).method("build", []);
            return Some(Value::new(map, Ty::output(ty)));
        }
        if !computed.is_empty() {
            let entries = entries.into_iter().map(|(name, value)| (Expr::quoted(&name), value));
            let pairs = entries.chain(computed).map(|(key, value)| (key, value.expr)).collect();
            return Some(self.filled_map(pairs, element));
        }
        let is_nullable = entries.iter().any(|(_, value)| value.ty.may_be_null());
        let entries = entries.into_iter().map(|(name, value)| (name, value.expr)).collect();
        Some(Value::new(map_of(entries, is_nullable), ty))
    }

    /// An object as inputs of a class.
    fn inputs_in(&mut self, items: &[ObjectItem], named: &Rc<Named>) -> Option<Value> {
        let document = self.document;
        let object = object_of(document, named)?;
        let around = Place::around(named);
        let mut setters: Vec<Setter> = Vec::new();
        let mut given = FxHashSet::default();
        for item in counted(document, items) {
            let name = document.key_text(item.key)?;
            let known = document.property(object, &name)?;
            given.insert(name.clone().into_owned());
            let inner = self.property_place(&around, known);
            let write = |writer: &mut Self| writer.operand_in(item.value, &inner);
            let value = self.property_in(item.value, &inner, Some(known), write);
            if !value.expr.is_null() {
                setters.push((Vec::new(), property(&name), value.expr));
            }
        }
        self.add_constants(object, &given, &around, &mut setters);
        Some(Value::new(builder(&named.name, setters), Ty::Named(Rc::clone(named))))
    }

    /// The setters of properties that may have one value only and are left out.
    pub fn add_constants(
        &mut self,
        object: TypeIndex,
        given: &FxHashSet<String>,
        around: &Place,
        setters: &mut Vec<Setter>,
    ) {
        for known in self.document.properties(object) {
            let Some(constant) = &known.constant else { continue };
            if known.required && !given.contains(&known.name) {
                let inner = self.property_place(around, known);
                let value = self.constant_in(constant, &inner);
                setters.push((Vec::new(), property(&known.name), value.expr));
            }
        }
    }

    /// The place of a property of an object in a place.
    pub fn property_place(&mut self, around: &Place, property: &Property) -> Place {
        match around {
            Place::Input(_) if !property.plain => {
                Place::Input(self.types().sdk(property.ty, Side::Input))
            }
            Place::Input(_) => Place::Plain(self.types().sdk(property.ty, Side::Input)),
            // The SDK has another class for objects in plain inputs.
            Place::Plain(_) => Place::Plain(self.types().sdk(property.ty, Side::Plain)),
        }
    }

    /// A value in a place.
    pub fn fit(&mut self, value: Value, place: &Place) -> Value {
        match place {
            Place::Plain(ty) => {
                if value.ty == Ty::Null {
                    return value;
                }
                let expr = self.coerce(value, ty);
                Value::new(expr, ty.clone())
            }
            Place::Input(ty) => self.as_input(value, ty),
        }
    }

    /// A value as an input of a type.
    fn as_input(&mut self, value: Value, ty: &Ty) -> Value {
        let late = Ty::output(ty.clone());
        match &value.ty {
            Ty::Null => value,
            Ty::Output(_) => {
                let expr = self.coerce(value, &late);
                Value::new(expr, late)
            }
            own if own.holds_outputs() && *ty != Ty::Any => {
                let expr = self.as_output(value, ty);
                Value::new(expr, late)
            }
            Ty::Any | Ty::Nullable(_) | Ty::Optional(_) => {
                let expr = self.coerce(value, &ty.clone().nullable());
                if expr.is_present() {
                    return Value::new(expr, ty.clone());
                }
                let expr = match ty {
                    Ty::Any => Expr::call("Output.ofNullable", [expr]),
                    _ => output_of("ofNullable", expr, ty),
                };
                Value::new(expr, late)
            }
            own => {
                // Builders take either side of an `Either`.
                if let Ty::Either(left, right) = ty
                    && (own == &**left || own == &**right)
                {
                    return value;
                }
                let known = own.clone();
                let expr = self.coerce(value, ty);
                // A part of a collection is certainly there.
                Value::new(expr, if *ty == Ty::Any { known } else { ty.clone() })
            }
        }
    }
}

/// A value in a place that takes outputs, as a secret.
fn as_secret(value: Value, place: &Place) -> Value {
    let ty = place.ty().clone();
    let expr = match value.ty {
        Ty::Output(_) => value.expr.method("asSecret", []),
        _ => output_of("ofSecret", value.expr, &ty),
    };
    Value::new(expr, Ty::output(ty))
}
