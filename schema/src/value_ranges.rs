//! The ranges of values in a text, by paths of keys and indexes.

use rustc_hash::FxHashMap;

use crate::scan::{Bytes, ScanError, Scanner, unescape};

/// The values in a text, as far as paths led to them: each object and list is read once, however
/// many paths go through it.
#[derive(Default)]
pub(crate) struct ValueRanges {
    /// The parts of objects and lists, by the offsets of these.
    parts: FxHashMap<usize, FxHashMap<Box<str>, Bytes>>,
}

impl ValueRanges {
    /// Returns the range of the value that a path leads to, or of the last one on the way there.
    /// The text must be the same each time.
    pub fn locate<'k>(&mut self, text: &[u8], path: impl IntoIterator<Item = &'k str>) -> Bytes {
        let mut here = 0..text.len();
        for step in path {
            let parts = self.parts.entry(here.start);
            let parts = parts.or_insert_with(|| parts_of(text, here.clone()));
            match parts.get(step) {
                Some(next) => here = next.clone(),
                None => break,
            }
        }
        here
    }
}

/// The parts of an object or a list. Of several with one key, the last counts; an object that
/// cannot be read to its end has none.
fn parts_of(text: &[u8], value: Bytes) -> FxHashMap<Box<str>, Bytes> {
    let mut parts = FxHashMap::default();
    let moved = |part: Bytes| value.start + part.start..value.start + part.end;
    let mut scanner = Scanner::new(text.get(value.clone()).unwrap_or_default());
    match scanner.peek() {
        Ok(Some(b'{')) => {
            let walked: Result<(), ScanError> = scanner.object(|scanner, key| {
                let part = scanner.value()?;
                if let Some(key) = unescape(key) {
                    parts.insert(key.into(), moved(part));
                }
                Ok(())
            });
            if walked.is_err() {
                parts.clear();
            }
        }
        Ok(Some(b'[')) => {
            let elements = scanner.elements().into_iter().enumerate();
            parts.extend(elements.map(|(index, part)| (index.to_string().into(), moved(part))));
        }
        _ => {}
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_followed_as_far_as_it_goes() {
        let text = r#"{"a": [1, {"b\u0063": "here"}], "x": 0}"#;
        let mut places = ValueRanges::default();
        let mut at = |path: &[&str]| &text[places.locate(text.as_bytes(), path.iter().copied())];
        assert_eq!(at(&["a", "1", "bc"]), "\"here\"");
        assert_eq!(at(&["a", "1", "d"]), r#"{"b\u0063": "here"}"#);
        assert_eq!(at(&["a", "7"]), r#"[1, {"b\u0063": "here"}]"#);
    }
}
