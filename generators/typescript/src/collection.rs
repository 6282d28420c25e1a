//! Loops, splats and computed keys.

use pcl::document::{
    Document, ExpressionIndex, ExpressionKind, For, Reference, Type, TypeIndex, VariableIndex,
};

use crate::helper::Helper;
use crate::module::Writer;
use crate::print::{Id, Node};
use crate::types;

impl Writer<'_> {
    pub fn index(&mut self, collection: ExpressionIndex, key: ExpressionIndex) -> Id {
        let document = self.document;
        let ty = document.expression(collection).ty;
        let [mut object, key] = [collection, key].map(|part| self.operand(part));
        if types::may_be_null(document, ty) {
            object = self.tree.add(Node::NonNull(object));
        }
        if self.checked.contains(&collection) {
            return self.checked_element(object, ty, key);
        }
        if types::any(document, ty, |ty| matches!(ty, Type::Object(_))) {
            object = self.any(object);
        }
        self.tree.index(object, key, false)
    }

    /// The pairs or elements of a collection, and whether it has keys.
    pub fn is_keyed(&self, ty: TypeIndex) -> Option<bool> {
        let mut kinds = self.document.alternatives(ty).into_iter();
        kinds.find_map(|ty| match self.document.ty(ty) {
            Type::List { .. } | Type::Set { .. } | Type::Tuple { .. } => Some(false),
            Type::Map { .. } | Type::Object(_) => Some(true),
            _ => None,
        })
    }

    pub fn for_each(&mut self, each: &For) -> Id {
        let document = self.document;
        let ty = document.expression(each.collection).ty;
        let mut list = self.operand(each.collection);
        let keyed = self.is_keyed(ty);
        if types::may_be_null(document, ty) && keyed.is_some() {
            list = self.tree.add(Node::NonNull(list));
        }
        if self.tree.is_empty_array(list) {
            let any = self.tree.name("any");
            let ty = types::array(&mut self.tree, any);
            list = self.tree.add(Node::As { value: list, ty });
        }
        let key = each.key_variable.map(|variable| self.variable_id(variable));
        let value = each.value_variable.map(|variable| self.variable_id(variable));
        let parameters = match keyed {
            None | Some(true) => {
                // Without a variable for keys, only the values matter.
                let is_ordered = each.key.is_none() || each.groups;
                list = self.of_object(each.collection, list, key.is_some(), is_ordered);
                match key {
                    Some(key) => {
                        let pair: Vec<Id> = [key].into_iter().chain(value).collect();
                        vec![self.tree.array(pair)]
                    }
                    None => value.into_iter().collect(),
                }
            }
            Some(false) => {
                let value = value.unwrap_or_else(|| self.tree.name("_"));
                match key {
                    // What a filter leaves has other indexes.
                    Some(key) if each.condition.is_some() && numbers_values(document, each) => {
                        let pair = self.tree.array([key, value]);
                        let ty = self.tree.name("const");
                        let numbered = self.tree.add(Node::As { value: pair, ty });
                        let function = self.tree.arrow([value, key], numbered);
                        list = self.tree.method(list, "map", [function]);
                        vec![pair]
                    }
                    key => [value].into_iter().chain(key).collect(),
                }
            }
        };
        if let Some(condition) = each.condition {
            let condition = self.operand(condition);
            let test = self.tree.arrow(parameters.clone(), condition);
            list = self.tree.method(list, "filter", [test]);
        }
        let mut result = self.operand(each.value);
        if let Some(key) = each.key {
            let key_ty = document.expression(key).ty;
            let mut key = self.operand(key);
            if types::any(document, key_ty, |ty| matches!(ty, Type::Bool)) {
                key = self.tree.call("String", [key]);
            }
            result = self.tree.array([key, result]);
        }
        let same = parameters
            .first()
            .is_some_and(|&first| self.tree.node(first) == self.tree.node(result));
        let mapped = if same && parameters.len() == 1 && each.key.is_none() {
            list
        } else {
            if each.key.is_some() {
                let ty = if each.groups {
                    let (key, any) = (self.tree.name("PropertyKey"), self.tree.name("any"));
                    self.tree.add(Node::TupleType(vec![key, any]))
                } else {
                    self.tree.name("const")
                };
                result = self.tree.add(Node::As { value: result, ty });
            }
            let function = self.tree.arrow(parameters, result);
            self.tree.method(list, "map", [function])
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

    pub fn splat(
        &mut self,
        source: ExpressionIndex,
        item: VariableIndex,
        each: ExpressionIndex,
    ) -> Id {
        let document = self.document;
        let ty = document.expression(source).ty;
        let mut list = self.operand(source);
        if types::may_be_null(document, ty) {
            list = self.tree.add(Node::NonNull(list));
        }
        let item = self.variable_id(item);
        let body = self.operand(each);
        if self.tree.node(body) == self.tree.node(item) {
            return list;
        }
        if self.is_keyed(ty).is_none() {
            list = self.of_object(source, list, false, true);
        }
        let function = self.tree.arrow([item], body);
        self.tree.method(list, "map", [function])
    }
}

/// Returns true if the keys or values that a loop makes depend on its key variable.
fn numbers_values(document: &Document, each: &For) -> bool {
    let is_number = |part| match &document.expression(part).kind {
        ExpressionKind::Traversal(traversal) => {
            each.key_variable.is_some_and(|key| traversal.reference == Reference::Variable(key))
        }
        _ => false,
    };
    [Some(each.value), each.key]
        .into_iter()
        .flatten()
        .any(|made| document.walk(made).into_iter().any(is_number))
}
