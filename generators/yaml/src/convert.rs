//! Conversions: PCL makes scalars of one kind of those of another where a place wants it; Pulumi
//! YAML does not.

use std::collections::HashSet;

use pcl::document::{
    Body, Constant, Document, ExpressionIndex, ExpressionKind, NodeIndex, Property, Reference,
    Type, TypeIndex,
};
use pcl::language::Function;
use pcl::model::Number;

use crate::expression::{Said, Speaker};
use crate::limit::Limit;
use crate::yaml::Value;

/// The depth up to which the types of elements are compared.
const MAX_DEPTH: usize = 64;

/// The conversion of a value to the type that its place expects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Conversion {
    /// None.
    Same,
    /// That of a number or bool to a string, which Pulumi YAML has.
    Text,
    /// That of a value of an enumeration of strings to a string: Pulumi YAML finds an enumeration
    /// equal to nothing, not even to itself.
    Member,
    /// Another one.
    Other,
}

/// The kinds of scalars.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scalar {
    Text,
    Number,
    Bool,
}

impl Scalar {
    fn of(ty: &Type) -> Option<Self> {
        Some(match ty {
            Type::String | Type::Id => Self::Text,
            Type::Int | Type::Number => Self::Number,
            Type::Bool => Self::Bool,
            _ => return None,
        })
    }
}

impl Speaker<'_> {
    /// A value that is not written out, as its place expects it.
    pub(crate) fn converted(&self, index: ExpressionIndex, value: Value) -> Said {
        let document = self.document;
        let expression = document.expression(index);
        let Some(expected) = expression.expected.filter(|&expected| expected != expression.ty)
        else {
            return Ok(value);
        };
        // They give back what they are given, which was converted.
        if let ExpressionKind::Call(call) = &expression.kind
            && matches!(call.function(), Some(Function::Secret | Function::Unsecret))
        {
            return Ok(value);
        }
        let mut comparison = Comparison { document, seen: HashSet::new() };
        match comparison.conversion(expression.ty, expected, MAX_DEPTH) {
            Conversion::Same => Ok(value),
            Conversion::Text => Ok(Value::call("fn::toJSON", value)),
            Conversion::Member => {
                let parts = vec![Value::text(""), Value::List(vec![value])];
                Ok(Value::call("fn::join", Value::List(parts)))
            }
            Conversion::Other => {
                let [given, wanted] = [expression.ty, expected].map(|ty| document.type_text(ty));
                let message = format!("Pulumi YAML cannot use {given} as {wanted}");
                self.limit(Limit::Conversion, index, message)
            }
        }
    }

    /// A part of a text as Pulumi YAML has to be given it: in a text, it shows the number `1000000`
    /// as `1e+06`.
    pub(crate) fn part_of_text(&self, index: ExpressionIndex, value: Value) -> Value {
        let document = self.document;
        let expression = document.expression(index);
        let alternatives = document.alternatives(expression.ty);
        let is_number = |&ty: &TypeIndex| Scalar::of(document.ty(ty)) == Some(Scalar::Number);
        let is_small = match &expression.kind {
            ExpressionKind::Call(call) => call.function() == Some(Function::Length),
            ExpressionKind::Traversal(traversal) => match traversal.reference {
                Reference::Node(node) => traversal.steps.is_empty() && self.is_small(node),
                _ => false,
            },
            _ => false,
        };
        match value {
            Value::Path(_) | Value::Call(..) if alternatives.iter().any(is_number) && !is_small => {
                Value::call("fn::toJSON", value)
            }
            value => value,
        }
    }

    /// Returns true if a declaration is a number of few digits that is written out.
    fn is_small(&self, node: NodeIndex) -> bool {
        let Some(Body::Local { value: Some(value) }) = self.module.node(node).map(|it| &it.body)
        else {
            return false;
        };
        let Some(Constant::Number(number)) = self.document.literal(*value) else { return false };
        let text = number.to_string();
        text.len() <= 6 && text.bytes().all(|byte| byte.is_ascii_digit())
    }

    /// A constant as a value of the kind that its place requires.
    pub(crate) fn constant(&self, constant: &Constant, expected: Option<TypeIndex>) -> Value {
        let document = self.document;
        let wanted = expected.map_or_else(Vec::new, |ty| document.alternatives(ty));
        constant_as(constant, |kind| wanted.iter().any(|&ty| document.ty(ty) == kind))
    }
}

