//! The JSON form of expressions.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{flag, list, owned, required, text};
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

/// The fields of all kinds of expressions.
#[derive(Serialize, Deserialize)]
struct Form<'a> {
    kind: Kind,
    #[serde(rename = "type")]
    ty: TypeIndex,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<TypeIndex>,
    range: Place,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name_range: Option<Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<NodeIndex>,
    #[serde(skip_serializing_if = "Option::is_none")]
    variable: Option<VariableIndex>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<Other>,
    #[serde(default, skip_serializing_if = "Value::is_none")]
    value: Value<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    root_type: Option<TypeIndex>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<Cow<'a, [Step]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parts: Option<Cow<'a, [ExpressionIndex]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    elements: Option<Cow<'a, [ExpressionIndex]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<Cow<'a, [ObjectItem]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    operator: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    operand: Option<ExpressionIndex>,
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<ExpressionIndex>,
    #[serde(skip_serializing_if = "Option::is_none")]
    right: Option<ExpressionIndex>,
    #[serde(skip_serializing_if = "Option::is_none")]
    condition: Option<ExpressionIndex>,
    #[serde(skip_serializing_if = "Option::is_none")]
    if_true: Option<ExpressionIndex>,
    #[serde(skip_serializing_if = "Option::is_none")]
    if_false: Option<ExpressionIndex>,
    #[serde(skip_serializing_if = "Option::is_none")]
    collection: Option<ExpressionIndex>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<ExpressionIndex>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key_variable: Option<VariableIndex>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value_variable: Option<VariableIndex>,
    #[serde(skip_serializing_if = "Option::is_none")]
    groups: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<ExpressionIndex>,
    #[serde(skip_serializing_if = "Option::is_none")]
    item: Option<VariableIndex>,
    #[serde(skip_serializing_if = "Option::is_none")]
    each: Option<ExpressionIndex>,
    #[serde(skip_serializing_if = "Option::is_none")]
    is_full: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    arguments: Option<Cow<'a, [ExpressionIndex]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expands_last: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters: Option<Cow<'a, [Parameter]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    variadic: Option<Cow<'a, Parameter>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    returns: Option<TypeIndex>,
    #[serde(skip_serializing_if = "Option::is_none")]
    callee: Option<Cow<'a, Callee>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<Cow<'a, [ApplyArgument]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<ExpressionIndex>,
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
enum Value<'a> {
    #[default]
    None,
    Constant(Cow<'a, Constant>),
    Expression(ExpressionIndex),
}

impl Value<'_> {
    fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }

    fn constant<E: de::Error>(self) -> Result<Constant, E> {
        match self {
            Self::Constant(value) => Ok(value.into_owned()),
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

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::None => serializer.serialize_unit(),
            Self::Constant(value) => value.serialize(serializer),
            Self::Expression(value) => value.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Value<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> de::Visitor<'de> for ValueVisitor {
    type Value = Value<'static>;

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
        Ok(Value::Constant(Cow::Owned(Constant::Null)))
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Value::Constant(Cow::Owned(Constant::Bool(value))))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        let constant = Constant::String(text.to_owned());
        Ok(Value::Constant(Cow::Owned(constant)))
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<Self::Value, E> {
        Ok(Value::Constant(Cow::Owned(Constant::String(text))))
    }

    fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        let constant = Constant::deserialize(de::value::MapAccessDeserializer::new(map))?;
        Ok(Value::Constant(Cow::Owned(constant)))
    }
}

impl<'a> Form<'a> {
    fn new(expression: &'a Expression, kind: Kind) -> Self {
        Self {
            kind,
            ty: expression.ty,
            expected: expression.expected,
            range: expression.range,
            name: None,
            name_range: None,
            node: None,
            variable: None,
            reference: None,
            value: Value::None,
            root_type: None,
            steps: None,
            parts: None,
            elements: None,
            items: None,
            operator: None,
            operand: None,
            left: None,
            right: None,
            condition: None,
            if_true: None,
            if_false: None,
            collection: None,
            key: None,
            key_variable: None,
            value_variable: None,
            groups: None,
            source: None,
            item: None,
            each: None,
            is_full: None,
            arguments: None,
            expands_last: None,
            parameters: None,
            variadic: None,
            returns: None,
            callee: None,
            values: None,
            body: None,
        }
    }

