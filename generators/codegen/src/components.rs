//! Components: their type tokens, those that need each other, and the inputs that they must not
//! wait for.
//!
//! The registration of a component waits for its inputs, and the resources inside of it wait for
//! the registration. An input that needs one of these resources, through whatever other components,
//! would never be there.

use std::collections::{BTreeMap, BTreeSet};

use pcl::document::{
    Body, ComponentBlock, Document, ExpressionIndex, ExpressionKind, Module, Node, NodeIndex,
    Reference, VariableIndex,
};

/// The type tokens of the components of a document.
pub fn component_tokens(document: &Document) -> Vec<&str> {
    let mut tokens = vec![""; document.components.len()];
    for node in document.modules().flat_map(|module| &module.nodes) {
        if let Body::Component(component) = &node.body
            && let (Some(program), Some(token)) = (component.program, &component.token)
            && let Some(known @ &mut "") = tokens.get_mut(program.index())
        {
            *known = token;
        }
    }
    tokens
}

/// The inputs of each component of a document that some block must not wait for.
pub fn deferred_inputs(document: &Document) -> Vec<BTreeSet<&str>> {
    let mut found = vec![BTreeSet::new(); document.components.len()];
    for module in document.modules() {
        let circles = circles(module);
        for (index, body) in components(module) {
            let around = circles.get(&index);
            if body.deferred.is_empty() && around.is_none() {
                continue;
            }
            let later = body.deferred.iter().map(|it| it.variable).collect();
            let inputs =
                body.inputs.iter().filter(|input| needs(document, input.value, &later, around));
            if let Some(known) = body.program.and_then(|program| found.get_mut(program.index())) {
                known.extend(inputs.map(|input| &*input.name));
            }
        }
    }
    found
}

fn components(module: &Module) -> impl Iterator<Item = (NodeIndex, &ComponentBlock)> {
    module.in_order().filter_map(|(index, node)| match &node.body {
        Body::Component(body) => Some((index, body)),
        _ => None,
    })
}

/// For each component that earlier ones wait for: these, and the components between that need one
/// of them. Nothing but components may need each other.
fn circles(module: &Module) -> BTreeMap<NodeIndex, BTreeSet<NodeIndex>> {
    let all: Vec<_> = components(module).collect();
    let mut circles: BTreeMap<NodeIndex, (usize, BTreeSet<NodeIndex>)> = BTreeMap::new();
    for (at, (index, body)) in all.iter().enumerate() {
        for deferred in &body.deferred {
            let (_, circle) = circles.entry(deferred.component).or_insert((at, BTreeSet::new()));
            circle.insert(*index);
        }
    }
    for (last, (first, circle)) in &mut circles {
        let between = all.iter().skip(*first).map(|(index, _)| *index);
        for index in between.take_while(|index| index != last) {
            let needs = |node: &Node| node.dependencies.iter().any(|it| circle.contains(it));
            if module.node(index).is_some_and(needs) {
                circle.insert(index);
            }
        }
    }
    circles.into_iter().map(|(last, (_, circle))| (last, circle)).collect()
}

/// Returns true if a value refers to one of the variables or declarations.
fn needs(
    document: &Document,
    value: ExpressionIndex,
    variables: &BTreeSet<VariableIndex>,
    nodes: Option<&BTreeSet<NodeIndex>>,
) -> bool {
    document.walk(value).into_iter().any(|part| match &document.expression(part).kind {
        ExpressionKind::Traversal(traversal) => match &traversal.reference {
            Reference::Variable(variable) => variables.contains(variable),
            Reference::Node(node) => nodes.is_some_and(|nodes| nodes.contains(node)),
            _ => false,
        },
        _ => false,
    })
}
