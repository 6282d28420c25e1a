//! The exports and the imports of the module: buffers in its memory, as addresses and lengths.
//!
//! | export | meaning |
//! |---|---|
//! | `pcl_allocate(length)` | a buffer of the module, or 0 if there is no memory for it |
//! | `pcl_free(address, length)` | gives a buffer back |
//! | `pcl_call(address, length)` | answers the request in a buffer, which the module takes |
//! | `pcl_last_panic()` | the message of the panic that was a trap; empty if there was none |
//!
//! `pcl_call` returns a buffer that the host gives back: a byte, which is 0 for an answer and 1 for
//! a message, and the answer. An address and a length are returned as one number: the address in
//! the upper half of 64 bits, the length in the lower.
//!
//! The module `pcl` of the host has two functions. `load_schema(address, length)` gets a request
//! for a package in JSON; it returns the number of a document, from 1 on, in the upper half, and
//! its length in the lower, or 0 if there is none. `read_schema(document, at, address, length)`
//! copies a part of the document into a buffer, and returns the number of bytes. The host keeps the
//! document, so that instances share it: of a large one, the module reads what it needs.

#![allow(
    unsafe_code,
    reason = "functions are exported by name, and buffers cross the border of the memory as addresses"
)]

use std::alloc::{Layout, alloc, dealloc};
use std::cell::RefCell;
use std::io;
use std::sync::{Mutex, PoisonError};

use pcl::schema::Distant;
use pcl_embedded::schemas::Document;

use crate::requests::{Answer, Instance};

thread_local! {
    static INSTANCE: RefCell<Option<Instance>> = const { RefCell::new(None) };
}

/// The message of the last panic.
static LAST_PANIC: Mutex<String> = Mutex::new(String::new());

/// The layout of a buffer, which is never empty, so that it has an address.
fn layout(length: usize) -> Option<Layout> {
    Layout::array::<u8>(length.max(1)).ok()
}

/// Returns a buffer of this length, or null if there is no memory for it.
#[unsafe(no_mangle)]
pub extern "C" fn pcl_allocate(length: usize) -> *mut u8 {
    match layout(length) {
        // SAFETY: the layout is not empty.
        Some(layout) => unsafe { alloc(layout) },
        None => std::ptr::null_mut(),
    }
}

/// Gives a buffer back.
///
/// # Safety
/// The buffer is one of [`pcl_allocate`] or [`pcl_call`], of this length, and not given back yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pcl_free(buffer: *mut u8, length: usize) {
    if let Some(layout) = layout(length).filter(|_| !buffer.is_null()) {
        // SAFETY: the buffer was allocated with this layout, as the caller promises.
        unsafe { dealloc(buffer, layout) }
    }
}

/// Answers the request in a buffer, and takes the buffer.
///
/// # Safety
/// The buffer is one of [`pcl_allocate`], of this length, initialised, and not given back yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pcl_call(buffer: *mut u8, length: usize) -> u64 {
    // SAFETY: the caller promises what `take` needs.
    let request = unsafe { take(buffer, length) };
    let answer = INSTANCE.with(|instance| match instance.try_borrow_mut() {
        Ok(mut instance) => instance.get_or_insert_with(start).answer(&request),
        Err(_) => Answer::Refused("the instance answers another request".to_owned()),
    });
    drop(request);
    give(answer)
}

/// The message of the panic that was a trap. The text stays the module's own.
#[unsafe(no_mangle)]
pub extern "C" fn pcl_last_panic() -> u64 {
    let message = LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner);
    packed(message.as_ptr().addr(), message.len())
}

/// The content of a buffer of [`pcl_allocate`].
///
/// # Safety
/// The buffer is one of [`pcl_allocate`], of this length, initialised, and not given back yet.
unsafe fn take(buffer: *mut u8, length: usize) -> Vec<u8> {
    // SAFETY: the buffer was allocated with the layout of a vector of this capacity.
    unsafe { Vec::from_raw_parts(buffer, length, length.max(1)) }
}

/// A buffer with an answer, for the host.
fn give(answer: Answer) -> u64 {
    let (status, content) = match answer {
        Answer::Done(json) => (0, json),
        Answer::Refused(message) => (1, message.into_bytes()),
    };
    let mut bytes = Vec::with_capacity(content.len() + 1);
    bytes.push(status);
    bytes.extend(content);
    let bytes = Box::leak(bytes.into_boxed_slice());
    packed(bytes.as_ptr().addr(), bytes.len())
}

/// An address and a length as one number. Both have 32 bits in a module.
fn packed(address: usize, length: usize) -> u64 {
    ((address as u64) << 32) | length as u64
}

/// The instance, when the first request comes.
fn start() -> Instance {
    std::panic::set_hook(Box::new(|panic| {
        let mut message = LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner);
        *message = panic.to_string();
    }));
    Instance::new(load_schema)
}

/// A document that the host keeps.
#[derive(Debug)]
struct HostDocument {
    number: u32,
    length: u32,
}

impl Distant for HostDocument {
    fn length(&self) -> u64 {
        self.length.into()
    }

    fn read_at(&self, into: &mut [u8], at: u64) -> io::Result<()> {
        let at = u32::try_from(at).map_err(|_| io::ErrorKind::UnexpectedEof)?;
        // SAFETY: the host writes into the buffer only.
        let read = unsafe { host::read_schema(self.number, at, into.as_mut_ptr(), into.len()) };
        if read == into.len() { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

/// The document that the host has for a request.
fn load_schema(request: &str) -> Option<Document> {
    // SAFETY: the host reads the text only.
    let answer = unsafe { host::load_schema(request.as_ptr(), request.len()) };
    let document = HostDocument { number: (answer >> 32) as u32, length: answer as u32 };
    (document.number > 0).then(|| Document::Distant(Box::new(document)))
}

/// The functions of the host.
#[cfg(target_arch = "wasm32")]
mod host {
    #[link(wasm_import_module = "pcl")]
    unsafe extern "C" {
        pub fn load_schema(address: *const u8, length: usize) -> u64;
        pub fn read_schema(document: u32, at: u32, address: *mut u8, length: usize) -> usize;
    }
}

/// Natively, there is no host.
#[cfg(not(target_arch = "wasm32"))]
mod host {
    pub unsafe fn load_schema(_: *const u8, _: usize) -> u64 {
        0
    }

    pub unsafe fn read_schema(_: u32, _: u32, _: *mut u8, _: usize) -> usize {
        0
    }
}
