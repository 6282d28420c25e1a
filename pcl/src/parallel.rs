//! Work on several threads.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, Scope};
use std::time::Duration;

/// The stack that checking the deepest program takes at most, in bytes: that which the parser lets
/// through, in a build without optimization. Threads of this library have it, and those that call
/// [`Workspace::check`](crate::Workspace::check) need it.
pub const STACK_SIZE: usize = 7 << 20;

/// Results for each thread that may wait for an earlier one, or for those that are being taken. It
/// bounds the memory when one piece of work takes long.
const AHEAD: usize = 128;

/// The most items that a thread fetches at a time. Neighbours are often alike, such as programs of
/// the same resources: on different threads, each waits for what the other one reads. With two
/// threads, 1,182 examples of azure-native took 0.71 of the time of one thread, and now take 0.61.
const MOST_AT_ONCE: usize = 16;

/// The longest time that a result waits before it is taken. To wake the thread that takes results
/// costs as much as a small program, so it is only woken for many of them.
const PAUSE: Duration = Duration::from_millis(10);

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
            waiting: 0,
            is_awaited: false,
        }),
        room: Condvar::new(),
        results: Condvar::new(),
        count,
        jobs,
        ahead: jobs * AHEAD / 2,
    };
    #[expect(clippy::indexing_slicing, reason = "`next` counts up to the number of items")]
    let worker = || {
        let _bell = Bell(&desk);
        while let Some(several) = desk.next() {
            for nth in several {
                desk.put(nth, work(&items[nth]));
            }
        }
    };
    std::thread::scope(|scope| {
        if start(scope, jobs, &worker) == 0 {
            items.iter().for_each(|item| take(work(item)));
            return;
        }
        while let Some(results) = desk.take() {
            results.into_iter().for_each(&mut take);
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
    /// Tells threads that they may fetch work again.
    room: Condvar,
    /// Tells that there are results to take.
    results: Condvar,
    count: usize,
    jobs: usize,
    ahead: usize,
}

struct State<R> {
    /// The work that is given out next.
    next: usize,
    /// The number of results that were taken.
    taken: usize,
    /// Tells whether a thread panicked, so that no more results come.
    failed: bool,
    /// Results that wait for an earlier one, or to be taken.
    done: BTreeMap<usize, R>,
    /// The number of threads that wait for room.
    waiting: usize,
    /// Tells whether a thread waits for results.
    is_awaited: bool,
}

impl<R> Desk<R> {
    /// Only plain assignments happen under the lock, so that a panic elsewhere leaves the state
    /// whole.
    fn state(&self) -> MutexGuard<'_, State<R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Neighbours to work on: few towards the end, so that all threads have work until then.
    fn next(&self) -> Option<Range<usize>> {
        let mut state = self.state();
        while state.next < self.count && state.next >= state.taken + self.ahead && !state.failed {
            state.waiting += 1;
            state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
        if state.failed || state.next >= self.count {
            return None;
        }
        let start = state.next;
        let left = self.count - start;
        state.next += (left / (4 * self.jobs)).clamp(1, MOST_AT_ONCE);
        Some(start..state.next)
    }

    fn put(&self, nth: usize, result: R) {
        let mut state = self.state();
        state.done.insert(nth, result);
        let done = state.done.len();
        let is_enough = done >= self.ahead / 2 || state.taken + done == self.count;
        if state.is_awaited && is_enough {
            state.is_awaited = false;
            drop(state);
            self.results.notify_one();
        }
    }

    /// The next results, in order; `None` after the last one, or if a thread panicked.
    fn take(&self) -> Option<Vec<R>> {
        let mut state = self.state();
        loop {
            let mut results = Vec::new();
            let mut next = state.taken;
            while let Some(result) = state.done.remove(&next) {
                results.push(result);
                next += 1;
            }
            if !results.is_empty() {
                state.taken = next;
                if state.waiting > 0 {
                    self.room.notify_all();
                }
                return Some(results);
            }
            if state.taken == self.count || state.failed {
                return None;
            }
            state.is_awaited = true;
            let waited = self.results.wait_timeout(state, PAUSE);
            (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Wakes everyone when its thread panics.
struct Bell<'d, R>(&'d Desk<R>);

impl<R> Drop for Bell<'_, R> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.state().failed = true;
            self.0.room.notify_all();
            self.0.results.notify_all();
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
        in_order(&[(); 0], jobs(4), |()| (), |()| panic!("there is no result"));
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
        assert!(most.into_inner() <= 2 * AHEAD + 2 * MOST_AT_ONCE);
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_ends_the_work() {
        let items: Vec<usize> = (0..50).collect();
        let work = |&nth: &usize| assert_ne!(nth, 20, "on purpose");
        in_order(&items, jobs(2), work, |()| ());
    }
}
