//! Removal of the newest scopes with their definitions.

use super::{DefinitionId, Meanings, ScopeId, Scopes};

/// A moment in the life of an arena of scopes, see [`Scopes::end`].
#[derive(Clone, Copy, Debug)]
pub struct ScopesEnd {
    scopes: usize,
    definitions: usize,
}

impl Scopes {
    /// The end of the scopes and definitions that were added so far.
    #[must_use]
    pub fn end(&self) -> ScopesEnd {
        ScopesEnd { scopes: self.scopes.len(), definitions: self.definitions.len() }
    }

    /// Removes the scopes and definitions that were added since `end`. Their ids must not be used
    /// any more, and nothing may have been defined in an older scope since then.
    pub fn truncate(&mut self, end: ScopesEnd) {
        for number in end.scopes..self.scopes.len() {
            let scope = ScopeId(u32::try_from(number).unwrap_or(u32::MAX));
            let mut next = self.scopes.get(number).and_then(|scope| scope.last);
            while let Some(definition) = next {
                next = self.previous.get(definition.index()).copied().flatten();
                self.forget(scope, definition);
            }
        }
        self.scopes.truncate(end.scopes);
        self.definitions.truncate(end.definitions);
        self.previous.truncate(end.definitions);
    }

    /// Removes the way from a name to its definition in a scope.
    fn forget(&mut self, scope: ScopeId, definition: DefinitionId) {
        let name = self.definition(definition).name;
        match self.names.get_mut(name.index()) {
            Some(entry) if entry.scope == Some(scope) => {
                entry.scope = None;
                entry.meanings = Meanings::default();
            }
            _ => {
                self.elsewhere.remove(&(scope, name));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::scope::{Definition, ScopeId, Scopes};
    use crate::types::{TypeId, TypeStore};

    #[test]
    fn names_are_as_they_were_before() {
        let mut types = TypeStore::new();
        let mut scopes = Scopes::new();
        let root = scopes.new_root();
        let [outer, inner] = ["outer", "inner"].map(|name| types.symbol(name));
        let define = |scopes: &mut Scopes, scope: ScopeId, name| {
            let definition = Definition::variable(name, TypeId::STRING);
            scopes.define(scope, definition).ok()
        };
        let declared = define(&mut scopes, root, outer);
        let end = scopes.end();
        // The second round finds what the first one left.
        for _ in 0..2 {
            let [first, second] = [(); 2].map(|()| scopes.new_scope(Some(root)));
            for scope in [first, second] {
                let hidden = define(&mut scopes, scope, outer);
                let own = define(&mut scopes, scope, inner);
                assert!(own.is_some() && hidden.is_some());
                assert_eq!(scopes.lookup(scope, inner), own);
                assert_eq!(scopes.lookup(scope, outer), hidden);
            }
            scopes.truncate(end);
            assert_eq!(scopes.lookup(root, outer), declared);
            assert_eq!(scopes.lookup(root, inner), None);
            assert_eq!(scopes.visible_names(root).count(), 1);
        }
        assert!(define(&mut scopes, root, inner).is_some());
    }
}
