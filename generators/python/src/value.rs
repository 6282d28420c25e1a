//! Values: expressions of the language as expressions of Python.
//!
//! [`Document::walk`](pcl::document::Document::walk) visits operands before what uses them, so one
//! pass without recursion translates everything.

use pcl::document::{
    Constant, Expression, ExpressionIndex, ExpressionKind, ObjectItem, Reference, Type,
    UnaryOperator,
};
use pcl_codegen::{Limit, LocalNames, checked_parts};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::helper::Helper;
use crate::keys::Form;
use crate::module::Writer;
use crate::print::{Id, Item, Key, Node, fits_in_template};
use crate::types;

impl<'d> Writer<'d> {
    /// The code of a value.
    pub fn value(&mut self, root: ExpressionIndex) -> Id {
        self.value_as(root, Form::Dict)
    }

    /// The code of a value, in which objects of schemas have this form.
    pub fn value_as(&mut self, root: ExpressionIndex, form: Form) -> Id {
        let functions = self.functions.len();
        self.values.clear();
        self.variables.clear();
        let parts = self.document.walk(root);
        self.checked = checked_parts(self.document, &parts);
        self.returned = self.returned_outputs(&parts);
        self.forms = self.forms_of(root, &parts, form);
        self.flat_variables(&parts);
        self.local_names = LocalNames::new(self.used_inside(&parts));
        for index in parts {
            let id = self.expression(index);
            let mut id = self.in_form(index, id);
            if self.returned.contains(&index) {
                id = self.as_returned(index, id);
            }
            self.values.insert(index, id);
        }
        let value = self.operand(root);
        let functions = self.functions.iter().skip(functions).copied();
        if [value].into_iter().chain(functions).any(|part| self.tree.is_too_deep(part)) {
            return self.fail(Limit::Depth, root, "Python does not read nesting of this depth");
        }
        value
    }

    /// The names of declarations that the functions in a value refer to: their parameters cannot
    /// hide them.
    fn used_inside(&self, parts: &[ExpressionIndex]) -> FxHashSet<String> {
        let document = self.document;
        let mut used = FxHashSet::default();
        let has_functions = parts.iter().any(|&part| {
            matches!(
                document.expression(part).kind,
                ExpressionKind::Apply { .. }
                    | ExpressionKind::Splat { .. }
                    | ExpressionKind::For(_)
                    | ExpressionKind::Call(_)
            )
        });
        if has_functions {
            for &part in parts {
                used.extend(document.referred(part).map(|node| self.key(node)));
            }
        }
        used
    }

