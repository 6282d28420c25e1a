//! Documents as JSON, and back.

use std::fmt;

use serde::Deserialize;

use super::expression::{Expression, ExpressionKind, Reference};
use super::index::{MemberIndex, NodeIndex};
use super::node::{Body, Comment, Module, Node};
use super::place::Place;
use super::types::Type;
use super::{Document, FORMAT, FORMAT_VERSION};

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
            Self::Malformed {
                line,
                column,
                message,
            } => write!(out, "line {line}, column {column}: {message}"),
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

#[derive(Deserialize)]
struct Header {
    format: Option<String>,
    format_version: Option<String>,
}

impl Document {
    /// The document as JSON, on one line.
    #[must_use]
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
        let header: Header = serde_json::from_slice(json).map_err(malformed)?;
        if header.format.as_deref() != Some(FORMAT) {
            return Err(DocumentError::OtherFormat);
        }
        let found = header.format_version.unwrap_or_default();
        if major(&found) != major(FORMAT_VERSION) {
            return Err(DocumentError::OtherVersion { found });
        }
        let document: Self = serde_json::from_slice(json).map_err(malformed)?;
        document.check()?;
        Ok(document)
    }

    /// Checks that every position leads somewhere, operands come before the expressions that use
    /// them, and types end. This holds for the results of [`Document::of`] and
    /// [`Document::from_json`].
    ///
    /// # Errors
    /// Returns the first rule that does not hold.
    pub fn check(&self) -> Result<(), DocumentError> {
        for (at, ty) in self.types.iter().enumerate() {
            let mut parts = Vec::new();
            ty.for_each_part(|part| parts.push(part.index()));
            within(&parts, self.types.len(), || format!("a part of type {at}"))?;
            let member = match ty {
                Type::Object(object) => object.schema.map(|schema| schema.member),
                Type::Enum(enumeration) => enumeration.schema,
                _ => None,
            };
            self.check_member(member, || format!("type {at}"))?;
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
            let types = [variable.ty.index()];
            within(&types, self.types.len(), || format!("variable {at}"))?;
        }
        for (at, expression) in self.expressions.iter().enumerate() {
            self.check_expression(at, expression)?;
        }
        self.check_module(&self.main, "the program")?;
        for component in &self.components {
            self.check_module(&component.module, &component.name)?;
        }
        Ok(())
    }

    fn check_members(&self) -> Result<(), DocumentError> {
        for module in self.modules() {
            for package in self.packages.iter().chain(&module.packages) {
                within(&[package.schema.index()], self.schemas.len(), || {
                    format!("the schema of package `{}`", package.name)
                })?;
            }
        }
        for member in &self.members {
            within(&[member.schema.index()], self.schemas.len(), || {
                format!("the package of `{}`", member.token)
            })?;
        }
        for (at, resource) in self.resources.iter().enumerate() {
            let types = [resource.inputs.index(), resource.outputs.index()];
            self.check_member(Some(resource.member), || format!("resource {at}"))?;
            within(&types, self.types.len(), || {
                format!("a type of resource {at}")
            })?;
        }
        Ok(())
    }

    fn check_member(
        &self,
        member: Option<MemberIndex>,
        what: impl Fn() -> String,
    ) -> Result<(), DocumentError> {
        let member = member.map(MemberIndex::index);
        within(member.as_slice(), self.members.len(), || {
            format!("the member of {}", what())
        })
    }

    /// Recursion has to pass through a property of an object.
    fn check_types_end(&self) -> Result<(), DocumentError> {
        // 0: not seen, 1: open, 2: done.
        let mut seen = vec![0_u8; self.types.len()];
        for root in 0..self.types.len() {
            let mut open = vec![(root, false)];
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

    fn check_expression(&self, at: usize, expression: &Expression) -> Result<(), DocumentError> {
        let what = || format!("expression {at}");
        let mut operands = Vec::new();
        let mut types = vec![expression.ty.index()];
        let mut variables = Vec::new();
        let mut places = vec![expression.range];
        types.extend(expression.expected.map(|ty| ty.index()));
        expression
            .kind
            .for_each_operand(|operand| operands.push(operand.index()));
        match &expression.kind {
            ExpressionKind::Traversal(traversal) => {
                types.push(traversal.root_type.index());
                types.extend(traversal.steps.iter().map(|step| step.ty.index()));
                places.push(traversal.name_range);
                places.extend(traversal.steps.iter().map(|step| step.range));
                if let Reference::Variable(variable) = traversal.reference {
                    variables.push(variable.index());
                }
            }
            ExpressionKind::RelativeTraversal { steps, .. } => {
                types.extend(steps.iter().map(|step| step.ty.index()));
                places.extend(steps.iter().map(|step| step.range));
            }
            ExpressionKind::For(each) => {
                let declared = each.key_variable.into_iter().chain(each.value_variable);
                variables.extend(declared.map(|variable| variable.index()));
            }
            ExpressionKind::Splat { item, .. } => variables.push(item.index()),
            ExpressionKind::Apply { arguments, .. } => {
                variables.extend(arguments.iter().map(|argument| argument.parameter.index()));
            }
            ExpressionKind::Call(call) => {
                let parameters = call.parameters.iter().chain(&call.variadic);
                types.extend(parameters.map(|parameter| parameter.ty.index()));
                types.push(call.returns.index());
                places.push(call.name_range);
                let callee = call.callee.as_ref();
                self.check_member(callee.map(|callee| callee.member), what)?;
            }
            _ => {}
        }
        within(&operands, at, || format!("an operand of {}", what()))?;
        within(&types, self.types.len(), || format!("a type of {}", what()))?;
        within(&variables, self.variables.len(), || {
            format!("a variable of {}", what())
        })?;
        self.check_places(&places, what)
    }

    fn check_module(&self, module: &Module, owner: &str) -> Result<(), DocumentError> {
        let nodes = module.nodes.len();
        let files: Vec<_> = module.files.iter().map(|file| file.index()).collect();
        within(&files, self.files.len(), || format!("a file of {owner}"))?;
        let mut order: Vec<_> = module.order.iter().map(|node| node.index()).collect();
        order.sort_unstable();
        if !order.into_iter().eq(0..nodes) {
            let message = format!("the order of {owner} does not hold each node once");
            return Err(inconsistent(message));
        }
        let mut seen = vec![false; self.expressions.len()];
        for node in &module.nodes {
            self.check_node(module, node)?;
            self.check_references(module, node, &mut seen)?;
        }
        Ok(())
    }

    fn check_node(&self, module: &Module, node: &Node) -> Result<(), DocumentError> {
        let what = || format!("node `{}`", node.name);
        let mut expressions = Vec::new();
        let mut types = vec![node.ty.index()];
        let mut places = vec![node.range, node.name_range];
        let mut components = Vec::new();
        let mut variables = Vec::new();
        let mut nodes: Vec<_> = node.dependencies.iter().map(|node| node.index()).collect();
        node.for_each_expression(|expression| expressions.push(expression.index()));
        for attribute in node.inputs().iter().chain(node.options()) {
            let comments = &attribute.comments;
            places.push(attribute.name_range);
            places.extend(comments_of([
                &comments.detached,
                &comments.leading,
                &comments.trailing,
            ]));
        }
        let comments = &node.comments;
        places.extend(comments_of([
            &comments.detached,
            &comments.leading,
            &comments.trailing,
            &comments.open,
            &comments.close,
        ]));
        for item in &comments.items {
            let comments = &item.comments;
            places.extend(comments_of([
                &comments.detached,
                &comments.leading,
                &comments.trailing,
            ]));
        }
        match &node.body {
            Body::Resource(resource) | Body::Read(resource) => {
                types.extend(resource.input_type.map(|ty| ty.index()));
                places.extend(resource.options_range);
                let schema = resource.schema.map(|schema| schema.index());
                within(schema.as_slice(), self.resources.len(), || {
                    format!("the schema of {}", what())
                })?;
            }
            Body::Component(component) => {
                types.extend(component.input_type.map(|ty| ty.index()));
                places.extend(component.options_range);
                components.extend(component.program.map(|program| program.index()));
                variables.extend(component.deferred.iter().map(|d| d.variable.index()));
                nodes.extend(component.deferred.iter().map(|d| d.component.index()));
            }
            _ => {}
        }
        within(&expressions, self.expressions.len(), || {
            format!("an expression of {}", what())
        })?;
        within(&types, self.types.len(), || format!("a type of {}", what()))?;
        within(&components, self.components.len(), || {
            format!("the program of {}", what())
        })?;
        within(&variables, self.variables.len(), || {
            format!("a variable of {}", what())
        })?;
        within(&nodes, module.nodes.len(), || {
            format!("what {} needs", what())
        })?;
        self.check_places(&places, what)
    }

    /// Names in the expressions of a node lead to nodes of its own module. Visited expressions are
    /// skipped.
    fn check_references(
        &self,
        module: &Module,
        node: &Node,
        seen: &mut [bool],
    ) -> Result<(), DocumentError> {
        let mut open = Vec::new();
        node.for_each_expression(|expression| open.push(expression));
        while let Some(expression) = open.pop() {
            match seen.get_mut(expression.index()) {
                Some(seen @ false) => *seen = true,
                _ => continue,
            }
            let referred = self.referred(expression).map(NodeIndex::index);
            within(referred.as_slice(), module.nodes.len(), || {
                format!("a reference in node `{}`", node.name)
            })?;
            let kind = &self.expression(expression).kind;
            kind.for_each_operand(|operand| open.push(operand));
        }
        Ok(())
    }

    fn check_places(
        &self,
        places: &[Place],
        what: impl Fn() -> String,
    ) -> Result<(), DocumentError> {
        let files: Vec<_> = places.iter().map(|place| place.file.index()).collect();
        within(&files, self.files.len(), || format!("a file of {}", what()))
    }
}

fn comments_of<'c>(
    lists: impl IntoIterator<Item = &'c Vec<Comment>>,
) -> impl Iterator<Item = Place> {
    let comments = lists.into_iter().flatten();
    comments.map(|comment| comment.range)
}

fn within(
    positions: &[usize],
    length: usize,
    what: impl Fn() -> String,
) -> Result<(), DocumentError> {
    match positions.iter().find(|&&position| position >= length) {
        None => Ok(()),
        Some(position) => {
            let message = format!("{} is at {position}, where there is nothing", what());
            Err(inconsistent(message))
        }
    }
}

fn inconsistent(message: String) -> DocumentError {
    DocumentError::Inconsistent { message }
}

#[expect(clippy::needless_pass_by_value, reason = "it is a mapping of errors")]
fn malformed(error: serde_json::Error) -> DocumentError {
    let (line, column) = (error.line(), error.column());
    let message = error.to_string();
    // The place is separated from the message.
    let message = message.rsplit_once(" at line ");
    DocumentError::Malformed {
        line,
        column,
        message: message.map_or_else(|| error.to_string(), |(message, _)| message.to_owned()),
    }
}

fn major(version: &str) -> Option<u32> {
    version.split('.').next()?.parse().ok()
}
