//! Queries about the types of a document, and about values of them.

use std::borrow::Cow;
use std::collections::HashSet;

use super::Document;
use super::constant::Constant;
use super::index::{ExpressionIndex, TypeIndex};
use super::types::{Discriminator, Enum, EnumMember, Object, Property, Type};

/// The types that a place allows, searched by their kind.
pub(super) struct Choices<'d> {
    pub types: Vec<TypeIndex>,
    pub discriminators: Vec<&'d Discriminator>,
}

impl Document {
    /// The type inside of the outputs, promises and options around it.
    ///
    /// ```
    /// # use pcl::{Settings, Target, Workspace, document::*};
    /// let text = "config sizes \"optional(list(int))\" {}\n";
    /// let document = Workspace::new(Settings::default()).check(&Target::text("main.pp", text)).document();
    /// let sizes = document.main.nodes[0].ty;
    /// assert_eq!(document.type_text(sizes), "list(int) | none");
    /// assert!(document.is_optional(sizes) && !document.is_eventual(sizes));
    /// assert_eq!(document.type_text(document.strip(sizes)), "list(int)");
    ///
    /// let text = "config on bool {}\nname = on ? \"a\" : null\n";
    /// let document = Workspace::new(Settings::default()).check(&Target::text("main.pp", text)).document();
    /// let name = document.main.nodes[1].ty;
    /// assert!(document.is_optional(name));
    /// assert_eq!(document.type_text(document.strip(name)), "string");
    /// ```
    #[must_use]
    pub fn strip(&self, mut ty: TypeIndex) -> TypeIndex {
        // There are at most as many layers as types.
        for _ in &self.types {
            ty = match self.ty(ty) {
                Type::Output { element } | Type::Promise { element } => *element,
                Type::Union(_) => {
                    let members = self.members(ty);
                    let mut rest = members.iter().filter(|ty| !self.is_null(**ty));
                    match (rest.next(), rest.next()) {
                        (Some(&only), None) => only,
                        _ => return ty,
                    }
                }
                _ => return ty,
            };
        }
        ty
    }

    /// Returns true if null is among the values of a type.
    #[must_use]
    pub fn is_optional(&self, ty: TypeIndex) -> bool {
        match self.ty(ty) {
            Type::Union(_) => self.members(ty).iter().any(|&member| self.is_null(member)),
            _ => self.is_null(ty),
        }
    }

    /// Returns true if null is the only value of a type: that of null, or a constant.
    pub(super) fn is_null(&self, ty: TypeIndex) -> bool {
        let value = match self.ty(ty) {
            Type::None => return true,
            Type::Const { value, .. } => value,
            _ => return false,
        };
        matches!(value, Constant::Null)
    }

    /// Returns true if a value of the type is known only later, or may be.
    #[must_use]
    pub fn is_eventual(&self, ty: TypeIndex) -> bool {
        let is_eventual = |ty: &Type| matches!(ty, Type::Output { .. } | Type::Promise { .. });
        match self.ty(ty) {
            Type::Union(_) => self.members(ty).iter().any(|&member| is_eventual(self.ty(member))),
            ty => is_eventual(ty),
        }
    }

