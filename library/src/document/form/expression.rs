//! The JSON form of expressions.

use std::fmt;
use std::mem::take;

use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{Fields, Optional, form, list, required};
use crate::document::constant::Constant;
use crate::document::expression::{
    ApplyArgument, BinaryOperator, Call, Callee, Expression, ExpressionKind, For, Key, ObjectItem,
    Parameter, Reference, Step, Traversal, UnaryOperator,
};
use crate::document::index::{ExpressionIndex, NodeIndex, TypeIndex, VariableIndex};
use crate::document::place::Place;

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Literal,
    Template,
    TemplateJoin,
    Unary,
    Binary,
    Conditional,
    Tuple,
    Object,
    Index,
    For,
    Traversal,
    RelativeTraversal,
    Splat,
    Call,
    Apply,
    Convert,
    Error,
}

form! {
    /// The fields of all kinds of expressions.
    Form read by FormVisitor with expression -> Expression {
        kind: Option<Kind> = "kind",
        ty: Option<TypeIndex> = "type",
        expected: Option<TypeIndex> = "expected",
        range: Option<Place> = "range",
        name: Option<String> = "name",
        name_range: Option<Place> = "name_range",
        node: Option<NodeIndex> = "node",
        variable: Option<VariableIndex> = "variable",
        reference: Option<Other> = "reference",
        value: Value = "value",
        root_type: Option<TypeIndex> = "root_type",
        steps: Option<Vec<Step>> = "steps",
        parts: Option<Vec<ExpressionIndex>> = "parts",
        elements: Option<Vec<ExpressionIndex>> = "elements",
        items: Option<Vec<ObjectItem>> = "items",
        operator: Option<String> = "operator",
        operand: Option<ExpressionIndex> = "operand",
        left: Option<ExpressionIndex> = "left",
        right: Option<ExpressionIndex> = "right",
        condition: Option<ExpressionIndex> = "condition",
        if_true: Option<ExpressionIndex> = "if_true",
        if_false: Option<ExpressionIndex> = "if_false",
        collection: Option<ExpressionIndex> = "collection",
        key: Option<ExpressionIndex> = "key",
        key_variable: Option<VariableIndex> = "key_variable",
        value_variable: Option<VariableIndex> = "value_variable",
        groups: Option<bool> = "groups",
        source: Option<ExpressionIndex> = "source",
        item: Option<VariableIndex> = "item",
        each: Option<ExpressionIndex> = "each",
        is_full: Option<bool> = "is_full",
        arguments: Option<Vec<ExpressionIndex>> = "arguments",
        expands_last: Option<bool> = "expands_last",
        parameters: Option<Vec<Parameter>> = "parameters",
        variadic: Option<Parameter> = "variadic",
        returns: Option<TypeIndex> = "returns",
        callee: Option<Callee> = "callee",
        values: Option<Vec<ApplyArgument>> = "values",
        body: Option<ExpressionIndex> = "body",
    }
}

/// The target of a name that is no declaration, variable or constant.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Other {
    Property,
    Keyword,
    Undefined,
}

/// `value`: a constant, or the position of an expression. Numbers are positions, since constants
/// are objects where they are numbers.
#[derive(Default)]
enum Value {
    #[default]
    None,
    Constant(Constant),
    Expression(ExpressionIndex),
}

impl Optional for Value {
    fn is_absent(&self) -> bool {
        matches!(self, Self::None)
    }
}

impl Value {
    fn constant<E: de::Error>(self) -> Result<Constant, E> {
        match self {
            Self::Constant(value) => Ok(value),
            Self::None => Err(E::missing_field("value")),
            Self::Expression(_) => Err(E::custom("`value` is no constant")),
        }
    }

    fn expression<E: de::Error>(self) -> Result<ExpressionIndex, E> {
        match self {
            Self::Expression(value) => Ok(value),
            Self::None => Err(E::missing_field("value")),
            Self::Constant(_) => Err(E::custom("`value` is no expression")),
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> de::Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a constant or the position of an expression")
    }

    fn visit_u64<E: de::Error>(self, position: u64) -> Result<Self::Value, E> {
        match u32::try_from(position) {
            Ok(position) => Ok(Value::Expression(ExpressionIndex(position))),
            Err(_) => Err(E::invalid_value(de::Unexpected::Unsigned(position), &self)),
        }
    }

    fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(Value::Constant(Constant::Null))
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Value::Constant(Constant::Bool(value)))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        self.visit_string(text.to_owned())
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<Self::Value, E> {
        Ok(Value::Constant(Constant::String(text)))
    }

    fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        Constant::deserialize(de::value::MapAccessDeserializer::new(map)).map(Value::Constant)
    }
}

/// The place of a name at the start of an expression.
fn name_place(range: Place, name: &str) -> Place {
    let length = u32::try_from(name.len()).unwrap_or(u32::MAX);
    Place {
        end: range.start.saturating_add(length),
        ..range
    }
}

