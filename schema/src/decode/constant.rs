//! Constants and defaults, checked against their types.

use pcl_diagnostics::{Diagnostic, Span};

use super::{Decoder, Path};
use crate::json::Scalar;
use crate::{Constant, Primitive, Reference, TypeKind, TypeSpec, diagnostic};

impl Decoder<'_> {
    /// A default: checked against the type, the element type of an enumeration, or the members of a
    /// union.
    pub(super) fn default(
        &mut self,
        value: Scalar<'_>,
        kind: &TypeKind,
        path: Path<'_>,
    ) -> Option<Constant> {
        let primitive = match kind {
            TypeKind::Primitive(primitive) => *primitive,
            TypeKind::Reference(Reference::Type(id)) => match self.package.type_word(*id) {
                Some(primitive) => primitive,
                None => return self.no_constant(kind, path),
            },
            TypeKind::Reference(Reference::Dangling { underlying: Some(primitive), .. }) => {
                *primitive
            }
            TypeKind::Union(union) => {
                let fits = |primitive: &Primitive| convert(&value, *primitive).is_some();
                let of_element = |element: &TypeSpec| match &element.kind {
                    TypeKind::Primitive(primitive) => Some(*primitive),
                    TypeKind::Reference(Reference::Type(id)) => self.package.type_word(*id),
                    _ => None,
                };
                match union
                    .default
                    .or_else(|| union.elements.iter().filter_map(of_element).find(fits))
                {
                    Some(primitive) => primitive,
                    None => return self.no_constant(kind, path),
                }
            }
            // Whether another package's type is an enumeration is known only when that is loaded.
            TypeKind::Reference(Reference::External(_)) | TypeKind::Invalid => {
                return any_constant(value);
            }
            other => return self.no_constant(other, path),
        };
        self.constant(value, primitive, path)
    }

    pub(super) fn constant(
        &mut self,
        value: Scalar<'_>,
        primitive: Primitive,
        path: Path<'_>,
    ) -> Option<Constant> {
        let constant = convert(&value, primitive);
        if constant.is_none() {
            self.report(path, |at| wrong_type(at, primitive));
        }
        constant
    }

    pub(super) fn no_constant(&mut self, kind: &TypeKind, path: Path<'_>) -> Option<Constant> {
        if !matches!(kind, TypeKind::Invalid) {
            self.report(path, no_constants);
        }
        None
    }
}

/// A constant of that type, if the value is one.
fn convert(value: &Scalar<'_>, primitive: Primitive) -> Option<Constant> {
    let fits_integer = |number: f64| {
        number.fract() == 0.0 && number >= f64::from(i32::MIN) && number <= f64::from(i32::MAX)
    };
    match (value, primitive) {
        (Scalar::Boolean(value), Primitive::Boolean) => Some(Constant::Boolean(*value)),
        (Scalar::Number(value), Primitive::Number) => Some(Constant::Number(*value)),
        (Scalar::Number(value), Primitive::Integer) if fits_integer(*value) => {
            Some(Constant::Number(*value))
        }
        (Scalar::String(value), Primitive::String) => Some(Constant::String((**value).into())),
        _ => None,
    }
}

/// A constant of any type.
fn any_constant(value: Scalar<'_>) -> Option<Constant> {
    let primitives = [Primitive::Boolean, Primitive::Number, Primitive::String];
    primitives.into_iter().find_map(|primitive| convert(&value, primitive))
}

/// A value is not of its type.
fn wrong_type(at: Span, expected: Primitive) -> Diagnostic {
    diagnostic::bad_constant(
        at,
        format!("the value does not have the type `{}`", expected.as_str()),
    )
}

/// A type without constants has one.
fn no_constants(at: Span) -> Diagnostic {
    diagnostic::bad_constant(
        at,
        "only booleans, integers, numbers, strings and their enumerations \
         can have a constant or default",
    )
}
