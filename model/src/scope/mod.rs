//! Scopes: the meaning of names at a place in the program.
//!
//! All scopes of a program live in one [`Scopes`] arena. A scope has three name spaces that never
//! clash: variables, outputs (an `output` block may share the name of a local, which then wins) and
//! functions. A reference is resolved from the innermost scope outwards and, in each scope, to
//! variables before outputs. A name may be given a new meaning in an inner scope.

pub(crate) mod definition;

use std::sync::Arc;

use pcl_diagnostics::{Comparisons, Span};
use rustc_hash::FxHashMap;

pub(crate) use self::definition::JoinedSum;
pub use self::definition::{
    Definition, DefinitionId, DefinitionKind, Guess, Meant, Recovered, ScopeId,
};
use crate::functions::{Callable, Library};
use crate::types::{Symbol, TypeId};

/// A function found by name.
#[derive(Clone)]
pub enum FunctionRef {
    /// One of the language.
    Static(&'static dyn Callable),
    /// One that the embedder or the binder supplies.
    Shared(Arc<dyn Callable>),
}

impl std::ops::Deref for FunctionRef {
    type Target = dyn Callable;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Static(function) => *function,
            Self::Shared(function) => &**function,
        }
    }
}

#[derive(Clone, Default)]
struct Scope {
    parent: Option<ScopeId>,
    /// The number of names that it defines, and its last definition.
    names: usize,
    last: Option<DefinitionId>,
    functions: FxHashMap<Box<str>, Arc<dyn Callable>>,
    library: Option<Library>,
}

/// The definitions of one name in a scope itself.
#[derive(Clone, Copy, Default)]
struct Meanings {
    variable: Option<DefinitionId>,
    output: Option<DefinitionId>,
}

/// The definitions of one name. Nearly every name is defined in one scope alone.
#[derive(Clone, Copy, Default)]
struct NameEntry {
    /// The first scope that defined it.
    scope: Option<ScopeId>,
    /// The definitions in that scope.
    meanings: Meanings,
    /// True when other scopes define it as well.
    elsewhere: bool,
}

/// All scopes and definitions of one program.
#[derive(Clone, Default)]
pub struct Scopes {
    scopes: Vec<Scope>,
    /// The definitions of each name, by its number.
    names: Vec<NameEntry>,
    /// The definitions of names that another scope defined first.
    elsewhere: FxHashMap<(ScopeId, Symbol), Meanings>,
    definitions: Vec<Definition>,
    /// For each definition the one that the same scope defined before it.
    previous: Vec<Option<DefinitionId>>,
    /// The misspelled names so far.
    comparisons: Comparisons,
    /// The names that were reported, with what they are taken for.
    recovered: FxHashMap<Span, Recovered>,
    /// The unknown names, with what they may be meant to be.
    pub(crate) guesses: FxHashMap<Span, Guess>,
    /// The last sum of strings.
    pub(crate) joined: Option<JoinedSum>,
}

impl Scopes {
    /// An arena without scopes.
    pub fn new() -> Self {
        Self::default()
    }

    /// A new scope inside `parent`.
    pub fn new_scope(&mut self, parent: Option<ScopeId>) -> ScopeId {
        let id = ScopeId(u32::try_from(self.scopes.len()).unwrap_or(u32::MAX));
        self.scopes.push(Scope { parent, ..Scope::default() });
        id
    }

    /// Makes the functions of `library` known in `scope`.
    pub fn use_library(&mut self, scope: ScopeId, library: Library) {
        self.scope_mut(scope).library = Some(library);
    }

    /// Makes room for so many more definitions.
    pub fn reserve(&mut self, more: usize) {
        self.definitions.reserve(more);
        self.previous.reserve(more);
        self.names.reserve(more);
    }

    /// Defines a name among the variables of `scope`.
    ///
    /// # Errors
    /// Returns the earlier definition, which stays, if the scope itself already has a variable of
    /// that name.
    pub fn define(
        &mut self,
        scope: ScopeId,
        definition: Definition,
    ) -> Result<DefinitionId, DefinitionId> {
        self.define_in(scope, definition, |meanings| &mut meanings.variable)
    }

