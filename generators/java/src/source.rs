//! Types of the language as types of Java.

use std::rc::Rc;

use pcl::document::{Document, Enum, Object, ObjectRole, Property, Type, TypeIndex};

use crate::module::Writer;
use crate::types::{Kind, Named, Simple, Ty, unify};

/// The depth up to which types are written out.
const MAX_DEPTH: usize = 8;

/// The properties up to which an object has a type for each.
const MAX_PROPERTIES: usize = 64;

/// The side of an SDK that a type belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    /// Values that providers give.
    Given,
    /// Inputs, which may be outputs.
    Input,
    /// Inputs that are plain values.
    Plain,
}

/// Reads types of the document.
pub(crate) struct TypeReader<'w, 'd> {
    pub writer: &'w mut Writer<'d>,
}

impl<'d> TypeReader<'_, 'd> {
    /// The type of values of a type of the language: an output if they are known later.
    pub fn value(&mut self, ty: TypeIndex) -> Ty {
        self.read(ty, MAX_DEPTH)
    }

    /// The type that an object gives a property with.
    pub fn property(&mut self, property: &Property) -> Ty {
        let ty = self.sdk(property.ty, Side::Given);
        match ty {
            Ty::List(_) | Ty::Map(_) => ty,
            ty if !property.required => Ty::Optional(Rc::new(ty)),
            ty => ty,
        }
    }

    /// The type that a resource gives a property with, once it is known.
    pub fn resource_property(&mut self, property: &Property) -> Ty {
        let ty = self.sdk(property.ty, Side::Given);
        if property.required { ty } else { Ty::Optional(Rc::new(ty)) }
    }

    /// The type that the SDK of a package has for a type of its schema, without null.
    pub fn sdk(&mut self, ty: TypeIndex, side: Side) -> Ty {
        self.sdk_at(ty, side, MAX_DEPTH)
    }

    /// The same up to a depth. Types share parts, so each is read once.
    fn read(&mut self, ty: TypeIndex, depth: usize) -> Ty {
        let Some(less) = depth.checked_sub(1) else { return Ty::Any };
        if let Some(known) = self.writer.read_types.get(&(ty, depth)) {
            return known.clone();
        }
        let found = self.read_anew(ty, less);
        self.writer.read_types.insert((ty, depth), found.clone());
        found
    }

    fn read_anew(&mut self, ty: TypeIndex, less: usize) -> Ty {
        let document = self.writer.document;
        if let Some(&component) = self.writer.shared.component_types.get(&ty) {
            return self.writer.component_type(component);
        }
        let is_late = document.is_eventual(ty);
        let mut found: Option<Ty> = None;
        let mut null = false;
        for kind in document.alternatives(ty) {
            let own = match document.ty(kind) {
                Type::None => {
                    null = true;
                    continue;
                }
                _ => self.single(kind, less),
            };
            found = Some(match found {
                Some(known) => unify(&known, &own),
                None => own,
            });
        }
        let mut ty = found.unwrap_or(Ty::Null);
        if null {
            ty = ty.nullable();
        }
        if is_late { Ty::output(ty.resolved()) } else { ty }
    }

    /// The type of values of one type.
    fn single(&mut self, ty: TypeIndex, depth: usize) -> Ty {
        let document = self.writer.document;
        if let Some(&component) = self.writer.shared.component_types.get(&ty) {
            return self.writer.component_type(component);
        }
        match document.ty(ty) {
            Type::Bool => Ty::Bool,
            Type::Int => Ty::Int,
            Type::Number => Ty::Float,
            Type::String | Type::Id | Type::Property => Ty::Text,
            Type::Asset => Ty::Asset,
            Type::Archive => Ty::Archive,
            Type::List { element } | Type::Set { element } => Ty::list(self.read(*element, depth)),
            Type::Map { element } => Ty::map(self.read(*element, depth)),
            Type::Tuple { elements } => {
                let mut found = Ty::Never;
                for &element in elements {
                    let own = self.read(element, depth);
                    found = unify(&found, &own);
                }
                Ty::list(found)
            }
            Type::Object(Object { schema: Some(_), .. }) => self.named(ty, Side::Given),
            Type::Object(_) => {
                // What a provider or a configuration gives is not as exact as what is written out.
                let properties = document.properties(ty);
                let mut entry = Ty::Never;
                for property in properties.iter().take(MAX_PROPERTIES) {
                    let own = self.read(property.ty, depth);
                    let is_same = entry == Ty::Never || entry == own;
                    entry = if is_same { own } else { Ty::Any };
                }
                let is_simple = entry.is_simple() && properties.len() <= MAX_PROPERTIES;
                Ty::map(if is_simple { entry } else { Ty::Any })
            }
            _ => Ty::Any,
        }
    }

    fn sdk_at(&mut self, ty: TypeIndex, side: Side, depth: usize) -> Ty {
        let document = self.writer.document;
        let Some(less) = depth.checked_sub(1) else { return Ty::Any };
        let mut found: Vec<Ty> = Vec::new();
        for kind in document.plain_in_schema_order(ty) {
            let own = match document.ty(kind) {
                Type::None => continue,
                Type::Enum(enumeration) => self.enumeration(enumeration),
                Type::Const { underlying, .. } => self.sdk_at(*underlying, side, less),
                Type::List { element } | Type::Set { element } => {
                    Ty::list(self.sdk_at(*element, side, less))
                }
                Type::Map { element } => Ty::map(self.sdk_at(*element, side, less)),
                Type::Object(Object { schema: Some(_), .. }) => self.named(kind, side),
                Type::Object(_) => Ty::map(Ty::Any),
                _ => self.single(kind, less),
            };
            if !found.contains(&own) {
                found.push(own);
            }
        }
        match &found[..] {
            [only] => only.clone(),
            [Ty::Asset | Ty::Archive, Ty::Asset | Ty::Archive] => Ty::Asset,
            // An enumeration beside other values is none in what a provider gives.
            [a, b] if side == Side::Given && (*a == b.underlying() || *b == a.underlying()) => {
                a.underlying()
            }
            [a, b] if *a != Ty::Any && *b != Ty::Any => {
                Ty::Either(Rc::new(a.clone()), Rc::new(b.clone()))
            }
            _ => Ty::Any,
        }
    }

    /// The class of an object of a schema.
    pub fn named(&mut self, ty: TypeIndex, side: Side) -> Ty {
        let document = self.writer.document;
        let Some(schema) = document.object(ty).and_then(|object| object.schema) else {
            return Ty::map(Ty::Any);
        };
        let packages = &self.writer.shared.packages;
        let is_resource =
            matches!(schema.role, ObjectRole::Resource | ObjectRole::ResourceReference);
        let (kind, mut path) = match side {
            _ if is_resource => {
                (Kind::Resource, packages.object(schema.member, schema.role, false))
            }
            Side::Given => (Kind::Object, packages.object(schema.member, schema.role, false)),
            Side::Input => (
                Kind::Inputs { is_plain: false },
                packages.object(schema.member, schema.role, true),
            ),
            Side::Plain => {
                (Kind::Inputs { is_plain: true }, packages.object(schema.member, schema.role, true))
            }
        };
        if side == Side::Plain
            && !is_resource
            && let Some(plain) = path.strip_suffix("Args")
        {
            path = plain.to_owned();
        }
        let name = self.writer.class(&path);
        Ty::Named(Rc::new(Named { kind, name, member: Some(schema.member), ty: Some(ty) }))
    }

    fn enumeration(&mut self, enumeration: &Enum) -> Ty {
        let simple = match self.writer.document.ty(enumeration.underlying) {
            Type::Bool => return Ty::Bool,
            Type::Int => Simple::Int,
            Type::Number => Simple::Float,
            _ => Simple::Text,
        };
        let Some(member) = enumeration.schema else { return simple.ty() };
        let path = self.writer.shared.packages.enumeration_class(member);
        let name = self.writer.class(&path);
        Ty::Named(Rc::new(Named { kind: Kind::Enum(simple), name, member: Some(member), ty: None }))
    }
}

impl Writer<'_> {
    /// The type of instances of a component of the project.
    pub fn component_type(&self, at: usize) -> Ty {
        Ty::Named(Rc::new(Named {
            kind: Kind::Component(at),
            name: self.component_name(at),
            member: None,
            ty: None,
        }))
    }
}

/// The object type of a class.
pub(crate) fn object_of(document: &Document, named: &Named) -> Option<TypeIndex> {
    let ty = named.ty?;
    let kinds = document.plain(ty);
    kinds.into_iter().find(|&kind| matches!(document.ty(kind), Type::Object(_)))
}
