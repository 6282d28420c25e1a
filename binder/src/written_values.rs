//! Literals in a place of known type: unknown keys, values outside of an enumeration or constant,
//! and strings that are not numbers.
//!
//! Conversion accepts all of these, and so does Pulumi, until the program runs: a provider refuses
//! the value, or the deployment is not the intended one. A key that a schema does not have and a
//! string that is not a number are errors of ours, since the program can only fail. If the schema
//! may be incomplete, they are warnings.
//!
//! The rules, with examples: `tests/spec/programs/written_values.md`.

use std::fmt::{Display, Formatter};
use std::sync::Arc;

use pcl_diagnostics::{
    Code, Comparisons, Diagnostic, Fix, Severity, Span, TextEdit, enumerate, is_same_word, related,
};
use pcl_model::expression::{
    ExprArena, ExprId, ExprKind, Written, candidates, key_like, part_of, path_to, property_step,
    put_inside, unlisted, unreadable_constant, values_of,
};
use pcl_model::relations::Conversion;
use pcl_model::scope::Scopes;
use pcl_model::types::{Properties, Symbol, Type, TypeId, TypeStore};
use pcl_model::value::Constant;
use pcl_syntax::quoted;
use rustc_hash::FxHashSet;

use crate::lint::near_value::{misspelled, near_value};
use crate::wording::{with_inner_place, with_set_name};

/// The place of a value that is written out.
pub(crate) struct Slot<'p> {
    /// The type that is wanted.
    pub ty: TypeId,
    /// The role of the value, as in "`tags` of `p:N`".
    pub role: &'p dyn Display,
    /// The type that the value is a property of, if it is one.
    pub around: Option<TypeId>,
    /// True if the whole value is refused, because of constants in it that are not listed.
    pub is_refused: bool,
}

impl<'p> Slot<'p> {
    /// The place of a value that is accepted, and no property.
    pub fn new(ty: TypeId, role: &'p dyn Display) -> Self {
        Self { ty, role, around: None, is_refused: false }
    }
}

/// Looks through the objects, lists and strings that are written out in `value`.
pub(crate) fn check(
    types: &mut TypeStore,
    scopes: &mut Scopes,
    exprs: &ExprArena,
    value: ExprId,
    slot: &Slot<'_>,
) -> Vec<Diagnostic> {
    let (comparisons, is_refused) = (scopes.comparisons(), slot.is_refused);
    let mut walk =
        Walk { types, comparisons, exprs, is_refused, choices: 0, diagnostics: Vec::new() };
    let around = slot.around.map(|object| Around { object, outside: None });
    let place = Place { role: slot.role, steps: None };
    walk.value(value, slot.ty, place, around.as_ref());
    walk.diagnostics
}

/// The object types around a value, the innermost first.
struct Around<'o> {
    object: TypeId,
    outside: Option<&'o Around<'o>>,
}

/// The path to a value: its role and the steps from there, the last one first.
#[derive(Clone, Copy)]
struct Place<'p> {
    role: &'p dyn Display,
    steps: Option<&'p Steps<'p>>,
}

struct Steps<'p> {
    before: Option<&'p Steps<'p>>,
    last: Step<'p>,
}

#[derive(Clone, Copy)]
enum Step<'p> {
    Index(usize),
    Property(&'p str),
}

impl<'p> Place<'p> {
    fn inside<'s>(self, steps: &'s Steps<'s>) -> Place<'s>
    where
        'p: 's,
    {
        Place { role: self.role, steps: Some(steps) }
    }

    fn then(self, last: Step<'p>) -> Steps<'p> {
        Steps { before: self.steps, last }
    }
}

/// The place in words.
impl Display for Place<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let mut steps = Vec::new();
        let mut next = self.steps;
        while let Some(step) = next {
            steps.push(match step.last {
                Step::Index(at) => format!("[{at}]"),
                Step::Property(name) => property_step(name),
            });
            next = step.before;
        }
        steps.reverse();
        if steps.is_empty() {
            self.role.fmt(f)
        } else {
            f.write_str(&part_of(&self.role.to_string(), &steps.concat()))
        }
    }
}

struct Walk<'a> {
    types: &'a mut TypeStore,
    comparisons: &'a mut Comparisons,
    exprs: &'a ExprArena,
    is_refused: bool,
    /// The number of conditionals around the value.
    choices: usize,
    diagnostics: Vec<Diagnostic>,
}

