//! Reports about names and steps that lead nowhere.
//!
//! The rules, with examples: `tests/spec/expressions/traversal.md`.

use std::sync::Arc;

use pcl_diagnostics::{
    Code, Diagnostic, FileId, Fix, Matter, Setting, Span, TextEdit, TextRange, enumerate,
    is_too_long, related, suggest_where,
};
use pcl_syntax::ast::{self, AstNode as _};
use pcl_syntax::{SyntaxKind, SyntaxNode, is_identifier, quoted};
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
use crate::wording::{count, either, in_words, property_step, short_token};

/// The names of constants.
const CONSTANTS: [&str; 3] = ["false", "null", "true"];

impl Checker<'_> {
    pub(super) fn report_undefined(&mut self, name: ast::Name<'_>, scope: ScopeId) -> TypeId {
        let text = name.text();
        let span = Span::new(self.file, name.range());
        match arrow(name.syntax()) {
            Some(Arrow::Before(sign)) => {
                self.reporter.report_about(Matter::Variable, with_arrow(self.file, sign));
                return self.unless_excused(Matter::Variable);
            }
            Some(Arrow::Behind) => return self.unless_excused(Matter::Variable),
            None => {}
        }
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
        let message = match self.names {
            Names::Types => format!("there is no type `{text}`"),
            _ => format!("there is no variable `{text}` here"),
        };
        let diagnostic = Diagnostic::error(Code::UndefinedVariable, span, message);
        let diagnostic = with_advice(diagnostic, span, text, &advice);
        self.scopes.guesses.extend(guess.map(|guess| (span, guess)));
        let is_declaration = matches!(
            advice,
            NameAdvice::Similar(_) | NameAdvice::Declare { .. } | NameAdvice::None
        );
        if self.names.are_variables() && is_declaration {
            // A declaration that is missing is missed by all that refer to it.
            let module = self.scopes.root_of(scope);
            let group = format!("{module} {text}");
            self.reporter.report_group(Matter::Variable, &group, diagnostic, "also used here");
        } else {
            self.reporter.report_about(Matter::Variable, diagnostic);
        }
        self.unless_excused(Matter::Variable)
    }

    /// The advice about an unknown name that is similar to no other.
    fn advice_about(&self, name: ast::Name<'_>, scope: ScopeId) -> NameAdvice<'static> {
        let is_type = self.names == Names::Types;
        let text = name.text();
        NameAdvice::Help(match (self.names, text) {
            (Names::Properties { option, with_outputs }, _) => {
                let properties = if with_outputs { "inputs and outputs" } else { "inputs" };
                format!("`{option}` names {properties} of its own block")
            }
            (_, "range") => "`range.key` and `range.value` exist in a body with `options { range \
                             = .. }`; the function is `range(..)`"
                .to_owned(),
            (_, "var" | "local" | "config") => {
                "refer to a config or local by its name alone".to_owned()
            }
            _ if self.scopes.lookup_function(scope, text).is_some() => match text {
                _ if !is_type => format!("`{text}` is a function: call it as `{text}(..)`"),
                "object" => "name the properties, as in `object({ name = string })`".to_owned(),
                "tuple" => {
                    "name the types of the elements, as in `tuple([string, int])`".to_owned()
                }
                _ => format!("name the type of the elements, as in `{text}(string)`"),
            },
            _ if is_type => return NameAdvice::None,
            _ => {
                return match (shell_variable(name), terraform_reference(name)) {
                    (Some(at), _) => NameAdvice::Text { at },
                    (None, Some(advice)) => advice,
                    (None, None) => NameAdvice::Declare {
                        is_value: self.names != Names::Resources && is_whole_value(name),
                    },
                };
            }
        })
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
        let &Type::List(element) = self.types.get(stripped) else { return };
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
        let words = in_words(self.types, owner.ty);
        let message = format!("{} has no property `{name}`", owner.is(&words));
        let diagnostic = Diagnostic::warning(Code::ListIndexNotNumber, span, message).ours();
        self.reporter.report(if elements_have_it {
            let insert = TextEdit::insert(span.file, span.range.start(), "[*]");
            diagnostic
                .help(format!(
                    "its elements have: write `[*].{name}` for the list of all, or `[0].{name}` \
                     for one"
                ))
                // One element may be meant as well.
                .fix(Fix::display_only("take it from all elements", vec![insert]))
        } else {
            let help = "use an index, as in `[0]`, or `[*]` for every element";
            let length = is_length(&name).then(|| length_of(&owner));
            diagnostic.help(length.unwrap_or_else(|| help.to_owned()))
        });
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
        use TraverseErrorKind as Kind;
        let types = &mut *self.types;
        match *kind {
            Kind::Unsupported { receiver } => {
                let subject = owner.is(&in_words(types, receiver));
                let message = format!("{subject} has no properties");
                let is_text = types.strip(receiver) == TypeId::STRING;
                let length = self.asks_length(key).then(|| length_of(owner)).filter(|_| is_text);
                let help = "only objects, maps and lists have properties or elements";
                Diagnostic::error(Code::CannotTraverse, span, message)
                    .help(length.unwrap_or_else(|| help.to_owned()))
            }
            Kind::NoneReceiver => {
                let message = format!("{} has no properties", owner.is("null"));
                Diagnostic::error(Code::CannotTraverse, span, message)
                    .help("write a value that is not null, or remove the step")
            }
            Kind::ListIndex { key } => wrong_index(span, types, "a number", key),
            Kind::MapKey { key } => wrong_index(span, types, "a string", key),
            Kind::TupleIndex { .. } => {
                let message = match (&owner.path, key) {
                    (Some(_), Key::Name(_)) => owner.is("a list") + " has no properties",
                    _ => "the index of a list must be a whole number".to_owned(),
                };
                let length = self.asks_length(key).then(|| length_of(owner));
                let help = "count the elements from 0, as in `[0]`, or use `[*]` for all of them";
                Diagnostic::error(Code::TupleIndexNotInteger, span, message)
                    .help(length.unwrap_or_else(|| help.to_owned()))
            }
            Kind::TupleRange { length } => list_index_out_of_range(span, key, owner, length),
            Kind::ObjectKey { key: ty } => {
                let found = match key {
                    Key::Constant(Constant::Null) => "null".to_owned(),
                    _ => in_words(types, ty),
                };
                let message = format!("the name of a property must be a string, found {found}");
                Diagnostic::error(Code::PropertyNameNotString, span, message)
                    .help("write the name of the property, as in `[\"name\"]`")
            }
            Kind::OtherCase { asked, actual } => {
                let [asked, actual] = [asked, actual].map(|name| types.name(name));
                let message = format!("the property is called `{actual}`, not `{asked}`");
                let edit = renaming(span, key, actual);
                Diagnostic::warning(Code::PropertyCaseMismatch, span, message)
                    .fix(Fix::safe(format!("write `{actual}`"), vec![edit]))
            }
            Kind::UnknownProperty { object, .. }
                if matches!(key, Key::Constant(Constant::Number(_))) =>
            {
                let is_written = matches!(types.get(object), Type::Object(_));
                let keys = types.properties(object).filter(|_| is_written);
                match keys.filter(|keys| !keys.is_empty()) {
                    Some(keys) => {
                        let names = keys.iter().map(|&(name, _)| types.name(name));
                        position_in_object(span, owner, &enumerate(names))
                    }
                    None => index_of_object(span, types.is_resource(object), key, owner),
                }
            }
            Kind::UnknownProperty { name, object } => {
                self.unknown_property((name, object), objects, span, key, owner)
            }
        }
    }

    /// Returns true if a step is what other languages call the length of a value.
    fn asks_length(&self, key: &Key) -> bool {
        match key {
            Key::Name(name) => is_length(self.types.name(*name)),
            _ => false,
        }
    }

    /// The diagnostic for a step to the property `name`, which `object` does not have.
    fn unknown_property(
        &mut self,
        (name, object): (Symbol, TypeId),
        objects: &[TypeId],
        span: Span,
        key: &Key,
        owner: &Owner,
    ) -> Diagnostic {
        let names = self.names_of_properties(objects);
        let names = names.iter().map(|name| &**name);
        let types = &*self.types;
        let asked = types.name(name);
        let token = types.resource_token(object).filter(|_| types.is_resource(object));
        let short = token.as_deref().map(short_token);
        let subject = match (&owner.path, &short) {
            (Some(path), Some(token)) => format!("`{path}` ({token})"),
            (Some(path), None) => format!("`{path}`"),
            (None, Some(token)) => format!("`{token}`"),
            (None, None) => "this object".to_owned(),
        };
        let noun = if short.is_some() { "output" } else { "property" };
        let message = format!("{subject} has no {noun} `{asked}`");
        let diagnostic = Diagnostic::error(Code::UnknownProperty, span, message);
        let comparisons = self.scopes.comparisons();
        let meant = match comparisons.suggest(asked, names.clone()) {
            Some(similar) => vec![similar],
            None if comparisons.may_compare(asked, names.len()) => related(asked, names.clone()),
            None => Vec::new(),
        };
        match meant[..] {
            [] if asked == "key" && owner.path.as_deref() == Some("range") && names.len() == 1 => {
                diagnostic.help(
                    "a number as `range` gives `range.value` alone, a list or map also `range.key`",
                )
            }
            [] => {
                let names = comparisons.nearest_first(asked, names);
                with_all(diagnostic, &names, noun, token.as_deref())
            }
            [meant] => {
                let (title, edit) = (format!("use `{meant}`"), renaming(span, key, meant));
                diagnostic.help(format!("did you mean `{meant}`?")).fix(Fix::respelled(
                    asked,
                    meant,
                    title,
                    vec![edit],
                ))
            }
            _ => {
                let several = meant.iter().map(|name| format!("`{name}`")).collect();
                diagnostic.help(format!("did you mean {}?", either(several)))
            }
        }
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
    pub const fn unnamed(ty: TypeId) -> Self {
        Self { path: None, ty }
    }

    /// The subject of a sentence about the value, whose type is described by `words`.
    fn is(&self, words: &str) -> String {
        match &self.path {
            Some(path) => format!("`{path}` is {words}, which"),
            None => words.to_owned(),
        }
    }

    /// The path in backticks, and `words` for a value without a name.
    fn named_or(&self, words: &str) -> String {
        self.path.as_ref().map_or_else(|| words.to_owned(), |path| format!("`{path}`"))
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

fn wrong_index(span: Span, types: &mut TypeStore, wanted: &str, key: TypeId) -> Diagnostic {
    let found = in_words(types, key);
    let message = format!("the index must be {wanted}, found {found}");
    let example = if wanted == "a number" { "[0]" } else { "[\"name\"]" };
    Diagnostic::error(Code::TypeNotAssignable, span, message)
        .help(format!("write {wanted} between the brackets, as in `{example}`"))
}

fn list_index_out_of_range(span: Span, key: &Key, owner: &Owner, length: usize) -> Diagnostic {
    let list = owner.named_or("the list");
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
        None => diagnostic.help("add the element to the list first"),
    }
}

/// A position in an object that is written out, which has these `keys`.
fn position_in_object(span: Span, owner: &Owner, keys: &str) -> Diagnostic {
    let message = format!("{} is an object, whose parts have names", owner.named_or("this"));
    Diagnostic::error(Code::UnknownProperty, span, message)
        .help(format!("use one of its keys: {keys}"))
}

/// An index into one object, as if it were a list of them.
fn index_of_object(span: Span, is_resource: bool, key: &Key, owner: &Owner) -> Diagnostic {
    let noun = if is_resource { "resource" } else { "object" };
    let message = format!("{} is a single {noun}, not a list of them", owner.named_or("this"));
    let mut diagnostic = Diagnostic::error(Code::UnknownProperty, span, message);
    if is_resource {
        diagnostic = diagnostic.note("only a resource with the option `range` has an index");
    }
    let is_first =
        is_resource && matches!(key, Key::Constant(key) if key.as_text().as_deref() == Some("0"));
    let make = if is_first { Fix::safe } else { Fix::unsafe_ };
    let title = "remove the index";
    diagnostic.help(title).fix(make(title, vec![TextEdit::delete(span)]))
}

/// Adds the properties of an object; where they are too many to read, those `names` that come first
/// and the place that lists all.
fn with_all(diagnostic: Diagnostic, names: &[&str], noun: &str, token: Option<&str>) -> Diagnostic {
    let count = names.len();
    let plural = if noun == "output" { "outputs" } else { "properties" };
    let listed = enumerate(names.iter().copied());
    match (count, token) {
        (0, _) => diagnostic.help(format!("it has no {plural}: remove this step")),
        (1, _) => diagnostic.help(format!("its only {noun} is {listed}")),
        (_, Some(token)) if is_too_long(count) => diagnostic
            .help(format!("its {plural} are {listed}; the schema of `{token}` lists all {count}"))
            .setting(Setting::Member),
        _ => diagnostic.help(format!("its {plural} are {listed}")),
    }
}

/// Rewrites a step so that it asks for `name`, in the form in which it is written.
fn renaming(span: Span, key: &Key, name: &str) -> TextEdit {
    let text = match key {
        Key::Name(_) if pcl_syntax::is_identifier(name) => format!(".{name}"),
        _ => format!("[{}]", quoted(name)),
    };
    TextEdit::replace(span, text)
}

/// The advice about `docker_network.front.id`, which is Terraform's reference to a resource that is
/// not declared.
fn terraform_reference(name: ast::Name<'_>) -> Option<NameAdvice<'static>> {
    let mut steps = name.traversal()?.steps();
    let mut word = || match steps.next()?.kind() {
        ast::StepKind::Attribute(word) => Some(word.text()),
        _ => None,
    };
    let (resource, property) = (word()?, word()?);
    let text = name.text();
    let is_type = text.contains('_') && !text.chars().any(char::is_uppercase);
    is_type.then(|| NameAdvice::Terraform {
        resource: resource.to_owned(),
        help: format!(
            "a resource is referred to by its name alone: declare `{resource}`, and write \
             `{resource}.{property}`"
        ),
    })
}

/// A place next to the sign `->`, with which C++ and PHP reach for a property. It is read as a name
/// that ends with `-`, and an operator.
enum Arrow {
    /// The name before the sign, which is at this range.
    Before(TextRange),
    /// The name of the property behind it.
    Behind,
}

fn arrow(name: SyntaxNode<'_>) -> Option<Arrow> {
    let mut operands = name.ancestors();
    let operand = operands
        .find(|it| it.parent().is_none_or(|parent| parent.kind() != SyntaxKind::Traversal))?;
    let binary = ast::Binary::cast(operand.parent()?)?;
    let (left, sign) = (binary.left()?.range(), binary.operator_token()?.range());
    let is_arrow = binary.operator() == ast::BinaryOperator::Greater
        && left.end() == sign.start()
        && binary.left()?.syntax().text().ends_with('-');
    let is_left = operand.range() == left;
    is_arrow.then(|| {
        let before = TextRange::new(left.end() - 1, sign.end());
        if is_left { Arrow::Before(before) } else { Arrow::Behind }
    })
}

/// The diagnostic for `->` before a property.
fn with_arrow(file: FileId, sign: TextRange) -> Diagnostic {
    let span = Span::new(file, sign);
    Diagnostic::error(Code::UndefinedVariable, span, "`->` is written `.` in PCL")
        .help("write `.` before the name of a property")
        .fix(Fix::unsafe_("write `.`", vec![TextEdit::replace(span, ".")]))
}

/// The offset of an interpolation that is a name as shells have them, such as `${HOME}`.
fn shell_variable(name: ast::Name<'_>) -> Option<u32> {
    let around = name.syntax().parent()?;
    let text = name.text();
    let is_shell = text.len() > 1 && !text.chars().any(char::is_lowercase);
    (is_shell && around.kind() == SyntaxKind::Interpolation).then(|| around.range().start())
}

/// Returns true for the names that other languages have for the length of a value.
fn is_length(name: &str) -> bool {
    matches!(name, "length" | "len" | "size" | "count")
}

/// The advice to count the parts of a value.
fn length_of(owner: &Owner) -> String {
    match &owner.path {
        Some(path) => format!("write `length({path})`"),
        None => "call the function with it: `length(..)`".to_owned(),
    }
}
