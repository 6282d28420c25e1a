//! Computations on values that are known later, on several of them by `pulumi.Output.all`.

use std::borrow::Cow;

use pcl::document::{
    ApplyArgument, ExpressionIndex, ExpressionKind, Reference, Step, Type, VariableIndex,
};
use rustc_hash::FxHashSet;

use crate::module::Writer;
use crate::print::{Id, Item, Node};
use crate::types;
use crate::value::format_text;
use pcl_codegen::results;

impl<'d> Writer<'d> {
    /// A computation on values that are known later.
    pub fn apply(&mut self, arguments: &[ApplyArgument], body: ExpressionIndex) -> Id {
        let document = self.document;
        // Steps alone need no function.
        if let [argument] = arguments
            && let Some(steps) = self.steps_into(argument.parameter, body)
        {
            let mut source = self.source(argument.value);
            source.parameter = Some(argument.parameter);
            let is_flat = self.flat.contains(&argument.parameter);
            return self.steps(source, &steps, is_flat);
        }
        if let ExpressionKind::Template { parts } = &document.expression(body).kind
            && let Some(template) = self.interpolation(arguments, parts)
        {
            return template;
        }
        let names: Vec<String> =
            arguments.iter().map(|argument| self.variable(argument.parameter)).collect();
        let body_id = self.operand(body);
        if let ([name], [argument]) = (&names[..], arguments) {
            let own = self.source(argument.value);
            let sure = own.sure && types::is_output(document, own.ty);
            if *self.tree.node(body_id) == Node::Local(name.clone()) {
                return self.as_output(own.id, sure);
            }
            return self.once_known(own.id, sure, name.clone(), body_id);
        }
        let mut items = Vec::new();
        for (name, argument) in names.iter().zip(arguments) {
            let value = self.operand(argument.value);
            items.push(Item::keyword(name, value));
        }
        let all = self.tree.call("pulumi.Output.all", items);
        let function = self.function_of_all(&names, body_id);
        self.tree.method(all, "apply", [function])
    }

    /// The steps that an expression takes into a variable, if it is nothing else.
    fn steps_into(
        &self,
        variable: VariableIndex,
        body: ExpressionIndex,
    ) -> Option<Cow<'d, [Step]>> {
        let document = self.document;
        match &document.expression(body).kind {
            ExpressionKind::Traversal(traversal) => {
                let is_it = traversal.reference == Reference::Variable(variable);
                is_it.then_some(Cow::Borrowed(&traversal.steps[..]))
            }
            ExpressionKind::RelativeTraversal { source, steps } => {
                let ExpressionKind::Traversal(traversal) = &document.expression(*source).kind
                else {
                    return None;
                };
                let is_it = traversal.reference == Reference::Variable(variable);
                is_it.then(|| traversal.steps.iter().chain(steps).cloned().collect())
            }
            _ => None,
        }
    }

    /// The results of functions in a value that have outputs as parts: the SDK takes an output for
    /// the value that it holds, but no parts.
    pub fn returned_outputs(&self, parts: &[ExpressionIndex]) -> FxHashSet<ExpressionIndex> {
        let document = self.document;
        let mut returned = FxHashSet::default();
        for &part in parts {
            let ExpressionKind::Apply { body, arguments } = &document.expression(part).kind else {
                continue;
            };
            // What an argument may be has to be an output as well.
            for argument in arguments {
                let results = results(document, argument.value);
                if results.len() > 1 {
                    returned.extend(results);
                }
            }
            let results = results(document, *body);
            returned.extend(results.into_iter().filter(|&part| {
                let ty = document.expression(part).ty;
                types::holds_eventuals(document, ty) && !is_plain_output(self, part)
            }));
        }
        returned
    }

    /// A result of a function that has to be an output.
    pub fn as_returned(&mut self, index: ExpressionIndex, id: Id) -> Id {
        let document = self.document;
        let ty = self.code_type(index);
        let is_output = self.is_sure(index) && types::is_output(document, ty);
        if is_output { id } else { self.output_of(id) }
    }

    /// A template of outputs, if its parts are no more than texts: `pulumi.Output.format(..)`.
    fn interpolation(
        &mut self,
        arguments: &[ApplyArgument],
        parts: &[ExpressionIndex],
    ) -> Option<Id> {
        let document = self.document;
        let find = |part: ExpressionIndex| match &document.expression(part).kind {
            ExpressionKind::Traversal(traversal) => {
                let is_it = |argument: &&ApplyArgument| {
                    traversal.reference == Reference::Variable(argument.parameter)
                };
                Some((traversal, arguments.iter().find(is_it)?))
            }
            _ => None,
        };
        // What is computed of a parameter needs a function, and so does what is no text.
        let needs_function = |&part: &ExpressionIndex| {
            let kinds = document.alternatives(document.expression(part).ty);
            let is_text = kinds
                .iter()
                .all(|&ty| matches!(document.ty(ty), Type::String | Type::Id | Type::Int));
            !is_text
                || find(part).is_none()
                    && document.walk(part).into_iter().any(|it| find(it).is_some())
        };
        if parts.iter().any(needs_function) {
            return None;
        }
        for &part in parts {
            if let Some((traversal, argument)) = find(part) {
                let mut source = self.source(argument.value);
                source.parameter = Some(argument.parameter);
                let is_flat = self.is_flat(argument.value) || !source.sure;
                let id = self.steps(source, &traversal.steps, is_flat);
                self.values.insert(part, id);
            }
        }
        let (texts, values) = self.pieces(parts);
        let text = self.tree.text(format_text(&texts));
        let values = values.into_iter().map(|(_, id)| id);
        let arguments: Vec<Id> = [text].into_iter().chain(values).collect();
        Some(self.tree.call("pulumi.Output.format", arguments))
    }
}

/// Returns true if a value is an output, none of whose parts is one.
fn is_plain_output(writer: &Writer<'_>, part: ExpressionIndex) -> bool {
    let document = writer.document;
    let ty = document.expression(part).ty;
    types::is_output(document, ty)
        && writer.is_sure(part)
        && !types::holds_eventuals(document, types::content(document, ty))
}
