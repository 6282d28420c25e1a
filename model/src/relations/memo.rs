//! Remembered answers, and the bookkeeping that keeps them right when types are recursive.
//!
//! A pair of types met again while it is being compared is *assumed* to convert safely. An answer
//! that rests on such an assumption is not final: it waits in a provisional cache, with the
//! outermost comparison that it rests on, until that comparison is decided. Remembering it at once
//! would give answers that depend on the order of the questions.
//!
//! Assumptions are optimistic and every conversion rule keeps the difference between `No` and the
//! rest, so one pass decides a cycle: a `No` is final at once, and when a comparison comes out
//! below `Safe` only the answers above it that rested on it are forgotten.
//!
//! The rules of *unifying* conversion do not behave as well. There an answer that rests on any
//! assumption is kept for the running question alone.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::answer::{Conversion, Key};
use crate::types::id::{Symbol, TypeId};
use crate::value::Constant;

/// The members of large unions, by the names that they have.
#[derive(Clone, Default)]
pub(super) struct Names {
    /// The members that are objects, or outputs of objects, of schemas.
    pub(super) members: FxHashMap<Symbol, Vec<TypeId>>,
    /// True for a type in which such members, all of them in the table, are all that takes an
    /// object.
    pub(super) is_known: FxHashMap<TypeId, bool>,
}

/// The members of a union by the strings that one of their properties may be.
#[derive(Default)]
pub(super) struct ToldApart {
    pub(super) by_value: FxHashMap<Constant, Vec<TypeId>>,
    /// The members of which the property takes other values as well.
    pub(super) others: Vec<TypeId>,
}

/// A question about an ordered pair of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Pair(u64);

impl Pair {
    pub(crate) fn new(left: TypeId, right: TypeId) -> Self {
        Self(u64::from(left.raw()) << 32 | u64::from(right.raw()))
    }
}

/// The limit of nested comparisons; deeper ones are answered without looking. Anonymous types are
/// limited in depth themselves; this bounds chains of schema types. An optimised build inlines the
/// rules into one another and takes up to 1.4 KB of stack for a comparison, more than a debug
/// build.
const MAX_NESTING: u32 = 800;

/// The limit of unifications of a schema type inside of its own unification, each time with another
/// type. A recursive type and a map of it would never end: the unified type grows with each round.
const MAX_ROUNDS: u32 = 3;

/// The limits of nested unifications, and of the steps of one inside of others. The types can grow
/// from step to step where recursive types meet; past this the two types stand side by side in a
/// union, which both convert to.
const MAX_UNIFIED_NESTING: u32 = 200;
const MAX_UNIFIED_STEPS: u32 = 20_000;

/// The steps of unifications that nest less than this are as many as the types have parts, and are
/// not counted.
const COUNTED_NESTING: u32 = 8;

/// Answers are a cache: past this many they are forgotten and made again when asked.
const MAX_REMEMBERED: usize = 4_000_000;

/// The mark of an answer that rests on no assumption.
const NOTHING: u32 = u32::MAX;

#[derive(Clone, Default)]
pub(crate) struct Relations {
    conversions: FxHashMap<Pair, Conversion>,
    unifying: FxHashMap<Pair, Conversion>,
    unified: FxHashMap<Pair, (TypeId, Conversion)>,
    unified_inside: FxHashMap<Pair, (TypeId, Conversion)>,
    constants: FxHashMap<Pair, Conversion>,
    pub(super) assignable: FxHashMap<Pair, bool>,
    pub(super) assignable_trail: Vec<Pair>,
    pub(super) assignable_assumed: FxHashSet<Pair>,
    pub(super) assignable_nesting: u32,
    pub(super) same: FxHashMap<Pair, bool>,
    /// The types that a key leads to in the members of a large union.
    pub(crate) reached: FxHashMap<(TypeId, Key), Option<TypeId>>,
    pub(super) names: Names,
    /// The members of large unions by the constants of a property.
    pub(super) told_apart: FxHashMap<(TypeId, Symbol), Arc<ToldApart>>,
    running: Running,
}

