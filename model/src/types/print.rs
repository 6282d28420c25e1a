//! The printer of types: `{ a: list(string), b: int | none }`, always on one line.
//!
//! Published formats have it in the notation of Pulumi, which writes `int?` for `int | none`:
//! [`TypeStore::pretty`]. People read [`TypeStore::text`].
//!
//! An object that contains itself is tagged where it is shown first, `'T1 { next: 'T1 | none }`,
//! and is only its tag from then on.

use rustc_hash::FxHashMap;

use super::display::MAX_NESTING;
use super::{Facts, Symbol, Type, TypeId, TypeStore};
use crate::value::{Constant, quote};

/// The most text that a type has, in bytes. Schema types share parts, and in full some would be
/// endless; beyond this objects are shown as `{ ... }`.
const LIMIT: usize = 1 << 20;

/// The most text that a type has outside the object types and enumerations of schemas, in bytes.
/// Values of a program share parts as well: the text of each can be twice that of the one before.
const WRITTEN_LIMIT: usize = 16 << 10;

/// The text of a type that exceeds [`WRITTEN_LIMIT`], in bytes.
const SUMMARY: usize = 1 << 10;

/// The notation of what a program does not call the same as Pulumi.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Notation {
    /// `int | string | none`; other names are written as they are.
    People,
    /// `int | string?`, and `type(NAME)` for a name that is not an identifier.
    Pulumi,
}

impl TypeStore {
    /// The pretty form of `ty`, in the notation of Pulumi: one line.
    ///
    /// It is complete as long as the text has at most 16 KiB outside the object types and
    /// enumerations of schemas. Of a longer text about the first KiB is there, and what is left out
    /// is shown as `...`. A text of more than 1 MiB ends in `{ ... }` in place of the remaining
    /// objects.
    pub fn pretty(&mut self, ty: TypeId) -> String {
        self.complete(ty, Notation::Pulumi)
    }

    /// The text of `ty` for people, [widened](TypeStore::widened): one line, as complete as
    /// [`TypeStore::pretty`].
    pub fn text(&mut self, ty: TypeId) -> String {
        let ty = self.widened(ty);
        self.complete(ty, Notation::People)
    }

    /// The text for people, with parts left out once it is longer than `limit` bytes.
    pub fn text_within(&mut self, ty: TypeId, limit: usize) -> String {
        let ty = self.widened(ty);
        let mut writer = Writer::new(self, Notation::People, limit);
        writer.write(ty);
        writer.out
    }

    fn complete(&mut self, ty: TypeId, notation: Notation) -> String {
        let mut writer = Writer::new(self, notation, LIMIT);
        writer.write(ty);
        if writer.is_summarized {
            writer = Writer::new(self, notation, SUMMARY);
            writer.write(ty);
        }
        writer.out
    }

    /// Returns whether a nominal type contains itself.
    fn is_recursive(&mut self, ty: TypeId) -> bool {
        if !self.recursive.contains_key(&ty) {
            Components::find(self, ty);
        }
        self.recursive.get(&ty).copied().unwrap_or(false)
    }
}

struct Writer<'a> {
    types: &'a mut TypeStore,
    notation: Notation,
    out: String,
    limit: usize,
    /// The part of `out` that shows object types and enumerations of schemas, in bytes.
    schema: usize,
    /// The schema type being shown starts here in `out`.
    schema_start: Option<usize>,
    /// True when the text exceeded [`WRITTEN_LIMIT`].
    is_summarized: bool,
    tags: FxHashMap<TypeId, usize>,
    nesting: usize,
}

impl<'a> Writer<'a> {
    fn new(types: &'a mut TypeStore, notation: Notation, limit: usize) -> Self {
        Self {
            types,
            notation,
            out: String::new(),
            limit,
            schema: 0,
            schema_start: None,
            is_summarized: false,
            tags: FxHashMap::default(),
            nesting: 0,
        }
    }

