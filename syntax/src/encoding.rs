//! Files that are not UTF-8.

use pcl_diagnostics::TextRange;

/// Stands for one byte that is not UTF-8. It is a control character that means nothing in code.
pub const PLACEHOLDER: char = '\u{1A}';

/// The text of `bytes` with a placeholder for every byte that is not UTF-8, and where these are,
/// neighbours as one range.
pub(crate) fn replace_invalid(bytes: &[u8]) -> (String, Vec<TextRange>) {
    let mut text = String::with_capacity(bytes.len());
    let mut invalid: Vec<TextRange> = Vec::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        let start = text.len() as u32;
        text.extend(chunk.invalid().iter().map(|_| PLACEHOLDER));
        let range = TextRange::new(start, text.len() as u32);
        match invalid.last_mut() {
            _ if range.is_empty() => {}
            Some(last) if last.end() == range.start() => *last = last.cover(range),
            _ => invalid.push(range),
        }
    }
    (text, invalid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_stay() {
        let (text, invalid) = replace_invalid(b"a\xFF\xFEb\xE2\x82");
        assert_eq!(text, "a\u{1A}\u{1A}b\u{1A}\u{1A}");
        assert_eq!(invalid, [TextRange::new(1, 3), TextRange::new(4, 6)]);
    }
}
