//! The JSON form of types.

use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{Fields, form, list, required};
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

form! {
    /// The fields of all kinds of types.
    Form read by FormVisitor with ty -> Type {
        /// The fields of all kinds of types.
        kind: Option<Kind> = "kind",
        name: Option<String> = "name",
        token: Option<String> = "token",
        member: Option<MemberIndex> = "member",
        role: Option<ObjectRole> = "role",
        derived: Option<bool> = "derived",
        underlying: Option<TypeIndex> = "underlying",
        value: Option<Constant> = "value",
        values: Option<Vec<EnumMember>> = "values",
        element: Option<TypeIndex> = "element",
        elements: Option<Vec<TypeIndex>> = "elements",
        properties: Option<Vec<Property>> = "properties",
        includes: Option<Vec<TypeIndex>> = "includes",
        members: Option<Vec<TypeIndex>> = "members",
        discriminator: Option<Discriminator> = "discriminator",
    }
}

impl Serialize for Type {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = Fields(serializer.serialize_map(None)?);
        match self {
            Self::None => fields.set("kind", &Kind::None)?,
            Self::Bool => fields.set("kind", &Kind::Bool)?,
            Self::Int => fields.set("kind", &Kind::Int)?,
            Self::Number => fields.set("kind", &Kind::Number)?,
            Self::String => fields.set("kind", &Kind::String)?,
            Self::Id => fields.set("kind", &Kind::Id)?,
            Self::Dynamic => fields.set("kind", &Kind::Dynamic)?,
            Self::Error => fields.set("kind", &Kind::Error)?,
            Self::Asset => fields.set("kind", &Kind::Asset)?,
            Self::Archive => fields.set("kind", &Kind::Archive)?,
            Self::Property => fields.set("kind", &Kind::Property)?,
            Self::Opaque { name } => {
                fields.set("kind", &Kind::Opaque)?;
                fields.set("name", name)?;
            }
            Self::Const { underlying, value } => {
                fields.set("kind", &Kind::Const)?;
                fields.set("underlying", underlying)?;
                fields.set("value", value)?;
            }
            Self::Enum(enumeration) => {
                fields.set("kind", &Kind::Enum)?;
                fields.set("token", &enumeration.token)?;
                fields.set_some("member", enumeration.schema)?;
                fields.set("underlying", &enumeration.underlying)?;
                fields.set_list("values", &enumeration.members)?;
            }
            Self::List { element } => fields.set_element(Kind::List, *element)?,
            Self::Set { element } => fields.set_element(Kind::Set, *element)?,
            Self::Map { element } => fields.set_element(Kind::Map, *element)?,
            Self::Output { element } => fields.set_element(Kind::Output, *element)?,
            Self::Promise { element } => fields.set_element(Kind::Promise, *element)?,
            Self::Tuple { elements } => {
                fields.set("kind", &Kind::Tuple)?;
                fields.set_list("elements", elements)?;
            }
            Self::Object(object) => {
                fields.set("kind", &Kind::Object)?;
                if let Some(schema) = &object.schema {
                    fields.set("member", &schema.member)?;
                    fields.set("role", &schema.role)?;
                    fields.set_flag("derived", schema.derived)?;
                }
                fields.set_list("properties", &object.properties)?;
                fields.set_list("includes", &object.includes)?;
            }
            Self::Union(union) => {
                fields.set("kind", &Kind::Union)?;
                fields.set_list("members", &union.members)?;
                fields.set_some("discriminator", union.discriminator.as_ref())?;
            }
        }
        fields.0.end()
    }
}

impl<M: SerializeMap> Fields<M> {
    fn set_element(&mut self, kind: Kind, element: TypeIndex) -> Result<(), M::Error> {
        self.set("kind", &kind)?;
        self.set("element", &element)
    }
}

impl<'de> Deserialize<'de> for Type {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FormVisitor)
    }
}

fn ty<E: de::Error>(form: &mut Form) -> Result<Type, E> {
    Ok(match required(form.kind, "kind")? {
        Kind::None => Type::None,
        Kind::Bool => Type::Bool,
        Kind::Int => Type::Int,
        Kind::Number => Type::Number,
        Kind::String => Type::String,
        Kind::Id => Type::Id,
        Kind::Dynamic => Type::Dynamic,
        Kind::Error => Type::Error,
        Kind::Asset => Type::Asset,
        Kind::Archive => Type::Archive,
        Kind::Property => Type::Property,
        Kind::Opaque => Type::Opaque {
            name: required(form.name.take(), "name")?,
        },
        Kind::Const => Type::Const {
            underlying: required(form.underlying, "underlying")?,
            // `null` is the same as an absent value.
            value: form.value.take().unwrap_or(Constant::Null),
        },
        Kind::Enum => Type::Enum(Enum {
            token: required(form.token.take(), "token")?,
            schema: form.member,
            underlying: required(form.underlying, "underlying")?,
            members: list(&mut form.values),
        }),
        Kind::List => Type::List {
            element: element(form)?,
        },
        Kind::Set => Type::Set {
            element: element(form)?,
        },
        Kind::Map => Type::Map {
            element: element(form)?,
        },
        Kind::Output => Type::Output {
            element: element(form)?,
        },
        Kind::Promise => Type::Promise {
            element: element(form)?,
        },
        Kind::Tuple => Type::Tuple {
            elements: list(&mut form.elements),
        },
        Kind::Object => Type::Object(Object {
            schema: match (form.member, form.role) {
                (Some(member), role) => Some(ObjectSchema {
                    member,
                    role: required(role, "role")?,
                    derived: form.derived.unwrap_or(false),
                }),
                (None, Some(_)) => return Err(de::Error::missing_field("member")),
                (None, None) => None,
            },
            properties: list(&mut form.properties),
            includes: list(&mut form.includes),
        }),
        Kind::Union => Type::Union(Union {
            members: list(&mut form.members),
            discriminator: form.discriminator.take(),
        }),
    })
}

fn element<E: de::Error>(form: &Form) -> Result<TypeIndex, E> {
    required(form.element, "element")
}
