//! Values: expressions of the language as expressions of TypeScript.
//!
//! [`Document::walk`](pcl::document::Document::walk) visits operands before what uses them, so one
//! pass without recursion translates everything.

use pcl::document::{
    ApplyArgument, BinaryOperator, Constant, Expression, ExpressionIndex, ExpressionKind, For, Key,
    ObjectItem, Reference, Step, Traversal, Type, TypeIndex, UnaryOperator, VariableRole,
};

use crate::helper::Helper;
use crate::limit::Limit;
use crate::module::Writer;
use crate::print::{Entry, Id, Key as EntryKey, Node};
use crate::types::{self, Eventual, eventual};

impl<'d> Writer<'d> {
    /// The code of a value.
    pub fn value(&mut self, root: ExpressionIndex) -> Id {
        self.values.clear();
        self.variables.clear();
        self.local_names.clear();
        for index in self.document.walk(root) {
            let id = self.expression(index);
            self.values.insert(index, id);
        }
        self.operand(root)
    }

    /// The code of an operand, which was translated before.
    pub fn operand(&mut self, operand: ExpressionIndex) -> Id {
        match self.values.get(&operand) {
            Some(&id) => id,
            None => self.tree.name("undefined"),
        }
    }

    pub fn operands(&mut self, operands: &[ExpressionIndex]) -> Vec<Id> {
        operands
            .iter()
            .map(|&operand| self.operand(operand))
            .collect()
    }

    /// Code that fails when it runs, in the place of what cannot be translated.
    pub fn fail(&mut self, limit: Limit, at: ExpressionIndex, message: impl Into<String>) -> Id {
        let message = message.into();
        let place = self.document.expression(at).range;
        self.limit(limit, place, message.clone());
        self.helpers.insert(Helper::NotImplemented);
        let message = self.tree.text(message);
        self.tree.call(Helper::NotImplemented.name(), [message])
    }

    fn expression(&mut self, index: ExpressionIndex) -> Id {
        let document = self.document;
        let expression = document.expression(index);
        if let Some(constant) = document.literal(index) {
            return self.constant(constant, expression.expected);
        }
        match &expression.kind {
            ExpressionKind::Literal { value } => self.constant(value, expression.expected),
            ExpressionKind::Template { parts } => self.template(parts, None),
            ExpressionKind::TemplateJoin { value } => {
                let (list, empty) = (self.operand(*value), self.tree.text(""));
                self.tree.method(list, "join", [empty])
            }
            ExpressionKind::Unary { operator, operand } => {
                let operator = match operator {
                    UnaryOperator::Negate => "-",
                    UnaryOperator::Not => "!",
                };
                let operand = self.operand(*operand);
                self.tree.add(Node::Unary { operator, operand })
            }
            ExpressionKind::Binary {
                operator,
                left,
                right,
            } => self.binary(*operator, *left, *right),
            ExpressionKind::Conditional {
                condition,
                if_true,
                if_false,
            } => {
                let [condition, if_true, if_false] =
                    [*condition, *if_true, *if_false].map(|part| self.operand(part));
                self.tree.conditional(condition, if_true, if_false)
            }
            ExpressionKind::Tuple { elements } => {
                let elements = self.operands(elements);
                self.tree.array(elements)
            }
            ExpressionKind::Object { items } => self.object(expression, items),
            ExpressionKind::Index { collection, key } => self.index(*collection, *key),
            ExpressionKind::For(each) => self.for_each(each),
            ExpressionKind::Traversal(traversal) => self.traversal(index, traversal),
            ExpressionKind::RelativeTraversal { source, steps } => {
                let (start, ty) = (self.operand(*source), document.expression(*source).ty);
                let sure = self.is_sure(*source);
                self.steps(start, ty, sure, steps)
            }
            ExpressionKind::Splat {
                source, item, each, ..
            } => self.splat(*source, *item, *each),
            ExpressionKind::Call(call) => self.call(index, call),
            ExpressionKind::Apply { arguments, body } => self.apply(expression, arguments, *body),
            ExpressionKind::Convert { value } => {
                let (id, from) = (self.operand(*value), document.expression(*value).ty);
                let sure = self.is_sure(*value);
                self.convert(id, sure, *value, from, expression.ty)
            }
            ExpressionKind::Error => self.fail(Limit::Unbound, index, "this did not bind"),
        }
    }

