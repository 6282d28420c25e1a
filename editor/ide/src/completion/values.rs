//! Values: names, functions, constants, members and keys.

use pcl::binder::NodeKind;
use pcl::binder::rules::Takes;
use pcl::binder::schema_types::{Lookup, Shape};
use pcl::diagnostics::FileId;
use pcl::language;
use pcl::model::expression::ExprKind;
use pcl::model::functions::usage;
use pcl::model::relations::{Conversion, Key};
use pcl::model::types::{Type, TypeId, TypeStore};
use pcl::model::value::Constant;
use pcl::schema::{PackageRequest, Section};

use super::blocks::{first, node_of, properties, rule_of};
use super::context::{Call, Context, Step};
use super::labels::{quoted, tokens};
use super::{Completion, CompletionKind};
use crate::Analysis;
use crate::schema_facts::documented_properties;
use crate::scope::{VisibleKind, visible};

/// The keys of an object that is being written.
pub(super) fn keys(
    analysis: &mut Analysis,
    file: FileId,
    context: &Context,
    path: &[Step],
    offset: u32,
) -> Vec<Completion> {
    let ty = if path.is_empty() { None } else { expected(analysis, file, context, path) };
    let ty = ty.or_else(|| arguments(analysis, file, offset));
    let Some(ty) = ty else { return Vec::new() };
    let ty = first(&analysis.checked.program.types, ty);
    let present = keys_around(analysis, file, offset);
    let mut items = properties(analysis, ty, " = ");
    items.retain(|item| !present.contains(&item.label));
    items
}

/// The keys that the object around a place has already.
fn keys_around(analysis: &Analysis, file: FileId, offset: u32) -> Vec<String> {
    use pcl::syntax::ast::{self, AstNode as _};
    let Some(tree) = analysis.tree(file) else {
        return Vec::new();
    };
    let node = tree.token_at(offset).parent();
    let object = node.ancestors().find_map(ast::Object::cast);
    let items = object.into_iter().flat_map(|object| object.items());
    let keys = items.filter_map(ast::ObjectItem::key);
    let keys = keys.filter(|key| offset < key.range().start() || key.range().end() < offset);
    let text = |key: ast::Expr<'_>| key.syntax().text().trim_matches('"').to_owned();
    keys.map(text).collect()
}

/// The type of the inputs of the function whose `invoke` is around a place.
fn arguments(analysis: &mut Analysis, file: FileId, offset: u32) -> Option<TypeId> {
    let tree = analysis.tree(file)?.clone();
    let before = tree.text().get(..offset as usize)?;
    let open = before.rfind('{')?;
    let call = super::context(&tree, open as u32)?;
    let super::Place::Value { call: Some((call, 1)), .. } = call.place else {
        return None;
    };
    if call.name != "invoke" {
        return None;
    }
    inputs_of(analysis, &call)
}

/// The type of the inputs of the function that an `invoke` names.
fn inputs_of(analysis: &mut Analysis, call: &Call) -> Option<TypeId> {
    let token = call.first.as_deref()?;
    let package = token.split(':').next()?;
    let program = &mut analysis.checked.program;
    let schemas = std::sync::Arc::clone(&program.schemas);
    let index = schemas.packages().load(&PackageRequest::new(package)).ok()?;
    let Lookup::Found(found) = schemas.lookup_function(index, token) else {
        return None;
    };
    let shape = Shape::FunctionInputs;
    Some(schemas.object(&mut program.types, found.package, found.member, shape))
}

/// The type that is expected of a value in a block.
fn expected(
    analysis: &mut Analysis,
    file: FileId,
    context: &Context,
    path: &[Step],
) -> Option<TypeId> {
    let (start, rest) = path.split_first()?;
    let Step::Name(name) = start else { return None };
    let mut ty = attribute_type(analysis, file, context, name)?;
    let types = &mut analysis.checked.program.types;
    for step in rest {
        let key = match step {
            Step::Name(name) => Key::Name(types.symbol(name)),
            Step::Element => Key::Constant(0_i64.into()),
        };
        let part = first(types, ty);
        let reached = types.traverse(part, &key);
        if !reached.errors.is_empty() {
            return None;
        }
        ty = reached.ty;
    }
    Some(ty)
}

