//! The members of a value, those that fit what is expected first.

use std::collections::HashSet;
use std::sync::Arc;

use pcl::model::relations::Conversion;
use pcl::model::types::{TypeId, TypeStore};
use pcl::syntax::ast::{self, AstNode as _};

use super::blocks::described;
use super::context::{Context, Step};
use super::evidence::{SAME, UNFIT, likeness, words};
use super::item::{Completion, CompletionKind};
use super::parts::first;
use super::steps::{reached, steps_behind};
use super::usual::{self, frequency};
use super::wanted::Wanted;
use crate::{Analysis, FilePosition};

/// The number of members that are offered with their resource.
const MOST_TOGETHER: usize = 3;

/// The members of the value before a dot.
pub(super) fn members(
    analysis: &mut Analysis,
    context: &Context,
    dot: u32,
    path: &[Step],
) -> Vec<Completion> {
    let dot = FilePosition::new(context.at.file, dot);
    let Some(ty) = receiver(analysis, dot) else { return Vec::new() };
    let wanted = Wanted::read(analysis, context, path);
    let text = analysis.tree(dot.file).and_then(|tree| receiver_text(tree.text(), dot.offset));
    let text = text.unwrap_or_default().to_owned();
    let used = members_used(analysis, dot, &text);
    let receiver = words(&text);
    let ty = first(&analysis.checked.program.types, ty);
    let members = described(analysis, ty, CompletionKind::Member);
    let steps = steps_behind(analysis, context.at);
    let types = &mut analysis.checked.program.types;
    if members.is_empty() {
        // Members of values of any type are known by their uses alone.
        return used.iter().map(|name| Completion::new(name, CompletionKind::Member)).collect();
    }
    let ranked = members.into_iter().map(|(item, ty)| {
        let ty = reached(types, ty, &steps);
        let rank = match ty.map(|ty| wanted.conversion(types, ty)) {
            Some(Some(Conversion::Safe)) => 1,
            Some(Some(Conversion::Unsafe) | None) => 2,
            Some(Some(Conversion::No)) => 3,
            None => UNFIT,
        };
        let mut evidence = fit(&item.label, &wanted, &receiver) + frequency_of(&item.label);
        if used.contains(&item.label) {
            evidence += SAME / 2;
        }
        item.rank(rank).evidence(evidence)
    });
    ranked.collect()
}

/// The members of a name that the file of a dot has elsewhere.
fn members_used(analysis: &Analysis, dot: FilePosition, receiver: &str) -> HashSet<String> {
    let Some(tree) = analysis.tree(dot.file) else { return HashSet::new() };
    let mut used = HashSet::new();
    for traversal in tree.root().descendants().filter_map(ast::Traversal::cast) {
        if traversal.receiver().syntax().text() != receiver {
            continue;
        }
        if let Some(ast::StepKind::Attribute(name)) = traversal.steps().next().map(ast::Step::kind)
        {
            used.insert(name.text().to_owned());
        }
    }
    used
}

/// The members of a value that are of the expected type and most probably meant, each with its type
/// and evidence.
pub(super) fn best_members(
    types: &mut TypeStore,
    ty: TypeId,
    wanted: &Wanted,
    receiver: &[String],
) -> Vec<(String, TypeId, u32)> {
    if wanted.ty.is_none_or(|ty| ty == TypeId::DYNAMIC) {
        return Vec::new();
    }
    let ty = first(types, ty);
    let properties = types.properties(ty);
    let properties = properties.iter().flat_map(|properties| properties.iter().copied());
    let mut found: Vec<(String, TypeId, u32)> = properties
        .map(|(symbol, ty)| (types.name(symbol).to_owned(), ty))
        .map(|(name, ty)| {
            let fit = fit(&name, wanted, receiver);
            (name, ty, fit)
        })
        .filter(|(name, _, fit)| *fit > 0 || frequency_of(name) > 0)
        .collect();
    found.retain(|(_, ty, _)| wanted.conversion(types, *ty) == Some(Conversion::Safe));
    found.sort_by_key(|(name, _, fit)| std::cmp::Reverse(*fit + frequency_of(name)));
    found.truncate(MOST_TOGETHER);
    found
}

/// The evidence that a member is wanted by its name: the attribute has its words, with those of the
/// receiver or without.
fn fit(member: &str, wanted: &Wanted, receiver: &[String]) -> u32 {
    let own = words(member);
    let others = wanted.words.iter().filter(|word| !receiver.contains(word));
    let others: Vec<String> = others.cloned().collect();
    let whole = likeness(&own, &wanted.words);
    if others.len() == wanted.words.len() { whole } else { whole.max(likeness(&own, &others)) }
}

/// The evidence of a member that is used often.
pub(super) fn frequency_of(member: &str) -> u32 {
    frequency(&usual::MEMBERS, member) * SAME / 25
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
