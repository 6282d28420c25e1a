//! The type that is expected of a value, from its place in a block.

use std::collections::HashSet;

use pcl::binder::NodeKind;
use pcl::binder::schema_types::Shape;
use pcl::language::{Function, Takes};
use pcl::model::relations::Key;
use pcl::model::types::{Type, TypeId, TypeStore};
use pcl::model::value::Constant;
use pcl::syntax::ast::{self, AstNode as _};

use super::blocks::{input_type, node_of, rule_of};
use super::context::{Call, Construct, Context, Step};
use super::parts::parts_of;
use crate::schema_facts::invoked;
use crate::{Analysis, FilePosition};

/// The type that is expected of a value in a block.
pub(super) fn expected(
    analysis: &mut Analysis,
    context: &Context,
    path: &[Step],
) -> Option<TypeId> {
    let found = types_at(analysis, context, path)?;
    let types = &mut analysis.checked.program.types;
    match found[..] {
        [] => None,
        [only] => Some(only),
        _ => Some(types.union(found)),
    }
}

/// The types of the object that is being written: those that have what is there already, if there
/// are any.
pub(super) fn expected_objects(
    analysis: &mut Analysis,
    context: &Context,
    path: &[Step],
) -> Vec<TypeId> {
    let found = types_at(analysis, context, path);
    let found = found.or_else(|| Some(vec![arguments(analysis, context.at)?]));
    let present = items_around(analysis, context.at);
    let types = &mut analysis.checked.program.types;
    let parts = found.into_iter().flatten().flat_map(|ty| parts_of(types, ty)).collect();
    fitting(types, parts, &present)
}

/// The types of the value at the end of a path, as the schema has them: one for each kind of object
/// on the way.
fn types_at(analysis: &mut Analysis, context: &Context, path: &[Step]) -> Option<Vec<TypeId>> {
    let Some((Step::Name(name), rest)) = path.split_first() else { return None };
    let ty = attribute_type(analysis, context, name)?;
    let present = items_around(analysis, context.at);
    let types = &mut analysis.checked.program.types;
    let mut found = vec![ty];
    for (at, step) in rest.iter().enumerate() {
        let key = match step {
            Step::Name(name) => Key::Name(types.symbol(name)),
            Step::Element => Key::Constant(0_i64.into()),
        };
        let mut parts: Vec<TypeId> = found.iter().flat_map(|&ty| parts_of(types, ty)).collect();
        if at + 1 == rest.len() && matches!(step, Step::Name(_)) {
            parts = fitting(types, parts, &present);
        }
        let mut seen = HashSet::new();
        found = Vec::new();
        for part in parts {
            let reached = types.traverse(part, &key);
            if reached.errors.is_empty() && seen.insert(reached.ty) {
                found.push(reached.ty);
            }
        }
    }
    Some(found)
}

/// The types of objects that have most of the items that are there already.
fn fitting(types: &mut TypeStore, parts: Vec<TypeId>, present: &[Item]) -> Vec<TypeId> {
    if parts.len() < 2 {
        return parts;
    }
    let mut fit = |part: TypeId| {
        let fits = present.iter().filter(|item| {
            let symbol = types.symbol(&item.key);
            let Some(ty) = types.property(part, symbol) else { return false };
            match (types.get(types.strip(ty)), &item.text, item.ty) {
                (Type::Const { value: Constant::String(own), .. }, Some(text), _) => {
                    **own == **text
                }
                (_, _, Some(own)) => types.convert(ty, own).exists(),
                _ => true,
            }
        });
        fits.count()
    };
    let fits: Vec<usize> = parts.iter().map(|&part| fit(part)).collect();
    let most = fits.iter().copied().max().unwrap_or_default();
    let best = parts.into_iter().zip(fits).filter(|(_, fit)| *fit == most);
    best.map(|(part, _)| part).collect()
}

/// An item of an object.
struct Item {
    key: String,
    /// The value, if it is a string without interpolations.
    text: Option<String>,
    /// The type of the value.
    ty: Option<TypeId>,
}

/// The items that the object around a position has already, without the one at the position.
fn items_around(analysis: &Analysis, at: FilePosition) -> Vec<Item> {
    let Some(tree) = analysis.tree(at.file) else { return Vec::new() };
    let node = tree.token_at(at.offset).parent();
    let object = node.ancestors().find_map(ast::Object::cast);
    let items = object.into_iter().flat_map(|object| object.items());
    let others = items.filter(|item| !at.touches(item.range()));
    let read = |item: ast::ObjectItem<'_>| {
        let key = item.key()?.syntax().text().trim_matches('"').to_owned();
        let value = item.value();
        let text = match value {
            Some(ast::Expr::Template(text)) => text.literal().map(|text| text.into_owned()),
            _ => None,
        };
        let bound = value.and_then(|value| analysis.expr_of(at.file, value.syntax()));
        let ty = bound.map(|bound| analysis.checked.program.exprs[bound].ty);
        Some(Item { key, text, ty })
    };
    others.filter_map(read).collect()
}

/// The keys that the object around a position has already.
pub(super) fn keys_around(analysis: &Analysis, at: FilePosition) -> Vec<String> {
    items_around(analysis, at).into_iter().map(|item| item.key).collect()
}

/// The type of the inputs of the function whose `invoke` is around a position.
fn arguments(analysis: &mut Analysis, at: FilePosition) -> Option<TypeId> {
    let tree = analysis.tree(at.file)?;
    let open = tree.text().get(..at.offset as usize)?.rfind('{')?;
    let around = super::context::context(tree, FilePosition::new(at.file, open as u32))?;
    let Construct::Value { call: Some((Call { name, first: Some(token) }, 1)), .. } =
        around.construct
    else {
        return None;
    };
    // Only the token of an `invoke` names a package, which the question after it loads.
    if name != Function::Invoke.name() {
        return None;
    }
    let found = invoked(analysis, &token)?;
    let program = &mut analysis.checked.program;
    let (schemas, shape) = (&program.schemas, Shape::FunctionInputs);
    Some(schemas.object(&mut program.types, found.package, found.member, shape))
}

fn attribute_type(analysis: &mut Analysis, context: &Context, name: &str) -> Option<TypeId> {
    let Some(attribute) = rule_of(context)?.attribute(name, None) else {
        let ty = input_type(analysis, context)?;
        let types = &mut analysis.checked.program.types;
        let symbol = types.symbol(name);
        return types.property(ty, symbol);
    };
    match attribute.takes {
        Takes::Value(ty) => Some(analysis.checked.program.types.static_type(&ty)),
        Takes::Switch => Some(TypeId::BOOL),
        Takes::Declared => {
            let bound = analysis.node(node_of(analysis, context)?);
            (bound.kind == NodeKind::Config).then_some(bound.ty)
        }
        _ => None,
    }
}
