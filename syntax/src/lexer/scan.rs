//! Runs of bytes of one class, eight at a time.
//!
//! Most runs are short, and of all lengths: a branch for each byte would be foreseen badly. So
//! eight bytes are read as one number, and the class is worked out for all of them; the high bit of
//! a byte says that the run ends there.

/// One of each byte's bits.
const ONES: u64 = 0x0101_0101_0101_0101;
const LOW: u64 = 0x7F * ONES;
const HIGH: u64 = 0x80 * ONES;

/// The end of the run of blanks from `at` on.
#[inline(always)]
pub(super) fn blanks(bytes: &[u8], at: usize) -> usize {
    const SPACES: u64 = b' ' as u64 * ONES;
    let is_blank = |at: usize| matches!(bytes.get(at), Some(b' ' | b'\t'));
    if !is_blank(at) {
        return at;
    }
    // Between two tokens there is usually one.
    if !is_blank(at + 1) {
        return at + 1;
    }
    let mut at = end_of_run(bytes, at, |byte| byte == b' ', |word| word ^ SPACES);
    // Tabs are rare.
    while is_blank(at) {
        at += 1;
    }
    at
}

/// The end of the run of ASCII characters that a name may go on with.
pub(super) fn name(bytes: &[u8], at: usize) -> usize {
    let belongs = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    end_of_run(bytes, at, belongs, |word| {
        // No sum overflows into the next byte, as none of the summands has its high bit set.
        let ascii = word & LOW;
        let at_least = |word: u64, byte: u8| word + u64::from(0x80 - byte) * ONES;
        let differs = |byte: u8| (ascii ^ (u64::from(byte) * ONES)) + LOW;
        let lower = ascii | (0x20 * ONES);
        let letter = at_least(lower, b'a') & !at_least(lower, b'z' + 1);
        let digit = at_least(ascii, b'0') & !at_least(ascii, b'9' + 1);
        (word | (!letter & !digit & differs(b'_') & differs(b'-'))) & HIGH
    })
}

/// The first place from `at` on at which quoted text is special: a quote, a backslash, `$`, `%`, a
/// control character, or the end.
pub(super) fn quoted_text(bytes: &[u8], at: usize) -> usize {
    let belongs = |byte: u8| !matches!(byte, 0..0x20 | b'"' | b'\\' | b'$' | b'%');
    end_of_run(bytes, at, belongs, |word| {
        // A difference may borrow from the next byte, but only above one that ends the run.
        let below = |word: u64, byte: u8| word.wrapping_sub(u64::from(byte) * ONES) & !word;
        let equals = |word: u64, byte: u8| below(word ^ (u64::from(byte) * ONES), 1);
        // `$` and `%` differ in one bit.
        let sign = equals(word | ONES, b'%');
        (below(word, 0x20) | equals(word, b'"') | equals(word, b'\\') | sign) & HIGH
    })
}

/// `belongs` tells of one byte whether the run goes on, `ends` of eight where it does not: there
/// the high bit of a byte is set.
#[inline(always)]
fn end_of_run(
    bytes: &[u8],
    mut at: usize,
    belongs: impl Fn(u8) -> bool,
    ends: impl Fn(u64) -> u64,
) -> usize {
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let ends = ends(u64::from_le_bytes(*chunk));
        if ends != 0 {
            return at + ends.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    while bytes.get(at).is_some_and(|&byte| belongs(byte)) {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every pair of neighbours, at every place of a text that is longer than two words.
    #[test]
    fn runs_end_where_byte_by_byte_they_do() {
        type Scan = fn(&[u8], usize) -> usize;
        type Belongs = fn(u8) -> bool;
        let scans: [(Scan, u8, Belongs); 3] = [
            (blanks, b' ', |byte| matches!(byte, b' ' | b'\t')),
            (name, b'n', |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')),
            (quoted_text, b't', |byte| !matches!(byte, 0..0x20 | b'"' | b'\\' | b'$' | b'%')),
        ];
        for (scan, filler, belongs) in scans {
            for place in 0..18 {
                for pair in 0..=u16::MAX {
                    let mut text = [filler; 20];
                    text[place..place + 2].copy_from_slice(&pair.to_le_bytes());
                    let end = text.iter().position(|&byte| !belongs(byte));
                    assert_eq!(scan(&text, 0), end.unwrap_or(20), "{text:?}");
                }
            }
        }
    }
}