    fn constant(&mut self, constant: &Constant, expected: Option<TypeIndex>) -> Id {
        match constant {
            // What may be missing is undefined in TypeScript; data may contain null.
            Constant::Null => match expected {
                Some(ty) if types::is_dynamic(self.document, ty) => self.tree.name("null"),
                _ => self.tree.name("undefined"),
            },
            Constant::Bool(value) => self.tree.name(value.to_string()),
            Constant::Number(number) => {
                let text = number.to_string();
                match text.strip_prefix('-') {
                    Some(text) => {
                        let operand = self.tree.name(text);
                        let operator = "-";
                        self.tree.add(Node::Unary { operator, operand })
                    }
                    None => self.tree.name(text),
                }
            }
            Constant::String(text) => self.string(text),
        }
    }

    /// A string; one of several lines is a template.
    fn string(&mut self, text: &str) -> Id {
        let lines = text.strip_suffix('\n').unwrap_or(text);
        match lines.contains('\n') {
            true => {
                let (tag, texts, values) = (None, vec![text.to_owned()], Vec::new());
                self.tree.add(Node::Template { tag, texts, values })
            }
            false => self.tree.text(text),
        }
    }

    fn template(&mut self, parts: &[ExpressionIndex], tag: Option<&'static str>) -> Id {
        let mut texts = vec![String::new()];
        let mut values = Vec::new();
        for &part in parts {
            if let (Some(text), Some(last)) = (self.document.literal_string(part), texts.last_mut())
            {
                last.push_str(text);
                continue;
            }
            values.push(self.operand(part));
            texts.push(String::new());
        }
        if values.is_empty() {
            let text = texts.concat();
            return self.string(&text);
        }
        self.tree.add(Node::Template { tag, texts, values })
    }

    fn binary(
        &mut self,
        operator: BinaryOperator,
        left: ExpressionIndex,
        right: ExpressionIndex,
    ) -> Id {
        let document = self.document;
        let [mut a, b] = [left, right].map(|part| self.operand(part));
        let operator = match operator {
            BinaryOperator::Equal | BinaryOperator::NotEqual => {
                let equal = operator == BinaryOperator::Equal;
                let is_null = |index| {
                    let kind = &document.expression(index).kind;
                    document.literal(index) == Some(&Constant::Null)
                        || matches!(kind, ExpressionKind::Traversal(traversal)
                            if traversal.reference == Reference::Constant(Constant::Null))
                };
                if is_null(left) || is_null(right) {
                    let value = if is_null(left) { b } else { a };
                    let null = self.tree.name("null");
                    return self
                        .tree
                        .binary(value, if equal { "==" } else { "!=" }, null);
                }
                let [from, to] = [left, right].map(|part| document.expression(part).ty);
                if self.is_composite(from) || self.is_composite(to) {
                    self.node_modules.insert("util");
                    let same = self.tree.call("util.isDeepStrictEqual", [a, b]);
                    return match equal {
                        true => same,
                        false => self.tree.add(Node::Unary {
                            operator: "!",
                            operand: same,
                        }),
                    };
                }
                // TypeScript rejects comparisons that it can decide.
                if !self.overlap(left, right) {
                    a = self.any(a);
                }
                if equal { "===" } else { "!==" }
            }
            other => other.text(),
        };
        self.tree.binary(a, operator, b)
    }

    /// `value as any`
    pub fn any(&mut self, value: Id) -> Id {
        let ty = self.tree.name("any");
        self.tree.add(Node::As { value, ty })
    }

    fn is_composite(&self, ty: TypeIndex) -> bool {
        let is = |ty| {
            matches!(
                self.document.ty(ty),
                Type::List { .. }
                    | Type::Set { .. }
                    | Type::Map { .. }
                    | Type::Tuple { .. }
                    | Type::Object(_)
                    | Type::Dynamic
            )
        };
        self.document.alternatives(ty).into_iter().any(is)
    }

