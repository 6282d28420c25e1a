//! Reports about names and steps that lead nowhere.
//!
//! The rules, with examples: `tests/spec/expressions/traversal.md`.

use std::sync::Arc;

use pcl_diagnostics::{
    Code, Diagnostic, Fix, Matter, Setting, Span, TextEdit, TextRange, enumerate, related,
    suggest_where,
};
use pcl_syntax::{SyntaxKind, ast, is_identifier, quoted};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::checker::{Checker, Names};
use super::expr::TraversalStep;
use super::hint::is_whole_value;
use crate::expression::guesses::{NameAdvice, with_advice};
use crate::relations::{Key, TraverseError, TraverseErrorKind};
use crate::scope::ScopeId;
use crate::types::{Symbol, Type, TypeId, TypeStore};
use crate::value::{Constant, Number};
use crate::wording::count;
use crate::wording::{either, in_words, property_step, short_token};

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
            (Names::Properties { option, with_outputs }, _) => {
                NameAdvice::OwnProperties { option, with_outputs }
            }
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
            _ => NameAdvice::Declare { is_value: is_whole_value(name) },
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
        let diagnostic = name_in_list(span, self.types, &owner, &name, elements_have_it);
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
        Owner { path, ty: self.types.strip(ty) }
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
        let mut unknown = errors.iter().filter(|error| object_without(error).is_some());
        let error = match (unknown.next(), errors) {
            (Some(error), _) | (None, [error, _]) | (None, [.., error]) => error,
            (None, []) => return,
        };
        let span = Span::new(self.file, range);
        let diagnostic = self.failed_step(&error.kind, &objects, span, key, owner);
        self.reporter.report(diagnostic.with_severity(error.severity));
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
        let properties = Properties { names, meant };
        failed_step(span, self.types, kind, key, owner, &properties)
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
        Self { root: Some(root), before, walked: &[] }
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

/// A name that refers to no variable.
fn undefined_variable(span: Span, name: &str, advice: &NameAdvice<'_>) -> Diagnostic {
    let message = format!("there is no variable `{name}` here");
    let diagnostic = Diagnostic::error(Code::UndefinedVariable, span, message);
    with_advice(diagnostic, span, name, advice)
}

/// A name in a type label that refers to no type.
fn undefined_type(span: Span, name: &str, advice: &NameAdvice<'_>) -> Diagnostic {
    let message = format!("there is no type `{name}`");
    let diagnostic = Diagnostic::error(Code::UndefinedVariable, span, message);
    with_advice(diagnostic, span, name, advice)
}

/// The properties of the objects that do not have the one that a step asks for.
struct Properties {
    /// Their names.
    names: Vec<Arc<str>>,
    /// Those that the step may be meant to reach.
    meant: Vec<String>,
}

/// A step by `key` from `owner` that fails.
fn failed_step(
    span: Span,
    types: &mut TypeStore,
    kind: &TraverseErrorKind,
    key: &Key,
    owner: &Owner,
    properties: &Properties,
) -> Diagnostic {
    use TraverseErrorKind as Kind;
    match *kind {
        Kind::Unsupported { receiver } => no_properties(span, types, receiver, owner),
        Kind::NoneReceiver => null_has_no_properties(span, owner),
        Kind::ListIndex { key } => wrong_index(span, types, "a number", key),
        Kind::MapKey { key } => wrong_index(span, types, "a string", key),
        Kind::TupleIndex { .. } => list_index_not_integer(span, key, owner),
        Kind::TupleRange { length } => list_index_out_of_range(span, key, owner, length),
        Kind::ObjectKey { key: ty } => property_name_not_string(span, types, key, ty),
        Kind::OtherCase { asked, actual } => {
            let [asked, actual] = [asked, actual].map(|name| types.name(name));
            property_of_other_case(span, key, asked, actual)
        }
        Kind::UnknownProperty { object, .. }
            if matches!(key, Key::Constant(Constant::Number(_))) =>
        {
            index_of_object(span, types, key, object, owner)
        }
        Kind::UnknownProperty { name, object } => {
            let step = UnknownStep { key, name, object };
            unknown_property(span, types, &step, owner, properties)
        }
    }
}