/// Keeps an answer, as long as there are not too many.
fn remember<A>(answers: &mut FxHashMap<Pair, A>, pair: Pair, answer: A) {
    if answers.len() >= MAX_REMEMBERED {
        answers.clear();
    }
    answers.insert(pair, answer);
}

/// The state of the running question.
#[derive(Clone, Default)]
struct Running {
    /// The comparisons in flight.
    open: u32,
    /// Those of them that are inside of the types that the one around them compares.
    nesting: u32,
    /// The outermost comparison that the answer being made rests on.
    rests_on: RestsOn,
    frames: Vec<Frame>,
    in_flight: FxHashMap<Pair, u32>,
    provisional: FxHashMap<Pair, (Conversion, u32)>,
    provisional_log: Vec<Pair>,
    unifying_in_flight: FxHashSet<Pair>,
    unifying_answers: FxHashMap<Pair, Conversion>,
    unified_in_flight: FxHashSet<Pair>,
    /// The number of unifications in progress that each schema type takes part in.
    rounds: FxHashMap<TypeId, u32>,
    /// The counted steps of the unification that is running.
    unified_steps: u32,
    unified_answers: FxHashMap<Pair, (TypeId, Conversion)>,
}

#[derive(Clone, Copy)]
struct RestsOn(u32);

impl Default for RestsOn {
    fn default() -> Self {
        Self(NOTHING)
    }
}

/// A comparison in flight that may be met again.
#[derive(Clone)]
struct Frame {
    assumed: bool,
    log_start: usize,
}

/// The position of a comparison inside the one around it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    /// Between types inside of those that are compared there.
    Inside,
    /// Between the same types, with some of many parts left out.
    Same,
}

/// The state to restore when a comparison ends.
pub(super) struct Entered {
    level: Level,
    outer: RestsOn,
    guarded: bool,
}

impl Relations {
    /// The answer to `pair` if it is remembered, assumed, or too deep to look into.
    pub(super) fn recall(&mut self, pair: Pair, unifying: bool) -> Option<Conversion> {
        if unifying {
            return self.recall_unifying(pair);
        }
        if let Some(known) = self.conversions.get(&pair) {
            return Some(*known);
        }
        if self.running.open == 0 {
            return None;
        }
        if let Some(&(answer, rests_on)) = self.running.provisional.get(&pair) {
            self.rest_on(rests_on);
            return Some(answer);
        }
        if let Some(&frame) = self.running.in_flight.get(&pair) {
            if let Some(frame) = self.running.frames.get_mut(frame as usize) {
                frame.assumed = true;
            }
            self.rest_on(frame);
            return Some(Conversion::Safe);
        }
        (self.running.nesting >= MAX_NESTING).then_some(Conversion::Unsafe)
    }

    fn recall_unifying(&mut self, pair: Pair) -> Option<Conversion> {
        if let Some(known) = self.unifying.get(&pair) {
            return Some(*known);
        }
        if let Some(answer) = self.running.unifying_answers.get(&pair) {
            let answer = *answer;
            self.rest_on(0);
            return Some(answer);
        }
        if self.running.unifying_in_flight.contains(&pair) {
            self.rest_on(0);
            return Some(Conversion::Safe);
        }
        (self.running.nesting >= MAX_NESTING).then_some(Conversion::Unsafe)
    }

    fn rest_on(&mut self, frame: u32) {
        self.running.rests_on.0 = self.running.rests_on.0.min(frame);
    }

    /// The conversion of the constants of a type to a union that has none of them as a member, by
    /// union and type.
    pub(super) fn recall_constant(&self, like: Pair) -> Option<Conversion> {
        self.constants.get(&like).copied()
    }

