//! Computations on values that are known later, on several of them by `pulumi.all`.

use pcl::document::{ApplyArgument, Expression, ExpressionIndex, ExpressionKind, Reference, Type};
use rustc_hash::FxHashSet;

use crate::module::Writer;
use crate::print::{Entry, Id, Node};
use crate::types::{self, Eventual, eventual};
use pcl_codegen::results;

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
            let source = self.as_eventual(own.id, late, sure);
            let function = self.tree.arrow([*name], body_id);
            let method = if is_promise { "then" } else { "apply" };
            let ty = self.result_type(expression, body);
            return self.tree.typed_method(source, method, ty, [function]);
        }
        let ids = self.operands(&values);
        let ty = self.result_type(expression, body);
        self.all(is_promise, ids, names, body_id, ty)
    }

    /// The results of functions in a value that are outputs or have outputs as parts, and the other
    /// results of the same functions. The SDK takes an output for the value that it holds, but no
    /// parts, and TypeScript wants all results to be of one type.
    pub fn returned_outputs(&self, parts: &[ExpressionIndex]) -> FxHashSet<ExpressionIndex> {
        let document = self.document;
        let mut returned = FxHashSet::default();
        for &part in parts {
            let expression = document.expression(part);
            let ExpressionKind::Apply { body, arguments } = &expression.kind else { continue };
            if matches!(document.ty(expression.ty), Type::Promise { .. }) {
                continue;
            }
            // What an argument may be has to be an output as well.
            for argument in arguments {
                let results = results(document, argument.value);
                if results.len() > 1 {
                    returned.extend(results);
                }
            }
            let results = results(document, *body);
            let holds = |&part: &ExpressionIndex| {
                types::holds_eventuals(document, document.expression(part).ty)
            };
            if results.iter().any(holds) {
                returned.extend(results);
            }
        }
        returned
    }

    /// A result of a function that has to be an output.
    pub fn as_returned(&mut self, index: ExpressionIndex, id: Id) -> Id {
        let document = self.document;
        let ty = self.code_type(index);
        let is_output = self.is_sure(index) && eventual(document, ty) == Eventual::Output;
        if is_output { id } else { self.output_of(id) }
    }

    /// The type argument of a computation with outputs as its results that differ in their parts,
    /// which TypeScript does not unify.
    fn result_type(&mut self, expression: &Expression, body: ExpressionIndex) -> Vec<Id> {
        let document = self.document;
        let results = results(document, body);
        if !results.iter().all(|result| self.returned.contains(result)) {
            return Vec::new();
        }
        if self.differs(body) {
            return vec![self.any_record()];
        }
        let is_composite = |&result: &ExpressionIndex| {
            types::any(document, document.expression(result).ty, |ty| {
                !matches!(ty, Type::Bool | Type::Int | Type::Number | Type::String | Type::None)
            })
        };
        if results.len() < 2 || !results.iter().any(is_composite) {
            return Vec::new();
        }
        let ty = types::content(document, expression.ty);
        vec![types::unwrapped(document, &mut self.tree, ty)]
    }

    /// Returns true if a value is one of several objects that differ in their properties: its type
    /// in the language is that of one of them.
    pub fn differs(&self, value: ExpressionIndex) -> bool {
        let document = self.document;
        let mut open = vec![value];
        let mut objects = FxHashSet::default();
        let mut has_others = false;
        for _ in 0..64 {
            let Some(part) = open.pop() else { break };
            let expression = document.expression(part);
            match &expression.kind {
                ExpressionKind::Apply { body, .. } => open.push(*body),
                ExpressionKind::Conditional { if_true, if_false, .. } => {
                    open.extend([*if_true, *if_false]);
                }
                ExpressionKind::Traversal(traversal)
                    if traversal.steps.is_empty() && self.local_value(traversal).is_some() =>
                {
                    open.extend(self.local_value(traversal));
                }
                _ => {
                    let ty = types::content(document, expression.ty);
                    match document.object(ty) {
                        Some(object) if object.schema.is_none() => _ = objects.insert(ty),
                        _ => has_others = true,
                    }
                }
            }
        }
        objects.len() + usize::from(has_others) > 1 && !objects.is_empty()
    }

    /// `Record<string, any>`
    pub fn any_record(&mut self) -> Id {
        let (string, any) = (self.tree.name("string"), self.tree.name("any"));
        self.tree.generic("Record", [string, any])
    }

    /// The result of `body`, which several values are given to as `names`, once all of them are
    /// known: promises, or anything that may be an output. `ty` is its type, if it has to be told.
    fn all(
        &mut self,
        is_promise: bool,
        values: Vec<Id>,
        names: Vec<Id>,
        body: Id,
        ty: Vec<Id>,
    ) -> Id {
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
        self.tree.typed_method(all, method, ty, [function])
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
