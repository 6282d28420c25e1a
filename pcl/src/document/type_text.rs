//! Types as text for people.

use std::collections::HashMap;

use pcl_model::types::{TypeId, TypeStore};

use super::Document;
use super::index::TypeIndex;
use super::types::Type;

/// The depth up to which parts are shown.
const MAX_DEPTH: usize = 16;

impl Document {
    /// A type on one line: `list(string) | none`. Object types and enumerations of a schema are
    /// shown by their token. What is nested more than 16 deep is shown as `...`, and so are parts
    /// of a text of more than 16 KiB.
    #[must_use]
    pub fn type_text(&self, ty: TypeIndex) -> String {
        let mut shown = Shown { document: self, types: TypeStore::new(), known: HashMap::new() };
        let ty = shown.intern(ty, MAX_DEPTH);
        shown.types.text(ty)
    }
}

/// Types of a document as those that are shown.
struct Shown<'d> {
    document: &'d Document,
    types: TypeStore,
    /// Types share parts, so each is interned once for each depth that is left.
    known: HashMap<(TypeIndex, usize), TypeId>,
}

impl Shown<'_> {
    fn intern(&mut self, ty: TypeIndex, depth: usize) -> TypeId {
        let Some(inside) = depth.checked_sub(1) else {
            return self.types.opaque("...");
        };
        if let Some(known) = self.known.get(&(ty, depth)) {
            return *known;
        }
        let document = self.document;
        let shown = match document.ty(ty) {
            Type::None => TypeId::NONE,
            Type::Bool => TypeId::BOOL,
            Type::Int => TypeId::INT,
            Type::Number => TypeId::NUMBER,
            Type::String => TypeId::STRING,
            Type::Id => TypeId::ID,
            Type::Dynamic => TypeId::DYNAMIC,
            Type::Error => TypeId::ERROR,
            Type::Asset => TypeId::ASSET,
            Type::Archive => TypeId::ARCHIVE,
            Type::Property => TypeId::PROPERTY,
            Type::Opaque { name } => self.types.opaque(name),
            Type::Const { value, .. } => self.types.constant(value.into()),
            Type::Enum(enumeration) => self.types.opaque(&enumeration.token),
            Type::List { element } => {
                let element = self.intern(*element, inside);
                self.types.list(element)
            }
            Type::Set { element } => {
                let element = self.intern(*element, inside);
                self.types.set(element)
            }
            Type::Map { element } => {
                let element = self.intern(*element, inside);
                self.types.map(element)
            }
            Type::Output { element } => {
                let element = self.intern(*element, inside);
                self.types.output(element)
            }
            Type::Promise { element } => {
                let element = self.intern(*element, inside);
                self.types.promise(element)
            }
            Type::Tuple { elements } => {
                let elements = self.intern_all(elements, inside);
                self.types.tuple(&elements)
            }
            Type::Union(_) => {
                let members = self.intern_all(&document.members(ty), inside);
                self.types.union(members)
            }
            Type::Object(object) => match object.schema {
                Some(schema) => self.types.opaque(&document.member(schema.member).token),
                None => {
                    let mut properties = Vec::new();
                    for property in document.properties(ty) {
                        let name = self.types.symbol(&property.name);
                        properties.push((name, self.intern(property.ty, inside)));
                    }
                    self.types.object(properties)
                }
            },
        };
        self.known.insert((ty, depth), shown);
        shown
    }

    fn intern_all(&mut self, parts: &[TypeIndex], depth: usize) -> Vec<TypeId> {
        let parts = parts.iter();
        parts.map(|part| self.intern(*part, depth)).collect()
    }
}
