//! The parts of components that an expression needs: single outputs where that can be seen.

use std::sync::Arc;

use pcl_binder::{Module, NodeBody, NodeId, Program, Ranged};
use pcl_diagnostics::Span;
use pcl_model::expression::{ExprId, ExprKind, Steps};
use pcl_model::relations::Key;
use pcl_model::scope::DefinitionId;
use pcl_model::value::Constant;
use rustc_hash::FxHashMap;

/// A part of a component that an expression needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// That it is registered, and how many of it there are.
    Existence,
    /// Its id, its URN or another fact about it that no output decides.
    Identity,
    /// One of its outputs.
    Output(Arc<str>),
    /// All of it.
    Whole,
}

/// A need of an expression.
#[derive(Clone, Debug)]
pub(super) struct Need {
    /// The definition through which the expression refers to the component.
    pub definition: DefinitionId,
    pub component: NodeId,
    pub part: Part,
    /// The reference.
    pub span: Span,
}

/// The needs of an expression among the components of a group.
pub(super) fn needs(
    program: &Program,
    module: &Module,
    group: &[NodeId],
    root: ExprId,
) -> Vec<Need> {
    let mut search = Search {
        program,
        module,
        loops: FxHashMap::default(),
        variables: FxHashMap::default(),
        places: FxHashMap::default(),
        found: Vec::new(),
    };
    for id in program.exprs.subtree(root) {
        match &program.exprs[id].kind {
            ExprKind::For(it) => _ = search.loops.insert(it.collection, it.value_variable),
            ExprKind::Splat(it) => _ = search.loops.insert(it.source, Some(it.item)),
            _ => {}
        }
    }
    // Operands come first, and the collection of a loop before its body.
    for id in program.exprs.subtree(root) {
        search.visit(id, group);
    }
    let mut rest: Vec<Place> = search.places.drain().map(|(_, place)| place).collect();
    rest.sort_unstable_by_key(|place| place.span.range.start());
    for place in rest {
        search.add(place, Part::Whole);
    }
    search.found
}

/// A component, or the list or map of those that a block with a range declares, as the value of an
/// expression.
#[derive(Clone, Copy)]
struct Place {
    definition: DefinitionId,
    component: NodeId,
    is_collection: bool,
    span: Span,
}

struct Search<'p> {
    program: &'p Program,
    module: &'p Module,
    /// The variable that holds an element, for each expression that a loop is over.
    loops: FxHashMap<ExprId, Option<DefinitionId>>,
    /// Variables that hold components.
    variables: FxHashMap<DefinitionId, Place>,
    /// Expressions whose values are components, which nothing has taken yet.
    places: FxHashMap<ExprId, Place>,
    found: Vec<Need>,
}

impl Search<'_> {
    fn visit(&mut self, id: ExprId, group: &[NodeId]) {
        let expr = &self.program.exprs[id];
        let place = match &expr.kind {
            ExprKind::Traversal(traversal) => {
                let Some(definition) = traversal.definition else { return };
                let span = Span::new(expr.file, expr.range);
                let place = match self.variables.get(&definition) {
                    Some(place) => Some(Place { span, ..*place }),
                    None => self.component(definition, group, span),
                };
                place.and_then(|place| self.steps(place, traversal.steps))
            }
            ExprKind::RelativeTraversal { source, steps } => {
                let place = self.places.remove(source);
                place.and_then(|place| self.steps(place, *steps))
            }
            ExprKind::Index { collection, key } => {
                let place = self.places.remove(collection);
                place.and_then(|place| match self.program.exprs.literal_string(*key) {
                    Some(name) => self.step(place, Some(&name)),
                    None => self.step(place, None),
                })
            }
            ExprKind::Convert(operand) => self.places.remove(operand),
            ExprKind::Splat(splat) => match self.places.remove(&splat.each) {
                Some(place) if !place.is_collection => Some(Place { is_collection: true, ..place }),
                Some(place) => {
                    self.add(place, Part::Whole);
                    None
                }
                None => None,
            },
            _ => None,
        };
        let Some(place) = place else { return };
        match self.loops.get(&id).copied() {
            Some(variable) if place.is_collection => {
                self.add(place, Part::Existence);
                let element = Place { is_collection: false, ..place };
                self.variables.extend(variable.map(|variable| (variable, element)));
            }
            _ => _ = self.places.insert(id, place),
        }
    }

    /// The component that a name refers to.
    fn component(&self, definition: DefinitionId, group: &[NodeId], span: Span) -> Option<Place> {
        let kind = &self.program.scopes.definition(definition).kind;
        let component = NodeId(kind.node()?);
        if !group.contains(&component) {
            return None;
        }
        let NodeBody::Component(body) = &self.module.node(component).body else { return None };
        Some(Place {
            definition,
            component,
            is_collection: matches!(body.range, Ranged::Counted | Ranged::Each { .. }),
            span,
        })
    }

    /// The place that steps lead to; `None` if that is no component, but a part of one.
    fn steps(&mut self, place: Place, steps: Steps) -> Option<Place> {
        let mut place = place;
        for step in self.program.exprs.steps(steps) {
            place = match &step.key {
                Key::Name(name) => {
                    let name = self.program.types.name(*name);
                    self.step(place, Some(name))?
                }
                Key::Constant(Constant::String(name)) => self.step(place, Some(name))?,
                Key::Constant(_) | Key::Unknown(_) => self.step(place, None)?,
            };
        }
        Some(place)
    }

    fn step(&mut self, place: Place, name: Option<&str>) -> Option<Place> {
        if place.is_collection {
            return Some(Place { is_collection: false, ..place });
        }
        let part = match name {
            Some("id" | "urn" | "__name" | "__type") => Part::Identity,
            Some(name) => Part::Output(name.into()),
            None => Part::Whole,
        };
        self.add(place, part);
        None
    }

    fn add(&mut self, place: Place, part: Part) {
        let Place { definition, component, span, .. } = place;
        self.found.push(Need { definition, component, part, span });
    }
}
