//! `xs[*].a` and `xs.*.a`: one expression for every item.
//!
//! The steps after `[*]` belong to the item, further splats included, so one syntax node may hold
//! splats in splats. They are built with a list of open ones, since there may be any number of
//! them.
//!
//! The rules, with examples: `tests/spec/expressions/splat.md`.

use pcl_diagnostics::TextRange;
use pcl_syntax::NodeId;
use pcl_syntax::ast::{self, SplatStep, StepKind};

use super::arena::ExprArena;
use super::checker::Checker;
use super::expr::{ExprId, ExprKind, Operands, Splat, Steps, Traversal};
use crate::scope::{Definition, DefinitionId, ScopeId};
use crate::types::{Type, TypeId};

/// A splat whose item expression is being built.
struct OpenSplat {
    source: ExprId,
    /// The type of what was written before the marker.
    source_type: TypeId,
    item: DefinitionId,
    is_full: bool,
    /// The offset of the splat.
    start: u32,
    /// The offset of the expressions for the item: that of the marker.
    item_start: u32,
}

impl Checker<'_> {
    pub(super) fn bind_splat(
        &mut self,
        splat: ast::Splat<'_>,
        source: ExprId,
        scope: ScopeId,
    ) -> ExprId {
        let node = splat.syntax().id();
        let start = splat.syntax().range().start();
        let (first, mut current) =
            self.open_splat(source, splat.is_full(), start, splat.marker_range(), node);
        let mut open = vec![first];
        let mut steps = splat.steps().peekable();
        while let Some(step) = steps.next() {
            // `.*` inside `[*]` takes names and numbers only; the rest belongs to what is around
            // it.
            if !is_attribute(&step) {
                while open.len() > 1 && open.last().is_some_and(|splat| !splat.is_full) {
                    current = self.close_splat(&mut open, current, node);
                }
            }
            let start = open.last().map_or(start, |splat| splat.item_start);
            match step {
                SplatStep::Step(step) => {
                    let attributes_only = open.last().is_some_and(|splat| !splat.is_full);
                    let mut batch = vec![step];
                    while let Some(SplatStep::Step(step)) = steps.next_if(|next| {
                        matches!(next, SplatStep::Step(_))
                            && (!attributes_only || is_attribute(next))
                    }) {
                        batch.push(step);
                    }
                    let end = batch.last().map_or(start, |step| step.range().end());
                    current = self.extend(current, &batch, TextRange::new(start, end), node);
                }
                SplatStep::Index { key, range } => {
                    let key = self.bind_part(key, ast::Expr::Splat(splat), scope);
                    let ty = self.index_type(current, self.exprs[current].range, key);
                    let kind = ExprKind::Index { collection: current, key };
                    current = self.push(kind, ty, TextRange::new(start, range.end()), node);
                }
                SplatStep::Marker { full, range } => {
                    let (inner, item) = self.open_splat(current, full, start, range, node);
                    open.push(inner);
                    current = item;
                }
            }
        }
        while !open.is_empty() {
            current = self.close_splat(&mut open, current, node);
        }
        let whole = &mut self.exprs[current];
        whole.range = splat.syntax().range();
        current
    }

    /// Starts a splat over `source`, and returns the expression for its item.
    fn open_splat(
        &mut self,
        source: ExprId,
        is_full: bool,
        start: u32,
        marker: TextRange,
        node: NodeId,
    ) -> (OpenSplat, ExprId) {
        let source_type = self.type_of(source);
        let source_type = self.types.null_as_none(source_type);
        let stripped = self.types.strip(source_type);
        let listed = self.listed(stripped);
        let (source, item_type) = match listed {
            Some(element) => (source, element),
            // Any other value counts as a list of itself.
            None => {
                let ty = self.types.list(source_type);
                let range = self.exprs[source].range;
                let tuple = ExprKind::Tuple(Operands::from_slice(&[source]));
                (self.push(tuple, ty, range, node), stripped)
            }
        };
        let root = self.types.symbol("");
        let item = self.scopes.define_anonymous(Definition::variable(root, item_type));
        let traversal = Traversal {
            root,
            root_range: marker,
            root_type: item_type,
            definition: Some(item),
            steps: Steps::default(),
        };
        let kind = ExprKind::Traversal(traversal);
        let each = self.push(kind, item_type, marker, node);
        let open =
            OpenSplat { source, source_type, item, is_full, start, item_start: marker.start() };
        (open, each)
    }

    /// The type of the elements of the stripped type `ty`; `None` if it is not a list.
    fn listed(&mut self, ty: TypeId) -> Option<TypeId> {
        match self.types.get(ty) {
            Type::List(element) | Type::Set(element) => Some(*element),
            Type::Tuple(elements) => {
                let elements = elements.clone();
                Some(self.types.unify_safely(&elements))
            }
            _ => matches!(ty, TypeId::DYNAMIC | TypeId::ERROR).then_some(ty),
        }
    }

    /// The type of the item of a splat over `source`.
    pub fn splat_item_type(&mut self, source: ExprId) -> TypeId {
        let written = self.exprs.wrapped_alone(source).unwrap_or(source);
        let ty = self.type_of(written);
        let ty = self.types.null_as_none(ty);
        let stripped = self.types.strip(ty);
        self.listed(stripped).unwrap_or(stripped)
    }

    fn close_splat(&mut self, open: &mut Vec<OpenSplat>, each: ExprId, node: NodeId) -> ExprId {
        let Some(splat) = open.pop() else { return each };
        let ty = self.splat_type(splat.source_type, each);
        let range = TextRange::new(splat.start, self.exprs[each].range.end());
        let kind = ExprKind::Splat(Box::new(Splat {
            source: splat.source,
            item: splat.item,
            each,
            is_full: splat.is_full,
        }));
        self.push(kind, ty, range, node)
    }
}

impl Checker<'_> {
    /// The type of a splat over a `source`, the expression before the marker.
    pub(super) fn splat_type(&mut self, source: TypeId, each: ExprId) -> TypeId {
        let list = self.types.list(self.exprs[each].ty);
        self.rewrap(source, list)
    }
}

impl ExprArena {
    /// The value that a splat takes as a list of itself: the tuple `id` is around that alone, and
    /// written nowhere.
    pub fn wrapped_alone(&self, id: ExprId) -> Option<ExprId> {
        match &self[id].kind {
            ExprKind::Tuple(elements) => match elements[..] {
                [element] if self[element].range == self[id].range => Some(element),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Returns whether a step is one that an attribute-only splat takes: `.name` or `.0`.
fn is_attribute(step: &SplatStep<'_>) -> bool {
    match step {
        SplatStep::Step(step) => {
            matches!(step.kind(), StepKind::Attribute(_) | StepKind::LegacyIndex(_))
        }
        _ => false,
    }
}