    /// Returns true if values of both can be equal, as far as their types say.
    fn overlap(&self, left: ExpressionIndex, right: ExpressionIndex) -> bool {
        let document = self.document;
        if document.literal(left).is_some() && document.literal(right).is_some() {
            return false;
        }
        let kinds = |index: ExpressionIndex| -> Vec<u8> {
            let ty = document.expression(index).ty;
            let kind = |ty| match document.ty(ty) {
                Type::Bool => 1,
                Type::Int | Type::Number => 2,
                Type::String | Type::Id => 3,
                _ => 0,
            };
            document.alternatives(ty).into_iter().map(kind).collect()
        };
        let (left, right) = (kinds(left), kinds(right));
        left.contains(&0) || left.iter().any(|kind| right.contains(kind))
    }

    fn object(&mut self, expression: &Expression, items: &[ObjectItem]) -> Id {
        let mut entries: Vec<Entry> = Vec::new();
        let mut places = std::collections::HashMap::new();
        for item in items {
            let value = self.operand(item.value);
            let entry = match self.document.key_text(item.key) {
                Some(name) if name != "__proto__" => {
                    // Of equal keys the last one counts.
                    if let Some(&at) = places.get(&*name)
                        && let Some(entry) = entries.get_mut::<usize>(at)
                    {
                        entry.value = value;
                        continue;
                    }
                    places.insert(name.clone().into_owned(), entries.len());
                    Entry::new(name, value)
                }
                _ => Entry::with_key(EntryKey::Computed(self.operand(item.key)), value),
            };
            entries.push(entry);
        }
        // An object on several lines stays on several lines.
        let first = items
            .first()
            .map(|item| self.document.expression(item.key).range);
        let line = |place| self.document.position(place).line;
        let expanded = first.is_some_and(|key| line(key) > line(expression.range));
        self.tree.add(Node::Object { entries, expanded })
    }

    fn index(&mut self, collection: ExpressionIndex, key: ExpressionIndex) -> Id {
        let document = self.document;
        let ty = document.expression(collection).ty;
        let [mut object, key] = [collection, key].map(|part| self.operand(part));
        let kinds = document.alternatives(ty);
        if kinds
            .iter()
            .any(|&ty| matches!(document.ty(ty), Type::Object(_)))
        {
            object = self.any(object);
        }
        if types::may_be_null(document, ty) {
            object = self.tree.add(Node::NonNull(object));
        }
        self.tree.index(object, key, false)
    }

    /// The pairs or elements of a collection, and whether it has keys.
    fn is_keyed(&self, ty: TypeIndex) -> Option<bool> {
        let mut kinds = self.document.alternatives(ty).into_iter();
        kinds.find_map(|ty| match self.document.ty(ty) {
            Type::List { .. } | Type::Set { .. } | Type::Tuple { .. } => Some(false),
            Type::Map { .. } | Type::Object(_) => Some(true),
            _ => None,
        })
    }

    fn for_each(&mut self, each: &For) -> Id {
        let document = self.document;
        let ty = document.expression(each.collection).ty;
        let mut list = self.operand(each.collection);
        let keyed = self.is_keyed(ty);
        if types::may_be_null(document, ty) && keyed.is_some() {
            list = self.tree.add(Node::NonNull(list));
        }
        let key = each.key_variable.map(|variable| self.variable(variable));
        let value = each.value_variable.map(|variable| self.variable(variable));
        let parameters = match keyed {
            // Only the values matter.
            None | Some(true) if key.is_none() => {
                let any = self.tree.name("any");
                let types = if keyed.is_none() {
                    vec![any]
                } else {
                    Vec::new()
                };
                let callee = self.tree.path("Object.values");
                let arguments = vec![list];
                list = self.tree.add(Node::Call {
                    callee,
                    types,
                    arguments,
                });
                vec![self.tree.name(value.unwrap_or_default())]
            }
            None | Some(true) => {
                let any = self.tree.name("any");
                let types = if keyed.is_none() {
                    vec![any]
                } else {
                    Vec::new()
                };
                let callee = self.tree.path("Object.entries");
                let arguments = vec![list];
                list = self.tree.add(Node::Call {
                    callee,
                    types,
                    arguments,
                });
                let mut pair = vec![self.tree.name(key.unwrap_or_default())];
                pair.extend(value.map(|value| self.tree.name(value)));
                vec![self.tree.array(pair)]
            }
            Some(false) => {
                let own = value.unwrap_or_else(|| "_".to_owned());
                let mut parameters = vec![self.tree.name(own)];
                parameters.extend(key.map(|key| self.tree.name(key)));
                parameters
            }
        };
        if let Some(condition) = each.condition {
            let condition = self.operand(condition);
            let test = self.tree.arrow(parameters.clone(), condition);
            list = self.tree.method(list, "filter", [test]);
        }
        let mut result = self.operand(each.value);
        if let Some(key) = each.key {
            let is_bool = |ty| matches!(document.ty(ty), Type::Bool);
            let key_ty = document.expression(key).ty;
            let mut key = self.operand(key);
            if document.alternatives(key_ty).into_iter().any(is_bool) {
                key = self.tree.call("String", [key]);
            }
            result = self.tree.array([key, result]);
        }
        let same = parameters
            .first()
            .is_some_and(|&first| self.tree.node(first) == self.tree.node(result));
        let mapped = match same && parameters.len() == 1 && each.key.is_none() {
            true => list,
            false => {
                if each.groups {
                    let (key, any) = (self.tree.name("PropertyKey"), self.tree.name("any"));
                    let ty = self.tree.add(Node::TupleType(vec![key, any]));
                    result = self.tree.add(Node::As { value: result, ty });
                }
                let function = self.tree.arrow(parameters, result);
                self.tree.method(list, "map", [function])
            }
        };
        match (each.key, each.groups) {
            (None, _) => mapped,
            (Some(_), false) => self.tree.call("Object.fromEntries", [mapped]),
            (Some(_), true) => {
                self.helpers.insert(Helper::GroupValues);
                self.tree.call(Helper::GroupValues.name(), [mapped])
            }
        }
    }

