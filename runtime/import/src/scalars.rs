//! Values without parts, as the schema expects them; and assets, which stand for files.

use pcl_diagnostics::{Diagnostic, Span};
use pcl_schema::Primitive;
use pcl_state::json::Value;
use pcl_state::value::{Content, Property};

use crate::block::{Expr, Reference};
use crate::importer::{Importer, inexact};
use crate::inputs::{LeftOut, Written};
use crate::place::Place;
use crate::references::User;

impl<'s> Importer<'s, '_> {
    pub fn number(&mut self, place: &Place<'_>, value: Value<'_>, number: f64) -> Written {
        if number.is_finite() {
            Ok(Some(Expr::Number(number)))
        } else {
            Err(self.unspeakable(place, value, "the number is not finite"))
        }
    }

    /// A string, or a reference to the place that it comes from.
    pub fn text(&mut self, place: &Place<'_>, text: &str) -> Expr {
        let names: Vec<&str> = place.names().collect();
        let user = User {
            at: place.at,
            resource: place.resource,
            property: names.first().copied().unwrap_or_default(),
            key: names.last().copied().unwrap_or_default(),
            urns: &self.urns,
        };
        // What a secret contains does not come from anywhere.
        let source = match place.span {
            None => self.sources.find(text, &user),
            Some(_) => None,
        };
        match source {
            Some(source) => Expr::Reference(Reference::Output(source.resource, source.property)),
            None => Expr::Text(text.to_owned()),
        }
    }

    pub fn scalar(
        &mut self,
        place: &mut Place<'s>,
        primitive: Primitive,
        value: Value<'_>,
        property: Property<'_>,
    ) -> Written {
        let expected = match primitive {
            Primitive::Boolean => "a truth value",
            Primitive::Integer => "a whole number",
            Primitive::Number => "a number",
            Primitive::String => "a string",
        };
        let converted = match (primitive, property) {
            (Primitive::Boolean, Property::Bool(value)) => return Ok(Some(Expr::Bool(value))),
            (Primitive::Integer, Property::Number(number)) if number.fract() != 0.0 => None,
            (Primitive::Integer | Primitive::Number, Property::Number(number)) => {
                return self.number(place, value, number);
            }
            (Primitive::String, Property::String(text)) => {
                return Ok(Some(self.text(place, &text)));
            }
            (Primitive::String, Property::Bytes(bytes)) => return Ok(Some(of_bytes(&bytes))),
            (Primitive::String, Property::Bool(value)) => Some(Expr::Bool(value)),
            (Primitive::String, Property::Number(number)) if number.is_finite() => {
                Some(Expr::Number(number))
            }
            (Primitive::Boolean, Property::String(text)) => match &*text {
                "true" => Some(Expr::Bool(true)),
                "false" => Some(Expr::Bool(false)),
                _ => None,
            },
            (Primitive::Integer | Primitive::Number, Property::String(text)) => {
                let is_whole =
                    |number: &f64| number.fract() == 0.0 || primitive == Primitive::Number;
                let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
                let number = number.filter(is_whole);
                number.map(Expr::Number)
            }
            _ => None,
        };
        match converted {
            Some(expr) => {
                self.about(place, value, |span| value_converted(span, place, expected));
                Ok(Some(expr))
            }
            None => Err(self.misfit(place, value, expected)),
        }
    }

    /// An asset or archive. `file` is the function for a path in its place.
    pub fn asset(
        &mut self,
        place: &mut Place<'s>,
        value: Value<'_>,
        property: Property<'_>,
        expected: &str,
        file: &'static str,
    ) -> Written {
        let text = |text: &str| vec![Expr::Text(text.to_owned())];
        let (content, names) = match property {
            Property::Asset(content) => (content, ["fileAsset", "remoteAsset"]),
            Property::Archive(content) => (content, ["fileArchive", "remoteArchive"]),
            Property::String(path) => {
                self.about(place, value, |span| value_converted(span, place, expected));
                return Ok(Some(Expr::Call(file, text(&path))));
            }
            _ => return Err(self.misfit(place, value, expected)),
        };
        let [of_file, of_uri] = names;
        Ok(Some(match content {
            Content::Text(content) => Expr::Call("stringAsset", text(&content)),
            Content::Path(path) => Expr::Call(of_file, text(&path)),
            Content::Uri(uri) => Expr::Call(of_uri, text(&uri)),
            Content::Members(members) => {
                let count = members.entries().count();
                let members = self.map(place, members, |importer, place, member| {
                    let property = Property::read(member).map_err(|_| LeftOut)?;
                    importer.asset(place, member, property, "an asset", "fileAsset")
                });
                if members.len() == count {
                    Expr::Call("assetArchive", vec![Expr::Map(members)])
                } else {
                    return Err(LeftOut);
                }
            }
            Content::Absent => {
                return Err(self.unspeakable(place, value, "the state has only its hash"));
            }
        }))
    }
}

/// A string that is not UTF-8.
pub(crate) fn of_bytes(bytes: &[u8]) -> Expr {
    use base64::Engine as _;
    let digits = base64::engine::general_purpose::STANDARD.encode(bytes);
    Expr::Call("fromBase64", vec![Expr::Text(digits)])
}

/// A value is of another kind than the schema says, and is converted.
fn value_converted(at: Span, place: &Place<'_>, expected: &str) -> Diagnostic {
    let reason = format!("the schema expects {expected}, so the value is converted");
    inexact(at, place, &reason).help("check the value against the documentation of the resource")
}
