//! Hash tables from keys to numbers.

use std::hash::{BuildHasher, Hash};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// Finds ids of type `T` by hash. The hash is stored beside the id, so that the key of an id is
/// only compared if it is likely to be equal.
#[derive(Clone)]
pub(super) struct IdTable<T>(HashTable<HashedId<T>>);

#[derive(Clone, Copy)]
struct HashedId<T> {
    hash: u32,
    id: T,
}

impl<T> Default for IdTable<T> {
    fn default() -> Self {
        Self(HashTable::new())
    }
}

impl<T: Copy> IdTable<T> {
    /// The id of this hash that `is_it` accepts.
    #[inline]
    pub(super) fn find(&self, hash: u32, is_it: impl Fn(T) -> bool) -> Option<T> {
        let is_it = |entry: &HashedId<T>| entry.hash == hash && is_it(entry.id);
        self.0.find(spread(hash), is_it).map(|entry| entry.id)
    }

    /// Makes room for so many more ids.
    pub(super) fn reserve(&mut self, more: usize) {
        self.0.reserve(more, |entry| spread(entry.hash));
    }

    /// Adds an id that is not there.
    pub(super) fn insert(&mut self, hash: u32, id: T) {
        let entry = HashedId { hash, id };
        self.0.insert_unique(spread(hash), entry, |entry| spread(entry.hash));
    }
}

/// The hash of a key of an [`IdTable`].
#[inline]
pub(super) fn hash(key: &(impl Hash + ?Sized)) -> u32 {
    let hash = FxBuildHasher.hash_one(key);
    (hash ^ hash >> 32) as u32
}

/// The hash that the table inside works with: it takes its position from the low bits and a tag
/// from the high ones.
#[inline]
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
