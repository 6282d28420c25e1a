//! The member of a union that a value is.

use std::sync::Arc;

use pcl_schema::{Package, Primitive, TypeKind, TypeSpec, UnionSpec};
use pcl_state::json::Value;
use pcl_state::value::Property;

use crate::importer::Importer;
use crate::inputs::INTERNAL;
use crate::schema_values::is_constant;
use crate::schemas::Resolved;

/// The most comparisons of a value with the members of unions.
const MAX_STEPS: usize = 10_000;

impl Importer<'_, '_> {
    /// The member of a union that a value is: the one that the discriminator selects, else the
    /// first one that has all keys of the value, else the first one that fits otherwise.
    pub fn member<'t>(
        &mut self,
        package: &Arc<Package>,
        union: &'t UnionSpec,
        value: Value<'_>,
        steps: &mut usize,
    ) -> Option<&'t TypeSpec> {
        if let Some(discriminator) = &union.discriminator
            && let Some(tag) = value.get(&discriminator.property).and_then(Value::string)
        {
            let target = discriminator.mapped(&tag).unwrap_or(&tag);
            let target = target.rsplit('/').next().unwrap_or(target).replace("%2F", "/");
            let selected = union.elements.iter().find(|element| {
                let TypeKind::Reference(pcl_schema::Reference::Type(member)) = &element.kind else {
                    return false;
                };
                let token = package.token(*member);
                token == target
                    || token.ends_with(&target) && target.contains(':')
                    || token.rsplit(':').next() == Some(&*target)
            });
            if selected.is_some() {
                return selected;
            }
        }
        [true, false].into_iter().find_map(|is_strict| {
            let mut elements = union.elements.iter();
            elements.find(|element| self.fits(package, element, value, is_strict, steps))
        })
    }

    /// Returns true if a value has the form of a type.
    fn fits(
        &mut self,
        package: &Arc<Package>,
        spec: &TypeSpec,
        value: Value<'_>,
        is_strict: bool,
        steps: &mut usize,
    ) -> bool {
        *steps += 1;
        if *steps > MAX_STEPS {
            return true;
        }
        let Ok(property) = Property::read(value) else { return false };
        if let Property::Secret(secret) = &property {
            return match secret.unmarked(&pcl_state::Keys::default()) {
                Some(opened) => self.fits(package, spec, opened.root(), is_strict, steps),
                None => true,
            };
        }
        let primitive = |primitive: Primitive| match (primitive, &property) {
            (Primitive::Boolean, Property::Bool(_))
            | (Primitive::Number, Property::Number(_))
            | (Primitive::String, Property::String(_) | Property::Bytes(_)) => true,
            (Primitive::Integer, Property::Number(number)) => number.trunc() == *number,
            _ => false,
        };
        match self.schemas.resolve(package, spec) {
            Resolved::Spec(spec) => match (&spec.kind, &property) {
                (TypeKind::Primitive(expected), _) => primitive(*expected),
                (TypeKind::Asset, Property::Asset(_) | Property::Archive(_))
                | (TypeKind::Archive, Property::Archive(_))
                | (TypeKind::Any, _)
                | (TypeKind::Json, Property::String(_)) => true,
                (TypeKind::Array(item), Property::List(list)) => {
                    let mut elements = list.elements();
                    elements.all(|it| self.fits(package, item, it, is_strict, steps))
                }
                (TypeKind::Map(item), Property::Object(object)) => {
                    let mut entries = object.entries();
                    entries.all(|(_, it)| self.fits(package, item, it, is_strict, steps))
                }
                (TypeKind::Union(union), _) => {
                    let mut elements = union.elements.iter();
                    elements.any(|it| self.fits(package, it, value, is_strict, steps))
                }
                _ => false,
            },
            Resolved::Object(object) => match (&property, object.properties()) {
                (Property::Object(fields), Some(properties)) => {
                    let has_all =
                        properties.iter().all(|(name, spec)| match fields.present(name) {
                            None => !spec.required,
                            Some(value) => {
                                let constant = spec.constant.as_ref();
                                constant.is_none_or(|constant| is_constant(value, constant))
                                    && self.fits(&object.package, &spec.ty, value, is_strict, steps)
                            }
                        });
                    let knows_all = || {
                        let mut keys = fields.entries().map(|(key, _)| key.text());
                        keys.all(|key| properties.contains_key(&key) || INTERNAL.contains(&&*key))
                    };
                    has_all && (!is_strict || knows_all())
                }
                _ => false,
            },
            Resolved::Enum(Some(expected)) => primitive(expected),
            Resolved::Resource => matches!(property, Property::Resource { .. }),
            Resolved::Enum(None) | Resolved::Unknown => true,
        }
    }
}
