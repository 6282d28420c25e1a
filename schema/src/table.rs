//! A hash table from keys that are stored elsewhere to members, simple enough to be written to a
//! file.

use std::hash::Hasher;

use rustc_hash::FxHasher;

/// Open addressing over the numbers of members. The keys are not stored: who asks compares.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Table {
    /// A power of two of them, at least half of them free.
    slots: Box<[u32]>,
}

const FREE: u32 = u32::MAX;

impl Table {
    /// An empty table with room for so many members.
    pub fn with_room(members: usize) -> Self {
        let slots = (members * 2).next_power_of_two().max(8);
        Self { slots: vec![FREE; slots].into() }
    }

    /// The table of these slots, if they can be one.
    pub fn from_slots(slots: Box<[u32]>) -> Option<Self> {
        (slots.is_empty() || slots.len().is_power_of_two()).then_some(Self { slots })
    }

    pub fn slots(&self) -> &[u32] {
        &self.slots
    }

    /// The member of that hash which `is_it` accepts.
    pub fn find(&self, hash: u64, mut is_it: impl FnMut(u32) -> bool) -> Option<u32> {
        let mask = self.slots.len().checked_sub(1)?;
        let first = hash as usize & mask;
        for step in 0..self.slots.len() {
            match *self.slots.get((first + step) & mask)? {
                FREE => return None,
                member if is_it(member) => return Some(member),
                _ => {}
            }
        }
        None
    }

    /// Adds a member that is not there yet.
    pub fn insert(&mut self, hash: u64, member: u32) {
        let Some(mask) = self.slots.len().checked_sub(1) else {
            return;
        };
        let mut slot = hash as usize & mask;
        while let Some(free) = self.slots.get_mut(slot) {
            if *free == FREE {
                *free = member;
                return;
            }
            slot = (slot + 1) & mask;
        }
    }
}

pub(crate) fn hash(text: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(text);
    hasher.finish()
}
