//! Documents as JSON, and back, and the laws that they follow: every position leads somewhere,
//! operands come before what uses them, and types end.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;

use crate::document::expression::{Expression, ExpressionKind, Reference};
use crate::document::node::{Body, Comment, Module, Node};
use crate::document::place::{
    ExpressionIndex, MemberIndex, NodeIndex, Place, SchemaIndex, TypeIndex, VariableIndex,
};
use crate::document::types::Type;
use crate::document::{Document, FORMAT, FORMAT_VERSION};

/// The reason why JSON is not a document.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum DocumentError {
    /// The text is not JSON, or is truncated, or a field is missing or of another type.
    Malformed {
        /// The line of the text, from 1.
        line: usize,
        /// The column in the line, from 1.
        column: usize,
        /// A description of the error.
        message: String,
    },
    /// The JSON is something else: perhaps `pcl dump bound` without `--full`.
    OtherFormat,
    /// The document is of a version that this reader does not know.
    OtherVersion {
        /// The version of the document.
        found: String,
    },
    /// A position leads nowhere, or an order is none.
    Inconsistent {
        /// The rule that does not hold.
        message: String,
    },
}

impl fmt::Display for DocumentError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed { line, column, message } => {
                write!(out, "line {line}, column {column}: {message}")
            }
            Self::OtherFormat => {
                out.write_str("this is no document as `pcl dump bound --full` writes it")
            }
            Self::OtherVersion { found } => write!(
                out,
                "the document has format version {found}; this reader knows {FORMAT_VERSION}: \
                 write it again, with `pcl dump bound --full` of the same version of `pcl`"
            ),
            Self::Inconsistent { message } => out.write_str(message),
        }
    }
}

impl std::error::Error for DocumentError {}

/// The fields that tell a document that this reader knows from other JSON.
#[derive(Deserialize)]
struct Header<'a> {
    format: Option<Cow<'a, str>>,
    format_version: Option<Cow<'a, str>>,
}

impl Header<'_> {
    fn check(&self) -> Result<(), DocumentError> {
        if self.format.as_deref() != Some(FORMAT) {
            return Err(DocumentError::OtherFormat);
        }
        let found = self.format_version.as_deref().unwrap_or_default();
        if major(found) == major(FORMAT_VERSION) {
            Ok(())
        } else {
            Err(DocumentError::OtherVersion { found: found.to_owned() })
        }
    }
}

impl Document {
    /// The document as JSON, on one line.
    pub fn to_json(&self) -> String {
        // No key is anything but a string, so that it can always be written.
        let mut out = serde_json::to_string(self).unwrap_or_default();
        out.push('\n');
        out
    }

    /// Reads the output of [`to_json`](Self::to_json) or `pcl dump bound --full --output-format
    /// json`.
    ///
    /// # Errors
    /// Returns an error if the JSON is anything else, of another version or truncated, or if a
    /// position in it leads nowhere.
    ///
    /// ```
    /// # use pcl::{Settings, Target, Workspace, document::*};
    /// use pcl::document::{Document, DocumentError};
    ///
    /// let document = Workspace::new(Settings::default()).check(&Target::text("main.pp", "a = 1\n")).document();
    /// let json = document.to_json();
    /// assert_eq!(Document::from_json(&json).as_ref(), Ok(&document));
    /// let cut_off = Document::from_json(&json[..json.len() / 2]);
    /// assert!(matches!(cut_off, Err(DocumentError::Malformed { .. })));
    /// ```
    pub fn from_json(json: impl AsRef<[u8]>) -> Result<Self, DocumentError> {
        let json = json.as_ref();
        let document: Self = match serde_json::from_slice(json) {
            Ok(document) => document,
            Err(error) => {
                // Perhaps it is something else.
                let header = serde_json::from_slice::<Header<'_>>(json);
                header.map_err(malformed)?.check()?;
                return Err(malformed(error));
            }
        };
        let header = Header {
            format: Some((&document.format).into()),
            format_version: Some((&document.format_version).into()),
        };
        header.check()?;
        document.check()?;
        Ok(document)
    }
}

fn malformed(error: serde_json::Error) -> DocumentError {
    let (line, column) = (error.line(), error.column());
    let message = error.to_string();
    let place = format!(" at line {line} column {column}");
    DocumentError::Malformed {
        line,
        column,
        message: message.strip_suffix(&place).unwrap_or(&message).to_owned(),
    }
}

fn major(version: &str) -> Option<u32> {
    version.split('.').next()?.parse().ok()
}

