//! Variables, and the parts of values that indices and steps lead to.
//!
//! The rules, with examples: `tests/spec/run/expression.md`.

use std::borrow::Cow;
use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_model::expression::{ExprId, Steps, Traversal};
use pcl_model::relations::Key;
use pcl_model::scope::{DefinitionId, DefinitionKind};
use pcl_model::value::Constant;

use super::access::{self, Part};
use super::evaluate::Evaluator;
use crate::shown::Shown;
use crate::stop::Stop;
use crate::value::{Kind, Marks, Object, Resource, Value};
use crate::wording;

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
            Kind::Unknown => Ok(Part::Unknown),
            Kind::List(list) => access::element(list.elements(), key, &marks, key_span),
            Kind::Object(object) => access::entry(object, key, &marks, key_span),
            Kind::Resource(resource) => {
                let fields = self.run().fields(resource, span)?;
                self.of_resource(access::entry(fields, key, &marks, key_span))
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
            self.walk(&root, id, traversal.steps)
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

    pub(super) fn steps(
        &mut self,
        source: &Value,
        id: ExprId,
        steps: Steps,
    ) -> Result<Value, Stop> {
        self.walk(source, id, steps)
    }

    /// The part of a value that fixed steps lead to.
    fn walk(&self, start: &Value, id: ExprId, steps: Steps) -> Result<Value, Stop> {
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
                Kind::Unknown => Ok(Part::Unknown),
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
                        access::element(list.elements(), &name.into(), &marks, span)
                    }
                    Key::Constant(constant) => {
                        let key = self.literal(id, constant)?;
                        access::element(list.elements(), &key, &marks, span)
                    }
                    Key::Unknown(_) => Ok(Part::Unknown),
                },
                _ => Err(no_parts(span, &Shown::of(current, &marks)).into()),
            };
            let part = part.map_err(|stop| stop.unless_shown(&marks))?;
            match part {
                Part::Known(value) => current = value,
                Part::Unknown => return Ok(Value::unknown(marks)),
            }
        }
        part_value(Part::Known(current), marks)
    }

    /// A part of a resource. Without an engine, one that is missing is unknown: a provider may give
    /// it.
    fn of_resource<'v>(&self, part: Result<Part<'v>, Stop>) -> Result<Part<'v>, Stop> {
        let is_missing = |stop: &Stop| match stop {
            Stop::Failed(errors) => errors.iter().all(|error| error.code == Code::MissingPart),
            _ => false,
        };
        match part {
            Err(stop) if self.run().settings.is_offline && is_missing(&stop) => Ok(Part::Unknown),
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
                access::field(object, name, marks, span)
            }
            Key::Constant(Constant::String(name)) => access::field(object, name, marks, span),
            Key::Constant(_) => Err(position_in_object(span).into()),
            Key::Unknown(_) => Ok(Part::Unknown),
        }
    }
}

/// The part with the marks of what leads to it.
fn part_value(part: Part<'_>, marks: Marks) -> Result<Value, Stop> {
    match part {
        Part::Unknown => Ok(Value::unknown(marks)),
        Part::Known(value) => match &value.kind {
            Kind::Poisoned(name) => Err(Stop::Poisoned(Arc::clone(name))),
            _ => Ok(value.clone().marked(&marks)),
        },
    }
}

/// The key of an object is a position.
fn position_in_object(span: Span) -> Diagnostic {
    let message = "the key of an object must be a string, found a number";
    Diagnostic::error(Code::WrongValueKind, span, message)
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
}
