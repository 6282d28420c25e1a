//! The order in which nodes are evaluated: each after those that it needs, several at once.
//!
//! The rules: `tests/spec/run/schedule.md`.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::{Builder, Result as Caught, Scope};

use rustc_hash::FxHashMap;

use crate::monitor::{EngineError, Event, Registered, Registrations};
use crate::stop::Stop;

/// The most nodes of one program or component that are evaluated at once where their number is not
/// limited.
const MAX_AT_ONCE: usize = 256;

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
            ready: Ready { needs, cursor: 0, freed: BinaryHeap::new() },
            needed_by: NeededBy { nodes, ends },
        }
    }

    /// Evaluates every node, at most `parallel` at once (0 for any number). Of the nodes that need
    /// nothing more, the first one comes next. After a failure no other node begins, the run is
    /// cancelled, and the first failure is the result; with `keeps_going`, nodes that do not need a
    /// failed one are evaluated all the same, and the result has all failures. Nodes of a cycle are
    /// never evaluated.
    ///
    /// This thread begins the nodes and takes the answers; a thread for each request that is under
    /// way costs more than the request. A node that may wait on its own is evaluated by another
    /// thread, unless there is nothing else to do.
    pub fn run(
        self,
        parallel: usize,
        keeps_going: bool,
        nodes: &impl Nodes,
        registrations: Box<dyn Registrations + '_>,
    ) -> Result<(), Stop> {
        let limit = match parallel {
            0 => MAX_AT_ONCE,
            limit => limit.min(MAX_AT_ONCE),
        };
        std::thread::scope(|scope| {
            let course = Course {
                ready: self.ready,
                needed_by: self.needed_by,
                limit,
                keeps_going,
                nodes,
                threads: Threads::new(scope, registrations.caller()),
                registrations,
                waiting: FxHashMap::default(),
                failure: None,
            };
            course.go()
        })
    }
}

/// The nodes of a plan, as they are evaluated.
pub(crate) trait Nodes: Sync {
    /// A node that needs an answer.
    type Waiting;

    /// Evaluates a node, or begins the registration that its value needs, under its number.
    fn begin(
        &self,
        node: u32,
        registrations: &mut dyn Registrations,
    ) -> Result<Begun<Self::Waiting>, Stop>;

    /// Evaluates a node with the answer that it needs.
    fn finish(&self, node: u32, waiting: Self::Waiting, answer: Answer) -> Result<(), Stop>;

    /// Evaluates a node that blocks.
    fn evaluate(&self, node: u32) -> Result<(), Stop>;

    /// Ends requests that are under way: the run has failed.
    fn cancel(&self);
}

/// A node that has begun.
pub(crate) enum Begun<W> {
    /// It has its value.
    Done,
    /// Its registration is under way.
    Waiting(W),
    /// It may have to wait for more than a registration, and has not begun.
    Blocks,
}

/// The answer to a registration.
pub(crate) type Answer = Result<Registered, EngineError>;

/// A plan that is being carried out.
struct Course<'s, 'e, 'm, N: Nodes> {
    ready: Ready,
    needed_by: NeededBy,
    limit: usize,
    keeps_going: bool,
    nodes: &'s N,
    threads: Threads<'s, 'e>,
    registrations: Box<dyn Registrations + 'm>,
    /// The nodes whose registrations are under way.
    waiting: FxHashMap<u32, N::Waiting>,
    failure: Option<Stop>,
}

impl<N: Nodes> Course<'_, '_, '_, N> {
    fn go(mut self) -> Result<(), Stop> {
        loop {
            while self.under_way() < self.limit
                && !self.is_over()
                && let Some(node) = self.ready.pop()
            {
                self.start(node);
            }
            if self.under_way() == 0 || self.is_over() {
                break;
            }
            match self.registrations.next() {
                Ok(Event::Answered(node, answer)) => {
                    if let Some(waiting) = self.waiting.remove(&node) {
                        let result = self.nodes.finish(node, waiting, answer);
                        self.ended(node, result);
                    }
                }
                Ok(Event::Called) => {
                    if let Some((node, result)) = self.threads.ended() {
                        self.ended(node, result);
                    }
                }
                Err(_) => {
                    Stop::Cancelled.collect(&mut self.failure);
                    break;
                }
            }
        }
        match self.failure {
            Some(stop) => Err(stop),
            None => Ok(()),
        }
    }

    /// The number of nodes that are being evaluated.
    fn under_way(&self) -> usize {
        self.waiting.len() + self.threads.busy
    }

    fn is_over(&self) -> bool {
        self.failure.is_some() && !self.keeps_going
    }

    fn start(&mut self, node: u32) {
        let result = match self.nodes.begin(node, &mut *self.registrations) {
            Ok(Begun::Done) => Ok(()),
            Ok(Begun::Waiting(waiting)) => {
                self.waiting.insert(node, waiting);
                return;
            }
            Ok(Begun::Blocks) => {
                let more = self.limit > 1 && self.ready.peek().is_some();
                let is_alone = self.under_way() == 0 && !more;
                if !is_alone && self.threads.start(self.nodes, node) {
                    return;
                }
                self.nodes.evaluate(node)
            }
            Err(stop) => Err(stop),
        };
        self.ended(node, result);
    }

    fn ended(&mut self, node: u32, result: Result<(), Stop>) {
        match result {
            Ok(()) => self.ready.free(self.needed_by.of(node)),
            Err(stop) if self.keeps_going => stop.collect(&mut self.failure),
            Err(stop) => {
                if self.failure.is_none() {
                    self.failure = Some(stop);
                    self.nodes.cancel();
                }
            }
        }
    }
}

