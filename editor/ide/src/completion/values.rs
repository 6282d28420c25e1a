//! Values: names, functions, constants, members and keys.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use pcl::binder::NodeKind;
use pcl::binder::schema_types::Shape;
use pcl::language;
use pcl::language::{Function, Takes};
use pcl::model::functions::usage;
use pcl::model::relations::{Conversion, Key};
use pcl::model::types::{Type, TypeId, TypeStore};
use pcl::model::value::Constant;
use pcl::schema::Section;
use pcl::syntax::ast::{self, AstNode as _};

use super::blocks::{described, first, input_type, node_of, properties, rule_of};
use super::context::{Call, Construct, Context, Step};
use super::labels::{quoted, tokens};
use super::{Completion, CompletionKind};
use crate::analysis::variables;
use crate::schema_facts::invoked;
use crate::{Analysis, FilePosition};

/// The keys of an object that is being written.
pub(super) fn keys(analysis: &mut Analysis, context: &Context, path: &[Step]) -> Vec<Completion> {
    let ty = expected(analysis, context, path).or_else(|| arguments(analysis, context.at));
    let Some(ty) = ty else { return Vec::new() };
    let ty = first(&analysis.checked.program.types, ty);
    let present = keys_around(analysis, context.at);
    let mut items = properties(analysis, ty, " = ");
    items.retain(|item| !present.contains(&item.label));
    items
}

/// The keys that the object around a position has already.
fn keys_around(analysis: &Analysis, at: FilePosition) -> Vec<String> {
    let Some(tree) = analysis.tree(at.file) else { return Vec::new() };
    let node = tree.token_at(at.offset).parent();
    let object = node.ancestors().find_map(ast::Object::cast);
    let items = object.into_iter().flat_map(|object| object.items());
    let keys = items.filter_map(ast::ObjectItem::key);
    let keys = keys.filter(|key| !at.touches(key.range()));
    let text = |key: ast::Expr<'_>| key.syntax().text().trim_matches('"').to_owned();
    keys.map(text).collect()
}