impl Document {
    /// Checks that every position leads somewhere, operands come before the expressions that use
    /// them, and types end. This holds for the results of [`Document::of`] and
    /// [`Document::from_json`].
    ///
    /// # Errors
    /// Returns the first rule that does not hold.
    pub fn check(&self) -> Result<(), DocumentError> {
        for (at, ty) in self.types.iter().enumerate() {
            let mut positions = self.positions();
            positions.ty_itself(ty);
            positions.done(|| format!("type {at}"))?;
            if let Type::Object(object) = ty
                && !object.properties.is_sorted_by(|a, b| a.name < b.name)
            {
                return Err(inconsistent(format!(
                    "the properties of type {at} are not sorted by name"
                )));
            }
        }
        self.check_types_end()?;
        self.check_members()?;
        for (at, variable) in self.variables.iter().enumerate() {
            let mut positions = self.positions();
            positions.ty(variable.ty);
            positions.done(|| format!("variable {at}"))?;
        }
        for (at, expression) in self.expressions.iter().enumerate() {
            let mut positions = self.positions();
            positions.expression_itself(at, expression);
            positions.done(|| format!("expression {at}"))?;
        }
        self.check_module(&self.main, "the program")?;
        for component in &self.components {
            self.check_module(&component.module, &component.name)?;
        }
        Ok(())
    }

