//! The libraries: the functions of the language by name, and the scopes that know them.

use std::sync::LazyLock;

use super::builtin::{AREAS, Area, LABEL_AREAS};
use super::function::{Function, Library};
use crate::scope::{Definition, ScopeId, Scopes};
use crate::types::{TypeId, TypeStore};

impl Library {
    /// The functions of the language.
    #[must_use]
    pub fn builtin() -> &'static Self {
        static LIBRARY: LazyLock<Library> = LazyLock::new(|| Library::of(rows(AREAS)));
        &LIBRARY
    }

    /// The functions that build types in type labels.
    #[must_use]
    pub fn type_labels() -> &'static Self {
        static LIBRARY: LazyLock<Library> = LazyLock::new(|| Library::of(rows(LABEL_AREAS)));
        &LIBRARY
    }
}

fn rows(areas: &'static [Area]) -> impl Iterator<Item = (&'static str, &'static dyn Function)> {
    let rows = areas.iter().flat_map(|area| area.functions);
    rows.map(|row| (row.name, row as &dyn Function))
}

impl Scopes {
    /// A new outermost scope with the functions of the language, as a program has it.
    pub fn new_root(&mut self) -> ScopeId {
        let id = self.new_scope(None);
        self.use_library(id, Library::builtin());
        id
    }

    /// A new outermost scope in which type labels are read: the names of types, and functions that
    /// build types.
    pub fn new_type_labels(&mut self, types: &mut TypeStore) -> ScopeId {
        let id = self.new_scope(None);
        self.use_library(id, Library::type_labels());
        for (name, ty) in [
            ("any", TypeId::DYNAMIC),
            ("bool", TypeId::BOOL),
            ("int", TypeId::INT),
            ("number", TypeId::NUMBER),
            ("string", TypeId::STRING),
        ] {
            let name = types.symbol(name);
            let _ = self.define(id, Definition::variable(name, ty));
        }
        id
    }
}