    pub(super) fn remember_constant(&mut self, like: Pair, answer: Conversion) {
        remember(&mut self.constants, like, answer);
    }

    /// Begins a comparison; `guarded` when `pair` may be met again inside it.
    pub(super) fn enter(
        &mut self,
        pair: Pair,
        unifying: bool,
        guarded: bool,
        level: Level,
    ) -> Entered {
        if guarded && unifying {
            self.running.unifying_in_flight.insert(pair);
        } else if guarded {
            self.running.in_flight.insert(pair, self.running.frames.len() as u32);
            let log_start = self.running.provisional_log.len();
            self.running.frames.push(Frame { assumed: false, log_start });
        }
        self.open(level, guarded)
    }

    /// Ends a comparison.
    pub(super) fn leave(
        &mut self,
        pair: Pair,
        unifying: bool,
        entered: Entered,
        answer: Conversion,
    ) {
        let rests_on = if unifying {
            self.leave_unifying(pair, entered.guarded, answer)
        } else {
            self.leave_plain(pair, entered.guarded, answer)
        };
        self.close(&entered, rests_on);
    }

    fn leave_plain(&mut self, pair: Pair, guarded: bool, answer: Conversion) -> u32 {
        let mut rests_on = self.running.rests_on.0;
        if answer == Conversion::No {
            rests_on = NOTHING;
        }
        if guarded && let Some(frame) = self.running.frames.pop() {
            self.running.in_flight.remove(&pair);
            let own = self.running.frames.len() as u32;
            if rests_on == own {
                rests_on = NOTHING;
            }
            if frame.assumed {
                self.settle(own, frame.log_start, rests_on, answer);
            }
        }
        if rests_on == NOTHING {
            remember(&mut self.conversions, pair, answer);
        } else if self.running.provisional.insert(pair, (answer, rests_on)).is_none() {
            self.running.provisional_log.push(pair);
        }
        rests_on
    }

    /// Decides the provisional answers that rest on the comparison `own`, which came out as
    /// `answer` and itself rests on `rests_on`.
    fn settle(&mut self, own: u32, log_start: usize, rests_on: u32, answer: Conversion) {
        let (mut kept, mut next) = (log_start, log_start);
        while let Some(&pair) = self.running.provisional_log.get(next) {
            next += 1;
            let Some(&(value, on)) = self.running.provisional.get(&pair) else { continue };
            if on >= own {
                if value > answer {
                    self.running.provisional.remove(&pair);
                    continue;
                }
                if rests_on == NOTHING {
                    self.running.provisional.remove(&pair);
                    remember(&mut self.conversions, pair, value);
                    continue;
                }
                self.running.provisional.insert(pair, (value, rests_on));
            }
            if let Some(first_free) = self.running.provisional_log.get_mut(kept) {
                *first_free = pair;
            }
            kept += 1;
        }
        self.running.provisional_log.truncate(kept);
    }

    fn leave_unifying(&mut self, pair: Pair, guarded: bool, answer: Conversion) -> u32 {
        if guarded {
            self.running.unifying_in_flight.remove(&pair);
        }
        let rests_on = self.running.rests_on.0;
        if rests_on == NOTHING {
            remember(&mut self.unifying, pair, answer);
        } else {
            self.running.unifying_answers.insert(pair, answer);
        }
        rests_on
    }

    /// The unification of `pair` if it is remembered; for a pair in flight, and for one too deep to
    /// look into, `left`.
    pub(super) fn recall_unified(
        &mut self,
        pair: Pair,
        left: TypeId,
    ) -> Option<(TypeId, Conversion)> {
        if let Some(known) = self.unified.get(&pair) {
            return Some(*known);
        }
        if let Some(answer) = self.running.unified_answers.get(&pair) {
            let answer = *answer;
            self.rest_on(0);
            return Some(answer);
        }
        if self.running.unified_in_flight.contains(&pair) {
            self.rest_on(0);
            return Some((left, Conversion::Safe));
        }
        (self.running.nesting >= MAX_NESTING).then_some((left, Conversion::Unsafe))
    }