    /// The members of a union, those of unions among them in place of these. Empty for other types.
    #[must_use]
    pub fn members(&self, ty: TypeIndex) -> Cow<'_, [TypeIndex]> {
        match self.ty(ty) {
            Type::Union(union) => union.flat_members(&self.types),
            _ => Cow::default(),
        }
    }

    /// The properties of an object type and of the types that it includes, sorted by name. Empty
    /// for other types.
    #[must_use]
    pub fn properties(&self, ty: TypeIndex) -> Vec<&Property> {
        let mut properties = Vec::new();
        let mut known = HashSet::new();
        let mut open = vec![ty];
        while let Some(ty) = open.pop() {
            if let Type::Object(object) = self.ty(ty)
                && known.insert(ty)
            {
                properties.extend(&object.properties);
                open.extend(&object.includes);
            }
        }
        if known.len() > 1 {
            properties.sort_by(|a, b| a.name.cmp(&b.name));
        }
        properties
    }

    /// The property of that exact name of an object type.
    #[must_use]
    pub fn property(&self, ty: TypeIndex, name: &str) -> Option<&Property> {
        let mut known = HashSet::new();
        let mut open = vec![ty];
        while let Some(ty) = open.pop() {
            let Type::Object(object) = self.ty(ty) else {
                continue;
            };
            if let Some(property) = object.property(name) {
                return Some(property);
            }
            if object.includes.is_empty() || !known.insert(ty) {
                continue;
            }
            // The halves of a type that a program made are before and behind its own property.
            match (&object.includes[..], &object.properties[..]) {
                (&[before, _], [own]) if *name < *own.name => open.push(before),
                (&[_, behind], [_]) => open.push(behind),
                (includes, _) => open.extend(includes),
            }
        }
        None
    }

    /// The object type that an object literal is converted to, if its place expects one. A
    /// generator needs it to name a class. The types of schemas have [`Object::schema`].
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use pcl::{Settings, Target, Workspace, document::*, schema::MemoryLoader};
    /// # let mut schemas = MemoryLoader::default();
    /// # schemas.add(r##"{ "name": "zoo",
    /// #   "resources": { "zoo:index:Cage": { "requiredInputs": ["lock"], "inputProperties": {
    /// #     "lock": { "$ref": "#/types/zoo:index:Lock" },
    /// #     "code": { "type": "string", "secret": true, "plain": true },
    /// #     "size": { "$ref": "#/types/zoo:index:Size" },
    /// #     "animal": { "oneOf": [{ "$ref": "#/types/zoo:index:Cat" }, { "$ref": "#/types/zoo:index:Dog" }],
    /// #       "discriminator": { "propertyName": "kind",
    /// #         "mapping": { "cat": "#/types/zoo:index:Cat", "dog": "#/types/zoo:index:Dog" } } } } } },
    /// #   "types": {
    /// #     "zoo:index:Lock": { "type": "object", "properties": { "keys": { "type": "integer" } } },
    /// #     "zoo:index:Cat": { "type": "object", "properties": { "kind": { "type": "string" }, "lives": { "type": "integer" } } },
    /// #     "zoo:index:Dog": { "type": "object", "properties": { "kind": { "type": "string" } } },
    /// #     "zoo:index:Size": { "type": "string", "enum": [{ "name": "Small", "value": "s" }, { "name": "Large", "value": "l" }] } } }"##)?;
    /// # let workspace = Workspace::new(Settings::default()).with_loader(Arc::new(schemas));
    /// let program = Target::text("main.pp", "resource a \"zoo:index:Cage\" {\n  lock = { keys = 2 }\n}\n");
    /// let document = workspace.check(&program).document();
    /// let lock = &document.main.nodes[0].inputs()[0];
    /// let schema = document.annotation(lock.value).unwrap().schema.unwrap();
    /// let member = document.member(schema.member);
    /// assert_eq!((member.token.as_str(), schema.role), ("zoo:index:Lock", ObjectRole::Input));
    /// # Ok::<(), pcl::schema::DocumentError>(())
    /// ```
    #[must_use]
    pub fn annotation(&self, expression: ExpressionIndex) -> Option<&Object> {
        self.object(self.expression(expression).expected?)
    }

    /// The object type that a type allows, also behind outputs and options; `None` when there are
    /// several.
    #[must_use]
    pub fn object(&self, ty: TypeIndex) -> Option<&Object> {
        let choices = self.choices(ty, |ty| matches!(ty, Type::Object(_)));
        match choices.types[..] {
            [only] => match self.ty(only) {
                Type::Object(object) => Some(object),
                _ => None,
            },
            _ => None,
        }
    }

    /// The enumeration that a type allows, also behind outputs and options and beside other types.
    #[must_use]
    pub fn enumeration(&self, ty: TypeIndex) -> Option<&Enum> {
        let choices = self.choices(ty, |ty| matches!(ty, Type::Enum(_)));
        match self.ty(*choices.types.first()?) {
            Type::Enum(enumeration) => Some(enumeration),
            _ => None,
        }
    }

    /// The member of an enumeration that a literal, perhaps under conversions, denotes, if its
    /// place expects an enumeration.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use pcl::{Settings, Target, Workspace, document::*, schema::MemoryLoader};
    /// # let mut schemas = MemoryLoader::default();
    /// # schemas.add(r##"{ "name": "zoo",
    /// #   "resources": { "zoo:index:Cage": { "requiredInputs": ["lock"], "inputProperties": {
    /// #     "lock": { "$ref": "#/types/zoo:index:Lock" },
    /// #     "code": { "type": "string", "secret": true, "plain": true },
    /// #     "size": { "$ref": "#/types/zoo:index:Size" },
    /// #     "animal": { "oneOf": [{ "$ref": "#/types/zoo:index:Cat" }, { "$ref": "#/types/zoo:index:Dog" }],
    /// #       "discriminator": { "propertyName": "kind",
    /// #         "mapping": { "cat": "#/types/zoo:index:Cat", "dog": "#/types/zoo:index:Dog" } } } } } },
    /// #   "types": {
    /// #     "zoo:index:Lock": { "type": "object", "properties": { "keys": { "type": "integer" } } },
    /// #     "zoo:index:Cat": { "type": "object", "properties": { "kind": { "type": "string" }, "lives": { "type": "integer" } } },
    /// #     "zoo:index:Dog": { "type": "object", "properties": { "kind": { "type": "string" } } },
    /// #     "zoo:index:Size": { "type": "string", "enum": [{ "name": "Small", "value": "s" }, { "name": "Large", "value": "l" }] } } }"##)?;
    /// # let workspace = Workspace::new(Settings::default()).with_loader(Arc::new(schemas));
    /// let program = Target::text("main.pp", "resource a \"zoo:index:Cage\" {\n  lock = {}\n  size = \"l\"\n}\n");
    /// let document = workspace.check(&program).document();
    /// let size = &document.main.nodes[0].inputs()[1];
    /// assert_eq!(document.enum_member(size.value).unwrap().name.as_deref(), Some("Large"));
    /// let expected = document.expression(size.value).expected.unwrap();
    /// let size = document.enumeration(expected).unwrap().schema.unwrap();
    /// assert_eq!(document.member(size).token, "zoo:index:Size");
    /// # Ok::<(), pcl::schema::DocumentError>(())
    /// ```
    #[must_use]
    pub fn enum_member(&self, expression: ExpressionIndex) -> Option<&EnumMember> {
        let expression = self.unconverted(expression);
        let enumeration = self.enumeration(self.expression(expression).expected?)?;
        let value = self.literal(expression)?;
        let mut members = enumeration.members.iter();
        members.find(|member| member.value == *value)
    }

    /// The property that distinguishes the objects that a type allows.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use pcl::{Settings, Target, Workspace, document::*, schema::MemoryLoader};
    /// # let mut schemas = MemoryLoader::default();
    /// # schemas.add(r##"{ "name": "zoo",
    /// #   "resources": { "zoo:index:Cage": { "requiredInputs": ["lock"], "inputProperties": {
    /// #     "lock": { "$ref": "#/types/zoo:index:Lock" },
    /// #     "code": { "type": "string", "secret": true, "plain": true },
    /// #     "size": { "$ref": "#/types/zoo:index:Size" },
    /// #     "animal": { "oneOf": [{ "$ref": "#/types/zoo:index:Cat" }, { "$ref": "#/types/zoo:index:Dog" }],
    /// #       "discriminator": { "propertyName": "kind",
    /// #         "mapping": { "cat": "#/types/zoo:index:Cat", "dog": "#/types/zoo:index:Dog" } } } } } },
    /// #   "types": {
    /// #     "zoo:index:Lock": { "type": "object", "properties": { "keys": { "type": "integer" } } },
    /// #     "zoo:index:Cat": { "type": "object", "properties": { "kind": { "type": "string" }, "lives": { "type": "integer" } } },
    /// #     "zoo:index:Dog": { "type": "object", "properties": { "kind": { "type": "string" } } },
    /// #     "zoo:index:Size": { "type": "string", "enum": [{ "name": "Small", "value": "s" }, { "name": "Large", "value": "l" }] } } }"##)?;
    /// # let workspace = Workspace::new(Settings::default()).with_loader(Arc::new(schemas));
    /// let text = "resource a \"zoo:index:Cage\" {\n  lock = {}\n  animal = { kind = \"cat\", lives = 7 }\n}\n";
    /// let document = workspace.check(&Target::text("main.pp", text)).document();
    /// let cage = &document.main.nodes[0];
    /// let animal = document.input_property(cage, "animal").unwrap();
    /// let discriminator = document.discriminator(animal.ty).unwrap();
    /// assert_eq!(discriminator.property, "kind");
    /// let values: Vec<_> = discriminator.variants.iter().map(|variant| variant.value.as_str()).collect();
    /// assert_eq!(values, ["cat", "dog"]);
    ///
    /// // The literal selects the member.
    /// let schema = document.annotation(cage.inputs()[1].value).unwrap().schema.unwrap();
    /// assert_eq!(document.member(schema.member).token, "zoo:index:Cat");
    /// # Ok::<(), pcl::schema::DocumentError>(())
    /// ```
    #[must_use]
    pub fn discriminator(&self, ty: TypeIndex) -> Option<&Discriminator> {
        self.choices(ty, |_| false).discriminators.first().copied()
    }

    /// The types of a kind that `ty` allows. Those inside of outputs count only if there is no
    /// other.
    pub(super) fn choices(&self, ty: TypeIndex, is_wanted: impl Fn(&Type) -> bool) -> Choices<'_> {
        let mut choices = Choices { types: Vec::new(), discriminators: Vec::new() };
        let mut open = vec![ty];
        // There are at most as many layers as types.
        for _ in &self.types {
            let mut known: HashSet<TypeIndex> = open.iter().copied().collect();
            let mut inside = Vec::new();
            let mut next = 0;
            while let Some(&ty) = open.get(next) {
                next += 1;
                match self.ty(ty) {
                    Type::Union(union) => {
                        choices.discriminators.extend(&union.discriminator);
                        let members = union.members.iter().copied();
                        open.extend(members.filter(|&ty| known.insert(ty)));
                    }
                    Type::Output { element } | Type::Promise { element } => inside.push(*element),
                    Type::Const { underlying, .. } if known.insert(*underlying) => {
                        open.push(*underlying);
                    }
                    wanted if is_wanted(wanted) => choices.types.push(ty),
                    _ => {}
                }
            }
            if !choices.types.is_empty() || inside.is_empty() {
                break;
            }
            open = inside;
        }
        choices
    }
}
