//! Work on several threads.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, Scope};

/// The stack that checking the deepest program takes at most, in bytes: that which the parser lets
/// through, in a build without optimization. Threads of this library have it, and those that call
/// [`Workspace::check`](crate::Workspace::check) need it.
pub const STACK_SIZE: usize = 7 << 20;

/// Results for each thread that may wait for an earlier one. It bounds the memory when one piece of
/// work takes long.
const AHEAD: usize = 16;

/// The limit for the number of threads on small machines: work that waits for a plugin keeps no
/// processor busy.
const MOST_ON_SMALL_MACHINES: usize = 16;

/// Calls `work` for each of `items` on at most `jobs` threads, in any order.
///
/// # Panics
/// Panics if `work` panics.
pub(crate) fn for_each<T: Sync>(items: &[T], jobs: NonZeroUsize, work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let worker = || {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            work(item);
        }
    };
    let jobs = number_of_threads(jobs, items.len());
    if jobs <= 1 || std::thread::scope(|scope| start(scope, jobs, &worker)) == 0 {
        worker();
    }
}

/// Calls `work` for each of `items` on at most `jobs` threads, and passes the results to `take` in
/// the order of the items, each as soon as those before it are done. There are never more threads
/// than the machine has or 16, whichever is more. The calls of `take` do not depend on `jobs`, and
/// few results are kept at a time.
///
/// If one thread is enough, the calling thread does the work on its own stack: the deepest program
/// takes less than a megabyte of it in a release build.
///
/// ```
/// use std::num::NonZeroUsize;
///
/// let mut lengths = Vec::new();
/// pcl::in_order(&["a", "bcd"], NonZeroUsize::MIN, |text| text.len(), |length| lengths.push(length));
/// assert_eq!(lengths, [1, 3]);
/// ```
///
/// # Panics
/// Panics if `work` panics.
pub fn in_order<T: Sync, R: Send>(
    items: &[T],
    jobs: NonZeroUsize,
    work: impl Fn(&T) -> R + Sync,
    mut take: impl FnMut(R),
) {
    let count = items.len();
    let jobs = number_of_threads(jobs, count);
    if jobs <= 1 {
        // A process of one thread avoids the locks of the allocator, a tenth of the time of a large
        // program.
        items.iter().for_each(|item| take(work(item)));
        return;
    }
    let desk = Desk {
        state: Mutex::new(State {
            next: 0,
            taken: 0,
            failed: false,
            done: BTreeMap::new(),
        }),
        changed: Condvar::new(),
        count,
        ahead: jobs * AHEAD,
    };
    #[expect(
        clippy::indexing_slicing,
        reason = "`next` counts up to the number of items"
    )]
    let worker = || {
        let _bell = Bell(&desk);
        while let Some(nth) = desk.next() {
            desk.put(nth, work(&items[nth]));
        }
    };
    std::thread::scope(|scope| {
        if start(scope, jobs, &worker) == 0 {
            items.iter().for_each(|item| take(work(item)));
            return;
        }
        while let Some(result) = desk.take() {
            take(result);
        }
    });
}

/// Starts threads that run `worker`; returns how many the system gives, at most `jobs`.
fn start<'s>(scope: &'s Scope<'s, '_>, jobs: usize, worker: &'s (impl Fn() + Sync)) -> usize {
    let started = (0..jobs).take_while(|_| {
        let thread = Builder::new().stack_size(STACK_SIZE);
        thread.spawn_scoped(scope, worker).is_ok()
    });
    started.count()
}

/// The number of threads for so many items, at most the requested number.
fn number_of_threads(jobs: NonZeroUsize, items: usize) -> usize {
    jobs.get().min(items).min(most_threads())
}

/// The limit for the number of threads: each needs a stack, and more than the machine runs at once
/// are not faster.
fn most_threads() -> usize {
    let machine = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    machine.max(MOST_ON_SMALL_MACHINES)
}

/// The desk where the threads fetch work and leave results.
struct Desk<R> {
    state: Mutex<State<R>>,
    changed: Condvar,
    count: usize,
    ahead: usize,
}

