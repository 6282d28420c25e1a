//! The order and the references of a state.
//!
//! A resource stands after all that it needs. Resources that are to be deleted may have the URN of
//! another one; a reference to such a URN means the one before it.
//!
//! The rules, with examples: `tests/spec/state/integrity.md`.

use std::borrow::Cow;
use std::fmt::Write as _;

use pcl_diagnostics::{Code, Diagnostic, FileId, Span, TextRange};
use pcl_values::Urn;
use rustc_hash::{FxHashMap, FxHashSet};
use sha2::{Digest as _, Sha256};

use crate::check::at;
use crate::json::{Kind, Value};
use crate::resource::{Need, NeedKind, Resource};
use crate::state::State;

/// The resources of a state with one URN.
#[derive(Clone, Copy)]
struct Known {
    /// The first of them.
    first: u32,
    /// The last one that is not to be deleted, or else the last one.
    live: u32,
    is_live: bool,
}

/// Checks the order and the references of a state.
pub(crate) fn check(state: &State, file: FileId) -> Vec<Diagnostic> {
    let resources: Vec<Resource<'_>> = state.resources().collect();
    let mut integrity = Integrity {
        file,
        deployment: state.pointer(),
        resources: &resources,
        known: FxHashMap::default(),
        diagnostics: Vec::new(),
    };
    integrity.names();
    integrity.references();
    let mut diagnostics = integrity.diagnostics;
    diagnostics.extend(manifest(state, file));
    diagnostics.extend(recorded_error(state, file));
    let operations = state.field("pending_operations").into_iter();
    for (number, operation) in operations.flat_map(Value::elements).enumerate() {
        let Some(kind) = operation.get("type").and_then(Value::string) else { continue };
        let resource = operation.present("resource").and_then(|it| it.get("urn"));
        let urn = resource.and_then(Value::string).unwrap_or_default();
        let span = Span::new(file, operation.get("type").map_or(operation, |it| it).range());
        let pointer = format!("{}/pending_operations/{number}", state.pointer());
        diagnostics.push(at(pending(span, &kind, &urn), &pointer));
    }
    diagnostics
}

struct Integrity<'s> {
    file: FileId,
    /// The JSON pointer of the deployment.
    deployment: &'static str,
    resources: &'s [Resource<'s>],
    known: FxHashMap<Cow<'s, str>, Known>,
    diagnostics: Vec<Diagnostic>,
}

/// A need of a resource that the order of the state does not meet.
struct Unmet<'s> {
    from: u32,
    to: u32,
    need: Need<'s>,
}

impl<'s> Integrity<'s> {
    fn urn_span(&self, resource: Resource<'_>) -> Span {
        let value = resource.value();
        let urn = value.get("urn").unwrap_or(value);
        Span::new(self.file, urn.range())
    }

    /// Learns the URNs, and reports those that occur twice.
    fn names(&mut self) {
        for (number, resource) in self.resources.iter().enumerate() {
            let urn = resource.urn();
            if urn.is_empty() {
                continue;
            }
            let number = number as u32;
            let is_live = !resource.is_deleted();
            let Some(known) = self.known.get_mut(&urn) else {
                let known = Known { first: number, live: number, is_live };
                self.known.insert(urn, known);
                continue;
            };
            let previous = *known;
            if is_live || !previous.is_live {
                (known.live, known.is_live) = (number, is_live);
            }
            if is_live && previous.is_live {
                let span = self.urn_span(*resource);
                let other = self.resources.get(previous.live as usize);
                let first = other.map_or(span, |other| self.urn_span(*other));
                let pointer = format!("{}/resources/{number}/urn", self.deployment);
                let diagnostic = duplicate_urn(span, &urn, first);
                self.diagnostics.push(at(diagnostic, &pointer));
            }
        }
    }

