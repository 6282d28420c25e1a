//! The resources of `dependsOn`, where the instances of a block with a range stand for all of them.

use pcl::document::{ExpressionIndex, ExpressionKind, Type};

use crate::module::Writer;
use crate::print::{Id, Node};
use crate::types::{self, Eventual, eventual};

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
        let mut late = Vec::new();
        let mut all = Vec::new();
        for &element in elements {
            let mut id = self.operand(element);
            let ty = self.code_type(document.unconverted(element));
            let is_late = eventual(document, ty) != Eventual::No;
            let instances = self.instances(element);
            if is_late && instances != Instances::Single {
                let parameter = self.parameter_for(id);
                late.push((id, parameter));
                id = parameter;
            }
            all.push(self.spread(id, instances));
        }
        let all = self.tree.array(all);
        if late.is_empty() {
            return all;
        }
        let (sources, parameters): (Vec<Id>, Vec<Id>) = late.into_iter().unzip();
        let (source, parameter) = match (&sources[..], &parameters[..]) {
            (&[source], &[parameter]) => (self.tree.call("pulumi.output", [source]), parameter),
            _ => {
                let sources = self.tree.array(sources);
                (self.tree.call("pulumi.all", [sources]), self.tree.array(parameters))
            }
        };
        let function = self.tree.arrow([parameter], all);
        self.tree.method(source, "apply", [function])
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
                let (one, none) = (self.tree.array([id]), self.tree.array([]));
                self.tree.conditional(id, one, none)
            }
            Instances::List => id,
            Instances::Map => self.tree.call("Object.values", [id]),
        };
        self.tree.add(Node::Spread(list))
    }
}
