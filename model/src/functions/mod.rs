//! Functions: the parameters and results of calls.
//!
//! A [`Callable`] computes its [`Signature`] once per call, after the arguments are bound, since
//! most functions of the language are generic: `element` returns an element of its list. The
//! functions of the language are rows of [`pcl_language::Function`]; the binder supplies `invoke`
//! and `call`, which need package schemas.

mod builtin;
pub(crate) mod function;

use pcl_language::{Area, Function, FunctionRow, TypeFunction};

pub use self::builtin::{pretty, returns, usage};
pub use self::function::{
    Argument, Arguments, CallContext, CallSite, Callable, Parameter, Signature,
};
use crate::scope::{Definition, ScopeId, Scopes};
use crate::types::{TypeId, TypeStore};

/// The functions of the language that a scope knows.
#[derive(Clone, Copy)]
pub enum Library {
    /// Those of expressions, without those that the binder supplies.
    Expressions,
    /// Those that build types in type labels.
    TypeLabels,
}

impl Library {
    /// The function of that name.
    pub(crate) fn get(self, name: &str) -> Option<&'static FunctionRow> {
        match self {
            Self::Expressions => {
                Function::parse(name).map(Function::row).filter(|row| row.area != Area::Packages)
            }
            Self::TypeLabels => TypeFunction::parse(name).map(TypeFunction::row),
        }
    }

    /// The names of all functions.
    pub(crate) fn names<'n>(self) -> impl Iterator<Item = &'n str> {
        let names: Vec<&str> = match self {
            Self::Expressions => Function::ALL.iter().map(|it| it.name()).collect(),
            Self::TypeLabels => TypeFunction::ALL.iter().map(|it| it.name()).collect(),
        };
        names.into_iter().filter(move |name| self.get(name).is_some())
    }
}

impl Scopes {
    /// A new outermost scope with the functions of the language, as a program has it.
    pub fn new_root(&mut self) -> ScopeId {
        let id = self.new_scope(None);
        self.use_library(id, Library::Expressions);
        id
    }

    /// A new outermost scope in which type labels are read: the names of types, and functions that
    /// build types.
    pub fn new_type_labels(&mut self, types: &mut TypeStore) -> ScopeId {
        let id = self.new_scope(None);
        self.use_library(id, Library::TypeLabels);
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
