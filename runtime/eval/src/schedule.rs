//! The order in which nodes are evaluated: each after those that it needs, several at once.
//!
//! The rules: `tests/spec/run/schedule.md`.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::stop::Stop;

/// The most threads that one program or component uses where their number is not limited.
const MAX_THREADS: usize = 256;

/// The stack that an evaluation takes at most, in bytes: expressions nest as deeply as the parser
/// allows. The threads that an evaluation starts have it, and those that run one need it.
pub const STACK_SIZE: usize = 16 << 20;

/// The dependencies between nodes, in both directions.
pub(crate) struct Plan {
    ready: Ready,
    needed_by: NeededBy,
}

/// The nodes that can come next.
struct Ready {
    /// For each node the number of nodes that it still needs.
    needs: Vec<usize>,
    /// All nodes before this one have come, or were not ready when their turn was.
    cursor: usize,
    /// The nodes before the cursor that are ready.
    freed: BinaryHeap<Reverse<u32>>,
}

impl Ready {
    /// The first node that is ready.
    fn peek(&mut self) -> Option<u32> {
        if let Some(Reverse(node)) = self.freed.peek() {
            return Some(*node);
        }
        let behind = self.needs.get(self.cursor..)?;
        self.cursor += behind.iter().position(|needs| *needs == 0)?;
        u32::try_from(self.cursor).ok()
    }

    /// Takes the first node that is ready.
    fn pop(&mut self) -> Option<u32> {
        let node = self.peek()?;
        if self.freed.pop().is_none() {
            self.cursor += 1;
        }
        Some(node)
    }

    /// Records that nodes need one node less.
    fn free(&mut self, nodes: &[u32]) {
        for &node in nodes {
            if let Some(needs) = self.needs.get_mut(node as usize) {
                *needs -= 1;
                if *needs == 0 && (node as usize) < self.cursor {
                    self.freed.push(Reverse(node));
                }
            }
        }
    }
}

/// The nodes that need each node, one after the other.
struct NeededBy {
    nodes: Vec<u32>,
    /// For each node the end of its part of `nodes`, which is the start of the next one.
    ends: Vec<usize>,
}

impl NeededBy {
    fn of(&self, node: u32) -> &[u32] {
        let node = node as usize;
        let start = node.checked_sub(1).and_then(|before| self.ends.get(before));
        let end = self.ends.get(node).copied().unwrap_or_default();
        let part = start.copied().unwrap_or_default()..end;
        self.nodes.get(part).unwrap_or_default()
    }
}

