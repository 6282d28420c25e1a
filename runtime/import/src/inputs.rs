//! Inputs as expressions, by the schema.
//!
//! The rules, with examples: `tests/spec/import/inputs.md`.

use std::borrow::Cow;
use std::sync::Arc;

use pcl_diagnostics::{Diagnostic, Span};
use pcl_schema::{MemberId, Package, Primitive, Properties, PropertySpec, TypeKind, TypeSpec};
use pcl_state::json::{Key, Value};
use pcl_state::value::Property;

use crate::block::{Expr, Reference};
use crate::importer::{Importer, added, inexact};
use crate::place::{Place, Step};
use crate::scalars::of_bytes;
use crate::schema_values::{is_constant, of_constant};
use crate::schemas::Resolved;

/// The properties that providers keep in states for themselves.
pub(crate) const INTERNAL: [&str; 2] = ["__defaults", "__meta"];

/// The deepest value that is written: programs nest at most 256 levels, and a level of a value may
/// take two of them.
pub(crate) const MAX_DEPTH: usize = 100;

/// A value that is not written, which was reported.
pub(crate) struct LeftOut;

/// The expression of a value; none for one that is unknown.
pub(crate) type Written = Result<Option<Expr>, LeftOut>;

impl<'s> Importer<'s, '_> {
    /// Reports something about a value.
    pub fn about(
        &mut self,
        place: &Place<'_>,
        value: Value<'_>,
        diagnostic: impl FnOnce(Span) -> Diagnostic,
    ) {
        let span = place.span.unwrap_or_else(|| self.span(value));
        let diagnostic = diagnostic(span);
        self.diagnostics.push(diagnostic);
    }

    pub fn misfit(&mut self, place: &Place<'_>, value: Value<'_>, expected: &str) -> LeftOut {
        self.about(place, value, |span| misfit(span, place, expected));
        LeftOut
    }

    pub fn unspeakable(&mut self, place: &Place<'_>, value: Value<'_>, what: &str) -> LeftOut {
        self.about(place, value, |span| unspeakable(span, place, what));
        LeftOut
    }

    /// The properties of an object by its schema, in the order of their names.
    pub fn properties(
        &mut self,
        place: &mut Place<'s>,
        package: &Arc<Package>,
        member: MemberId,
        properties: &Properties,
        object: Value<'_>,
    ) -> Vec<(String, Expr)> {
        let mut written = Vec::new();
        for (name, spec) in properties.iter() {
            place.path.push(Step::Name(name.to_owned()));
            let value = object.get(name);
            if let Some(value) = self.property(place, package, member, name, spec, value, object) {
                written.push((name.to_owned(), value));
            }
            place.path.pop();
        }
        for (key, value) in object.entries() {
            let name = key.text();
            if properties.contains_key(&name) || INTERNAL.contains(&&*name) || value.is_null() {
                continue;
            }
            // Providers have these from Pulumi itself.
            if place.path.is_empty()
                && ["version", "pluginDownloadURL", "__internal"].contains(&&*name)
                && place.resource.is_provider()
            {
                continue;
            }
            place.path.push(Step::of(key));
            self.about(place, value, |span| not_an_input(span, place));
            place.path.pop();
        }
        written
    }

    /// A property of an object; none for one that the program leaves out.
    #[expect(clippy::too_many_arguments, reason = "all of them say where the property is")]
    fn property(
        &mut self,
        place: &mut Place<'s>,
        package: &Arc<Package>,
        member: MemberId,
        name: &str,
        spec: &PropertySpec,
        value: Option<Value<'_>>,
        object: Value<'_>,
    ) -> Option<Expr> {
        let default = self.schemas.default(package, member, name, spec);
        let is_filled = place.fills_constants && spec.constant.is_some() && !spec.required;
        let written = match value {
            Some(value) if !value.is_null() => {
                let is_default = default.is_some_and(|default| is_constant(value, default));
                if is_default && !spec.required && !spec.secret {
                    return None;
                }
                self.value(place, package, &spec.ty, value).ok().flatten()
            }
            // A value that is not there would be the default.
            Some(_) if spec.default.is_some() && spec.constant.is_none() => Some(Expr::Null),
            _ => None,
        };
        if written.is_some() {
            return written;
        }
        if spec.required {
            if value.is_none_or(Value::is_null) {
                self.about(place, object, |span| required(span, place));
            }
            return Some(match &spec.constant {
                Some(constant) => of_constant(constant),
                None => self.empty(package, &spec.ty, 0),
            });
        }
        if is_filled || default.is_some() {
            let at = value.unwrap_or(object);
            self.about(place, at, |span| added(span, place, spec));
        }
        None
    }

    /// The expression of a value of a type.
    pub fn value(
        &mut self,
        place: &mut Place<'s>,
        package: &Arc<Package>,
        spec: &TypeSpec,
        value: Value<'_>,
    ) -> Written {
        if place.path.len() > MAX_DEPTH {
            return Err(self.unspeakable(place, value, "it nests too deeply for a program"));
        }
        let Ok(property) = Property::read(value) else {
            return Err(self.unspeakable(place, value, "the value is malformed"));
        };
        match &property {
            Property::Unknown => return Ok(None),
            // A type that has no null refuses a plain one.
            Property::Null if !matches!(spec.kind, TypeKind::Any | TypeKind::Json) => {
                return Ok(Some(Expr::Call("singleOrNone", vec![Expr::List(Vec::new())])));
            }
            Property::Null => return Ok(Some(Expr::Null)),
            Property::Secret(secret) => return self.secret(place, package, spec, value, secret),
            Property::Resource { urn, .. } => {
                let target = self.place_of(urn).filter(|target| *target < place.at);
                return match target {
                    Some(target) => Ok(Some(Expr::Reference(Reference::Resource(target)))),
                    None => {
                        let what = "it refers to a resource that is not in the program";
                        Err(self.unspeakable(place, value, what))
                    }
                };
            }
            _ => {}
        }
        // What takes no outputs takes no references.
        if let (true, Property::String(text)) = (spec.plain, &property)
            && let TypeKind::Primitive(Primitive::String) = &spec.kind
        {
            return Ok(Some(Expr::Text(text.clone().into_owned())));
        }
        self.plain_value(place, package, spec, value, property)
    }

    /// The expression of a value that is neither null, secret nor a reference to a resource.
    fn plain_value(
        &mut self,
        place: &mut Place<'s>,
        package: &Arc<Package>,
        spec: &TypeSpec,
        value: Value<'_>,
        property: Property<'_>,
    ) -> Written {
        match self.schemas.resolve(package, spec) {
            Resolved::Spec(spec) => match &spec.kind {
                TypeKind::Primitive(primitive) => self.scalar(place, *primitive, value, property),
                TypeKind::Asset => self.asset(place, value, property, "an asset", "fileAsset"),
                TypeKind::Archive => {
                    self.asset(place, value, property, "an archive", "fileArchive")
                }
                TypeKind::Array(item) => match property {
                    Property::List(list) => self.list(place, list, |importer, place, element| {
                        importer.value(place, package, item, element)
                    }),
                    _ => Err(self.misfit(place, value, "a list")),
                },
                TypeKind::Map(item) => match property {
                    Property::Object(object) => {
                        let entries = self.map(place, object, |importer, place, element| {
                            importer.value(place, package, item, element)
                        });
                        Ok(Some(Expr::Map(entries)))
                    }
                    _ => Err(self.misfit(place, value, "a map")),
                },
                TypeKind::Union(union) => {
                    let mut steps = 0;
                    match self.member(package, union, value, &mut steps) {
                        Some(member) => self.value(place, package, member, value),
                        None => self.any(place, value),
                    }
                }
                TypeKind::Any | TypeKind::Json | TypeKind::Reference(_) | TypeKind::Invalid => {
                    self.any(place, value)
                }
            },
            Resolved::Object(object) => match (&property, object.properties()) {
                (Property::Object(fields), Some(properties)) => {
                    let (package, member) = (object.package.clone(), object.member);
                    let fields = self.properties(place, &package, member, properties, *fields);
                    Ok(Some(Expr::Object(fields)))
                }
                _ => Err(self.misfit(place, value, "an object")),
            },
            Resolved::Enum(Some(primitive)) => self.scalar(place, primitive, value, property),
            Resolved::Resource => {
                let target = match &property {
                    Property::String(text) => self.place_of(text),
                    _ => None,
                };
                match target.filter(|target| *target < place.at) {
                    Some(target) => Ok(Some(Expr::Reference(Reference::Resource(target)))),
                    None => Err(self.misfit(place, value, "a resource")),
                }
            }
            Resolved::Enum(None) | Resolved::Unknown => self.any(place, value),
        }
    }

    /// The expression of a value whose type is not known.
    pub fn any(&mut self, place: &mut Place<'s>, value: Value<'_>) -> Written {
        let Ok(property) = Property::read(value) else {
            return Err(self.unspeakable(place, value, "the value is malformed"));
        };
        if place.path.len() > MAX_DEPTH {
            return Err(self.unspeakable(place, value, "it nests too deeply for a program"));
        }
        match property {
            Property::Null => Ok(Some(Expr::Null)),
            Property::Bool(value) => Ok(Some(Expr::Bool(value))),
            Property::Number(number) => self.number(place, value, number),
            Property::String(text) => Ok(Some(self.text(place, &text))),
            Property::Bytes(bytes) => Ok(Some(of_bytes(&bytes))),
            Property::List(list) => self.list(place, list, Self::any),
            Property::Object(object) => {
                let count = object.entries().count();
                let entries = self.map(place, object, Self::any);
                if entries.len() == count { Ok(Some(Expr::Map(entries))) } else { Err(LeftOut) }
            }
            Property::Asset(_) | Property::Archive(_) => {
                self.asset(place, value, property, "an asset", "fileAsset")
            }
            Property::Unknown | Property::Secret(_) | Property::Resource { .. } => {
                // The type says nothing that these would need.
                let any = TypeSpec { kind: TypeKind::Any, plain: false };
                let package = pcl_schema::builtin_package();
                self.value(place, &package, &any, value)
            }
        }
    }

    fn list(
        &mut self,
        place: &mut Place<'s>,
        list: Value<'_>,
        mut item: impl FnMut(&mut Self, &mut Place<'s>, Value<'_>) -> Written,
    ) -> Written {
        let mut parts = Vec::new();
        for (index, element) in list.elements().enumerate() {
            place.path.push(Step::Index(index));
            let part = item(self, place, element);
            let part = match part {
                // The places of the others must not change.
                Ok(None) => Err(self.unspeakable(place, element, "the value is not known")),
                part => part,
            };
            place.path.pop();
            parts.push(part?.unwrap_or(Expr::Null));
        }
        Ok(Some(Expr::List(parts)))
    }

    /// The entries of a map. Those that cannot be written are left out, which was reported.
    pub fn map(
        &mut self,
        place: &mut Place<'s>,
        object: Value<'_>,
        mut item: impl FnMut(&mut Self, &mut Place<'s>, Value<'_>) -> Written,
    ) -> Vec<(String, Expr)> {
        let mut entries: Vec<(Cow<'_, str>, Key<'_>, Value<'_>)> =
            object.entries().map(|(key, value)| (key.text(), key, value)).collect();
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        let mut written = Vec::new();
        for (name, key, value) in entries {
            if INTERNAL.contains(&&*name) {
                continue;
            }
            place.path.push(Step::of(key));
            if let Ok(Some(value)) = item(self, place, value) {
                written.push((name.into_owned(), value));
            }
            place.path.pop();
        }
        written
    }
}

/// The schema has no such input.
fn not_an_input(at: Span, place: &Place<'_>) -> Diagnostic {
    inexact(at, place, "the schema has no such input, so it is left out")
        .help("get the schema in the version that the stack uses, as with `pcl schema add`")
}

/// A required input is not in the state.
fn required(at: Span, place: &Place<'_>) -> Diagnostic {
    inexact(at, place, "it is required and the state has no value, so it is empty")
        .help("write the value that the resource has")
}

/// A value is of another kind than the schema says, and cannot be written.
fn misfit(at: Span, place: &Place<'_>, expected: &str) -> Diagnostic {
    let reason = format!("the schema expects {expected}, so the value is left out");
    inexact(at, place, &reason).help("write a value of this kind")
}

/// A value that no program can spell.
fn unspeakable(at: Span, place: &Place<'_>, what: &str) -> Diagnostic {
    inexact(at, place, &format!("{what}, so it is left out"))
        .help("write the value by hand, or ignore it with `ignoreChanges`")
}
