//! What to do about a value that does not fit: the usual ways from one kind of type to another.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit, TextRange, suggest};

use super::{Checker, ExprId, ExprKind, print, shown};
use crate::types::{Type, TypeId};
use crate::value::Constant;

/// The kinds of types that hints tell apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
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

impl Checker<'_> {
    /// `finding` with what may be done so that `expr`, of type `given`, becomes a `wanted`.
    pub(super) fn with_hint(
        &mut self,
        finding: Diagnostic,
        expr: ExprId,
        given: TypeId,
        wanted: TypeId,
    ) -> Diagnostic {
        let plain = self.plain(wanted);
        let meant = match self.wanted_element(plain) {
            Some(element) if self.accepts(element, given) => None,
            _ => self.meant_output(given, wanted),
        };
        if let Some(property) = meant {
            return finding.help(self.name_output(expr, &property));
        }
        let wanted = plain;
        if let Some(element) = self.wanted_element(wanted)
            && self.accepts(element, given)
        {
            let finding = finding.help("put it into a list");
            return match self.may_stand_in_brackets(expr, given) {
                true => finding.fix(self.put_in_brackets(expr)),
                false => finding,
            };
        }
        if let Some(fix) = self.take_out_of_brackets(expr, wanted) {
            return finding
                .help("one value is needed here, not a list of one")
                .fix(fix);
        }
        let kinds = [given, wanted].map(|ty| self.kind_of(ty));
        let help = match kinds {
            [Kind::List | Kind::Object, Kind::Bool] => {
                "compare its length, as in `length(..) > 0`".to_owned()
            }
            [Kind::List, Kind::Number] => {
                "name one element, as in `[0]`, or count them with `length(..)`".to_owned()
            }
            [Kind::List, Kind::String] => {
                "name one element, as in `[0]`, or join them, as in `join(\", \", ..)`".to_owned()
            }
            [Kind::Object, Kind::String] => {
                "name the part that is meant, or make JSON of the whole with `toJSON(..)`"
                    .to_owned()
            }
            [Kind::String, Kind::Asset] => {
                "make an asset of a path with `fileAsset(..)`, or of a text with `stringAsset(..)`"
                    .to_owned()
            }
            [Kind::String, Kind::Archive] => {
                "make an archive of a path with `fileArchive(..)`".to_owned()
            }
            [
                Kind::Bool | Kind::Number | Kind::String | Kind::List,
                Kind::Object,
            ] => match self.first_property(wanted) {
                Some(name) => format!("write an object, as in `{{ {name} = .. }}`"),
                None => "write an object, as in `{ key = .. }`".to_owned(),
            },
            _ => return finding,
        };
        finding.help(help)
    }

    /// A type as a message says what was given: whole resources are not listed.
    pub(crate) fn shown_given(&mut self, given: TypeId, wanted: TypeId) -> String {
        let [given_one, wanted_one] = [given, wanted].map(|ty| self.types.strip(ty));
        if self.types.is_resource(wanted_one) {
            return shown(self.types, given);
        }
        let held = match *self.types.get(given_one) {
            Type::List(element) | Type::Map(element) => self.types.strip(element),
            _ => given_one,
        };
        match (self.types.is_resource(held), self.types.get(given_one)) {
            (false, _) => shown(self.types, given),
            (true, Type::List(_)) => "a list of resources".to_owned(),
            (true, Type::Map(_)) => "a map of resources".to_owned(),
            (true, _) => "a whole resource".to_owned(),
        }
    }

    /// A resource is no data: its JSON differs from language to language.
    pub(crate) fn warn_of_resource_as_json(&mut self, value: ExprId) {
        let ty = self.types.strip(self.type_of(value));
        if self.types.is_resource(ty) {
            let message = "a whole resource has no JSON of its own";
            let help = self.name_output(value, "id");
            let finding =
                Diagnostic::warning(Code::TypeNotAssignable, self.span_of(value), message);
            self.reporter.report(finding.ours().help(help));
        }
    }

    /// What to do about a whole resource where one of its outputs must be meant.
    pub(super) fn name_output(&self, expr: ExprId, property: &str) -> String {
        let ExprKind::Traversal(traversal) = &self.exprs[expr].kind else {
            return format!("name the output that is meant, such as its `{property}`");
        };
        // A splat's item has no name of its own.
        if self.types.name(traversal.root).is_empty() {
            return format!("name the output that is meant, as in `.{property}`");
        }
        let text = print(expr, self.exprs, self.types, self.scopes);
        format!("name the output that is meant, as in `{text}.{property}`")
    }

    /// The output of the resource `given` that would do: its id, or the first.
    pub(super) fn meant_output(&mut self, given: TypeId, wanted: TypeId) -> Option<String> {
        let given = self.types.strip(given);
        if !self.types.is_resource(given) {
            return None;
        }
        let properties = self.types.properties(given)?;
        let id = properties
            .iter()
            .find(|&&(name, _)| self.types.name(name) == "id");
        // A resource can have very many outputs, and most often its id will do.
        let meant = id
            .into_iter()
            .chain(properties.iter())
            .find(|&&(_, ty)| self.types.strip(ty) != TypeId::DYNAMIC && self.accepts(wanted, ty));
        meant.map(|&(name, _)| self.types.name(name).to_owned())
    }

    fn wanted_element(&self, wanted: TypeId) -> Option<TypeId> {
        match self.types.get(wanted) {
            Type::List(element) | Type::Set(element) => Some(*element),
            _ => None,
        }
    }

    /// Whether brackets around the text of an expression make a list of it: not around a heredoc, which ends its line, and not when it
    /// is spread.
    fn may_stand_in_brackets(&self, expr: ExprId, given: TypeId) -> bool {
        let ends_line = match &self.exprs[expr].kind {
            ExprKind::Template(parts) => parts.last().is_some_and(|&part| {
                matches!(&self.exprs[part].kind, ExprKind::Literal(Constant::String(text)) if text.ends_with('\n'))
            }),
            _ => false,
        };
        !ends_line && self.type_of(expr) == given
    }

    fn put_in_brackets(&self, expr: ExprId) -> Fix {
        let span = self.span_of(expr);
        let edits = vec![
            TextEdit::insert(span.file, span.range.start(), "["),
            TextEdit::insert(span.file, span.range.end(), "]"),
        ];
        Fix::unsafe_("put it into a list", edits)
    }

    /// For a list of one element that would do by itself.
    fn take_out_of_brackets(&mut self, expr: ExprId, wanted: TypeId) -> Option<Fix> {
        let ExprKind::Tuple(elements) = &self.exprs[expr].kind else {
            return None;
        };
        let [element] = **elements else { return None };
        let given = self.type_of(element);
        if !self.accepts(wanted, given) || !self.may_stand_in_brackets(element, given) {
            return None;
        }
        let (whole, inner) = (self.span_of(expr), self.span_of(element));
        let before = TextRange::new(whole.range.start(), inner.range.start());
        let after = TextRange::new(inner.range.end(), whole.range.end());
        let edits = [before, after].map(|range| TextEdit::delete(Span::new(whole.file, range)));
        Some(Fix::unsafe_("take it out of the list", edits.to_vec()))
    }

    fn kind_of(&self, ty: TypeId) -> Kind {
        let ty = self.types.strip(ty);
        match self.types.get(ty) {
            _ if ty == TypeId::BOOL => Kind::Bool,
            _ if ty == TypeId::NUMBER || ty == TypeId::INT => Kind::Number,
            _ if ty == TypeId::STRING || ty == TypeId::ID => Kind::String,
            _ if ty == TypeId::ASSET => Kind::Asset,
            _ if ty == TypeId::ARCHIVE => Kind::Archive,
            Type::Const { underlying, .. } => self.kind_of(*underlying),
            Type::List(_) | Type::Tuple(_) => Kind::List,
            Type::Map(_) | Type::Object(_) | Type::Nominal(_) => Kind::Object,
            Type::Union(members) if members.contains(&TypeId::ASSET) => Kind::Asset,
            _ => Kind::Other,
        }
    }

    /// A property that an object of type `ty` must have, or else any.
    fn first_property(&mut self, ty: TypeId) -> Option<String> {
        let ty = self.types.strip(ty);
        let properties = self.types.properties(ty)?;
        let needed = properties
            .iter()
            .find(|&&(_, ty)| !self.accepts(ty, TypeId::NONE));
        let &(name, _) = needed.or(properties.first())?;
        Some(self.types.name(name).to_owned())
    }

    /// The key of an object written out that was probably meant to be `missing`, one of the properties `known`.
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