fn no_properties(span: Span, types: &mut TypeStore, receiver: TypeId, owner: &Owner) -> Diagnostic {
    let words = in_words(types, receiver);
    let message = match &owner.path {
        Some(path) => format!("`{path}` is {words}, which has no properties"),
        None => format!("{words} has no properties"),
    };
    Diagnostic::error(Code::CannotTraverse, span, message)
        .help("only objects, maps and lists have properties or elements")
}

fn null_has_no_properties(span: Span, owner: &Owner) -> Diagnostic {
    let message = match &owner.path {
        Some(path) => format!("`{path}` is null, which has no properties"),
        None => "null has no properties".to_owned(),
    };
    Diagnostic::error(Code::CannotTraverse, span, message)
}

fn wrong_index(span: Span, types: &mut TypeStore, wanted: &str, key: TypeId) -> Diagnostic {
    let found = in_words(types, key);
    let message = format!("the index must be {wanted}, found {found}");
    Diagnostic::error(Code::TypeNotAssignable, span, message)
}

fn list_index_not_integer(span: Span, key: &Key, owner: &Owner) -> Diagnostic {
    let message = match (&owner.path, key) {
        (Some(path), Key::Name(_)) => format!("`{path}` is a list, which has no properties"),
        _ => "the index of a list must be a whole number".to_owned(),
    };
    Diagnostic::error(Code::TupleIndexNotInteger, span, message)
        .help("count the elements from 0, as in `[0]`, or use `[*]` for all of them")
}

fn list_index_out_of_range(span: Span, key: &Key, owner: &Owner, length: usize) -> Diagnostic {
    let list = match &owner.path {
        Some(path) => format!("`{path}`"),
        None => "the list".to_owned(),
    };
    let elements = count(length, "element");
    let message = match key {
        Key::Constant(key) => format!("there is no element `[{key}]`: {list} has {elements}"),
        _ => format!("there is no such element: {list} has {elements}"),
    };
    let diagnostic = Diagnostic::error(Code::TupleIndexOutOfRange, span, message);
    match length.checked_sub(1) {
        Some(last) => {
            diagnostic.help(format!("elements are counted from 0: the last one is `[{last}]`"))
        }
        None => diagnostic,
    }
}

fn property_name_not_string(
    span: Span,
    types: &mut TypeStore,
    key: &Key,
    ty: TypeId,
) -> Diagnostic {
    let found = match key {
        Key::Constant(Constant::Null) => "null".to_owned(),
        _ => in_words(types, ty),
    };
    let message = format!("the name of a property must be a string, found {found}");
    Diagnostic::error(Code::PropertyNameNotString, span, message)
        .help("write the name of the property, as in `[\"name\"]`")
}

/// An index into one object, as if it were a list of them.
fn index_of_object(
    span: Span,
    types: &mut TypeStore,
    key: &Key,
    object: TypeId,
    owner: &Owner,
) -> Diagnostic {
    let is_resource = types.is_resource(object);
    let message = match (&owner.path, is_resource) {
        (Some(path), true) => format!("`{path}` is a single resource, not a list of them"),
        (Some(path), false) => format!("`{path}` is a single object, not a list of them"),
        (None, _) => "this is a single object, not a list of them".to_owned(),
    };
    let diagnostic = Diagnostic::error(Code::UnknownProperty, span, message);
    let is_first =
        is_resource && matches!(key, Key::Constant(key) if key.as_text().as_deref() == Some("0"));
    let diagnostic = if is_resource {
        diagnostic.note("only a resource with the option `range` has an index")
    } else {
        diagnostic
    };
    let edits = vec![TextEdit::delete(span)];
    let title = "remove the index";
    diagnostic.help(title).fix(if is_first {
        Fix::safe(title, edits)
    } else {
        Fix::unsafe_(title, edits)
    })
}

fn property_of_other_case(span: Span, key: &Key, asked: &str, actual: &str) -> Diagnostic {
    let message = format!("the property is called `{actual}`, not `{asked}`");
    let edit = renaming(span, key, actual);
    Diagnostic::warning(Code::PropertyCaseMismatch, span, message)
        .fix(Fix::safe(format!("write `{actual}`"), vec![edit]))
}