    /// Defines a name among the outputs of `scope`.
    ///
    /// # Errors
    /// Returns the earlier definition, which stays, if the scope itself already has an output of
    /// that name.
    pub fn define_output(
        &mut self,
        scope: ScopeId,
        definition: Definition,
    ) -> Result<DefinitionId, DefinitionId> {
        self.define_in(scope, definition, |meanings| &mut meanings.output)
    }

    fn define_in(
        &mut self,
        scope: ScopeId,
        definition: Definition,
        space: impl Fn(&mut Meanings) -> &mut Option<DefinitionId>,
    ) -> Result<DefinitionId, DefinitionId> {
        let next = DefinitionId::from_index(self.definitions.len());
        let name = definition.name;
        let entry = entry_of(&mut self.names, name);
        let meanings = if *entry.scope.get_or_insert(scope) == scope {
            &mut entry.meanings
        } else {
            entry.elsewhere = true;
            self.elsewhere.entry((scope, name)).or_default()
        };
        let meaning = space(meanings);
        if let Some(earlier) = *meaning {
            return Err(earlier);
        }
        *meaning = Some(next);
        self.definitions.push(definition);
        let scope = self.scope_mut(scope);
        scope.names += 1;
        let previous = scope.last.replace(next);
        self.previous.push(previous);
        Ok(next)
    }

    /// Makes a function known in `scope`; it hides one of the same name in outer scopes and in the
    /// scope's library.
    pub fn define_function(&mut self, scope: ScopeId, name: &str, function: Arc<dyn Callable>) {
        self.scope_mut(scope).functions.insert(name.into(), function);
    }

    /// A definition that no name leads to: the item of a splat.
    pub fn define_anonymous(&mut self, definition: Definition) -> DefinitionId {
        let id = DefinitionId::from_index(self.definitions.len());
        self.definitions.push(definition);
        self.previous.push(None);
        id
    }

    /// The definition that `name` refers to at a place in `scope`.
    pub fn lookup(&self, scope: ScopeId, name: Symbol) -> Option<DefinitionId> {
        let entry = self.names.get(name.index())?;
        let found = self.outwards(scope).find_map(|(scope, _)| {
            if entry.scope == Some(scope) {
                return Some(&entry.meanings);
            }
            if entry.elsewhere { self.elsewhere.get(&(scope, name)) } else { None }
        })?;
        found.variable.or(found.output)
    }

    /// The function that `name` calls at a place in `scope`.
    pub fn lookup_function(&self, scope: ScopeId, name: &str) -> Option<FunctionRef> {
        self.outwards(scope).find_map(|(_, scope)| {
            if let Some(function) = scope.functions.get(name) {
                return Some(FunctionRef::Shared(Arc::clone(function)));
            }
            let function = scope.library?.get(name)?;
            Some(FunctionRef::Static(function))
        })
    }