impl<M: SerializeMap> Fields<M> {
    /// The name at the start of an expression needs no place of its own.
    fn set_name(&mut self, range: Place, name: &str, place: Place) -> Result<(), M::Error> {
        self.set("name", name)?;
        let is_elsewhere = place != name_place(range, name);
        self.set_some("name_range", is_elsewhere.then_some(place))
    }
}

impl Serialize for Expression {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use ExpressionKind as From;
        let start = |kind: Kind| {
            let mut fields = Fields(serializer.serialize_map(None)?);
            fields.set("kind", &kind)?;
            fields.set("type", &self.ty)?;
            fields.set_some("expected", self.expected)?;
            fields.set("range", &self.range)?;
            Ok(fields)
        };
        let mut fields;
        match &self.kind {
            From::Literal { value } => {
                fields = start(Kind::Literal)?;
                fields.set("value", value)?;
            }
            From::Template { parts } => {
                fields = start(Kind::Template)?;
                fields.set_list("parts", parts)?;
            }
            From::TemplateJoin { value } => {
                fields = start(Kind::TemplateJoin)?;
                fields.set("value", value)?;
            }
            From::Unary { operator, operand } => {
                fields = start(Kind::Unary)?;
                fields.set("operator", operator.text())?;
                fields.set("operand", operand)?;
            }
            From::Binary {
                operator,
                left,
                right,
            } => {
                fields = start(Kind::Binary)?;
                fields.set("operator", operator.text())?;
                fields.set("left", left)?;
                fields.set("right", right)?;
            }
            From::Conditional {
                condition,
                if_true,
                if_false,
            } => {
                fields = start(Kind::Conditional)?;
                fields.set("condition", condition)?;
                fields.set("if_true", if_true)?;
                fields.set("if_false", if_false)?;
            }
            From::Tuple { elements } => {
                fields = start(Kind::Tuple)?;
                fields.set_list("elements", elements)?;
            }
            From::Object { items } => {
                fields = start(Kind::Object)?;
                fields.set_list("items", items)?;
            }
            From::Index { collection, key } => {
                fields = start(Kind::Index)?;
                fields.set("collection", collection)?;
                fields.set("key", key)?;
            }
            From::For(each) => {
                fields = start(Kind::For)?;
                fields.set("value", &each.value)?;
                fields.set_some("condition", each.condition)?;
                fields.set("collection", &each.collection)?;
                fields.set_some("key", each.key)?;
                fields.set_some("key_variable", each.key_variable)?;
                fields.set_some("value_variable", each.value_variable)?;
                fields.set_flag("groups", each.groups)?;
            }
            From::Traversal(traversal) => {
                fields = start(Kind::Traversal)?;
                fields.set_name(self.range, &traversal.name, traversal.name_range)?;
                match &traversal.reference {
                    Reference::Node(node) => fields.set("node", node)?,
                    Reference::Variable(variable) => fields.set("variable", variable)?,
                    Reference::Constant(value) => fields.set("value", value)?,
                    Reference::Property => fields.set("reference", &Other::Property)?,
                    Reference::Keyword => fields.set("reference", &Other::Keyword)?,
                    Reference::Undefined => fields.set("reference", &Other::Undefined)?,
                }
                let root_type = Some(traversal.root_type).filter(|ty| *ty != self.ty);
                fields.set_some("root_type", root_type)?;
                fields.set_list("steps", &traversal.steps)?;
            }
            From::RelativeTraversal { source, steps } => {
                fields = start(Kind::RelativeTraversal)?;
                fields.set_list("steps", steps)?;
                fields.set("source", source)?;
            }
            From::Splat {
                source,
                item,
                each,
                is_full,
            } => {
                fields = start(Kind::Splat)?;
                fields.set("source", source)?;
                fields.set("item", item)?;
                fields.set("each", each)?;
                fields.set_flag("is_full", *is_full)?;
            }
            From::Call(call) => {
                fields = start(Kind::Call)?;
                fields.set_name(self.range, &call.name, call.name_range)?;
                fields.set_list("arguments", &call.arguments)?;
                fields.set_flag("expands_last", call.expands_last)?;
                fields.set_list("parameters", &call.parameters)?;
                fields.set_some("variadic", call.variadic.as_ref())?;
                let returns = Some(call.returns).filter(|ty| *ty != self.ty);
                fields.set_some("returns", returns)?;
                fields.set_some("callee", call.callee.as_ref())?;
            }
            From::Apply { arguments, body } => {
                fields = start(Kind::Apply)?;
                fields.set_list("values", arguments)?;
                fields.set("body", body)?;
            }
            From::Convert { value } => {
                fields = start(Kind::Convert)?;
                fields.set("value", value)?;
            }
            From::Error => fields = start(Kind::Error)?,
        }
        fields.0.end()
    }
}

impl<'de> Deserialize<'de> for Expression {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FormVisitor)
    }
}

