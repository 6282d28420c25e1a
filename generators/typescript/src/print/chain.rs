//! The layout of accesses and of chains of calls: `a.b(..).c(..)`.

use super::Formatter;
use super::operator::Strength;
use super::tree::{Id, Node};
use pcl_codegen::{Layout, Part};

/// A link of a chain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Start,
    Member,
    /// An access by a computed key.
    Computed,
    /// An access by a key that is written out.
    Literal,
    NonNull,
    Call,
}

#[derive(Clone, Copy)]
struct Link {
    id: Id,
    kind: Kind,
    part: Part,
}

impl Formatter<'_> {
    /// Returns true if a node is a link of a longer chain.
    fn continues(&self, id: Id) -> bool {
        match self.parent(id) {
            Some(Node::Member { object, .. } | Node::Index { object, .. }) => *object == id,
            Some(Node::Call { callee, .. }) => *callee == id,
            Some(Node::NonNull(inner)) => *inner == id,
            _ => false,
        }
    }

    /// The links of the chain that ends with a node, the first one first.
    fn links(&mut self, id: Id) -> Vec<Link> {
        let mut links = Vec::new();
        let mut next = id;
        loop {
            let id = next;
            let (kind, part) = match self.node(id) {
                Node::Member { object, name, optional } => {
                    next = *object;
                    let dot = if *optional { "?." } else { "." };
                    (Kind::Member, self.layout.texts([dot, name]))
                }
                Node::Index { object, key, optional } => {
                    next = *object;
                    let dot = if *optional { "?.[" } else { "[" };
                    let literal = matches!(self.node(*key), Node::Text(_)) || self.is_number(*key);
                    let key = self.part(*key);
                    if literal {
                        (Kind::Literal, row!(self, dot, key, "]"))
                    } else {
                        let all = self.enclosed(dot, key, Layout::SOFT_LINE, "]");
                        (Kind::Computed, self.layout.group(all))
                    }
                }
                Node::NonNull(inner) => {
                    next = *inner;
                    (Kind::NonNull, self.layout.text("!"))
                }
                Node::Call { callee, types, arguments } => {
                    next = *callee;
                    let types = self.type_arguments(types);
                    let arguments = self.arguments(arguments);
                    (Kind::Call, self.layout.parts([types, arguments]))
                }
                _ => {
                    let part = self.operand(id, Strength::ACCESS);
                    links.push(Link { id, kind: Kind::Start, part });
                    break;
                }
            };
            links.push(Link { id, kind, part });
        }
        links.reverse();
        links
    }

    /// An access that no call is made of.
    pub(super) fn access(&mut self, id: Id) -> Part {
        if self.continues(id) {
            return Layout::EMPTY;
        }
        let links = self.links(id);
        // The calls in it are laid out as chains of their own.
        let last_call = links.iter().rposition(|link| link.kind == Kind::Call);
        let (mut parts, rest) = match last_call {
            Some(at) => {
                let (calls, rest) = links.split_at_checked(at + 1).unwrap_or((&links, &[]));
                (vec![self.chain(calls)], rest)
            }
            None => {
                let (first, rest) = links.split_at_checked(1).unwrap_or((&links, &[]));
                (first.iter().map(|link| link.part).collect(), rest)
            }
        };
        let is_name = |formatter: &Self, link: Option<&Link>| {
            link.is_some_and(|link| matches!(formatter.node(link.id), Node::Name(_)))
        };
        let starts_with_name = last_call.is_none() && is_name(self, links.first());
        let is_class = matches!(self.parent(id), Some(Node::New { callee, .. }) if *callee == id);
        for (at, link) in rest.iter().enumerate() {
            let inline = is_class
                || link.kind != Kind::Member
                || at == 0 && (rest.len() == 1 && starts_with_name || last_call.is_some());
            parts.push(if inline {
                link.part
            } else {
                let link = self.layout.parts([Layout::SOFT_LINE, link.part]);
                let link = self.layout.indent(link);
                self.layout.group(link)
            });
        }
        self.layout.parts(parts)
    }

    pub(super) fn call(&mut self, id: Id) -> Part {
        if self.continues(id) {
            return Layout::EMPTY;
        }
        let links = self.links(id);
        self.chain(&links)
    }

    /// Returns true if the calls up to a node may break between each other.
    pub(super) fn is_chain(&self, id: Id) -> bool {
        let mut calls = 0;
        let mut next = id;
        loop {
            next = match self.node(next) {
                Node::Call { callee, .. } => {
                    calls += 1;
                    *callee
                }
                Node::Member { object, .. } | Node::Index { object, .. } => *object,
                Node::NonNull(inner) => *inner,
                _ => return calls > 1,
            };
        }
    }

    /// Calls, on one line or each on its own.
    fn chain(&mut self, links: &[Link]) -> Part {
        let texts = |links: &[Link]| -> Vec<Part> { links.iter().map(|link| link.part).collect() };
        let groups = self.groups(links);
        let parts: Vec<Part> = groups.iter().map(|group| self.layout.parts(texts(group))).collect();
        let one_line = self.layout.parts(parts.clone());
        let merges = self.merges(&groups);
        let kept = if merges { 2 } else { 1 };
        if groups.len() <= kept + 1 {
            return self.layout.group(one_line);
        }
        let (head, rest) = parts.split_at_checked(kept).unwrap_or((&parts, &[]));
        let rest = self.layout.join(rest, &[Layout::HARD_LINE]);
        let rest = self.layout.parts([Layout::HARD_LINE, rest]);
        let rest = self.layout.indent(rest);
        let expanded = [head, &[rest]].concat();
        let expanded = self.layout.parts(expanded);
        let calls: Vec<&Link> = links.iter().filter(|link| link.kind == Kind::Call).collect();
        let arguments = |link: &Link| match self.node(link.id) {
            Node::Call { arguments, .. } => &arguments[..],
            _ => &[],
        };
        let is_complex = |link: &&Link| !arguments(link).iter().all(|&id| self.is_simple(id, 2));
        let has_function = |link: &&Link| {
            let mut arguments = arguments(link).iter();
            arguments.any(|&id| matches!(self.node(id), Node::Arrow { .. }))
        };
        let (last, others) = match parts.split_last() {
            Some((last, others)) => (*last, others),
            None => (Layout::EMPTY, &[][..]),
        };
        let others_break = others.iter().any(|&part| self.layout.breaks(part));
        let last_breaks = self.layout.breaks(last)
            && calls.split_last().is_some_and(|(_, calls)| calls.iter().any(has_function));
        if calls.len() > 2 && calls.iter().any(is_complex) || others_break || last_breaks {
            return self.layout.group(expanded);
        }
        let breaks =
            if self.layout.breaks(one_line) { Layout::BREAK_PARENT } else { Layout::EMPTY };
        let choice = self.layout.choice(&[one_line, expanded]);
        self.layout.parts([breaks, choice])
    }

    /// The links that stay together: the start of the chain, then each call with its accesses.
    fn groups<'l>(&self, links: &'l [Link]) -> Vec<&'l [Link]> {
        let kind = |at: usize| links.get(at).map(|link| link.kind);
        let is_access = |kind| matches!(kind, Some(Kind::Member | Kind::Computed | Kind::Literal));
        let mut at = 1;
        while matches!(kind(at), Some(Kind::NonNull | Kind::Call | Kind::Literal)) {
            at += 1;
        }
        while is_access(kind(at)) && is_access(kind(at + 1)) {
            at += 1;
        }
        let mut starts = vec![0, at];
        let mut has_call = false;
        for next in at..links.len() {
            if has_call && is_access(kind(next)) && kind(next) != Some(Kind::Literal) {
                starts.push(next);
                has_call = false;
            }
            has_call |= kind(next) == Some(Kind::Call);
        }
        let ends = starts.iter().skip(1).copied().chain([links.len()]);
        let bounds = starts.iter().copied().zip(ends);
        let groups = bounds.filter_map(|(start, end)| links.get(start..end));
        groups.filter(|group| !group.is_empty()).collect()
    }

    /// Returns true if the first call stays on the line of the start.
    fn merges(&self, groups: &[&[Link]]) -> bool {
        let &[first, second, ..] = groups else { return false };
        let is_factory = |name: &str| {
            name.starts_with(|c: char| c.is_ascii_uppercase())
                || !name.is_empty() && name.chars().all(|c| matches!(c, '$' | '_'))
        };
        let computed =
            second.first().is_some_and(|link| matches!(link.kind, Kind::Computed | Kind::Literal));
        match (first, first.last().map(|link| self.node(link.id))) {
            ([_], Some(Node::Name(name))) => name == "this" || is_factory(name) || computed,
            ([_], _) => false,
            (_, Some(Node::Member { name, .. })) => is_factory(name) || computed,
            _ => false,
        }
    }

    /// Returns true for an argument that is easy to read in a chain of calls.
    fn is_simple(&self, id: Id, depth: usize) -> bool {
        let Some(less) = depth.checked_sub(1) else { return false };
        let simple = |&id: &Id| self.is_simple(id, less);
        match self.node(id) {
            Node::Name(_) | Node::Text(_) => true,
            Node::Template { texts, values, .. } => {
                texts.iter().all(|text| !text.contains('\n')) && values.iter().all(simple)
            }
            Node::Object { entries, .. } => entries.iter().all(|entry| {
                matches!(entry.key, super::tree::Key::Name(_)) && simple(&entry.value)
            }),
            Node::Array(elements) => elements.iter().all(simple),
            Node::Call { callee, arguments, .. } | Node::New { callee, arguments } => {
                self.is_simple(*callee, depth)
                    && arguments.len() <= depth
                    && arguments.iter().all(simple)
            }
            // Accesses are chains of any length, of which the start decides.
            Node::Member { .. } | Node::Index { .. } | Node::NonNull(_) => {
                let mut next = id;
                loop {
                    next = match self.node(next) {
                        Node::Member { object, .. } => *object,
                        Node::NonNull(inner) => *inner,
                        Node::Index { object, key, .. } => {
                            if !self.is_simple(*key, less) {
                                return false;
                            }
                            *object
                        }
                        _ => return self.is_simple(next, less),
                    };
                }
            }
            Node::Unary { operand, .. } => self.is_simple(*operand, less),
            _ => false,
        }
    }
}