    /// Every name that can be referred to in `scope`, unordered; a name defined twice appears
    /// twice.
    pub fn visible_names(&self, scope: ScopeId) -> impl Iterator<Item = Symbol> + '_ {
        let last = self.outwards(scope).map(|(_, scope)| scope.last);
        last.flat_map(|last| std::iter::successors(last, |id| *self.previous.get(id.index())?))
            .map(|id| self.definition(id).name)
    }

    /// The visible names to compare the misspelled `name` with; none any more when it is one of too
    /// many.
    pub fn names_to_compare(
        &mut self,
        scope: ScopeId,
        name: &str,
    ) -> impl Iterator<Item = Symbol> + '_ {
        let count = self.outwards(scope).map(|(_, scope)| scope.names).sum();
        let may = self.comparisons.may_compare(name, count);
        let names = may.then(|| self.visible_names(scope));
        names.into_iter().flatten()
    }

    /// The number of the scope around all others that a scope is in: that of its program.
    pub(crate) fn root_of(&self, scope: ScopeId) -> u32 {
        self.outwards(scope).last().map_or(scope, |(root, _)| root).0
    }

    /// The comparisons of misspelled names with what they may mean; those of a program have one
    /// limit.
    pub fn comparisons(&mut self) -> &mut Comparisons {
        &mut self.comparisons
    }

    /// Takes the undefined name at `span`, which was reported, for something else.
    pub fn recover(&mut self, span: Span, recovered: Recovered) {
        self.recovered.insert(span, recovered);
    }

    /// The meaning that an undefined name was given.
    pub fn recovered(&self, span: Span) -> Option<&Recovered> {
        self.recovered.get(&span)
    }

    /// Forgets what unknown names and sums may be meant to be, once the declaration that they are
    /// in is checked. Returns the guesses of names of declarations, in the order of the text:
    /// [`judge_guess`](crate::expression::Checker::judge_guess) judges them once all are bound.
    pub fn take_guesses(&mut self) -> Vec<Guess> {
        self.joined = None;
        if self.guesses.is_empty() {
            return Vec::new();
        }
        let guesses = std::mem::take(&mut self.guesses).into_values();
        let is_declared = |guess: &Guess| {
            let meant = guess.meant.map(|meant| self.definition(meant));
            meant.is_some_and(|meant| meant.kind.node().is_some())
        };
        let mut guesses: Vec<Guess> = guesses.filter(is_declared).collect();
        guesses.sort_unstable_by_key(|guess| guess.span);
        guesses
    }

    /// Every function that can be called in `scope`, unordered.
    pub fn visible_functions(&self, scope: ScopeId) -> impl Iterator<Item = &str> {
        self.outwards(scope).flat_map(|(_, scope)| {
            let library = scope.library.into_iter().flat_map(|library| library.names());
            scope.functions.keys().map(|name| &**name).chain(library)
        })
    }

    /// The definition behind an id.
    #[expect(
        clippy::indexing_slicing,
        reason = "a definition id is the position of a definition in its arena, which only grows"
    )]
    pub fn definition(&self, id: DefinitionId) -> &Definition {
        &self.definitions[id.index()]
    }

    /// Sets the type of references to a definition, once it is known.
    pub fn set_type(&mut self, id: DefinitionId, ty: TypeId) {
        self.definition_mut(id).ty = ty;
    }

    /// Sets the name of a definition that no scope leads to, once it is known.
    pub fn set_name(&mut self, id: DefinitionId, name: Symbol) {
        self.definition_mut(id).name = name;
    }

    #[expect(
        clippy::indexing_slicing,
        reason = "a definition id is the position of a definition in its arena, which only grows"
    )]
    fn definition_mut(&mut self, id: DefinitionId) -> &mut Definition {
        &mut self.definitions[id.index()]
    }

    #[expect(
        clippy::indexing_slicing,
        reason = "a scope id is the position of a scope in its arena, which only grows"
    )]
    fn scope(&self, id: ScopeId) -> &Scope {
        &self.scopes[id.0 as usize]
    }

    #[expect(
        clippy::indexing_slicing,
        reason = "a scope id is the position of a scope in its arena, which only grows"
    )]
    fn scope_mut(&mut self, id: ScopeId) -> &mut Scope {
        &mut self.scopes[id.0 as usize]
    }

    fn outwards(&self, scope: ScopeId) -> impl Iterator<Item = (ScopeId, &Scope)> + '_ {
        let mut next = Some(scope);
        std::iter::from_fn(move || {
            let id = next?;
            let scope = self.scope(id);
            next = scope.parent;
            Some((id, scope))
        })
    }
}

/// The entry of a name, which is added when there is none.
#[expect(clippy::indexing_slicing, reason = "the table is made long enough just before")]
fn entry_of(names: &mut Vec<NameEntry>, name: Symbol) -> &mut NameEntry {
    if names.len() <= name.index() {
        names.resize(name.index() + 1, NameEntry::default());
    }
    &mut names[name.index()]
}

/// A moment in the life of an arena of scopes, see [`Scopes::end`].
#[derive(Clone, Copy, Debug)]
pub struct ScopesEnd {
    scopes: usize,
    definitions: usize,
}

impl Scopes {
    /// The end of the scopes and definitions that were added so far.
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