    /// Reports references to resources that are not there, or not yet.
    fn references(&mut self) {
        let mut unmet: Vec<Unmet<'s>> = Vec::new();
        for (number, resource) in self.resources.iter().enumerate() {
            let number = number as u32;
            for need in resource.needs() {
                let Some(known) = self.known.get(&need.urn).copied() else {
                    self.missing(number, need);
                    continue;
                };
                if let Some(id) = &need.id {
                    self.provider_id(number, known, &need, id);
                }
                if known.first >= number {
                    unmet.push(Unmet { from: number, to: known.live, need });
                }
            }
        }
        if !unmet.is_empty() {
            self.order(unmet);
        }
    }

    /// The pointer of the field that says what a resource needs.
    fn pointer(&self, number: u32, need: &Need<'_>) -> String {
        let field = match &need.kind {
            NeedKind::Parent => "parent".to_owned(),
            NeedKind::Provider => "provider".to_owned(),
            NeedKind::Dependency => "dependencies".to_owned(),
            NeedKind::Property(name) => {
                let name = name.replace('~', "~0").replace('/', "~1");
                format!("propertyDependencies/{name}")
            }
            NeedKind::DeletedWith => "deletedWith".to_owned(),
            NeedKind::ReplaceWith => "replaceWith".to_owned(),
        };
        format!("{}/resources/{number}/{field}", self.deployment)
    }

    fn missing(&mut self, number: u32, need: Need<'_>) {
        // What is no URN is reported as such.
        if !Urn::from(&*need.urn).is_valid() {
            return;
        }
        let span = Span::new(self.file, need.value.range());
        let diagnostic = missing(span, &need.kind, &need.urn);
        self.diagnostics.push(at(diagnostic, &self.pointer(number, &need)));
    }

    /// Reports a provider that has another id than the reference says.
    fn provider_id(&mut self, number: u32, known: Known, need: &Need<'_>, id: &str) {
        let candidates = [known.first, known.live].map(|at| self.resources.get(at as usize));
        let ids = candidates.into_iter().flatten().map(|it| it.id());
        let mut ids = ids.map(Option::unwrap_or_default);
        if !ids.clone().any(|own| own == id) && !pcl_values::wire::UNKNOWN_STRING.eq(id) {
            let span = Span::new(self.file, need.value.range());
            let own = ids.next_back().unwrap_or_default();
            let diagnostic = other_provider(span, &own, id);
            self.diagnostics.push(at(diagnostic, &self.pointer(number, need)));
        }
    }

    /// Reports cycles, each once, and what else stands before something that it needs.
    fn order(&mut self, unmet: Vec<Unmet<'s>>) {
        let edges = |number: u32| -> Vec<u32> {
            let resource = self.resources.get(number as usize);
            let needs = resource.into_iter().flat_map(|resource| resource.needs());
            let targets = needs.filter_map(|need| self.known.get(&need.urn));
            targets.map(|known| known.live).collect()
        };
        let cycles = cycles(self.resources.len() as u32, edges);
        let mut sizes: FxHashMap<u32, usize> = FxHashMap::default();
        for cycle in cycles.values() {
            *sizes.entry(*cycle).or_default() += 1;
        }
        let mut reported: FxHashSet<u32> = FxHashSet::default();
        for Unmet { from, to, need } in unmet {
            let span = Span::new(self.file, need.value.range());
            let pointer = self.pointer(from, &need);
            let target = self.resources.get(to as usize);
            let other = target.map_or(span, |it| self.urn_span(*it));
            let cycle = cycles.get(&from).filter(|own| cycles.get(&to) == Some(own));
            let diagnostic = match cycle {
                Some(cycle) if !reported.insert(*cycle) => continue,
                Some(cycle) => {
                    let members = sizes.get(cycle).copied().unwrap_or_default();
                    cycle_of_needs(span, &need.urn, members, other)
                }
                None => order(span, &need.kind, &need.urn, other),
            };
            self.diagnostics.push(at(diagnostic, &pointer));
        }
    }
}

