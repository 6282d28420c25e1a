//! Facts about the code of an expression: whether it is an output or promise, and how sure that is.

use std::collections::HashSet;

use pcl::document::{
    Body, ExpressionIndex, ExpressionKind, Reference, Traversal, TypeIndex, VariableIndex,
    VariableRole,
};
use pcl::language::Function;

use crate::call::{is_of_collection, takes_plain};
use crate::module::Writer;
use crate::print::{Id, Node, is_identifier};
use crate::types::{Eventual, eventual};

/// The code of a value, and what is known of it.
#[derive(Clone, Copy)]
pub(crate) struct Source {
    pub id: Id,
    pub ty: TypeIndex,
    pub late: Eventual,
    /// True if the code surely is an output or promise when its type says so, rather than one of
    /// several types.
    pub sure: bool,
    /// The name of a parameter for the value, once it is known.
    pub parameter: Option<VariableIndex>,
}

impl Writer<'_> {
    /// The code of an operand, and what is known of it.
    pub fn source(&mut self, index: ExpressionIndex) -> Source {
        let ty = self.code_type(index);
        let late = match eventual(self.document, ty) {
            Eventual::Promise if self.gives_output(index) => Eventual::Output,
            late => late,
        };
        Source { id: self.operand(index), ty, late, sure: self.is_sure(index), parameter: None }
    }

    /// Returns true if the code of an expression is an output although its type is a promise: the
    /// SDK has no other form of a function that it is made of.
    pub fn gives_output(&self, index: ExpressionIndex) -> bool {
        if self.shared.output_calls.is_empty() {
            return false;
        }
        let document = self.document;
        let mut open = vec![index];
        let mut known = HashSet::new();
        while let Some(index) = open.pop() {
            if !known.insert(index) {
                continue;
            }
            match &document.expression(index).kind {
                ExpressionKind::Call(_) if self.shared.output_calls.contains(&index) => {
                    return true;
                }
                ExpressionKind::Apply { arguments, .. } => {
                    open.extend(arguments.iter().map(|argument| argument.value));
                }
                ExpressionKind::Convert { value } => open.push(*value),
                ExpressionKind::RelativeTraversal { source, .. } => open.push(*source),
                ExpressionKind::Traversal(traversal) => {
                    open.extend(self.local_value(traversal));
                }
                _ => {}
            }
        }
        false
    }

    /// The value of the local that a traversal begins at.
    pub fn local_value(&self, traversal: &Traversal) -> Option<ExpressionIndex> {
        match &traversal.reference {
            Reference::Node(node) => match self.module.node(*node)?.body {
                Body::Local { value } => value,
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns true if the code of an expression surely is an output or promise when its type says
    /// so, rather than one of several types.
    pub fn is_sure(&self, index: ExpressionIndex) -> bool {
        let document = self.document;
        let mut index = index;
        // A value may be a name for another one, and so on.
        for _ in 0..64 {
            match &document.expression(index).kind {
                ExpressionKind::Apply { .. } => return true,
                ExpressionKind::Call(call) if is_of_collection(call) => {
                    return call.arguments.iter().any(|&argument| {
                        eventual(document, self.code_type(argument)) != Eventual::No
                    });
                }
                ExpressionKind::Call(call) if takes_plain(call) => {
                    return call.arguments.iter().any(|&argument| self.holds_outputs(argument));
                }
                ExpressionKind::Call(call) => {
                    return matches!(
                        call.function(),
                        Some(
                            Function::Secret
                                | Function::Unsecret
                                | Function::GetOutput
                                | Function::ToJson
                                | Function::Recover
                                | Function::Try
                                | Function::Can
                                | Function::Call
                                | Function::Invoke
                        )
                    );
                }
                ExpressionKind::Convert { value } => index = *value,
                ExpressionKind::Traversal(traversal) => {
                    if let Some((_, before)) = traversal.steps.split_last() {
                        let whole = document.expression(index).ty;
                        let root_type = traversal.root_type.unwrap_or(whole);
                        let source = before.last().map_or(root_type, |step| step.ty);
                        let crosses = std::iter::once(root_type)
                            .chain(before.iter().map(|step| step.ty))
                            .any(|ty| eventual(document, ty) != Eventual::No);
                        return crosses || self.is_resource(source) || self.is_component(traversal);
                    }
                    match &traversal.reference {
                        Reference::Node(node) => match self.module.node(*node) {
                            Some(node) => match &node.body {
                                Body::Local { value: Some(value) } => {
                                    index = *value;
                                }
                                Body::Config(config) => return config.secret,
                                Body::Resource(_) | Body::Read(_) | Body::Component(_) => {
                                    return true;
                                }
                                _ => return false,
                            },
                            None => return false,
                        },
                        Reference::Variable(variable) => {
                            return document.variable(*variable).role == VariableRole::Deferred;
                        }
                        _ => return false,
                    }
                }
                ExpressionKind::RelativeTraversal { source, .. } => {
                    return eventual(document, document.expression(*source).ty) != Eventual::No;
                }
                _ => return false,
            }
        }
        false
    }

    fn is_component(&self, traversal: &Traversal) -> bool {
        match &traversal.reference {
            Reference::Node(node) => self.module.node(*node).is_some_and(|node| {
                matches!(node.body, Body::Component(_) | Body::Resource(_) | Body::Read(_))
            }),
            _ => false,
        }
    }

    pub fn is_sure_root(&self, traversal: &Traversal) -> bool {
        match &traversal.reference {
            Reference::Node(node) => match self.module.node(*node).map(|node| &node.body) {
                Some(Body::Local { value: Some(value) }) => self.is_sure(*value),
                Some(Body::Config(config)) => config.secret,
                Some(Body::Resource(_) | Body::Read(_) | Body::Component(_)) => true,
                _ => false,
            },
            Reference::Variable(variable) => {
                self.document.variable(*variable).role == VariableRole::Deferred
            }
            _ => false,
        }
    }

    /// Returns true if code is an output, whatever its type is in the language.
    pub fn is_output_code(&self, id: Id) -> bool {
        match self.tree.node(id) {
            Node::Template { tag, .. } => tag.is_some(),
            Node::Call { callee, .. } => match self.tree.node(*callee) {
                Node::Member { object, name, .. } => {
                    let is_pulumi = *self.tree.node(*object) == Node::Name("pulumi".to_owned());
                    name == "apply" || is_pulumi && matches!(name.as_str(), "output" | "secret")
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// A value as an output or promise.
    pub fn as_eventual(&mut self, id: Id, late: Eventual, sure: bool) -> Id {
        match late {
            Eventual::Promise if sure => id,
            Eventual::Output if sure => id,
            Eventual::Promise => self.tree.call("Promise.resolve", [id]),
            _ => self.tree.call("pulumi.output", [id]),
        }
    }

    /// A name for the value of an expression.
    pub fn hint(&self, id: Id) -> String {
        let mut id = id;
        for _ in 0..8 {
            id = match self.tree.node(id) {
                Node::Name(name) if is_identifier(name) => return name.clone(),
                Node::Member { name, .. } if matches!(name.as_str(), "apply" | "then" | "all") => {
                    break;
                }
                Node::Member { name, .. } => return name.clone(),
                Node::Call { callee, .. } => *callee,
                Node::NonNull(inner) => *inner,
                _ => break,
            };
        }
        "value".to_owned()
    }
}
