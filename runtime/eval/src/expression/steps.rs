//! Variables, and the parts of values that indices and steps lead to: `.name`, `[key]`.
//!
//! The rules, with examples: `tests/spec/run/expression.md`.

use std::borrow::Cow;
use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic, Span, suggest};
use pcl_model::expression::{ExprId, Steps, Traversal};
use pcl_model::relations::Key;
use pcl_model::scope::{DefinitionId, DefinitionKind};
use pcl_model::value::Constant;

use super::convert::plain_text;
use super::evaluate::Evaluator;
use crate::stop::Stop;
use crate::value::{Kind, Marks, Object, Resource, Value};
use crate::wording::{self, Shown};

impl Evaluator<'_> {
    /// `c[k]`.
    pub(super) fn index(
        &mut self,
        collection: &Value,
        key: &Value,
        [id, key_id]: [ExprId; 2],
    ) -> Result<Value, Stop> {
        let (span, key_span) = (self.span(id), self.span(key_id));
        let marks = collection.marks.clone().union(&key.marks);
        if key.is_null() {
            return Err(wording::null_key(key_span).into());
        }
        let part = match &collection.kind {
            Kind::Unknown => Ok(None),
            Kind::List(list) => element(list.elements(), key, &marks, key_span),
            Kind::Object(object) => entry(object, key, &marks, key_span),
            Kind::Resource(resource) => {
                let fields = self.run().fields(resource, span)?;
                self.of_resource(entry(fields, key, &marks, key_span))
            }
            Kind::Null => Err(of_null(span).into()),
            _ => Err(no_parts(span, &Shown::of(collection, &marks)).into()),
        };
        part_value(part.map_err(|stop| stop.unless_shown(&marks))?, marks)
    }

    pub(super) fn traversal(&mut self, id: ExprId, traversal: &Traversal) -> Result<Value, Stop> {
        let Some(definition) = traversal.definition else {
            return Err(wording::not_an_expression(self.span(id)).into());
        };
        let root = self.variable(definition, id)?;
        if traversal.steps.is_empty() {
            match &root.kind {
                Kind::Poisoned(name) => Err(Stop::Poisoned(Arc::clone(name))),
                _ => Ok(root.into_owned()),
            }
        } else {
            self.steps(&root, id, traversal.steps)
        }
    }

    /// The value of a name.
    fn variable(&self, definition: DefinitionId, id: ExprId) -> Result<Cow<'_, Value>, Stop> {
        let mut bindings = self.bindings.iter().rev();
        if let Some((_, value)) = bindings.find(|(bound, _)| *bound == definition) {
            return Ok(Cow::Borrowed(value));
        }
        match &self.run().program.scopes.definition(definition).kind {
            DefinitionKind::Constant(constant) => Ok(Cow::Owned(self.literal(id, constant)?)),
            kind => match kind.node() {
                Some(node) => Ok(Cow::Borrowed(self.frame.node_value(node))),
                None => Ok(Cow::Borrowed(self.frame.extra_value(definition))),
            },
        }
    }

    /// The part of a value that fixed steps lead to.
    pub(super) fn steps(&self, start: &Value, id: ExprId, steps: Steps) -> Result<Value, Stop> {
        let file = self.expr(id).file;
        // A property that was computed for this step.
        let mut made;
        let mut current = start;
        let mut marks = Marks::NONE;
        for step in self.run().program.exprs.steps(steps) {
            let span = Span::new(file, step.range);
            marks.add(&current.marks);
            if let Kind::Resource(resource) = &current.kind
                && let Some(property) = self.single_property(resource, &step.key)
            {
                made = property;
                current = &made;
                continue;
            }
            let part = match &current.kind {
                Kind::Unknown => Ok(None),
                Kind::Poisoned(name) => Err(Stop::Poisoned(Arc::clone(name))),
                Kind::Null => Err(of_null(span).into()),
                Kind::Object(object) => self.step_into(object, &step.key, &marks, span),
                Kind::Resource(resource) => {
                    let fields = self.run().fields(resource, span)?;
                    self.of_resource(self.step_into(fields, &step.key, &marks, span))
                }
                Kind::List(list) => match &step.key {
                    Key::Name(name) => {
                        let name = self.run().program.types.name(*name);
                        element(list.elements(), &name.into(), &marks, span)
                    }
                    Key::Constant(constant) => {
                        let key = self.literal(id, constant)?;
                        element(list.elements(), &key, &marks, span)
                    }
                    Key::Unknown(_) => Ok(None),
                },
                _ => Err(no_parts(span, &Shown::of(current, &marks)).into()),
            };
            match part.map_err(|stop| stop.unless_shown(&marks))? {
                Some(value) => current = value,
                None => return Ok(Value::unknown(marks)),
            }
        }
        part_value(Some(current), marks)
    }

    /// A part of a resource. Without an engine, one that is missing is unknown: a provider may give
    /// it.
    fn of_resource<'v>(&self, part: Result<Part<'v>, Stop>) -> Result<Part<'v>, Stop> {
        let is_missing = |stop: &Stop| match stop {
            Stop::Failed(errors) => errors.iter().all(|error| error.code == Code::MissingPart),
            _ => false,
        };
        match part {
            Err(stop) if self.run().settings.is_offline && is_missing(&stop) => Ok(None),
            part => part,
        }
    }

    fn single_property(&self, resource: &Resource, key: &Key) -> Option<Value> {
        match key {
            Key::Name(name) => resource.single_property(self.run().program.types.name(*name)),
            Key::Constant(Constant::String(name)) => resource.single_property(name),
            _ => None,
        }
    }

    fn step_into<'v>(
        &self,
        object: &'v Object,
        key: &Key,
        marks: &Marks,
        span: Span,
    ) -> Result<Part<'v>, Stop> {
        match key {
            Key::Name(name) => {
                let name = self.run().program.types.name(*name);
                field(object, name, marks, span)
            }
            Key::Constant(Constant::String(name)) => field(object, name, marks, span),
            Key::Constant(_) => Err(position_in_object(span, &names_of(object, marks)).into()),
            Key::Unknown(_) => Ok(None),
        }
    }
}