/// The resources that need each other, each with the number of its cycle: the strongly connected
/// components with more than one member, and resources that need themselves.
fn cycles(count: u32, edges: impl Fn(u32) -> Vec<u32>) -> FxHashMap<u32, u32> {
    /// A resource whose needs are walked.
    struct Walk {
        node: u32,
        targets: Vec<u32>,
        next: usize,
    }
    const NEW: u32 = u32::MAX;
    let mut cycles = FxHashMap::default();
    // Tarjan's algorithm, with a stack of its own.
    let mut order = vec![NEW; count as usize];
    let mut low = vec![NEW; count as usize];
    let mut on_stack = vec![false; count as usize];
    let (mut stack, mut walks, mut time): (Vec<u32>, Vec<Walk>, u32) = (Vec::new(), Vec::new(), 0);
    fn get(list: &[u32], at: u32) -> u32 {
        list.get(at as usize).copied().unwrap_or(NEW)
    }
    fn set<T>(list: &mut [T], at: u32, value: T) {
        if let Some(slot) = list.get_mut(at as usize) {
            *slot = value;
        }
    }
    for root in 0..count {
        if get(&order, root) != NEW {
            continue;
        }
        let mut entered = Some(root);
        loop {
            if let Some(node) = entered.take() {
                set(&mut order, node, time);
                set(&mut low, node, time);
                time += 1;
                stack.push(node);
                set(&mut on_stack, node, true);
                let targets = edges(node);
                if targets.contains(&node) {
                    cycles.insert(node, node);
                }
                walks.push(Walk { node, targets, next: 0 });
            }
            let Some(walk) = walks.last_mut() else { break };
            if let Some(&target) = walk.targets.get(walk.next) {
                walk.next += 1;
                if get(&order, target) == NEW {
                    entered = Some(target);
                } else if on_stack.get(target as usize) == Some(&true) {
                    let least = get(&low, walk.node).min(get(&order, target));
                    set(&mut low, walk.node, least);
                }
                continue;
            }
            let node = walk.node;
            walks.pop();
            if let Some(around) = walks.last() {
                let least = get(&low, around.node).min(get(&low, node));
                set(&mut low, around.node, least);
            }
            if get(&low, node) == get(&order, node) {
                let start = stack.iter().rposition(|member| *member == node);
                let members = stack.split_off(start.unwrap_or(stack.len()));
                for member in &members {
                    set(&mut on_stack, *member, false);
                    if members.len() > 1 {
                        cycles.insert(*member, node);
                    }
                }
            }
        }
    }
    cycles
}

/// Reports a manifest whose magic number is not that of its version.
fn manifest(state: &State, file: FileId) -> Option<Diagnostic> {
    let manifest = state.field("manifest")?;
    let magic = manifest.present("magic")?;
    let text = magic.string().filter(|text| !text.is_empty())?;
    let version = manifest.get("version").and_then(Value::string);
    let digest = Sha256::digest(version.unwrap_or_default().as_bytes());
    let mut expected = String::new();
    for byte in digest {
        // Writing to a string does not fail.
        let _ = write!(expected, "{byte:02x}");
    }
    (text != expected).then(|| {
        let diagnostic = bad_magic(Span::new(file, magic.range()));
        at(diagnostic, &format!("{}/manifest/magic", state.pointer()))
    })
}

/// Reports an error of integrity that Pulumi has recorded.
fn recorded_error(state: &State, file: FileId) -> Option<Diagnostic> {
    let metadata = state.field("metadata")?;
    let error = metadata.present("integrity_error")?;
    let text = match error.kind() {
        Kind::Object => error.get("error").and_then(Value::string),
        _ => error.string(),
    };
    let range = error.range();
    let range = TextRange::new(range.start(), range.start() + 1);
    let diagnostic = recorded(Span::new(file, range), text.as_deref());
    let pointer = format!("{}/metadata/integrity_error", state.pointer());
    Some(at(diagnostic, &pointer))
}