fn attribute_type(
    analysis: &mut Analysis,
    file: FileId,
    context: &Context,
    name: &str,
) -> Option<TypeId> {
    let rule = rule_of(context)?;
    let node = node_of(analysis, file, context);
    if let Some(attribute) = rule.attribute(name, None) {
        let types = &mut analysis.checked.program.types;
        return match attribute.takes {
            Takes::Value(ty) => Some(types.static_type(&ty)),
            Takes::Switch => Some(TypeId::BOOL),
            Takes::Declared => {
                let bound = analysis.node(node?);
                (bound.kind == NodeKind::Config).then_some(bound.ty)
            }
            _ => None,
        };
    }
    let ty = analysis.node(node?).input_type?;
    let types = &mut analysis.checked.program.types;
    let symbol = types.find_symbol(name)?;
    types.property(ty, symbol)
}

/// The values that can be written at a place.
pub(super) fn values(
    analysis: &mut Analysis,
    file: FileId,
    offset: u32,
    context: &Context,
    path: &[Step],
    call: Option<&(Call, usize)>,
    is_quoted: bool,
) -> Vec<Completion> {
    if let Some((call, 0)) = call
        && call.name == "invoke"
    {
        let found = tokens(analysis, file, &context.prefix, Section::Functions);
        return found.into_iter().map(quoted).collect();
    }
    let wanted = expected(analysis, file, context, path);
    let mut items = Vec::new();
    if let Some(wanted) = wanted {
        constants(&analysis.checked.program.types, wanted, &mut items);
    }
    if is_quoted {
        items.retain(|item| item.text.starts_with('"'));
        return items;
    }
    let is_properties = rule_of(context)
        .and_then(|rule| match path.first()? {
            Step::Name(name) => rule.attribute(name, None),
            Step::Element => None,
        })
        .is_some_and(|attribute| matches!(attribute.takes, Takes::Properties));
    if is_properties {
        let node = node_of(analysis, file, context);
        let ty = node.and_then(|node| analysis.node(node).input_type);
        let named = ty.map(|ty| properties(analysis, ty, "")).unwrap_or_default();
        let plain = |item: Completion| Completion { snippet: None, ..item };
        return named.into_iter().map(plain).collect();
    }
    names(analysis, file, offset, wanted, &mut items);
    for word in ["true", "false", "null"] {
        if items.iter().all(|item| item.label != word) {
            items.push(Completion::new(word, CompletionKind::Keyword).rank(7));
        }
    }
    functions(&mut items);
    items
}

/// The values of an enumeration, and constants.
fn constants(types: &TypeStore, ty: TypeId, items: &mut Vec<Completion>) {
    let mut add = |constant: &Constant| {
        let text = match constant {
            Constant::String(text) => format!("\"{text}\""),
            Constant::Bool(value) => value.to_string(),
            Constant::Number(number) => number.to_string(),
            Constant::Null => return,
        };
        let label = text.trim_matches('"').to_owned();
        items.push(Completion::new(label, CompletionKind::Value).inserting(text).rank(1));
    };
    let ty = types.strip(ty);
    match types.get(ty) {
        Type::Enum(enumeration) => enumeration.values.iter().for_each(&mut add),
        Type::Const { value, .. } => add(value),
        Type::Bool => [true, false].map(Constant::from).iter().for_each(&mut add),
        Type::Union(members) => {
            for &member in members.iter() {
                constants(types, member, items);
            }
        }
        _ => {}
    }
    let mut seen = std::collections::BTreeSet::new();
    items.retain(|item| seen.insert(item.text.clone()));
}