/// The part with the marks of what leads to it.
fn part_value(part: Part<'_>, marks: Marks) -> Result<Value, Stop> {
    match part {
        None => Ok(Value::unknown(marks)),
        Some(Value { kind: Kind::Poisoned(name), .. }) => Err(Stop::Poisoned(Arc::clone(name))),
        Some(value) => Ok(value.clone().marked(&marks)),
    }
}

/// A part of a value; `None` if it is unknown.
type Part<'v> = Option<&'v Value>;

/// The field of an object or resource. The marks are those of the object and of the name.
fn field<'v>(object: &'v Object, name: &str, marks: &Marks, span: Span) -> Result<Part<'v>, Stop> {
    let found = object.get(name).map(Some);
    found.ok_or_else(|| no_field(object, name, marks, span))
}

/// The reason why an object has no field of that name.
pub(crate) fn no_field(object: &Object, name: &str, marks: &Marks, span: Span) -> Stop {
    let similar = suggest(name, object.names()).map(|similar| Shown::text(similar, marks));
    let name = Shown::text(name, marks);
    unknown_field(span, &name, similar.as_ref(), &names_of(object, marks)).into()
}

/// The first names in an object, for a message; none of one whose names are secret.
fn names_of(object: &Object, marks: &Marks) -> Vec<String> {
    const MOST: usize = 6;
    let names = object.names().map(|name| Shown::text(name, marks));
    let shown = names.filter(|name| !name.is_secret()).take(MOST);
    shown.map(|name| name.or("").to_owned()).collect()
}

/// The element of a list at a position. The marks are those of the list.
fn element<'v>(
    elements: &'v [Value],
    key: &Value,
    marks: &Marks,
    span: Span,
) -> Result<Part<'v>, Stop> {
    let position = match &key.kind {
        Kind::Unknown => return Ok(None),
        Kind::Number(number) => Some(number.clone()),
        Kind::String(text) => text.unmarked().as_str().and_then(pcl_number::Number::from_text),
        _ => None,
    };
    let Some(position) = position else {
        return Err(not_a_position(span, &Shown::of(key, marks)).into());
    };
    let found = position
        .read_back()
        .to_i64()
        .and_then(|at| usize::try_from(at).ok())
        .and_then(|at| elements.get(at));
    let missing = || no_element(span, elements.len(), &Shown::of(key, marks));
    Ok(Some(found.ok_or_else(missing)?))
}

