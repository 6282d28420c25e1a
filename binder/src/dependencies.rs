//! The dependencies between nodes: references to other nodes, cycles, and the order to bind in.
//!
//! The rules, with examples: `tests/spec/programs/references.md`.

use pcl_diagnostics::{
    Code, Diagnostic, Fix, Matter, Span, TextEdit, TextRange, enumerate, suggest,
};
use pcl_language::BLOCKS;
use pcl_model::expression::FreeNames;
use pcl_model::types::TypeId;
use pcl_syntax::{ast, is_identifier, quoted};
use rustc_hash::FxHashMap;

use crate::binder::{Binder, Duplicate};
use crate::declare::{
    Reason, WrongBlock, already_declared, missing_name, surplus_labels, with_uses,
};
use crate::node::{Node, NodeId, NodeKind, PerNode};
use crate::order::{self, Dependencies};

impl<'t> Binder<'_, '_, 't> {
    /// Finds what each node refers to, and reports what keeps names from being declared.
    pub fn resolve_dependencies(&mut self, wrong: Vec<WrongBlock>) -> Vec<NodeId> {
        // The facts about the targets of references, close together: the nodes themselves are
        // large.
        let target = |node: &Node| Target {
            place: (node.file_index as u32, node.range.start()),
            is_output: node.kind == NodeKind::Output,
        };
        let targets: PerNode<Target> = self.nodes.iter().map(target).collect();
        let mut dependencies = Dependencies::with_capacity(targets.len());
        let (mut names, mut found) = (FreeNames::default(), Vec::new());
        let mut outputs: Vec<(NodeId, TextRange, NodeId)> = Vec::new();
        let mut undefined: Vec<(NodeId, ast::Name<'t>)> = Vec::new();
        for id in self.nodes.ids() {
            let (types, scopes) = (&self.session.types, &self.session.scopes);
            self.each_reference(&mut names, id, |name| {
                let symbol = types.find_symbol(name.text());
                let definition = symbol.and_then(|symbol| scopes.lookup(self.root, symbol));
                let Some(definition) = definition else {
                    undefined.push((id, name));
                    found.extend(self.node_behind(name).filter(|&target| target != id));
                    return;
                };
                let target = scopes.definition(definition).kind.node().map(NodeId);
                if let Some(target) = target {
                    if target != id && targets[target].is_output {
                        outputs.push((id, name.range(), target));
                    }
                    found.push(target);
                }
            });
            if found.len() > 1 {
                found.sort_unstable_by_key(|id| targets[*id].place);
                found.dedup();
            }
            dependencies.push(&found);
            found.clear();
        }
        self.dependencies = dependencies;
        self.report_undefined_names(wrong, &undefined);
        let order = self.report_cycles();
        for (node, range, output) in outputs {
            // A cycle through an output is one mistake.
            let in_cycle = [node, output].map(|id| self.nodes[id].ty == TypeId::ERROR);
            if in_cycle != [true, true] {
                let span = self.node_span(node, range);
                let output = &self.nodes[output];
                let (name, declared) = (&output.name, output.name_span());
                self.report(output_referenced(span, name, declared));
            }
        }
        order
    }

    /// Reports wrong blocks and names that are declared twice, with the undefined names that they
    /// explain, and then the names that another language explains.
    fn report_undefined_names(
        &mut self,
        mut wrong: Vec<WrongBlock>,
        undefined: &[(NodeId, ast::Name<'t>)],
    ) {
        self.name_the_nameless(&mut wrong, undefined);
        let mut block_of: FxHashMap<&str, usize> = FxHashMap::default();
        for (at, block) in wrong.iter().enumerate() {
            for name in &block.names {
                block_of.entry(name).or_insert(at);
            }
        }
        let mut uses: Vec<Vec<Span>> = vec![Vec::new(); wrong.len()];
        let mut rest = Vec::new();
        for &(node, name) in undefined {
            match block_of.get(name.text()).and_then(|&at| uses.get_mut(at)) {
                Some(uses) => uses.push(self.node_span(node, name.range())),
                None => rest.push((node, name)),
            }
        }
        // The block `pulumi` declares its own name, which may be taken.
        let pulumi = NodeKind::Pulumi.name();
        let symbol = self.session.types.find_symbol(pulumi);
        let taken = symbol.and_then(|symbol| self.session.scopes.lookup(self.root, symbol));
        let taken = taken.map(|_| pulumi);
        for (block, uses) in wrong.iter().zip(&uses) {
            let span = block.span;
            self.report(match &block.reason {
                Reason::Unknown { keyword, fix, function } => {
                    let function = function.as_ref().map(|function| &*function.token);
                    let fix = fix.clone();
                    unknown_block(span, keyword, function, uses, fix, taken)
                }
                Reason::SurplusLabels(rule, count) => surplus_labels(span, rule, *count, uses),
                Reason::NoName { rule, label, name } => {
                    let name = block.names.first().unwrap_or(name);
                    missing_name(span, rule, *label, name, uses)
                }
            });
            for name in &block.names {
                self.declare_for_silence(name);
            }
        }
        if !self.excuses(Matter::Variable) {
            rest.retain(|&(node, name)| !self.report_foreign_name(node, name));
        }
        self.report_duplicates(&rest);
    }

    /// Gives the only block without a name the unknown name that others refer to, if there is one.
    fn name_the_nameless(
        &mut self,
        wrong: &mut [WrongBlock],
        undefined: &[(NodeId, ast::Name<'t>)],
    ) {
        let is_nameless = |block: &&mut WrongBlock| matches!(block.reason, Reason::NoName { .. });
        let mut nameless = wrong.iter_mut().filter(is_nameless);
        let (Some(block), None) = (nameless.next(), nameless.next()) else { return };
        let mut unknown = undefined.iter().map(|(_, name)| name.text());
        let name = unknown.find(|name| is_identifier(name) && !self.is_near_a_name(name));
        block.names.extend(name.map(str::to_owned));
    }

    /// Reports the names that are declared twice. Where it is one, and one name is undefined, that
    /// name is probably the one that the second declaration was meant to have.
    fn report_duplicates(&mut self, undefined: &[(NodeId, ast::Name<'t>)]) {
        let mut duplicates = std::mem::take(&mut self.duplicates);
        let mut missing: Vec<Span> = Vec::new();
        if let ([duplicate], [(_, name), rest @ ..]) = (&duplicates[..], undefined)
            && duplicate.first.is_some()
            && name.traversal().is_some()
            && rest.iter().all(|(_, other)| other.text() == name.text())
            && !self.is_near_a_name(name.text())
        {
            let places = undefined.iter();
            missing.extend(places.map(|&(node, name)| self.node_span(node, name.range())));
            self.declare_for_silence(name.text());
        }
        for Duplicate { span, name, first } in duplicates.drain(..) {
            let symbol = self.session.types.symbol(&name);
            let scopes = &self.session.scopes;
            let other = scopes.lookup(self.root, symbol);
            // Outputs may share the name of another declaration, which Pulumi then reports.
            let other = other.and_then(|other| scopes.definition(other).span);
            let other = other.filter(|&other| first.is_some_and(|first| first != other));
            let diagnostic = already_declared(span, &name, first, other, &missing);
            self.report(diagnostic);
        }
    }

    /// Reports each cycle once and gives the nodes on it the error type. Components may need each
    /// other in pairs.
    fn report_cycles(&mut self) -> Vec<NodeId> {
        let components = order::components(&self.dependencies);
        let mut order = Vec::with_capacity(self.nodes.len());
        for component in components.iter() {
            let needs = self.dependencies.of(component.root);
            let circular =
                component.members.len() > 1 || needs.contains(&NodeId(component.root as u32));
            if circular {
                let is_component =
                    |&node: &usize| self.nodes[NodeId(node as u32)].kind == NodeKind::Component;
                if component.members.iter().all(is_component)
                    && let Some(found) = order::mutual_order(&self.dependencies, component)
                {
                    order.extend(found);
                    continue;
                }
                self.report_cycle(component);
            }
            order.extend(component.members);
        }
        order.into_iter().map(|node| NodeId(node as u32)).collect()
    }

    fn report_cycle(&mut self, component: order::Component<'_>) {
        let path = order::cycle_through(&self.dependencies, component.members, component.root);
        let path: Vec<NodeId> = path.into_iter().map(|node| NodeId(node as u32)).collect();
        let root = NodeId(component.root as u32);
        let start = &self.nodes[root];
        let mut needs = Vec::new();
        let mut free_names = FreeNames::default();
        for (at, &id) in path.iter().enumerate().take(8) {
            let next = path.get(at + 1).copied().unwrap_or(root);
            let wanted = &self.nodes[next].name;
            let mut place = None;
            self.each_reference(&mut free_names, id, |name| {
                let is_it = name.text() == &**wanted || self.node_behind(name) == Some(next);
                if is_it {
                    place.get_or_insert(name.range());
                }
            });
            if let Some(range) = place {
                needs.push((self.node_span(id, range), &*self.nodes[id].name, &**wanted));
            }
        }
        let names: Vec<&str> = path.iter().map(|&n| &*self.nodes[n].name).collect();
        let mut on_path = path.iter().map(|&node| &self.nodes[node]);
        let output = on_path.find(|node| node.kind == NodeKind::Output);
        let output = output.map(|output| &*output.name);
        let diagnostic = circular(start.name_span(), &names, &needs, output);
        self.report(diagnostic);
        for &node in component.members {
            self.set_type(NodeId(node as u32), TypeId::ERROR);
        }
    }
}

/// A node as the target of references.
struct Target {
    /// The number of its file, and where it begins there.
    place: (u32, u32),
    is_output: bool,
}

/// A reference to an output, which gets its value at the very end. `declared` is the output's name.
fn output_referenced(span: Span, name: &str, declared: Span) -> Diagnostic {
    Diagnostic::warning(
        Code::OutputReferenced,
        span,
        format!("`{name}` is an output, and outputs have no value inside the program"),
    )
    .label(declared, "the output is declared here")
    .help("give the value a name of its own, `name = ..`, and refer to that in both places")
    .ours()
}

/// A cycle of nodes, with some of the references on it, each from one node to another, and the
/// output on it, if there is one.
fn circular(
    span: Span,
    cycle: &[&str],
    needs: &[(Span, &str, &str)],
    output: Option<&str>,
) -> Diagnostic {
    let start = cycle.first().copied().unwrap_or_default();
    let is_one = cycle.len() == 1;
    let message = if is_one {
        format!("`{start}` refers to itself")
    } else {
        format!("`{start}` depends on itself")
    };
    let mut diagnostic = Diagnostic::error(Code::CircularReference, span, message);
    if !is_one {
        diagnostic = diagnostic.note(format!("the cycle is: {}", chain(cycle, start)));
    }
    for &(span, node, needed) in needs {
        diagnostic = diagnostic.label(span, format!("`{node}` needs `{needed}` here"));
    }
    diagnostic.help(match output {
        Some(output) => format!(
            "`{output}` is an output, which has no value inside the program: refer to what has the value"
        ),
        None => "break the cycle by removing one of these references".to_owned(),
    })
}

/// The names of a cycle from `start` to `start`, the middle of a long one left out.
fn chain(cycle: &[&str], start: &str) -> String {
    const MOST: usize = 10;
    let mut names = cycle.to_vec();
    names.push(start);
    if names.len() > MOST {
        names.splice(MOST - 3..names.len() - 2, [".."]);
    }
    names.join(" -> ")
}

/// The blocks of other languages, and what PCL writes instead.
const FOREIGN: &[(&str, &str)] = &[
    (
        "data",
        "ask a provider with `invoke(\"package:module:function\", { .. })`, or `read` a resource",
    ),
    (
        "for",
        "repeat a resource with `options { range = .. }`, or build a list with `[for x in list : ..]`",
    ),
    (
        "foreach",
        "repeat a resource with `options { range = .. }`, or build a list with `[for x in list : ..]`",
    ),
    (
        "if",
        "make a resource conditional with `options { range = condition }`, \
         or a value with `condition ? a : b`",
    ),
    ("locals", "write `name = value`, outside of any block"),
    ("module", "write `component name \"./directory\" { .. }` to use a directory"),
    (
        "provider",
        "write a resource, `resource name \"pulumi:providers:package\" { .. }`, and name it in each \
         resource that it is for: `options { provider = name }`",
    ),
    (
        "terraform",
        "remove it: type tokens name the packages, and \
         `pulumi { requiredVersionRange = \"..\" }` the versions of Pulumi",
    ),
    ("variable", "write `config name \"string\" { default = .. }`"),
];

/// An unknown block. `uses` are the references to the names that its labels would declare; Pulumi
/// refuses the program only if there are any. `function` is the one that a data source calls, and
/// `fix` writes a block of another language as PCL. The keyword `taken` is not the one that is
/// meant.
fn unknown_block(
    span: Span,
    keyword: &str,
    function: Option<&str>,
    uses: &[Span],
    fix: Option<Fix>,
    taken: Option<&str>,
) -> Diagnostic {
    let message = format!("there is no block called `{keyword}`");
    let mut diagnostic = Diagnostic::error(Code::UnknownBlockType, span, message)
        .note("Pulumi ignores blocks that it does not know, so it has no effect");
    let known = BLOCKS.iter().map(|rule| rule.keyword);
    let possible = known.clone().filter(|&known| Some(known) != taken);
    diagnostic = match suggest(keyword, possible) {
        Some(meant) => diagnostic
            .help(format!("did you mean `{meant}`?"))
            .fix(Fix::unsafe_(format!("write `{meant}`"), vec![TextEdit::replace(span, meant)])),
        None if function.is_some() => diagnostic.help(format!(
            "call the function: `name = invoke({}, {{ .. }})`",
            quoted(function.unwrap_or_default())
        )),
        None => match FOREIGN.iter().find(|(foreign, _)| *foreign == keyword) {
            Some((_, help)) => diagnostic.help(*help),
            None => diagnostic.help(format!("the blocks are {}", enumerate(known))),
        },
    };
    diagnostic = fix.into_iter().fold(diagnostic, Diagnostic::fix);
    if uses.is_empty() {
        diagnostic = diagnostic.ours();
    }
    with_uses(diagnostic, uses)
}
