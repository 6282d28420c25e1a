//! The arguments of `try` and `can`, where a step that leads nowhere has to fail as it does in the
//! language. In TypeScript, it gives `undefined`, which is also what null becomes.

use pcl::document::{Constant, Key, Step, Type, TypeIndex};

use crate::helper::Helper;
use crate::module::Writer;
use crate::print::{Id, Node};
use crate::types;

impl Writer<'_> {
    /// A step into a value of type `ty` that fails if it leads nowhere.
    pub fn checked_step(&mut self, id: Id, ty: TypeIndex, step: &Step) -> Id {
        let id = if types::may_be_null(self.document, ty) {
            self.tree.add(Node::NonNull(id))
        } else {
            id
        };
        match &step.key {
            Key::Name(name) if self.has_property(ty, name) => self.tree.access(id, name, false),
            Key::Name(name) | Key::Index(Constant::String(name)) => {
                let key = self.tree.text(name);
                self.checked_element(id, ty, key)
            }
            Key::Index(constant) => {
                let key = self.constant(constant, None);
                self.checked_element(id, ty, key)
            }
        }
    }

    /// The element of a collection of type `ty`, or a failure.
    pub fn checked_element(&mut self, id: Id, ty: TypeIndex, key: Id) -> Id {
        let is_object = types::any(self.document, ty, |ty| matches!(ty, Type::Object(_)));
        let id = if is_object { self.any(id) } else { id };
        self.help(Helper::At, [id, key])
    }

    /// Returns true if all values of a type have a property, if only with the value null.
    pub fn has_property(&self, ty: TypeIndex, name: &str) -> bool {
        let document = self.document;
        let ty = types::content(document, ty);
        document.alternatives(ty).into_iter().all(|ty| match document.ty(ty) {
            Type::None => true,
            Type::Object(_) => document.property(ty, name).is_some(),
            _ => false,
        })
    }
}
