//! Unknown names that may be misspelled, or texts without quotes: what is expected in their place
//! says whether that can be meant.
//!
//! A name is bound before anything is known about its place, so the advice about it is revised
//! where its value meets the type that is expected, and once more when all declarations are bound:
//! only then are the types of later ones known, and what they refer to.
//!
//! The rules, with examples: `tests/spec/habits/guesses.md`.

use pcl_diagnostics::{Diagnostic, Fix, Span, TextEdit, TextRange, suggest};

use super::checker::Checker;
use super::expr::{ExprId, ExprKind};
use crate::relations::Conversion;
use crate::scope::{DefinitionId, Guess, ScopeId};
use crate::types::{Type, TypeId, TypeStore};

/// The words that a value of a bool may be a misspelling of.
const BOOLS: [&str; 2] = ["false", "true"];

impl Checker<'_> {
    /// The guess in the advice about the unknown name at `span`, which is about to be reported.
    pub(super) fn guess(
        &self,
        span: Span,
        name: &str,
        scope: ScopeId,
        advice: &NameAdvice<'_>,
    ) -> Option<Guess> {
        let (meant, ty) = match *advice {
            NameAdvice::Declare { is_value: true } => (None, TypeId::STRING),
            NameAdvice::Similar("false" | "true") => (None, TypeId::BOOL),
            NameAdvice::Similar(similar) => {
                let meant = self.definition_of(scope, similar)?;
                (Some(meant), self.scopes.definition(meant).ty)
            }
            _ => return None,
        };
        Some(Guess {
            span,
            name: name.to_owned(),
            meant,
            ty,
            wanted: None,
            mark: self.reporter.mark(),
        })
    }

    fn definition_of(&self, scope: ScopeId, name: &str) -> Option<DefinitionId> {
        let symbol = self.types.find_symbol(name)?;
        self.scopes.lookup(scope, symbol)
    }

    /// Revises the advice about unknown names in a value of which a `wanted` is expected: only what
    /// fits is offered.
    pub fn revise_guesses(&mut self, value: ExprId, wanted: TypeId) {
        if self.scopes.guesses.is_empty() {
            return;
        }
        let mut places = vec![(value, wanted)];
        while let Some((expr, wanted)) = places.pop() {
            let wanted = self.types.plain(wanted);
            match &self.exprs[expr].kind {
                ExprKind::Tuple(elements) => {
                    for (at, &element) in elements.iter().enumerate() {
                        let wanted =
                            wanted_part(self.types, wanted, |types, ty| match types.get(ty) {
                                Type::List(element) | Type::Set(element) => Some(*element),
                                Type::Tuple(elements) => elements.get(at).copied(),
                                _ => None,
                            });
                        places.extend(wanted.map(|wanted| (element, wanted)));
                    }
                }
                ExprKind::Object(items) => {
                    for &(key, item) in items {
                        let key = self.exprs.key_text(key);
                        let key = key.and_then(|key| self.types.find_symbol(&key));
                        let wanted =
                            wanted_part(self.types, wanted, |types, ty| match types.get(ty) {
                                Type::Map(element) => Some(*element),
                                _ => types.property(ty, key?),
                            });
                        places.extend(wanted.map(|wanted| (item, wanted)));
                    }
                }
                ExprKind::Conditional { if_true, if_false, .. } => {
                    places.extend([(*if_true, wanted), (*if_false, wanted)])
                }
                _ => self.revise_name(self.span_of(expr), wanted),
            }
        }
    }

    /// Revises the advice about an unknown name of which a value with a certain form is expected,
    /// or which is a branch of such a value.
    pub(super) fn revise_guess(
        &mut self,
        value: ExprId,
        is_possible: impl Fn(&mut Self, TypeId) -> bool + Copy,
    ) {
        if self.scopes.guesses.is_empty() {
            return;
        }
        let mut open = vec![value];
        while let Some(next) = open.pop() {
            match self.exprs[next].kind {
                ExprKind::Conditional { if_true, if_false, .. } => open.extend([if_true, if_false]),
                _ if next == value => self.revise_form(self.span_of(next), is_possible),
                // With a value of any type, the other branch has no form either.
                _ => self.revise_form(self.span_of(next), |checker, ty| {
                    checker.types.strip(ty) != TypeId::DYNAMIC && is_possible(checker, ty)
                }),
            }
        }
    }

    fn revise_form(&mut self, span: Span, is_possible: impl Fn(&mut Self, TypeId) -> bool) {
        self.keep_guess_if(span, |checker, guess| is_possible(checker, guess.ty));
    }

    /// Revises the advice to write an unknown name as a text where only certain texts are possible.
    pub fn revise_text(&mut self, value: ExprId, is_possible: impl FnOnce(&str) -> bool) {
        self.keep_guess_if(self.span_of(value), |_, guess| {
            (guess.meant, guess.ty) != (None, TypeId::STRING) || is_possible(&guess.name)
        });
    }

    fn revise_name(&mut self, span: Span, wanted: TypeId) {
        self.keep_guess_if(span, |checker, guess| {
            guess.wanted = Some(wanted);
            let given = checker.offered(guess);
            checker.is_possible(given, wanted)
        });
    }

    /// The type of the value that a guess offers. A text is a constant: an enum may not list it.
    fn offered(&mut self, guess: &Guess) -> TypeId {
        match (guess.meant, guess.ty) {
            (None, TypeId::STRING) => self.types.string_constant(&guess.name).0,
            (_, ty) => ty,
        }
    }

    /// Takes back the advice about the unknown name at `span` unless it is to be kept.
    fn keep_guess_if(&mut self, span: Span, is_kept: impl FnOnce(&mut Self, &mut Guess) -> bool) {
        let Some(mut guess) = self.scopes.guesses.remove(&span) else { return };
        if is_kept(self, &mut guess) {
            self.scopes.guesses.insert(span, guess);
        } else {
            self.withdraw(guess);
        }
    }

    /// Judges the guess that an unknown name is that of a declaration, once all declarations are
    /// bound. `is_circular` says that the declaration needs the one that the unknown name is in.
    pub fn judge_guess(&mut self, guess: Guess, is_circular: bool) {
        let given = match guess.meant {
            Some(meant) => self.scopes.definition(meant).ty,
            None => self.offered(&guess),
        };
        let fits = |checker: &mut Self, wanted| checker.is_possible(given, wanted);
        if is_circular || guess.wanted.is_some_and(|wanted| !fits(self, wanted)) {
            self.withdraw(guess);
        }
    }

    /// Takes back the advice about an unknown name, which may be a misspelled bool.
    fn withdraw(&mut self, guess: Guess) {
        let Guess { span, name, mark, .. } = guess;
        let wanted = guess.wanted;
        let takes_bool = wanted.is_some_and(|wanted| {
            self.types.converts_to_input(wanted, TypeId::BOOL)
                && self.is_possible(TypeId::BOOL, wanted)
        });
        let bool = BOOLS.into_iter().filter(|_| takes_bool);
        let advice = match suggest(&name, bool) {
            Some(word) => NameAdvice::Similar(word),
            None => NameAdvice::Declare { is_value: false },
        };
        self.reporter.revise(mark, span, |mut diagnostic| {
            diagnostic.fixes.clear();
            with_advice(diagnostic, span, &name, &advice)
        });
    }

    /// Returns true if a value of type `given` may be meant where a `wanted` is expected. A text, a
    /// number or a bool is not meant where only one that converts to another of them fits.
    fn is_possible(&mut self, given: TypeId, wanted: TypeId) -> bool {
        let given = self.types.refer_to_resources(given);
        let input = self.types.input_type(wanted);
        match self.types.convert(input, given) {
            Conversion::Safe => true,
            Conversion::Unsafe => {
                let numbers = [TypeId::INT, TypeId::NUMBER];
                let others = [TypeId::BOOL, TypeId::INT, TypeId::NUMBER];
                let is_number = [given, wanted].map(|ty| self.types.is_of_kinds(ty, &numbers));
                let is_simple = self.types.is_of_kinds(given, &[TypeId::STRING, TypeId::BOOL]);
                let is_simple = is_simple || is_number[0];
                is_number == [true, true] || !(is_simple && self.types.is_of_kinds(wanted, &others))
            }
            Conversion::No => false,
        }
    }
}