/// The message that a resource which another one needs is in a wrong `place`.
fn misplaced(kind: &NeedKind<'_>, urn: &str, place: &str) -> String {
    let role = match kind {
        NeedKind::Property(name) => {
            return format!("the property `{name}` depends on `{urn}`, which {place}");
        }
        NeedKind::Parent => "the parent",
        NeedKind::Provider => "the provider",
        NeedKind::Dependency => "the dependency",
        NeedKind::DeletedWith => "the resource in `deletedWith`",
        NeedKind::ReplaceWith => "the resource in `replaceWith`",
    };
    format!("{role} `{urn}` {place}")
}

/// Two resources with one URN.
fn duplicate_urn(at: Span, urn: &str, first: Span) -> Diagnostic {
    let message = format!("the state has two resources with the URN `{urn}`");
    Diagnostic::error(Code::StateDuplicateUrn, at, message)
        .label(first, "the first one")
        .note("only resources that are to be deleted may have the URN of another one")
        .help("remove one of them, or rename one with `pulumi state rename`")
}

/// A reference to a resource that is not there.
fn missing(at: Span, kind: &NeedKind<'_>, urn: &str) -> Diagnostic {
    let message = misplaced(kind, urn, "is not in the state");
    Diagnostic::error(Code::StateMissingResource, at, message)
        .help("correct the URN, or remove the reference; `pulumi state repair` does so")
}

/// A provider that is there with the id `own`, which is empty if there is none, not with `found`.
fn other_provider(at: Span, own: &str, found: &str) -> Diagnostic {
    let message = match own {
        "" => format!("the provider has no id, found `{found}`"),
        _ => format!("the provider has the id `{own}`, found `{found}`"),
    };
    Diagnostic::error(Code::StateMissingResource, at, message)
        .help("write the id that the provider has in the state")
}

/// A resource that comes before one that it needs.
fn order(at: Span, kind: &NeedKind<'_>, urn: &str, other: Span) -> Diagnostic {
    let message = misplaced(kind, urn, "comes after the resource");
    Diagnostic::error(Code::StateOrder, at, message)
        .label(other, "it is here")
        .help("move the resource after all that it needs; `pulumi state repair` does so")
}

/// Resources that need each other.
fn cycle_of_needs(at: Span, urn: &str, members: usize, other: Span) -> Diagnostic {
    let message = match members {
        1 => format!("the resource `{urn}` needs itself"),
        2 => format!("two resources need each other, this one and `{urn}`"),
        _ => format!("{members} resources need each other in a cycle, this one and `{urn}` too"),
    };
    let diagnostic = Diagnostic::error(Code::StateCycle, at, message);
    let diagnostic = match members {
        1 => diagnostic,
        _ => diagnostic.label(other, "the other one is here"),
    };
    diagnostic.help("remove the reference that closes the cycle")
}

/// A manifest that does not belong to its version.
fn bad_magic(at: Span) -> Diagnostic {
    let message = "the `magic` of the manifest is not the SHA-256 digest of its `version`";
    Diagnostic::error(Code::StateManifest, at, message)
        .note("Pulumi refuses such a state as tampered with")
        .help("restore the manifest from a backup of the state, or remove `magic`")
}

/// An operation that was under way.
fn pending(at: Span, kind: &str, urn: &str) -> Diagnostic {
    let message = format!("`{urn}` was being changed when the state was written (`{kind}`)");
    Diagnostic::warning(Code::StatePendingOperation, at, message)
        .note("the resource may exist without being in the state, or the other way round")
        .help("run `pulumi refresh`, which asks the provider and clears the operation")
}

/// An error that Pulumi has recorded.
fn recorded(at: Span, error: Option<&str>) -> Diagnostic {
    let message = "Pulumi recorded that this state is damaged";
    let diagnostic = Diagnostic::error(Code::StateRecordedError, at, message);
    let diagnostic = match error {
        Some(error) => diagnostic.note(format!("its reason: {error}")),
        None => diagnostic,
    };
    diagnostic.help("repair the state with `pulumi state repair`")
}