    fn positions(&self) -> Positions<'_> {
        Positions { document: self, wrong: None }
    }

    fn check_members(&self) -> Result<(), DocumentError> {
        for module in self.modules() {
            for package in self.packages.iter().chain(&module.packages) {
                let mut positions = self.positions();
                positions.schema(package.schema);
                positions.done(|| format!("package `{}`", package.name))?;
            }
        }
        for member in &self.members {
            let mut positions = self.positions();
            positions.schema(member.schema);
            positions.done(|| format!("member `{}`", member.token))?;
        }
        for (at, resource) in self.resources.iter().enumerate() {
            let mut positions = self.positions();
            positions.member(resource.member);
            positions.ty(resource.inputs);
            positions.ty(resource.outputs);
            positions.done(|| format!("resource {at}"))?;
        }
        Ok(())
    }

    /// Recursion has to pass through a property of an object.
    fn check_types_end(&self) -> Result<(), DocumentError> {
        // 0: not seen, 1: open, 2: done.
        let mut seen = vec![0_u8; self.types.len()];
        let mut open = Vec::new();
        for root in 0..self.types.len() {
            open.push((root, false));
            while let Some((ty, done)) = open.pop() {
                let (Some(state), Some(described)) = (seen.get_mut(ty), self.types.get(ty)) else {
                    continue;
                };
                match (*state, done) {
                    (_, true) => *state = 2,
                    (0, false) => {
                        *state = 1;
                        open.push((ty, true));
                        match described {
                            Type::Object(object) => {
                                let includes = object.includes.iter();
                                open.extend(includes.map(|part| (part.index(), false)));
                            }
                            _ => described.for_each_part(|part| open.push((part.index(), false))),
                        }
                    }
                    (1, false) => return Err(inconsistent(format!("type {ty} has no end"))),
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn check_module(&self, module: &Module, owner: &str) -> Result<(), DocumentError> {
        let mut positions = self.positions();
        for file in &module.files {
            positions.within("a file", file.index(), self.files.len());
        }
        positions.done(|| owner.to_owned())?;
        let mut order: Vec<_> = module.order.iter().map(|node| node.index()).collect();
        order.sort_unstable();
        if !order.into_iter().eq(0..module.nodes.len()) {
            let message = format!("the order of {owner} does not hold each node once");
            return Err(inconsistent(message));
        }
        let mut seen = vec![false; self.expressions.len()];
        let mut open = Vec::new();
        for node in &module.nodes {
            let mut positions = self.positions();
            positions.node_itself(module, node);
            positions.references(module, node, &mut seen, &mut open);
            positions.done(|| format!("node `{}`", node.name))?;
        }
        Ok(())
    }
}

/// Looks at the positions in one part of a document, and remembers the first that leads nowhere.
struct Positions<'d> {
    document: &'d Document,
    wrong: Option<(&'static str, usize)>,
}

impl Positions<'_> {
    fn within(&mut self, what: &'static str, position: usize, length: usize) {
        if position >= length && self.wrong.is_none() {
            self.wrong = Some((what, position));
        }
    }

    fn done(self, owner: impl FnOnce() -> String) -> Result<(), DocumentError> {
        let Some((what, position)) = self.wrong else { return Ok(()) };
        let owner = owner();
        let message = format!("{what} of {owner} is at {position}, where there is nothing");
        Err(inconsistent(message))
    }

    fn ty(&mut self, ty: TypeIndex) {
        self.within("a type", ty.index(), self.document.types.len());
    }

    fn variable(&mut self, variable: VariableIndex) {
        let length = self.document.variables.len();
        self.within("a variable", variable.index(), length);
    }

    fn expression(&mut self, expression: ExpressionIndex) {
        let length = self.document.expressions.len();
        self.within("an expression", expression.index(), length);
    }

    fn schema(&mut self, schema: SchemaIndex) {
        self.within("the schema", schema.index(), self.document.schemas.len());
    }

    fn member(&mut self, member: MemberIndex) {
        self.within("the member", member.index(), self.document.members.len());
    }

    fn node(&mut self, module: &Module, node: NodeIndex) {
        self.within("a reference", node.index(), module.nodes.len());
    }

    fn place(&mut self, place: Place) {
        self.within("a file", place.file.index(), self.document.files.len());
    }

    fn comments<'c>(&mut self, lists: impl IntoIterator<Item = &'c Vec<Comment>>) {
        for comment in lists.into_iter().flatten() {
            self.place(comment.range);
        }
    }

    fn ty_itself(&mut self, ty: &Type) {
        let length = self.document.types.len();
        ty.for_each_part(|part| self.within("a part", part.index(), length));
        match ty {
            Type::Object(object) => {
                object.schema.iter().for_each(|schema| self.member(schema.member))
            }
            Type::Enum(enumeration) => {
                enumeration.schema.iter().for_each(|&member| self.member(member))
            }
            _ => {}
        }
    }

    fn expression_itself(&mut self, at: usize, expression: &Expression) {
        self.ty(expression.ty);
        self.place(expression.range);
        expression.expected.iter().for_each(|&ty| self.ty(ty));
        let kind = &expression.kind;
        kind.for_each_operand(|operand| self.within("an operand", operand.index(), at));
        match kind {
            ExpressionKind::Traversal(traversal) => {
                traversal.root_type.iter().for_each(|&ty| self.ty(ty));
                traversal.name_range.iter().for_each(|&place| self.place(place));
                for step in &traversal.steps {
                    self.ty(step.ty);
                    self.place(step.range);
                }
                if let Reference::Variable(variable) = traversal.reference {
                    self.variable(variable);
                }
            }
            ExpressionKind::RelativeTraversal { steps, .. } => {
                for step in steps {
                    self.ty(step.ty);
                    self.place(step.range);
                }
            }
            ExpressionKind::For(each) => {
                let declared = each.key_variable.into_iter().chain(each.value_variable);
                declared.for_each(|variable| self.variable(variable));
            }
            ExpressionKind::Splat { item, .. } => self.variable(*item),
            ExpressionKind::Apply { arguments, .. } => {
                for argument in arguments {
                    self.variable(argument.parameter);
                }
            }
            ExpressionKind::Call(call) => {
                for parameter in call.parameters.iter().chain(&call.variadic) {
                    self.ty(parameter.ty);
                }
                call.returns.iter().for_each(|&ty| self.ty(ty));
                call.name_range.iter().for_each(|&place| self.place(place));
                if let Some(callee) = &call.callee {
                    self.member(callee.member);
                }
            }
            _ => {}
        }
    }

    fn node_itself(&mut self, module: &Module, node: &Node) {
        self.ty(node.ty);
        self.place(node.range);
        self.place(node.name_range);
        node.options_range().iter().for_each(|&place| self.place(place));
        for &needed in &node.dependencies {
            self.node(module, needed);
        }
        node.for_each_expression(|expression| self.expression(expression));
        for attribute in node.inputs().iter().chain(node.options()) {
            let comments = &attribute.comments;
            self.place(attribute.name_range);
            self.comments([&comments.detached, &comments.leading, &comments.trailing]);
        }
        let comments = &node.comments;
        self.comments([&comments.detached, &comments.leading, &comments.trailing]);
        self.comments([&comments.open, &comments.close]);
        for item in &comments.items {
            let comments = &item.comments;
            self.comments([&comments.detached, &comments.leading, &comments.trailing]);
        }
        match &node.body {
            Body::Resource(resource) | Body::Read(resource) => {
                resource.input_type.iter().for_each(|&ty| self.ty(ty));
                if let Some(schema) = resource.schema {
                    let length = self.document.resources.len();
                    self.within("the schema", schema.index(), length);
                }
            }
            Body::Component(component) => {
                component.input_type.iter().for_each(|&ty| self.ty(ty));
                if let Some(program) = component.program {
                    let length = self.document.components.len();
                    self.within("the program", program.index(), length);
                }
                for deferred in &component.deferred {
                    self.variable(deferred.variable);
                    self.node(module, deferred.component);
                }
            }
            _ => {}
        }
    }

    /// Names in the expressions of a node lead to nodes of its own module. Visited expressions are
    /// skipped.
    fn references(
        &mut self,
        module: &Module,
        node: &Node,
        seen: &mut [bool],
        open: &mut Vec<ExpressionIndex>,
    ) {
        node.for_each_expression(|expression| open.push(expression));
        while let Some(expression) = open.pop() {
            match seen.get_mut(expression.index()) {
                Some(seen @ false) => *seen = true,
                _ => continue,
            }
            if let Some(referred) = self.document.referred(expression) {
                self.node(module, referred);
            }
            let kind = &self.document.expression(expression).kind;
            kind.for_each_operand(|operand| open.push(operand));
        }
    }
}

fn inconsistent(message: String) -> DocumentError {
    DocumentError::Inconsistent { message }
}