/// A step to a property that an object does not have.
struct UnknownStep<'k> {
    key: &'k Key,
    name: Symbol,
    object: TypeId,
}

fn unknown_property(
    span: Span,
    types: &TypeStore,
    step: &UnknownStep<'_>,
    owner: &Owner,
    properties: &Properties,
) -> Diagnostic {
    let &UnknownStep { key, name, object } = step;
    let token = types.resource_token(object).filter(|_| types.is_resource(object));
    let short = token.as_deref().map(short_token);
    let subject = match (&owner.path, &short) {
        (Some(path), Some(token)) => format!("`{path}` ({token})"),
        (Some(path), None) => format!("`{path}`"),
        (None, Some(token)) => format!("`{token}`"),
        (None, None) => "this object".to_owned(),
    };
    let noun = match &short {
        Some(_) => "output",
        None => "property",
    };
    let message = format!("{subject} has no {noun} `{}`", types.name(name));
    let diagnostic = Diagnostic::error(Code::UnknownProperty, span, message);
    match &properties.meant[..] {
        [] => {
            let names = properties.names.iter().map(|name| &**name);
            with_all(diagnostic, names, noun, token.as_deref())
        }
        [meant] => {
            let edit = renaming(span, key, meant);
            diagnostic.help(format!("did you mean `{meant}`?")).fix(Fix::respelled(
                types.name(name),
                meant,
                format!("use `{meant}`"),
                vec![edit],
            ))
        }
        several => {
            let several = several.iter().map(|name| format!("`{name}`")).collect();
            diagnostic.help(format!("did you mean {}?", either(several)))
        }
    }
}

/// Adds the properties of an object, or, where they are too many to read, the place that lists
/// them.
fn with_all<'n>(
    diagnostic: Diagnostic,
    names: impl ExactSizeIterator<Item = &'n str>,
    noun: &str,
    token: Option<&str>,
) -> Diagnostic {
    const MOST: usize = 8;
    let count = names.len();
    let plural = match noun {
        "output" => "outputs",
        _ => "properties",
    };
    match (count, token) {
        (0, _) => diagnostic.note(format!("it has no {plural}")),
        (1, _) => diagnostic.note(format!("its only {noun} is {}", enumerate(names))),
        (2..=MOST, _) => diagnostic.note(format!("its {plural} are {}", enumerate(names))),
        (_, Some(token)) => diagnostic
            .help(format!("the schema of `{token}` lists its {count} {plural}"))
            .setting(Setting::Member),
        (_, None) => diagnostic.note(format!("it has {count} {plural}")),
    }
}

/// A step by `name` from `owner`, a list, which converts to a number and so passes for an index.
/// `elements_have_it` says that the elements of the list have a property of that name.
fn name_in_list(
    span: Span,
    types: &mut TypeStore,
    owner: &Owner,
    name: &str,
    elements_have_it: bool,
) -> Diagnostic {
    let words = in_words(types, owner.ty);
    let message = match &owner.path {
        Some(path) => format!("`{path}` is {words}, which has no property `{name}`"),
        None => format!("{words} has no property `{name}`"),
    };
    let diagnostic = Diagnostic::warning(Code::ListIndexNotNumber, span, message).ours();
    if elements_have_it {
        let insert = TextEdit::insert(span.file, span.range.start(), "[*]");
        return diagnostic
            .help(format!(
                "its elements have: write `[*].{name}` for the list of all, or `[0].{name}` for one"
            ))
            // One element may be meant as well.
            .fix(Fix::display_only("take it from all elements", vec![insert]));
    }
    diagnostic.help(match name {
        "length" | "len" | "size" | "count" => "use `length(..)` to count its elements",
        _ => "use an index, as in `[0]`, or `[*]` for every element",
    })
}

/// Rewrites a step so that it asks for `name`, in the form in which it is written.
fn renaming(span: Span, key: &Key, name: &str) -> TextEdit {
    let text = match key {
        Key::Name(_) if pcl_syntax::is_identifier(name) => format!(".{name}"),
        _ => format!("[{}]", quoted(name)),
    };
    TextEdit::replace(span, text)
}
