//! The advice about a value that does not fit: the usual ways from one kind of type to another.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit, TextRange, suggest};
use pcl_syntax::quoted;
use pcl_syntax::{SyntaxKind, SyntaxToken, ast};

use super::checker::Checker;
use super::expr::{ExprId, ExprKind};
use super::print::print;
use crate::types::{Type, TypeId, TypeStore};
use crate::value::Constant;
use crate::wording::{either, property_step};

/// The largest map that is rewritten as a list of entries.
const MOST_ENTRIES: usize = 8;

/// The groups of types that hints tell apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TypeGroup {
    Bool,
    Number,
    String,
    Asset,
    Archive,
    /// A list or tuple.
    List,
    /// A map or object.
    Object,
    Other,
}

/// Returns whether a name alone is the value of an attribute or item, or an element of a list. The
/// tokens beside it tell in constant time.
pub(super) fn is_whole_value(name: ast::Name<'_>) -> bool {
    use SyntaxKind as K;
    let is_visible = |token: &SyntaxToken<'_>| !token.kind().is_trivia();
    let (first, last) = (name.syntax().first_token(), name.syntax().last_token());
    let mut before = std::iter::successors(first, |token| token.previous()).skip(1);
    let mut after = std::iter::successors(last, |token| token.next()).skip(1);
    let is_index = name.syntax().parent().is_some_and(|it| it.kind() == K::Index);
    let [before, after] =
        [before.find(is_visible), after.find(is_visible)].map(|token| token.map(SyntaxToken::kind));
    !is_index
        && matches!(before, Some(K::Equals | K::Colon | K::LBracket | K::Comma))
        && matches!(after, Some(K::Newline | K::Comma | K::RBracket | K::RBrace | K::EndOfFile))
}

