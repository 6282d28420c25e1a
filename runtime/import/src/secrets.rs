//! Secrets: configuration variables that the user sets.
//!
//! The rules, with examples: `tests/spec/import/secrets.md`.

use std::sync::Arc;

use pcl_diagnostics::Span;
use pcl_schema::{Package, Primitive, Properties, TypeKind, TypeSpec};
use pcl_state::json::{Kind, Value};
use pcl_state::value::{Property, Secret};
use pcl_syntax::capitalized;

use crate::block::{Config, Expr, Reference};
use crate::importer::{Importer, added};
use crate::inputs::{MAX_DEPTH, Written};
use crate::place::{Place, Step};
use crate::schemas::Resolved;

/// The levels of a type that are looked at for parts that take no outputs.
const MAX_PLAIN: usize = 3;

impl<'s> Importer<'s, '_> {
    /// The variable in the place of a secret.
    pub fn secret(
        &mut self,
        place: &mut Place<'s>,
        package: &Arc<Package>,
        spec: &TypeSpec,
        value: Value<'_>,
        secret: &Secret<'_>,
    ) -> Written {
        // The content of a secret that is shown.
        if place.span.is_some()
            && let Some(opened) = self.keys.and_then(|keys| secret.unmarked(keys))
        {
            return self.value(place, package, spec, opened.root());
        }
        // Its form may be looked at, its content is not shown.
        let plain = secret.unmarked(&pcl_state::Keys::default());
        let shown = match self.keys {
            Some(keys) => secret.unmarked(keys),
            None => None,
        };
        let opened = shown.as_ref().or(plain.as_ref());
        let is_null = opened.is_some_and(|tree| tree.root().is_null());
        if is_null {
            return Ok(Some(Expr::Call("secret", vec![Expr::Null])));
        }
        let kind = opened.map(|tree| tree.root().kind());
        let special = opened.is_some_and(|tree| {
            let property = Property::read(tree.root());
            !matches!(
                property,
                Ok(Property::Bool(_)
                    | Property::Number(_)
                    | Property::String(_)
                    | Property::List(_)
                    | Property::Object(_))
            )
        });
        let (type_text, is_content) = self.config_type(package, spec, kind);
        if special || is_content || self.has_plain(package, spec, 0) {
            let what = "a secret of this kind cannot be a configuration variable";
            return Err(self.unspeakable(place, value, what));
        }
        if let Some(tree) = opened {
            self.added_values(place, package, spec, tree.root(), self.span(value));
        }
        let default = match &shown {
            Some(tree) => {
                let outer = place.span.replace(self.span(value));
                let default = self.value(place, package, spec, tree.root());
                place.span = outer;
                default.ok().flatten()
            }
            None => None,
        };
        let label = self.labels.get(place.at).cloned().unwrap_or_default();
        let steps = place.path.iter().map(|step| match step {
            Step::Name(name) => capitalized(name),
            Step::Index(index) => index.to_string(),
            Step::Secret => String::new(),
        });
        let name = format!("{label}{}", steps.collect::<String>());
        let name = self.names.give(&name.replace('-', "_"), "Secret");
        self.configs.push(Config {
            name,
            type_text,
            default,
            urn: place.urn.clone(),
            path: place.text(),
        });
        Ok(Some(Expr::Reference(Reference::Config(self.configs.len() - 1))))
    }

    /// Reports the constants and defaults that a run adds to the content of a secret.
    fn added_values(
        &mut self,
        place: &mut Place<'s>,
        package: &Arc<Package>,
        spec: &TypeSpec,
        value: Value<'_>,
        span: Span,
    ) {
        if place.path.len() > MAX_DEPTH {
            return;
        }
        let property = match Property::read(value) {
            // Secrets in a secret have plain text.
            Ok(Property::Secret(inner)) => {
                if let Some(inner) = inner.unmarked(&pcl_state::Keys::default()) {
                    self.added_values(place, package, spec, inner.root(), span);
                }
                return;
            }
            Ok(property) => property,
            Err(_) => return,
        };
        match (self.schemas.resolve(package, spec), property) {
            (Resolved::Spec(spec), property) => match (&spec.kind, property) {
                (TypeKind::Array(item), Property::List(list)) => {
                    for (index, element) in list.elements().enumerate() {
                        place.path.push(Step::Index(index));
                        self.added_values(place, package, item, element, span);
                        place.path.pop();
                    }
                }
                (TypeKind::Map(item), Property::Object(object)) => {
                    for (key, element) in object.entries() {
                        place.path.push(Step::of(key));
                        self.added_values(place, package, item, element, span);
                        place.path.pop();
                    }
                }
                (TypeKind::Union(union), _) => {
                    let mut steps = 0;
                    if let Some(member) = self.member(package, union, value, &mut steps) {
                        self.added_values(place, package, member, value, span);
                    }
                }
                _ => {}
            },
            (Resolved::Object(object), Property::Object(fields)) => {
                for (name, spec) in object.properties().into_iter().flat_map(Properties::iter) {
                    place.path.push(Step::Name(name.to_owned()));
                    match fields.get(name) {
                        Some(field) => {
                            self.added_values(place, &object.package, &spec.ty, field, span);
                        }
                        None if spec.default.is_some()
                            || place.fills_constants && spec.constant.is_some() =>
                        {
                            self.diagnostics.push(added(span, place, spec));
                        }
                        None => {}
                    }
                    place.path.pop();
                }
            }
            _ => {}
        }
    }

    /// Returns true if a type, or a part of it, takes no outputs, which secrets are.
    fn has_plain(&mut self, package: &Arc<Package>, spec: &TypeSpec, depth: usize) -> bool {
        if spec.plain || depth > MAX_PLAIN {
            return spec.plain;
        }
        match self.schemas.resolve(package, spec) {
            Resolved::Spec(spec) => match &spec.kind {
                TypeKind::Array(item) | TypeKind::Map(item) => {
                    self.has_plain(package, item, depth + 1)
                }
                _ => false,
            },
            Resolved::Object(object) => object.properties().is_some_and(|properties| {
                let mut specs = properties.iter();
                specs.any(|(_, it)| self.has_plain(&object.package, &it.ty, depth + 1))
            }),
            Resolved::Enum(_) | Resolved::Resource | Resolved::Unknown => false,
        }
    }

    /// The type of the variable for a secret of a type, and whether it holds an asset or a
    /// resource, which no variable can. `kind` is that of the value, if it is known.
    fn config_type(
        &mut self,
        package: &Arc<Package>,
        spec: &TypeSpec,
        kind: Option<Kind>,
    ) -> (&'static str, bool) {
        let fits = |expected: Kind| kind.is_none_or(|kind| kind == expected);
        let scalar = |primitive: Primitive| match primitive {
            Primitive::Boolean if fits(Kind::Bool) => "bool",
            Primitive::Integer if fits(Kind::Number) => "int",
            Primitive::Number if fits(Kind::Number) => "number",
            Primitive::String if fits(Kind::String) => "string",
            _ => "any",
        };
        let text = match self.schemas.resolve(package, spec) {
            Resolved::Spec(spec) => match &spec.kind {
                TypeKind::Primitive(primitive) => scalar(*primitive),
                TypeKind::Asset | TypeKind::Archive => return ("any", true),
                TypeKind::Json if fits(Kind::String) => "string",
                TypeKind::Array(item) if fits(Kind::List) => match &item.kind {
                    TypeKind::Primitive(Primitive::String) => "list(string)",
                    TypeKind::Primitive(Primitive::Number) => "list(number)",
                    TypeKind::Primitive(Primitive::Integer) => "list(int)",
                    TypeKind::Primitive(Primitive::Boolean) => "list(bool)",
                    _ => "any",
                },
                TypeKind::Map(item) if fits(Kind::Object) => match &item.kind {
                    TypeKind::Primitive(Primitive::String) => "map(string)",
                    _ => "any",
                },
                _ if kind == Some(Kind::String) => "string",
                _ => "any",
            },
            Resolved::Enum(Some(primitive)) => scalar(primitive),
            Resolved::Resource => return ("any", true),
            Resolved::Unknown | Resolved::Enum(None) if kind == Some(Kind::String) => "string",
            _ => "any",
        };
        (text, false)
    }
}
