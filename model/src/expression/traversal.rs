//! Names, and fixed steps from names and other values.
//!
//! The rules, with examples: `tests/spec/expressions/traversal.md` and
//! `tests/spec/programs/references.md`.

use std::sync::Arc;

use pcl_diagnostics::{Diagnostic, Matter, Severity, Span, TextRange, related, suggest_where};
use pcl_syntax::ast::{self, StepKind};
use pcl_syntax::{NodeId, SyntaxKind, is_identifier};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::checker::{Checker, Names};
use super::expr::{ExprId, ExprKind, Steps, Traversal, TraversalStep};
use super::hint::is_whole_value;
use super::literal;
use crate::messages::names::{
    NameAdvice, keyword_without_value, undefined_type, undefined_variable,
};
use crate::messages::roles::property_step;
use crate::messages::traversals as messages;
use crate::relations::{Key, TraverseError, TraverseErrorKind};
use crate::scope::{DefinitionId, DefinitionKind, Meant, Recovered, ScopeId};
use crate::types::{Symbol, Type, TypeId, TypeStore};
use crate::value::{Constant, Number};

/// The names of constants.
const CONSTANTS: [&str; 3] = ["false", "null", "true"];

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
            && let Some(found) = self
                .scopes
                .recovered(Span::new(self.file, root_range))
                .cloned()
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
                Some(Recovered {
                    meant: Meant::Value(ty),
                    ..
                }) => *ty,
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
                        self.walk(&mut receiver, path, traversal.steps())
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
        let kind = ExprKind::Traversal(Traversal {
            root,
            root_range,
            root_type,
            definition,
            steps,
        });
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
            let steps = self.walk(&mut receiver, WrittenPath::default(), walked);
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
        let new = self.walk(&mut receiver, WrittenPath::of(root, &written), walked);
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

    fn walk<'t>(
        &mut self,
        receiver: &mut Receiver,
        path: WrittenPath<'_>,
        steps: impl Iterator<Item = ast::Step<'t>>,
    ) -> Steps {
        let mut walked: SmallVec<[TraversalStep; 2]> = SmallVec::new();
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
        let range = inside
            .last()
            .map_or(traversal.receiver().range(), |step| step.range());
        let names = match &recovered.meant {
            Meant::Name(_, names) => &names[..],
            _ => &[],
        };
        let path = match recovered.meant {
            Meant::Name(root, _) => WrittenPath::of(root, &[]),
            _ => WrittenPath::default(),
        };
        let mut walked: SmallVec<[TraversalStep; 2]> = SmallVec::new();
        for &name in names {
            walked.push(TraversalStep {
                key: Key::Name(name),
                range,
                ty: TypeId::ERROR,
            });
        }
        for step in traversal.steps().skip(recovered.steps) {
            walked.push(TraversalStep {
                key: self.step_key(&step).unwrap_or(Key::Unknown(TypeId::ERROR)),
                range: step.range(),
                ty: TypeId::ERROR,
            });
        }
        self.type_steps(receiver, path, &mut walked);
        self.exprs.add_steps(walked)
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
            let path = WrittenPath { walked, ..path };
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
                let diagnostic = messages::step_into_pulumi_block(Span::new(self.file, range));
                self.reporter.report(diagnostic);
                Receiver::Value(TypeId::ERROR)
            }
            DefinitionKind::Keyword => {
                let name = self.types.name(definition.name);
                let diagnostic = messages::step_into_keyword(Span::new(self.file, range), name);
                self.reporter.report(diagnostic);
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
        if failed && is_index && self.types.is_resource(ty) {
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
                    self.reporter.report(keyword_without_value(span, name));
                }
                TypeId::ERROR
            }
            _ => definition.ty,
        }
    }

    fn report_undefined(&mut self, name: ast::Name<'_>, scope: ScopeId) -> TypeId {
        let text = name.text();
        let span = Span::new(self.file, name.range());
        let types = &*self.types;
        // A label may declare what no name can refer to.
        let visible = self.scopes.names_to_compare(scope, text);
        let visible = visible.map(|symbol| types.name(symbol));
        let visible = visible.filter(|&name| Some(name) != self.own.as_deref());
        // `null`, `true` and `false` have no parts.
        let parent = name.syntax().parent();
        let has_steps = parent.is_some_and(|it| it.kind() == SyntaxKind::Traversal);
        let is_wanted =
            |name: &str| is_identifier(name) && !(has_steps && CONSTANTS.contains(&name));
        let advice = match suggest_where(text, visible, is_wanted) {
            Some(similar) => NameAdvice::Similar(similar),
            None => self.advice_about(name, scope),
        };
        let guessed = self.guessed_type(scope, &advice);
        let diagnostic = match self.names {
            Names::Types => undefined_type(span, text, &advice),
            _ => undefined_variable(span, text, &advice),
        };
        if let Some(ty) = guessed {
            self.note_guess(span, text, ty);
        }
        self.reporter.report_about(Matter::Variable, diagnostic);
        self.unless_excused(Matter::Variable)
    }

    /// The advice about an unknown name that is similar to no other.
    fn advice_about(&self, name: ast::Name<'_>, scope: ScopeId) -> NameAdvice<'static> {
        let names_types = self.names == Names::Types;
        let text = name.text();
        match (self.names, text) {
            (
                Names::Properties {
                    option,
                    with_outputs,
                },
                _,
            ) => NameAdvice::OwnProperties {
                option,
                with_outputs,
            },
            (_, "range") => NameAdvice::Range,
            (_, "var" | "local" | "config") => NameAdvice::Prefix,
            _ if self.scopes.lookup_function(scope, text).is_some() => match names_types {
                true => NameAdvice::TypeFunction,
                false => NameAdvice::Function,
            },
            _ if names_types => NameAdvice::None,
            _ => NameAdvice::Declare {
                is_value: is_whole_value(name),
            },
        }
    }

    /// Reports a step by a name into a list, such as `names.length`: strings convert to numbers, so
    /// the name passes for an index, but never is one.
    fn warn_of_list_name(
        &mut self,
        ty: TypeId,
        path: WrittenPath<'_>,
        key: &Key,
        range: TextRange,
    ) {
        let stripped = self.types.strip(ty);
        let &Type::List(element) = self.types.get(stripped) else {
            return;
        };
        let name = match key {
            Key::Name(name) => self.types.shared_name(*name),
            Key::Constant(Constant::String(name)) => Arc::clone(name),
            _ => return,
        };
        if Number::parse(&name).is_some() {
            return;
        }
        let element = self.types.strip(element);
        let symbol = self.types.symbol(&name);
        let elements_have_it = self.types.property(element, symbol).is_some();
        let span = Span::new(self.file, range);
        let owner = self.owner(path, ty);
        let diagnostic = messages::name_in_list(span, self.types, &owner, &name, elements_have_it);
        self.reporter.report(diagnostic);
    }

    /// The value at `path`, for a message about a step from it.
    fn owner(&mut self, path: WrittenPath<'_>, ty: TypeId) -> Owner {
        let root = path.root.map(|root| self.types.name(root));
        let path = root.filter(|root| !root.is_empty()).map(|root| {
            let steps = path.before.iter().chain(path.walked);
            let steps = steps.map(|step| step_text(&step.key, self.types));
            std::iter::once(root.to_owned()).chain(steps).collect()
        });
        Owner {
            path,
            ty: self.types.strip(ty),
        }
    }

    /// Reports what is wrong with one step from `owner`. The errors about the members of a union
    /// are one diagnostic.
    pub fn report_step(
        &mut self,
        errors: &[TraverseError],
        range: TextRange,
        key: &Key,
        owner: &Owner,
    ) {
        // Of a union, the members that have properties tell most; its own error is the last one.
        let objects: SmallVec<[TypeId; 2]> = errors.iter().filter_map(object_without).collect();
        let mut unknown = errors
            .iter()
            .filter(|error| object_without(error).is_some());
        let error = match (unknown.next(), errors) {
            (Some(error), _) | (None, [error, _]) | (None, [.., error]) => error,
            (None, []) => return,
        };
        let span = Span::new(self.file, range);
        let diagnostic = self.failed_step(&error.kind, &objects, span, key, owner);
        self.reporter
            .report(diagnostic.with_severity(error.severity));
    }

    /// The diagnostic for a step by `key` from `owner` that fails. `objects` are those that do not
    /// have the property.
    pub(super) fn failed_step(
        &mut self,
        kind: &TraverseErrorKind,
        objects: &[TypeId],
        span: Span,
        key: &Key,
        owner: &Owner,
    ) -> Diagnostic {
        let names = self.names_of_properties(objects);
        let meant = match *kind {
            TraverseErrorKind::UnknownProperty { name, .. } => {
                let asked = self.types.name(name);
                let names = names.iter().map(|name| &**name);
                let comparisons = self.scopes.comparisons();
                let meant = match comparisons.suggest(asked, names.clone()) {
                    Some(similar) => vec![similar],
                    None if comparisons.may_compare(asked, names.len()) => related(asked, names),
                    None => Vec::new(),
                };
                meant.into_iter().map(str::to_owned).collect()
            }
            _ => Vec::new(),
        };
        let properties = messages::Properties { names, meant };
        messages::failed_step(span, self.types, kind, key, owner, &properties)
    }

    /// The names of the properties of objects, each once.
    fn names_of_properties(&mut self, objects: &[TypeId]) -> Vec<Arc<str>> {
        let (mut names, mut seen) = (Vec::new(), FxHashSet::default());
        for &object in objects {
            let properties = self.types.properties(object).unwrap_or_default();
            let new = properties.iter().filter(|&&(name, _)| seen.insert(name));
            names.extend(new.map(|&(name, _)| self.types.shared_name(name)));
        }
        names
    }

    fn excuses_outputs(&self) -> bool {
        self.reporter.policy().excuses(Matter::ResourceOutput)
    }
}

