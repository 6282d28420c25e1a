//! Translation of expressions into YAML values.
//!
//! [`Document::walk`] visits operands before the expressions that use them, so one pass without
//! recursion translates everything. What is said of an unsupported expression covers its operands
//! too: nothing is said of the body of a loop that cannot be translated.

use std::collections::{BTreeMap, HashSet};

use pcl::document::{
    Constant, Document, ExpressionIndex, ExpressionKind, Key, Module, ObjectItem, Place, Reference,
    Step, Traversal, Type, UnaryOperator,
};
use pcl::generated::Unsupported;
use pcl::names::Names;

use crate::function::INVOKE;
use crate::limit::Limit;
use crate::module::State;
use crate::path::{path, step};
use crate::resource::default;
use crate::yaml::{Entry, Text, Value, is_long_in_json};

pub(crate) const LONG_KEY: &str = "Pulumi cannot read a key of this length in JSON";
const NO_OPERATORS: &str = "Pulumi YAML has no operators";

/// A value, or why there is none.
pub(crate) type Said = Result<Value, Vec<Unsupported>>;

/// Says an expression.
pub(crate) struct Speaker<'s> {
    pub document: &'s Document,
    pub module: &'s Module,
    pub keys: &'s [String],
    pub states: &'s [State],
    pub names: &'s mut Names,
    pub is_json: bool,
    /// Variables that had to be made: only what has a name can be referred to.
    pub variables: Vec<Entry>,
    pub said: BTreeMap<ExpressionIndex, Said>,
}

