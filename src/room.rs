//! The memory of a thread that checks programs: taken from the system at once, and in large pages where it can be.
//!
//! Each small page costs its own way into the system when it is touched first, a fifth of the time of a large program and more on virtual
//! machines. Moreover the GNU C library gives large pieces back that are needed again right after, and extends the heaps of all threads
//! but the first page by page. Elsewhere, and where the system does not heed the advice, this changes nothing: what is not used is never
//! backed by memory.

use std::collections::TryReserveError;
use std::hint::black_box;
use std::mem::MaybeUninit;

/// What a thread may be expected to allocate, in bytes.
const ROOM: usize = 24 << 20;

/// Has the allocator of this thread take the memory of a whole program. Where there is not that much, nothing is taken.
pub(crate) fn make_room() {
    let _ = try_make_room();
}

fn try_make_room() -> Result<(), TryReserveError> {
    // After a piece was given back, the library takes pieces up to that size from the heap of the thread.
    drop(black_box(room(ROOM)?));
    let mut large = room(ROOM)?;
    let before = advise_large_pages(large.spare_capacity_mut());
    drop(black_box(large));
    // The next pieces shall lie in the large pages, not before them.
    std::mem::forget(black_box(room(before)?));
    Ok(())
}

fn room(bytes: usize) -> Result<Vec<u8>, TryReserveError> {
    let mut room = Vec::new();
    room.try_reserve_exact(bytes)?;
    Ok(room)
}

/// Gives how many bytes of `memory` lie before its first large page.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn advise_large_pages(memory: &mut [MaybeUninit<u8>]) -> usize {
    const LARGE: usize = 2 << 20;
    let before = memory.as_ptr().align_offset(LARGE);
    let Some(aligned) = memory.get_mut(before..) else {
        return 0;
    };
    let length = aligned.len() / LARGE * LARGE;
    // SAFETY: the memory is ours, and the advice changes what backs it, never what it holds.
    unsafe { libc::madvise(aligned.as_mut_ptr().cast(), length, libc::MADV_HUGEPAGE) };
    before
}

#[cfg(not(target_os = "linux"))]
fn advise_large_pages(_: &mut [MaybeUninit<u8>]) -> usize {
    0
}
