//! Loops, splats and computed keys.

use pcl::document::{ExpressionIndex, For, Type, TypeIndex, VariableIndex};

use crate::helper::Helper;
use crate::module::Writer;
use crate::print::{Id, Item, Node};
use crate::types;

impl Writer<'_> {
    pub fn index(&mut self, collection: ExpressionIndex, key: ExpressionIndex) -> Id {
        let document = self.document;
        let ty = document.expression(collection).ty;
        let [object, key_id] = [collection, key].map(|part| self.operand(part));
        let is_keyed = self.is_keyed(ty);
        let is_number = |ty: TypeIndex| {
            let kinds = document.alternatives(ty);
            kinds.iter().all(|&ty| matches!(document.ty(ty), Type::Int | Type::Number))
        };
        let is_position =
            is_keyed.map_or_else(|| is_number(document.expression(key).ty), |is_keyed| !is_keyed);
        let key_id = if is_position { self.as_index(key_id, key) } else { key_id };
        // A text as a key may be the name of a property, which the SDK writes in another way.
        if types::is_object_of_schema(document, ty) {
            let object = self.help(Helper::Plain, [object]);
            return self.tree.method(object, "get", [key_id]);
        }
        if self.checked.contains(&collection) && is_keyed != Some(true) {
            return self.help(Helper::At, [object, key_id]);
        }
        self.tree.index(object, key_id)
    }

    /// Returns true for a type whose values have keys, and false for one whose values have
    /// positions; `None` if they may have either.
    pub fn is_keyed(&self, ty: TypeIndex) -> Option<bool> {
        let mut found = None;
        for ty in self.document.alternatives(ty) {
            let is_keyed = match self.document.ty(ty) {
                Type::List { .. } | Type::Set { .. } | Type::Tuple { .. } => false,
                Type::Map { .. } | Type::Object(_) => true,
                Type::None => continue,
                _ => return None,
            };
            if found.is_some_and(|other| other != is_keyed) {
                return None;
            }
            found = Some(is_keyed);
        }
        found
    }

    /// The names of the variables of a loop, and what they go through.
    pub fn rounds(
        &mut self,
        collection: Id,
        ty: TypeIndex,
        key: Option<String>,
        value: Option<String>,
    ) -> (Vec<String>, Id) {
        let is_schema = types::is_object_of_schema(self.document, ty);
        let collection =
            if is_schema { self.help(Helper::Plain, [collection]) } else { collection };
        let unused = || "_".to_owned();
        match (self.is_keyed(ty), key) {
            (Some(false), None) => (vec![value.unwrap_or_else(unused)], collection),
            (Some(false), Some(key)) => {
                let pairs = self.tree.call("enumerate", [collection]);
                (vec![key, value.unwrap_or_else(unused)], pairs)
            }
            (is_keyed, key) => {
                let pairs = if is_keyed.is_some() {
                    let items = self.tree.getter(collection, "items");
                    self.tree.call("sorted", [items])
                } else {
                    self.help(Helper::Pairs, [collection])
                };
                (vec![key.unwrap_or_else(unused), value.unwrap_or_else(unused)], pairs)
            }
        }
    }

    pub fn for_each(&mut self, each: &For) -> Id {
        let document = self.document;
        let ty = document.expression(each.collection).ty;
        let list = self.operand(each.collection);
        let name = |writer: &mut Self, variable: Option<VariableIndex>| {
            variable.map(|variable| writer.variable(variable))
        };
        let key = name(self, each.key_variable);
        let value = name(self, each.value_variable);
        let (target, iterable) = self.rounds(list, ty, key, value);
        let condition = each.condition.map(|condition| self.operand(condition));
        let element = self.operand(each.value);
        let Some(key) = each.key else {
            let is_copy = match &target[..] {
                [only] => *self.tree.node(element) == Node::Local(only.clone()),
                _ => false,
            };
            if is_copy && condition.is_none() {
                return iterable;
            }
            let key = None;
            return self.tree.add(Node::Comprehension {
                key,
                element,
                target,
                iterable,
                condition,
            });
        };
        let key_type = document.expression(key).ty;
        let mut key_id = self.operand(key);
        if !types::any(document, key_type, |ty| matches!(ty, Type::String | Type::Id)) {
            key_id = self.help(Helper::ToText, [key_id]);
        }
        if each.groups {
            let element = self.tree.add(Node::Tuple(vec![key_id, element]));
            let key = None;
            let pairs =
                self.tree.add(Node::Comprehension { key, element, target, iterable, condition });
            return self.help(Helper::GroupValues, [pairs]);
        }
        let key = Some(key_id);
        self.tree.add(Node::Comprehension { key, element, target, iterable, condition })
    }

    pub fn splat(
        &mut self,
        source: ExpressionIndex,
        item: VariableIndex,
        each: ExpressionIndex,
    ) -> Id {
        let ty = self.document.expression(source).ty;
        let list = self.operand(source);
        let item = self.variable(item);
        let element = self.operand(each);
        if *self.tree.node(element) == Node::Local(item.clone()) {
            return list;
        }
        let (target, iterable) = self.rounds(list, ty, None, Some(item));
        let (key, condition) = (None, None);
        self.tree.add(Node::Comprehension { key, element, target, iterable, condition })
    }

    /// The entries of a collection: dicts with a key and a value.
    pub fn entries(&mut self, collection: Id, ty: TypeIndex) -> Id {
        let [key, value] = ["key", "value"].map(|name| self.local(name));
        let (target, iterable) =
            self.rounds(collection, ty, Some(key.clone()), Some(value.clone()));
        let [key, value] = [key, value].map(|name| self.tree.local(name));
        let element = self.tree.dict(vec![Item::entry("key", key), Item::entry("value", value)]);
        let (key, condition) = (None, None);
        self.tree.add(Node::Comprehension { key, element, target, iterable, condition })
    }
}
