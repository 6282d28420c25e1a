//! Loops, splats and computed keys.

use pcl::document::{ExpressionIndex, For, Type, TypeIndex, VariableIndex};

use crate::helper::Helper;
use crate::module::Writer;
use crate::print::{Id, Node};
use crate::types;

impl Writer<'_> {
    pub fn index(&mut self, collection: ExpressionIndex, key: ExpressionIndex) -> Id {
        let document = self.document;
        let ty = document.expression(collection).ty;
        let [mut object, key] = [collection, key].map(|part| self.operand(part));
        let kinds = document.alternatives(ty);
        if kinds.iter().any(|&ty| matches!(document.ty(ty), Type::Object(_))) {
            object = self.any(object);
        }
        if types::may_be_null(document, ty) {
            object = self.tree.add(Node::NonNull(object));
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
        let key = each.key_variable.map(|variable| self.variable(variable));
        let value = each.value_variable.map(|variable| self.variable(variable));
        let parameters = match keyed {
            // Only the values matter.
            None | Some(true) if key.is_none() => {
                let any = self.tree.name("any");
                let types = if keyed.is_none() { vec![any] } else { Vec::new() };
                let callee = self.tree.path("Object.values");
                let arguments = vec![list];
                list = self.tree.add(Node::Call { callee, types, arguments });
                vec![self.tree.name(value.unwrap_or_default())]
            }
            None | Some(true) => {
                let any = self.tree.name("any");
                let types = if keyed.is_none() { vec![any] } else { Vec::new() };
                let callee = self.tree.path("Object.entries");
                let arguments = vec![list];
                list = self.tree.add(Node::Call { callee, types, arguments });
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
        let mapped = if same && parameters.len() == 1 && each.key.is_none() {
            list
        } else {
            if each.groups {
                let (key, any) = (self.tree.name("PropertyKey"), self.tree.name("any"));
                let ty = self.tree.add(Node::TupleType(vec![key, any]));
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
        let item = self.variable(item);
        let item = self.tree.name(item);
        let body = self.operand(each);
        if self.tree.node(body) == self.tree.node(item) {
            return list;
        }
        if self.is_keyed(ty).is_none() {
            let any = self.tree.name("any");
            let callee = self.tree.path("Object.values");
            list = self.tree.add(Node::Call { callee, types: vec![any], arguments: vec![list] });
        }
        let function = self.tree.arrow([item], body);
        self.tree.method(list, "map", [function])
    }
}
