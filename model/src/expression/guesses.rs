//! Unknown names that may be misspelled, or texts without quotes: what is expected in their place
//! says whether that can be meant.
//!
//! A name is bound before anything is known about its place, so the advice about it is revised
//! where its value meets the type that is expected.
//!
//! The rules, with examples: `tests/spec/habits/guesses.md`.

use pcl_diagnostics::{Span, suggest};

use super::checker::Checker;
use super::expr::{ExprId, ExprKind};
use crate::messages::names::{NameAdvice, with_advice};
use crate::relations::Conversion;
use crate::scope::{Guess, ScopeId};
use crate::types::{Type, TypeId};

/// The words that a value of a bool may be a misspelling of.
const BOOLS: [&str; 2] = ["false", "true"];

impl Checker<'_> {
    /// The type of what an unknown name is advised to be.
    pub(super) fn guessed_type(&self, scope: ScopeId, advice: &NameAdvice<'_>) -> Option<TypeId> {
        match *advice {
            NameAdvice::Declare { is_value: true } => Some(TypeId::STRING),
            NameAdvice::Similar(similar) => {
                let meant = self
                    .scopes
                    .lookup(scope, self.types.find_symbol(similar)?)?;
                Some(self.scopes.definition(meant).ty)
            }
            _ => None,
        }
    }

    /// Notes that the unknown name at `span`, which is about to be reported, may be meant to be of
    /// type `ty`.
    pub(super) fn note_guess(&mut self, span: Span, name: &str, ty: TypeId) {
        let guess = Guess {
            name: name.to_owned(),
            ty,
            mark: self.reporter.mark(),
        };
        self.scopes.guesses.insert(span, guess);
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
                        let wanted = match self.types.get(wanted) {
                            Type::List(element) | Type::Set(element) => Some(*element),
                            Type::Tuple(elements) => elements.get(at).copied(),
                            _ => None,
                        };
                        places.extend(wanted.map(|wanted| (element, wanted)));
                    }
                }
                ExprKind::Object(items) => {
                    for &(key, item) in items {
                        let wanted = match self.types.get(wanted) {
                            Type::Map(element) => Some(*element),
                            _ => self.exprs.key_text(key).and_then(|key| {
                                let key = self.types.find_symbol(&key)?;
                                self.types.property(wanted, key)
                            }),
                        };
                        places.extend(wanted.map(|wanted| (item, wanted)));
                    }
                }
                ExprKind::Conditional {
                    if_true, if_false, ..
                } => places.extend([(*if_true, wanted), (*if_false, wanted)]),
                _ => self.revise_name(self.span_of(expr), wanted),
            }
        }
    }

    fn revise_name(&mut self, span: Span, wanted: TypeId) {
        let Some(guess) = self.scopes.guesses.get(&span) else {
            return;
        };
        if self.is_possible(guess.ty, wanted) {
            return;
        }
        let Some(Guess { name, mark, .. }) = self.scopes.guesses.remove(&span) else {
            return;
        };
        let is_bool = self.types.converts_to_input(wanted, TypeId::BOOL);
        let bool = BOOLS.into_iter().filter(|_| is_bool);
        let advice = match suggest(&name, bool) {
            Some(word) => NameAdvice::Similar(word),
            None => NameAdvice::Declare { is_value: false },
        };
        self.reporter.revise(mark, span, |mut diagnostic| {
            diagnostic.fixes.clear();
            with_advice(diagnostic, span, &name, &advice)
        });
    }

    /// Returns true if a value of type `given` may be meant where a `wanted` is expected. A text is
    /// not meant where only one that is a number or a bool fits.
    fn is_possible(&mut self, given: TypeId, wanted: TypeId) -> bool {
        let given = self.types.refer_to_resources(given);
        let input = self.types.input_type(wanted);
        match self.types.convert(input, given) {
            Conversion::Safe => true,
            Conversion::Unsafe => {
                let others = [TypeId::BOOL, TypeId::INT, TypeId::NUMBER];
                let is_text = self.types.is_of_kinds(given, &[TypeId::STRING]);
                !(is_text && self.types.is_of_kinds(wanted, &others))
            }
            Conversion::No => false,
        }
    }
}
