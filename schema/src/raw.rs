//! The records of a schema document as JSON has them, borrowed from it.
//!
//! The rules of reading: keys that nobody needs are stepped over (descriptions are never
//! unescaped), of several equal keys the last counts, `null` is the same as absent, a value of the
//! wrong kind fails the member.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A string, borrowed when it has no escapes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Text<'de>(pub Cow<'de, str>);

impl std::ops::Deref for Text<'_> {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Text<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextVisitor;
        impl<'de> Visitor<'de> for TextVisitor {
            type Value = Text<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Borrowed(text)))
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(TextVisitor)
    }
}

/// The entries of an object in document order.
#[derive(Debug, Clone)]
pub(crate) struct RawEntries<'de, T>(pub Vec<(Text<'de>, T)>);

impl<T> Default for RawEntries<'_, T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for RawEntries<'de, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct EntriesVisitor<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for EntriesVisitor<T> {
            type Value = RawEntries<'de, T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(RawEntries(entries))
            }
        }
        deserializer.deserialize_map(EntriesVisitor(std::marker::PhantomData))
    }
}

/// A value that a constant or a removed key may have, decoded only as far as needed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Scalar<'de> {
    Boolean(bool),
    Number(f64),
    String(Text<'de>),
    /// A list, by the number of its elements.
    List(usize),
    Object,
}

impl<'de> Deserialize<'de> for Scalar<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ScalarVisitor;
        impl<'de> Visitor<'de> for ScalarVisitor {
            type Value = Scalar<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value")
            }
            fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
                Ok(Scalar::Boolean(value))
            }
            fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
                Ok(Scalar::Number(value))
            }
            fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
                Ok(Scalar::Number(value as f64))
            }
            fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
                Ok(Scalar::Number(value as f64))
            }
            fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Scalar::String(Text(Cow::Borrowed(text))))
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Scalar::String(Text(Cow::Owned(text.to_owned()))))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                let mut length = 0;
                while list.next_element::<IgnoredAny>()?.is_some() {
                    length += 1;
                }
                Ok(Scalar::List(length))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Scalar::Object)
            }
        }
        deserializer.deserialize_any(ScalarVisitor)
    }
}

/// Declares records: a struct whose fields are all optional, read from an object by the keys given.
/// `..field: Record` reads the keys of another record from the same object.
macro_rules! record {
    ($($(#[$doc:meta])* $name:ident { $($key:literal => $field:ident: $ty:ty,)* $(..$inner:ident: $inner_ty:ty,)? })*) => { $(
        $(#[$doc])*
        #[derive(Debug, Clone, Default)]
        pub(crate) struct $name<'de> {
            $(pub $field: Option<$ty>,)*
            $(pub $inner: $inner_ty,)?
            marker: std::marker::PhantomData<&'de ()>,
        }

        impl<'de> $name<'de> {
            /// Reads the value of a key that the record has; says whether it has.
            fn take<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<bool, A::Error> {
                match key {
                    $($key => self.$field = map.next_value()?,)*
                    _ => {
                        $(if self.$inner.take(key, map)? { return Ok(true); })?
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }

        impl<'de> Deserialize<'de> for $name<'de> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct RecordVisitor;
                impl<'de> Visitor<'de> for RecordVisitor {
                    type Value = $name<'de>;
                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str("an object")
                    }
                    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
                        Ok($name::default())
                    }
                    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                        let mut record = $name::default();
                        while let Some(key) = map.next_key::<Text<'de>>()? {
                            if !record.take(&key, &mut map)? {
                                map.next_value::<IgnoredAny>()?;
                            }
                        }
                        Ok(record)
                    }
                }
                deserializer.deserialize_any(RecordVisitor)
            }
        }
    )* };
}