impl Walk<'_> {
    // The depth is that of the text, which the parser limits.
    fn value(
        &mut self,
        value: ExprId,
        expected: TypeId,
        place: Place<'_>,
        around: Option<&Around<'_>>,
    ) {
        let exprs = self.exprs;
        match &exprs[value].kind {
            ExprKind::Object(items) => match self.only(expected) {
                Some(Composite::Object(object, properties)) => {
                    let inside = Around { object, outside: around };
                    let mut keys = ObjectKeys::default();
                    for &(key, value) in items {
                        let is_taken = |name: &str| keys.contain(exprs, items, name);
                        self.item(key, value, &properties, place, &inside, is_taken);
                    }
                }
                // An element without the list around it.
                Some(Composite::Elements(expected)) if self.has_known_key(items, expected) => {
                    let steps = place.then(Step::Index(0));
                    self.value(value, expected, place.inside(&steps), around);
                }
                Some(Composite::Values(expected)) => {
                    for &(key, value) in items {
                        let name = key_text(exprs, key).unwrap_or_default();
                        let steps = place.then(Step::Property(&name));
                        self.value(value, expected, place.inside(&steps), around);
                    }
                }
                Some(Composite::Elements(_)) | None => {}
            },
            ExprKind::Tuple(elements) => {
                if let Some(Composite::Elements(expected)) = self.only(expected) {
                    for (index, &element) in elements.iter().enumerate() {
                        let steps = place.then(Step::Index(index));
                        self.value(element, expected, place.inside(&steps), around);
                    }
                }
            }
            &ExprKind::Conditional { if_true, if_false, .. } => {
                self.choices += 1;
                self.value(if_true, expected, place, around);
                self.value(if_false, expected, place, around);
                self.choices -= 1;
            }
            ExprKind::Literal(Constant::Null) => {}
            ExprKind::Literal(constant) => self.constant(value, constant, expected, place),
            _ => {
                if let Some(text) = exprs.literal_string(value) {
                    self.constant(value, &Constant::String(text), expected, place);
                }
            }
        }
    }

    /// Returns whether an object has a property that an object of the type `expected` has.
    fn has_known_key(&mut self, items: &[(ExprId, ExprId)], expected: TypeId) -> bool {
        let Some(Composite::Object(object, _)) = self.only(expected) else { return false };
        items.iter().any(|&(key, _)| {
            let name = key_text(self.exprs, key).and_then(|text| self.types.find_symbol(&text));
            name.is_some_and(|name| self.types.property(object, name).is_some())
        })
    }

    fn item(
        &mut self,
        key: ExprId,
        value: ExprId,
        properties: &Properties,
        place: Place<'_>,
        inside: &Around<'_>,
        mut is_taken: impl FnMut(&str) -> bool,
    ) {
        let Some(name) = key_text(self.exprs, key) else { return };
        let symbol = self.types.find_symbol(&name);
        let known = symbol.and_then(|name| self.types.property(inside.object, name));
        if let Some(expected) = known {
            let steps = place.then(Step::Property(&name));
            return self.value(value, expected, place.inside(&steps), Some(inside));
        }
        let span = span_of(self.exprs, key);
        let is_closed = matches!(self.types.get(inside.object), Type::Nominal(_));
        let mut diagnostic = ignored_key(span, &name, &place.to_string(), is_closed);
        let known = properties.iter().map(|&(name, _)| self.types.name(name));
        let meant = self.comparisons.suggest(&name, known);
        let mut certain = None;
        if let Some(meant) = meant {
            let text = (!is_taken(meant)).then(|| key_like(&self.exprs[key].kind, meant));
            let meant = meant.to_owned();
            certain = self.certain(&name, &meant, value, properties);
            let is_certain = certain.is_some();
            diagnostic = with_meant_key(diagnostic, span, &meant, text, is_certain);
        } else if let Some(levels) = symbol.and_then(|symbol| self.levels_up(symbol, inside)) {
            diagnostic = with_outer_key(diagnostic, &name, levels);
        } else if let Some(path) = symbol
            .and_then(|symbol| path_to(self.types, self.comparisons, properties, (symbol, &name)))
        {
            let root = path.split('.').next().unwrap_or_default();
            let ends_line = self.exprs.ends_line(value);
            let fix = (!ends_line && !is_taken(root))
                .then(|| put_inside(span, span_of(self.exprs, value), &path));
            diagnostic = with_inner_place(diagnostic, &name, &path).fix(fix);
        } else {
            let known = properties.iter().map(|&(name, _)| self.types.name(name));
            let related = if self.comparisons.may_compare(&name, known.len()) {
                related(&name, known.clone())
            } else {
                Vec::new()
            };
            let known = self.comparisons.nearest_first(&name, known);
            diagnostic = with_known_keys(diagnostic, &related, known.iter().copied());
        }
        self.diagnostics.push(diagnostic);
        if let Some((meant, expected)) = certain {
            let meant = self.types.shared_name(meant);
            let steps = place.then(Step::Property(&meant));
            self.value(value, expected, place.inside(&steps), Some(inside));
        }
    }

    /// The number of levels from an object up to the nearest one around it that has a property.
    fn levels_up(&mut self, name: Symbol, inside: &Around<'_>) -> Option<usize> {
        let mut around = std::iter::successors(inside.outside, |around| around.outside);
        let at = around.position(|around| self.types.property(around.object, name).is_some());
        at.map(|at| at + 1)
    }

    /// The property `meant` with its type, if a key is certainly a misspelling of it: the value
    /// fits, and no other property is near.
    fn certain(
        &mut self,
        key: &str,
        meant: &str,
        value: ExprId,
        properties: &Properties,
    ) -> Option<(Symbol, TypeId)> {
        let named = |&&(name, _): &&(Symbol, TypeId)| self.types.name(name) == meant;
        let &(symbol, expected) = properties.iter().find(named)?;
        let given = self.types.refer_to_resources(self.exprs[value].ty);
        if self.types.convert(expected, given) != Conversion::Safe {
            return None;
        }
        let others = properties.iter().filter(|&&(name, _)| name != symbol);
        let others: Vec<&str> = others.map(|&(name, _)| self.types.name(name)).collect();
        let is_certain =
            is_same_word(key, meant) || self.comparisons.suggest(key, others).is_none();
        is_certain.then_some((symbol, expected))
    }

    /// A string where an enumeration lists values and others are taken as well.
    fn open_value(
        &mut self,
        value: ExprId,
        written: &Constant,
        expected: TypeId,
        place: Place<'_>,
    ) {
        let Constant::String(written) = written else { return };
        let types = &*self.types;
        let listed = candidates(types, expected).flat_map(|ty| values_of(types, ty));
        let listed: Vec<&str> = listed
            .filter_map(|constant| match constant {
                Constant::String(text) => Some(&**text),
                _ => None,
            })
            .collect();
        if listed.is_empty() || !self.comparisons.may_compare(written, listed.len()) {
            return;
        }
        if let Some(meant) = misspelled(written, listed.iter().copied()) {
            let span = span_of(self.exprs, value);
            let role = place.to_string();
            let text = quoted(meant);
            let diagnostic = near_value(span, written, &role, meant, text);
            self.diagnostics.push(diagnostic);
        }
    }

    fn constant(&mut self, value: ExprId, written: &Constant, expected: TypeId, place: Place<'_>) {
        let mut allowed: Vec<TypeId> = Vec::new();
        let mut candidates = candidates(self.types, expected);
        while let Some(candidate) = candidates.next() {
            match self.types.get(candidate) {
                Type::Enum(_) | Type::Const { .. } => allowed.push(candidate),
                // A text where only a number or only a bool will do.
                Type::Int | Type::Number | Type::Bool if allowed.is_empty() => {
                    if candidates.next().is_none() {
                        let span = span_of(self.exprs, value);
                        let diagnostic = unreadable_constant(span, written, candidate, &place);
                        self.diagnostics.extend(diagnostic);
                    }
                    return;
                }
                // Any other string is good as well, unless it is certainly misspelled.
                Type::String => {
                    drop(candidates);
                    return self.open_value(value, written, expected, place);
                }
                // Any other value is good as well.
                _ => return,
            }
        }
        drop(candidates);
        if allowed.is_empty() || allowed.iter().any(|&ty| self.types.lists(ty, written)) {
            return;
        }
        let role = place.to_string();
        let written = Written { expr: value, value: written, role: &role };
        let diagnostic = unlisted(self.types, self.comparisons, self.exprs, &written, &allowed);
        // Of a conditional, another branch may fit.
        let is_certain = self.is_refused && self.choices == 0;
        self.diagnostics.push(if is_certain {
            diagnostic
        } else {
            diagnostic.with_severity(Severity::Warning).ours()
        });
    }

    /// The type of a composite value, if only one is possible.
    fn only(&mut self, expected: TypeId) -> Option<Composite> {
        let mut only = None;
        for candidate in candidates(self.types, expected) {
            let is_composite = match self.types.get(candidate) {
                Type::Map(_) | Type::List(_) | Type::Set(_) => true,
                Type::Object(_) | Type::Nominal(_) => true,
                Type::Dynamic | Type::Error => return None,
                _ => false,
            };
            if is_composite && only.replace(candidate).is_some() {
                return None;
            }
        }
        let only = only?;
        match *self.types.get(only) {
            Type::Map(values) => Some(Composite::Values(values)),
            Type::List(values) | Type::Set(values) => Some(Composite::Elements(values)),
            _ => {
                let properties = self.types.properties(only)?;
                Some(Composite::Object(only, properties))
            }
        }
    }
}