    /// Returns whether a unification is to be ended, since it shows no end of its own: it nests too
    /// deep, takes too many steps, or one of the schema types on its sides takes part in too many
    /// of those around it.
    pub(super) fn keeps_growing(&mut self, nominal: [Option<TypeId>; 2]) -> bool {
        if self.running.nesting >= COUNTED_NESTING {
            self.running.unified_steps += 1;
        }
        let rounds = |ty| self.running.rounds.get(&ty).copied().unwrap_or_default();
        let growing = self.running.nesting >= MAX_UNIFIED_NESTING
            || self.running.unified_steps > MAX_UNIFIED_STEPS
            || nominal.into_iter().flatten().any(|ty| rounds(ty) >= MAX_ROUNDS);
        if growing {
            self.rest_on(0);
        }
        growing
    }

    /// Begins a unification; with a schema type on a side of it, `pair` may be met again inside it.
    pub(super) fn enter_unified(&mut self, pair: Pair, nominal: [Option<TypeId>; 2]) -> Entered {
        let guarded = nominal.iter().any(Option::is_some);
        if guarded {
            self.running.unified_in_flight.insert(pair);
        }
        for ty in nominal.into_iter().flatten() {
            *self.running.rounds.entry(ty).or_default() += 1;
        }
        self.open(Level::Inside, guarded)
    }

    /// Ends a unification.
    pub(super) fn leave_unified(
        &mut self,
        pair: Pair,
        entered: Entered,
        nominal: [Option<TypeId>; 2],
        answer: (TypeId, Conversion),
    ) {
        if entered.guarded {
            self.running.unified_in_flight.remove(&pair);
        }
        for ty in nominal.into_iter().flatten() {
            if let Some(rounds) = self.running.rounds.get_mut(&ty) {
                *rounds -= 1;
            }
        }
        let rests_on = self.running.rests_on.0;
        if rests_on == NOTHING {
            remember(&mut self.unified, pair, answer);
        } else {
            self.running.unified_answers.insert(pair, answer);
        }
        self.close(&entered, rests_on);
    }

    /// The unification of some of the parts of two types, if it is remembered.
    pub(super) fn recall_inside(&self, pair: Pair) -> Option<(TypeId, Conversion)> {
        self.unified_inside.get(&pair).copied()
    }

    /// Begins the unification of some of the parts of two types.
    pub(super) fn enter_inside(&mut self) -> Entered {
        self.open(Level::Same, false)
    }

    /// Ends the unification of some of the parts of two types.
    pub(super) fn leave_inside(
        &mut self,
        pair: Pair,
        entered: Entered,
        answer: (TypeId, Conversion),
    ) {
        let rests_on = self.running.rests_on.0;
        if rests_on == NOTHING {
            remember(&mut self.unified_inside, pair, answer);
        }
        self.close(&entered, rests_on);
    }

    fn open(&mut self, level: Level, guarded: bool) -> Entered {
        self.running.open += 1;
        self.running.nesting += u32::from(level == Level::Inside);
        Entered { level, outer: std::mem::take(&mut self.running.rests_on), guarded }
    }

    fn close(&mut self, entered: &Entered, rests_on: u32) {
        self.running.rests_on.0 = entered.outer.0.min(rests_on);
        self.running.nesting -= u32::from(entered.level == Level::Inside);
        self.running.open -= 1;
        if self.running.open == 0 {
            debug_assert!(self.running.frames.is_empty());
            self.running.rests_on = RestsOn::default();
            self.running.provisional.clear();
            self.running.provisional_log.clear();
            self.running.unifying_answers.clear();
            self.running.unified_answers.clear();
            self.running.rounds.clear();
            self.running.unified_steps = 0;
        }
    }
}
