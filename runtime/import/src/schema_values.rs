//! The values that a schema says: constants, and the simplest ones of types, in the place of
//! required values that are not there.

use std::sync::Arc;

use pcl_schema::{Constant, Package, Primitive, TypeKind, TypeSpec};
use pcl_state::json::{Kind, Value};

use crate::block::Expr;
use crate::importer::Importer;
use crate::schemas::Resolved;

/// The levels of required objects in required objects that are filled with empty values.
const MAX_EMPTY: usize = 8;

impl Importer<'_, '_> {
    /// The simplest value of a type, in the place of a required one that is not there.
    pub fn empty(&mut self, package: &Arc<Package>, spec: &TypeSpec, depth: usize) -> Expr {
        let of_primitive = |primitive| match primitive {
            Primitive::Boolean => Expr::Bool(false),
            Primitive::Integer | Primitive::Number => Expr::Number(0.0),
            Primitive::String => Expr::Text(String::new()),
        };
        match self.schemas.resolve(package, spec) {
            Resolved::Spec(spec) => match &spec.kind {
                TypeKind::Primitive(primitive) => of_primitive(*primitive),
                TypeKind::Json => Expr::Text("{}".to_owned()),
                TypeKind::Array(_) => Expr::List(Vec::new()),
                TypeKind::Map(_) => Expr::Map(Vec::new()),
                TypeKind::Any => Expr::Map(Vec::new()),
                TypeKind::Union(union) => match (union.default, union.elements.first()) {
                    (Some(primitive), _) => of_primitive(primitive),
                    (None, Some(first)) if depth < MAX_EMPTY => {
                        self.empty(package, first, depth + 1)
                    }
                    _ => Expr::Null,
                },
                TypeKind::Asset => Expr::Call("stringAsset", vec![Expr::Text(String::new())]),
                TypeKind::Archive => Expr::Call("assetArchive", vec![Expr::Map(Vec::new())]),
                TypeKind::Reference(_) | TypeKind::Invalid => Expr::Null,
            },
            Resolved::Object(object) if depth < MAX_EMPTY => {
                let Some(properties) = object.properties() else { return Expr::Null };
                let required = properties.iter().filter(|(_, spec)| spec.required);
                let fields = required.map(|(name, spec)| {
                    let value = match &spec.constant {
                        Some(constant) => of_constant(constant),
                        None => self.empty(&object.package, &spec.ty, depth + 1),
                    };
                    (name.to_owned(), value)
                });
                Expr::Object(fields.collect())
            }
            Resolved::Enum(Some(primitive)) => of_primitive(primitive),
            Resolved::Resource => {
                let text = "the state does not say which resource this is";
                Expr::Call("notImplemented", vec![Expr::Text(text.to_owned())])
            }
            Resolved::Object(_) | Resolved::Enum(None) | Resolved::Unknown => Expr::Null,
        }
    }
}

/// Returns true if a value is this constant.
pub(crate) fn is_constant(value: Value<'_>, constant: &Constant) -> bool {
    match (constant, value.kind()) {
        (Constant::Boolean(expected), Kind::Bool) => value.boolean() == Some(*expected),
        (Constant::Number(expected), Kind::Number) => value.number() == Some(*expected),
        (Constant::String(expected), Kind::String) => {
            value.string().is_some_and(|text| *text == **expected)
        }
        _ => false,
    }
}

/// The expression of a constant.
pub(crate) fn of_constant(constant: &Constant) -> Expr {
    match constant {
        Constant::Boolean(value) => Expr::Bool(*value),
        Constant::Number(value) => Expr::Number(*value),
        Constant::String(text) => Expr::Text(text.to_string()),
    }
}