record! {
    /// A type spec.
    RawType {
        "type" => word: Text<'de>,
        "$ref" => reference: Text<'de>,
        "items" => items: Box<RawType<'de>>,
        "additionalProperties" => additional: Box<RawType<'de>>,
        "oneOf" => one_of: Vec<RawType<'de>>,
        "discriminator" => discriminator: RawDiscriminator<'de>,
        "plain" => plain: Scalar<'de>,
    }
    RawDiscriminator {
        "propertyName" => property: Text<'de>,
        "mapping" => mapping: RawEntries<'de, Text<'de>>,
    }
    RawProperty {
        "const" => constant: Scalar<'de>,
        "default" => default: Scalar<'de>,
        "defaultInfo" => default_info: RawDefaultInfo<'de>,
        "secret" => secret: bool,
        "replaceOnChanges" => replace_on_changes: bool,
        "deprecationMessage" => deprecation: Text<'de>,
        ..ty: RawType<'de>,
    }
    RawDefaultInfo {
        "environment" => environment: Vec<Text<'de>>,
    }
    /// An entry of `types`, or one of the anonymous objects of resources and functions.
    RawObject {
        "type" => word: Text<'de>,
        "properties" => properties: RawEntries<'de, RawProperty<'de>>,
        "required" => required: Vec<Text<'de>>,
        "plain" => plain: Scalar<'de>,
        "enum" => values: Vec<RawEnumValue<'de>>,
    }
    /// An entry of `types` as far as it tells an object from an enumeration.
    RawKind {
        "type" => word: Text<'de>,
    }
    /// The part of any member that says what it is for.
    RawDescription {
        "description" => description: Text<'de>,
    }
    RawEnumValue {
        "value" => value: Scalar<'de>,
        "name" => name: Text<'de>,
        "deprecationMessage" => deprecation: Text<'de>,
    }
    RawResource {
        "inputProperties" => inputs: RawEntries<'de, RawProperty<'de>>,
        "requiredInputs" => required_inputs: Vec<Text<'de>>,
        "plainInputs" => plain_inputs: Scalar<'de>,
        "stateInputs" => state_inputs: RawObject<'de>,
        "listInputs" => list_inputs: RawObject<'de>,
        "isComponent" => is_component: bool,
        "deprecationMessage" => deprecation: Text<'de>,
        "methods" => methods: RawEntries<'de, Text<'de>>,
        ..object: RawObject<'de>,
    }
    RawFunction {
        "inputs" => inputs: RawObject<'de>,
        "multiArgumentInputs" => multi_argument: Vec<Text<'de>>,
        "outputs" => outputs: RawReturn<'de>,
        "plain" => plain: bool,
        "deprecationMessage" => deprecation: Text<'de>,
    }
    /// The result of a function: an object when there are `properties`, else a type spec.
    RawReturn {
        "properties" => properties: RawEntries<'de, RawProperty<'de>>,
        "required" => required: Vec<Text<'de>>,
        ..ty: RawType<'de>,
    }
    /// The configuration of a package.
    RawConfig {
        "variables" => variables: RawEntries<'de, RawProperty<'de>>,
        "defaults" => defaults: Vec<Text<'de>>,
    }
    RawMeta {
        "moduleFormat" => module_format: Text<'de>,
    }
    RawDependency {
        "name" => name: Text<'de>,
        "version" => version: Text<'de>,
        "downloadURL" => download_url: Text<'de>,
        "pluginDownloadURL" => plugin_download_url: Text<'de>,
        "parameterization" => parameterization: RawPackageParameter<'de>,
    }
    RawPackageParameter {
        "name" => name: Text<'de>,
        "version" => version: Text<'de>,
        "value" => value: Text<'de>,
    }
    /// `parameterization` and `extensionParameterization` of the header.
    RawParameterization {
        "baseProvider" => base: RawBaseProvider<'de>,
        "parameter" => parameter: Text<'de>,
    }
    RawBaseProvider {
        "name" => name: Text<'de>,
        "version" => version: Text<'de>,
    }
}
