//! The types of a document: one table, in which types refer to each other by position, so that
//! recursion is finite. Constants in JSON are `null`, `true`, `"text"`, and numbers as
//! `{ "number": "1e+400" }`, since JSON readers round.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use pcl_model::Number;
use pcl_schema::language::Languages;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::document::is_default;
use crate::document::place::{MemberIndex, TypeIndex};

/// A type. Parts are positions in [`Document::types`](super::Document::types).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Type {
    /// The type of null.
    None,
    /// Booleans.
    Bool,
    /// Whole numbers.
    Int,
    /// Numbers.
    Number,
    /// Strings.
    String,
    /// Resource ids: convertible to and from strings.
    Id,
    /// Any value.
    Dynamic,
    /// The type of what failed to bind; it was reported.
    Error,
    /// A file or text as a resource input.
    Asset,
    /// A collection of assets.
    Archive,
    /// A reference to a property of a resource, as in `ignoreChanges`.
    Property,
    /// A type that a schema knows by its name alone.
    Opaque {
        /// The name.
        name: String,
    },
    /// One single value.
    Const {
        /// The type of the value.
        underlying: TypeIndex,
        /// The value.
        value: Constant,
    },
    /// One of a few values.
    Enum(Enum),
    /// Ordered elements of one type.
    List {
        /// Their type.
        element: TypeIndex,
    },
    /// Unordered, distinct elements of one type.
    Set {
        /// Their type.
        element: TypeIndex,
    },
    /// Values of one type under any keys.
    Map {
        /// Their type.
        element: TypeIndex,
    },
    /// A fixed number of elements.
    Tuple {
        /// Their types.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        elements: Vec<TypeIndex>,
    },
    /// Named properties.
    Object(Object),
    /// One of several types.
    Union(Union),
    /// A value known once resources exist.
    Output {
        /// The type of its value.
        element: TypeIndex,
    },
    /// A value known later.
    Promise {
        /// The type of its value.
        element: TypeIndex,
    },
}

impl Type {
    /// Calls `visit` with every part.
    pub fn for_each_part(&self, mut visit: impl FnMut(TypeIndex)) {
        match self {
            Self::Const { underlying: part, .. }
            | Self::Enum(Enum { underlying: part, .. })
            | Self::List { element: part }
            | Self::Set { element: part }
            | Self::Map { element: part }
            | Self::Output { element: part }
            | Self::Promise { element: part } => visit(*part),
            Self::Tuple { elements } => elements.iter().copied().for_each(visit),
            Self::Object(object) => {
                let properties = object.properties.iter().map(|property| property.ty);
                object.includes.iter().copied().chain(properties).for_each(visit);
            }
            Self::Union(union) => {
                union.members.iter().copied().for_each(&mut visit);
                union.schema_order.iter().copied().for_each(&mut visit);
                for variant in union.discriminator.iter().flat_map(|d| &d.variants) {
                    visit(variant.ty);
                }
            }
            _ => {}
        }
    }
}

/// An enumeration of a schema.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Enum {
    /// The token that it is known by, in the form that programs use for members.
    pub token: String,
    /// The type in its schema.
    #[serde(rename = "member", default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<MemberIndex>,
    /// The type of the values.
    pub underlying: TypeIndex,
    /// The values in the order of the schema.
    #[serde(rename = "values", default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<EnumMember>,
}

/// A value of an enumeration.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct EnumMember {
    /// The name that the schema gives the value, for generated code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The value.
    pub value: Constant,
    /// The text that says what to use instead; `None` if it is not deprecated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<String>,
    /// The description, in Markdown; only [on request](super::DocumentOptions::descriptions).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// An object type: of a schema, or anonymous.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Object {
    /// Its role in a schema; `None` for objects that are not from a schema.
    #[serde(flatten, deserialize_with = "object_schema")]
    pub schema: Option<ObjectSchema>,
    /// The properties, sorted by name, without those of [`includes`](Self::includes).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<Property>,
    /// Object types whose properties it has as well. Only a type of more than 64 properties that no
    /// schema knows includes others, so that the types of a program share what they have in common.
    /// [`Document::properties`](super::Document::properties) lists all properties.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub includes: Vec<TypeIndex>,
}

impl Object {
    /// The property of that exact name, among those that are not of an included type.
    pub fn property(&self, name: &str) -> Option<&Property> {
        let found = self.properties.binary_search_by(|property| (*property.name).cmp(name));
        self.properties.get(found.ok()?)
    }
}

/// A property of an object type.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Property {
    /// The name.
    pub name: String,
    /// The type, with none where it may be missing.
    #[serde(rename = "type")]
    pub ty: TypeIndex,
    /// True if a value is required.
    #[serde(default, skip_serializing_if = "is_default")]
    pub required: bool,
    /// True if the value is secret.
    #[serde(default, skip_serializing_if = "is_default")]
    pub secret: bool,
    /// True if it accepts a plain value only, never an output.
    #[serde(default, skip_serializing_if = "is_default")]
    pub plain: bool,
    /// True if a change replaces the resource.
    #[serde(default, skip_serializing_if = "is_default")]
    pub replace_on_changes: bool,
    /// The value that it has when the program gives none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Constant>,
    /// The only value that it may have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constant: Option<Constant>,
    /// The text that says what to use instead; `None` if it is not deprecated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<String>,
    /// The name for people, if the schema gives one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// The environment variables that are looked at, in this order, before the default counts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub environment: Vec<String>,
    /// True if the provider replaces the resource on a change.
    #[serde(default, skip_serializing_if = "is_default")]
    pub will_replace_on_changes: bool,
    /// The description, in Markdown; only [on request](super::DocumentOptions::descriptions).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The settings for SDKs, by language, as the schema has them.
    #[serde(default, skip_serializing_if = "Languages::is_empty")]
    pub language: Languages,
}

