//! Resources that the program reads.

use super::{Answer, Generator, Goal};
use crate::step::{Op, Reason};

impl Generator {
    /// Makes the steps for a resource that is read; its id is `None` if it is unknown.
    pub fn read(&mut self, goal: &Goal, id: Option<&str>) -> Answer {
        let at = self.find(goal);
        self.seen.insert(goal.urn.clone());
        let is_targeted = self.is_included(goal);
        self.record_target(is_targeted, goal);
        let old = at.and_then(|at| self.prior.get(at));
        let is_same_id = old.is_some_and(|old| Some(&*old.id) == id);
        let is_external = old.is_some_and(|old| old.is_external);
        if let Some(at) = at.filter(|_| !is_external && !is_same_id) {
            self.operated.replaces.insert(goal.urn.clone());
            self.replaced.insert(at);
            for op in [Op::ReadReplacement, Op::Replace] {
                let step = self.step(op, goal, Some(at), Reason::Read);
                self.push(step);
            }
            return Answer::New;
        }
        self.operated.reads.insert(goal.urn.clone());
        let step = self.step(Op::Read, goal, at, Reason::Read);
        self.push(step);
        // It does not exist yet if what it depends on is created.
        let is_new = goal
            .dependencies
            .iter()
            .any(|urn| self.operated.creates.contains(urn) || self.operated.replaces.contains(urn));
        match at.filter(|_| !is_new && is_same_id) {
            Some(at) => Answer::Same(at),
            None => Answer::New,
        }
    }
}
