//! `output(T)`: a value known once resources exist.
//!
//! An output absorbs every output and promise inside it. It takes what its element takes; nothing
//! plain takes it.
//!
//! The rules, with examples: `tests/spec/types/output.md`.

use super::super::{Type, TypeId, TypeStore};
use crate::relations::Conversion;

impl TypeStore {
    /// An output of `element`, from which outputs and promises are removed first.
    pub fn output(&mut self, element: TypeId) -> TypeId {
        match self.resolve(element) {
            TypeId::ERROR => TypeId::ERROR,
            resolved => self.intern(Type::Output(resolved)),
        }
    }

    /// An output of instances of resources or components, whose own outputs stay what they are: the
    /// SDKs know them by the instance. Created by lowering only.
    pub fn output_of_instances(&mut self, instances: TypeId) -> TypeId {
        self.intern(Type::Output(instances))
    }

    /// The union of `ty` and its output: what takes a value now or later.
    pub fn or_output(&mut self, ty: TypeId) -> TypeId {
        let output = self.output(ty);
        self.union([ty, output])
    }

    pub(crate) fn output_from(
        &mut self,
        element: TypeId,
        src: TypeId,
        unifying: bool,
    ) -> Conversion {
        let from = self.output_source(src);
        self.relate(element, from, unifying)
    }

    pub(crate) fn output_takes(&mut self, element: TypeId, src: TypeId) -> bool {
        let from = self.output_source(src);
        self.takes(element, from)
    }

    /// The type that an output's element is compared with when the output is compared with `src`.
    pub(crate) fn output_source(&mut self, src: TypeId) -> TypeId {
        match *self.get(src) {
            Type::Output(from) => from,
            Type::Promise(from) => self.resolve(from),
            _ => src,
        }
    }

    /// An output with an output or a promise: the output of the unified elements.
    pub(crate) fn unify_output(
        &mut self,
        a: TypeId,
        element: TypeId,
        b: TypeId,
    ) -> (TypeId, Conversion) {
        let from = self.output_source(b);
        if from == b {
            return (a, self.convert(a, b));
        }
        let (element, safety) = self.unify(element, from);
        (self.output(element), safety)
    }
}
