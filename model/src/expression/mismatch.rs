//! Values that cannot become what is expected, and the part of them that is to blame.

use std::fmt::Display;

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit};

use super::checker::Checker;
use super::expr::{ExprId, ExprKind};
use super::unlisted::{Written, listing, unlisted};
use crate::relations::{Cause, Conversion, Meant, PathStep};
use crate::types::{Type, TypeId};
use crate::value::{Constant, Number};
use crate::wording::{
    compared, count, in_words, part_of, property_step, short_token, string_in_words,
};

/// The most diagnostics about the parts of one value.
const MOST: usize = 20;

/// The diagnostic for a constant where a number or bool is expected that can become none: a string
/// whose text is not one, or a fraction for an int. Pulumi converts it without reading it, and the
/// program fails when it runs.
pub fn unreadable_constant(
    span: Span,
    constant: &Constant,
    wanted: TypeId,
    role: &dyn Display,
) -> Option<Diagnostic> {
    match (constant, wanted) {
        (Constant::String(text), TypeId::INT | TypeId::NUMBER) => {
            let number = Number::parse(text);
            let is_read = number.is_some_and(|it| wanted == TypeId::NUMBER || it.is_integral());
            (!is_read).then(|| not_a_number(span, role, wanted, text))
        }
        (Constant::String(text), TypeId::BOOL) => {
            let is_read = matches!(&**text, "true" | "false" | "0" | "1");
            (!is_read).then(|| not_a_bool(span, role, text))
        }
        (Constant::Number(number), TypeId::INT) => {
            let message = || format!("{role} must be an int, found the number {number}");
            let error = |message| Diagnostic::error(Code::TypeNotAssignable, span, message).ours();
            (!number.is_integral()).then(|| error(message()).help("write a whole number"))
        }
        (Constant::Number(number), TypeId::BOOL) => {
            let diagnostic = other_kind(span, role, wanted, &format!("the number {number}"));
            let meant = match number.to_string().as_str() {
                "0" => "false",
                "1" => "true",
                _ => return Some(diagnostic),
            };
            let edits = vec![TextEdit::replace(span, meant)];
            Some(diagnostic.fix(Fix::unsafe_(format!("write `{meant}`"), edits)))
        }
        (Constant::Bool(value), TypeId::INT | TypeId::NUMBER) => {
            Some(other_kind(span, role, wanted, &format!("the bool `{value}`")))
        }
        _ => None,
    }
}

/// A part of an expression that does not fit.
pub(super) struct Culprit {
    pub(super) expr: ExprId,
    pub(super) role: String,
    pub(super) given: TypeId,
    pub(super) wanted: TypeId,
}

/// The part of a culprit that a message names.
struct NamedPart {
    part: Culprit,
    /// The number of elements of the list that is wanted and of the one that is given, if these
    /// make the difference.
    lengths: Option<[usize; 2]>,
    /// The reasons inside the part, one per line.
    reasons: Vec<String>,
}