/// A constant as a value of one of the kinds that are taken.
pub(crate) fn constant_as(constant: &Constant, takes: impl Fn(&Type) -> bool) -> Value {
    let takes_text = takes(&Type::String) || takes(&Type::Id);
    let takes_number = takes(&Type::Number) || takes(&Type::Int);
    let is_free = takes(&Type::Dynamic);
    match constant {
        Constant::Null => Value::Null,
        Constant::Bool(value) if takes_text && !takes(&Type::Bool) && !is_free => {
            Value::text(&value.to_string())
        }
        Constant::Number(number) if takes_text && !takes_number && !is_free => {
            Value::text(&number.to_string())
        }
        Constant::Bool(value) => Value::Bool(*value),
        Constant::Number(number) => Value::Number(number.to_string()),
        Constant::String(text) if takes_text || is_free => Value::text(text),
        Constant::String(text) => match (text.as_str(), Number::parse(text)) {
            ("true", _) if takes(&Type::Bool) => Value::Bool(true),
            ("false", _) if takes(&Type::Bool) => Value::Bool(false),
            (_, Some(number)) if takes_number => Value::Number(number.to_string()),
            _ => Value::text(text),
        },
    }
}

/// The comparison of a type with the type that its place expects.
struct Comparison<'d> {
    document: &'d Document,
    /// The pairs that were compared, or are being compared.
    seen: HashSet<(TypeIndex, TypeIndex)>,
}

impl Comparison<'_> {
    /// The conversion of a value of a type to another.
    fn conversion(&mut self, given: TypeIndex, wanted: TypeIndex, depth: usize) -> Conversion {
        let document = self.document;
        let is_new = self.seen.insert((given, wanted));
        let Some(depth) = depth.checked_sub(1).filter(|_| is_new) else {
            return Conversion::Same;
        };
        let is_enumeration = document.enumeration(given).is_some();
        let wanted = document.alternatives(wanted);
        let given = document.alternatives(given);
        let is_free = |&ty: &TypeIndex| matches!(document.ty(ty), Type::Dynamic | Type::Error);
        if wanted.iter().chain(&given).any(is_free) {
            return Conversion::Same;
        }
        if is_enumeration {
            let is_text = |&ty: &TypeIndex| Scalar::of(document.ty(ty)) == Some(Scalar::Text);
            let is_member = given.iter().all(is_text) && wanted.iter().any(is_text);
            return if is_member { Conversion::Member } else { Conversion::Other };
        }
        let mut all = given.iter().map(|&given| self.of_alternative(given, &wanted, depth));
        let first = all.next().unwrap_or(Conversion::Same);
        // Of several types, a value has one, and it is not known which.
        if all.all(|other| other == first) { first } else { Conversion::Other }
    }

    fn of_alternative(
        &mut self,
        given: TypeIndex,
        wanted: &[TypeIndex],
        depth: usize,
    ) -> Conversion {
        let document = self.document;
        if let Some(scalar) = Scalar::of(document.ty(given)) {
            let scalars = wanted.iter().filter_map(|&ty| Scalar::of(document.ty(ty)));
            let scalars: Vec<Scalar> = scalars.collect();
            return match scalar {
                _ if scalars.is_empty() || scalars.contains(&scalar) => Conversion::Same,
                Scalar::Number | Scalar::Bool if scalars.contains(&Scalar::Text) => {
                    Conversion::Text
                }
                _ => Conversion::Other,
            };
        }
        let mut inside = wanted.iter().filter_map(|&to| self.is_same(given, to, depth));
        let Some(first) = inside.next() else { return Conversion::Same };
        let is_same = first || inside.any(|is_same| is_same);
        if is_same { Conversion::Same } else { Conversion::Other }
    }

    /// Returns true if no part of a collection is converted; `None` for other pairs of types.
    fn is_same(&mut self, given: TypeIndex, wanted: TypeIndex, depth: usize) -> Option<bool> {
        let document = self.document;
        let pairs: Vec<(TypeIndex, TypeIndex)> = match (document.ty(given), document.ty(wanted)) {
            (
                Type::List { element: given } | Type::Set { element: given },
                Type::List { element } | Type::Set { element },
            )
            | (Type::Map { element: given }, Type::Map { element }) => vec![(*given, *element)],
            (Type::Tuple { elements }, Type::List { element } | Type::Set { element }) => {
                elements.iter().map(|&given| (given, *element)).collect()
            }
            (Type::Object(_), Type::Map { element }) => {
                let properties = document.properties(given).into_iter();
                properties.map(|property| (property.ty, *element)).collect()
            }
            (Type::Object(_), Type::Object(_)) => {
                let properties = document.properties(given).into_iter();
                let pair = |property: &Property| {
                    Some((property.ty, document.property(wanted, &property.name)?.ty))
                };
                properties.filter_map(pair).collect()
            }
            (Type::Map { element }, Type::Object(_)) => {
                let properties = document.properties(wanted).into_iter();
                properties.map(|property| (*element, property.ty)).collect()
            }
            _ => return None,
        };
        let mut pairs = pairs.into_iter();
        Some(pairs.all(|(given, to)| self.conversion(given, to, depth) == Conversion::Same))
    }
}