struct State<R> {
    /// The work that is given out next.
    next: usize,
    /// The number of results that were taken.
    taken: usize,
    /// Tells whether a thread panicked, so that no more results come.
    failed: bool,
    /// Results that wait for an earlier one.
    done: BTreeMap<usize, R>,
}

impl<R> Desk<R> {
    /// Only plain assignments happen under the lock, so that a panic elsewhere leaves the state
    /// whole.
    fn state(&self) -> MutexGuard<'_, State<R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'d>(&self, state: MutexGuard<'d, State<R>>) -> MutexGuard<'d, State<R>> {
        self.changed
            .wait(state)
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self) -> Option<usize> {
        let mut state = self.state();
        while state.next < self.count && state.next >= state.taken + self.ahead && !state.failed {
            state = self.wait(state);
        }
        if state.failed || state.next >= self.count {
            return None;
        }
        state.next += 1;
        Some(state.next - 1)
    }

    fn put(&self, nth: usize, result: R) {
        self.state().done.insert(nth, result);
        self.changed.notify_all();
    }

    fn take(&self) -> Option<R> {
        let mut state = self.state();
        loop {
            let nth = state.taken;
            if nth == self.count || state.failed {
                return None;
            }
            if let Some(result) = state.done.remove(&nth) {
                state.taken += 1;
                self.changed.notify_all();
                return Some(result);
            }
            state = self.wait(state);
        }
    }
}

/// Wakes everyone when its thread panics.
struct Bell<'d, R>(&'d Desk<R>);

impl<R> Drop for Bell<'_, R> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.state().failed = true;
            self.0.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jobs(n: usize) -> NonZeroUsize {
        NonZeroUsize::new(n).expect("more than none")
    }

    #[test]
    fn results_come_in_order_at_any_number_of_threads() {
        let items: Vec<usize> = (0..100).collect();
        for n in [1, 2, 7] {
            let mut seen = Vec::new();
            let slow = |&nth: &usize| {
                if nth.is_multiple_of(10) {
                    std::thread::sleep(std::time::Duration::from_millis(2));
                }
                nth
            };
            in_order(&items, jobs(n), slow, |nth| seen.push(nth));
            assert_eq!(seen, items);
        }
    }

    #[test]
    fn there_are_never_many_threads() {
        let items: Vec<usize> = (0..400).collect();
        let threads = Mutex::new(std::collections::HashSet::new());
        let work = |_: &usize| {
            std::thread::sleep(std::time::Duration::from_millis(1));
            threads.lock().unwrap().insert(std::thread::current().id());
        };
        in_order(&items, jobs(100_000), work, |()| ());
        assert!(threads.into_inner().unwrap().len() <= most_threads());
    }

    #[test]
    fn each_item_is_worked_on_once() {
        for n in [1, 2, 7] {
            let counts: Vec<AtomicUsize> = (0..100).map(|_| AtomicUsize::new(0)).collect();
            for_each(&counts, jobs(n), |count| {
                count.fetch_add(1, Ordering::SeqCst);
            });
            assert!(counts.iter().all(|count| count.load(Ordering::SeqCst) == 1));
        }
    }

    #[test]
    fn nothing_to_do() {
        in_order(
            &[(); 0],
            jobs(4),
            |()| (),
            |()| panic!("there is no result"),
        );
    }

    #[test]
    fn little_is_kept() {
        let items: Vec<usize> = (0..1000).collect();
        let (live, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |&nth: &usize| {
            let now = live.fetch_add(1, Ordering::SeqCst) + 1;
            most.fetch_max(now, Ordering::SeqCst);
            if nth == 0 {
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
        };
        in_order(&items, jobs(2), work, |()| {
            live.fetch_sub(1, Ordering::SeqCst);
        });
        assert!(most.into_inner() <= 2 * AHEAD + 2);
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_ends_the_work() {
        let items: Vec<usize> = (0..50).collect();
        let work = |&nth: &usize| assert_ne!(nth, 20, "on purpose");
        in_order(&items, jobs(2), work, |()| ());
    }
}