impl Checker<'_> {
    /// Returns whether the value of `expr` can become an input of type `wanted`: a `wanted`, or an
    /// eventual one. Reports it when not, at the innermost part that is to blame. `role` names the
    /// expression, as in "the condition".
    pub fn expect(&mut self, expr: ExprId, wanted: TypeId, role: impl Display) -> bool {
        let misfit = self.misfit(self.type_of(expr), expr, wanted, role);
        let fits = !misfit.as_ref().is_some_and(Diagnostic::is_error);
        self.reporter.report_all(misfit);
        fits
    }

    /// The diagnostic for a value of type `given` that cannot become an input of type `wanted` (an
    /// error), or that Pulumi converts without reading it (an error of ours). `None` when it fits.
    pub(super) fn misfit(
        &mut self,
        given: TypeId,
        expr: ExprId,
        wanted: TypeId,
        role: impl Display,
    ) -> Option<Diagnostic> {
        if given == wanted {
            return None;
        }
        self.revise_guesses(expr, wanted);
        let input = self.types.input_type(wanted);
        match self.types.convert(input, given) {
            Conversion::Safe => None,
            // A string converts to a number or bool when its text is one.
            Conversion::Unsafe => {
                let constant = self.constant_of(expr);
                match constant.or_else(|| self.types.only_value(given)) {
                    Some(constant) => {
                        let span = self.span_of(expr);
                        let mut diagnostic = unreadable_constant(span, &constant, wanted, &role)?;
                        // A fix would replace the name of a variable, not its value.
                        let is_written = self.exprs.literal_string(expr).is_some()
                            || matches!(self.exprs[expr].kind, ExprKind::Literal(_));
                        if !is_written {
                            diagnostic.fixes.clear();
                        }
                        Some(diagnostic)
                    }
                    None => self.other_kind(given, expr, wanted, &role),
                }
            }
            Conversion::No => Some(self.blame(expr, given, wanted, &role.to_string())),
        }
    }

    /// The diagnostic for a number where a bool is expected, or the reverse. Pulumi takes both for
    /// convertible, and the program fails when it runs.
    fn other_kind(
        &mut self,
        given: TypeId,
        expr: ExprId,
        wanted: TypeId,
        role: &dyn Display,
    ) -> Option<Diagnostic> {
        let others: &[TypeId] = match wanted {
            TypeId::BOOL => &[TypeId::INT, TypeId::NUMBER],
            TypeId::INT | TypeId::NUMBER => &[TypeId::BOOL],
            _ => return None,
        };
        let is_other = self.types.is_of_kinds(given, others);
        is_other.then(|| {
            let found = in_words(self.types, given);
            other_kind(self.span_of(expr), role, wanted, &found)
        })
    }

    /// The diagnostic for a value of type `given` that cannot become a `wanted`, at the innermost
    /// part that is to blame. Reports nothing.
    ///
    /// A caller to whom a resource is a reference to itself passes what
    /// [`TypeStore::refer_to_resources`](crate::types::TypeStore::refer_to_resources) makes of the
    /// type.
    pub fn blame(&mut self, expr: ExprId, given: TypeId, wanted: TypeId, role: &str) -> Diagnostic {
        let mut culprit = Culprit { expr, role: role.to_owned(), given, wanted };
        while let Some(part) = self.parts_to_blame(&culprit).into_iter().next() {
            culprit = part;
        }
        self.describe_culprit(&culprit)
    }

    /// The diagnostics for a value of type `given` that cannot become a `wanted`, one for each part
    /// that is to blame. The first one is that of [`Self::blame`].
    pub fn blame_all(
        &mut self,
        expr: ExprId,
        given: TypeId,
        wanted: TypeId,
        role: &str,
    ) -> Vec<Diagnostic> {
        let whole = Culprit { expr, role: role.to_owned(), given, wanted };
        let mut found = Vec::new();
        self.blame_parts(&whole, &mut found);
        found
    }

    // The depth is that of the text, which the parser limits.
    fn blame_parts(&mut self, whole: &Culprit, found: &mut Vec<Diagnostic>) {
        if found.len() >= MOST {
            return;
        }
        let parts = self.parts_to_blame(whole);
        for part in &parts {
            self.blame_parts(part, found);
        }
        if parts.is_empty() {
            found.push(self.describe_culprit(whole));
            if let Some(element) = self.only_entry(whole) {
                self.blame_parts(&element, found);
            }
        } else if let Some(name) = self.missing_property(whole) {
            found.push(self.describe_missing(whole, name));
        }
    }

    /// An object where a list of such objects is wanted, as the element of that list; `None` where
    /// it fits.
    fn only_entry(&mut self, whole: &Culprit) -> Option<Culprit> {
        let ExprKind::Object(items) = &self.exprs[whole.expr].kind else { return None };
        let items = items.clone();
        let plain = self.types.plain(whole.wanted);
        let &(Type::List(wanted) | Type::Set(wanted)) = self.types.get(plain) else { return None };
        let element = self.types.strip(wanted);
        let properties = self.types.properties(element)?;
        let is_entry = items.iter().any(|&(key, _)| {
            let name = self.exprs.key_text(key).and_then(|text| self.types.find_symbol(&text));
            name.is_some_and(|name| self.types.find_property(&properties, name).is_some())
        });
        let Culprit { expr, given, .. } = *whole;
        let role = part_of(&whole.role, "[0]");
        (is_entry && !self.accepts(wanted, given)).then_some(Culprit { expr, role, given, wanted })
    }

    /// The value of an expression that is one constant.
    fn constant_of(&self, expr: ExprId) -> Option<Constant> {
        match &self.exprs[expr].kind {
            ExprKind::Literal(constant) => Some(constant.clone()),
            _ => self.exprs.literal_string(expr).map(Constant::String),
        }
    }

    pub(super) fn accepts(&mut self, wanted: TypeId, given: TypeId) -> bool {
        self.types.converts_to_input(wanted, given)
    }

    fn describe_culprit(&mut self, culprit: &Culprit) -> Diagnostic {
        let span = self.span_of(culprit.expr);
        if let Some(name) = self.missing_property(culprit) {
            return self.describe_missing(culprit, name);
        }
        if let Some(diagnostic) = self.wrong_resource(culprit) {
            return diagnostic;
        }
        if let Some(diagnostic) = self.unlisted_value(culprit) {
            return diagnostic;
        }
        let NamedPart { part, lengths, reasons } = self.part_to_name(culprit);
        let [wanted, given] = match lengths {
            Some(lengths) => lengths.map(|length| match length {
                0 => "an empty list".to_owned(),
                _ => format!("a list of {}", count(length, "element")),
            }),
            None => {
                let [wanted, given] = compared(self.types, part.wanted, part.given);
                let is_whole = part.given == culprit.given;
                let text = self.exprs.literal_string(culprit.expr).filter(|_| is_whole);
                [wanted, text.map_or(given, |text| string_in_words(&text))]
            }
        };
        let message = format!("{} must be {wanted}, found {given}", part.role);
        let diagnostic = Diagnostic::error(Code::TypeNotAssignable, span, message);
        let (diagnostic, is_advised) =
            self.with_remedy(diagnostic, culprit.expr, culprit.given, culprit.wanted);
        if is_advised {
            return diagnostic;
        }
        let help = match lengths {
            Some([0, _]) => Some("write `[]`".to_owned()),
            Some([wanted, _]) => Some(format!("write exactly {}", count(wanted, "element"))),
            None => self.example_of(part.given, part.wanted).map(str::to_owned),
        };
        let diagnostic = reasons.into_iter().fold(diagnostic, Diagnostic::note);
        help.into_iter().fold(diagnostic, Diagnostic::help)
    }

    /// The diagnostic for a constant where only other values are taken.
    fn unlisted_value(&mut self, culprit: &Culprit) -> Option<Diagnostic> {
        let wanted = self.types.plain(culprit.wanted);
        let listing = listing(self.types, wanted);
        let value = self.types.only_value(culprit.given).filter(|_| !listing.is_empty())?;
        if value == Constant::Null {
            return None;
        }
        let written = Written { expr: culprit.expr, value: &value, role: &culprit.role };
        let comparisons = self.scopes.comparisons();
        Some(unlisted(self.types, comparisons, self.exprs, &written, &listing))
    }

    /// The part of a value whose type does not fit, as far as one path leads to it.
    fn part_to_name(&mut self, whole: &Culprit) -> NamedPart {
        let Culprit { expr, given, wanted, .. } = *whole;
        let named = |role: &str, wanted, given| NamedPart {
            part: Culprit { expr, role: role.to_owned(), given, wanted },
            lengths: None,
            reasons: Vec::new(),
        };
        let (to, from) = (self.types.plain(wanted), self.types.resolve(given));
        let reason = self.types.explain(to, from);
        let Some(reason) = reason else { return named(&whole.role, wanted, given) };
        let lengths = match reason.cause {
            Cause::Length { expected, found } => Some([expected, found]),
            Cause::Kind | Cause::NoMember(None) => None,
            Cause::Missing | Cause::NoMember(Some(_)) => {
                return NamedPart {
                    reasons: self.types.reason_lines(&reason),
                    ..named(&whole.role, wanted, given)
                };
            }
        };
        // The message names both types or lengths.
        let part = if reason.path.is_empty() {
            named(&whole.role, wanted, given)
        } else {
            let steps: String = reason.path.iter().map(|step| self.step_text(*step)).collect();
            let role = part_of(&whole.role, &steps);
            named(&role, reason.dst, reason.src)
        };
        NamedPart { lengths, ..part }
    }

    fn step_text(&self, step: PathStep) -> String {
        match step {
            PathStep::Element => "[*]".to_owned(),
            PathStep::Index(at) => format!("[{at}]"),
            PathStep::Property(name) => property_step(self.types.name(name)),
        }
    }

    /// The diagnostic for a resource, or a list or map of resources, of another type than the one
    /// that is expected.
    fn wrong_resource(&mut self, culprit: &Culprit) -> Option<Diagnostic> {
        let [mut wanted, mut given] =
            [culprit.wanted, culprit.given].map(|ty| self.types.plain(ty));
        let mut verb = "be";
        while let (&Type::List(inner_wanted), &Type::List(inner_given))
        | (&Type::Map(inner_wanted), &Type::Map(inner_given)) =
            (self.types.get(wanted), self.types.get(given))
        {
            [wanted, given] = [inner_wanted, inner_given].map(|ty| self.types.plain(ty));
            verb = "contain";
        }
        let wanted = self.types.wanted_resource(wanted)?;
        let given = self.types.referred_resource(given)?;
        let given = self.types.resource_token(given)?;
        let [wanted, given] = [&wanted, &given].map(|token| short_token(token));
        let message = format!("{} must {verb} a `{wanted}`, found a `{given}`", culprit.role);
        let diagnostic =
            Diagnostic::error(Code::TypeNotAssignable, self.span_of(culprit.expr), message);
        Some(diagnostic.help(format!("refer to a resource that is declared as `{wanted}`")))
    }

    /// The elements or properties of a tuple or object literal that cause the mismatch of the
    /// whole.
    fn parts_to_blame(&mut self, whole: &Culprit) -> Vec<Culprit> {
        let own = self.type_of(whole.expr);
        let refers = whole.given != own && whole.given == self.types.refer_to_resources(own);
        // Only the type of an element is known of a collection that is spread.
        if whole.given != own && !refers {
            return Vec::new();
        }
        let containers = self.containers(whole);
        if let Some(value) = self.value_to_blame(whole, &containers) {
            return vec![value];
        }
        // Of several collection types that can be meant, none is known to be.
        let [wanted] = containers[..] else { return Vec::new() };
        let mut parts = Vec::new();
        for (step, expr, wanted) in self.literal_parts(whole.expr, wanted) {
            let given = match self.type_of(expr) {
                ty if refers => self.types.refer_to_resources(ty),
                ty => ty,
            };
            if !self.accepts(wanted, given) {
                let role = part_of(&whole.role, &step);
                parts.push(Culprit { expr, role, given, wanted });
            }
        }
        parts
    }

    /// The parts of a tuple or object literal with the step to each and the type that a collection
    /// `wanted` has for it.
    fn literal_parts(&mut self, expr: ExprId, wanted: TypeId) -> Vec<(String, ExprId, TypeId)> {
        match &self.exprs[expr].kind {
            ExprKind::Tuple(elements) => {
                let elements = elements.clone();
                let typed = elements.iter().enumerate().filter_map(|(index, &expr)| {
                    let wanted = match self.types.get(wanted) {
                        Type::List(element) | Type::Set(element) => *element,
                        Type::Tuple(wanted) => *wanted.get(index)?,
                        _ => return None,
                    };
                    Some((format!("[{index}]"), expr, wanted))
                });
                typed.collect()
            }
            ExprKind::Object(items) => {
                let items = items.clone();
                let typed = items.iter().filter_map(|&(key, expr)| {
                    let name = self.exprs.key_text(key)?.into_owned();
                    let wanted = match self.types.get(wanted) {
                        Type::Map(element) => *element,
                        _ => {
                            let name = self.types.symbol(&name);
                            self.types.property(wanted, name)?
                        }
                    };
                    Some((property_step(&name), expr, wanted))
                });
                typed.collect()
            }
            _ => Vec::new(),
        }
    }

    /// The collection types among what is wanted that a tuple or object written out can be meant to
    /// be.
    pub(super) fn containers(&mut self, whole: &Culprit) -> Vec<TypeId> {
        let is_tuple = matches!(self.exprs[whole.expr].kind, ExprKind::Tuple(_));
        let resolved = self.types.resolve(whole.wanted);
        let members = match self.types.get(resolved) {
            Type::Union(members) => members.to_vec(),
            _ => vec![resolved],
        };
        let fitting = members.into_iter().filter(|&member| match self.types.get(member) {
            Type::List(_) | Type::Set(_) | Type::Tuple(_) => is_tuple,
            Type::Map(_) | Type::Object(_) | Type::Nominal(_) => !is_tuple,
            _ => false,
        });
        let fitting: Vec<TypeId> = fitting.collect();
        match self.types.meant(&fitting, whole.given) {
            Meant::Members(meant) => meant,
            Meant::None { .. } => fitting,
        }
    }

    /// The value of a property by which no member of a union is meant.
    fn value_to_blame(&mut self, whole: &Culprit, containers: &[TypeId]) -> Option<Culprit> {
        let Meant::None { property, wanted } = self.types.meant(containers, whole.given) else {
            return None;
        };
        let ExprKind::Object(items) = &self.exprs[whole.expr].kind else { return None };
        let name = self.types.name(property);
        let is_property = |&&(key, _): &&(ExprId, ExprId)| {
            self.exprs.key_text(key).is_some_and(|text| text == name)
        };
        let &(_, expr) = items.iter().rfind(is_property)?;
        let role = part_of(&whole.role, &property_step(name));
        Some(Culprit { expr, role, given: self.type_of(expr), wanted })
    }
}

