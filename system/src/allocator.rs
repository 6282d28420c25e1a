//! Advice to the C library's allocator. It concerns the whole process, so programs give the advice
//! and libraries never do. Memory that is not used is never backed. Where the system does not heed
//! the advice, or there is not that much memory, nothing changes.
//!
//! The GNU C library gives large pieces back that are needed again right after, and extends the
//! heaps of all threads but the first page by page.

/// The memory that a large program takes, in bytes; less than the 64 MB that the library gives to a
/// heap of a thread other than the first.
///
/// For 8,000 nodes, large pages save 4 of 25 ms. For 80,000 nodes, which took 92 MB then, 64 MB
/// instead of 24 MB saved 20 of 350 ms, and 10,000 of 16,000 page faults.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const ROOM: usize = 56 << 20;

/// The memory by which the heap that all threads share grows, in bytes.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const STEP: usize = 4 << 20;

/// Advises the allocator to take the memory of a whole program at once, in large pages, and to keep
/// it: for this thread, once.
///
/// Each small page costs its own way into the system when it is touched first, a fifth of the time
/// of a large program and more on virtual machines.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "there is no safe interface to the allocator")]
pub fn use_large_pages() {
    use std::cell::Cell;
    use std::hint::black_box;

    /// The size of a large page, in bytes.
    const LARGE: usize = 2 << 20;
    thread_local! {
        static IS_ADVISED: Cell<bool> = const { Cell::new(false) };
    }
    if IS_ADVISED.replace(true) {
        return;
    }
    set(&[
        // Pieces below this lie in the heap.
        (libc::M_MMAP_THRESHOLD, ROOM + (8 << 20)),
        (libc::M_TRIM_THRESHOLD, 2 * ROOM),
        (libc::M_TOP_PAD, ROOM),
    ]);
    let mut room: Vec<u8> = Vec::new();
    if room.try_reserve_exact(ROOM).is_err() {
        return;
    }
    let memory = room.spare_capacity_mut();
    let before = memory.as_ptr().align_offset(LARGE);
    if let Some(aligned) = memory.get_mut(before..) {
        let length = aligned.len() / LARGE * LARGE;
        // SAFETY: the memory is ours, and the advice changes what backs it, never what it holds.
        unsafe { libc::madvise(aligned.as_mut_ptr().cast(), length, libc::MADV_HUGEPAGE) };
    }
    drop(black_box(room));
    // The next pieces shall lie in the large pages, not before them.
    let mut gap: Vec<u8> = Vec::new();
    if gap.try_reserve_exact(before).is_ok() {
        std::mem::forget(black_box(gap));
    }
}

/// Advises the allocator to serve all threads from one heap that grows in large steps: for programs
/// whose threads seldom allocate at the same time.
///
/// For the language host and 1,000 resources, this saves 1,000 system calls and 5 of 60 ms.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn share_one_heap() {
    set(&[
        (libc::M_ARENA_MAX, 1),
        (libc::M_TRIM_THRESHOLD, 4 * STEP),
        (libc::M_TOP_PAD, STEP),
    ]);
}

/// Sets parameters of the allocator.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "there is no safe interface to the allocator")]
fn set(parameters: &[(libc::c_int, usize)]) {
    for &(parameter, value) in parameters {
        // SAFETY: the call sets a number that the allocator reads, under its lock.
        unsafe { libc::mallopt(parameter, value as libc::c_int) };
    }
}

/// Other allocators take no such advice.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn use_large_pages() {}

/// Other allocators take no such advice.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn share_one_heap() {}
