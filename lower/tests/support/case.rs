//! An expression that is bound by itself, for passes to go over.

use pcl_diagnostics::{Diagnostic, FileId};
use pcl_model::expression::{CheckOptions, Checker, ExprArena, ExprId, print};
use pcl_model::scope::{Definition, ScopeId, Scopes};
use pcl_model::types::{TypeStore, parse_type};

use super::World;

/// Names and their types.
pub type Names = &'static [(&'static str, &'static str)];

pub struct Case {
    pub types: TypeStore,
    pub scopes: Scopes,
    pub exprs: ExprArena,
    pub findings: Vec<Diagnostic>,
    pub scope: ScopeId,
    pub root: ExprId,
}

impl Case {
    /// `None` when the expression has mistakes.
    pub fn bind(text: &str, names: &[Names]) -> Option<Self> {
        let case = Self::bind_any(text, names);
        (!case.findings.iter().any(Diagnostic::is_error)).then_some(case)
    }

    pub fn bind_any(text: &str, names: &[Names]) -> Self {
        let tree = pcl_syntax::parse_expression(text);
        assert!(tree.errors().is_empty(), "does not parse: {text}");
        let (mut types, mut scopes) = (TypeStore::new(), Scopes::new());
        let scope = scopes.new_root();
        for (name, ty) in names.iter().copied().flatten() {
            let ty = parse_type(&mut types, ty).unwrap();
            let definition = Definition::variable(types.symbol(name), ty);
            scopes.define(scope, definition).unwrap();
        }
        let (mut exprs, mut findings) = (ExprArena::new(), Vec::new());
        let root = Checker {
            types: &mut types,
            scopes: &mut scopes,
            exprs: &mut exprs,
            diagnostics: &mut findings,
            options: CheckOptions::default(),
            file: FileId(0),
        }
        .bind(tree.expression().unwrap(), scope);
        Self {
            types,
            scopes,
            exprs,
            findings,
            scope,
            root,
        }
    }

    pub fn pass(&mut self, pass: impl FnOnce(&mut Checker<'_>, ScopeId, ExprId) -> ExprId) {
        let mut checker = Checker {
            types: &mut self.types,
            scopes: &mut self.scopes,
            exprs: &mut self.exprs,
            diagnostics: &mut self.findings,
            options: CheckOptions::default(),
            file: FileId(0),
        };
        self.root = pass(&mut checker, self.scope, self.root);
    }

    pub fn text(&self) -> String {
        print(self.root, &self.exprs, &self.types, &self.scopes)
    }

    pub fn complaints(&mut self) -> Vec<String> {
        let mut world = World {
            types: &mut self.types,
            scopes: &mut self.scopes,
            exprs: &mut self.exprs,
            options: CheckOptions::default(),
        };
        // What a pass leaves is one stretch only after it was copied.
        world.meaning(self.root)
    }
}