    /// The code of an operand, which was translated before.
    pub fn operand(&mut self, operand: ExpressionIndex) -> Id {
        match self.values.get(&operand) {
            Some(&id) => id,
            None => self.tree.name("None"),
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
        let message = self.tree.text(message);
        self.help(Helper::NotImplemented, [message])
    }

    fn expression(&mut self, index: ExpressionIndex) -> Id {
        let document = self.document;
        let expression = document.expression(index);
        if let Some(constant) = document.literal(index) {
            let member = self.enum_member(index, constant);
            return member.unwrap_or_else(|| self.constant(constant));
        }
        match &expression.kind {
            ExpressionKind::Literal { value } => self.constant(value),
            ExpressionKind::Template { parts } => self.template(parts),
            ExpressionKind::TemplateJoin { value } => {
                let (list, empty) = (self.operand(*value), self.tree.text(""));
                self.tree.method(empty, "join", [list])
            }
            ExpressionKind::Unary { operator, operand } => {
                let operand = self.operand(*operand);
                match operator {
                    UnaryOperator::Negate => self.tree.add(Node::Unary { operator: "-", operand }),
                    UnaryOperator::Not => self.tree.not(operand),
                }
            }
            ExpressionKind::Binary { operator, left, right } => {
                self.binary(*operator, *left, *right)
            }
            ExpressionKind::Conditional { condition, if_true, if_false } => {
                let [condition, if_true, if_false] =
                    [*condition, *if_true, *if_false].map(|part| self.operand(part));
                self.tree.conditional(condition, if_true, if_false)
            }
            ExpressionKind::Tuple { elements } => {
                let elements = self.operands(elements);
                self.tree.list(elements)
            }
            ExpressionKind::Object { items } => self.object(index, expression, items),
            ExpressionKind::Index { collection, key } => self.index(*collection, *key),
            ExpressionKind::For(each) => self.for_each(each),
            ExpressionKind::Traversal(traversal) => self.traversal(index, traversal),
            ExpressionKind::RelativeTraversal { source, steps } => {
                let is_flat = self.is_flat(*source);
                let source = self.source(*source);
                self.steps(source, steps, is_flat)
            }
            ExpressionKind::Splat { source, item, each, .. } => self.splat(*source, *item, *each),
            ExpressionKind::Call(call) => self.call(index, call),
            ExpressionKind::Apply { arguments, body } => self.apply(arguments, *body),
            ExpressionKind::Convert { value } => {
                let source = self.source(*value);
                self.convert(source, *value, expression.ty)
            }
            ExpressionKind::Error => self.fail(Limit::Unbound, index, "this did not bind"),
        }
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

    pub fn constant(&mut self, constant: &Constant) -> Id {
        match constant {
            Constant::Null => self.tree.name("None"),
            Constant::Bool(true) => self.tree.name("True"),
            Constant::Bool(false) => self.tree.name("False"),
            Constant::Number(number) => {
                let text = match number.to_f64() {
                    // Whole numbers have all of their digits in Python.
                    value if value.fract() == 0.0 && !number.is_negative_zero() => {
                        number.render_plain()
                    }
                    _ => number.to_string(),
                };
                let text = text.to_lowercase().replace('+', "");
                match text.strip_prefix('-') {
                    Some(text) => {
                        let operand = self.tree.name(text);
                        self.tree.add(Node::Unary { operator: "-", operand })
                    }
                    None => self.tree.name(text),
                }
            }
            Constant::String(text) => self.tree.text(text),
        }
    }

    /// The texts and the values of a template: one text more than there are values.
    pub fn pieces(
        &mut self,
        parts: &[ExpressionIndex],
    ) -> (Vec<String>, Vec<(ExpressionIndex, Id)>) {
        let mut texts = vec![String::new()];
        let mut values = Vec::new();
        for &part in parts {
            if let (Some(text), Some(last)) = (self.document.literal_string(part), texts.last_mut())
            {
                last.push_str(text);
                continue;
            }
            values.push((part, self.operand(part)));
            texts.push(String::new());
        }
        (texts, values)
    }

    fn template(&mut self, parts: &[ExpressionIndex]) -> Id {
        let (texts, values) = self.pieces(parts);
        // A part is a text already, or becomes one, but for whole numbers.
        let is_text_alone = match values[..] {
            [(part, _)] => texts.iter().all(String::is_empty) && !self.is_integral(part),
            _ => false,
        };
        let values =
            values.into_iter().map(|(part, id)| self.as_text(id, part)).collect::<Vec<_>>();
        match values[..] {
            [only] if is_text_alone => only,
            _ => self.formatted(texts, values),
        }
    }

    /// A text with values in it.
    pub fn formatted(&mut self, texts: Vec<String>, values: Vec<Id>) -> Id {
        if values.is_empty() {
            return self.tree.text(texts.concat());
        }
        if let [only] = values[..]
            && texts.iter().all(String::is_empty)
            && matches!(self.tree.node(only), Node::Template { .. } | Node::Text(_))
        {
            return only;
        }
        if values.iter().all(|&value| fits_in_template(&self.tree, value)) {
            return self.tree.add(Node::Template { texts, values });
        }
        let text = format_text(&texts);
        let text = self.tree.text(text);
        self.tree.method(text, "format", values)
    }

    /// A value in a text, as the language writes it.
    fn as_text(&mut self, id: Id, part: ExpressionIndex) -> Id {
        let document = self.document;
        let kinds = document.alternatives(document.expression(part).ty);
        let is_text = kinds.iter().all(|&ty| matches!(document.ty(ty), Type::String | Type::Id));
        if is_text || self.is_integral(part) || matches!(self.tree.node(id), Node::Template { .. })
        {
            return id;
        }
        self.help(Helper::ToText, [id])
    }

    fn object(
        &mut self,
        index: ExpressionIndex,
        expression: &Expression,
        items: &[ObjectItem],
    ) -> Id {
        let document = self.document;
        let form = self.forms.get(&index).copied().unwrap_or(Form::Plain);
        let mut entries: Vec<Item> = Vec::new();
        let mut places = FxHashMap::default();
        for item in items {
            let value = self.operand(item.value);
            let key = match document.key_text(item.key) {
                Some(name) => {
                    // Of equal keys the last one counts.
                    if let Some(&at) = places.get(&*name)
                        && let Some(entry) = entries.get_mut::<usize>(at)
                    {
                        entry.value = value;
                        continue;
                    }
                    places.insert(name.clone().into_owned(), entries.len());
                    match form {
                        Form::Plain => Key::Text(name.into_owned()),
                        Form::Dict => Key::Text(pcl::document::language::python_name(&name)),
                        Form::Class => Key::Keyword(pcl::document::language::python_name(&name)),
                    }
                }
                None => Key::Computed(self.operand(item.key)),
            };
            entries.push(Item::new(key, value));
        }
        self.add_defaults(&mut entries, expression, form);
        // An object on several lines stays on several lines.
        let first = items.first().map(|item| document.expression(item.key).range);
        let line = |place| document.position(place).line;
        let expanded = first.is_some_and(|key| line(key) > line(expression.range));
        if form == Form::Class
            && let Some(path) = self.class_of(index)
        {
            let callee = self.member(&path);
            return self.tree.add(Node::Call { callee, arguments: entries, expanded });
        }
        self.tree.add(Node::Dict { items: entries, expanded })
    }
}

impl Writer<'_> {
    /// The defaults of a schema that a dict lacks: only the classes of the SDK know them.
    fn add_defaults(&mut self, entries: &mut Vec<Item>, expression: &Expression, form: Form) {
        let document = self.document;
        let object = expression.expected.filter(|&ty| types::is_object_of_schema(document, ty));
        let Some(object) = object.filter(|_| form != Form::Class) else { return };
        for property in document.properties(object) {
            let name = match form {
                Form::Plain => property.name.clone(),
                _ => pcl::document::language::python_name(&property.name),
            };
            let is_given = |item: &Item| item.key == Key::Text(name.clone());
            if let Some(default) = property.default.as_ref().filter(|_| property.constant.is_none())
                && !entries.iter().any(is_given)
            {
                let value = self.constant(default);
                entries.push(Item::entry(&name, value));
            }
        }
    }
}

/// The text of a template for `str.format`.
pub(crate) fn format_text(texts: &[String]) -> String {
    let braces = |text: &String| text.replace('{', "{{").replace('}', "}}");
    texts.iter().map(braces).collect::<Vec<_>>().join("{}")
}
