//! A constant in a place that takes only the values that a schema lists.
//!
//! The rules, with examples: `tests/spec/types/enumeration.md` and
//! `tests/spec/programs/written_values.md`.

use pcl_diagnostics::{Code, Comparisons, Diagnostic, Fix, Span, TextEdit, is_same_word, suggest};
use pcl_syntax::quoted;

use super::arena::ExprArena;
use super::expr::{ExprId, ExprKind};
use crate::types::{Type, TypeId, TypeStore};
use crate::value::Constant;

/// The largest number of values that a message lists.
const MOST: usize = 12;

/// The enumerations and constants that are all that a value of the type `expected` may be of; empty
/// where other values are taken as well.
pub fn listing(types: &TypeStore, expected: TypeId) -> Vec<TypeId> {
    let mut listing = Vec::new();
    for candidate in candidates(types, expected) {
        match types.get(candidate) {
            Type::Enum(_) | Type::Const { .. } => listing.push(candidate),
            _ => return Vec::new(),
        }
    }
    listing
}

/// The types that a plain value may have.
pub fn candidates(types: &TypeStore, expected: TypeId) -> impl Iterator<Item = TypeId> + '_ {
    let (only, members) = match types.get(expected) {
        Type::Union(members) => (None, &members[..]),
        _ => (Some(expected), &[][..]),
    };
    let is_plain = |member: &TypeId| {
        let eventual = matches!(types.get(*member), Type::Output(_) | Type::Promise(_));
        *member != TypeId::NONE && !eventual
    };
    let plain = members.iter().copied().filter(is_plain);
    only.into_iter().chain(plain)
}

/// The values of an enumeration or a constant.
pub fn values_of(types: &TypeStore, ty: TypeId) -> &[Constant] {
    match types.get(ty) {
        Type::Enum(enumeration) => &enumeration.values,
        Type::Const { value, .. } => std::slice::from_ref(value),
        _ => &[],
    }
}

/// A value that is written out, or that an expression always has.
pub struct Written<'w> {
    /// The expression.
    pub expr: ExprId,
    /// Its value.
    pub value: &'w Constant,
    /// The role of the value, as in "`colour` of `toy:Car`".
    pub role: &'w str,
}

/// The diagnostic for a constant that is no value of the types `listing`, with the listed value
/// that is meant. It can be fixed where the constant is written out.
pub fn unlisted(
    types: &TypeStore,
    comparisons: &mut Comparisons,
    exprs: &ExprArena,
    written: &Written<'_>,
    listing: &[TypeId],
) -> Diagnostic {
    let place = &exprs[written.expr];
    let span = Span::new(place.file, place.range);
    let is_written = matches!(place.kind, ExprKind::Literal(_) | ExprKind::Template(_));
    let values = || listing.iter().flat_map(|&ty| values_of(types, ty));
    let count = listing.iter().map(|&ty| values_of(types, ty).len()).sum();
    let value = written.value.to_string();
    let diagnostic = not_listed(span, &value, written.role, values(), count);
    let Some((meant, is_certain)) = meant(comparisons, written.value, values, count) else {
        return match count {
            1 => values().fold(diagnostic, |all, only| all.help(format!("write {only}"))),
            _ => diagnostic.help("use a value that the schema lists"),
        };
    };
    let text = match meant {
        Constant::String(text) => quoted(text),
        _ => meant.to_string(),
    };
    let diagnostic = match count {
        1 => diagnostic.help(format!("write {meant}")),
        _ => diagnostic.help(format!("did you mean {meant}?")),
    };
    let edits = vec![TextEdit::replace(span, text)];
    if is_written {
        diagnostic.fix(Fix::safe_if(is_certain, format!("write {meant}"), edits))
    } else {
        diagnostic
    }
}

/// The listed value that is meant, and whether that is certain: no other one is near, or it is the
/// same text of another kind.
fn meant<'v, Values>(
    comparisons: &mut Comparisons,
    written: &Constant,
    values: impl Fn() -> Values,
    count: usize,
) -> Option<(&'v Constant, bool)>
where
    Values: Iterator<Item = &'v Constant>,
{
    let text = written.as_text()?;
    if let Some(same) = values().find(|value| value.as_text().as_ref() == Some(&text)) {
        return Some((same, true));
    }
    let written = written.to_string();
    if !comparisons.may_compare(&written, count) {
        return None;
    }
    let names: Vec<String> = values().map(ToString::to_string).collect();
    let meant = suggest(&written, names.iter().map(String::as_str))?;
    let others = names.iter().map(String::as_str).filter(|&other| other != meant);
    let is_certain = is_same_word(&written, meant) || suggest(&written, others).is_none();
    values().zip(&names).find(|(_, name)| *name == meant).map(|(value, _)| (value, is_certain))
}

/// A value with the role `role` that is not among the `count` values that the schema lists.
fn not_listed<'c>(
    span: Span,
    written: &str,
    role: &str,
    values: impl Iterator<Item = &'c Constant>,
    count: usize,
) -> Diagnostic {
    let values = listed_values(values, count);
    let message = match count {
        1 => format!("{role} must be {values}, found {written}"),
        _ => format!("{written} is not a value of {role}"),
    };
    let diagnostic = Diagnostic::error(Code::ValueNotListed, span, message);
    match count {
        1 => diagnostic,
        _ => diagnostic.note(format!("the schema lists {values}")),
    }
}

/// At most a dozen of `count` values, for a message.
fn listed_values<'c>(values: impl Iterator<Item = &'c Constant>, count: usize) -> String {
    let shown: Vec<String> = values.take(MOST).map(ToString::to_string).collect();
    let mut text = shown.join(", ");
    if count > MOST {
        text.push_str(&format!(" and {} more", count - MOST));
    }
    text
}
