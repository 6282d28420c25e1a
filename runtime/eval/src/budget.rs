//! The budget of a run: how much it may compute and read.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use pcl_diagnostics::{Diagnostic, Span};
use pcl_values::{PropertyMap, PropertyValue};

use crate::run::Run;
use crate::stop::Stop;
use crate::value::Value;
use crate::wording;

/// The steps that a part of a list or object costs when it is made, about its bytes by ten.
const PART: u64 = 8;

/// The steps that a part of an input costs, of which a request, its answer and a value have copies.
const SENT: u64 = 32;

/// The parts of the inputs of a block that cost nothing.
pub(crate) const FREE: usize = 64;

/// The bytes of a string that cost a step when it is made.
const BYTES: u64 = 16;

/// The steps that a request to the engine costs besides its inputs.
pub(crate) const REQUEST: u64 = 256;

/// The most that a run may spend. A program that reaches a limit fails (PCL1007), and the run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Steps: an expression that is evaluated is one, and what takes memory costs several, so that
    /// the memory of a run is limited, too.
    pub steps: u64,
    /// Files that functions and archives read.
    pub files: u64,
    /// Bytes of these files.
    pub bytes: u64,
}

impl Limits {
    /// No limits but the memory, for the language host: a deployment ends when its user ends it.
    pub const NONE: Self = Self { steps: u64::MAX, files: u64::MAX, bytes: u64::MAX };
}

/// Limits that no real program reaches: a second of work and less than 300 MB.
impl Default for Limits {
    fn default() -> Self {
        Self { steps: 1 << 25, files: 100_000, bytes: 1 << 30 }
    }
}

/// The part of the budget that a run has spent.
#[derive(Default)]
pub(crate) struct Spent {
    steps: AtomicU64,
    pub files: AtomicU64,
    pub bytes: AtomicU64,
}

impl Run {
    /// Takes steps from the budget.
    ///
    /// # Errors
    /// Ends the run if there are not so many left.
    pub fn spend(&self, steps: u64, span: impl FnOnce() -> Span) -> Result<(), Stop> {
        let limit = self.settings.limits.steps;
        let before = self.spent.steps.fetch_add(steps, Relaxed);
        if before.saturating_add(steps) > limit {
            Err(self.exceeded(too_many_steps(span(), limit)))
        } else {
            Ok(())
        }
    }

    /// Takes the steps that a value costs without the parts of its parts.
    pub fn spend_value(&self, value: &Value, span: impl FnOnce() -> Span) -> Result<(), Stop> {
        match cost(value) {
            0 => Ok(()),
            steps => self.spend(steps, span),
        }
    }

    /// Takes the steps that a request with these values costs.
    pub fn spend_request(
        &self,
        sent: &PropertyMap,
        span: impl FnOnce() -> Span,
    ) -> Result<(), Stop> {
        let parts: usize = sent.values().map(PropertyValue::count).sum();
        self.spend(REQUEST + SENT * parts as u64, span)
    }

    /// Takes the steps that an input of a resource costs, before it is made. Of a block that makes
    /// one resource, `free` parts cost nothing: they are as many as its text is long.
    pub fn spend_input(
        &self,
        value: &Value,
        free: &mut usize,
        span: impl FnOnce() -> Span,
    ) -> Result<(), Stop> {
        let parts = value.count() + 1;
        let paid = parts.saturating_sub(*free);
        *free = free.saturating_sub(parts);
        match paid {
            0 => Ok(()),
            paid => self.spend(SENT * paid as u64, span),
        }
    }
}

/// The steps of a value without the parts of its parts.
pub(crate) fn cost(value: &Value) -> u64 {
    use crate::value::Kind;
    match &value.kind {
        Kind::List(list) => PART * list.elements().len() as u64,
        Kind::Object(object) => PART * object.len() as u64,
        Kind::String(text) => text.len() as u64 / BYTES,
        _ => 0,
    }
}

/// The program computes too much.
fn too_many_steps(span: Span, limit: u64) -> Diagnostic {
    wording::exceeded(span, format!("the run takes more than {limit} steps here"), "max-steps")
}