impl Checker<'_> {
    /// The usual way to make a `wanted` of `expr`, whose type is `given`.
    pub(super) fn remedy(&mut self, expr: ExprId, given: TypeId, wanted: TypeId) -> Option<Remedy> {
        let plain = self.types.plain(wanted);
        let element = self.wanted_element(plain);
        let is_any = element.is_some_and(|element| self.types.plain(element) == TypeId::DYNAMIC);
        // Options that take a list of anything take one of resources.
        let is_meant = !is_any || self.types.is_resource(given);
        let element = element.filter(|_| is_meant);
        if let Some(element) = element.filter(|&element| self.accepts(element, given)) {
            let takes_brackets = self.takes_brackets(expr, given);
            let is_certain = is_any || self.has_keys_of(given, element);
            return Some(Remedy::PutIntoList {
                place: takes_brackets.then(|| self.span_of(expr)),
                is_certain,
            });
        }
        if let Some(property) = self.meant_output(given, wanted) {
            let outputs = self.outputs_of(expr, vec![property]);
            return Some(Remedy::NameOutput(self.span_of(expr), outputs));
        }
        let wanted = plain;
        if let Some(element) = self.only_element(expr, wanted) {
            let (list, element) = (self.span_of(expr), self.span_of(element));
            return Some(Remedy::TakeOutOfList(list, element.range));
        }
        if let Some(element) = self.wanted_element(wanted)
            && self.group_of(given) == TypeGroup::Object
            && self.group_of(element) == TypeGroup::Object
        {
            return Some(match self.entry_names(element) {
                Some(names) => Remedy::ListEntries(self.listed_entries(expr, names)),
                None => Remedy::WriteListOfObjects,
            });
        }
        let groups = [given, wanted].map(|ty| self.group_of(ty));
        Some(match groups {
            [TypeGroup::List | TypeGroup::Object, TypeGroup::Bool] => Remedy::CompareLength,
            [TypeGroup::List, TypeGroup::Number] => Remedy::NameOrCountElements,
            [TypeGroup::List, TypeGroup::String] => Remedy::NameOrJoinElements,
            [TypeGroup::Object, TypeGroup::String] => Remedy::NamePartOrMakeJson,
            [TypeGroup::String, TypeGroup::Asset] => Remedy::MakeAsset,
            [TypeGroup::String, TypeGroup::Archive] => Remedy::MakeArchive,
            [
                TypeGroup::Bool | TypeGroup::Number | TypeGroup::String | TypeGroup::List,
                TypeGroup::Object,
            ] => Remedy::WriteObject(self.first_property(wanted)),
            _ => return None,
        })
    }

    /// Warns about converting a resource to JSON: a resource is not data, and its JSON differs from
    /// language to language.
    pub(crate) fn warn_of_resource_as_json(&mut self, value: ExprId) {
        let ty = self.types.strip(self.type_of(value));
        if self.types.is_resource(ty) {
            let outputs = self.outputs_of(value, vec!["id".to_owned()]);
            let diagnostic = resource_as_json(self.span_of(value), &outputs);
            self.reporter.report(diagnostic);
        }
    }

    /// The outputs `names` of the resource `expr`, as they are written in its place.
    pub(super) fn outputs_of(&self, expr: ExprId, names: Vec<String>) -> Outputs {
        match &self.exprs[expr].kind {
            // The item of a splat has no name.
            ExprKind::Traversal(traversal) if !self.types.name(traversal.root).is_empty() => {
                let path = print(expr, self.exprs, self.types, self.scopes);
                let paths = names.iter().map(|name| format!("{path}{}", property_step(name)));
                Outputs::Paths(paths.collect())
            }
            _ => Outputs::Names(names),
        }
    }

    /// The output of the resource `given` that would do: its id, or the first.
    pub(super) fn meant_output(&mut self, given: TypeId, wanted: TypeId) -> Option<String> {
        let given = self.types.strip(given);
        if !self.types.is_resource(given) {
            return None;
        }
        let properties = self.types.properties(given)?;
        let id = properties.iter().find(|&&(name, _)| self.types.name(name) == "id");
        // A resource can have very many outputs, and most often its id will do.
        let meant = id
            .into_iter()
            .chain(properties.iter())
            .find(|&&(_, ty)| self.types.strip(ty) != TypeId::DYNAMIC && self.accepts(wanted, ty));
        meant.map(|&(name, _)| self.types.name(name).to_owned())
    }

    /// The outputs of the resource `given` that people put into strings, at most two.
    pub(super) fn outputs_with_text(&mut self, given: TypeId) -> Vec<String> {
        const ADDRESSES: [&str; 12] = [
            "url",
            "endpoint",
            "ip",
            "publicIp",
            "ipAddress",
            "ipv4Address",
            "dnsName",
            "hostname",
            "fqdn",
            "arn",
            "address",
            "name",
        ];
        let properties = self.types.properties(given).unwrap_or_default();
        let mut found = Vec::new();
        for name in ADDRESSES.into_iter().chain(["id"]) {
            let symbol = self.types.find_symbol(name);
            let ty = symbol.and_then(|name| self.types.find_property(&properties, name));
            let Some(ty) = ty else { continue };
            let has_room = found.is_empty() || name == "id";
            if has_room && self.accepts(TypeId::STRING, ty) {
                found.push(name.to_owned());
            }
        }
        if found.is_empty() {
            self.meant_output(given, TypeId::STRING).into_iter().collect()
        } else {
            found
        }
    }

    /// The two properties of an object that is one entry of a map: its name and its value.
    fn entry_names(&mut self, element: TypeId) -> Option<[&'static str; 2]> {
        let element = self.types.strip(element);
        let properties = self.types.properties(element)?;
        let has = |types: &TypeStore, name: &str| {
            let name = types.find_symbol(name);
            name.is_some_and(|name| types.find_property(&properties, name).is_some())
        };
        let types = &*self.types;
        let name = ["key", "name", "tagKey"].into_iter().find(|name| has(types, name))?;
        let value = ["value", "tagValue"].into_iter().find(|name| has(types, name))?;
        let few = properties.len() <= 4;
        few.then_some([name, value])
    }

    /// The list of entries that is equivalent to a map literal.
    fn listed_entries(&self, expr: ExprId, [name, value]: [&str; 2]) -> Option<(Span, String)> {
        let ExprKind::Object(items) = &self.exprs[expr].kind else {
            return None;
        };
        if items.is_empty() || items.len() > MOST_ENTRIES {
            return None;
        }
        let mut entries = Vec::with_capacity(items.len());
        for &(key, item) in items {
            let key = quoted(&self.exprs.key_text(key)?);
            let item = print(item, self.exprs, self.types, self.scopes);
            entries.push(format!("{{ {name} = {key}, {value} = {item} }}"));
        }
        Some((self.span_of(expr), format!("[{}]", entries.join(", "))))
    }

    /// Returns whether all properties of an object that is written out are properties of `wanted`.
    /// True for any other value.
    fn has_keys_of(&mut self, given: TypeId, wanted: TypeId) -> bool {
        let given = self.types.strip(given);
        let Type::Object(_) = self.types.get(given) else {
            return true;
        };
        let Some(given) = self.types.properties(given) else {
            return true;
        };
        let wanted = self.types.strip(wanted);
        let Some(wanted) = self.types.properties(wanted) else {
            return !matches!(self.types.get(wanted), Type::Union(_));
        };
        given.iter().all(|&(name, given)| {
            let wanted = self.types.find_property(&wanted, name);
            wanted.is_some_and(|wanted| self.has_keys_of(given, wanted))
        })
    }

    fn wanted_element(&self, wanted: TypeId) -> Option<TypeId> {
        match self.types.get(wanted) {
            Type::List(element) | Type::Set(element) => Some(*element),
            _ => None,
        }
    }

    /// Returns whether brackets around the text of an expression make a list of it: not around a
    /// heredoc, which ends its line, and not when it is spread.
    fn takes_brackets(&self, expr: ExprId, given: TypeId) -> bool {
        let ends_line = match &self.exprs[expr].kind {
            ExprKind::Template(parts) => parts.last().is_some_and(|&part| {
                matches!(
                    &self.exprs[part].kind,
                    ExprKind::Literal(Constant::String(text)) if text.ends_with('\n')
                )
            }),
            _ => false,
        };
        !ends_line && self.type_of(expr) == given
    }

    /// The element of a list of one element that would do by itself.
    fn only_element(&mut self, expr: ExprId, wanted: TypeId) -> Option<ExprId> {
        let ExprKind::Tuple(elements) = &self.exprs[expr].kind else {
            return None;
        };
        let [element] = **elements else { return None };
        let given = self.type_of(element);
        let is_meant = self.accepts(wanted, given)
            && self.misfit(given, element, wanted, "").is_none()
            && self.takes_brackets(element, given);
        is_meant.then_some(element)
    }

    fn group_of(&self, ty: TypeId) -> TypeGroup {
        let ty = self.types.strip(ty);
        match self.types.get(ty) {
            _ if ty == TypeId::BOOL => TypeGroup::Bool,
            _ if ty == TypeId::NUMBER || ty == TypeId::INT => TypeGroup::Number,
            _ if ty == TypeId::STRING || ty == TypeId::ID => TypeGroup::String,
            _ if ty == TypeId::ASSET => TypeGroup::Asset,
            _ if ty == TypeId::ARCHIVE => TypeGroup::Archive,
            Type::Const { underlying, .. } => self.group_of(*underlying),
            Type::List(_) | Type::Tuple(_) => TypeGroup::List,
            Type::Map(_) | Type::Object(_) | Type::Nominal(_) => TypeGroup::Object,
            Type::Union(members) if members.contains(&TypeId::ASSET) => TypeGroup::Asset,
            _ => TypeGroup::Other,
        }
    }

    /// A property that an object of type `ty` must have, or else any.
    fn first_property(&mut self, ty: TypeId) -> Option<String> {
        let ty = self.types.strip(ty);
        let properties = self.types.properties(ty)?;
        let needed = properties.iter().find(|&&(_, ty)| !self.accepts(ty, TypeId::NONE));
        let &(name, _) = needed.or(properties.first())?;
        Some(self.types.name(name).to_owned())
    }

    /// The key of an object written out that was probably meant to be `missing`, one of the
    /// properties `known`.
    pub(super) fn misspelled_key(
        &self,
        object: ExprId,
        missing: &str,
        is_known: impl Fn(&str) -> bool,
    ) -> Option<ExprId> {
        let ExprKind::Object(items) = &self.exprs[object].kind else {
            return None;
        };
        items.iter().map(|&(key, _)| key).find(|&key| {
            self.exprs
                .key_text(key)
                .is_some_and(|text| !is_known(&text) && suggest(&text, [missing]).is_some())
        })
    }
}

