//! The member of a union to which an object belongs.
//!
//! The rules, with examples: `tests/spec/blocks/discriminated.md`, `tests/spec/run/inputs.md`.

use pcl_schema::{
    Constant, Discriminator, MemberId, Package, Properties, Reference, TypeDef, TypeKind, TypeSpec,
    UnionSpec,
};
use rustc_hash::FxHashMap;

use super::SchemaTypes;
use crate::packages::PackageIndex;

/// The fields of an object, as far as they decide to which member of a union it belongs.
pub trait Fields {
    /// Returns true if every name passes the test.
    fn all_names(&self, test: &mut dyn FnMut(&str) -> bool) -> bool;

    /// The value of the field of that name; `None` if the object has none.
    fn field(&self, name: &str) -> Option<Field>;
}

/// The value of a field of an object.
#[derive(Clone, PartialEq, Debug)]
pub enum Field {
    /// A constant.
    Constant(Constant),
    /// A value that is no constant, or is not known.
    Other,
}

impl SchemaTypes {
    /// The type of a union to which an object belongs: the only one that takes objects, the one
    /// that the discriminator selects or, in a union without a discriminator, the only one that has
    /// these fields. `None` if the object does not tell.
    ///
    /// Only the fields of the object itself count, so that the cost is that of the union.
    pub fn member<'u>(
        &self,
        package: PackageIndex,
        union: &'u UnionSpec,
        fields: &dyn Fields,
    ) -> Option<&'u TypeSpec> {
        let elements = union.elements.iter();
        let mut taking = elements.filter(|element| self.takes_objects(package, element));
        let first = taking.next()?;
        if taking.next().is_none() {
            return Some(first);
        }
        if let Some(discriminator) = &union.discriminator {
            return match fields.field(&discriminator.property)? {
                Field::Constant(Constant::String(value)) => {
                    self.selected(package, union, discriminator, &value)
                }
                _ => None,
            };
        }
        let elements = union.elements.iter();
        let mut fitting = elements.filter(|element| self.fits(package, element, fields));
        let only = fitting.next()?;
        fitting.next().is_none().then_some(only)
    }

    /// The type of a union to which a list belongs: the only one that takes lists.
    pub fn list_member(union: &UnionSpec) -> Option<&TypeSpec> {
        let mut taking = union.elements.iter().filter(|element| takes_lists(element));
        let only = taking.next()?;
        taking.next().is_none().then_some(only)
    }

    /// Returns whether an object or list in the place of a union has to tell to which of its types
    /// it belongs.
    pub(super) fn has_to_tell(&self, package: PackageIndex, union: &UnionSpec) -> bool {
        let elements = || union.elements.iter();
        let objects = elements().filter(|element| self.takes_objects(package, element));
        let lists = elements().filter(|element| takes_lists(element));
        objects.take(2).count() > 1 || lists.take(2).count() > 1
    }

    /// The type of a union that a value of its discriminator selects.
    pub(crate) fn selected<'u>(
        &self,
        package: PackageIndex,
        union: &'u UnionSpec,
        discriminator: &Discriminator,
        value: &str,
    ) -> Option<&'u TypeSpec> {
        let selecting = if discriminator.mapping.is_empty() {
            value
        } else {
            name_of(discriminator.mapped(value)?)
        };
        let table = || self.table(package, union, discriminator);
        let selected = match discriminator.selected(table) {
            Some(table) => table.get(selecting).copied(),
            None => union.elements.iter().position(|element| {
                self.selecting(package, discriminator, element).as_deref() == Some(selecting)
            }),
        };
        union.elements.get(selected?)
    }

    /// The positions of the elements of a union by what selects them, the first of several. `None`
    /// if one of them is of another package, which not every program has.
    fn table(
        &self,
        package: PackageIndex,
        union: &UnionSpec,
        discriminator: &Discriminator,
    ) -> Option<FxHashMap<Box<str>, usize>> {
        let mut table = FxHashMap::default();
        for (at, element) in union.elements.iter().enumerate() {
            if let TypeKind::Reference(Reference::External(_)) = element.kind {
                return None;
            }
            if let Some(selecting) = self.selecting(package, discriminator, element) {
                table.entry(selecting).or_insert(at);
            }
        }
        Some(table)
    }

    /// The name of an element that is an object type or, where a schema maps no values, its
    /// deciding value.
    fn selecting(
        &self,
        package: PackageIndex,
        discriminator: &Discriminator,
        element: &TypeSpec,
    ) -> Option<Box<str>> {
        let TypeKind::Reference(reference) = &element.kind else { return None };
        let (package, member) = self.object_of(package, reference)?;
        let schema = self.packages.package(package);
        if discriminator.mapping.is_empty() {
            constant(schema, member, &discriminator.property)
        } else {
            Some(name_of(schema.token(member)).into())
        }
    }

    // The depth is that of the text of the schema, which its reader limits.
    fn takes_objects(&self, package: PackageIndex, spec: &TypeSpec) -> bool {
        match &spec.kind {
            TypeKind::Map(_) | TypeKind::Any => true,
            TypeKind::Union(union) => {
                union.elements.iter().any(|element| self.takes_objects(package, element))
            }
            _ => self.properties_of(package, spec).is_some(),
        }
    }

    /// Returns whether an object can be of a type, as far as its own fields tell: it has all that
    /// the type requires but constants, which may be left out, and nothing else.
    fn fits(&self, package: PackageIndex, spec: &TypeSpec, fields: &dyn Fields) -> bool {
        match &spec.kind {
            TypeKind::Map(_) | TypeKind::Any => true,
            TypeKind::Union(union) => {
                union.elements.iter().any(|element| self.fits(package, element, fields))
            }
            _ => self.properties_of(package, spec).is_some_and(|properties| {
                let mut entries = properties.iter();
                let has_all =
                    entries.all(|(name, spec)| match (&spec.constant, fields.field(name)) {
                        (Some(only), Some(Field::Constant(given))) => *only == given,
                        (Some(_), _) | (_, Some(_)) => true,
                        (None, None) => !spec.required,
                    });
                has_all && fields.all_names(&mut |name| properties.contains_key(name))
            }),
        }
    }

    /// The properties of the object type that a spec names.
    fn properties_of(&self, package: PackageIndex, spec: &TypeSpec) -> Option<&Properties> {
        match &spec.kind {
            TypeKind::Reference(reference) => Some(self.object_properties(package, reference)?.2),
            _ => None,
        }
    }
}

fn takes_lists(spec: &TypeSpec) -> bool {
    match &spec.kind {
        TypeKind::Array(_) | TypeKind::Any => true,
        TypeKind::Union(union) => union.elements.iter().any(takes_lists),
        _ => false,
    }
}

/// The only string that a member which is an object type allows for a property.
fn constant(schema: &Package, member: MemberId, property: &str) -> Option<Box<str>> {
    let TypeDef::Object(properties) = schema.type_by_id(member).ok()?? else { return None };
    match &properties.get(property)?.constant {
        Some(Constant::String(value)) => Some(value.as_ref().into()),
        _ => None,
    }
}

/// The last part of a token or of a reference to one. Package and module are spelled in too many
/// ways to be compared.
fn name_of(token: &str) -> &str {
    token.rsplit(':').next().unwrap_or(token)
}
