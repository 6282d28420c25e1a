//! Conversions of values to other types.

use pcl::document::{ExpressionIndex, Type, TypeIndex};
use pcl_codegen::is_written;
use pcl_codegen::types::{Kinds, wanted};
use rustc_hash::FxHashSet;

use crate::module::Writer;
use crate::print::{Entry, Id, Key, Node};
use crate::source::Source;
use crate::types::{self, Eventual};

/// The depth up to which the parts of collections are converted.
const MAX_DEPTH: usize = 6;

impl Writer<'_> {
    /// A value as one of another type.
    pub fn convert(&mut self, source: Source, value: ExpressionIndex, to: TypeIndex) -> Id {
        let document = self.document;
        let Source { id, ty: from, late, sure, .. } = source;
        if is_written(document, value) {
            return id;
        }
        let to = wanted(document, to);
        if late == Eventual::No {
            return self.convert_known(id, from, to, MAX_DEPTH);
        }
        let inner = types::content(document, from);
        let parameter = self.parameter_for(id);
        let body = self.convert_known(parameter, inner, to, MAX_DEPTH);
        if body == parameter {
            return id;
        }
        if late != Eventual::Promise && self.is_text_of(body, parameter) {
            let (tag, texts) = (Some("pulumi.interpolate"), vec![String::new(); 2]);
            let values = vec![id];
            return self.tree.add(Node::Template { tag, texts, values });
        }
        self.once_known(id, (late, sure), parameter, body)
    }

    /// Returns true if `body` is `String(parameter)`.
    fn is_text_of(&self, body: Id, parameter: Id) -> bool {
        match self.tree.node(body) {
            Node::Call { callee, arguments, .. } => {
                *self.tree.node(*callee) == Node::Name("String".to_owned())
                    && arguments[..] == [parameter]
            }
            _ => false,
        }
    }

    fn convert_known(&mut self, id: Id, from: TypeIndex, to: TypeIndex, depth: usize) -> Id {
        let document = self.document;
        let Some(less) = depth.checked_sub(1) else { return id };
        if from == to || types::is_dynamic(document, from) || types::is_dynamic(document, to) {
            return id;
        }
        let mut id = id;
        if types::may_be_null(document, from) && !types::may_be_null(document, to) {
            id = self.tree.add(Node::NonNull(id));
        }
        let (have, take) = (Kinds::of(document, from), Kinds::of(document, to));
        if have.is_single() && !have.is_part_of(take) {
            if take.string {
                return self.tree.call("String", [id]);
            }
            if take.number {
                return self.tree.call("Number", [id]);
            }
            if take.bool {
                let text = self.tree.text("true");
                return self.tree.binary(id, "===", text);
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
            // A text that is one of few is known to be one only when it is written out.
            _ if self.is_narrower(to) && have.string => self.any(id),
            _ => id,
        }
    }

    /// A collection as one whose parts have other types.
    fn convert_parts(&mut self, id: Id, from: TypeIndex, to: TypeIndex, depth: usize) -> Id {
        let document = self.document;
        match (document.ty(from), document.ty(to)) {
            (
                Type::List { element: a } | Type::Set { element: a },
                Type::List { element: b } | Type::Set { element: b },
            ) => {
                let item = self.local_id("item");
                let body = self.convert_known(item, *a, *b, depth);
                if body == item {
                    return id;
                }
                let function = self.tree.arrow([item], body);
                self.tree.method(id, "map", [function])
            }
            (Type::Map { element: a }, Type::Map { element: b }) => {
                let [key, item] = ["key", "item"].map(|name| self.local_id(name));
                let body = self.convert_known(item, *a, *b, depth);
                if body == item {
                    return id;
                }
                let entries = self.tree.call("Object.entries", [id]);
                let (pattern, pair) = (self.tree.array([key, item]), self.tree.array([key, body]));
                let function = self.tree.arrow([pattern], pair);
                let mapped = self.tree.method(entries, "map", [function]);
                self.tree.call("Object.fromEntries", [mapped])
            }
            (Type::Object(_), Type::Object(_)) => {
                let mut entries = vec![Entry::with_key(Key::Spread, id)];
                for property in document.properties(to) {
                    let Some(own) = document.property(from, &property.name) else { continue };
                    let part = self.tree.access(id, &property.name, false);
                    let wanted = wanted(document, property.ty);
                    let own = types::content(document, own.ty);
                    let converted = self.convert_known(part, own, wanted, depth);
                    if converted != part {
                        entries.push(Entry::new(&property.name, converted));
                    }
                }
                if entries.len() == 1 { id } else { self.tree.object(entries) }
            }
            _ => id,
        }
    }

    /// Returns true if a type allows few values of its kind.
    fn is_narrower(&self, ty: TypeIndex) -> bool {
        let document = self.document;
        let mut open = vec![ty];
        let mut known = FxHashSet::default();
        let mut narrow = false;
        while let Some(ty) = open.pop() {
            match document.ty(ty) {
                _ if !known.insert(ty) => {}
                Type::Union(_) => open.extend(document.members(ty).iter()),
                Type::Enum(_) | Type::Const { .. } => narrow = true,
                Type::String => return false,
                _ => {}
            }
        }
        narrow
    }
}

fn is_list(ty: &Type) -> bool {
    matches!(ty, Type::List { .. } | Type::Set { .. })
}
