//! Names that can be referred to, those that fit what is expected first.

use std::collections::{HashMap, HashSet};

use pcl::binder::{NodeId, NodeKind};
use pcl::model::relations::Conversion;
use pcl::model::types::TypeId;

use super::evidence::{SAME, is_provider, likeness, name_in, words};
use super::item::{Completion, CompletionKind};
use super::members::{best_members, frequency_of};
use super::wanted::Wanted;
use crate::analysis::variables;
use crate::type_text::readable;
use crate::{Analysis, FilePosition};

/// The number of names whose members are offered where a member fits and the name itself does not.
const MOST_WITH_MEMBERS: usize = 60;

/// A name that can be referred to.
struct Visible {
    name: String,
    kind: CompletionKind,
    ty: TypeId,
    evidence: u32,
    /// The token of a resource.
    token: Option<String>,
    /// Set for the variables of loops and the like.
    is_local: bool,
}

/// Adds the names that can be referred to at a position, those that fit first. A name that an inner
/// one hides is left out, and so is the declaration around the position, which cannot refer to
/// itself.
pub(super) fn names(
    analysis: &mut Analysis,
    at: FilePosition,
    wanted: &Wanted,
    items: &mut Vec<Completion>,
) {
    let mut visible = visible(analysis, at, wanted);
    for one in &mut visible {
        let by_name = likeness(&words(&one.name), &wanted.words);
        // `repository` wants a resource of that type, whatever its name is.
        let of_type = one.token.as_deref().map(|token| words(name_in(token)));
        let by_type = of_type.map_or(0, |words| likeness(&words, &wanted.words));
        one.evidence += by_name.max(by_type);
    }
    visible.sort_by_key(|one| std::cmp::Reverse(one.evidence));
    let program = &mut analysis.checked.program;
    for (position, Visible { name, kind, ty, evidence, is_local, .. }) in
        visible.into_iter().enumerate()
    {
        let conversion = wanted.conversion(&mut program.types, ty);
        let rank = match conversion {
            _ if wanted.is_resource => 2,
            Some(Conversion::Safe) => 2,
            Some(Conversion::Unsafe) => 3,
            None if is_local => 3,
            None => 4,
            Some(Conversion::No) => 5,
        };
        let is_reached = conversion != Some(Conversion::Safe) && !wanted.is_resource;
        if is_reached && position < MOST_WITH_MEMBERS {
            let receiver = words(&name);
            for (member, ty, fit) in best_members(&mut program.types, ty, wanted, &receiver) {
                let label = format!("{name}.{member}");
                let own = likeness(&words(&label), &wanted.words).max(fit);
                let item = Completion::new(label, CompletionKind::Member)
                    .detail(readable(program, ty))
                    .rank(2)
                    .evidence(evidence + own / 2 + frequency_of(&member));
                items.push(item);
            }
        }
        let detail = readable(program, ty);
        items.push(Completion::new(name, kind).detail(detail).rank(rank).evidence(evidence));
    }
}

/// The names that can be referred to at a position, with the evidence that does not depend on the
/// expected type: what is declared shortly before and not used yet is wanted.
fn visible(analysis: &mut Analysis, at: FilePosition, wanted: &Wanted) -> Vec<Visible> {
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
        if known.insert(name.clone()) && !wanted.is_resource {
            let kind = CompletionKind::Variable;
            let (evidence, token) = (SAME, None);
            visible.push(Visible { name, kind, ty, evidence, token, is_local: true });
        }
    }
    let Some(of) = analysis.module_of(at.file) else { return visible };
    let module = analysis.module(of);
    let used: HashSet<NodeId> = module
        .nodes_with_ids()
        .flat_map(|(id, _)| module.dependencies(id).iter().copied())
        .collect();
    let mut before: Vec<(u32, NodeId)> = module
        .nodes_with_ids()
        .filter(|(_, node)| node.file == at.file && node.range.end() <= at.offset)
        .map(|(id, node)| (node.range.start(), id))
        .collect();
    before.sort_unstable_by(|a, b| b.cmp(a));
    let nearness: HashMap<NodeId, u32> =
        before.iter().zip((1..=20).rev()).map(|((_, id), nearness)| (*id, nearness)).collect();
    for (id, node) in module.nodes_with_ids() {
        let is_own = own.is_some_and(|own| own.module == of && own.node == id);
        let is_output = node.kind == NodeKind::Output;
        if is_own || is_output || node.kind == NodeKind::Pulumi || known.contains(&*node.name) {
            continue;
        }
        let is_resource = node.kind.is_resource() || node.kind == NodeKind::Component;
        let is_provider = is_provider(node);
        let is_wrong = wanted.is_resource && !is_resource || wanted.is_provider && !is_provider;
        if is_wrong {
            continue;
        }
        let kind = if is_resource { CompletionKind::Resource } else { CompletionKind::Variable };
        let unused = if used.contains(&id) { 0 } else { 40 };
        // A provider is referred to by the option alone.
        let evidence = if is_provider && !wanted.is_provider { 0 } else { unused };
        let evidence = evidence + nearness.get(&id).copied().unwrap_or_default();
        // A value with an error fits everywhere, and helps nowhere.
        let evidence = if node.ty == TypeId::ERROR { 0 } else { evidence };
        let name = node.name.to_string();
        let (ty, token) = (node.ty, node.token.as_ref().map(ToString::to_string));
        visible.push(Visible { name, kind, ty, evidence, token, is_local: false });
    }
    visible
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
