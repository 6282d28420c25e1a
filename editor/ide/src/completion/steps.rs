//! The steps behind a place, which tell the type of the value before them: `["key"][0]` in
//! `bucket.|["key"][0]`.

use pcl::model::relations::Key;
use pcl::model::types::{TypeId, TypeStore};
use pcl::model::value::Constant;
use pcl::syntax::ast::{AstNode as _, Expr, LiteralKind, StepKind, Traversal};
use pcl::syntax::parse_expression;

use crate::{Analysis, FilePosition};

/// The keys of the steps behind a position and what is left of the word there, up to the first one
/// that is no name and no literal, or the end of the line.
pub(super) fn steps_behind(analysis: &mut Analysis, at: FilePosition) -> Vec<Key> {
    let rest = analysis.tree(at.file).and_then(|tree| tree.text().get(at.offset as usize..));
    let line = rest.and_then(|rest| rest.lines().next()).unwrap_or_default();
    let behind = line.trim_start_matches(|it: char| it.is_alphanumeric() || it == '_' || it == '-');
    if !behind.starts_with(['.', '[']) {
        return Vec::new();
    }
    // Any name makes an expression of the steps.
    let tree = parse_expression(format!("x{behind}"));
    let traversal = tree.root().descendants().find_map(Traversal::cast);
    let types = &mut analysis.checked.program.types;
    let steps =
        traversal.filter(|it| it.range().start() == 0).into_iter().flat_map(|it| it.steps());
    let key = |kind| match kind {
        StepKind::Attribute(name) => Some(Key::Name(types.symbol(name.text()))),
        StepKind::LegacyIndex(_) => Some(Key::Constant(0_i64.into())),
        StepKind::Index(Expr::Template(text)) => {
            Some(Key::Constant(Constant::String(text.literal()?.into())))
        }
        StepKind::Index(Expr::Literal(literal)) => match literal.kind() {
            LiteralKind::Number(_) => Some(Key::Constant(0_i64.into())),
            LiteralKind::Bool(_) | LiteralKind::Null => None,
        },
        StepKind::Index(_) | StepKind::Broken => None,
    };
    steps.map(|step| step.kind()).map_while(key).collect()
}

/// The type that the steps lead to from a type; `None` if they lead nowhere.
pub(super) fn reached(types: &mut TypeStore, ty: TypeId, steps: &[Key]) -> Option<TypeId> {
    steps.iter().try_fold(ty, |ty, key| {
        let reached = types.traverse(ty, key);
        reached.errors.is_empty().then_some(reached.ty)
    })
}