/// The type of the inputs of the function whose `invoke` is around a position.
fn arguments(analysis: &mut Analysis, at: FilePosition) -> Option<TypeId> {
    let tree = analysis.tree(at.file)?;
    let open = tree.text().get(..at.offset as usize)?.rfind('{')?;
    let around = super::context(tree, FilePosition::new(at.file, open as u32))?;
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

/// The type that is expected of a value in a block.
fn expected(analysis: &mut Analysis, context: &Context, path: &[Step]) -> Option<TypeId> {
    let Some((Step::Name(name), rest)) = path.split_first() else { return None };
    let mut ty = attribute_type(analysis, context, name)?;
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

fn attribute_type(analysis: &mut Analysis, context: &Context, name: &str) -> Option<TypeId> {
    let Some(attribute) = rule_of(context)?.attribute(name, None) else {
        let ty = input_type(analysis, context)?;
        let types = &mut analysis.checked.program.types;
        let symbol = types.find_symbol(name)?;
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

/// The values that can be written at a position.
pub(super) fn values(
    analysis: &mut Analysis,
    context: &Context,
    path: &[Step],
    call: Option<&(Call, usize)>,
    is_quoted: bool,
) -> Vec<Completion> {
    if call.is_some_and(|(call, argument)| call.name == Function::Invoke.name() && *argument == 0) {
        let found = tokens(analysis, context, Section::Functions);
        return found.into_iter().map(quoted).collect();
    }
    let wanted = expected(analysis, context, path);
    let mut items = Vec::new();
    if let Some(wanted) = wanted {
        constants(&analysis.checked.program.types, wanted, &mut items);
    }
    if is_quoted {
        items.retain(|item| item.text.starts_with('"'));
        return items;
    }
    let attribute = rule_of(context).and_then(|rule| match path.first()? {
        Step::Name(name) => rule.attribute(name, None),
        Step::Element => None,
    });
    if attribute.is_some_and(|attribute| matches!(attribute.takes, Takes::Properties)) {
        let ty = input_type(analysis, context);
        let named = ty.map(|ty| properties(analysis, ty, "")).unwrap_or_default();
        let plain = |item: Completion| Completion { snippet: None, ..item };
        return named.into_iter().map(plain).collect();
    }
    names(analysis, context.at, wanted, &mut items);
    for word in ["true", "false", "null"] {
        if items.iter().all(|item| item.label != word) {
            items.push(Completion::new(word, CompletionKind::Keyword).rank(7));
        }
    }
    items.extend(language::functions().map(|row| {
        Completion::new(row.name, CompletionKind::Function)
            .detail(usage(row))
            .inserting(format!("{}(", row.name))
            .snippet(format!("{}($1)", row.name))
            .documented(row.summary)
            .rank(6)
    }));
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
    let mut seen = BTreeSet::new();
    items.retain(|item| seen.insert(item.text.clone()));
}

/// Adds the names that can be referred to at a position, those that fit first. A name that an inner
/// one hides is left out, and so is the declaration around the position, which cannot refer to
/// itself.
fn names(
    analysis: &mut Analysis,
    at: FilePosition,
    wanted: Option<TypeId>,
    items: &mut Vec<Completion>,
) {
    let mut local = loop_variables(analysis, at);
    let own = analysis.node_at(at);
    if let Some(own) = own {
        let ranged = analysis.node(own).ranged();
        let range = ranged.variable(&mut analysis.checked.program.types);
        local.extend(range.map(|ty| ("range".to_owned(), ty)));
        if analysis.node(own).kind == NodeKind::Hook {
            local.push(("args".to_owned(), TypeId::DYNAMIC));
        }
    }
    let mut known: HashSet<String> = HashSet::new();
    let mut visible = Vec::new();
    for (name, ty) in local {
        if known.insert(name.clone()) {
            visible.push((name, CompletionKind::Variable, ty, 3));
        }
    }
    if let Some(module) = analysis.module_of(at.file) {
        for (id, node) in analysis.module(module).nodes_with_ids() {
            let is_own = own.is_some_and(|own| own.module == module && own.node == id);
            if is_own || node.kind == NodeKind::Pulumi || known.contains(&*node.name) {
                continue;
            }
            let kind = if node.kind.is_resource() {
                CompletionKind::Resource
            } else {
                CompletionKind::Variable
            };
            visible.push((node.name.to_string(), kind, node.ty, 4));
        }
    }
    let types = &mut analysis.checked.program.types;
    items.extend(visible.into_iter().map(|(name, kind, ty, rank)| {
        let fits = wanted.is_some_and(|wanted| {
            wanted != TypeId::DYNAMIC && types.convert(wanted, ty) == Conversion::Safe
        });
        let detail = types.text_within(ty, 80);
        Completion::new(name, kind).detail(detail).rank(if fits { 2 } else { rank })
    }));
}

/// The variables of the loops whose bodies contain a position, the innermost first.
fn loop_variables(analysis: &Analysis, at: FilePosition) -> Vec<(String, TypeId)> {
    let program = &analysis.checked.program;
    let token = analysis.token_at(at);
    let nodes = token.into_iter().flat_map(|token| token.parent().ancestors());
    let exprs = nodes.filter_map(|node| analysis.expr_of(at.file, node));
    let loops = exprs.filter_map(|expr| analysis.loop_of(expr));
    let loops = loops.filter(|it| program.exprs[it.collection].range.end() < at.offset);
    let found = loops.flat_map(variables).map(|variable| {
        let definition = program.scopes.definition(variable);
        (program.types.name(definition.name).to_owned(), definition.ty)
    });
    found.collect()
}

/// The members of the value before a dot.
pub(super) fn members(analysis: &mut Analysis, dot: FilePosition) -> Vec<Completion> {
    let Some(ty) = receiver(analysis, dot) else { return Vec::new() };
    let ty = first(&analysis.checked.program.types, ty);
    let members = described(analysis, ty, CompletionKind::Member);
    members.into_iter().map(|(item, _)| item.rank(2)).collect()
}

/// The type of the value that ends before a dot.
fn receiver(analysis: &mut Analysis, dot: FilePosition) -> Option<TypeId> {
    let FilePosition { file, offset } = dot;
    let tree = Arc::clone(analysis.tree(file)?);
    let token = tree.token_at(offset.checked_sub(1)?);
    let mut nodes = token.parent().ancestors();
    if let Some(innermost) = nodes.find_map(|node| analysis.expr_of(file, node)) {
        if let Some(chain) = analysis.chain(innermost) {
            let steps = chain.steps.iter();
            let reached = steps.take_while(|step| step.range.end() <= offset).last();
            let reached = reached.map(|step| step.ty);
            return reached.or_else(|| (chain.range.end() <= offset).then_some(chain.start));
        }
        let expr = &analysis.checked.program.exprs[innermost];
        if expr.range.end() == offset {
            return Some(expr.ty);
        }
    }
    // What is broken is not bound: its text is, as if it were at the top level.
    let text = receiver_text(tree.text(), offset)?.to_owned();
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