/// The stack that an evaluation takes at most, in bytes: expressions nest as deeply as the parser
/// allows. The threads that an evaluation starts have it, and those that run one need it.
pub const STACK_SIZE: usize = 16 << 20;

/// Threads that evaluate nodes, started when they are needed. They end when this is dropped.
pub(crate) struct Threads<'s, 'e> {
    scope: &'s Scope<'s, 'e>,
    shared: Arc<Shared>,
    nodes: mpsc::Sender<u32>,
    results: mpsc::Receiver<(u32, Caught<Result<(), Stop>>)>,
    started: usize,
    /// The number of nodes that are being evaluated.
    pub busy: usize,
}

struct Shared {
    nodes: Mutex<mpsc::Receiver<u32>>,
    results: mpsc::Sender<(u32, Caught<Result<(), Stop>>)>,
    /// Says that there is a result.
    call: Box<dyn Fn() + Send + Sync>,
}

impl<'s, 'e> Threads<'s, 'e> {
    /// No threads yet. They call a function for each result.
    pub fn new(scope: &'s Scope<'s, 'e>, call: Box<dyn Fn() + Send + Sync>) -> Self {
        let (nodes, taken) = mpsc::channel();
        let (made, results) = mpsc::channel();
        Self {
            scope,
            shared: Arc::new(Shared { nodes: Mutex::new(taken), results: made, call }),
            nodes,
            results,
            started: 0,
            busy: 0,
        }
    }

    /// Evaluates a node. Returns false if there is no thread for it.
    pub fn start(&mut self, evaluated: &'s impl Nodes, node: u32) -> bool {
        if self.busy == self.started {
            let shared = Arc::clone(&self.shared);
            let thread = Builder::new().stack_size(STACK_SIZE);
            let work = move || shared.work(evaluated);
            if thread.spawn_scoped(self.scope, work).is_err() {
                return false;
            }
            self.started += 1;
        }
        let is_sent = self.nodes.send(node).is_ok();
        self.busy += usize::from(is_sent);
        is_sent
    }

    /// The next result of an evaluation. A panic goes on here.
    pub fn ended(&mut self) -> Option<(u32, Result<(), Stop>)> {
        let (node, result) = self.results.recv().ok()?;
        self.busy -= 1;
        match result {
            Ok(result) => Some((node, result)),
            Err(panic) => resume_unwind(panic),
        }
    }
}

