//! Expressions of a bound program, with the targets of their names.

use pcl_binder::schema_types::{Nominal, Shape};
use pcl_diagnostics::{FileId, TextRange};
use pcl_model::TypeId;
use pcl_model::expression::{Expr, ExprId, ExprKind, Steps, TraversalStep};
use pcl_model::relations;
use pcl_model::scope::{DefinitionId, DefinitionKind};

use super::Builder;
use crate::document::Constant;
use crate::document::expression::{
    ApplyArgument, Call, Callee, Expression, ExpressionKind, For, Key, ObjectItem, OtherReference,
    Parameter, Reference, Step, Traversal, Variable, VariableRole,
};
use crate::document::place::Place;
use crate::document::place::{ExpressionIndex, NodeIndex, TypeIndex, VariableIndex};

impl Builder<'_> {
    /// An expression with all that belongs to it, operands first. Without recursion: chains of
    /// operators can be long.
    pub(super) fn expression(&mut self, root: ExprId) -> ExpressionIndex {
        let exprs = self.exprs;
        let mut open = vec![(root, false)];
        while let Some((id, operands_done)) = open.pop() {
            if self.expressions.contains_key(&id) {
                continue;
            }
            let expr = &exprs[id];
            if operands_done {
                let expression = self.convert(expr);
                self.document.expressions.push(expression);
                let index = ExpressionIndex::of(self.document.expressions.len() - 1);
                self.expressions.insert(id, index);
                continue;
            }
            open.push((id, true));
            let first = open.len();
            expr.kind.for_each_operand(|operand| open.push((operand, false)));
            if let Some(operands) = open.get_mut(first..) {
                operands.reverse();
            }
        }
        self.known(root)
    }

    /// An operand: it was converted before what uses it.
    fn known(&self, id: ExprId) -> ExpressionIndex {
        let known = self.expressions.get(&id);
        known.copied().unwrap_or(ExpressionIndex(u32::MAX))
    }

    fn all_known(&self, ids: &[ExprId]) -> Vec<ExpressionIndex> {
        ids.iter().map(|&id| self.known(id)).collect()
    }

    fn convert(&mut self, expr: &Expr) -> Expression {
        Expression {
            ty: self.types.of(expr.ty),
            expected: None,
            range: self.place(expr.file, expr.range),
            kind: self.kind(expr),
        }
    }

    fn kind(&mut self, expr: &Expr) -> ExpressionKind {
        use ExpressionKind as Kind;
        match &expr.kind {
            ExprKind::Literal(value) => Kind::Literal { value: value.into() },
            ExprKind::Template(parts) => Kind::Template { parts: self.all_known(parts) },
            ExprKind::TemplateJoin(value) => Kind::TemplateJoin { value: self.known(*value) },
            ExprKind::Unary { operator, operand } => {
                Kind::Unary { operator: (*operator).into(), operand: self.known(*operand) }
            }
            ExprKind::Binary { operator, left, right } => Kind::Binary {
                operator: (*operator).into(),
                left: self.known(*left),
                right: self.known(*right),
            },
            ExprKind::Conditional { condition, if_true, if_false } => Kind::Conditional {
                condition: self.known(*condition),
                if_true: self.known(*if_true),
                if_false: self.known(*if_false),
            },
            ExprKind::Tuple(elements) => Kind::Tuple { elements: self.all_known(elements) },
            ExprKind::Object(items) => {
                let item = |&(key, value): &(ExprId, ExprId)| ObjectItem {
                    key: self.known(key),
                    value: self.known(value),
                };
                Kind::Object { items: items.iter().map(item).collect() }
            }
            ExprKind::Index { collection, key } => {
                Kind::Index { collection: self.known(*collection), key: self.known(*key) }
            }
            ExprKind::For(each) => {
                let key_role = VariableRole::ForKey;
                let value_role = VariableRole::ForValue;
                Kind::For(For {
                    key_variable: each.key_variable.map(|id| self.declared(id, key_role)),
                    value_variable: each.value_variable.map(|id| self.declared(id, value_role)),
                    collection: self.known(each.collection),
                    key: each.key.map(|key| self.known(key)),
                    value: self.known(each.value),
                    condition: each.condition.map(|condition| self.known(condition)),
                    groups: each.groups,
                })
            }
            ExprKind::Traversal(traversal) => {
                let name = self.types.name(traversal.root);
                Kind::Traversal(Traversal {
                    name_range: self.name_range(expr, &name, traversal.root_range),
                    name,
                    reference: self.reference(traversal.definition),
                    root_type: self.other_type(expr, traversal.root_type),
                    steps: self.steps(expr.file, traversal.steps),
                })
            }
            ExprKind::RelativeTraversal { source, steps } => Kind::RelativeTraversal {
                source: self.known(*source),
                steps: self.steps(expr.file, *steps),
            },
            ExprKind::Splat(splat) => Kind::Splat {
                source: self.known(splat.source),
                item: self.declared(splat.item, VariableRole::SplatItem),
                each: self.known(splat.each),
                is_full: splat.is_full,
            },
            ExprKind::Call(call) => Kind::Call(Box::new(self.call(expr, call))),
            ExprKind::Apply(apply) => {
                let role = VariableRole::ApplyParameter;
                let argument = |&(parameter, value): &(DefinitionId, ExprId)| ApplyArgument {
                    parameter: self.declared(parameter, role),
                    value: self.known(value),
                };
                Kind::Apply {
                    arguments: apply.arguments.iter().map(argument).collect(),
                    body: self.known(apply.body),
                }
            }
            ExprKind::Convert(value) => Kind::Convert { value: self.known(*value) },
            ExprKind::Error => Kind::Error,
        }
    }

    /// The text of the name of an expression, unless the expression starts with it.
    fn name_range(&mut self, expr: &Expr, name: &str, range: TextRange) -> Option<Place> {
        let is_at_start = range.start() == expr.range.start() && range.len() as usize == name.len();
        (!is_at_start).then(|| self.place(expr.file, range))
    }

    /// A type inside of an expression, unless it is that of the expression.
    fn other_type(&mut self, expr: &Expr, ty: TypeId) -> Option<TypeIndex> {
        let ty = self.types.of(ty);
        Some(ty).filter(|ty| *ty != self.types.of(expr.ty))
    }

    fn steps(&mut self, file: FileId, steps: Steps) -> Vec<Step> {
        let steps = self.exprs.steps(steps).iter();
        let step = |step: &TraversalStep| Step {
            key: match &step.key {
                relations::Key::Name(name) => Key::Name(self.types.name(*name)),
                relations::Key::Constant(value) => Key::Index(value.into()),
                relations::Key::Unknown(_) => Key::Index(Constant::Null),
            },
            range: self.place(file, step.range),
            ty: self.types.of(step.ty),
        };
        steps.map(step).collect()
    }

    fn reference(&mut self, definition: Option<DefinitionId>) -> Reference {
        let Some(id) = definition else { return Reference::Other(OtherReference::Undefined) };
        let kind = &self.scopes.definition(id).kind;
        match kind {
            DefinitionKind::Variable => Reference::Variable(self.variable(id)),
            DefinitionKind::Constant(value) => Reference::Constant(value.into()),
            DefinitionKind::Property => Reference::Other(OtherReference::Property),
            DefinitionKind::Keyword => Reference::Other(OtherReference::Keyword),
            DefinitionKind::Node(node)
            | DefinitionKind::Resource(node)
            | DefinitionKind::Hook(node)
            | DefinitionKind::PulumiBlock(node) => Reference::Node(NodeIndex(*node)),
        }
    }

    /// A variable that may be declared by an expression which comes later in the table.
    fn variable(&mut self, id: DefinitionId) -> VariableIndex {
        if let Some(&known) = self.variables.get(&id) {
            return known;
        }
        let definition = self.scopes.definition(id);
        let name = self.types.name(definition.name);
        let role = match &*name {
            "range" => VariableRole::Range,
            _ => VariableRole::Supplied,
        };
        let ty = self.types.of(definition.ty);
        self.document.variables.push(Variable { name, role, ty });
        let index = VariableIndex::of(self.document.variables.len() - 1);
        self.variables.insert(id, index);
        index
    }

    pub(super) fn declared(&mut self, id: DefinitionId, role: VariableRole) -> VariableIndex {
        let index = self.variable(id);
        if let Some(variable) = self.document.variables.get_mut(index.index()) {
            variable.role = role;
        }
        index
    }

    fn call(&mut self, expr: &Expr, call: &pcl_model::expression::Call) -> Call {
        let signature = &call.signature;
        let mut parameter = |parameter: &pcl_model::functions::Parameter| Parameter {
            name: parameter.name.to_string(),
            ty: self.types.of(parameter.ty),
        };
        let parameters = signature.parameters.iter().map(&mut parameter).collect();
        let variadic = signature.variadic.as_ref().map(parameter);
        let callee = signature.callee.and_then(Nominal::from_key);
        let name = self.types.name(call.name);
        Call {
            name_range: self.name_range(expr, &name, call.name_range),
            name,
            arguments: self.all_known(&call.arguments),
            expands_last: call.expands_last,
            parameters,
            variadic,
            returns: self.other_type(expr, signature.returns),
            callee: callee.and_then(|callee| self.callee(callee, signature.returns)),
        }
    }

    fn callee(&mut self, callee: Nominal, returns: TypeId) -> Option<Callee> {
        let Nominal { package, member, .. } = callee;
        let function = self.schemas.function(package, member).ok().flatten()?;
        let positional = function.multi_argument_inputs.iter();
        Some(Callee {
            token: self.types.members.canonical(package, member),
            member: self.types.members.index(package, member),
            is_output_form: self.types.is_output(returns),
            is_method: callee.shape == Shape::MethodInputs,
            is_output_only: !function.has_plain_form,
            positional_inputs: positional.map(|name| name.to_string()).collect(),
            deprecated: self.types.members.worded(function.deprecation_message.as_deref()),
        })
    }
}
