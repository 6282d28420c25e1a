//! Values in the places that take them: arguments of functions, which are plain values, and inputs
//! of resources, which may be outputs.

use std::rc::Rc;

use pcl::document::{Constant, ExpressionIndex, ExpressionKind, For, ObjectItem, TypeIndex};
use pcl::language::Function;
use pcl_codegen::types::may_be_null;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::module::{Value, Writer};
use crate::names::{constant, field};
use crate::source::object_of;
use crate::syntax::{Expr, Item, Stmt, quoted};
use crate::types::{Kind, Named, Ty, class, has_class, input_class, stem};
use crate::value::{constant_value, counted};

/// A place for a value.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// One for a plain value.
    Plain(Ty),
    /// One for an input of a type.
    Input { ty: Ty, is_optional: bool },
}

impl Place {
    pub fn input(ty: Ty, is_optional: bool) -> Self {
        Self::Input { ty, is_optional }
    }

    /// The type of the place in code.
    fn text(&self) -> String {
        match self {
            Self::Plain(ty) => ty.text(),
            Self::Input { ty, is_optional } => input_class(ty, *is_optional),
        }
    }

    /// The type of the values in it, without pointers.
    fn ty(&self) -> &Ty {
        match self {
            Self::Plain(ty) => ty.pointed(),
            Self::Input { ty, .. } => ty,
        }
    }

    /// Returns true if `nil` fits.
    fn takes_nil(&self) -> bool {
        match self {
            Self::Plain(ty) => ty.has_nil(),
            Self::Input { .. } => true,
        }
    }

    /// The same place for a part of the value.
    fn part(&self, ty: Ty) -> Self {
        match self {
            Self::Plain(_) => Self::Plain(ty),
            Self::Input { .. } => Self::input(ty, false),
        }
    }
}

