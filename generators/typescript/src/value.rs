//! Values: expressions of the language as expressions of TypeScript.
//!
//! [`Document::walk`](pcl::document::Document::walk) visits operands before what uses them, so one
//! pass without recursion translates everything.

use pcl::document::{
    Constant, Expression, ExpressionIndex, ExpressionKind, ObjectItem, Reference, Type, TypeIndex,
    UnaryOperator,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::helper::Helper;
use crate::module::Writer;
use crate::print::{Entry, Id, Key as EntryKey, Node};
use crate::types;
use pcl_codegen::Limit;
use pcl_codegen::{LocalNames, checked_parts};

impl<'d> Writer<'d> {
    /// The code of a value.
    pub fn value(&mut self, root: ExpressionIndex) -> Id {
        self.values.clear();
        self.variables.clear();
        let parts = self.document.walk(root);
        self.checked = checked_parts(self.document, &parts);
        self.returned = self.returned_outputs(&parts);
        self.local_names = LocalNames::new(self.used_inside(&parts));
        for index in parts {
            let mut id = self.expression(index);
            if self.returned.contains(&index) {
                id = self.as_returned(index, id);
            }
            self.values.insert(index, id);
        }
        self.operand(root)
    }

    /// The names of declarations that the functions in a value refer to: their parameters cannot
    /// hide them.
    fn used_inside(&self, parts: &[ExpressionIndex]) -> FxHashSet<String> {
        let document = self.document;
        let mut inside = FxHashSet::default();
        let mut used = FxHashSet::default();
        // What contains an expression comes after it.
        for &index in parts.iter().rev() {
            let kind = &document.expression(index).kind;
            let is_inside = inside.contains(&index);
            let bodies: &[ExpressionIndex] = match kind {
                ExpressionKind::Apply { body, .. } => &[*body],
                ExpressionKind::Splat { each, .. } => &[*each],
                _ => &[],
            };
            kind.for_each_operand(|operand| {
                let collection = match kind {
                    ExpressionKind::For(each) => Some(each.collection),
                    _ => None,
                };
                let in_loop = collection.is_some_and(|collection| operand != collection);
                let in_attempt = matches!(kind, ExpressionKind::Call(_));
                if is_inside || in_loop || in_attempt || bodies.contains(&operand) {
                    inside.insert(operand);
                }
            });
            if is_inside && let Some(node) = document.referred(index) {
                let key = self.key(node);
                used.extend(key.split('.').next().map(str::to_owned));
            }
        }
        used
    }

    /// The code of an operand, which was translated before.
    pub fn operand(&mut self, operand: ExpressionIndex) -> Id {
        match self.values.get(&operand) {
            Some(&id) => id,
            None => self.tree.name("undefined"),
        }
    }

    pub fn operands(&mut self, operands: &[ExpressionIndex]) -> Vec<Id> {
        operands.iter().map(|&operand| self.operand(operand)).collect()
    }

    /// Code that fails when it runs, in the place of what cannot be translated.
    pub fn fail(&mut self, limit: Limit, at: ExpressionIndex, message: impl Into<String>) -> Id {
        let message = message.into();
        let place = self.document.expression(at).range;
        self.unsupported.push(limit.at(place, message.clone()).without_loss());
        self.helpers.insert(Helper::NotImplemented);
        let message = self.tree.text(message);
        self.tree.call(Helper::NotImplemented.name(), [message])
    }

    fn expression(&mut self, index: ExpressionIndex) -> Id {
        let document = self.document;
        let expression = document.expression(index);
        if let Some(constant) = document.literal(index) {
            let member = self.enum_member(index, constant);
            return member.unwrap_or_else(|| self.constant(constant, expression.expected));
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
            ExpressionKind::Binary { operator, left, right } => {
                self.binary(*operator, *left, *right)
            }
            ExpressionKind::Conditional { condition, if_true, if_false } => {
                let branches = [*if_true, *if_false];
                let id = self.conditional(*condition, branches);
                self.remember_choice(id, expression.ty, branches);
                id
            }
            ExpressionKind::Tuple { elements } => {
                let elements: Vec<Id> =
                    elements.iter().map(|&element| self.data(element)).collect();
                self.tree.array(elements)
            }
            ExpressionKind::Object { items } => self.object(expression, items),
            ExpressionKind::Index { collection, key } => self.index(*collection, *key),
            ExpressionKind::For(each) => self.for_each(each),
            ExpressionKind::Traversal(traversal) => self.traversal(index, traversal),
            ExpressionKind::RelativeTraversal { source, steps } => {
                let source = self.source(*source);
                self.steps(source, steps)
            }
            ExpressionKind::Splat { source, item, each, .. } => self.splat(*source, *item, *each),
            ExpressionKind::Call(call) => self.call(index, call),
            ExpressionKind::Apply { arguments, body } => self.apply(expression, arguments, *body),
            ExpressionKind::Convert { value } => {
                let source = self.source(*value);
                self.convert(source, *value, expression.ty)
            }
            ExpressionKind::Error => self.fail(Limit::Unbound, index, "this did not bind"),
        }
    }

    fn conditional(&mut self, condition: ExpressionIndex, branches: [ExpressionIndex; 2]) -> Id {
        let document = self.document;
        // An object of a package has a type of its own.
        let is_free = |branch: ExpressionIndex| {
            let expected = document.expression(branch).expected;
            expected.is_none_or(|ty| types::any(document, ty, |ty| matches!(ty, Type::Map { .. })))
        };
        let keys = branches.map(|branch| match &document.expression(branch).kind {
            ExpressionKind::Object { items } if is_free(branch) => {
                Some(items.iter().map(|item| document.key_text(item.key)).collect::<Vec<_>>())
            }
            _ => None,
        });
        let is_conditional = |branch: &ExpressionIndex| {
            matches!(document.expression(*branch).kind, ExpressionKind::Conditional { .. })
        };
        let [one, other] = &keys;
        let differ = one != other
            && (one.is_some() && other.is_some() || branches.iter().any(is_conditional));
        let mut written = branches.map(|branch| self.operand(branch));
        if differ {
            // TypeScript would give each object the keys of the other one.
            for ((id, branch), keys) in written.iter_mut().zip(branches).zip(&keys) {
                if keys.is_some() && !self.returned.contains(&branch) {
                    let ty = self.any_record();
                    *id = self.tree.add(Node::As { value: *id, ty });
                }
            }
        }
        let [if_true, if_false] = written;
        let condition = self.operand(condition);
        self.tree.conditional(condition, if_true, if_false)
    }

    /// The member of an enumeration that a literal is.
    fn enum_member(&mut self, index: ExpressionIndex, constant: &Constant) -> Option<Id> {
        let document = self.document;
        let member = document.enum_member(index)?;
        let expected = document.expression(index).expected?;
        let enumeration = document.enumeration(expected)?.schema?;
        let name = match (&member.name, constant) {
            (Some(name), _) => name.clone(),
            (None, Constant::String(text)) => text.clone(),
            (None, other) => other.to_string(),
        };
        let path = self.shared.packages.enum_member(enumeration, &name)?;
        Some(self.member(&path))
    }

    /// The code of a part of an object or list, where null is a value like any other.
    fn data(&mut self, index: ExpressionIndex) -> Id {
        if self.is_null(index) && self.document.expression(index).expected.is_none() {
            self.tree.name("null")
        } else {
            self.operand(index)
        }
    }

    /// Returns true if null is written as the value.
    pub fn is_null(&self, index: ExpressionIndex) -> bool {
        match &self.document.expression(index).kind {
            ExpressionKind::Literal { value } => *value == Constant::Null,
            ExpressionKind::Traversal(traversal) => {
                traversal.reference == Reference::Constant(Constant::Null)
            }
            _ => false,
        }
    }

    pub fn constant(&mut self, constant: &Constant, expected: Option<TypeIndex>) -> Id {
        match constant {
            // What may be missing is undefined in TypeScript; data may contain null.
            Constant::Null => match expected {
                Some(ty) if types::is_dynamic(self.document, ty) => self.tree.name("null"),
                Some(ty) if !types::may_be_null(self.document, ty) => {
                    let none = self.tree.name("undefined");
                    self.tree.add(Node::NonNull(none))
                }
                _ => self.tree.name("undefined"),
            },
            Constant::Bool(value) => self.tree.name(value.to_string()),
            Constant::Number(number) => {
                let text = number.to_string().to_lowercase().replace('+', "");
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
        if lines.contains('\n') {
            let (tag, texts, values) = (None, vec![text.to_owned()], Vec::new());
            self.tree.add(Node::Template { tag, texts, values })
        } else {
            self.tree.text(text)
        }
    }

    pub fn template(&mut self, parts: &[ExpressionIndex], tag: Option<&'static str>) -> Id {
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

    fn object(&mut self, expression: &Expression, items: &[ObjectItem]) -> Id {
        let mut entries: Vec<Entry> = Vec::new();
        let mut places = FxHashMap::default();
        for item in items {
            let value = self.data(item.value);
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
        let first = items.first().map(|item| self.document.expression(item.key).range);
        let line = |place| self.document.position(place).line;
        let expanded = first.is_some_and(|key| line(key) > line(expression.range));
        self.tree.add(Node::Object { entries, expanded })
    }
}
