//! The memory of a thread that checks programs: taken from the system at once, and in large pages where it can be.
//!
//! In every thread but the first the GNU C library extends its heap page by page, and gives large pieces back that are needed again right
//! after. And each small page costs its own way into the system when it is touched first, on virtual machines more than all that is
//! done with the memory. Elsewhere, and where the system does not heed the advice, this changes nothing: what is not used is never
//! backed by memory.

use std::hint::black_box;
use std::mem::MaybeUninit;

/// What a thread may be expected to allocate, in bytes.
const ROOM: usize = 24 << 20;

/// Has the allocator of this thread take the memory of a whole program.
pub(crate) fn make_room() {
    // A piece that is given back has the library take pieces of that size from the heap of the thread from then on.
    drop(black_box(Vec::<u8>::with_capacity(ROOM)));
    let mut room = Vec::with_capacity(ROOM);
    advise_large_pages(room.spare_capacity_mut());
    drop(black_box(room));
}

#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn advise_large_pages(memory: &mut [MaybeUninit<u8>]) {
    const LARGE: usize = 2 << 20;
    let before = memory.as_ptr().align_offset(LARGE);
    let Some(aligned) = memory.get_mut(before..) else {
        return;
    };
    let length = aligned.len() / LARGE * LARGE;
    // SAFETY: the memory is ours, and the advice changes what backs it, never what it holds.
    unsafe { libc::madvise(aligned.as_mut_ptr().cast(), length, libc::MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn advise_large_pages(_: &mut [MaybeUninit<u8>]) {}