    fn splat(
        &mut self,
        source: ExpressionIndex,
        item: pcl::document::VariableIndex,
        each: ExpressionIndex,
    ) -> Id {
        let document = self.document;
        let ty = document.expression(source).ty;
        let mut list = self.operand(source);
        if types::may_be_null(document, ty) {
            list = self.tree.add(Node::NonNull(list));
        }
        let item = self.variable(item);
        let item = self.tree.name(item);
        let body = self.operand(each);
        if self.tree.node(body) == self.tree.node(item) {
            return list;
        }
        if self.is_keyed(ty).is_none() {
            let any = self.tree.name("any");
            let callee = self.tree.path("Object.values");
            list = self.tree.add(Node::Call {
                callee,
                types: vec![any],
                arguments: vec![list],
            });
        }
        let function = self.tree.arrow([item], body);
        self.tree.method(list, "map", [function])
    }

    fn traversal(&mut self, index: ExpressionIndex, traversal: &Traversal) -> Id {
        let document = self.document;
        let start = match &traversal.reference {
            Reference::Node(node) => {
                let key = self.key(*node);
                self.tree.path(&key)
            }
            Reference::Variable(variable) => {
                let name = match document.variable(*variable).role {
                    VariableRole::Range => "range".to_owned(),
                    VariableRole::Supplied => traversal.name.clone(),
                    _ => self.variable(*variable),
                };
                self.tree.name(name)
            }
            Reference::Constant(constant) => {
                let expected = document.expression(index).expected;
                self.constant(constant, expected)
            }
            Reference::Property => {
                let path = property_path(&traversal.name, &traversal.steps);
                return self.tree.text(path);
            }
            Reference::Keyword => return self.tree.text(&traversal.name),
            Reference::Undefined => {
                let message = format!("there is no variable `{}`", traversal.name);
                self.fail(Limit::Unbound, index, message)
            }
        };
        let sure = self.is_sure_root(traversal);
        self.steps(start, traversal.root_type, sure, &traversal.steps)
    }