/// The type of a part of a `wanted`; of a union, all that its members have there.
fn wanted_part(
    types: &mut TypeStore,
    wanted: TypeId,
    part: impl Fn(&mut TypeStore, TypeId) -> Option<TypeId>,
) -> Option<TypeId> {
    let members: Vec<TypeId> = match types.get(wanted) {
        Type::Union(members) => members.iter().copied().collect(),
        _ => vec![wanted],
    };
    let found: Vec<TypeId> = members.into_iter().filter_map(|it| part(types, it)).collect();
    (!found.is_empty()).then(|| types.union(found))
}

/// The advice about an unknown name.
pub(crate) enum NameAdvice<'a> {
    /// A name in scope is similar.
    Similar(&'a str),
    /// Something else helps.
    Help(String),
    /// It is Terraform's reference to this resource, which is not declared.
    Terraform { resource: String, help: String },
    /// A variable of that name can be declared. The name may be a string without quotes where it is
    /// a whole value.
    Declare { is_value: bool },
    /// It is probably text for a shell, and the interpolation begins at this offset.
    Text { at: u32 },
    /// There is none.
    None,
}

/// The diagnostic of an unknown name with advice about it.
pub(crate) fn with_advice(
    diagnostic: Diagnostic,
    span: Span,
    name: &str,
    advice: &NameAdvice<'_>,
) -> Diagnostic {
    match *advice {
        NameAdvice::Similar(meant) => diagnostic
            .help(format!("did you mean `{meant}`?"))
            .fix(Fix::unsafe_(format!("use `{meant}`"), vec![TextEdit::replace(span, meant)])),
        NameAdvice::Help(ref help) => diagnostic.help(help.as_str()),
        NameAdvice::Terraform { ref resource, ref help } => {
            let mut diagnostic = diagnostic.help(help.as_str());
            diagnostic.message = format!("there is no resource `{resource}` here");
            diagnostic
        }
        NameAdvice::Declare { is_value } => {
            let help =
                format!("declare it, as in `{name} = ..` or `config \"{name}\" \"string\" {{}}`");
            if !is_value {
                return diagnostic.help(help);
            }
            let text = format!("\"{name}\"");
            diagnostic
                .help(format!("{help}; a string is written `{text}`"))
                .fix(Fix::unsafe_("add quotes", vec![TextEdit::replace(span, text)]))
        }
        NameAdvice::Text { at } => {
            let sign = Span::new(span.file, TextRange::empty(at));
            diagnostic
                .help(format!(
                    "to write `${{{name}}}` as text, double the sign: `$${{{name}}}`; for a value, \
                     declare it, as in `config \"{name}\" \"string\" {{}}`"
                ))
                .fix(Fix::unsafe_("write it as text", vec![TextEdit::replace(sign, "$")]))
        }
        NameAdvice::None => diagnostic,
    }
}