    fn write(&mut self, ty: TypeId) {
        if self.nesting >= MAX_NESTING {
            self.out.push_str("...");
            return;
        }
        self.nesting += 1;
        match self.types.get(ty).clone() {
            Type::List(element) => self.wrap("list", element),
            Type::Set(element) => self.wrap("set", element),
            Type::Map(element) => self.wrap("map", element),
            Type::Output(element) => self.wrap("output", element),
            Type::Promise(element) => self.wrap("promise", element),
            Type::Tuple(elements) => {
                self.out.push('(');
                self.separated(&elements, ", ");
                self.out.push(')');
            }
            Type::Union(_) => {
                let members = match self.limit {
                    LIMIT => self.types.members(ty),
                    _ => self.types.first_members(ty),
                };
                let shown: Vec<_> =
                    members.iter().copied().filter(|member| *member != TypeId::NONE).collect();
                self.separated(&shown, " | ");
                if self.types.has_member(ty, TypeId::NONE) {
                    self.out.push_str(match self.notation {
                        Notation::People => " | none",
                        Notation::Pulumi => "?",
                    });
                }
            }
            Type::Object(_) => self.object(ty),
            Type::Nominal(_) => self.of_schema(|writer| writer.object(ty)),
            Type::Const { value, .. } => self.constant(&value),
            Type::Enum(enumeration) => self.of_schema(|writer| {
                writer.out.push_str("enum(");
                for (at, value) in enumeration.values.iter().enumerate() {
                    if at > 0 {
                        writer.out.push_str(" | ");
                    }
                    if writer.is_full() {
                        writer.out.push_str("...");
                        break;
                    }
                    writer.constant(value);
                }
                writer.out.push(')');
            }),
            Type::Opaque(name) if self.notation == Notation::People => self.name(name),
            simple => self.types.push_simple(&simple, &mut self.out),
        }
        self.nesting -= 1;
    }

    /// Writes a type that a schema names.
    fn of_schema(&mut self, write: impl FnOnce(&mut Self)) {
        if self.schema_start.is_some() {
            return write(self);
        }
        let start = self.out.len();
        self.schema_start = Some(start);
        write(self);
        self.schema_start = None;
        self.schema += self.out.len() - start;
    }

    /// Returns whether what remains is left out.
    fn is_full(&mut self) -> bool {
        let written = self.schema_start.unwrap_or(self.out.len()) - self.schema;
        self.is_summarized |= written > WRITTEN_LIMIT;
        self.is_summarized || self.out.len() > self.limit
    }

    fn wrap(&mut self, name: &str, part: TypeId) {
        self.out.push_str(name);
        self.out.push('(');
        self.write(part);
        self.out.push(')');
    }

    fn constant(&mut self, value: &Constant) {
        match value {
            Constant::String(text) => self.cut(text, quote),
            _ => self.cut(&value.to_string(), str::to_owned),
        }
        // It may be all that there is.
        self.is_full();
    }

    /// Names are shown as they are, except where they would not stay on the line.
    fn name(&mut self, name: Symbol) {
        let name = self.types.shared_name(name);
        if name.contains(char::is_control) {
            self.cut(&name, quote)
        } else {
            self.cut(&name, str::to_owned)
        }
    }

    /// Writes the form that `show` gives a text, or the beginning of one that alone exceeds the
    /// limit.
    fn cut(&mut self, text: &str, show: impl Fn(&str) -> String) {
        let mut end = text.len().min(self.limit).min(WRITTEN_LIMIT);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        self.out.push_str(&show(text.get(..end).unwrap_or(text)));
        if end < text.len() {
            self.out.push_str("...");
        }
    }

    fn separated(&mut self, parts: &[TypeId], separator: &str) {
        for (at, part) in parts.iter().enumerate() {
            if at > 0 {
                self.out.push_str(separator);
            }
            if self.is_full() {
                self.out.push_str("...");
                return;
            }
            self.write(*part);
        }
    }

