//! Maps in the order of the language, which is that of their keys. TypeScript keeps the order in
//! which the keys were added.

use pcl::document::{ExpressionIndex, ExpressionKind, Type, TypeIndex};

use crate::helper::Helper;
use crate::module::Writer;
use crate::print::Id;
use crate::types;

/// The depth up to which values are looked through.
const MAX_DEPTH: usize = 32;

impl Writer<'_> {
    /// The entries of an object, or its values alone. `is_ordered` tells that their order matters.
    pub fn of_object(
        &mut self,
        collection: ExpressionIndex,
        object: Id,
        with_keys: bool,
        is_ordered: bool,
    ) -> Id {
        let ty = self.document.expression(collection).ty;
        let is_sorted = is_ordered && !self.has_sorted_keys(collection);
        let name = match (with_keys, is_sorted) {
            (true, false) => "Object.entries",
            (false, false) => "Object.values",
            (true, true) => Helper::SortedEntries.name(),
            (false, true) => Helper::SortedValues.name(),
        };
        if is_sorted {
            self.helpers.insert(Helper::SortedEntries);
            if !with_keys {
                self.helpers.insert(Helper::SortedValues);
            }
        }
        let types = self.type_of_values(ty);
        self.tree.typed_call(name, types, [object])
    }

    /// The type argument of `Object.entries` and its like where TypeScript finds none.
    pub fn type_of_values(&mut self, ty: TypeIndex) -> Vec<Id> {
        let document = self.document;
        let is_empty = match document.ty(ty) {
            Type::Object(_) => document.properties(ty).is_empty(),
            Type::Map { element } => matches!(document.ty(*element), Type::None),
            _ => false,
        };
        match self.is_keyed(ty) {
            Some(_) if !is_empty => Vec::new(),
            _ => vec![self.tree.name("any")],
        }
    }

    /// Returns true if the keys of an object are written in their order.
    fn has_sorted_keys(&self, index: ExpressionIndex) -> bool {
        let document = self.document;
        let mut index = index;
        for _ in 0..MAX_DEPTH {
            index = match &document.expression(index).kind {
                ExpressionKind::Object { items } => {
                    let keys: Option<Vec<_>> =
                        items.iter().map(|item| document.key_text(item.key)).collect();
                    return keys.is_some_and(|keys| keys.is_sorted());
                }
                ExpressionKind::Convert { value } => *value,
                ExpressionKind::Traversal(traversal) if traversal.steps.is_empty() => {
                    match self.local_value(traversal) {
                        Some(value) => value,
                        None => return false,
                    }
                }
                _ => return false,
            };
        }
        false
    }

    /// Returns true if JSON of a value has its keys in their order and lacks none whose value is
    /// null.
    pub fn is_written_as_json(&self, index: ExpressionIndex) -> bool {
        let document = self.document;
        let whole = index;
        let mut open = vec![whole];
        while let Some(index) = open.pop() {
            let expression = document.expression(index);
            match &expression.kind {
                ExpressionKind::Object { .. } if !self.has_sorted_keys(index) => return false,
                ExpressionKind::Object { items } => open.extend(items.iter().map(|it| it.value)),
                ExpressionKind::Tuple { elements } => open.extend(elements),
                // Null is null inside of data alone.
                _ if self.is_null(index) && index == whole => return false,
                _ if self.is_null(index) || document.literal(index).is_some() => {}
                _ if self.is_simple(expression.ty) => {}
                _ => return false,
            }
        }
        true
    }

    /// Returns true for the types of texts, numbers and bools, and of lists of them, that are never
    /// null.
    fn is_simple(&self, ty: TypeIndex) -> bool {
        let document = self.document;
        let mut ty = types::content(document, ty);
        for _ in 0..MAX_DEPTH {
            ty = match document.ty(ty) {
                Type::List { element } | Type::Set { element } => {
                    types::content(document, *element)
                }
                _ => break,
            };
        }
        document.alternatives(ty).into_iter().all(|ty| {
            matches!(
                document.ty(ty),
                Type::Bool | Type::Int | Type::Number | Type::String | Type::Id
            )
        })
    }
}
