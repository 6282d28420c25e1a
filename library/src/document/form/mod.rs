//! The JSON form of declarations, expressions and types.
//!
//! Each is one object whose fields depend on its `kind`. A form has the fields of all kinds, of
//! which a value has some: so a reader needs neither to see `kind` first nor to keep what it reads
//! until then. Fields that are empty, false or follow from others are left out.

mod expression;
mod node;
mod types;

use serde::ser::SerializeMap;
use serde::{Serialize, de};

/// A field that may be left out.
trait Optional: Default {
    fn is_absent(&self) -> bool;
}

impl<T> Optional for Option<T> {
    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

/// Defines a form, with each field and its name in JSON, and a visitor that reads the form and
/// passes it to a function.
///
/// `serde` would read each field into a variable and move all of them into the form, and the form
/// to its user, which takes longer than reading those that are there.
macro_rules! form {
    (
        $(#[$doc:meta])*
        $form:ident read by $visitor:ident with $read:ident -> $value:ty {
            $($(#[$field_doc:meta])* $field:ident: $ty:ty = $name:literal,)*
        }
    ) => {
        $(#[$doc])*
        #[derive(Default)]
        struct $form {
            $($(#[$field_doc])* $field: $ty,)*
        }

        struct $visitor;

        impl<'de> serde::de::Visitor<'de> for $visitor {
            type Value = $value;

            fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str("an object")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<$value, A::Error> {
                #[derive(serde::Deserialize)]
                #[serde(field_identifier)]
                #[expect(non_camel_case_types, reason = "these are the names of fields")]
                enum Field {
                    $(#[serde(rename = $name)] $field,)*
                    #[serde(other)]
                    unknown,
                }

                let mut form = $form::default();
                while let Some(field) = map.next_key()? {
                    match field {
                        $(Field::$field => {
                            if !super::Optional::is_absent(&form.$field) {
                                return Err(serde::de::Error::duplicate_field($name));
                            }
                            form.$field = map.next_value()?;
                        })*
                        Field::unknown => {
                            map.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                $read(&mut form)
            }
        }
    };
}

use form;

/// A field that the kind of an object requires.
fn required<T, E: de::Error>(field: Option<T>, name: &'static str) -> Result<T, E> {
    field.ok_or_else(|| E::missing_field(name))
}

/// The list of a field, which is empty if it is left out.
fn list<T>(field: &mut Option<Vec<T>>) -> Vec<T> {
    field.take().unwrap_or_default()
}

/// Writes the fields of an object.
struct Fields<M>(M);

impl<M: SerializeMap> Fields<M> {
    fn set<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), M::Error> {
        self.0.serialize_entry(name, value)
    }

    /// Sets a field unless there is no value.
    fn set_some<T: Serialize>(
        &mut self,
        name: &'static str,
        value: Option<T>,
    ) -> Result<(), M::Error> {
        value.map_or(Ok(()), |value| self.set(name, &value))
    }

    /// Sets a field unless the list is empty.
    fn set_list<T: Serialize>(&mut self, name: &'static str, list: &[T]) -> Result<(), M::Error> {
        match list {
            [] => Ok(()),
            _ => self.set(name, list),
        }
    }

    /// Sets a field if the flag is set.
    fn set_flag(&mut self, name: &'static str, flag: bool) -> Result<(), M::Error> {
        self.set_some(name, flag.then_some(true))
    }
}
