//! Recursion shows where there is little room for it.

/// Runs `work` on a stack as small as a thread of a server may have. A panic in it is one here.
pub fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(work)
        .expect("a thread starts")
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}