impl Plan {
    /// The plan of nodes that need others, given as pairs (node, needed node).
    pub fn new(count: usize, edges: &[(u32, u32)]) -> Self {
        let mut needs = vec![0; count];
        let mut starts = vec![0; count + 1];
        let is_known = |&&(node, needed): &&(u32, u32)| (node.max(needed) as usize) < count;
        for &(node, needed) in edges.iter().filter(is_known) {
            if let Some(needs) = needs.get_mut(node as usize) {
                *needs += 1;
            }
            if let Some(start) = starts.get_mut(needed as usize + 1) {
                *start += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut nodes = vec![0; edges.len()];
        for &(node, needed) in edges.iter().filter(is_known) {
            if let Some(start) = starts.get_mut(needed as usize) {
                if let Some(place) = nodes.get_mut(*start) {
                    *place = node;
                }
                *start += 1;
            }
        }
        // Each start has moved to the end of its part.
        let ends = starts;
        Self {
            ready: Ready {
                needs,
                cursor: 0,
                freed: BinaryHeap::new(),
            },
            needed_by: NeededBy { nodes, ends },
        }
    }

    /// Evaluates every node, at most `parallel` at once (0 for any number). Of the nodes that need
    /// nothing more, the first one comes next. After a failure no other node begins, `cancel` is
    /// called, and the first failure is the result; with `keeps_going`, nodes that do not need a
    /// failed one are evaluated all the same, and the result has all failures. Nodes of a cycle are
    /// never evaluated.
    pub fn run(
        self,
        parallel: usize,
        keeps_going: bool,
        evaluate: impl Fn(u32) -> Result<(), Stop> + Sync,
        cancel: impl Fn() + Sync,
    ) -> Result<(), Stop> {
        let threads = match parallel {
            0 => MAX_THREADS,
            limit => limit.min(MAX_THREADS),
        };
        let threads = threads.min(self.ready.needs.len());
        if threads <= 1 {
            return self.run_alone(keeps_going, evaluate, cancel);
        }
        let work = Work {
            state: Mutex::new(State {
                ready: self.ready,
                running: 0,
                threads: 1,
                failure: None,
            }),
            keeps_going,
            changed: Condvar::new(),
            needed_by: self.needed_by,
            evaluate,
            cancel,
        };
        std::thread::scope(|scope| work.go(scope, threads));
        let state = work
            .state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        match state.failure {
            Some(stop) => Err(stop),
            None => Ok(()),
        }
    }

    /// Evaluates every node on this thread.
    fn run_alone(
        mut self,
        keeps_going: bool,
        evaluate: impl Fn(u32) -> Result<(), Stop>,
        cancel: impl Fn(),
    ) -> Result<(), Stop> {
        let mut failure = None;
        while let Some(node) = self.ready.pop() {
            match evaluate(node) {
                Ok(()) => self.ready.free(self.needed_by.of(node)),
                Err(stop) if keeps_going => stop.collect(&mut failure),
                Err(stop) => {
                    cancel();
                    return Err(stop);
                }
            }
        }
        match failure {
            Some(stop) => Err(stop),
            None => Ok(()),
        }
    }
}

struct State {
    ready: Ready,
    /// The number of nodes that are being evaluated.
    running: usize,
    threads: usize,
    failure: Option<Stop>,
}

struct Work<E, C> {
    state: Mutex<State>,
    keeps_going: bool,
    changed: Condvar,
    needed_by: NeededBy,
    evaluate: E,
    cancel: C,
}

impl<E, C> Work<E, C>
where
    E: Fn(u32) -> Result<(), Stop> + Sync,
    C: Fn() + Sync,
{
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Evaluates nodes until there are none. More threads begin while there is more to do.
    fn go<'s, 'e>(&'s self, scope: &'s std::thread::Scope<'s, 'e>, limit: usize) {
        let mut state = self.lock();
        loop {
            let is_over = state.failure.is_some() && !self.keeps_going;
            if is_over || state.running == 0 && state.ready.peek().is_none() {
                self.changed.notify_all();
                return;
            }
            let Some(node) = state.ready.pop() else {
                state = self
                    .changed
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            state.running += 1;
            if state.threads < limit && state.ready.peek().is_some() {
                let thread = std::thread::Builder::new().stack_size(STACK_SIZE);
                // Without another thread, this one does everything.
                let go = move || self.go(scope, limit);
                if thread.spawn_scoped(scope, go).is_ok() {
                    state.threads += 1;
                }
            }
            drop(state);
            let result = (self.evaluate)(node);
            state = self.lock();
            state.running -= 1;
            match result {
                Ok(()) => state.ready.free(self.needed_by.of(node)),
                Err(stop) if self.keeps_going => stop.collect(&mut state.failure),
                Err(stop) => {
                    if state.failure.is_none() {
                        state.failure = Some(stop);
                        drop(state);
                        (self.cancel)();
                        state = self.lock();
                    }
                }
            }
            if state.threads > 1 {
                self.changed.notify_all();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn order(parallel: usize, count: usize, edges: &[(u32, u32)]) -> Vec<u32> {
        let order = Mutex::new(Vec::new());
        let plan = Plan::new(count, edges);
        let evaluate = |node| {
            order.lock().unwrap().push(node);
            Ok(())
        };
        plan.run(parallel, false, evaluate, || {}).unwrap();
        order.into_inner().unwrap()
    }

    #[test]
    fn one_at_a_time_the_first_that_can_comes_next() {
        assert_eq!(order(1, 4, &[(0, 3), (1, 0)]), [2, 3, 0, 1]);
        assert_eq!(order(1, 3, &[(0, 1), (1, 0)]), [2], "a cycle");
    }

    #[test]
    fn a_node_comes_after_those_it_needs() {
        let edges: Vec<_> = (1..200).map(|node| (node, node / 2)).collect();
        for parallel in [0, 2, 7] {
            let order = order(parallel, 200, &edges);
            let place = |node| order.iter().position(|other| *other == node).unwrap();
            assert!(
                edges
                    .iter()
                    .all(|&(node, needed)| place(needed) < place(node))
            );
        }
    }

    #[test]
    fn at_most_so_many_run_at_once() {
        let (running, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let evaluate = |_| {
            most.fetch_max(1 + running.fetch_add(1, Ordering::SeqCst), Ordering::SeqCst);
            std::thread::sleep(std::time::Duration::from_millis(2));
            running.fetch_sub(1, Ordering::SeqCst);
            Ok(())
        };
        Plan::new(50, &[]).run(4, false, evaluate, || {}).unwrap();
        let most = most.into_inner();
        assert!((2..=4).contains(&most), "{most}");
    }

    #[test]
    fn the_first_failure_ends_the_run() {
        let cancelled = AtomicUsize::new(0);
        let begun = AtomicUsize::new(0);
        let evaluate = |node| {
            begun.fetch_add(1, Ordering::SeqCst);
            match node {
                3 => Err(Stop::Poisoned("three".into())),
                _ => Ok(()),
            }
        };
        let cancel = || _ = cancelled.fetch_add(1, Ordering::SeqCst);
        let result = Plan::new(100, &[]).run(1, false, evaluate, cancel);
        assert!(matches!(result, Err(Stop::Poisoned(name)) if &*name == "three"));
        assert_eq!((cancelled.into_inner(), begun.into_inner()), (1, 4));
    }

    #[test]
    fn what_needs_no_failed_node_goes_on() {
        let seen = Mutex::new(Vec::new());
        let evaluate = |node| {
            seen.lock().unwrap().push(node);
            match node {
                0 | 3 => Err(Stop::Poisoned(node.to_string().into())),
                _ => Ok(()),
            }
        };
        let plan = Plan::new(5, &[(1, 0), (4, 2)]);
        assert!(
            plan.run(1, true, evaluate, || panic!("nothing is cancelled"))
                .is_err()
        );
        assert_eq!(seen.into_inner().unwrap(), [0, 2, 3, 4]);
    }
}