/// The type of a literal value with parts.
enum Composite {
    /// An object of this type, with these properties.
    Object(TypeId, Properties),
    /// A map of values of this type.
    Values(TypeId),
    /// A list of elements of this type.
    Elements(TypeId),
}

/// The literal keys of one object, collected on the first use.
#[derive(Default)]
pub(crate) struct ObjectKeys(Option<FxHashSet<Arc<str>>>);

impl ObjectKeys {
    /// Returns whether the object with these items has a key of that name.
    pub fn contain(&mut self, exprs: &ExprArena, items: &[(ExprId, ExprId)], name: &str) -> bool {
        let keys = items.iter().filter_map(|&(key, _)| key_text(exprs, key));
        self.0.get_or_insert_with(|| keys.collect()).contains(name)
    }
}

/// The text of a literal key.
pub(crate) fn key_text(exprs: &ExprArena, key: ExprId) -> Option<Arc<str>> {
    match &exprs[key].kind {
        ExprKind::Literal(Constant::String(text)) => Some(Arc::clone(text)),
        ExprKind::Literal(constant) => constant.as_text().map(Arc::from),
        _ => exprs.literal_string(key),
    }
}

fn span_of(exprs: &ExprArena, expr: ExprId) -> Span {
    Span::new(exprs[expr].file, exprs[expr].range)
}

