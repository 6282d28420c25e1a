//! Queries that generators make on a document.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};

use super::Document;
use super::constant::Constant;
use super::expression::{Expression, ExpressionKind, Reference, Variable, VariableRole};
use super::index::{
    ComponentIndex, ExpressionIndex, MemberIndex, NodeIndex, SchemaIndex, TypeIndex, VariableIndex,
};
use super::node::{Body, Component, Module, Node};
use super::package::{Member, PackageSchema, ResourceSchema};
use super::place::{File, Place, Position, Range};
use super::types::{Discriminator, Enum, EnumMember, Object, Property, Type};

/// Stands for what another document has at a position.
static NO_TYPE: Type = Type::Error;

static NO_EXPRESSION: Expression = Expression {
    ty: TypeIndex(u32::MAX),
    expected: None,
    range: Place::NOWHERE,
    kind: ExpressionKind::Error,
};

static NO_VARIABLE: Variable = Variable {
    name: String::new(),
    role: VariableRole::Supplied,
    ty: TypeIndex(u32::MAX),
};

static NO_FILE: File = File {
    path: String::new(),
    name: String::new(),
    lines: Vec::new(),
    wide: Vec::new(),
};

static NO_SCHEMA: PackageSchema = PackageSchema::NONE;

static NO_MEMBER: Member = Member::NONE;

/// The types that a place allows, searched by their kind.
pub(super) struct Choices<'d> {
    pub types: Vec<TypeIndex>,
    pub discriminators: Vec<&'d Discriminator>,
}

impl Document {
    /// The type at a position; the error type when there is none.
    #[must_use]
    pub fn ty(&self, ty: TypeIndex) -> &Type {
        self.types.get(ty.index()).unwrap_or(&NO_TYPE)
    }

    /// The expression at a position; an error expression when there is none.
    #[must_use]
    pub fn expression(&self, expression: ExpressionIndex) -> &Expression {
        let found = self.expressions.get(expression.index());
        found.unwrap_or(&NO_EXPRESSION)
    }

    /// The variable at a position; one without a name when there is none.
    #[must_use]
    pub fn variable(&self, variable: VariableIndex) -> &Variable {
        self.variables.get(variable.index()).unwrap_or(&NO_VARIABLE)
    }

    /// The file of a place.
    #[must_use]
    pub fn file(&self, place: Place) -> Option<&File> {
        self.files.get(place.file.index())
    }

    /// The line and the column of the start of a place; without its file, as if it were one line.
    ///
    /// ```
    /// # use pcl::{Settings, Target, Workspace, document::*};
    /// let program = Target::text("main.pp", "a = 1\nb = \"\u{e9}\" + c\n");
    /// let document = Workspace::new(Settings::default()).check(&program).document();
    /// let b = &document.main.nodes[1];
    /// assert_eq!(b.range.start, 6);
    /// let range = document.range(b.range);
    /// assert_eq!((range.start.line, range.start.column), (2, 1));
    /// assert_eq!((range.end.byte, range.end.column), (18, 12));
    /// ```
    #[must_use]
    pub fn position(&self, place: Place) -> Position {
        self.range(place).start
    }

    /// A place with lines and columns.
    #[must_use]
    pub fn range(&self, place: Place) -> Range {
        let file = self.file(place).unwrap_or(&NO_FILE);
        Range {
            start: file.position(place.start),
            end: file.position(place.end),
        }
    }

    /// The package schema at a position; one without a name when there is none.
    #[must_use]
    pub fn schema(&self, schema: SchemaIndex) -> &PackageSchema {
        self.schemas.get(schema.index()).unwrap_or(&NO_SCHEMA)
    }

    /// The member of a package at a position; one without a token when there is none.
    #[must_use]
    pub fn member(&self, member: MemberIndex) -> &Member {
        self.members.get(member.index()).unwrap_or(&NO_MEMBER)
    }

    /// The resource or read of a node in its schema; `None` when its token leads nowhere.
    #[must_use]
    pub fn resource_schema(&self, node: &Node) -> Option<&ResourceSchema> {
        match &node.body {
            Body::Resource(resource) | Body::Read(resource) => {
                self.resources.get(resource.schema?.index())
            }
            _ => None,
        }
    }

    /// The component program at a position.
    #[must_use]
    pub fn component(&self, component: ComponentIndex) -> Option<&Component> {
        self.components.get(component.index())
    }