impl Shared {
    fn work(&self, evaluated: &impl Nodes) {
        let next = || {
            let nodes = self.nodes.lock().unwrap_or_else(PoisonError::into_inner);
            nodes.recv()
        };
        while let Ok(node) = next() {
            let result = catch_unwind(AssertUnwindSafe(|| evaluated.evaluate(node)));
            if self.results.send((node, result)).is_err() {
                return;
            }
            (self.call)();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::monitor::{Monitor, RegisterResource};
    use crate::offline::{Answers, Offline};

    /// Nodes that a function evaluates.
    struct Evaluated<E, C> {
        blocks: bool,
        evaluate: E,
        cancel: C,
    }

    impl<E, C> Nodes for Evaluated<E, C>
    where
        E: Fn(u32) -> Result<(), Stop> + Sync,
        C: Fn() + Sync,
    {
        type Waiting = ();

        fn begin(&self, node: u32, _: &mut dyn Registrations) -> Result<Begun<()>, Stop> {
            if self.blocks { Ok(Begun::Blocks) } else { self.evaluate(node).map(|()| Begun::Done) }
        }

        fn finish(&self, _: u32, (): (), _: Answer) -> Result<(), Stop> {
            Ok(())
        }

        fn evaluate(&self, node: u32) -> Result<(), Stop> {
            (self.evaluate)(node)
        }

        fn cancel(&self) {
            (self.cancel)();
        }
    }

    fn run(plan: Plan, parallel: usize, keeps_going: bool, nodes: &impl Nodes) -> Result<(), Stop> {
        let engine = Offline::new("project", "stack", Answers::default());
        plan.run(parallel, keeps_going, nodes, engine.registrations())
    }

    fn order(parallel: usize, count: usize, edges: &[(u32, u32)], blocks: bool) -> Vec<u32> {
        let order = Mutex::new(Vec::new());
        let evaluate = |node| {
            order.lock().unwrap().push(node);
            Ok(())
        };
        let cancel = || {};
        let nodes = Evaluated { blocks, evaluate, cancel };
        run(Plan::new(count, edges), parallel, false, &nodes).unwrap();
        order.into_inner().unwrap()
    }

    #[test]
    fn one_at_a_time_the_first_that_can_comes_next() {
        for blocks in [false, true] {
            assert_eq!(order(1, 4, &[(0, 3), (1, 0)], blocks), [2, 3, 0, 1]);
            assert_eq!(order(1, 3, &[(0, 1), (1, 0)], blocks), [2], "a cycle");
        }
    }

    #[test]
    fn a_node_comes_after_those_it_needs() {
        let edges: Vec<_> = (1..200).map(|node| (node, node / 2)).collect();
        for (parallel, blocks) in [(0, true), (2, true), (7, true), (7, false)] {
            let order = order(parallel, 200, &edges, blocks);
            assert_eq!(order.len(), 200);
            let place = |node| order.iter().position(|other| *other == node).unwrap();
            assert!(edges.iter().all(|&(node, needed)| place(needed) < place(node)));
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
        let nodes = Evaluated { blocks: true, evaluate, cancel: || {} };
        run(Plan::new(50, &[]), 4, false, &nodes).unwrap();
        let most = most.into_inner();
        assert!((2..=4).contains(&most), "{most}");
    }

    #[test]
    fn the_first_failure_ends_the_run() {
        for blocks in [false, true] {
            let cancelled = AtomicUsize::new(0);
            let begun = AtomicUsize::new(0);
            let evaluate = |node| {
                begun.fetch_add(1, Ordering::SeqCst);
                match node {
                    3 => Err(Stop::Poisoned("three".into())),
                    _ => Ok(()),
                }
            };
            let nodes = Evaluated {
                blocks,
                evaluate,
                cancel: || _ = cancelled.fetch_add(1, Ordering::SeqCst),
            };
            let result = run(Plan::new(100, &[]), 1, false, &nodes);
            assert!(matches!(result, Err(Stop::Poisoned(name)) if &*name == "three"));
            assert_eq!((cancelled.into_inner(), begun.into_inner()), (1, 4));
        }
    }

    #[test]
    fn what_needs_no_failed_node_goes_on() {
        for parallel in [1, 3] {
            let seen = Mutex::new(Vec::new());
            let evaluate = |node| {
                seen.lock().unwrap().push(node);
                match node {
                    0 | 3 => Err(Stop::Poisoned(node.to_string().into())),
                    _ => Ok(()),
                }
            };
            let nodes = Evaluated {
                blocks: parallel > 1,
                evaluate,
                cancel: || panic!("nothing is cancelled"),
            };
            let plan = Plan::new(5, &[(1, 0), (4, 2)]);
            assert!(run(plan, parallel, true, &nodes).is_err());
            let mut seen = seen.into_inner().unwrap();
            seen.sort_unstable();
            assert_eq!(seen, [0, 2, 3, 4]);
        }
    }

    #[test]
    #[should_panic(expected = "a bug")]
    fn a_panic_of_a_thread_goes_on() {
        let nodes = Evaluated {
            blocks: true,
            evaluate: |node| match node {
                1 => panic!("a bug"),
                _ => Ok(()),
            },
            cancel: || {},
        };
        _ = run(Plan::new(3, &[]), 2, false, &nodes);
    }

    /// Nodes that all register a resource.
    struct Registering {
        limit: usize,
        under_way: AtomicUsize,
        answered: Mutex<Vec<u32>>,
    }

    impl Nodes for Registering {
        type Waiting = ();

        fn begin(
            &self,
            node: u32,
            registrations: &mut dyn Registrations,
        ) -> Result<Begun<()>, Stop> {
            let under_way = 1 + self.under_way.fetch_add(1, Ordering::SeqCst);
            assert!(under_way <= self.limit);
            let request =
                RegisterResource { name: node.to_string().into(), ..RegisterResource::default() };
            registrations.begin(node, &request);
            Ok(Begun::Waiting(()))
        }

        fn finish(&self, node: u32, (): (), answer: Answer) -> Result<(), Stop> {
            self.under_way.fetch_sub(1, Ordering::SeqCst);
            assert!(answer.is_ok());
            self.answered.lock().unwrap().push(node);
            Ok(())
        }

        fn evaluate(&self, _: u32) -> Result<(), Stop> {
            Ok(())
        }

        fn cancel(&self) {}
    }

    #[test]
    fn registrations_are_under_way_together() {
        for limit in [1, 5] {
            let nodes =
                Registering { limit, under_way: AtomicUsize::new(0), answered: Mutex::default() };
            run(Plan::new(20, &[(0, 19)]), limit, false, &nodes).unwrap();
            let answered = nodes.answered.into_inner().unwrap();
            assert_eq!(answered.len(), 20);
            assert_eq!(answered.last(), Some(&0));
        }
    }
}
