//! Computations on values that are known later, on several of them by `pulumi.all`.

use pcl::document::{ApplyArgument, Expression, ExpressionIndex, ExpressionKind, Reference, Type};

use crate::module::Writer;
use crate::print::{Entry, Id, Node};
use crate::types::Eventual;

impl Writer<'_> {
    /// A computation on values that are known later.
    pub fn apply(
        &mut self,
        expression: &Expression,
        arguments: &[ApplyArgument],
        body: ExpressionIndex,
    ) -> Id {
        let document = self.document;
        // Steps alone need no function.
        if let [argument] = arguments
            && let ExpressionKind::Traversal(traversal) = &document.expression(body).kind
            && traversal.reference == Reference::Variable(argument.parameter)
        {
            let mut source = self.source(argument.value);
            source.parameter = Some(argument.parameter);
            return self.steps(source, &traversal.steps);
        }
        let is_promise = matches!(document.ty(expression.ty), Type::Promise { .. })
            && !arguments.iter().any(|argument| self.gives_output(argument.value));
        if !is_promise
            && let ExpressionKind::Template { parts } = &document.expression(body).kind
            && let Some(template) = self.interpolation(arguments, parts)
        {
            return template;
        }
        let names = arguments.iter().map(|argument| self.variable_id(argument.parameter));
        let names: Vec<Id> = names.collect();
        let body_id = self.operand(body);
        let values: Vec<ExpressionIndex> =
            arguments.iter().map(|argument| argument.value).collect();
        if let ([name], [value]) = (&names[..], &values[..]) {
            let late = if is_promise { Eventual::Promise } else { Eventual::Output };
            let own = self.source(*value);
            let sure = own.sure && own.late == late;
            if self.tree.node(body_id) == self.tree.node(*name) {
                return self.as_eventual(own.id, late, sure);
            }
            return self.once_known(own.id, (late, sure), *name, body_id);
        }
        let ids = self.operands(&values);
        self.all(is_promise, ids, names, body_id)
    }

    /// The result of `body`, which several values are given to as `names`, once all of them are
    /// known: promises, or anything that may be an output.
    pub fn all(&mut self, is_promise: bool, values: Vec<Id>, names: Vec<Id>, body: Id) -> Id {
        // The types of more values than that are not told apart by position.
        const MAX_LIST: usize = 8;
        let (list, parameter) = if values.len() > MAX_LIST && !is_promise {
            let pairs = names.iter().zip(&values);
            let entries = pairs.map(|(&name, &value)| Entry::new(self.name_text(name), value));
            let entries = entries.collect();
            let shorthand = names.iter().map(|&name| Entry::new(self.name_text(name), name));
            let shorthand = shorthand.collect();
            (self.tree.object(entries), self.tree.object(shorthand))
        } else {
            (self.tree.array(values), self.tree.array(names))
        };
        let function = self.tree.arrow([parameter], body);
        let (all, method) =
            if is_promise { ("Promise.all", "then") } else { ("pulumi.all", "apply") };
        let all = self.tree.call(all, [list]);
        self.tree.method(all, method, [function])
    }

    fn name_text(&self, id: Id) -> String {
        match self.tree.node(id) {
            Node::Name(name) => name.clone(),
            _ => String::new(),
        }
    }

    /// A template of outputs, if its parts are no more than that.
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
        // What is computed of a parameter needs a function.
        let is_computed = |&part: &ExpressionIndex| {
            find(part).is_none() && document.walk(part).into_iter().any(|it| find(it).is_some())
        };
        if parts.iter().any(is_computed) {
            return None;
        }
        for &part in parts {
            if let Some((traversal, argument)) = find(part) {
                let mut source = self.source(argument.value);
                source.parameter = Some(argument.parameter);
                let id = self.steps(source, &traversal.steps);
                self.values.insert(part, id);
            }
        }
        Some(self.template(parts, Some("pulumi.interpolate")))
    }
}
