//! Facts about the code of an expression: whether it is an output, and how sure that is.

use pcl::document::{
    Body, ExpressionIndex, ExpressionKind, Reference, Traversal, TypeIndex, VariableIndex,
    VariableRole,
};
use pcl::language::Function;
use pcl_codegen::is_of_collection;

use crate::module::Writer;
use crate::print::{Id, Node};
use crate::types;

/// The code of a value, and what is known of it.
#[derive(Clone, Copy)]
pub(crate) struct Source {
    pub id: Id,
    pub ty: TypeIndex,
    pub is_late: bool,
    /// True if the code surely is an output when its type says so, rather than one of several
    /// types.
    pub sure: bool,
    /// The parameter for the value, once it is known.
    pub parameter: Option<VariableIndex>,
}

impl<'d> Writer<'d> {
    /// The code of an operand, and what is known of it.
    pub fn source(&mut self, index: ExpressionIndex) -> Source {
        let ty = self.code_type(index);
        Source {
            id: self.operand(index),
            ty,
            is_late: types::is_late(self.document, ty),
            sure: self.is_sure(index),
            parameter: None,
        }
    }

    /// The value of the local that a traversal begins at.
    pub fn local_value(&self, traversal: &Traversal) -> Option<ExpressionIndex> {
        match self.declaration(traversal)? {
            Body::Local { value } => *value,
            _ => None,
        }
    }

    /// Returns true if the code of an expression surely is an output when its type says so, rather
    /// than one of several types.
    pub fn is_sure(&self, index: ExpressionIndex) -> bool {
        let document = self.document;
        let mut index = index;
        // A value may be a name for another one, and so on.
        for _ in 0..64 {
            match &document.expression(index).kind {
                ExpressionKind::Apply { .. } => return true,
                ExpressionKind::Conditional { if_true, if_false, .. } => {
                    return [*if_true, *if_false].iter().all(|part| self.returned.contains(part));
                }
                ExpressionKind::Call(call) if is_of_collection(call) => {
                    return call
                        .arguments
                        .iter()
                        .any(|&argument| types::is_late(document, self.code_type(argument)));
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
                            .any(|ty| types::is_late(document, ty));
                        return crosses
                            || types::is_resource(document, source)
                            || self.is_component(traversal);
                    }
                    match self.local_value(traversal) {
                        Some(value) => index = value,
                        None => return self.is_sure_declaration(traversal),
                    }
                }
                ExpressionKind::RelativeTraversal { source, .. } => {
                    return types::is_late(document, document.expression(*source).ty);
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
    pub fn declaration(&self, traversal: &Traversal) -> Option<&'d Body> {
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
            Some(Body::Config(config)) => {
                // One that may be missing is none.
                config.secret && (config.default.is_some() || !config.nullable)
            }
            _ => self.is_component(traversal),
        }
    }

    /// Returns true if code is an output, whatever its type is in the language.
    pub fn is_output_code(&self, id: Id) -> bool {
        let Node::Call { callee, .. } = self.tree.node(id) else { return false };
        match self.tree.node(*callee) {
            Node::Member { name, .. } => name == "apply",
            Node::Name(name) => name.starts_with("pulumi.Output."),
            _ => false,
        }
    }

    /// `pulumi.Output.from_input(value)`
    pub fn output_of(&mut self, value: Id) -> Id {
        self.tree.call("pulumi.Output.from_input", [value])
    }

    /// A value as an output.
    pub fn as_output(&mut self, id: Id, sure: bool) -> Id {
        if sure { id } else { self.output_of(id) }
    }

    /// A computation on a value that is known later: `source.apply(lambda parameter: body)`.
    pub fn once_known(&mut self, source: Id, sure: bool, parameter: String, body: Id) -> Id {
        let source = self.as_output(source, sure);
        let function = self.function(vec![parameter], body);
        self.tree.method(source, "apply", [function])
    }

    /// The name of a parameter for a value, like its code.
    pub fn parameter_for(&mut self, id: Id) -> String {
        let hint = self.hint(id);
        self.local(&hint)
    }

    /// A name for the value of an expression.
    fn hint(&self, id: Id) -> String {
        let mut id = id;
        for _ in 0..8 {
            id = match self.tree.node(id) {
                Node::Name(name) | Node::Local(name)
                    if name.starts_with(|c: char| c.is_ascii_alphabetic()) =>
                {
                    let last = name.rsplit('.').next().unwrap_or_default();
                    return if last == "from_input" { "value".to_owned() } else { last.to_owned() };
                }
                Node::Member { name, .. } if matches!(name.as_str(), "apply" | "get") => break,
                Node::Member { name, .. } => return name.clone(),
                Node::Index { key, .. } => match self.tree.node(*key) {
                    Node::Text(text) => return text.clone(),
                    _ => break,
                },
                Node::Call { callee, .. } => *callee,
                _ => break,
            };
        }
        "value".to_owned()
    }
}
