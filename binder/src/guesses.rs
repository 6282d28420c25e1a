//! Unknown names that are similar to that of a declaration: the guess is judged once all
//! declarations are bound, because it may lead to one that needs the place of the unknown name.
//!
//! The rules, with examples: `tests/spec/habits/guesses.md`.

use pcl_model::scope::Guess;
use rustc_hash::FxHashSet;

use crate::binder::Binder;
use crate::node::NodeId;
use crate::order::Edges as _;

/// The number of dependencies that are followed for all guesses of a module. The walks repeat each
/// other, so without a limit many unknown names in a large program would cost its square.
const STEPS: usize = 1_000_000;

impl Binder<'_, '_, '_> {
    /// Keeps the guesses in a node, which was just bound.
    pub fn keep_guesses(&mut self, node: NodeId) {
        let guesses = self.session.scopes.take_guesses();
        self.guesses.extend(guesses.into_iter().map(|guess| (node, guess)));
    }

    /// Takes back the guesses that lead to a cycle or to a value of the wrong type. All nodes are
    /// bound.
    pub fn judge_guesses(&mut self) {
        let mut steps = STEPS;
        for (node, guess) in std::mem::take(&mut self.guesses) {
            let is_circular = self.leads_back(node, &guess, &mut steps);
            self.checker(guess.span.file).judge_guess(guess, is_circular);
        }
    }

    /// Returns true if the declaration that a guess leads to needs the node that the guess is in,
    /// or if it takes more than `steps` to tell.
    fn leads_back(&self, node: NodeId, guess: &Guess, steps: &mut usize) -> bool {
        let Some(meant) = guess.meant else {
            return false;
        };
        let meant = self.session.scopes.definition(meant).kind.node();
        let mut open: Vec<NodeId> = meant.map(NodeId).into_iter().collect();
        let mut seen: FxHashSet<NodeId> = open.iter().copied().collect();
        while let Some(next) = open.pop() {
            if next == node {
                return true;
            }
            let needed = self.dependencies.of(next.index());
            *steps = steps.saturating_sub(needed.len() + 1);
            if *steps == 0 {
                return true;
            }
            open.extend(needed.iter().filter(|&&needed| seen.insert(needed)));
        }
        false
    }
}
