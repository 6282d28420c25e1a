//! Types of the language as types of Go.

use std::rc::Rc;

use pcl::document::{Document, Enum, Object, ObjectRole, Property, Type, TypeIndex};
use pcl_codegen::types::may_be_null;

use crate::module::Writer;
use crate::types::{Kind, Named, Simple, Ty, unify};

/// The depth up to which types are written out.
const MAX_DEPTH: usize = 8;

/// The properties up to which an object has a type for each.
const MAX_PROPERTIES: usize = 64;

/// Reads types of the document.
pub(crate) struct TypeReader<'w, 'd> {
    pub writer: &'w mut Writer<'d>,
}

impl<'d> TypeReader<'_, 'd> {
    /// The type of values of a type of the language: an output if they are known later.
    pub fn value(&mut self, ty: TypeIndex) -> Ty {
        self.read(ty, MAX_DEPTH)
    }

    /// The type of a property in the SDK of its package, once it is known.
    pub fn property(&mut self, property: &Property) -> Ty {
        let ty = self.sdk(property.ty);
        if may_be_null(self.writer.document, property.ty) { ty.nullable() } else { ty }
    }

    /// The type that the SDK of a package has for a type of its schema, without null.
    pub fn sdk(&mut self, ty: TypeIndex) -> Ty {
        self.sdk_at(ty, MAX_DEPTH)
    }

    /// The type of plain inputs: a collection may be plain, and its parts inputs.
    pub fn plain_inputs(&mut self, ty: TypeIndex) -> Ty {
        self.plain_inputs_at(ty, MAX_DEPTH)
    }

    fn plain_inputs_at(&mut self, ty: TypeIndex, depth: usize) -> Ty {
        let document = self.writer.document;
        let Some(less) = depth.checked_sub(1) else { return Ty::Any };
        let kinds = document.plain(ty);
        let mut part = |element: TypeIndex| {
            if document.is_eventual(element) {
                Ty::Input(Rc::new(self.sdk_at(element, less)))
            } else {
                self.plain_inputs_at(element, less)
            }
        };
        match kinds[..] {
            [only] => match document.ty(only) {
                Type::List { element } | Type::Set { element } => Ty::list(part(*element)),
                Type::Map { element } => Ty::map(part(*element)),
                _ => self.sdk_at(ty, depth).of_inputs(),
            },
            _ => self.sdk_at(ty, depth).of_inputs(),
        }
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
            Type::Object(Object { schema: Some(_), .. }) => self.named(ty),
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

    fn sdk_at(&mut self, ty: TypeIndex, depth: usize) -> Ty {
        let document = self.writer.document;
        let Some(less) = depth.checked_sub(1) else { return Ty::Any };
        let mut found: Vec<Ty> = Vec::new();
        for kind in document.plain(ty) {
            let own = match document.ty(kind) {
                Type::None => continue,
                Type::Enum(enumeration) => self.enumeration(enumeration),
                Type::Const { underlying, .. } => self.sdk_at(*underlying, less),
                Type::List { element } | Type::Set { element } => {
                    Ty::list(self.sdk_at(*element, less))
                }
                Type::Map { element } => Ty::map(self.sdk_at(*element, less)),
                Type::Object(Object { schema: None, .. }) => Ty::map(Ty::Any),
                _ => self.single(kind, less),
            };
            if !found.contains(&own) {
                found.push(own);
            }
        }
        match &found[..] {
            [only] => only.clone(),
            // An enumeration beside its own type is no enumeration.
            [a, b] if *a == b.underlying() => a.clone(),
            [a, b] if *b == a.underlying() => b.clone(),
            [Ty::Asset | Ty::Archive, Ty::Asset | Ty::Archive] => Ty::Asset,
            _ => Ty::Any,
        }
    }

    /// The type of an object of a schema.
    pub fn named(&mut self, ty: TypeIndex) -> Ty {
        let document = self.writer.document;
        let Some(schema) = document.object(ty).and_then(|object| object.schema) else {
            return Ty::map(Ty::Any);
        };
        let path = self.writer.shared.packages.object(schema.member, schema.role);
        let is_resource =
            matches!(schema.role, ObjectRole::Resource | ObjectRole::ResourceReference);
        let kind = if is_resource { Kind::Resource } else { Kind::Struct };
        let containers = self.writer.shared.packages.containers(schema.member);
        let own = document.member(schema.member);
        let settings = self.writer.shared.packages.settings(&own.package);
        let has_all = settings.is_some_and(|go| match kind {
            Kind::Resource => go.generate_resource_container_types,
            _ => false,
        });
        let is_result =
            matches!(schema.role, ObjectRole::FunctionOutputs | ObjectRole::FunctionInputs);
        let of_type = !is_resource && !is_result;
        let name = self.writer.member(&path);
        Ty::Named(Rc::new(Named {
            kind,
            name,
            member: Some(schema.member),
            ty: Some(ty),
            has_list: has_all || of_type && containers.list,
            has_map: has_all || of_type && containers.map,
            has_pointer: of_type && containers.pointer,
        }))
    }

    fn enumeration(&mut self, enumeration: &Enum) -> Ty {
        let simple = match self.writer.document.ty(enumeration.underlying) {
            Type::Bool => Simple::Bool,
            Type::Int => Simple::Int,
            Type::Number => Simple::Float,
            _ => Simple::Text,
        };
        let Some(member) = enumeration.schema else { return simple.ty() };
        let path = self.writer.shared.packages.ty(member, "Enum");
        let name = self.writer.member(&path);
        let containers = self.writer.shared.packages.containers(member);
        Ty::Named(Rc::new(Named {
            kind: Kind::Enum(simple),
            name,
            member: Some(member),
            ty: None,
            has_list: containers.list,
            has_map: containers.map,
            has_pointer: true,
        }))
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
            has_list: false,
            has_map: false,
            has_pointer: false,
        }))
    }
}

/// The object type of a struct.
pub(crate) fn object_of(document: &Document, named: &Named) -> Option<TypeIndex> {
    let ty = named.ty?;
    let kinds = document.plain(ty);
    kinds.into_iter().find(|&kind| matches!(document.ty(kind), Type::Object(_)))
}