    fn object(&mut self, ty: TypeId) {
        if let Some(tag) = self.tags.get(&ty) {
            self.out.push_str(&format!("'T{tag}"));
            return;
        }
        if self.is_full() {
            self.out.push_str("{ ... }");
            return;
        }
        if matches!(self.types.get(ty), Type::Nominal(_)) && self.types.is_recursive(ty) {
            let tag = self.tags.len() + 1;
            self.tags.insert(ty, tag);
            self.out.push_str(&format!("'T{tag} "));
        }
        let properties = self.types.properties(ty).unwrap_or_default();
        if properties.is_empty() {
            self.out.push_str("{}");
            return;
        }
        self.out.push_str("{ ");
        for (at, (name, ty)) in properties.iter().enumerate() {
            if at > 0 {
                self.out.push_str(", ");
            }
            if self.is_full() {
                self.out.push_str("...");
                break;
            }
            self.name(*name);
            self.out.push_str(": ");
            self.write(*ty);
        }
        self.out.push_str(" }");
    }
}

/// Tarjan's search for strongly connected components, over the nominal types that a type contains.
/// It does not recurse: chains of schema types can be long.
#[derive(Default)]
struct Components {
    visits: FxHashMap<TypeId, Visit>,
    stack: Vec<TypeId>,
}

struct Visit {
    order: usize,
    lowest: usize,
    on_stack: bool,
    own_part: bool,
}

impl Components {
    fn find(types: &mut TypeStore, root: TypeId) {
        let mut search = Self::default();
        let mut calls = vec![(root, search.visit(types, root))];
        while let Some((ty, parts)) = calls.last_mut() {
            let ty = *ty;
            let Some(part) = parts.pop() else {
                calls.pop();
                let lowest = search.close(types, ty);
                if let Some((outer, _)) = calls.last() {
                    search.reaches(*outer, lowest);
                }
                continue;
            };
            match search.visits.get(&part) {
                Some(seen) if seen.on_stack => {
                    let order = seen.order;
                    search.reaches(ty, order);
                }
                Some(_) => {}
                None if types.recursive.contains_key(&part) => {}
                None => {
                    let inner = search.visit(types, part);
                    calls.push((part, inner));
                }
            }
        }
    }

    /// Enters `ty`; the nominal types directly inside it.
    fn visit(&mut self, types: &mut TypeStore, ty: TypeId) -> Vec<TypeId> {
        let order = self.visits.len();
        let (mut parts, mut open) = (Vec::new(), Vec::new());
        types.push_parts(ty, &mut open);
        while let Some(part) = open.pop() {
            if !types.facts(part).has(Facts::NOMINAL) {
                continue;
            }
            match types.get(part) {
                Type::Nominal(_) => parts.push(part),
                _ => types.push_parts(part, &mut open),
            }
        }
        parts.sort_unstable();
        parts.dedup();
        let own_part = parts.contains(&ty);
        self.visits.insert(ty, Visit { order, lowest: order, on_stack: true, own_part });
        self.stack.push(ty);
        parts
    }

    fn reaches(&mut self, ty: TypeId, order: usize) {
        if let Some(visit) = self.visits.get_mut(&ty) {
            visit.lowest = visit.lowest.min(order);
        }
    }

    /// Leaves `ty`; when it is the first of its component, the component is complete.
    fn close(&mut self, types: &mut TypeStore, ty: TypeId) -> usize {
        let Some(visit) = self.visits.get(&ty) else { return usize::MAX };
        let (order, lowest) = (visit.order, visit.lowest);
        if order == lowest {
            let alone = self.stack.last() == Some(&ty);
            while let Some(member) = self.stack.pop() {
                if let Some(visit) = self.visits.get_mut(&member) {
                    visit.on_stack = false;
                    types.recursive.insert(member, !alone || visit.own_part);
                }
                if member == ty {
                    break;
                }
            }
        }
        lowest
    }
}
