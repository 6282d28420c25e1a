//! Names, and fixed steps from names and other values.
//!
//! The rules, with examples: `tests/spec/expressions/traversal.md` and
//! `tests/spec/programs/references.md`.

use pcl_diagnostics::{Code, Diagnostic, Matter, Severity, Span, TextRange};
use pcl_syntax::NodeId;
use pcl_syntax::ast::{self, StepKind};
use smallvec::SmallVec;

use super::checker::Checker;
use super::dead_end::WrittenPath;
use super::expr::{ExprId, ExprKind, Steps, Traversal, TraversalStep};
use super::literal;
use crate::relations::{Key, TraverseError};
use crate::scope::{DefinitionId, DefinitionKind, Meant, Recovered, ScopeId};
use crate::types::TypeId;
use crate::value::Constant;

impl Checker<'_> {
    /// A name, with the steps that follow it directly.
    pub(super) fn bind_name(
        &mut self,
        name: ast::Name<'_>,
        traversal: Option<ast::Traversal<'_>>,
        scope: ScopeId,
    ) -> ExprId {
        let mut root = self.types.symbol(name.text());
        let root_range = name.range();
        let mut definition = self.scopes.lookup(scope, root);
        let mut recovered = None;
        if definition.is_none()
            && let Some(found) = self.scopes.recovered(Span::new(self.file, root_range)).cloned()
        {
            match (&found.meant, traversal) {
                (Meant::Name(name, _), _) => {
                    root = *name;
                    definition = self.scopes.lookup(scope, root);
                }
                (Meant::Constant(constant), None) => {
                    return self.push_constant(constant.clone(), root_range, name.syntax().id());
                }
                (Meant::Constant(constant), Some(traversal)) => {
                    let whole = traversal.syntax();
                    return self.push_constant(constant.clone(), whole.range(), whole.id());
                }
                (Meant::Value(_), _) => {}
            }
            recovered = Some(found);
        }
        let root_type = match definition {
            Some(definition) => self.reference_type(definition, root_range, traversal.is_none()),
            None => match &recovered {
                Some(Recovered { meant: Meant::Value(ty), .. }) => *ty,
                Some(_) => TypeId::ERROR,
                None => self.report_undefined(name, scope),
            },
        };
        let mut receiver = match definition {
            Some(definition) => Receiver::Definition(definition, root_type),
            None => Receiver::Value(root_type),
        };
        let (steps, syntax) = match traversal {
            Some(traversal) => {
                let steps = match recovered {
                    None => {
                        let path = WrittenPath::of(root, &[]);
                        self.walk(&mut receiver, path, SmallVec::new(), traversal.steps())
                    }
                    Some(recovered) => self.walk_recovered(&mut receiver, traversal, &recovered),
                };
                (steps, traversal.syntax())
            }
            None => (Steps::default(), name.syntax()),
        };
        let range = match self.exprs.steps(steps).last() {
            Some(last) => root_range.cover(last.range),
            None => root_range,
        };
        let kind =
            ExprKind::Traversal(Traversal { root, root_range, root_type, definition, steps });
        self.push(kind, receiver.ty(), range, syntax.id())
    }

    /// The steps of `traversal`, from what was bound before them.
    pub(super) fn bind_steps(&mut self, traversal: ast::Traversal<'_>, source: ExprId) -> ExprId {
        let steps: Vec<ast::Step<'_>> = traversal.steps().collect();
        let syntax = traversal.syntax();
        self.extend(source, &steps, syntax.range(), syntax.id())
    }

    /// `source` with `steps` after it, which end with `range`. A name, also one in parentheses,
    /// takes the steps as its own.
    pub(super) fn extend(
        &mut self,
        source: ExprId,
        steps: &[ast::Step<'_>],
        range: TextRange,
        node: NodeId,
    ) -> ExprId {
        let walked = steps.iter().copied();
        let ExprKind::Traversal(traversal) = &self.exprs[source].kind else {
            let mut receiver = Receiver::Value(self.type_of(source));
            let path = WrittenPath::default();
            let steps = self.walk(&mut receiver, path, SmallVec::new(), walked);
            let ty = receiver.ty();
            let kind = ExprKind::RelativeTraversal { source, steps };
            return self.push(kind, ty, range, node);
        };
        let (root, before) = (traversal.root, traversal.steps);
        let mut receiver = match traversal.definition {
            Some(definition) if before.is_empty() => {
                Receiver::Definition(definition, traversal.root_type)
            }
            Some(definition) => self.resume(definition, source),
            None => Receiver::Value(self.type_of(source)),
        };
        let written = self.exprs.steps(before).to_vec();
        let path = WrittenPath::of(root, &written);
        let new = self.walk(&mut receiver, path, SmallVec::new(), walked);
        let steps = [written, self.exprs.steps(new).to_vec()];
        let steps = self.exprs.add_steps(steps.into_iter().flatten());
        let expr = &mut self.exprs[source];
        if let ExprKind::Traversal(traversal) = &mut expr.kind {
            traversal.steps = steps;
        }
        expr.ty = receiver.ty();
        expr.range = TextRange::new(expr.range.start(), range.end());
        expr.node = node;
        source
    }

    /// The receiver of further steps of a traversal that has some already.
    fn resume(&mut self, definition: DefinitionId, id: ExprId) -> Receiver {
        let ty = self.type_of(id);
        if self.scopes.definition(definition).kind != DefinitionKind::Property {
            return Receiver::Value(ty);
        }
        let mut property = self.scopes.definition(definition).ty;
        if let ExprKind::Traversal(traversal) = &self.exprs[id].kind {
            for step in self.exprs.steps(traversal.steps) {
                property = self.types.traverse(property, &step.key).ty;
            }
        }
        Receiver::Property(property)
    }

    /// Types the steps `walked`, then `steps`.
    fn walk<'t>(
        &mut self,
        receiver: &mut Receiver,
        path: WrittenPath<'_>,
        mut walked: SmallVec<[TraversalStep; 2]>,
        steps: impl Iterator<Item = ast::Step<'t>>,
    ) -> Steps {
        for step in steps {
            walked.push(TraversalStep {
                key: self.step_key(&step).unwrap_or(Key::Unknown(TypeId::ERROR)),
                range: step.range(),
                ty: TypeId::ERROR,
            });
        }
        self.type_steps(receiver, path, &mut walked);
        self.exprs.add_steps(walked)
    }

    /// Walks the steps that an undefined name denotes, then the correct steps after it.
    fn walk_recovered(
        &mut self,
        receiver: &mut Receiver,
        traversal: ast::Traversal<'_>,
        recovered: &Recovered,
    ) -> Steps {
        let inside = traversal.steps().take(recovered.steps);
        let range = inside.last().map_or(traversal.receiver().range(), |step| step.range());
        let (path, names) = match &recovered.meant {
            Meant::Name(root, names) => (WrittenPath::of(*root, &[]), &names[..]),
            _ => (WrittenPath::default(), &[][..]),
        };
        let meant = |&name| TraversalStep { key: Key::Name(name), range, ty: TypeId::ERROR };
        let meant = names.iter().map(meant).collect();
        self.walk(receiver, path, meant, traversal.steps().skip(recovered.steps))
    }

    fn type_steps(
        &mut self,
        receiver: &mut Receiver,
        path: WrittenPath<'_>,
        steps: &mut [TraversalStep],
    ) {
        for at in 0..steps.len() {
            let (walked, rest) = steps.split_at_mut(at);
            let Some(step) = rest.first_mut() else { return };
            let path = path.with(walked);
            *receiver = match &step.key {
                Key::Unknown(_) => Receiver::Value(TypeId::ERROR),
                key => self.step(*receiver, path, key, step.range),
            };
            step.ty = receiver.ty();
        }
    }

    /// Types the steps of a traversal from the type that its root has, and gives the type of the
    /// whole.
    pub(super) fn retyped_traversal(&mut self, traversal: &mut Traversal) -> TypeId {
        let mut receiver = match traversal.definition {
            Some(definition) => Receiver::Definition(definition, traversal.root_type),
            None => Receiver::Value(traversal.root_type),
        };
        let mut steps = self.exprs.steps(traversal.steps).to_vec();
        let path = WrittenPath::of(traversal.root, &[]);
        self.type_steps(&mut receiver, path, &mut steps);
        traversal.steps = self.exprs.add_steps(steps);
        receiver.ty()
    }

    /// Types steps from a value of type `source`, and gives the type of what they reach. Reports
    /// nothing.
    pub fn retype_steps(&mut self, source: TypeId, steps: &mut [TraversalStep]) -> TypeId {
        let mark = self.reporter.mark();
        let mut receiver = Receiver::Value(source);
        self.type_steps(&mut receiver, WrittenPath::default(), steps);
        self.reporter.retract(mark);
        receiver.ty()
    }

    /// The key of a step; `None` when the parser could not read it.
    fn step_key(&mut self, step: &ast::Step<'_>) -> Option<Key> {
        if step.syntax().has_error() {
            return None;
        }
        Some(match step.kind() {
            StepKind::Attribute(name) => Key::Name(self.types.symbol(name.text())),
            StepKind::LegacyIndex(token) => Key::Constant(literal::number(token.text())),
            StepKind::Index(ast::Expr::Literal(key)) => Key::Constant(literal::constant(key)),
            StepKind::Index(ast::Expr::Template(key)) => {
                Key::Constant(Constant::from(&*key.literal()?))
            }
            StepKind::Index(ast::Expr::Heredoc(key)) => {
                Key::Constant(Constant::from(&*key.literal()?))
            }
            StepKind::Index(_) | StepKind::Broken => return None,
        })
    }

    fn step(
        &mut self,
        receiver: Receiver,
        path: WrittenPath<'_>,
        key: &Key,
        range: TextRange,
    ) -> Receiver {
        let (definition, ty) = match receiver {
            Receiver::Value(ty) => return Receiver::Value(self.step_into(ty, path, key, range)),
            Receiver::Property(ty) => {
                return Receiver::Property(self.step_into(ty, path, key, range));
            }
            Receiver::Definition(definition, ty) => (definition, ty),
        };
        let definition = self.scopes.definition(definition);
        match definition.kind {
            DefinitionKind::Property => {
                let ty = definition.ty;
                Receiver::Property(self.step_into(ty, path, key, range))
            }
            DefinitionKind::Hook(_) => Receiver::Value(TypeId::DYNAMIC),
            DefinitionKind::PulumiBlock(_) => {
                let span = Span::new(self.file, range);
                let message = "the `pulumi` block has no properties";
                let help = "declare the value under a name of its own and refer to that";
                self.reporter
                    .report(Diagnostic::error(Code::NotTraversable, span, message).help(help));
                Receiver::Value(TypeId::ERROR)
            }
            DefinitionKind::Keyword => {
                let name = self.types.name(definition.name);
                let message = format!("`{name}` is a keyword, which has no properties");
                let span = Span::new(self.file, range);
                self.reporter.report(Diagnostic::error(Code::NotTraversable, span, message));
                Receiver::Value(TypeId::ERROR)
            }
            DefinitionKind::Resource(_) if self.excuses_outputs() => {
                let traversed = self.types.traverse(ty, key);
                if traversed.errors.iter().any(is_error) {
                    return Receiver::Value(TypeId::DYNAMIC);
                }
                let owner = self.owner(path, ty);
                self.report_step(&traversed.errors, range, key, &owner);
                Receiver::Value(traversed.ty)
            }
            _ => Receiver::Value(self.step_into(ty, path, key, range)),
        }
    }

    /// The type that a step by `key` reaches in a value of type `ty`.
    fn step_into(
        &mut self,
        ty: TypeId,
        path: WrittenPath<'_>,
        key: &Key,
        range: TextRange,
    ) -> TypeId {
        let traversed = self.types.traverse(ty, key);
        if traversed.errors.is_empty() {
            self.warn_of_list_name(ty, path, key, range);
            return traversed.ty;
        }
        let failed = traversed.errors.iter().any(is_error);
        if failed && self.excuses_outputs() && self.types.is_resource(ty) {
            return TypeId::DYNAMIC;
        }
        let owner = self.owner(path, ty);
        self.report_step(&traversed.errors, range, key, &owner);
        let is_index = matches!(key, Key::Constant(Constant::Number(_)));
        let stripped = self.types.strip(ty);
        if failed && is_index && self.types.is_resource(stripped) {
            // The steps after the index of a single resource are steps from the resource.
            return ty;
        }
        if failed && self.types.strip(traversed.ty) == TypeId::DYNAMIC {
            return TypeId::ERROR;
        }
        traversed.ty
    }

    /// The type of the name alone.
    fn reference_type(
        &mut self,
        definition: DefinitionId,
        range: TextRange,
        stands_alone: bool,
    ) -> TypeId {
        let definition = self.scopes.definition(definition);
        match &definition.kind {
            DefinitionKind::Constant(Constant::Null) => TypeId::NONE,
            DefinitionKind::Constant(Constant::Bool(_)) => TypeId::BOOL,
            DefinitionKind::Constant(Constant::Number(_)) => TypeId::NUMBER,
            DefinitionKind::Constant(Constant::String(_)) => TypeId::STRING,
            DefinitionKind::Property => TypeId::PROPERTY,
            DefinitionKind::Keyword => {
                if stands_alone {
                    let name = self.types.name(definition.name);
                    let span = Span::new(self.file, range);
                    let message = format!("`{name}` is a keyword and has no value");
                    let diagnostic = Diagnostic::error(Code::UndefinedVariable, span, message);
                    self.reporter.report(diagnostic.help("write the name of a value"));
                }
                TypeId::ERROR
            }
            _ => definition.ty,
        }
    }

    fn excuses_outputs(&self) -> bool {
        self.reporter.policy().excuses(Matter::ResourceOutput)
    }
}

/// The start of a step.
#[derive(Clone, Copy)]
enum Receiver {
    /// A name without steps, and its type.
    Definition(DefinitionId, TypeId),
    /// A value of a type.
    Value(TypeId),
    /// A path to a property of this type. The path itself is of type `Property`.
    Property(TypeId),
}

impl Receiver {
    fn ty(self) -> TypeId {
        match self {
            Self::Definition(_, ty) | Self::Value(ty) => ty,
            Self::Property(_) => TypeId::PROPERTY,
        }
    }
}

fn is_error(error: &TraverseError) -> bool {
    error.severity != Severity::Warning
}
