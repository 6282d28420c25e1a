//! Conversions of values to other types.

use pcl::document::{ExpressionIndex, Type, TypeIndex};
use pcl_codegen::is_written;
use pcl_codegen::types::{Kinds, wanted};

use crate::helper::Helper;
use crate::module::Writer;
use crate::print::{Id, Item, Key, Node};
use crate::source::Source;
use crate::types;

/// The depth up to which the parts of collections are converted.
const MAX_DEPTH: usize = 6;

impl Writer<'_> {
    /// A value as one of another type.
    pub fn convert(&mut self, source: Source, value: ExpressionIndex, to: TypeIndex) -> Id {
        let document = self.document;
        let Source { id, ty: from, is_late, sure, .. } = source;
        if is_written(document, value) {
            return id;
        }
        let to = wanted(document, to);
        if !is_late {
            return self.convert_known(id, from, to, MAX_DEPTH);
        }
        let inner = types::content(document, from);
        let parameter = self.parameter_for(id);
        let own = self.tree.local(&parameter);
        let body = self.convert_known(own, inner, to, MAX_DEPTH);
        if body == own {
            return id;
        }
        self.once_known(id, sure, parameter, body)
    }

    fn convert_known(&mut self, id: Id, from: TypeIndex, to: TypeIndex, depth: usize) -> Id {
        let document = self.document;
        let Some(less) = depth.checked_sub(1) else { return id };
        if from == to || types::is_dynamic(document, from) || types::is_dynamic(document, to) {
            return id;
        }
        let (have, take) = (Kinds::of(document, from), Kinds::of(document, to));
        if have.is_single() && !have.is_part_of(take) {
            if take.string {
                return self.help(Helper::ToText, [id]);
            }
            if take.number {
                let is_int = types::any(document, to, |ty| matches!(ty, Type::Int));
                return self.tree.call(if is_int { "int" } else { "float" }, [id]);
            }
            if take.bool {
                let text = self.tree.text("true");
                return self.tree.binary(id, "==", text);
            }
        }
        let collection = |ty| {
            let mut found = document.alternatives(ty).into_iter().filter(|ty| {
                let ty = document.ty(*ty);
                is_list(ty) || matches!(ty, Type::Map { .. } | Type::Object(_))
            });
            found.next().filter(|_| found.next().is_none())
        };
        match (collection(from), collection(to)) {
            (Some(from), Some(to)) => self.convert_parts(id, from, to, less),
            _ => id,
        }
    }

    /// A collection as one whose parts have other types.
    fn convert_parts(&mut self, id: Id, from: TypeIndex, to: TypeIndex, depth: usize) -> Id {
        let document = self.document;
        let (key, condition) = (None, None);
        match (document.ty(from), document.ty(to)) {
            (
                Type::List { element: a } | Type::Set { element: a },
                Type::List { element: b } | Type::Set { element: b },
            ) => {
                let name = self.local("item");
                let item = self.tree.local(&name);
                let element = self.convert_known(item, *a, *b, depth);
                if element == item {
                    return id;
                }
                let (target, iterable) = (vec![name], id);
                self.tree.add(Node::Comprehension { key, element, target, iterable, condition })
            }
            (Type::Map { element: a }, Type::Map { element: b }) => {
                let names = ["key", "item"].map(|name| self.local(name));
                let [key, item] = [0, 1].map(|at: usize| {
                    let name = names.get(at).cloned().unwrap_or_default();
                    self.tree.local(name)
                });
                let element = self.convert_known(item, *a, *b, depth);
                if element == item {
                    return id;
                }
                let iterable = self.tree.getter(id, "items");
                let (key, target) = (Some(key), names.to_vec());
                self.tree.add(Node::Comprehension { key, element, target, iterable, condition })
            }
            (Type::Object(source), Type::Object(target))
                if source.schema.is_none() && target.schema.is_none() =>
            {
                let mut entries = vec![Item::new(Key::Spread, id)];
                for property in document.properties(to) {
                    let Some(own) = document.property(from, &property.name) else { continue };
                    let part = self.tree.entry(id, &property.name);
                    let wanted = wanted(document, property.ty);
                    let own = types::content(document, own.ty);
                    let converted = self.convert_known(part, own, wanted, depth);
                    if converted != part {
                        entries.push(Item::entry(&property.name, converted));
                    }
                }
                if entries.len() == 1 { id } else { self.tree.dict(entries) }
            }
            _ => id,
        }
    }
}

fn is_list(ty: &Type) -> bool {
    matches!(ty, Type::List { .. } | Type::Set { .. })
}