    /// All modules: the program's own, then those of its components.
    pub fn modules(&self) -> impl Iterator<Item = &Module> {
        let components = self.components.iter().map(|component| &component.module);
        std::iter::once(&self.main).chain(components)
    }

    /// The declaration that a traversal, perhaps under conversions, starts at. `module` is the one
    /// that the expression belongs to.
    #[must_use]
    pub fn referred_node<'m>(
        &self,
        module: &'m Module,
        expression: ExpressionIndex,
    ) -> Option<&'m Node> {
        module.node(self.referred(expression)?)
    }

    /// The position of the declaration that a traversal, perhaps under conversions, starts at, in
    /// the module that the expression belongs to.
    #[must_use]
    pub fn referred(&self, expression: ExpressionIndex) -> Option<NodeIndex> {
        match &self.expression(self.unconverted(expression)).kind {
            ExpressionKind::Traversal(traversal) => match traversal.reference {
                Reference::Node(node) => Some(node),
                _ => None,
            },
            _ => None,
        }
    }

    /// Everything that belongs to an expression: operands first, each once, and the expression
    /// itself last.
    ///
    /// ```
    /// # use pcl::{Settings, Target, Workspace, document::*};
    /// let program = Target::text("main.pp", "n = -(1 + 2)\n");
    /// let document = Workspace::new(Settings::default()).check(&program).document();
    /// let Body::Local { value: Some(value) } = document.main.nodes[0].body else { panic!() };
    ///
    /// // Code for a stack machine: operands come before operators.
    /// let mut code = Vec::new();
    /// for expression in document.walk(value) {
    ///     code.push(match &document.expression(expression).kind {
    ///         ExpressionKind::Literal { value } => format!("push {value}"),
    ///         ExpressionKind::Binary { operator, .. } => operator.text().to_owned(),
    ///         ExpressionKind::Unary { .. } => "neg".to_owned(),
    ///         _ => "?".to_owned(),
    ///     });
    /// }
    /// assert_eq!(code, ["push 1", "push 2", "+", "neg"]);
    /// ```
    #[must_use]
    pub fn walk(&self, root: ExpressionIndex) -> Vec<ExpressionIndex> {
        let mut open = vec![root];
        let mut found = BTreeSet::from([root]);
        while let Some(expression) = open.pop() {
            let kind = &self.expression(expression).kind;
            kind.for_each_operand(|operand| {
                if found.insert(operand) {
                    open.push(operand);
                }
            });
        }
        found.into_iter().collect()
    }

    /// The value of a literal, or of a quoted string without interpolations.
    ///
    /// ```
    /// # use pcl::{Settings, Target, Workspace, document::*};
    /// let program = Target::text("main.pp", "a = \"plain\"\nb = \"${a}!\"\nc = 4\n");
    /// let document = Workspace::new(Settings::default()).check(&program).document();
    /// let literal = |node: &Node| match node.body {
    ///     Body::Local { value: Some(value) } => document.literal(value).map(ToString::to_string),
    ///     _ => None,
    /// };
    /// let literals: Vec<_> = document.main.nodes.iter().map(literal).collect();
    /// assert_eq!(literals, [Some("\"plain\"".to_owned()), None, Some("4".to_owned())]);
    /// ```
    #[must_use]
    pub fn literal(&self, expression: ExpressionIndex) -> Option<&Constant> {
        let mut kind = &self.expression(expression).kind;
        if let ExpressionKind::Template { parts } = kind
            && let [part] = parts[..]
        {
            kind = &self.expression(part).kind;
        }
        match kind {
            ExpressionKind::Literal { value } => Some(value),
            _ => None,
        }
    }

    /// The text of a quoted string without interpolations.
    #[must_use]
    pub fn literal_string(&self, expression: ExpressionIndex) -> Option<&str> {
        self.literal(expression)?.as_str()
    }

    /// The name that an object key is, unless it is computed.
    #[must_use]
    pub fn key_text(&self, key: ExpressionIndex) -> Option<Cow<'_, str>> {
        Some(match self.literal(key)? {
            Constant::Null => return None,
            Constant::Bool(value) => value.to_string().into(),
            Constant::Number(number) => number.to_string().into(),
            Constant::String(text) => text.as_str().into(),
        })
    }

    /// The type inside of the outputs, promises and options around it.
    ///
    /// ```
    /// # use pcl::{Settings, Target, Workspace, document::*};
    /// let text = "config sizes \"optional(list(int))\" {}\n";
    /// let document = Workspace::new(Settings::default()).check(&Target::text("main.pp", text)).document();
    /// let sizes = document.main.nodes[0].ty;
    /// assert_eq!(document.type_text(sizes), "list(int)?");
    /// assert!(document.is_optional(sizes) && !document.is_eventual(sizes));
    /// assert_eq!(document.type_text(document.strip(sizes)), "list(int)");
    /// ```
    #[must_use]
    pub fn strip(&self, mut ty: TypeIndex) -> TypeIndex {
        // There are at most as many layers as types.
        for _ in &self.types {
            ty = match self.ty(ty) {
                Type::Output { element } | Type::Promise { element } => *element,
                Type::Union(_) => {
                    let is_none = |ty: &&TypeIndex| matches!(self.ty(**ty), Type::None);
                    let members = self.members(ty);
                    let mut rest = members.iter().filter(|ty| !is_none(ty));
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
        let is_none = |ty: &Type| matches!(ty, Type::None);
        match self.ty(ty) {
            Type::Union(_) => self
                .members(ty)
                .iter()
                .any(|&member| is_none(self.ty(member))),
            ty => is_none(ty),
        }
    }

    /// Returns true if a value of the type is known only later, or may be.
    #[must_use]
    pub fn is_eventual(&self, ty: TypeIndex) -> bool {
        let is_eventual = |ty: &Type| matches!(ty, Type::Output { .. } | Type::Promise { .. });
        match self.ty(ty) {
            Type::Union(_) => self
                .members(ty)
                .iter()
                .any(|&member| is_eventual(self.ty(member))),
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

    /// The types that a value of a type may have at run time: the members of unions and the
    /// contents of outputs and promises, each once. Constants and enumerations count as the types
    /// of their values.
    ///
    /// ```
    /// # use pcl::{Settings, Target, Workspace, document::*};
    /// let program = Target::text("main.pp", "config on bool {}\nx = secret(on ? \"yes\" : null)\n");
    /// let document = Workspace::new(Settings::default()).check(&program).document();
    /// let x = document.alternatives(document.main.nodes[1].ty);
    /// let types: Vec<_> = x.into_iter().map(|ty| document.type_text(ty)).collect();
    /// assert_eq!(types, ["string", "none"]);
    /// ```
    #[must_use]
    pub fn alternatives(&self, ty: TypeIndex) -> Vec<TypeIndex> {
        let mut open = vec![ty];
        let mut known = BTreeSet::from([ty]);
        let mut found = Vec::new();
        let mut next = 0;
        while let Some(&ty) = open.get(next) {
            next += 1;
            match self.ty(ty) {
                Type::Union(_)
                | Type::Output { .. }
                | Type::Promise { .. }
                | Type::Const { .. }
                | Type::Enum(_) => self.ty(ty).for_each_part(|part| {
                    if known.insert(part) {
                        open.push(part);
                    }
                }),
                _ => found.push(ty),
            }
        }
        found
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

    /// The member of an enumeration that a literal denotes, if its place expects an enumeration.
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

    /// The schema of an attribute of a resource or read: whether it is secret, accepts plain values
    /// only, and so on.
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
    /// let program = Target::text("main.pp", "resource a \"zoo:index:Cage\" {\n  lock = {}\n}\n");
    /// let document = workspace.check(&program).document();
    /// let code = document.input_property(&document.main.nodes[0], "code").unwrap();
    /// assert!(code.secret && code.plain && !code.required);
    /// # Ok::<(), pcl::schema::DocumentError>(())
    /// ```
    #[must_use]
    pub fn input_property(&self, node: &Node, name: &str) -> Option<&Property> {
        let inputs = match &node.body {
            Body::Resource(resource) | Body::Read(resource) => {
                let schema = self.resource_schema(node);
                schema.map(|schema| schema.inputs).or(resource.input_type)?
            }
            Body::Component(component) => component.input_type?,
            _ => return None,
        };
        self.property(inputs, name)
    }

    /// The types of a kind that `ty` allows. Those inside of outputs count only if there is no
    /// other.
    pub(super) fn choices(&self, ty: TypeIndex, is_wanted: impl Fn(&Type) -> bool) -> Choices<'_> {
        let mut choices = Choices {
            types: Vec::new(),
            discriminators: Vec::new(),
        };
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
