//! The schema of a package of components, as JSON.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pcl_binder::PackageReference;
use serde::Serialize;
use serde_json::Value;

use super::package::ComponentPackage;

/// The languages whose SDKs have the version of the schema.
const LANGUAGES: [&str; 5] = ["csharp", "go", "java", "nodejs", "python"];

/// The document. Keys are in a fixed order, and those of maps in byte order.
#[derive(Serialize)]
pub(super) struct SchemaDocument<'p> {
    name: &'p str,
    version: String,
    language: BTreeMap<&'static str, LanguageSettings>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dependencies: Vec<Dependency>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub types: BTreeMap<String, ObjectType>,
    pub resources: BTreeMap<String, ComponentType>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LanguageSettings {
    respect_schema_version: bool,
}

/// A component.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ComponentType {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    pub is_component: bool,
    pub input_properties: BTreeMap<String, Property>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub required_inputs: Vec<String>,
    pub properties: BTreeMap<String, Property>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub required: Vec<String>,
}

/// An object type.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
pub(crate) struct ObjectType {
    #[serde(rename = "type")]
    word: &'static str,
    pub properties: BTreeMap<String, Property>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub required: Vec<String>,
}

/// A property of a component or an object type.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
pub(crate) struct Property {
    #[serde(flatten)]
    pub ty: PropertyType,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub secret: bool,
}

/// The type of a property, an item or a member of a union.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PropertyType {
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub word: Option<&'static str>,
    #[serde(rename = "$ref", skip_serializing_if = "Option::is_none")]
    reference: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<Box<PropertyType>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_properties: Option<Box<PropertyType>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    one_of: Vec<PropertyType>,
}

/// A package that types refer to.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Dependency {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    #[serde(rename = "downloadURL", skip_serializing_if = "Option::is_none")]
    download_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameterization: Option<Parameter>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct Parameter {
    name: String,
    version: String,
    value: String,
}

impl<'p> SchemaDocument<'p> {
    /// The document of a package without members.
    pub fn of(package: &'p ComponentPackage) -> Self {
        let settings = || LanguageSettings { respect_schema_version: true };
        Self {
            name: package.name(),
            version: package.version().to_string(),
            language: LANGUAGES.into_iter().map(|language| (language, settings())).collect(),
            dependencies: Vec::new(),
            types: BTreeMap::new(),
            resources: BTreeMap::new(),
        }
    }

    /// The shortest text, for the reader of schemas.
    pub fn compact(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// The text, with a line ending behind it. Values in memory are JSON whatever they are.
    pub fn text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

impl ObjectType {
    /// An object type without properties.
    pub fn new() -> Self {
        Self { word: "object", ..Self::default() }
    }
}

impl PropertyType {
    /// A type that the schema has a word for.
    pub fn word(word: &'static str) -> Self {
        Self { word: Some(word), ..Self::default() }
    }

    /// Any value.
    pub fn any() -> Self {
        Self::reference("pulumi.json#/Any")
    }

    /// The member that a `$ref` leads to.
    pub fn reference(reference: impl Into<String>) -> Self {
        Self { reference: Some(reference.into()), ..Self::default() }
    }

    /// A list.
    pub fn list(items: Self) -> Self {
        Self { items: Some(Box::new(items)), ..Self::word("array") }
    }

    /// A map.
    pub fn map(values: Self) -> Self {
        Self { additional_properties: Some(Box::new(values)), ..Self::word("object") }
    }

    /// One of at least two types.
    pub fn one_of(one_of: Vec<Self>) -> Self {
        Self { one_of, ..Self::default() }
    }
}

impl Dependency {
    /// The package that a program uses.
    pub fn of(used: &PackageReference) -> Self {
        let version = used.version.as_ref().map(ToString::to_string);
        let download_url = used.download_url.clone();
        match &used.base {
            None => Self { name: used.name.clone(), version, download_url, parameterization: None },
            Some(base) => Self {
                name: base.name.clone(),
                version: base.version.as_ref().map(ToString::to_string),
                download_url,
                parameterization: Some(Parameter {
                    name: used.name.clone(),
                    version: version.unwrap_or_default(),
                    value: STANDARD.encode(&base.parameter),
                }),
            },
        }
    }
}