impl Writer<'_> {
    /// The code of a value in a place.
    pub fn value_in(&mut self, root: ExpressionIndex, place: &Place) -> Expr {
        self.at = Some(self.document.expression(root).range);
        self.refuel(root);
        self.operand_in(root, place)
    }

    /// The code of a part of a value in a place.
    pub fn operand_in(&mut self, index: ExpressionIndex, place: &Place) -> Expr {
        let document = self.document;
        let written = document.unconverted(index);
        let input = match place {
            Place::Plain(Ty::Input(content)) => Some(Place::input((**content).clone(), false)),
            _ => None,
        };
        let place = input.as_ref().unwrap_or(place);
        if self.is_null(written) && place.takes_nil() {
            return Expr::nil();
        }
        if let Some(constant) = document.literal(written) {
            return self.constant_in(constant, place);
        }
        let kind = &document.expression(written).kind;
        let result = self.deeper(|writer| match kind {
            ExpressionKind::Object { items } => writer.object_in(items, place),
            ExpressionKind::Tuple { elements } => writer.tuple_in(elements, place),
            ExpressionKind::Conditional { condition, if_true, if_false } => {
                Some(writer.conditional_in(*condition, [*if_true, *if_false], place))
            }
            ExpressionKind::For(each) => writer.for_in(each, place),
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
            Some(Some(expr)) => expr,
            _ => {
                // A conversion that the place makes itself is not made before.
                let value = self.operand(written);
                self.fit(value, place)
            }
        }
    }

    /// The code of a constant in a place.
    pub fn constant_in(&mut self, constant: &Constant, place: &Place) -> Expr {
        let ty = place.ty().clone();
        if let Ty::Named(named) = &ty
            && let Kind::Enum(_) = named.kind
        {
            return self.enum_value(constant, named, place);
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

    /// The constant of an enumeration, or a value that becomes one.
    fn enum_value(&mut self, value: &Constant, named: &Rc<Named>, place: &Place) -> Expr {
        let ty = Ty::Named(Rc::clone(named));
        let name = named.member.and_then(|member| {
            let all = self.shared.packages.enumeration(member)?;
            let known = all.members.iter().find(|known| known.value == *value)?;
            let text = match (&known.name, value) {
                (Some(name), _) => name.clone(),
                (None, Constant::String(text)) => text.clone(),
                (None, other) => other.to_string(),
            };
            let (package, own) = named.name.rsplit_once('.')?;
            Some(format!("{package}.{}", constant(&text, own)?))
        });
        match (name, place) {
            (Some(name), Place::Plain(Ty::Pointer(_))) => {
                let value = self.hoist("value", Value::text(name, ty.clone()));
                self.address(value.expr, &ty)
            }
            (Some(name), _) => Expr::text(name),
            (None, _) => self.fit(constant_value(value), place),
        }
    }

    fn conditional_in(
        &mut self,
        condition: ExpressionIndex,
        branches: [ExpressionIndex; 2],
        place: &Place,
    ) -> Expr {
        let condition = self.operand(condition);
        let condition = self.coerce(condition, &Ty::Bool);
        let [own, other] =
            branches.map(|branch| self.block(|writer| writer.operand_in(branch, place)));
        let name = self.names_take("value");
        self.choose(&name, &place.text(), condition, own, other);
        Expr::text(name)
    }

    fn secret_in(&mut self, value: ExpressionIndex, place: &Place) -> Option<Expr> {
        let Place::Input { ty, .. } = place else { return None };
        if !has_class(ty) || matches!(ty, Ty::Any) {
            return None;
        }
        let value = self.operand_in(value, &Place::input(ty.clone(), false));
        Some(Expr::call("pulumi.ToSecret", [value]).assert(class(ty)))
    }

    /// A list that is written out.
    fn tuple_in(&mut self, elements: &[ExpressionIndex], place: &Place) -> Option<Expr> {
        let (ty, element) = match place.ty() {
            list @ Ty::List(element) => (list.clone(), (**element).clone()),
            Ty::Any if matches!(place, Place::Input { .. }) => (Ty::list(Ty::Any), Ty::Any),
            _ => return None,
        };
        let inner = place.part(element);
        let mut items = Vec::new();
        for &value in elements {
            items.push(Item::of(self.operand_in(value, &inner)));
        }
        let text = self.collection_text(&ty, place);
        let on_lines = !items.is_empty();
        let list = Expr::Composite { ty: text, items, on_lines };
        Some(self.in_pointer(list, place))
    }

    /// The type of a collection that is written out in a place.
    pub fn collection_text(&self, ty: &Ty, place: &Place) -> String {
        match place {
            Place::Plain(_) => ty.text(),
            Place::Input { .. } if has_class(ty) => stem(ty),
            Place::Input { .. } => match ty {
                Ty::List(_) => "pulumi.Array".to_owned(),
                _ => "pulumi.Map".to_owned(),
            },
        }
    }

    fn in_pointer(&mut self, expr: Expr, place: &Place) -> Expr {
        match place {
            Place::Plain(Ty::Pointer(inner)) => {
                let inner = (**inner).clone();
                self.address(expr, &inner)
            }
            _ => expr,
        }
    }

    /// An object that is written out.
    fn object_in(&mut self, items: &[ObjectItem], place: &Place) -> Option<Expr> {
        match place.ty().clone() {
            Ty::Named(named) if matches!(named.kind, Kind::Struct | Kind::Args) => {
                self.struct_in(items, &named, place)
            }
            map @ Ty::Map(_) => self.map_in(items, &map, place),
            Ty::Record(entries) => {
                if !matches!(place, Place::Plain(_)) {
                    return self.map_in(items, &Ty::map(Ty::Any), place);
                }
                let document = self.document;
                let mut given = FxHashMap::default();
                for item in items {
                    given.insert(document.key_text(item.key)?, item.value);
                }
                let known = entries.iter().filter(|(name, _)| given.contains_key(&**name));
                if known.count() < given.len() {
                    return None;
                }
                let mut parts = Vec::new();
                for (name, ty) in entries.iter() {
                    let value = match given.get(&**name) {
                        Some(&value) => self.operand_in(value, &Place::Plain(ty.clone())),
                        None => Expr::text(ty.zero()),
                    };
                    parts.push(Item::keyed(quoted(name), value));
                }
                let ty = Ty::Record(entries).text();
                Some(Expr::Composite { ty, items: parts, on_lines: true })
            }
            Ty::Any if matches!(place, Place::Input { .. }) => {
                self.map_in(items, &Ty::map(Ty::Any), place)
            }
            _ => None,
        }
    }

    /// An object as a map.
    fn map_in(&mut self, items: &[ObjectItem], ty: &Ty, place: &Place) -> Option<Expr> {
        let document = self.document;
        let inner = place.part(ty.entry()?);
        let mut entries: Vec<Item> = Vec::new();
        let mut computed = Vec::new();
        for item in counted(document, items) {
            match document.key_text(item.key) {
                Some(name) => {
                    let value = self.operand_in(item.value, &inner);
                    entries.push(Item::keyed(quoted(&name), value));
                }
                None => {
                    let key = self.operand(item.key);
                    let key = self.coerce(key, &Ty::Text);
                    computed.push((key, self.operand_in(item.value, &inner)));
                }
            }
        }
        let on_lines = !entries.is_empty();
        let text = self.collection_text(ty, place);
        let map = Expr::Composite { ty: text, items: entries, on_lines };
        if computed.is_empty() {
            return Some(self.in_pointer(map, place));
        }
        let name = self.hoist("entries", Value::new(map, ty.clone())).expr;
        for (key, value) in computed {
            self.emit(Stmt::Assign { target: name.clone().index(key), value });
        }
        Some(self.in_pointer(name, place))
    }

    /// An object as a struct of its package.
    fn struct_in(
        &mut self,
        items: &[ObjectItem],
        named: &Rc<Named>,
        place: &Place,
    ) -> Option<Expr> {
        let document = self.document;
        let object = object_of(document, named)?;
        let mut fields: Vec<Item> = Vec::new();
        let mut given = FxHashSet::default();
        for item in counted(document, items) {
            let name = document.key_text(item.key)?;
            let property = document.property(object, &name)?;
            let (ty, plain) = (property.ty, property.plain);
            given.insert(name.clone().into_owned());
            let inner = self.property_place(&around(named, place), ty, plain);
            let value = self.operand_in(item.value, &inner);
            if value.is_nil() {
                continue;
            }
            fields.push(Item::keyed(field(&name), value));
        }
        self.add_constants(object, &given, &around(named, place), &mut fields);
        Some(self.struct_of(fields, named, place))
    }

    /// The fields that may have one value only and are left out.
    pub fn add_constants(
        &mut self,
        object: TypeIndex,
        given: &FxHashSet<String>,
        place: &Place,
        fields: &mut Vec<Item>,
    ) {
        for property in self.document.properties(object) {
            let Some(constant) = &property.constant else { continue };
            if property.required && !given.contains(&property.name) {
                let inner = self.property_place(place, property.ty, property.plain);
                let value = self.constant_in(constant, &inner);
                fields.push(Item::keyed(field(&property.name), value));
            }
        }
    }

    /// The place of a property of an object in a place.
    pub fn property_place(&mut self, around: &Place, ty: TypeIndex, is_plain: bool) -> Place {
        let is_optional = may_be_null(self.document, ty);
        let sdk = self.types().sdk(ty);
        match around {
            Place::Input { .. } if !is_plain => Place::input(sdk, is_optional),
            Place::Input { .. } if is_optional => {
                Place::Plain(self.types().plain_inputs(ty).nullable())
            }
            Place::Input { .. } => Place::Plain(self.types().plain_inputs(ty)),
            _ if is_optional => Place::Plain(sdk.nullable()),
            _ => Place::Plain(sdk),
        }
    }

    /// A struct with these fields.
    pub fn struct_of(&mut self, items: Vec<Item>, named: &Named, place: &Place) -> Expr {
        let on_lines = !items.is_empty();
        match place {
            Place::Plain(ty) => {
                let value = Expr::Composite { ty: named.name.clone(), items, on_lines };
                if matches!(ty, Ty::Pointer(_)) { Expr::unary("&", value) } else { value }
            }
            Place::Input { .. } => {
                let ty = format!("{}Args", named.name);
                Expr::unary("&", Expr::Composite { ty, items, on_lines })
            }
        }
    }

    fn for_in(&mut self, each: &For, place: &Place) -> Option<Expr> {
        let value = self.for_each(each, Some(place));
        Some(self.fit(value, place))
    }

    /// A value in a place.
    pub fn fit(&mut self, value: Value, place: &Place) -> Expr {
        match place {
            Place::Plain(ty) => self.coerce(value, ty),
            Place::Input { ty, is_optional } => self.as_input(value, ty, *is_optional),
        }
    }
}

/// The place that decides about the properties of a struct in a place.
pub(crate) fn around(named: &Rc<Named>, place: &Place) -> Place {
    match (named.kind, place) {
        (Kind::Args, _) | (_, Place::Input { .. }) => {
            Place::input(Ty::Named(Rc::clone(named)), false)
        }
        _ => place.clone(),
    }
}
