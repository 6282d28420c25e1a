//! An expression that is bound by itself, for passes to go over.

use pcl_diagnostics::{FileId, Policy, Reporter};
use pcl_model::expression::{Checker, ExprArena, ExprId, Names, print};
use pcl_model::scope::{Definition, ScopeId, Scopes};
use pcl_model::types::TypeStore;
use pcl_test_support::type_text::parse_type;

use super::World;

/// Variables and their types.
pub type Variables = &'static [(&'static str, &'static str)];

pub struct Case {
    pub types: TypeStore,
    pub scopes: Scopes,
    pub exprs: ExprArena,
    pub reporter: Reporter,
    pub scope: ScopeId,
    pub root: ExprId,
}

impl Case {
    /// `None` when the expression has mistakes.
    pub fn bind(text: &str, names: &[Variables]) -> Option<Self> {
        let case = Self::bind_any(text, names);
        (case.reporter.tally().errors == 0).then_some(case)
    }

    pub fn bind_any(text: &str, names: &[Variables]) -> Self {
        let tree = pcl_syntax::parse_expression(text);
        assert!(tree.errors().is_empty(), "does not parse: {text}");
        let (mut types, mut scopes) = (TypeStore::new(), Scopes::new());
        let scope = scopes.new_root();
        for (name, ty) in names.iter().copied().flatten() {
            let ty = parse_type(&mut types, ty).unwrap();
            let definition = Definition::variable(types.symbol(name), ty);
            scopes.define(scope, definition).unwrap();
        }
        let (mut exprs, mut reporter) = (ExprArena::new(), Reporter::default());
        let root = Checker {
            types: &mut types,
            scopes: &mut scopes,
            exprs: &mut exprs,
            reporter: &mut reporter,
            names: Names::Values,
            own: None,
            file: FileId(0),
        }
        .bind(tree.expression().unwrap(), scope);
        Self { types, scopes, exprs, reporter, scope, root }
    }

    pub fn pass(&mut self, pass: impl FnOnce(&mut Checker<'_>, ScopeId, ExprId) -> ExprId) {
        let mut checker = Checker {
            types: &mut self.types,
            scopes: &mut self.scopes,
            exprs: &mut self.exprs,
            reporter: &mut self.reporter,
            names: Names::Values,
            own: None,
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
            policy: Policy::default(),
        };
        // What a pass leaves is one stretch only after it was copied.
        world.meaning(self.root)
    }
}
