//! The records of a schema document as JSON has them, borrowed from it.
//!
//! The rules of reading: keys that nobody needs are stepped over (descriptions are never
//! unescaped), of several equal keys the last counts, `null` is the same as absent, a value of the
//! wrong kind fails the member.

use crate::json::{Reader, Result, Scalar, Text, Value};

/// The entries of an object in document order.
#[derive(Debug, Clone)]
pub(crate) struct RawEntries<'de, T>(pub Vec<(Text<'de>, T)>);

impl<T> Default for RawEntries<'_, T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Value<'de>> Value<'de> for RawEntries<'de, T> {
    fn read(reader: &mut Reader<'de>) -> Result<Self> {
        let mut entries = Vec::new();
        reader.object(|reader, key| {
            entries.push((key, T::read(reader)?));
            Ok(())
        })?;
        Ok(Self(entries))
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
            #[inline]
            fn take(&mut self, key: &str, reader: &mut Reader<'de>) -> Result<bool> {
                match key {
                    $($key => self.$field = Value::read(reader)?,)*
                    _ => {
                        $(if self.$inner.take(key, reader)? { return Ok(true); })?
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }

        impl<'de> Value<'de> for $name<'de> {
            fn read(reader: &mut Reader<'de>) -> Result<Self> {
                let mut record = $name::default();
                if reader.null()? {
                    return Ok(record);
                }
                reader.object(|reader, key| if record.take(&key, reader)? {
Ok(())
                } else {
reader.skip()
                })?;
                Ok(record)
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
        "discriminator" => discriminator: Box<RawDiscriminator<'de>>,
        "plain" => plain: Scalar<'de>,
    }
    RawDiscriminator {
        "propertyName" => property: Text<'de>,
        "mapping" => mapping: RawEntries<'de, Text<'de>>,
    }
    RawProperty {
        "const" => constant: Scalar<'de>,
        "default" => default: Scalar<'de>,
        "defaultInfo" => default_info: Box<RawDefaultInfo<'de>>,
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