    /// `start` and the steps from it. Steps into an output go into its value.
    pub fn steps(&mut self, start: Id, ty: TypeIndex, mut sure: bool, steps: &[Step]) -> Id {
        let document = self.document;
        let (mut id, mut ty) = (start, ty);
        let mut rest = steps;
        while let Some((step, later)) = rest.split_first() {
            match eventual(document, ty) {
                Eventual::No => {
                    id = self.step(id, ty, step);
                    sure = self.is_resource(ty);
                    ty = step.ty;
                }
                late if late == Eventual::Output && sure && self.lifts(ty, rest) => {
                    for step in rest {
                        id = match &step.key {
                            Key::Name(name) => self.tree.access(id, name, false),
                            Key::Index(constant) => {
                                let key = self.constant(constant, None);
                                self.tree.index(id, key, false)
                            }
                        };
                    }
                    return id;
                }
                late => {
                    let parameter = self.local("value");
                    let parameter = self.tree.name(parameter);
                    let mut body = parameter;
                    let mut inner = types::content(document, ty);
                    for step in rest {
                        body = self.step(body, inner, step);
                        inner = types::content(document, step.ty);
                    }
                    let function = self.tree.arrow([parameter], body);
                    let source = self.as_eventual(id, late, sure);
                    let method = if late == Eventual::Promise {
                        "then"
                    } else {
                        "apply"
                    };
                    return self.tree.method(source, method, [function]);
                }
            }
            rest = later;
        }
        id
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

    /// Returns true if outputs of this type give access to these parts of their values.
    fn lifts(&self, ty: TypeIndex, steps: &[Step]) -> bool {
        let document = self.document;
        let mut ty = types::content(document, ty);
        for step in steps {
            let ok = match document.ty(ty) {
                Type::Object(_) | Type::Map { .. } => {
                    matches!(&step.key, Key::Name(name) if !is_output_member(name))
                        || matches!(&step.key, Key::Index(Constant::String(name)) if !is_output_member(name))
                }
                Type::List { .. } => matches!(step.key, Key::Index(Constant::Number(_))),
                _ => false,
            };
            if !ok {
                return false;
            }
            ty = types::content(document, step.ty);
        }
        true
    }

    fn is_resource(&self, ty: TypeIndex) -> bool {
        self.document
            .object(ty)
            .and_then(|object| object.schema.as_ref())
            .is_some_and(|schema| {
                matches!(
                    schema.role,
                    pcl::document::ObjectRole::Resource
                        | pcl::document::ObjectRole::ResourceReference
                )
            })
    }

    /// A step into a value that is known.
    fn step(&mut self, id: Id, ty: TypeIndex, step: &Step) -> Id {
        let optional = types::may_be_null(self.document, ty);
        match &step.key {
            Key::Name(name) => self.tree.access(id, name, optional),
            Key::Index(Constant::String(name)) => self.tree.access(id, name, optional),
            Key::Index(constant) => {
                let key = self.constant(constant, None);
                self.tree.index(id, key, optional)
            }
        }
    }

    /// A computation on values that are known later.
    fn apply(
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
            let (id, ty) = (
                self.operand(argument.value),
                document.expression(argument.value).ty,
            );
            let sure = self.is_sure(argument.value);
            return self.steps(id, ty, sure, &traversal.steps);
        }
        let is_promise = matches!(document.ty(expression.ty), Type::Promise { .. });
        if !is_promise
            && let ExpressionKind::Template { parts } = &document.expression(body).kind
            && let Some(template) = self.interpolation(arguments, parts)
        {
            return template;
        }
        let names: Vec<Id> = arguments
            .iter()
            .map(|argument| {
                let name = self.variable(argument.parameter);
                self.tree.name(name)
            })
            .collect();
        let body_id = self.operand(body);
        let values: Vec<ExpressionIndex> =
            arguments.iter().map(|argument| argument.value).collect();
        if let ([name], [value]) = (&names[..], &values[..]) {
            let late = if is_promise {
                Eventual::Promise
            } else {
                Eventual::Output
            };
            let own = document.expression(*value).ty;
            let sure = self.is_sure(*value) && eventual(document, own) == late;
            let id = self.operand(*value);
            let source = self.as_eventual(id, late, sure);
            let function = self.tree.arrow([*name], body_id);
            let method = if is_promise { "then" } else { "apply" };
            return self.tree.method(source, method, [function]);
        }
        let ids = self.operands(&values);
        // The types of more values than that are not told apart by position.
        const MOST: usize = 8;
        let (list, parameter) = match ids.len() > MOST && !is_promise {
            true => {
                let pairs = names.iter().zip(&ids);
                let entries = pairs.map(|(&name, &id)| Entry::new(self.name_text(name), id));
                let entries = entries.collect();
                let shorthand = names.iter();
                let shorthand = shorthand.map(|&name| Entry::new(self.name_text(name), name));
                let shorthand = shorthand.collect();
                (self.tree.object(entries), self.tree.object(shorthand))
            }
            false => (self.tree.array(ids), self.tree.array(names)),
        };
        let function = self.tree.arrow([parameter], body_id);
        let (all, method) = match is_promise {
            true => ("Promise.all", "then"),
            false => ("pulumi.all", "apply"),
        };
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
        let find = |traversal: &Traversal| {
            let mut arguments = arguments.iter();
            arguments
                .find(|argument| traversal.reference == Reference::Variable(argument.parameter))
        };
        let is_parameter = |variable| {
            let mut arguments = arguments.iter();
            arguments.any(|argument| argument.parameter == variable)
        };
        // What is computed of a parameter needs a function.
        for &part in parts {
            let direct = matches!(&document.expression(part).kind,
                ExpressionKind::Traversal(traversal) if find(traversal).is_some());
            let uses = |index: ExpressionIndex| match &document.expression(index).kind {
                ExpressionKind::Traversal(traversal) => match traversal.reference {
                    Reference::Variable(variable) => is_parameter(variable),
                    _ => false,
                },
                _ => false,
            };
            if !direct && document.walk(part).into_iter().any(uses) {
                return None;
            }
        }
        for &part in parts {
            if let ExpressionKind::Traversal(traversal) = &document.expression(part).kind
                && let Some(argument) = find(traversal)
            {
                let id = self.operand(argument.value);
                let ty = document.expression(argument.value).ty;
                let sure = self.is_sure(argument.value);
                let id = self.steps(id, ty, sure, &traversal.steps);
                self.values.insert(part, id);
            }
        }
        Some(self.template(parts, Some("pulumi.interpolate")))
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
                ExpressionKind::Call(call) => {
                    return matches!(
                        call.name.as_str(),
                        "secret"
                            | "unsecret"
                            | "getOutput"
                            | "toJSON"
                            | "recover"
                            | "try"
                            | "can"
                            | "call"
                            | "invoke"
                    );
                }
                ExpressionKind::Convert { value } => index = *value,
                ExpressionKind::Traversal(traversal) => {
                    if let Some((last, before)) = traversal.steps.split_last() {
                        let _ = last;
                        let source = before.last().map_or(traversal.root_type, |step| step.ty);
                        let crosses = std::iter::once(traversal.root_type)
                            .chain(before.iter().map(|step| step.ty))
                            .any(|ty| eventual(document, ty) != Eventual::No);
                        return crosses || self.is_resource(source) || self.is_component(traversal);
                    }
                    match &traversal.reference {
                        Reference::Node(node) => match self.module.node(*node) {
                            Some(node) => match &node.body {
                                pcl::document::Body::Local { value: Some(value) } => {
                                    index = *value;
                                }
                                pcl::document::Body::Config(config) => return config.secret,
                                pcl::document::Body::Resource(_)
                                | pcl::document::Body::Read(_)
                                | pcl::document::Body::Component(_) => return true,
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
                matches!(
                    node.body,
                    pcl::document::Body::Component(_)
                        | pcl::document::Body::Resource(_)
                        | pcl::document::Body::Read(_)
                )
            }),
            _ => false,
        }
    }

    fn is_sure_root(&self, traversal: &Traversal) -> bool {
        match &traversal.reference {
            Reference::Node(node) => match self.module.node(*node).map(|node| &node.body) {
                Some(pcl::document::Body::Local { value: Some(value) }) => self.is_sure(*value),
                Some(pcl::document::Body::Config(config)) => config.secret,
                Some(
                    pcl::document::Body::Resource(_)
                    | pcl::document::Body::Read(_)
                    | pcl::document::Body::Component(_),
                ) => true,
                _ => false,
            },
            Reference::Variable(variable) => {
                self.document.variable(*variable).role == VariableRole::Deferred
            }
            _ => false,
        }
    }
}

/// Returns true for the names of members that outputs have themselves.
fn is_output_member(name: &str) -> bool {
    matches!(
        name,
        "apply"
            | "get"
            | "isSecret"
            | "isKnown"
            | "promise"
            | "resources"
            | "allResources"
            | "toString"
            | "toJSON"
            | "constructor"
            | "length"
    ) || name.starts_with("__")
}

/// The path to a property, as options of resources take it.
fn property_path(name: &str, steps: &[Step]) -> String {
    let mut path = name.to_owned();
    for step in steps {
        match &step.key {
            Key::Name(name) => path.push_str(&format!(".{name}")),
            Key::Index(key) => path.push_str(&format!("[{key}]")),
        }
    }
    path
}
