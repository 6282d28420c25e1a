//! The advice about a value that does not fit: the usual ways from one kind of type to another.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit, TextRange, suggest};
use pcl_syntax::{SyntaxKind, SyntaxToken, ast, quoted};

use super::checker::Checker;
use super::expr::{ExprId, ExprKind};
use super::print::print;
use crate::types::{Type, TypeId, TypeStore};
use crate::value::Constant;
use crate::wording::{either, property_step};

/// The largest map that is rewritten as a list of entries.
const MAX_ENTRIES: usize = 8;

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
    /// Adds the usual way to make a `wanted` of `expr`, whose type is `given`; false where there is
    /// none.
    pub(super) fn with_remedy(
        &mut self,
        diagnostic: Diagnostic,
        expr: ExprId,
        given: TypeId,
        wanted: TypeId,
    ) -> (Diagnostic, bool) {
        let span = self.span_of(expr);
        let plain = self.types.plain(wanted);
        let element = self.wanted_element(plain);
        let is_any = element.is_some_and(|element| self.types.plain(element) == TypeId::DYNAMIC);
        // Options that take a list of anything take one of resources.
        let is_meant = !is_any || self.types.is_resource(given);
        let element = element.filter(|_| is_meant);
        if let Some(element) = element.filter(|&element| self.accepts(element, given)) {
            let takes_brackets = self.takes_brackets(expr, given);
            // A variable may as well be meant for another attribute.
            let is_written = matches!(self.exprs[expr].kind, ExprKind::Object(_));
            let is_certain = is_any || is_written && self.has_keys_of(given, element);
            let fix = takes_brackets.then(|| put_in_brackets(span, is_certain));
            return (
                fix.into_iter().fold(diagnostic.help("wrap it in `[ ]`"), Diagnostic::fix),
                true,
            );
        }
        if let Some(property) = self.meant_output(given, wanted) {
            let outputs = self.outputs_of(expr, vec![property]);
            return (with_outputs(diagnostic, span, &outputs), true);
        }
        let wanted = plain;
        if let Some(element) = self.only_element(expr, wanted) {
            return (
                diagnostic
                    .help("expected one value, found a list of one: remove the `[ ]`")
                    .fix(take_out_of_brackets(span, self.exprs[element].range)),
                true,
            );
        }
        if let Some(element) = self.wanted_element(wanted)
            && self.group_of(given) == TypeGroup::Object
            && self.group_of(element) == TypeGroup::Object
        {
            let Some(names) = self.entry_names(element) else {
                let fix = self.takes_brackets(expr, given).then(|| put_in_brackets(span, false));
                return (diagnostic.help("wrap the object in `[ ]`").fix(fix), true);
            };
            let Some(list) = self.listed_entries(expr, names) else {
                let help = "write one object per entry, as in `[{ name = .., value = .. }]`";
                return (diagnostic.help(help), true);
            };
            let help = format!("write one object per entry, as in `{list}`");
            let edits = vec![TextEdit::replace(span, list)];
            let fix = Fix::unsafe_("write one object per entry", edits);
            return (diagnostic.help(help).fix(fix), true);
        }
        if self.types.only_value(given) == Some(Constant::Null) {
            let help = "a value is required here: only what is optional may be `null`";
            return (diagnostic.help(help), true);
        }
        use TypeGroup as Group;
        let help = match [given, wanted].map(|ty| self.group_of(ty)) {
            [Group::List | Group::Object, Group::Bool] => {
                "compare its length, as in `length(..) > 0`"
            }
            [Group::List, Group::Number] => {
                "name one element, as in `[0]`, or count them with `length(..)`"
            }
            [Group::List, Group::String] => {
                "name one element, as in `[0]`, or join them, as in `join(\", \", ..)`"
            }
            [Group::Object, Group::String] => {
                "name one of its properties, or write it as JSON with `toJSON(..)`"
            }
            [Group::String, Group::Asset] => {
                "use `fileAsset(..)` for a path, or `stringAsset(..)` for the content itself"
            }
            [Group::String, Group::Archive] => "use `fileArchive(..)` for a path",
            [Group::Bool | Group::Number | Group::String | Group::List, Group::Object] => {
                let name = self.first_property(wanted).unwrap_or_else(|| "key".to_owned());
                return (
                    diagnostic.help(format!("write an object, as in `{{ {name} = .. }}`")),
                    true,
                );
            }
            [Group::Object, Group::Number] => {
                "name one of its properties, or count them with `length(..)`"
            }
            [Group::Object, Group::List] => {
                "write a list, as in `[..]`; `[for name, value in .. : value]` lists the \
                 values of an object"
            }
            [Group::Asset, Group::String] => "use `readFile(..)` for the content of a file",
            _ => return (diagnostic, false),
        };
        (diagnostic.help(help), true)
    }

    /// An advice about a value of the type `given` where another kind of value is `wanted`, for
    /// which [`Self::with_remedy`] has none.
    pub(super) fn example_of(&mut self, given: TypeId, wanted: TypeId) -> Option<&'static str> {
        let [given, wanted] = [given, wanted].map(|ty| {
            let plain = self.types.plain(ty);
            self.group_of(plain)
        });
        Some(match wanted {
            _ if wanted == given => return None,
            TypeGroup::Bool => "write `true` or `false`",
            TypeGroup::Number => "write a number, as in `3`",
            TypeGroup::String => "write a string, as in `\"text\"`",
            TypeGroup::Asset => "write an asset, as in `fileAsset(\"./index.html\")`",
            TypeGroup::Archive => "write an archive, as in `fileArchive(\"./site\")`",
            TypeGroup::List => "write a list, as in `[..]`",
            TypeGroup::Object => "write an object, as in `{ .. }`",
            TypeGroup::Other => return None,
        })
    }

    /// Warns about converting a resource to JSON: a resource is not data, and its JSON differs from
    /// language to language.
    pub(crate) fn warn_of_resource_as_json(&mut self, value: ExprId) {
        let ty = self.types.strip(self.type_of(value));
        if self.types.is_resource(ty) {
            let outputs = self.outputs_of(value, vec!["id".to_owned()]);
            let span = self.span_of(value);
            let message = "a resource has no JSON form";
            let diagnostic = Diagnostic::warning(Code::TypeNotAssignable, span, message).ours();
            self.reporter.report(with_outputs(diagnostic, span, &outputs));
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
        const ADDRESSES: &str = "url endpoint ip publicIp ipAddress ipv4Address dnsName hostname \
                                 fqdn arn address name";
        let properties = self.types.properties(given).unwrap_or_default();
        let mut found = Vec::new();
        for name in ADDRESSES.split(' ').chain(["id"]) {
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
    fn listed_entries(&self, expr: ExprId, [name, value]: [&str; 2]) -> Option<String> {
        let ExprKind::Object(items) = &self.exprs[expr].kind else { return None };
        if items.is_empty() || items.len() > MAX_ENTRIES {
            return None;
        }
        let mut entries = Vec::with_capacity(items.len());
        for &(key, item) in items {
            let key = quoted(&self.exprs.key_text(key)?);
            let item = print(item, self.exprs, self.types, self.scopes);
            entries.push(format!("{{ {name} = {key}, {value} = {item} }}"));
        }
        Some(format!("[{}]", entries.join(", ")))
    }

    /// Returns whether all properties of an object that is written out are properties of `wanted`.
    /// True for any other value.
    fn has_keys_of(&mut self, given: TypeId, wanted: TypeId) -> bool {
        let given = self.types.strip(given);
        let Type::Object(_) = self.types.get(given) else { return true };
        let Some(given) = self.types.properties(given) else { return true };
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
        !self.exprs.ends_line(expr) && self.type_of(expr) == given
    }

    /// The element of a list of one element that would do by itself.
    fn only_element(&mut self, expr: ExprId, wanted: TypeId) -> Option<ExprId> {
        let ExprKind::Tuple(elements) = &self.exprs[expr].kind else { return None };
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
        let ExprKind::Object(items) = &self.exprs[object].kind else { return None };
        items.iter().map(|&(key, _)| key).find(|&key| {
            self.exprs
                .key_text(key)
                .is_some_and(|text| !is_known(&text) && suggest(&text, [missing]).is_some())
        })
    }
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
    let Some(first) = all.first() else { return diagnostic.help("name the output that is meant") };
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
