//! Reports about names and steps that lead nowhere.
//!
//! The rules, with examples: `tests/spec/expressions/traversal.md`.

use std::sync::Arc;

use pcl_diagnostics::{Diagnostic, Matter, Span, TextRange, related, suggest_where};
use pcl_syntax::{SyntaxKind, ast, is_identifier};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::checker::{Checker, Names};
use super::expr::TraversalStep;
use super::hint::is_whole_value;
use crate::messages::names::{NameAdvice, undefined_type, undefined_variable};
use crate::messages::roles::property_step;
use crate::messages::traversals as messages;
use crate::relations::{Key, TraverseError, TraverseErrorKind};
use crate::scope::ScopeId;
use crate::types::{Symbol, Type, TypeId, TypeStore};
use crate::value::{Constant, Number};

/// The names of constants.
const CONSTANTS: [&str; 3] = ["false", "null", "true"];

impl Checker<'_> {
    pub(super) fn report_undefined(&mut self, name: ast::Name<'_>, scope: ScopeId) -> TypeId {
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
        let guess = self.guess(span, text, scope, &advice);
        let diagnostic = match self.names {
            Names::Types => undefined_type(span, text, &advice),
            _ => undefined_variable(span, text, &advice),
        };
        self.scopes.guesses.extend(guess.map(|guess| (span, guess)));
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
            _ if self.scopes.lookup_function(scope, text).is_some() => {
                if names_types {
                    NameAdvice::TypeFunction
                } else {
                    NameAdvice::Function
                }
            }
            _ if names_types => NameAdvice::None,
            _ => NameAdvice::Declare {
                is_value: is_whole_value(name),
            },
        }
    }

    /// Reports a step by a name into a list, such as `names.length`: strings convert to numbers, so
    /// the name passes for an index, but never is one.
    pub(super) fn warn_of_list_name(
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
    pub(super) fn owner(&mut self, path: WrittenPath<'_>, ty: TypeId) -> Owner {
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
pub(super) struct WrittenPath<'s> {
    root: Option<Symbol>,
    before: &'s [TraversalStep],
    walked: &'s [TraversalStep],
}

impl<'s> WrittenPath<'s> {
    pub(super) fn of(root: Symbol, before: &'s [TraversalStep]) -> Self {
        Self {
            root: Some(root),
            before,
            walked: &[],
        }
    }

    /// The same path with the steps that were typed so far.
    pub(super) const fn with(self, walked: &'s [TraversalStep]) -> Self {
        Self { walked, ..self }
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

/// The object that does not have the property that a step asks for.
fn object_without(error: &TraverseError) -> Option<TypeId> {
    match error.kind {
        TraverseErrorKind::UnknownProperty { object, .. } => Some(object),
        _ => None,
    }
}