/// A value from which a step goes, for a message.
#[derive(Clone, Debug)]
pub struct Owner {
    /// The path to it as PCL writes it; `None` when it has no name.
    pub path: Option<String>,
    /// Its type, without outputs and promises.
    pub ty: TypeId,
}

impl Owner {
    /// A value without a name.
    #[must_use]
    pub const fn unnamed(ty: TypeId) -> Self {
        Self { path: None, ty }
    }
}

/// The path to a value as it is written: a name, and the steps from it.
#[derive(Clone, Copy, Default)]
struct WrittenPath<'s> {
    root: Option<Symbol>,
    before: &'s [TraversalStep],
    walked: &'s [TraversalStep],
}

impl<'s> WrittenPath<'s> {
    fn of(root: Symbol, before: &'s [TraversalStep]) -> Self {
        Self {
            root: Some(root),
            before,
            walked: &[],
        }
    }
}

/// A step as PCL writes it.
fn step_text(key: &Key, types: &TypeStore) -> String {
    match key {
        Key::Name(name) => property_step(types.name(*name)),
        Key::Constant(constant) => format!("[{constant}]"),
        Key::Unknown(_) => "[..]".to_owned(),
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

/// The object that does not have the property that a step asks for.
fn object_without(error: &TraverseError) -> Option<TypeId> {
    match error.kind {
        TraverseErrorKind::UnknownProperty { object, .. } => Some(object),
        _ => None,
    }
}

fn is_error(error: &TraverseError) -> bool {
    error.severity != Severity::Warning
}
