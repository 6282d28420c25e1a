//! Types as short text, for messages and comments.

use super::Document;
use super::index::TypeIndex;
use super::types::{Object, Type};

/// The depth up to which parts are shown.
const MOST: usize = 16;

/// The text after which parts are left out, in bytes. Types share parts, and the text of each can
/// be twice that of its part.
const LONGEST: usize = 16 << 10;

impl Document {
    /// A type on one line: `list(string)?`. Object types of a schema are shown by their token. What
    /// is nested more than 16 deep or comes after 16 KiB of text is shown as `...`.
    #[must_use]
    pub fn type_text(&self, ty: TypeIndex) -> String {
        let mut text = String::new();
        self.write_type(ty, MOST, &mut text);
        text
    }

    fn write_type(&self, ty: TypeIndex, most: usize, out: &mut String) {
        let Some(most) = most.checked_sub(1).filter(|_| out.len() < LONGEST) else {
            return out.push_str("...");
        };
        let mut wrap = |name: &str, element: TypeIndex| {
            out.push_str(name);
            out.push('(');
            self.write_type(element, most, out);
            out.push(')');
        };
        match self.ty(ty) {
            Type::None => out.push_str("none"),
            Type::Bool => out.push_str("bool"),
            Type::Int => out.push_str("int"),
            Type::Number => out.push_str("number"),
            Type::String => out.push_str("string"),
            Type::Id => out.push_str("id"),
            Type::Dynamic => out.push_str("dynamic"),
            Type::Error => out.push_str("error"),
            Type::Asset => out.push_str("Asset"),
            Type::Archive => out.push_str("Archive"),
            Type::Property => out.push_str("Property"),
            Type::Opaque { name } => out.push_str(name),
            Type::Const { value, .. } => out.push_str(&value.to_string()),
            Type::Enum(enumeration) => out.push_str(&enumeration.token),
            Type::List { element } => wrap("list", *element),
            Type::Set { element } => wrap("set", *element),
            Type::Map { element } => wrap("map", *element),
            Type::Output { element } => wrap("output", *element),
            Type::Promise { element } => wrap("promise", *element),
            Type::Tuple { elements } => {
                out.push('(');
                self.write_types(elements.iter().copied(), ", ", most, out);
                out.push(')');
            }
            Type::Union(_) => {
                let is_none = |ty: &TypeIndex| matches!(self.ty(*ty), Type::None);
                let members = self.members(ty);
                let shown = members.iter().copied().filter(|ty| !is_none(ty));
                self.write_types(shown, " | ", most, out);
                if members.iter().any(is_none) {
                    out.push('?');
                }
            }
            Type::Object(object) => self.write_object(ty, object, most, out),
        }
    }

    fn write_types(
        &self,
        types: impl Iterator<Item = TypeIndex>,
        between: &str,
        most: usize,
        out: &mut String,
    ) {
        for (at, ty) in types.enumerate() {
            if at > 0 {
                out.push_str(between);
            }
            self.write_type(ty, most, out);
            if out.len() >= LONGEST {
                break;
            }
        }
    }

    fn write_object(&self, ty: TypeIndex, object: &Object, most: usize, out: &mut String) {
        if let Some(schema) = object.schema {
            return out.push_str(&self.member(schema.member).token);
        }
        out.push('{');
        let properties = self.properties(ty);
        for (at, property) in properties.iter().enumerate() {
            out.push_str(if at > 0 { ", " } else { " " });
            out.push_str(&property.name);
            out.push_str(": ");
            self.write_type(property.ty, most, out);
            if out.len() >= LONGEST {
                break;
            }
        }
        out.push_str(if properties.is_empty() { "}" } else { " }" });
    }
}
