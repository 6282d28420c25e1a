//! The JSON form of types.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{flag, list, owned, required, text};
use crate::document::constant::Constant;
use crate::document::index::{MemberIndex, TypeIndex};
use crate::document::types::{
    Discriminator, Enum, EnumMember, Object, ObjectRole, ObjectSchema, Property, Type, Union,
};

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    None,
    Bool,
    Int,
    Number,
    String,
    Id,
    Dynamic,
    Error,
    Asset,
    Archive,
    Property,
    Opaque,
    Const,
    Enum,
    List,
    Set,
    Map,
    Tuple,
    Object,
    Union,
    Output,
    Promise,
}

/// The fields of all kinds of types.
#[derive(Serialize, Deserialize)]
struct Form<'a> {
    kind: Kind,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    member: Option<MemberIndex>,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<ObjectRole>,
    #[serde(skip_serializing_if = "Option::is_none")]
    derived: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    underlying: Option<TypeIndex>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Cow<'a, Constant>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<Cow<'a, [EnumMember]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    element: Option<TypeIndex>,
    #[serde(skip_serializing_if = "Option::is_none")]
    elements: Option<Cow<'a, [TypeIndex]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    properties: Option<Cow<'a, [Property]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    includes: Option<Cow<'a, [TypeIndex]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    members: Option<Cow<'a, [TypeIndex]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    discriminator: Option<Cow<'a, Discriminator>>,
}

impl Form<'_> {
    fn new(kind: Kind) -> Self {
        Self {
            kind,
            name: None,
            token: None,
            member: None,
            role: None,
            derived: None,
            underlying: None,
            value: None,
            values: None,
            element: None,
            elements: None,
            properties: None,
            includes: None,
            members: None,
            discriminator: None,
        }
    }

    fn of_element(kind: Kind, element: TypeIndex) -> Self {
        Self {
            element: Some(element),
            ..Self::new(kind)
        }
    }
}

impl Serialize for Type {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let form = match self {
            Self::None => Form::new(Kind::None),
            Self::Bool => Form::new(Kind::Bool),
            Self::Int => Form::new(Kind::Int),
            Self::Number => Form::new(Kind::Number),
            Self::String => Form::new(Kind::String),
            Self::Id => Form::new(Kind::Id),
            Self::Dynamic => Form::new(Kind::Dynamic),
            Self::Error => Form::new(Kind::Error),
            Self::Asset => Form::new(Kind::Asset),
            Self::Archive => Form::new(Kind::Archive),
            Self::Property => Form::new(Kind::Property),
            Self::Opaque { name } => Form {
                name: text(name),
                ..Form::new(Kind::Opaque)
            },
            Self::Const { underlying, value } => Form {
                underlying: Some(*underlying),
                value: Some(Cow::Borrowed(value)),
                ..Form::new(Kind::Const)
            },
            Self::Enum(enumeration) => Form {
                token: text(&enumeration.token),
                member: enumeration.schema,
                underlying: Some(enumeration.underlying),
                values: list(&enumeration.members),
                ..Form::new(Kind::Enum)
            },
            Self::List { element } => Form::of_element(Kind::List, *element),
            Self::Set { element } => Form::of_element(Kind::Set, *element),
            Self::Map { element } => Form::of_element(Kind::Map, *element),
            Self::Output { element } => Form::of_element(Kind::Output, *element),
            Self::Promise { element } => Form::of_element(Kind::Promise, *element),
            Self::Tuple { elements } => Form {
                elements: list(elements),
                ..Form::new(Kind::Tuple)
            },
            Self::Object(object) => Form {
                properties: list(&object.properties),
                includes: list(&object.includes),
                member: object.schema.map(|schema| schema.member),
                role: object.schema.map(|schema| schema.role),
                derived: object.schema.and_then(|schema| flag(schema.derived)),
                ..Form::new(Kind::Object)
            },
            Self::Union(union) => Form {
                members: list(&union.members),
                discriminator: union.discriminator.as_ref().map(Cow::Borrowed),
                ..Form::new(Kind::Union)
            },
        };
        form.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Type {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let form = Form::deserialize(deserializer)?;
        Ok(match form.kind {
            Kind::None => Self::None,
            Kind::Bool => Self::Bool,
            Kind::Int => Self::Int,
            Kind::Number => Self::Number,
            Kind::String => Self::String,
            Kind::Id => Self::Id,
            Kind::Dynamic => Self::Dynamic,
            Kind::Error => Self::Error,
            Kind::Asset => Self::Asset,
            Kind::Archive => Self::Archive,
            Kind::Property => Self::Property,
            Kind::Opaque => Self::Opaque {
                name: required(form.name, "name")?.into_owned(),
            },
            Kind::Const => Self::Const {
                underlying: required(form.underlying, "underlying")?,
                // `null` is the same as an absent value.
                value: form.value.map_or(Constant::Null, Cow::into_owned),
            },
            Kind::Enum => Self::Enum(Enum {
                token: required(form.token, "token")?.into_owned(),
                schema: form.member,
                underlying: required(form.underlying, "underlying")?,
                members: owned(form.values),
            }),
            Kind::List => Self::List {
                element: element(form)?,
            },
            Kind::Set => Self::Set {
                element: element(form)?,
            },
            Kind::Map => Self::Map {
                element: element(form)?,
            },
            Kind::Output => Self::Output {
                element: element(form)?,
            },
            Kind::Promise => Self::Promise {
                element: element(form)?,
            },
            Kind::Tuple => Self::Tuple {
                elements: owned(form.elements),
            },
            Kind::Object => Self::Object(Object {
                schema: match (form.member, form.role) {
                    (Some(member), role) => Some(ObjectSchema {
                        member,
                        role: required(role, "role")?,
                        derived: form.derived.unwrap_or(false),
                    }),
                    (None, Some(_)) => return Err(de::Error::missing_field("member")),
                    (None, None) => None,
                },
                properties: owned(form.properties),
                includes: owned(form.includes),
            }),
            Kind::Union => Self::Union(Union {
                members: owned(form.members),
                discriminator: form.discriminator.map(Cow::into_owned),
            }),
        })
    }
}

fn element<E: de::Error>(form: Form<'_>) -> Result<TypeIndex, E> {
    required(form.element, "element")
}