/// The role of an object type in a schema.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct ObjectSchema {
    /// The member whose object it is.
    pub member: MemberIndex,
    /// Selects one of the member's objects.
    pub role: ObjectRole,
    /// True if the front end changed it: outputs inside it were replaced by their contents, or the
    /// reverse.
    #[serde(skip_serializing_if = "is_default")]
    pub derived: bool,
}

/// Reads the fields of an [`ObjectSchema`], of which an object has all or none.
fn object_schema<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<ObjectSchema>, D::Error> {
    #[derive(Deserialize)]
    struct Fields {
        member: Option<MemberIndex>,
        role: Option<ObjectRole>,
        #[serde(default)]
        derived: bool,
    }
    let fields = Fields::deserialize(deserializer)?;
    match (fields.member, fields.role) {
        (Some(member), Some(role)) => {
            Ok(Some(ObjectSchema { member, role, derived: fields.derived }))
        }
        (None, None) => Ok(None),
        (Some(_), None) => Err(de::Error::missing_field("role")),
        (None, Some(_)) => Err(de::Error::missing_field("member")),
    }
}

/// The role of an object type in a member of a schema.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ObjectRole {
    /// An object type whose properties take plain values only.
    Plain,
    /// An object type whose properties take outputs as well.
    Input,
    /// The attributes of a resource.
    ResourceInputs,
    /// The attributes of a `read`.
    ReadInputs,
    /// The properties of a resource that is referred to.
    Resource,
    /// A resource as a property of something else.
    ResourceReference,
    /// The inputs of a function.
    FunctionInputs,
    /// The result of a function.
    FunctionOutputs,
}

/// One of several types.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Union {
    /// The types, in the order in which they are shown. Some members of a union of more than 64
    /// types are unions themselves, in no order, so that the types of a program share what they
    /// have in common. [`Document::members`](super::Document::members) lists all members.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<TypeIndex>,
    /// Those members that the schema names, in its order, if that is another one. Types of SDKs
    /// with a first and a second side have this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub schema_order: Vec<TypeIndex>,
    /// The property that distinguishes objects among the members.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discriminator: Option<Discriminator>,
}

impl Union {
    /// The members, those of unions among them in place of these. `types` is the table that the
    /// union is in.
    pub(super) fn flat_members(&self, types: &[Type]) -> Cow<'_, [TypeIndex]> {
        let inner = |ty: &TypeIndex| match types.get(ty.index()) {
            Some(Type::Union(union)) => Some(union),
            _ => None,
        };
        if self.members.iter().all(|member| inner(member).is_none()) {
            return Cow::Borrowed(&self.members);
        }
        let mut known = HashSet::new();
        let mut open: Vec<TypeIndex> = self.members.iter().rev().copied().collect();
        let mut members = Vec::new();
        while let Some(ty) = open.pop() {
            match inner(&ty) {
                _ if !known.insert(ty) => {}
                Some(union) => open.extend(union.members.iter().rev()),
                None => members.push(ty),
            }
        }
        Cow::Owned(members)
    }
}

/// The property that tells which member of a union an object is.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Discriminator {
    /// The name of the property.
    pub property: String,
    /// The values that it may have, sorted.
    pub variants: Vec<Variant>,
}

/// A value of the deciding property.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Variant {
    /// The value.
    pub value: String,
    /// The member that it means.
    #[serde(rename = "type")]
    pub ty: TypeIndex,
}

/// A literal value.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(untagged, expecting = "null, a boolean, a string or an object with `number`")]
pub enum Constant {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An exact number.
    Number(#[serde(with = "exact")] Number),
    /// A string.
    String(String),
}

impl Constant {
    /// The text, if it is a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }
}

impl From<&pcl_model::Constant> for Constant {
    fn from(constant: &pcl_model::Constant) -> Self {
        use pcl_model::Constant as Model;
        match constant {
            Model::Null => Self::Null,
            Model::Bool(value) => Self::Bool(*value),
            Model::Number(number) => Self::Number(number.clone()),
            Model::String(text) => Self::String(text.to_string()),
        }
    }
}

impl From<&pcl_schema::Constant> for Constant {
    fn from(constant: &pcl_schema::Constant) -> Self {
        use pcl_schema::Constant as Schema;
        match constant {
            Schema::Boolean(value) => Self::Bool(*value),
            Schema::Number(value) => match Number::parse(&value.to_string()) {
                Some(number) => Self::Number(number),
                None => Self::Null,
            },
            Schema::String(text) => Self::String(text.to_string()),
        }
    }
}

impl From<&Constant> for pcl_model::Constant {
    fn from(constant: &Constant) -> Self {
        match constant {
            Constant::Null => Self::Null,
            Constant::Bool(value) => Self::Bool(*value),
            Constant::Number(number) => Self::Number(number.clone()),
            Constant::String(text) => Self::from(text.as_str()),
        }
    }
}

/// As source text.
impl fmt::Display for Constant {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        pcl_model::Constant::from(self).fmt(out)
    }
}

/// Numbers as `{ "number": "1e+400" }`.
mod exact {
    use super::{Cow, Deserialize, Deserializer, Number, Serialize, Serializer, de};

    #[derive(Serialize, Deserialize)]
    struct Exact<'a> {
        number: Cow<'a, str>,
    }

    pub fn serialize<S: Serializer>(number: &Number, serializer: S) -> Result<S::Ok, S::Error> {
        Exact { number: number.to_string().into() }.serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Number, D::Error> {
        let Exact { number } = Exact::deserialize(deserializer)?;
        let message = || de::Error::custom(format!("`{number}` is no number"));
        Number::parse(&number).ok_or_else(message)
    }
}
