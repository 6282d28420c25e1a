//! Queries that generators make on a document.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::node::{Body, Component, Module, Node};
use super::package::{Member, PackageSchema, ResourceSchema};
use super::place::{File, Place, Position, Range};
use super::types::{Property, Type};
use crate::document::Document;
use crate::document::expression::{
    Expression, ExpressionKind, ObjectItem, Reference, Variable, VariableRole,
};
use crate::document::place::{
    ComponentIndex, ExpressionIndex, MemberIndex, NodeIndex, SchemaIndex, TypeIndex, VariableIndex,
};
use crate::document::types::Constant;
use crate::document::types::Object;

/// Stands for what another document has at a position.
static NO_TYPE: Type = Type::Error;

static NO_EXPRESSION: Expression = Expression {
    ty: TypeIndex(u32::MAX),
    expected: None,
    range: Place::NOWHERE,
    kind: ExpressionKind::Error,
};

static NO_VARIABLE: Variable =
    Variable { name: String::new(), role: VariableRole::Supplied, ty: TypeIndex(u32::MAX) };

static NO_FILE: File =
    File { path: String::new(), name: String::new(), lines: Vec::new(), wide: Vec::new() };

static NO_SCHEMA: PackageSchema = PackageSchema::NONE;

static NO_MEMBER: Member = Member::NONE;

impl Document {
    /// The type at a position; the error type when there is none.
    pub fn ty(&self, ty: TypeIndex) -> &Type {
        self.types.get(ty.index()).unwrap_or(&NO_TYPE)
    }

    /// The expression at a position; an error expression when there is none.
    pub fn expression(&self, expression: ExpressionIndex) -> &Expression {
        let found = self.expressions.get(expression.index());
        found.unwrap_or(&NO_EXPRESSION)
    }

    /// The variable at a position; one without a name when there is none.
    pub fn variable(&self, variable: VariableIndex) -> &Variable {
        self.variables.get(variable.index()).unwrap_or(&NO_VARIABLE)
    }

    /// The file of a place.
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
    pub fn position(&self, place: Place) -> Position {
        self.range(place).start
    }

    /// A place with lines and columns.
    pub fn range(&self, place: Place) -> Range {
        let file = self.file(place).unwrap_or(&NO_FILE);
        Range { start: file.position(place.start), end: file.position(place.end) }
    }

    /// The package schema at a position; one without a name when there is none.
    pub fn schema(&self, schema: SchemaIndex) -> &PackageSchema {
        self.schemas.get(schema.index()).unwrap_or(&NO_SCHEMA)
    }

    /// The member of a package at a position; one without a token when there is none.
    pub fn member(&self, member: MemberIndex) -> &Member {
        self.members.get(member.index()).unwrap_or(&NO_MEMBER)
    }

    /// The resource or read of a node in its schema; `None` when its token leads nowhere.
    pub fn resource_schema(&self, node: &Node) -> Option<&ResourceSchema> {
        match &node.body {
            Body::Resource(resource) | Body::Read(resource) => {
                self.resources.get(resource.schema?.index())
            }
            _ => None,
        }
    }

    /// The component program at a position.
    pub fn component(&self, component: ComponentIndex) -> Option<&Component> {
        self.components.get(component.index())
    }

    /// All modules: the program's own, then those of its components.
    pub fn modules(&self) -> impl Iterator<Item = &Module> {
        let components = self.components.iter().map(|component| &component.module);
        std::iter::once(&self.main).chain(components)
    }

    /// The position of the declaration that a traversal, perhaps under conversions, starts at, in
    /// the module that the expression belongs to.
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