impl Speaker<'_> {
    pub fn say(&mut self, root: ExpressionIndex) -> Said {
        for expression in self.document.walk(root) {
            let said = match self.expression(expression) {
                Ok(value @ (Value::Path(_) | Value::Text(_) | Value::Call(..)))
                    if self.document.literal(expression).is_none() =>
                {
                    self.converted(expression, value)
                }
                said => said,
            };
            self.said.insert(expression, said);
        }
        self.operand(root)
    }

    fn expression(&mut self, index: ExpressionIndex) -> Said {
        let document = self.document;
        let expression = document.expression(index);
        if let Some(constant) = document.literal(index) {
            return Ok(self.constant(constant, expression.expected));
        }
        match &expression.kind {
            ExpressionKind::Literal { value } => Ok(self.constant(value, expression.expected)),
            ExpressionKind::Template { parts } => self.template(parts),
            ExpressionKind::Tuple { elements } => Ok(Value::List(self.operands(elements)?)),
            ExpressionKind::Object { items } => self.object(index, items),
            ExpressionKind::Index { collection, key } => self.index(index, *collection, *key),
            ExpressionKind::Traversal(traversal) => self.traversal(index, traversal),
            ExpressionKind::RelativeTraversal { source, steps } => self.steps(*source, steps),
            ExpressionKind::Call(call) => self.call(index, call),
            ExpressionKind::Convert { value } => self.operand(*value),
            ExpressionKind::Unary { operator, operand } => {
                match (operator, document.literal(*operand)) {
                    (UnaryOperator::Negate, Some(Constant::Number(number))) => {
                        let negated = Constant::Number(-number.clone());
                        Ok(self.constant(&negated, expression.expected))
                    }
                    _ => self.limit(Limit::Operator, index, NO_OPERATORS),
                }
            }
            ExpressionKind::Binary { .. } => self.limit(Limit::Operator, index, NO_OPERATORS),
            ExpressionKind::Conditional { .. } => {
                self.limit(Limit::Conditional, index, "Pulumi YAML has no conditionals")
            }
            ExpressionKind::For(_)
            | ExpressionKind::Splat { .. }
            | ExpressionKind::TemplateJoin { .. }
            | ExpressionKind::Apply { .. } => {
                self.limit(Limit::Loop, index, "Pulumi YAML has no loops and no splats")
            }
            ExpressionKind::Error => self.limit(Limit::Unbound, index, "this did not bind"),
        }
    }

    /// The translation of an operand.
    pub fn operand(&self, operand: ExpressionIndex) -> Said {
        match self.said.get(&operand) {
            Some(said) => said.clone(),
            None => self.limit(Limit::Unbound, operand, "this did not bind"),
        }
    }

    /// The translations of operands, or all reasons why there are none.
    pub fn operands(&self, operands: &[ExpressionIndex]) -> Result<Vec<Value>, Vec<Unsupported>> {
        let mut values = Vec::new();
        let mut reasons = Vec::new();
        for &operand in operands {
            match self.operand(operand) {
                Ok(value) => values.push(value),
                Err(more) => reasons.extend(more),
            }
        }
        if reasons.is_empty() { Ok(values) } else { Err(reasons) }
    }

    pub fn limit(&self, limit: Limit, at: ExpressionIndex, message: impl Into<String>) -> Said {
        Err(fail(limit, self.document.expression(at).range, message))
    }

    fn template(&mut self, parts: &[ExpressionIndex]) -> Said {
        let values = self.operands(parts)?;
        if let [value] = &values[..] {
            return Ok(value.clone());
        }
        let mut text = Text::default();
        for (value, &part) in values.into_iter().zip(parts) {
            match self.part_of_text(part, value) {
                Value::Text(inside) => text.push_text(inside),
                Value::Bool(value) => text.push(&value.to_string()),
                Value::Number(number) => text.push(&number),
                value => text.push_path(self.reference(value)),
            }
        }
        Ok(Value::Text(text))
    }

    fn object(&mut self, index: ExpressionIndex, items: &[ObjectItem]) -> Said {
        let mut entries: Vec<Entry> = Vec::new();
        let mut reasons = Vec::new();
        for item in items {
            match (self.key(item.key), self.operand(item.value)) {
                (Ok(key), Ok(value)) => entries.push(Entry::of_object(&key, value)),
                (key, value) => reasons.extend(key.err().into_iter().chain(value.err()).flatten()),
            }
        }
        if !reasons.is_empty() {
            return Err(reasons);
        }
        // Of equal keys the last one counts.
        let mut later = HashSet::new();
        entries.reverse();
        entries.retain(|entry| later.insert(entry.key.clone()));
        entries.reverse();
        // Pulumi YAML does not look for the defaults and secrets of the types of a schema.
        let document = self.document;
        let expected = document.expression(index).expected;
        let properties = expected.map_or_else(Vec::new, |ty| document.properties(ty));
        let missing = properties.iter().filter_map(|property| {
            Some(Entry::of_object(&property.name, default(document, property)?))
        });
        entries.extend(missing.filter(|entry| !later.contains(&entry.key)));
        for property in properties.iter().filter(|property| property.secret) {
            let mut entries = entries.iter_mut();
            if let Some(entry) = entries.find(|entry| entry.key == property.name) {
                let value = std::mem::replace(&mut entry.value, Value::Null);
                entry.value = value.secret();
            }
        }
        Ok(Value::Map(entries))
    }

    fn key(&self, key: ExpressionIndex) -> Result<String, Vec<Unsupported>> {
        let place = self.document.expression(key).range;
        match self.document.key_text(key) {
            None => Err(fail(Limit::Key, place, "Pulumi YAML cannot compute keys of objects")),
            Some(name) if is_function(&name) => {
                let message =
                    "Pulumi YAML takes an object with this key for the call of a function";
                Err(fail(Limit::Key, place, message))
            }
            Some(name) if self.is_json && is_long_in_json(&name) => {
                Err(fail(Limit::Key, place, LONG_KEY))
            }
            Some(name) => Ok(name.into_owned()),
        }
    }

    /// An element at a computed position. Keys of maps cannot be computed.
    fn index(
        &mut self,
        at: ExpressionIndex,
        collection: ExpressionIndex,
        key: ExpressionIndex,
    ) -> Said {
        let of = self.document.expression(collection).ty;
        let collection = self.operand(collection)?;
        if let Some(constant) = self.document.literal(key) {
            let step = step(self.document, of, &Key::Index(constant.clone()));
            return match step {
                Some(step) => Ok(Value::Path(self.reference(collection) + &step)),
                None => self.limit(Limit::Key, key, "Pulumi YAML has no reference with this key"),
            };
        }
        let is_list = |ty| matches!(self.document.ty(ty), Type::List { .. } | Type::Tuple { .. });
        if !self.document.alternatives(of).into_iter().any(is_list) {
            return self.limit(
                Limit::Key,
                at,
                "Pulumi YAML cannot compute keys of maps and objects",
            );
        }
        let key = self.operand(key)?;
        let collection = match collection {
            list @ Value::List(_) => list,
            value => Value::Path(self.reference(value)),
        };
        Ok(Value::call("fn::select", Value::List(vec![key, collection])))
    }

    fn traversal(&mut self, index: ExpressionIndex, traversal: &Traversal) -> Said {
        let name = &traversal.name;
        let node = match &traversal.reference {
            Reference::Node(node) => *node,
            Reference::Constant(constant) => return Ok(self.constant(constant, None)),
            Reference::Variable(_) => {
                let message = format!("Pulumi YAML has no variable like `{name}`");
                return self.limit(Limit::Loop, index, message);
            }
            Reference::Other(_) => {
                return self.limit(Limit::Unbound, index, format!("`{name}` has no value here"));
            }
        };
        let at = node.index();
        match (self.states.get(at), self.keys.get(at)) {
            (Some(State::Written), Some(key)) => {
                let ty = traversal.root_type.unwrap_or(self.document.expression(index).ty);
                let path = path(self.document, key, ty, &traversal.steps);
                Ok(Value::Path(path.map_err(|limit| vec![limit])?))
            }
            (Some(State::Pending), _) => {
                let message =
                    format!("Pulumi YAML cannot refer to `{name}`, which needs this itself");
                self.limit(Limit::Circle, index, message)
            }
            _ => {
                let missing = self.module.node(node);
                let place = missing.map(|node| self.document.position(node.name_range).line);
                let line = place.map_or(String::new(), |line| format!(" (line {line})"));
                let message = format!("this refers to `{name}`{line}, which was left out");
                self.limit(Limit::LeftOut, index, message)
            }
        }
    }

    /// A part of a value that has no name. A call of a function of a package gives one property of
    /// its result by itself, if it is always there: Pulumi YAML fails where it is not.
    fn steps(&mut self, source: ExpressionIndex, steps: &[Step]) -> Said {
        let document = self.document;
        let ty = document.expression(source).ty;
        let value = self.operand(source)?;
        let property = match steps {
            [Step { key: Key::Name(name), .. }] => document.property(document.strip(ty), name),
            _ => None,
        };
        match (value, property) {
            (Value::Call(function, argument), Some(property))
                if function == INVOKE && !document.is_optional(property.ty) =>
            {
                let mut argument = *argument;
                if let Value::Map(fields) = &mut argument {
                    fields.push(Entry::new("return", Value::text(&property.name)));
                }
                Ok(Value::call(INVOKE, argument))
            }
            (value, _) => {
                let source = self.reference(value);
                let path = path(document, &source, ty, steps).map_err(|limit| vec![limit])?;
                Ok(Value::Path(path))
            }
        }
    }

    /// A reference to a value: its own path, or that of a variable which is created for it.
    pub fn reference(&mut self, value: Value) -> String {
        if let Value::Path(path) = value {
            return path;
        }
        let like = match &value {
            Value::Call(function, _) => function.trim_start_matches("fn::"),
            _ => "value",
        };
        let name = self.names.camel(like);
        self.variables.push(Entry::new(name.clone(), value));
        name
    }
}

/// Returns true if Pulumi YAML takes an object with this key for the call of a function: the key
/// begins with `fn::`, or ends with `fn::` and a token.
fn is_function(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    let ends_with_token = |(at, function): (usize, &str)| {
        let token = key.get(at + function.len()..).unwrap_or_default();
        let parts = token.split(':').take(4);
        let lengths: Vec<usize> = parts.map(str::len).collect();
        matches!(lengths.len(), 2 | 3) && !lengths.contains(&0)
    };
    key.starts_with("fn::") || key.match_indices("fn::").any(ends_with_token)
}

pub(crate) fn fail(limit: Limit, place: Place, message: impl Into<String>) -> Vec<Unsupported> {
    vec![limit.at(place, message)]
}
