//! The resources that a program declares.
//!
//! The rules, with examples: `tests/spec/import/select.md`.

use std::borrow::Cow;

use pcl_state::{NeedKind, Resource, State};
use rustc_hash::FxHashMap;

/// The way in which a program has a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Declared {
    /// By a `resource` block.
    Resource,
    /// By a `read` block.
    Read,
    /// By a `component` block with a token.
    Component,
    /// Not at all: Pulumi makes it, or the provider of the component around it does.
    Not,
}

/// The resources of a state, and those that a program declares.
pub(crate) struct Selection<'s> {
    /// All resources that are not to be deleted.
    pub all: Vec<Resource<'s>>,
    /// The way in which a program has each of them.
    pub declared: Vec<Declared>,
    /// The places of those in the program, in the order of the state.
    pub written: Vec<usize>,
    by_urn: FxHashMap<Cow<'s, str>, usize>,
    /// The number of resources that the provider of each component makes.
    pub made: FxHashMap<usize, usize>,
}

impl<'s> Selection<'s> {
    /// The resources with these URNs and all that they need, or all resources if there are none.
    pub fn new(state: &'s State, urns: &[String]) -> Result<Self, String> {
        let all: Vec<Resource<'s>> = state.resources().filter(|it| !it.is_deleted()).collect();
        let by_urn = all.iter().enumerate().map(|(at, it)| (it.urn(), at)).collect();
        let mut selection = Self {
            declared: Vec::with_capacity(all.len()),
            written: Vec::new(),
            by_urn,
            made: FxHashMap::default(),
            all,
        };
        for at in 0..selection.all.len() {
            let declared = selection.declare(at);
            selection.declared.push(declared);
        }
        let is_selected = selection.closure(urns)?;
        for (at, declared) in selection.declared.iter().enumerate() {
            if *declared != Declared::Not && is_selected.get(at) == Some(&true) {
                selection.written.push(at);
            }
        }
        Ok(selection)
    }

    /// The place of a resource.
    pub fn find(&self, urn: &str) -> Option<usize> {
        self.by_urn.get(urn).copied()
    }

    fn declare(&mut self, at: usize) -> Declared {
        let Some(resource) = self.all.get(at).copied() else { return Declared::Not };
        if resource.is_stack()
            || resource.is_default_provider()
            || resource.text("viewOf").is_some()
        {
            return Declared::Not;
        }
        // Parents stand before their children.
        let parent = resource.parent().and_then(|urn| self.find(&urn));
        if let Some(parent) = parent
            && let Some(around) = self.all.get(parent)
        {
            let is_made = self.declared.get(parent) == Some(&Declared::Not) && !around.is_stack();
            if is_made || is_remote(*around) {
                *self.made.entry(parent).or_default() += 1;
                return Declared::Not;
            }
        }
        match (resource.is_custom(), resource.flag("external")) {
            // The engine reads a stack reference, but programs declare it as a resource.
            (true, true) if !is_stack_reference(resource) => Declared::Read,
            (true, true) => Declared::Resource,
            (true, false) => Declared::Resource,
            (false, _) if is_remote(resource) => Declared::Resource,
            (false, _) => Declared::Component,
        }
    }

    /// Marks the resources with these URNs and all that they need.
    fn closure(&self, urns: &[String]) -> Result<Vec<bool>, String> {
        let mut is_selected = vec![urns.is_empty(); self.all.len()];
        for urn in urns {
            match self.find(urn) {
                Some(at) => mark(&mut is_selected, at),
                None => return Err(urn.clone()),
            }
        }
        if urns.is_empty() {
            return Ok(is_selected);
        }
        // What a resource needs stands before it.
        for at in (0..self.all.len()).rev() {
            if is_selected.get(at) != Some(&true) {
                continue;
            }
            for need in self.all.get(at).into_iter().flat_map(|it| it.needs()) {
                if !matches!(need.kind, NeedKind::Property(_))
                    && let Some(at) = self.find(&need.urn)
                {
                    mark(&mut is_selected, at);
                }
            }
        }
        Ok(is_selected)
    }
}

fn mark(marks: &mut [bool], at: usize) {
    if let Some(mark) = marks.get_mut(at) {
        *mark = true;
    }
}

/// Returns true for the outputs of another stack.
pub(crate) fn is_stack_reference(resource: Resource<'_>) -> bool {
    resource.kind() == "pulumi:pulumi:StackReference"
}

/// Returns true for a component that a provider makes.
pub(crate) fn is_remote(resource: Resource<'_>) -> bool {
    !resource.is_custom() && resource.text("provider").is_some()
}