fn expression<E: de::Error>(form: &mut Form) -> Result<Expression, E> {
    let (ty, range) = (required(form.ty, "type")?, required(form.range, "range")?);
    use ExpressionKind as To;
    let kind = match required(form.kind, "kind")? {
        Kind::Literal => To::Literal {
            value: take(&mut form.value).constant()?,
        },
        Kind::Template => To::Template {
            parts: list(&mut form.parts),
        },
        Kind::TemplateJoin => To::TemplateJoin {
            value: take(&mut form.value).expression()?,
        },
        Kind::Unary => To::Unary {
            operator: operator(&form.operator, UnaryOperator::of_text)?,
            operand: required(form.operand, "operand")?,
        },
        Kind::Binary => To::Binary {
            operator: operator(&form.operator, BinaryOperator::of_text)?,
            left: required(form.left, "left")?,
            right: required(form.right, "right")?,
        },
        Kind::Conditional => To::Conditional {
            condition: required(form.condition, "condition")?,
            if_true: required(form.if_true, "if_true")?,
            if_false: required(form.if_false, "if_false")?,
        },
        Kind::Tuple => To::Tuple {
            elements: list(&mut form.elements),
        },
        Kind::Object => To::Object {
            items: list(&mut form.items),
        },
        Kind::Index => To::Index {
            collection: required(form.collection, "collection")?,
            key: required(form.key, "key")?,
        },
        Kind::For => To::For(For {
            key_variable: form.key_variable,
            value_variable: form.value_variable,
            collection: required(form.collection, "collection")?,
            key: form.key,
            value: take(&mut form.value).expression()?,
            condition: form.condition,
            groups: form.groups.unwrap_or(false),
        }),
        Kind::Traversal => {
            let name = required(form.name.take(), "name")?;
            let reference = match (form.node, form.variable, form.reference) {
                (Some(node), ..) => Reference::Node(node),
                (_, Some(variable), _) => Reference::Variable(variable),
                (_, _, Some(Other::Property)) => Reference::Property,
                (_, _, Some(Other::Keyword)) => Reference::Keyword,
                (_, _, Some(Other::Undefined)) => Reference::Undefined,
                (None, None, None) => Reference::Constant(take(&mut form.value).constant()?),
            };
            To::Traversal(Traversal {
                name_range: form.name_range.unwrap_or_else(|| name_place(range, &name)),
                name,
                reference,
                root_type: form.root_type.unwrap_or(ty),
                steps: list(&mut form.steps),
            })
        }
        Kind::RelativeTraversal => To::RelativeTraversal {
            source: required(form.source, "source")?,
            steps: list(&mut form.steps),
        },
        Kind::Splat => To::Splat {
            source: required(form.source, "source")?,
            item: required(form.item, "item")?,
            each: required(form.each, "each")?,
            is_full: form.is_full.unwrap_or(false),
        },
        Kind::Call => {
            let name = required(form.name.take(), "name")?;
            To::Call(Call {
                name_range: form.name_range.unwrap_or_else(|| name_place(range, &name)),
                name,
                arguments: list(&mut form.arguments),
                expands_last: form.expands_last.unwrap_or(false),
                parameters: list(&mut form.parameters),
                variadic: form.variadic.take(),
                returns: form.returns.unwrap_or(ty),
                callee: form.callee.take(),
            })
        }
        Kind::Apply => To::Apply {
            arguments: list(&mut form.values),
            body: required(form.body, "body")?,
        },
        Kind::Convert => To::Convert {
            value: take(&mut form.value).expression()?,
        },
        Kind::Error => To::Error,
    };
    Ok(Expression {
        ty,
        expected: form.expected,
        range,
        kind,
    })
}

fn operator<T, E: de::Error>(
    operator: &Option<String>,
    read: fn(&str) -> Option<T>,
) -> Result<T, E> {
    let text = required(operator.as_deref(), "operator")?;
    let message = || E::custom(format!("`{text}` is no such operator"));
    read(text).ok_or_else(message)
}

form! {
    /// The fields of a step, which has a `name` or an `index`.
    StepForm read by StepVisitor with step -> Step {
        name: Option<String> = "name",
        index: Option<Constant> = "index",
        range: Option<Place> = "range",
        ty: Option<TypeIndex> = "type",
    }
}

impl Serialize for Step {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = Fields(serializer.serialize_map(None)?);
        match &self.key {
            Key::Name(name) => fields.set("name", name)?,
            Key::Index(index) => fields.set("index", index)?,
        }
        fields.set("range", &self.range)?;
        fields.set("type", &self.ty)?;
        fields.0.end()
    }
}

impl<'de> Deserialize<'de> for Step {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(StepVisitor)
    }
}

fn step<E: de::Error>(form: &mut StepForm) -> Result<Step, E> {
    let key = match (form.name.take(), form.index.take()) {
        (Some(name), _) => Key::Name(name),
        // `null` is the same as an absent index.
        (None, index) => Key::Index(index.unwrap_or(Constant::Null)),
    };
    Ok(Step {
        key,
        range: required(form.range, "range")?,
        ty: required(form.ty, "type")?,
    })
}

/// In JSON `[key, value]`.
impl Serialize for ObjectItem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.key, self.value).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ObjectItem {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (key, value) = Deserialize::deserialize(deserializer)?;
        Ok(Self { key, value })
    }
}
