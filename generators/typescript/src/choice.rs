//! Conditionals as outputs.

use pcl::document::{ExpressionIndex, Type, TypeIndex};

use crate::module::Writer;
use crate::print::{Id, Node};
use crate::types;

impl Writer<'_> {
    /// Remembers a conditional of type `ty` if its branches are lists, maps or objects of different
    /// types. TypeScript finds no type that `pulumi.output` could have for them.
    pub fn remember_choice(&mut self, id: Id, ty: TypeIndex, branches: [ExpressionIndex; 2]) {
        let document = self.document;
        let [one, other] = branches.map(|branch| {
            types::content(document, document.expression(document.unconverted(branch)).ty)
        });
        let is_composite = |ty| {
            types::any(document, ty, |ty| match ty {
                Type::List { .. } | Type::Map { .. } | Type::Tuple { .. } => true,
                Type::Object(object) => object.schema.is_none(),
                _ => false,
            })
        };
        if one != other && [one, other].into_iter().any(is_composite) {
            self.choices.insert(id, types::content(document, ty));
        }
    }

    /// `pulumi.output(value)`, with a type if the value is a remembered choice.
    pub fn output_of(&mut self, value: Id) -> Id {
        let Some(&ty) = self.choices.get(&value) else {
            return self.tree.call("pulumi.output", [value]);
        };
        let any = self.tree.name("any");
        let output = self.tree.typed_call("pulumi.output", [any], [value]);
        let is_object = types::any(self.document, ty, |ty| matches!(ty, Type::Object(_)));
        let ty = if is_object {
            self.any_record()
        } else {
            types::unwrapped(self.document, &mut self.tree, ty)
        };
        let ty = self.tree.generic("pulumi.Output", [ty]);
        self.tree.add(Node::As { value: output, ty })
    }
}