/// A string written out where a number is expected, and whose text is not a number.
fn not_a_number(span: Span, role: &dyn Display, wanted: TypeId, text: &str) -> Diagnostic {
    let wanted = match wanted {
        TypeId::INT => "an int",
        _ => "a number",
    };
    let found = string_in_words(text);
    let message = format!("{role} must be {wanted}, found {found}");
    let diagnostic = Diagnostic::error(Code::TypeNotAssignable, span, message).ours();
    let digits = text.trim().trim_end_matches(|c: char| c.is_alphabetic() || c == '%');
    match Number::parse(digits.trim()) {
        Some(number) if wanted != "an int" || number.is_integral() => {
            let help = if digits.len() == text.trim().len() {
                format!("did you mean `{digits}`?")
            } else {
                format!("did you mean `{digits}`? a number has no unit")
            };
            let edit = TextEdit::replace(span, digits.trim());
            diagnostic.help(help).fix(Fix::unsafe_("write the number alone", vec![edit]))
        }
        _ => diagnostic.help("write the number without quotes, as in `3`"),
    }
}

/// A number where a bool is expected, or the reverse; in words.
fn other_kind(span: Span, role: &dyn Display, wanted: TypeId, found: &str) -> Diagnostic {
    let (wanted, help) = match wanted {
        TypeId::BOOL => {
            ("a bool", "compare the number, as in `count > 0`, or write `true` or `false`")
        }
        TypeId::INT => ("an int", "choose a number with a conditional, as in `enabled ? 1 : 0`"),
        _ => ("a number", "choose a number with a conditional, as in `enabled ? 1 : 0`"),
    };
    let message = format!("{role} must be {wanted}, found {found}");
    Diagnostic::error(Code::TypeNotAssignable, span, message).ours().help(help)
}

/// A string written out where a bool is expected, and whose text is neither.
fn not_a_bool(span: Span, role: &dyn Display, text: &str) -> Diagnostic {
    let found = string_in_words(text);
    let message = format!("{role} must be a bool, found {found}");
    let diagnostic = Diagnostic::error(Code::TypeNotAssignable, span, message).ours();
    let meant = match text.trim().to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" => "true",
        "false" | "no" | "off" => "false",
        _ => {
            return diagnostic
                .help("write `true` or `false`, or compare the string, as in `name == \"web\"`");
        }
    };
    diagnostic
        .help(format!("write `{meant}`"))
        .fix(Fix::safe(format!("write `{meant}`"), vec![TextEdit::replace(span, meant)]))
}
