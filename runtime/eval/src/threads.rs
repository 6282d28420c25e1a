//! The threads that evaluate nodes which wait on their own.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::{Builder, Result as Caught, Scope};

use crate::schedule::Nodes;
use crate::stop::Stop;

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