/// A resource as the argument of `toJSON`.
fn resource_as_json(span: Span, outputs: &Outputs) -> Diagnostic {
    let message = "a resource has no JSON form";
    let diagnostic = Diagnostic::warning(Code::TypeNotAssignable, span, message).ours();
    with_outputs(diagnostic, span, outputs)
}

/// The outputs of a resource that may be meant in the place of the whole resource, the most likely
/// first.
pub(crate) enum Outputs {
    /// The paths to them, which can be written in the place of the resource.
    Paths(Vec<String>),
    /// Their names: the resource has no name of its own.
    Names(Vec<String>),
}

/// Adds the outputs that may be meant in the place of the resource at `span`.
pub(crate) fn with_outputs(diagnostic: Diagnostic, span: Span, outputs: &Outputs) -> Diagnostic {
    let (Outputs::Paths(all) | Outputs::Names(all)) = outputs;
    let Some(first) = all.first() else {
        return diagnostic.help("name the output that is meant");
    };
    let listed = either(all.iter().map(|name| format!("`{name}`")).collect());
    match outputs {
        Outputs::Names(_) => diagnostic.help(format!("name one of its outputs, such as {listed}")),
        Outputs::Paths(_) => {
            let edit = TextEdit::replace(span, first);
            diagnostic
                .help(format!("did you mean {listed}?"))
                .fix(Fix::unsafe_(format!("use `{first}`"), vec![edit]))
        }
    }
}