/// The field of an object that a key leads to.
fn entry<'v>(object: &'v Object, key: &Value, marks: &Marks, span: Span) -> Result<Part<'v>, Stop> {
    match &key.kind {
        Kind::Unknown => Ok(None),
        Kind::String(_) => match key_text(key, span)? {
            Some(name) => field(object, &name, marks, span),
            None => Ok(None),
        },
        _ => Err(wrong_key(span, &Shown::of(key, marks)).into()),
    }
}

/// The text of a key of an object; `None` if it is unknown.
pub(crate) fn key_text(key: &Value, span: Span) -> Result<Option<Arc<str>>, Stop> {
    match &key.kind {
        Kind::Unknown => Ok(None),
        Kind::Null => Err(wording::null_key(span).into()),
        _ => {
            let text = plain_text(key);
            let text = text.ok_or_else(|| wrong_key(span, &Shown::of(key, &key.marks)))?;
            Ok(Some(text.unmarked().shared().ok_or_else(|| key_not_text(span))?))
        }
    }
}

/// The key of an object is a position.
fn position_in_object(span: Span, names: &[String]) -> Diagnostic {
    let message = "the key of an object must be a string, found a number";
    let diagnostic = Diagnostic::error(Code::WrongValueKind, span, message);
    match names {
        [] => diagnostic,
        names => diagnostic.help(format!("use one of its keys: {}", names.join(", "))),
    }
}

/// A part of null.
fn of_null(span: Span) -> Diagnostic {
    Diagnostic::error(Code::NullValue, span, "null has no parts")
        .note("the value before this step is null")
        .help("compare it with `null` first, or give a default with `try`")
}

/// A part of a value that has none.
fn no_parts(span: Span, value: &Shown) -> Diagnostic {
    let message = format!("expected a list or an object, found {value}");
    Diagnostic::error(Code::WrongValueKind, span, message)
        .help("remove the step, or take it from another value")
}

/// An object has no field of that name, but perhaps one of a similar name.
fn unknown_field(
    span: Span,
    name: &Shown,
    similar: Option<&Shown>,
    names: &[String],
) -> Diagnostic {
    let message = format!("the object has no value named {}", name.or("like this"));
    let diagnostic = Diagnostic::error(Code::MissingPart, span, message);
    match similar {
        Some(similar) => diagnostic.help(format!("a value named {} exists", similar.or("so"))),
        None if !names.is_empty() => diagnostic
            .help(format!("its keys are {}; `lookup` and `try` give a default", names.join(", "))),
        None => diagnostic.help("`lookup` and `try` give a default where a name may be missing"),
    }
}

/// A list has no element at that position.
fn no_element(span: Span, length: usize, key: &Shown) -> Diagnostic {
    let element = match (key.noun(), key.or("")) {
        ("a number", number) if !number.is_empty() => format!("element `[{number}]`"),
        _ => String::from("such element"),
    };
    let message = match length {
        0 => format!("there is no {element}: the list is empty"),
        1 => format!("there is no {element}: the list has one element"),
        _ => format!("there is no {element}: the list has {length} elements"),
    };
    Diagnostic::error(Code::MissingPart, span, message)
        .help("`try` gives a default where a position may be missing")
}

/// The key of a list is not a number.
fn not_a_position(span: Span, key: &Shown) -> Diagnostic {
    let message = format!("the position in a list must be a number, found {key}");
    Diagnostic::error(Code::WrongValueKind, span, message)
}

/// The key of an object is not a string.
fn wrong_key(span: Span, key: &Shown) -> Diagnostic {
    let message = format!("the key of an object must be a string, found {key}");
    Diagnostic::error(Code::WrongValueKind, span, message)
}

/// A key is not UTF-8.
fn key_not_text(span: Span) -> Diagnostic {
    let message = "the key of an object must be text, found a string that is not UTF-8";
    Diagnostic::error(Code::WrongValueKind, span, message)
}