/// The names that can be referred to, those that fit first.
fn names(
    analysis: &mut Analysis,
    file: FileId,
    offset: u32,
    wanted: Option<TypeId>,
    items: &mut Vec<Completion>,
) {
    for name in visible(analysis, file, offset) {
        let types = &mut analysis.checked.program.types;
        let fits = wanted.is_some_and(|wanted| {
            wanted != TypeId::DYNAMIC && types.convert(wanted, name.ty) == Conversion::Safe
        });
        let kind = match name.kind {
            VisibleKind::Resource => CompletionKind::Resource,
            VisibleKind::Other => CompletionKind::Variable,
        };
        let is_innermost = name.is_local;
        items.push(Completion::new(name.name, kind).detail(types.text_within(name.ty, 80)).rank(
            match (fits, is_innermost) {
                (true, _) => 2,
                (false, true) => 3,
                (false, false) => 4,
            },
        ));
    }
}

fn functions(items: &mut Vec<Completion>) {
    for row in language::functions() {
        items.push(
            Completion::new(row.name, CompletionKind::Function)
                .detail(usage(row))
                .inserting(format!("{}(", row.name))
                .snippet(format!("{}($1)", row.name))
                .documented(row.summary)
                .rank(6),
        );
    }
}

/// The members of the value before a dot.
pub(super) fn members(analysis: &mut Analysis, file: FileId, dot: u32) -> Vec<Completion> {
    let Some(ty) = receiver(analysis, file, dot) else {
        return Vec::new();
    };
    let ty = first(&analysis.checked.program.types, ty);
    let documented = documented_properties(analysis, ty);
    let types = &mut analysis.checked.program.types;
    let Some(members) = types.properties(ty) else {
        return Vec::new();
    };
    let members: Vec<_> = members.iter().copied().collect();
    let mut items = Vec::new();
    for (symbol, ty) in members {
        let name = types.name(symbol).to_owned();
        let known = documented.iter().find(|property| property.name == name);
        let mut item =
            Completion::new(&*name, CompletionKind::Member).detail(types.text_within(ty, 80));
        if let Some(property) = known {
            item.is_deprecated = property.deprecation.is_some();
            item.documentation.clone_from(&property.description);
        }
        items.push(item.rank(2));
    }
    items
}

/// The type of the value that ends before a dot.
fn receiver(analysis: &mut Analysis, file: FileId, dot: u32) -> Option<TypeId> {
    let before = dot.checked_sub(1)?;
    let tree = analysis.tree(file)?.clone();
    let program = &analysis.checked.program;
    let token = tree.token_at(before);
    for node in token.parent().ancestors() {
        let Some(id) = analysis.expr_of(file, node) else {
            continue;
        };
        let expr = &program.exprs[id];
        let (start, root, steps) = match &expr.kind {
            ExprKind::Traversal(traversal) => {
                (traversal.root_type, traversal.root_range, traversal.steps)
            }
            ExprKind::RelativeTraversal { source, steps } => {
                let source = &program.exprs[*source];
                (source.ty, source.range, *steps)
            }
            _ if expr.range.end() == dot => return Some(expr.ty),
            _ => break,
        };
        let steps = program.exprs.steps(steps);
        let reached = steps.iter().take_while(|step| step.range.end() <= dot).last();
        return match reached {
            Some(step) => Some(step.ty),
            None if root.end() <= dot => Some(start),
            None => None,
        };
    }
    // What is broken is not bound: its text is, as if it were at the top level.
    let text = receiver_text(tree.text(), dot)?.to_owned();
    let parsed = pcl::syntax::parse_expression(text.clone());
    let file = analysis.checked.sources.add("", text);
    let program = &mut analysis.checked.program;
    let (value, _) = program.bind_expression(&parsed, file);
    Some(program.exprs[value?].ty)
}

/// The names and brackets directly before a dot.
fn receiver_text(text: &str, dot: u32) -> Option<&str> {
    let before = text.get(..dot as usize)?;
    let mut depth = 0_usize;
    let mut start = before.len();
    for (at, character) in before.char_indices().rev() {
        match character {
            ')' | ']' => depth += 1,
            '(' | '[' if depth > 0 => depth -= 1,
            '\n' => break,
            _ if depth > 0 => {}
            '.' | '_' | '-' => {}
            other if other.is_alphanumeric() => {}
            _ => break,
        }
        start = at;
    }
    let text = before.get(start..)?;
    (!text.is_empty() && depth == 0).then_some(text)
}