/// A usual way from one kind of type to another.
pub(super) enum Remedy {
    /// A whole resource is given where one of its outputs must be meant.
    NameOutput(Span, Outputs),
    /// A list is expected of what is given; the place of it where brackets can go around it.
    PutIntoList {
        /// The place of the value, if brackets can be written around it.
        place: Option<Span>,
        /// True if the value has the type of an element.
        is_certain: bool,
    },
    /// A list of objects is expected and one object is given that has other properties.
    WriteListOfObjects,
    /// A list of objects with a name and a value each is expected, and a map is given: its place,
    /// and the list that means the same.
    ListEntries(Option<(Span, String)>),
    /// A list of one element is given: the place of the list, and that of its element.
    TakeOutOfList(Span, TextRange),
    /// A collection is given where a bool is expected.
    CompareLength,
    /// A list is given where a number is expected.
    NameOrCountElements,
    /// A list is given where a string is expected.
    NameOrJoinElements,
    /// An object is given where a string is expected.
    NamePartOrMakeJson,
    /// A string is given where an asset is expected.
    MakeAsset,
    /// A string is given where an archive is expected.
    MakeArchive,
    /// An object is expected; one of its properties.
    WriteObject(Option<String>),
}

impl Remedy {
    /// Adds the advice to a diagnostic.
    pub(crate) fn add_to(self, diagnostic: Diagnostic) -> Diagnostic {
        let help = match self {
            Self::NameOutput(span, outputs) => return with_outputs(diagnostic, span, &outputs),
            Self::WriteListOfObjects => "wrap the object in `[ ]`".to_owned(),
            Self::ListEntries(None) => {
                "write one object per entry, as in `[{ name = .., value = .. }]`".to_owned()
            }
            Self::ListEntries(Some((span, list))) => {
                return diagnostic.help(format!("write one object per entry, as in `{list}`")).fix(
                    Fix::unsafe_("write one object per entry", vec![TextEdit::replace(span, list)]),
                );
            }
            Self::PutIntoList { place, is_certain } => {
                let diagnostic = diagnostic.help("wrap it in `[ ]`");
                return place
                    .into_iter()
                    .map(|place| put_in_brackets(place, is_certain))
                    .fold(diagnostic, Diagnostic::fix);
            }
            Self::TakeOutOfList(list, element) => {
                return diagnostic
                    .help("expected one value, found a list of one: remove the `[ ]`")
                    .fix(take_out_of_brackets(list, element));
            }
            Self::CompareLength => "compare its length, as in `length(..) > 0`".to_owned(),
            Self::NameOrCountElements => {
                "name one element, as in `[0]`, or count them with `length(..)`".to_owned()
            }
            Self::NameOrJoinElements => {
                "name one element, as in `[0]`, or join them, as in `join(\", \", ..)`".to_owned()
            }
            Self::NamePartOrMakeJson => {
                "name one of its properties, or write it as JSON with `toJSON(..)`".to_owned()
            }
            Self::MakeAsset => {
                "use `fileAsset(..)` for a path, or `stringAsset(..)` for the content itself"
                    .to_owned()
            }
            Self::MakeArchive => "use `fileArchive(..)` for a path".to_owned(),
            Self::WriteObject(Some(name)) => {
                format!("write an object, as in `{{ {name} = .. }}`")
            }
            Self::WriteObject(None) => "write an object, as in `{ key = .. }`".to_owned(),
        };
        diagnostic.help(help)
    }
}

fn put_in_brackets(span: Span, is_certain: bool) -> Fix {
    let edits = vec![
        TextEdit::insert(span.file, span.range.start(), "["),
        TextEdit::insert(span.file, span.range.end(), "]"),
    ];
    let title = "wrap it in `[ ]`";
    if is_certain { Fix::safe(title, edits) } else { Fix::unsafe_(title, edits) }
}

fn take_out_of_brackets(list: Span, element: TextRange) -> Fix {
    let before = TextRange::new(list.range.start(), element.start());
    let after = TextRange::new(element.end(), list.range.end());
    let edits = [before, after].map(|range| TextEdit::delete(Span::new(list.file, range)));
    Fix::unsafe_("remove the `[ ]`", edits.to_vec())
}
