//! Values of a program as property values, and back.
//!
//! The rules: `tests/spec/run/value.md`.

use std::sync::Arc;

use pcl_number::Number;
use pcl_values::{Dependencies, PropertyMap, PropertyValue, ResourceId, ResourceReference};

use super::{Kind, Marks, Object, Resource, TooLarge, Value};

/// The form of resources among property values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum References {
    /// A resource is sent as a reference, which needs no dependency on the resource.
    Collapse,
    /// A resource is an object of its properties.
    Expand,
}

impl Value {
    /// The value for the engine; `Err` with the name of the failed resource if the value, or a part
    /// of it, depends on one.
    ///
    /// # Errors
    /// Returns the name of a failed resource on which the value or a part of it depends.
    pub fn to_property(&self, references: References) -> Result<PropertyValue, Arc<str>> {
        match self.poison() {
            Some(name) => Err(Arc::clone(name)),
            None => Ok(self.convert(references)),
        }
    }

    fn convert(&self, references: References) -> PropertyValue {
        let value = match &self.kind {
            Kind::Unknown | Kind::Poisoned(_) => PropertyValue::UNKNOWN,
            Kind::Null => PropertyValue::Null,
            Kind::Bool(value) => PropertyValue::Bool(*value),
            Kind::Number(number) => PropertyValue::Number(if number.is_negative_zero() {
                -0.0
            } else {
                number.to_f64()
            }),
            Kind::String(text) => PropertyValue::String(text.clone()),
            Kind::List(list) => {
                let elements = list.elements().iter();
                PropertyValue::Array(elements.map(|value| value.convert(references)).collect())
            }
            Kind::Object(object) => PropertyValue::Object(object.convert(references)),
            Kind::Resource(resource) => {
                let collapse = references == References::Collapse;
                match resource.known_fields().filter(|_| !collapse) {
                    Some(fields) => PropertyValue::Object(fields.convert(references)),
                    None => {
                        let urn = resource.urn();
                        let others = self.marks.dependencies().iter();
                        let others: Dependencies =
                            others.filter(|other| *other != urn).cloned().collect();
                        let value = PropertyValue::from(ResourceReference {
                            name: Box::default(),
                            kind: Box::default(),
                            ..resource.reference.clone()
                        });
                        return with_marks(value, self.marks.is_secret(), &others);
                    }
                }
            }
            Kind::Asset(asset) => PropertyValue::Asset(Arc::clone(asset)),
            Kind::Archive(archive) => PropertyValue::Archive(Arc::clone(archive)),
        };
        with_marks(value, self.marks.is_secret(), self.marks.dependencies())
    }

    /// The value that the engine answers. Floats that are not finite become null: no program can
    /// hold them.
    ///
    /// # Errors
    /// Returns an error if the value is too large.
    pub fn from_property(value: &PropertyValue) -> Result<Self, TooLarge> {
        Ok(match value {
            PropertyValue::Null => Self::NULL,
            PropertyValue::Bool(value) => (*value).into(),
            PropertyValue::Number(value) => Number::from_f64(*value).map_or(Self::NULL, Self::from),
            PropertyValue::String(text) => text.clone().into(),
            PropertyValue::Array(elements) => {
                let elements = elements.iter().map(Self::from_property);
                Self::list(elements.collect::<Result<_, _>>()?)?
            }
            PropertyValue::Object(properties) => {
                Kind::Object(Arc::new(Object::from_properties(properties)?)).into()
            }
            PropertyValue::Asset(asset) => Kind::Asset(Arc::clone(asset)).into(),
            PropertyValue::Archive(archive) => Kind::Archive(Arc::clone(archive)).into(),
            PropertyValue::Secret(inner) => Self::from_property(inner)?.secret(),
            PropertyValue::Computed(_) => Self::UNKNOWN,
            PropertyValue::Output(output) => {
                let value = match output.value() {
                    Some(value) => Self::from_property(value)?,
                    None => Self::UNKNOWN,
                };
                let marks = Marks::new(output.is_secret(), output.dependencies().clone());
                value.marked(&marks)
            }
            PropertyValue::Resource(reference) => {
                Resource::referred(reference.as_ref().clone()).into()
            }
        })
    }

    /// The id of a resource as a value.
    pub fn of_id(id: &ResourceId) -> Self {
        match id {
            ResourceId::Absent => Self::NULL,
            ResourceId::Unknown => Self::UNKNOWN,
            ResourceId::Known(id) => id.as_str().into(),
        }
    }
}

impl Object {
    fn convert(&self, references: References) -> PropertyMap {
        let fields = self.iter();
        fields.map(|(name, value)| (Arc::clone(name), value.convert(references))).collect()
    }

    /// The object of the properties that the engine answers.
    ///
    /// # Errors
    /// Returns an error if the object is too large.
    pub fn from_properties(properties: &PropertyMap) -> Result<Self, TooLarge> {
        let fields = properties.iter();
        let fields =
            fields.map(|(name, value)| Ok((Arc::clone(name), Value::from_property(value)?)));
        Self::new(fields.collect::<Result<_, _>>()?)
    }
}

fn with_marks(value: PropertyValue, is_secret: bool, dependencies: &Dependencies) -> PropertyValue {
    let value = value.depending_on(dependencies.clone());
    if is_secret { value.secret() } else { value }
}
