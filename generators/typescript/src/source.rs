//! Facts about the code of an expression: whether it is an output or promise, and how sure that is.

use pcl::document::{
    Body, ExpressionIndex, ExpressionKind, Reference, Traversal, TypeIndex, VariableIndex,
    VariableRole,
};
use pcl::language::Function;
use pcl_codegen::is_of_collection;
use rustc_hash::FxHashSet;

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
    /// True if steps that lead nowhere have to fail.
    pub is_checked: bool,
}

impl<'d> Writer<'d> {
    /// The code of an operand, and what is known of it.
    pub fn source(&mut self, index: ExpressionIndex) -> Source {
        let ty = self.code_type(index);
        let late = match eventual(self.document, ty) {
            Eventual::Promise if self.gives_output(index) => Eventual::Output,
            late => late,
        };
        Source {
            id: self.operand(index),
            ty,
            late,
            sure: self.is_sure(index),
            parameter: None,
            is_checked: self.checked.contains(&index),
        }
    }

    /// Returns true if the code of an expression is an output although its type is a promise: the
    /// SDK has no other form of a function that it is made of.
    pub fn gives_output(&self, index: ExpressionIndex) -> bool {
        if self.shared.output_calls.is_empty() {
            return false;
        }
        let document = self.document;
        let mut open = vec![index];
        let mut known = FxHashSet::default();
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
        match self.declaration(traversal)? {
            Body::Local { value } => *value,
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
                ExpressionKind::Conditional { if_true, .. } if self.returned.contains(if_true) => {
                    return !self.differs(index);
                }
                ExpressionKind::Call(call) if is_of_collection(call) => {
                    return call.arguments.iter().any(|&argument| {
                        eventual(document, self.code_type(argument)) != Eventual::No
                    });
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
                                | Function::ResourceExists
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
                    match self.local_value(traversal) {
                        Some(value) => index = value,
                        None => return self.is_sure_declaration(traversal),
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
        matches!(
            self.declaration(traversal),
            Some(Body::Component(_) | Body::Resource(_) | Body::Read(_))
        )
    }

    /// The declaration that a traversal begins at.
    fn declaration(&self, traversal: &Traversal) -> Option<&'d Body> {
        match traversal.reference {
            Reference::Node(node) => Some(&self.module.node(node)?.body),
            _ => None,
        }
    }

    pub fn is_sure_root(&self, traversal: &Traversal) -> bool {
        match self.local_value(traversal) {
            Some(value) => self.is_sure(value),
            None => self.is_sure_declaration(traversal),
        }
    }

    /// Returns true if what a traversal begins at, which is no local, surely is an output.
    fn is_sure_declaration(&self, traversal: &Traversal) -> bool {
        if let Reference::Variable(variable) = traversal.reference {
            return self.document.variable(variable).role == VariableRole::Deferred;
        }
        match self.declaration(traversal) {
            Some(Body::Config(config)) => config.secret,
            _ => self.is_component(traversal),
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
            _ => self.output_of(id),
        }
    }

    /// A computation on a value that is known later: `source.apply((parameter) => body)`, or `then`
    /// for a promise.
    pub fn once_known(
        &mut self,
        source: Id,
        (late, sure): (Eventual, bool),
        parameter: Id,
        body: Id,
    ) -> Id {
        let source = self.as_eventual(source, late, sure);
        let function = self.tree.arrow([parameter], body);
        let method = if late == Eventual::Promise { "then" } else { "apply" };
        self.tree.method(source, method, [function])
    }

    /// A parameter for a value, named like its code.
    pub fn parameter_for(&mut self, id: Id) -> Id {
        let hint = self.hint(id);
        self.local_id(&hint)
    }

    /// A name for the value of an expression.
    fn hint(&self, id: Id) -> String {
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