/// A key that is ignored, of the object with the role `role`. `is_closed` says that a schema lists
/// the properties of the object.
fn ignored_key(span: Span, name: &str, role: &str, is_closed: bool) -> Diagnostic {
    let message = format!("there is no property `{name}` in {role}");
    let severity = if is_closed { Severity::Error } else { Severity::Warning };
    Diagnostic::warning(Code::IgnoredKey, span, message).with_severity(severity).ours()
}

/// An ignored key that was probably meant to be `meant`, with the text that writes that key.
fn with_meant_key(
    diagnostic: Diagnostic,
    span: Span,
    meant: &str,
    text: Option<String>,
    is_certain: bool,
) -> Diagnostic {
    match text {
        Some(text) => {
            let diagnostic = diagnostic.help(format!("did you mean `{meant}`?"));
            let title = format!("rename to `{meant}`");
            let edits = vec![TextEdit::replace(span, text)];
            diagnostic.fix(Fix::safe_if(is_certain, title, edits))
        }
        None => with_set_name(diagnostic, meant),
    }
}

/// An ignored key that an object around has, so many levels up.
fn with_outer_key(diagnostic: Diagnostic, name: &str, levels: usize) -> Diagnostic {
    let levels = match levels {
        1 => "one level up, outside of this object".to_owned(),
        _ => format!("{levels} levels up"),
    };
    diagnostic.help(format!("`{name}` belongs {levels}"))
}

/// An ignored key beside known ones, of which some are `related` to it.
fn with_known_keys<'k>(
    diagnostic: Diagnostic,
    related: &[&str],
    known: impl ExactSizeIterator<Item = &'k str>,
) -> Diagnostic {
    match known.len() {
        _ if !related.is_empty() => {
            let related: Vec<String> = related.iter().map(|name| format!("`{name}`")).collect();
            diagnostic.help(format!("did you mean {}?", related.join(" or ")))
        }
        0 => diagnostic.help("the object has no properties: remove it"),
        1 => diagnostic.help(format!("its only property is {}", enumerate(known))),
        _ => diagnostic.help(format!("its properties are {}", enumerate(known))),
    }
}
