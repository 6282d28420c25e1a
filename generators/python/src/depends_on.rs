//! The resources of `dependsOn`, where the instances of a block with a range stand for all of them.

use pcl::document::{ExpressionIndex, ExpressionKind, Type};

use crate::module::Writer;
use crate::print::{Id, Item, Node};
use crate::types;

/// The form of a value that has resources.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Instances {
    Single,
    /// A resource or nothing.
    Optional,
    List,
    Map,
}

impl Writer<'_> {
    /// The value of the option.
    pub fn depends_on(&mut self, value: ExpressionIndex) -> Id {
        let document = self.document;
        let whole = self.value(value);
        let list = document.unconverted(value);
        let elements = match &document.expression(list).kind {
            ExpressionKind::Tuple { elements } => &elements[..],
            _ if self.instances(list) == Instances::List => return whole,
            _ => &[list],
        };
        if elements.iter().all(|&element| self.instances(element) == Instances::Single) {
            return whole;
        }
        let mut late: Vec<(String, Id)> = Vec::new();
        let mut all = Vec::new();
        for &element in elements {
            let mut id = self.operand(element);
            let ty = self.code_type(document.unconverted(element));
            let instances = self.instances(element);
            if types::is_late(document, ty) && instances != Instances::Single {
                let parameter = self.parameter_for(id);
                let own = self.tree.local(&parameter);
                late.push((parameter, id));
                id = own;
            }
            all.push(self.spread(id, instances));
        }
        let all = self.tree.list(all);
        match &late[..] {
            [] => all,
            [(name, source)] => {
                let (name, source) = (name.clone(), self.output_of(*source));
                self.once_known(source, true, name, all)
            }
            _ => {
                let items: Vec<Item> =
                    late.iter().map(|(name, id)| Item::keyword(name, *id)).collect();
                let names: Vec<String> = late.into_iter().map(|(name, _)| name).collect();
                let together = self.tree.call("pulumi.Output.all", items);
                let function = self.function_of_all(&names, all);
                self.tree.method(together, "apply", [function])
            }
        }
    }

    fn instances(&self, value: ExpressionIndex) -> Instances {
        let document = self.document;
        let ty = types::content(document, self.code_type(document.unconverted(value)));
        match document.ty(ty) {
            Type::List { .. } | Type::Set { .. } | Type::Tuple { .. } => Instances::List,
            Type::Map { .. } => Instances::Map,
            _ if types::may_be_null(document, ty) => Instances::Optional,
            _ => Instances::Single,
        }
    }

    /// The resources of a known value as elements of a list.
    fn spread(&mut self, id: Id, instances: Instances) -> Id {
        let list = match instances {
            Instances::Single => return id,
            Instances::Optional => {
                let (one, none) = (self.tree.list([id]), self.tree.list([]));
                let there = self.tree.conditional(id, one, none);
                return self.tree.add(Node::Star(there));
            }
            Instances::List => id,
            Instances::Map => self.tree.getter(id, "values"),
        };
        self.tree.add(Node::Star(list))
    }
}