    /// The name at the start of the expression needs no place of its own.
    fn set_name(&mut self, name: &'a str, place: Place) {
        self.name = text(name);
        self.name_range = (place != name_place(self.range, name)).then_some(place);
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

impl Serialize for Expression {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use ExpressionKind as From;
        let new = |kind| Form::new(self, kind);
        let form = match &self.kind {
            From::Literal { value } => Form {
                value: Value::Constant(Cow::Borrowed(value)),
                ..new(Kind::Literal)
            },
            From::Template { parts } => Form {
                parts: list(parts),
                ..new(Kind::Template)
            },
            From::TemplateJoin { value } => Form {
                value: Value::Expression(*value),
                ..new(Kind::TemplateJoin)
            },
            From::Unary { operator, operand } => Form {
                operator: text(operator.text()),
                operand: Some(*operand),
                ..new(Kind::Unary)
            },
            From::Binary {
                operator,
                left,
                right,
            } => Form {
                operator: text(operator.text()),
                left: Some(*left),
                right: Some(*right),
                ..new(Kind::Binary)
            },
            From::Conditional {
                condition,
                if_true,
                if_false,
            } => Form {
                condition: Some(*condition),
                if_true: Some(*if_true),
                if_false: Some(*if_false),
                ..new(Kind::Conditional)
            },
            From::Tuple { elements } => Form {
                elements: list(elements),
                ..new(Kind::Tuple)
            },
            From::Object { items } => Form {
                items: list(items),
                ..new(Kind::Object)
            },
            From::Index { collection, key } => Form {
                collection: Some(*collection),
                key: Some(*key),
                ..new(Kind::Index)
            },
            From::For(each) => Form {
                key_variable: each.key_variable,
                value_variable: each.value_variable,
                collection: Some(each.collection),
                key: each.key,
                value: Value::Expression(each.value),
                condition: each.condition,
                groups: flag(each.groups),
                ..new(Kind::For)
            },
            From::Traversal(traversal) => {
                let mut form = new(Kind::Traversal);
                form.set_name(&traversal.name, traversal.name_range);
                form.root_type = Some(traversal.root_type).filter(|ty| *ty != self.ty);
                form.steps = list(&traversal.steps);
                match &traversal.reference {
                    Reference::Node(node) => form.node = Some(*node),
                    Reference::Variable(variable) => form.variable = Some(*variable),
                    Reference::Constant(value) => {
                        form.value = Value::Constant(Cow::Borrowed(value));
                    }
                    Reference::Property => form.reference = Some(Other::Property),
                    Reference::Keyword => form.reference = Some(Other::Keyword),
                    Reference::Undefined => form.reference = Some(Other::Undefined),
                }
                form
            }
            From::RelativeTraversal { source, steps } => Form {
                source: Some(*source),
                steps: list(steps),
                ..new(Kind::RelativeTraversal)
            },
            From::Splat {
                source,
                item,
                each,
                is_full,
            } => Form {
                source: Some(*source),
                item: Some(*item),
                each: Some(*each),
                is_full: flag(*is_full),
                ..new(Kind::Splat)
            },
            From::Call(call) => {
                let mut form = new(Kind::Call);
                form.set_name(&call.name, call.name_range);
                form.arguments = list(&call.arguments);
                form.expands_last = flag(call.expands_last);
                form.parameters = list(&call.parameters);
                form.variadic = call.variadic.as_ref().map(Cow::Borrowed);
                form.returns = Some(call.returns).filter(|ty| *ty != self.ty);
                form.callee = call.callee.as_ref().map(Cow::Borrowed);
                form
            }
            From::Apply { arguments, body } => Form {
                values: list(arguments),
                body: Some(*body),
                ..new(Kind::Apply)
            },
            From::Convert { value } => Form {
                value: Value::Expression(*value),
                ..new(Kind::Convert)
            },
            From::Error => new(Kind::Error),
        };
        form.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Expression {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let form = Form::deserialize(deserializer)?;
        Ok(Self {
            ty: form.ty,
            expected: form.expected,
            range: form.range,
            kind: kind(form)?,
        })
    }
}

fn kind<E: de::Error>(form: Form<'_>) -> Result<ExpressionKind, E> {
    use ExpressionKind as To;
    Ok(match form.kind {
        Kind::Literal => To::Literal {
            value: form.value.constant()?,
        },
        Kind::Template => To::Template {
            parts: owned(form.parts),
        },
        Kind::TemplateJoin => To::TemplateJoin {
            value: form.value.expression()?,
        },
        Kind::Unary => To::Unary {
            operator: operator(form.operator, UnaryOperator::of_text)?,
            operand: required(form.operand, "operand")?,
        },
        Kind::Binary => To::Binary {
            operator: operator(form.operator, BinaryOperator::of_text)?,
            left: required(form.left, "left")?,
            right: required(form.right, "right")?,
        },
        Kind::Conditional => To::Conditional {
            condition: required(form.condition, "condition")?,
            if_true: required(form.if_true, "if_true")?,
            if_false: required(form.if_false, "if_false")?,
        },
        Kind::Tuple => To::Tuple {
            elements: owned(form.elements),
        },
        Kind::Object => To::Object {
            items: owned(form.items),
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
            value: form.value.expression()?,
            condition: form.condition,
            groups: form.groups.unwrap_or(false),
        }),
        Kind::Traversal => {
            let name = required(form.name, "name")?.into_owned();
            let reference = match (form.node, form.variable, form.reference, form.value) {
                (Some(node), ..) => Reference::Node(node),
                (_, Some(variable), ..) => Reference::Variable(variable),
                (_, _, Some(Other::Property), _) => Reference::Property,
                (_, _, Some(Other::Keyword), _) => Reference::Keyword,
                (_, _, Some(Other::Undefined), _) => Reference::Undefined,
                (.., value) => Reference::Constant(value.constant()?),
            };
            To::Traversal(Traversal {
                name_range: form
                    .name_range
                    .unwrap_or_else(|| name_place(form.range, &name)),
                name,
                reference,
                root_type: form.root_type.unwrap_or(form.ty),
                steps: owned(form.steps),
            })
        }
        Kind::RelativeTraversal => To::RelativeTraversal {
            source: required(form.source, "source")?,
            steps: owned(form.steps),
        },
        Kind::Splat => To::Splat {
            source: required(form.source, "source")?,
            item: required(form.item, "item")?,
            each: required(form.each, "each")?,
            is_full: form.is_full.unwrap_or(false),
        },
        Kind::Call => {
            let name = required(form.name, "name")?.into_owned();
            To::Call(Call {
                name_range: form
                    .name_range
                    .unwrap_or_else(|| name_place(form.range, &name)),
                name,
                arguments: owned(form.arguments),
                expands_last: form.expands_last.unwrap_or(false),
                parameters: owned(form.parameters),
                variadic: form.variadic.map(Cow::into_owned),
                returns: form.returns.unwrap_or(form.ty),
                callee: form.callee.map(Cow::into_owned),
            })
        }
        Kind::Apply => To::Apply {
            arguments: owned(form.values),
            body: required(form.body, "body")?,
        },
        Kind::Convert => To::Convert {
            value: form.value.expression()?,
        },
        Kind::Error => To::Error,
    })
}

fn operator<T, E: de::Error>(
    operator: Option<Cow<'_, str>>,
    read: fn(&str) -> Option<T>,
) -> Result<T, E> {
    let text = required(operator, "operator")?;
    let message = || E::custom(format!("`{text}` is no such operator"));
    read(&text).ok_or_else(message)
}

/// A step: its `name` or its `index`.
#[derive(Serialize, Deserialize)]
struct StepForm<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<Cow<'a, Constant>>,
    range: Place,
    #[serde(rename = "type")]
    ty: TypeIndex,
}

impl Serialize for Step {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (name, index) = match &self.key {
            Key::Name(name) => (text(name), None),
            Key::Index(index) => (None, Some(Cow::Borrowed(index))),
        };
        let form = StepForm {
            name,
            index,
            range: self.range,
            ty: self.ty,
        };
        form.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Step {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let form = StepForm::deserialize(deserializer)?;
        let key = match (form.name, form.index) {
            (Some(name), _) => Key::Name(name.into_owned()),
            // `null` is the same as an absent index.
            (None, index) => Key::Index(index.map_or(Constant::Null, Cow::into_owned)),
        };
        Ok(Self {
            key,
            range: form.range,
            ty: form.ty,
        })
    }
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
