//! A list that only grows.

use std::sync::{Mutex, OnceLock, PoisonError};

/// A list whose elements are read without a lock. They never move, so that references to them last
/// as long as the list.
pub(crate) struct AppendOnly<T> {
    /// Parts of 8, 16, 32 and so on elements, each allocated when it is needed.
    parts: [OnceLock<Part<T>>; PARTS],
    length: Mutex<usize>,
}

type Part<T> = Box<[OnceLock<T>]>;

const FIRST: usize = 8;

/// Enough for as many elements as 32 bits can number.
const PARTS: usize = 29;

impl<T> Default for AppendOnly<T> {
    fn default() -> Self {
        Self { parts: [const { OnceLock::new() }; PARTS], length: Mutex::default() }
    }
}

impl<T> AppendOnly<T> {
    /// The element at a position.
    pub fn get(&self, at: usize) -> Option<&T> {
        let (part, place) = Self::place(at);
        self.parts.get(part)?.get()?.get(place)?.get()
    }

    /// All elements in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        (0..).map_while(|at| self.get(at))
    }

    /// Adds an element; returns its position, or the element if the list is full.
    pub fn push(&self, element: T) -> Result<usize, T> {
        let mut length = self.length.lock().unwrap_or_else(PoisonError::into_inner);
        let at = *length;
        let (part, place) = Self::place(at);
        let Some(part) = self.parts.get(part).map(|known| {
            known.get_or_init(|| (0..FIRST << part).map(|_| OnceLock::new()).collect())
        }) else {
            return Err(element);
        };
        match part.get(place) {
            Some(slot) => slot.set(element)?,
            None => return Err(element),
        }
        *length += 1;
        Ok(at)
    }

    /// The part of a position, and the place in that.
    const fn place(at: usize) -> (usize, usize) {
        let part = (at / FIRST + 1).ilog2() as usize;
        (part, at - FIRST * ((1 << part) - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_stay_where_they_are() {
        let list = AppendOnly::default();
        assert_eq!(list.get(0), None);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..250 {
                        let at = list.push("text".to_owned()).unwrap();
                        let text: *const str = &**list.get(at).unwrap();
                        assert_eq!(list.iter().nth(at).map(|it| &raw const **it), Some(text));
                    }
                });
            }
        });
        assert_eq!(list.iter().count(), 1_000);
        assert_eq!((list.get(1_000), list.get(usize::MAX / 2)), (None, None));
    }
}
