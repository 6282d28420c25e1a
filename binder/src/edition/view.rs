//! The constructs that a program uses: each with its place, and what releases
//! without the construct do.

use std::collections::BTreeSet;

use pcl_diagnostics::{Fix, Span, TextRange};
use pcl_language::{Construct, Release, construct};
use pcl_model::expression::{Expr, ExprArena, ExprId, ExprKind};
use pcl_model::scope::Scopes;
use pcl_model::types::{Type, TypeId, TypeStore};
use pcl_model::value::Constant;

use super::range::OldestPulumi;
use crate::node::Node;
use crate::program::Module;
use crate::schema_types::SchemaTypes;

/// A use of a construct.
#[derive(Clone, Debug)]
pub struct Use {
    /// The construct.
    pub construct: &'static Construct,
    /// The effect of releases that do not have it.
    pub effect: Effect,
    /// The place.
    pub span: Span,
    /// The name that is written there, or of what the change of meaning is about.
    pub name: String,
    /// All of the construct.
    pub(super) extent: TextRange,
    /// Set if it is a part of another construct and cannot be used without it.
    pub(super) is_part: bool,
    /// The same in the language of older releases.
    pub(super) fix: Option<Fix>,
    /// The construct that the fix writes, if some releases do not have that either.
    pub(super) fix_uses: Option<&'static Construct>,
}

/// The effect of the releases of Pulumi without a construct on a program that uses it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Effect {
    /// They run the program in another way.
    Changed,
    /// They refuse the program, or ignore a part of it.
    Refused,
}

impl Use {
    /// The release from which on the program means what it says. For a meaning that a few releases
    /// had, that is the one that withdrew it.
    pub fn needs(&self) -> Release {
        match (self.effect, self.construct.removed) {
            (Effect::Changed, Some((removed, _))) => removed,
            _ => self.construct.since,
        }
    }

    /// The fix, if a release has what it writes.
    pub(crate) fn fix_for(&self, oldest: &OldestPulumi) -> Option<&Fix> {
        let is_known = |needed: &'static Construct| !oldest.is_before(needed.since);
        self.fix.as_ref().filter(|_| self.fix_uses.is_none_or(is_known))
    }

    /// Sets all of the construct, of which the place is a part.
    pub(super) fn within(&mut self, extent: TextRange) -> &mut Self {
        self.extent = extent;
        self
    }

    /// Marks a part of another construct.
    pub(super) fn part(&mut self) -> &mut Self {
        self.is_part = true;
        self
    }
}

/// A bound module, and the constructs found in it so far.
pub(crate) struct View<'b> {
    pub module: &'b Module,
    pub exprs: &'b ExprArena,
    pub types: &'b mut TypeStore,
    pub scopes: &'b Scopes,
    pub schemas: &'b SchemaTypes,
    /// The names of the packages that `package` blocks describe.
    pub described: BTreeSet<String>,
    pub found: Vec<Use>,
}

impl<'b> View<'b> {
    /// Notes a use of a construct that older releases do not have. One that is in no table is not
    /// noted, nor one that every release has.
    pub fn needs(&mut self, construct: &str, span: Span, written: &str) -> Option<&mut Use> {
        self.note(construct, Effect::Refused, span, written)
    }

    /// Notes a dependence on a meaning that older releases do not have.
    pub fn changed(&mut self, construct: &str, span: Span, written: &str) -> Option<&mut Use> {
        self.note(construct, Effect::Changed, span, written)
    }

    fn note(&mut self, name: &str, effect: Effect, span: Span, written: &str) -> Option<&mut Use> {
        let construct = construct(name).filter(|it| !it.is_baseline())?;
        self.found.push(Use {
            construct,
            effect,
            span,
            name: written.to_owned(),
            extent: span.range,
            is_part: false,
            fix: None,
            fix_uses: None,
        });
        self.found.last_mut()
    }

    /// The expressions of a node's body, operands before what uses them.
    pub fn expressions(&self, node: &Node) -> impl Iterator<Item = (ExprId, &'b Expr)> + use<'b> {
        self.exprs.range(node.expressions.clone())
    }

    /// The place of an expression.
    pub fn span(&self, expr: ExprId) -> Span {
        let expr = &self.exprs[expr];
        Span::new(expr.file, expr.range)
    }

    /// The text of a place.
    pub fn source(&self, span: Span) -> Option<&'b str> {
        let module = self.module;
        let at = module.files.iter().position(|&file| file == span.file)?;
        module.trees.get(at)?.text().get(span.range.to_usize())
    }

    /// The keys and values of an object that is written out.
    pub fn items(&self, expr: ExprId) -> &'b [(ExprId, ExprId)] {
        match &self.exprs[expr].kind {
            ExprKind::Object(items) => items,
            _ => &[],
        }
    }

    /// The type of an expression.
    pub fn type_of(&self, expr: ExprId) -> TypeId {
        self.exprs[expr].ty
    }

    /// Returns whether a value may be null, whatever is around it.
    pub fn is_optional(&self, mut ty: TypeId) -> bool {
        loop {
            ty = match self.types.get(ty) {
                Type::Output(inner) | Type::Promise(inner) => *inner,
                Type::Union(members) => return members.iter().any(|&member| self.is_null(member)),
                _ => return false,
            };
        }
    }

    fn is_null(&self, ty: TypeId) -> bool {
        let null = Constant::Null;
        ty == TypeId::NONE
            || matches!(self.types.get(ty), Type::Const { value, .. } if *value == null)
    }

    /// Returns whether a type is an output.
    pub fn is_output(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Output(_))
    }

    /// Returns whether a type is an output of any value.
    pub fn is_output_of_any(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Output(inner) if *inner == TypeId::DYNAMIC)
    }
}