    /// The value of a literal, or of a quoted string without interpolations, perhaps under
    /// conversions.
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
    pub fn literal(&self, expression: ExpressionIndex) -> Option<&Constant> {
        let mut kind = &self.expression(self.unconverted(expression)).kind;
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

    /// The text of a quoted string without interpolations, perhaps under conversions.
    pub fn literal_string(&self, expression: ExpressionIndex) -> Option<&str> {
        self.literal(expression)?.as_str()
    }

    /// The name that an object key is, unless it is computed.
    pub fn key_text(&self, key: ExpressionIndex) -> Option<Cow<'_, str>> {
        Some(match self.literal(key)? {
            Constant::Null => return None,
            Constant::Bool(value) => value.to_string().into(),
            Constant::Number(number) => number.to_string().into(),
            Constant::String(text) => text.as_str().into(),
        })
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

    /// The inputs that may have only one value and that a resource leaves out although its schema
    /// requires them, with these values. The classes of SDKs refuse a resource without them.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use pcl::{Settings, Target, Workspace, document::*, schema::MemoryLoader};
    /// # let mut schemas = MemoryLoader::default();
    /// # schemas.add(r##"{ "name": "zoo",
    /// #   "resources": { "zoo:index:Cage": { "requiredInputs": ["kind"], "inputProperties": {
    /// #     "kind": { "type": "string", "const": "cage" },
    /// #     "lock": { "type": "string", "const": "none" } } } } }"##)?;
    /// # let workspace = Workspace::new(Settings::default()).with_loader(Arc::new(schemas));
    /// let program = Target::text("main.pp", "resource a \"zoo:index:Cage\" {}\n");
    /// let document = workspace.check(&program).document();
    /// let omitted: Vec<_> = document.omitted_constants(&document.main.nodes[0]).collect();
    /// assert_eq!(omitted, [("kind", &Constant::String("cage".into()))]);
    /// # Ok::<(), pcl::schema::DocumentError>(())
    /// ```
    pub fn omitted_constants<'d>(
        &'d self,
        node: &'d Node,
    ) -> impl Iterator<Item = (&'d str, &'d Constant)> {
        let schema = match node.body {
            Body::Resource(_) => self.resource_schema(node),
            _ => None,
        };
        let properties = schema.map_or_else(Vec::new, |schema| self.properties(schema.inputs));
        let is_given = |name: &str| node.inputs().iter().any(|input| input.name == name);
        properties.into_iter().filter_map(move |property| {
            let constant = property.constant.as_ref()?;
            let is_omitted = property.required && !is_given(&property.name);
            is_omitted.then_some((&*property.name, constant))
        })
    }
}

/// An object literal and the type of a schema that it becomes.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct TypedObject<'d> {
    /// The items of the literal.
    pub items: &'d [ObjectItem],
    /// The type. Its [`schema`](Object::schema) is known.
    pub object: &'d Object,
}

impl Document {
    /// The expression under any number of conversions; the expression itself if it is not one.
    pub fn unconverted(&self, mut expression: ExpressionIndex) -> ExpressionIndex {
        // A document that nothing checked may have a conversion that leads back to itself.
        while let ExpressionKind::Convert { value } = self.expression(expression).kind
            && value < expression
        {
            expression = value;
        }
        expression
    }

    /// The object literal that an expression is, perhaps under conversions, if it becomes an object
    /// type of a schema. Generators write it as a value of a class.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use pcl::{Settings, Target, Workspace, document::*, schema::MemoryLoader};
    /// use pcl::lower::{SdkOptions, sdk};
    /// # let mut schemas = MemoryLoader::default();
    /// # schemas.add(r##"{ "name": "zoo",
    /// #   "resources": { "zoo:index:Cage": { "inputProperties": {
    /// #     "lock": { "$ref": "#/types/zoo:index:Lock" },
    /// #     "notes": { "type": "object", "additionalProperties": { "type": "string" } } } } },
    /// #   "types": { "zoo:index:Lock": { "type": "object", "properties": { "keys": { "type": "integer" } } } } }"##)?;
    /// # let workspace = Workspace::new(Settings::default()).with_loader(Arc::new(schemas));
    /// let text = "resource a \"zoo:index:Cage\" {\n  lock = { keys = \"2\" }\n  notes = { food = \"hay\" }\n}\n";
    /// let mut checked = workspace.check(&Target::text("main.pp", text));
    /// checked.program = sdk(checked.program, &SdkOptions::nodejs());
    /// let document = checked.document();
    /// let [lock, notes] = document.main.nodes[0].inputs() else { panic!() };
    ///
    /// assert!(matches!(document.expression(lock.value).kind, ExpressionKind::Convert { .. }));
    /// let lock = document.typed_object(lock.value).unwrap();
    /// let member = lock.object.schema.as_ref().unwrap().member;
    /// assert_eq!(document.member(member).token, "zoo:index:Lock");
    /// assert_eq!(document.literal(lock.items[0].value).unwrap().to_string(), "2");
    /// assert!(document.typed_object(notes.value).is_none());
    /// # Ok::<(), pcl::schema::DocumentError>(())
    /// ```
    pub fn typed_object(&self, expression: ExpressionIndex) -> Option<TypedObject<'_>> {
        let expression = self.unconverted(expression);
        let ExpressionKind::Object { items } = &self.expression(expression).kind else {
            return None;
        };
        let object = self.annotation(expression)?;
        object.schema.as_ref()?;
        Some(TypedObject { items, object })
    }
}
