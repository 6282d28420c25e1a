//! The brackets and strings of JSON, 64 bytes at a time: as bits, so that neither the lengths of
//! strings nor the order of brackets cost a branch each.

/// The number of bytes that are processed together.
pub(crate) const BLOCK: usize = 64;

/// The state after a block.
#[derive(Default)]
pub(crate) struct Brackets {
    /// The number of open brackets.
    depth: usize,
    /// All ones inside a string, else zero.
    in_string: u64,
    escapes: Escapes,
}

impl Brackets {
    /// Counts the brackets of adjacent blocks; gives the place of the one that closes the first, if
    /// it is here. The first byte of the first block opens.
    pub fn close_in(&mut self, blocks: &[[u8; BLOCK]]) -> Option<usize> {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("popcnt")
        {
            #[allow(unsafe_code)]
            // SAFETY: the processor has both features. Nothing but the blocks is read.
            return unsafe { self.close_by_avx2(blocks) };
        }
        self.close_by_parts(blocks)
    }

    /// The same in a third of the instructions. Closures would not be inlined here: the functions
    /// that call them do not have these features.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,popcnt")]
    fn close_by_avx2(&mut self, blocks: &[[u8; BLOCK]]) -> Option<usize> {
        for (number, block) in blocks.iter().enumerate() {
            if let Some(end) = self.close_among(avx2_marks(words(block))) {
                return Some(number * BLOCK + end);
            }
        }
        None
    }

    fn close_by_parts(&mut self, blocks: &[[u8; BLOCK]]) -> Option<usize> {
        for (number, block) in blocks.iter().enumerate() {
            let marks = Marks {
                quotes: equal::<0>(block, b'"'),
                backslashes: equal::<0>(block, b'\\'),
                open: equal::<0x20>(block, b'{'),
                close: equal::<0x20>(block, b'}'),
            };
            if let Some(end) = self.close_among(marks) {
                return Some(number * BLOCK + end);
            }
        }
        None
    }

    #[inline(always)]
    fn close_among(&mut self, marks: Marks) -> Option<usize> {
        let quotes = marks.quotes & !self.escapes.escaped(marks.backslashes);
        // A quote turns what follows, itself included, from outside to inside and back.
        let strings = prefix_xor(quotes) ^ self.in_string;
        self.in_string = 0u64.wrapping_sub(strings >> 63);
        let open = marks.open & !strings;
        let close = marks.close & !strings;
        let closing = close.count_ones() as usize;
        if closing >= self.depth {
            let mut brackets = open | close;
            let mut depth = self.depth;
            while brackets != 0 {
                let at = brackets.trailing_zeros();
                brackets &= brackets - 1;
                if open >> at & 1 == 1 {
                    depth += 1;
                } else {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return Some(at as usize);
                    }
                }
            }
        }
        self.depth = self.depth + open.count_ones() as usize - closing;
        None
    }
}

/// One bit for each byte of a block that has a meaning. Braces and square brackets are told apart
/// by one bit, which does not matter here.
struct Marks {
    quotes: u64,
    backslashes: u64,
    open: u64,
    close: u64,
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2_marks(words: [i64; 8]) -> Marks {
    use std::arch::x86_64::{_mm256_or_si256, _mm256_set_epi64x, _mm256_set1_epi8};
    let [a, b, c, d, e, f, g, h] = words;
    let low = _mm256_set_epi64x(d, c, b, a);
    let high = _mm256_set_epi64x(h, g, f, e);
    let bit = _mm256_set1_epi8(0x20);
    let (low_set, high_set) = (_mm256_or_si256(low, bit), _mm256_or_si256(high, bit));
    Marks {
        quotes: avx2_equal(low, high, b'"'),
        backslashes: avx2_equal(low, high, b'\\'),
        open: avx2_equal(low_set, high_set, b'{'),
        close: avx2_equal(low_set, high_set, b'}'),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2_equal(low: std::arch::x86_64::__m256i, high: std::arch::x86_64::__m256i, byte: u8) -> u64 {
    use std::arch::x86_64::{_mm256_cmpeq_epi8, _mm256_movemask_epi8, _mm256_set1_epi8};
    let byte = _mm256_set1_epi8(byte.cast_signed());
    let low = _mm256_movemask_epi8(_mm256_cmpeq_epi8(low, byte)).cast_unsigned();
    let high = _mm256_movemask_epi8(_mm256_cmpeq_epi8(high, byte)).cast_unsigned();
    u64::from(low) | u64::from(high) << 32
}

/// The bytes of a block as numbers.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn words(block: &[u8; BLOCK]) -> [i64; 8] {
    let (words, _) = block.as_chunks::<8>();
    match *words {
        [a, b, c, d, e, f, g, h] => [
            i64::from_le_bytes(a),
            i64::from_le_bytes(b),
            i64::from_le_bytes(c),
            i64::from_le_bytes(d),
            i64::from_le_bytes(e),
            i64::from_le_bytes(f),
            i64::from_le_bytes(g),
            i64::from_le_bytes(h),
        ],
        _ => [0; 8],
    }
}

/// The end of a string.
pub(crate) struct StringEnd {
    /// The place of its closing quote.
    pub quote: usize,
    pub has_escapes: bool,
}

/// The end of the string whose content begins at `from`; `Ok(None)` if it has none.
///
/// # Errors
/// Returns the place of an escaped byte that `is_escape` rejects.
pub(crate) fn string_end(
    bytes: &[u8],
    from: usize,
    is_escape: impl Fn(usize) -> bool,
) -> Result<Option<StringEnd>, usize> {
    let mut escapes = Escapes::default();
    let mut has_escapes = false;
    let (blocks, tail) = bytes.get(from..).unwrap_or_default().as_chunks();
    let mut last = [b' '; BLOCK];
    for (place, byte) in last.iter_mut().zip(tail) {
        *place = *byte;
    }
    for (number, block) in blocks.iter().chain([&last]).enumerate() {
        let start = from + number * BLOCK;
        let escaped = escapes.escaped(equal::<0>(block, b'\\'));
        let quotes = equal::<0>(block, b'"') & !escaped;
        // The bits below the first quote.
        let mut escaped = escaped & quotes.wrapping_sub(1) & !quotes;
        has_escapes |= escaped != 0;
        while escaped != 0 {
            let at = start + escaped.trailing_zeros() as usize;
            if !is_escape(at) {
                return Err(at);
            }
            escaped &= escaped - 1;
        }
        if quotes != 0 {
            let quote = start + quotes.trailing_zeros() as usize;
            return Ok(Some(StringEnd { quote, has_escapes }));
        }
    }
    Ok(None)
}

/// The bytes that backslashes escape.
#[derive(Default)]
struct Escapes {
    /// One when the block ended behind a backslash that escapes what comes next.
    carried: u64,
}

impl Escapes {
    /// The bytes of a block that a backslash escapes: those behind an odd number of backslashes.
    /// Adding a run's first bit to the run carries to its end, and whether that is at an even or
    /// odd place tells how long it is.
    #[inline]
    fn escaped(&mut self, backslashes: u64) -> u64 {
        const EVEN: u64 = 0x5555_5555_5555_5555;
        if backslashes | self.carried == 0 {
            return 0;
        }
        let backslashes = backslashes & !self.carried;
        let follows = backslashes << 1 | self.carried;
        let odd_starts = backslashes & !EVEN & !follows;
        let (ends, carried) = odd_starts.overflowing_add(backslashes);
        self.carried = u64::from(carried);
        (EVEN ^ ends << 1) & follows
    }
}

/// Sets each bit up to which an odd number of bits is set.
fn prefix_xor(mut bits: u64) -> u64 {
    for shift in [1, 2, 4, 8, 16, 32] {
        bits ^= bits << shift;
    }
    bits
}

/// One bit for each byte of the block that equals `byte` once the bits of `SET` are set in it.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
fn equal<const SET: u8>(block: &[u8; BLOCK], byte: u8) -> u64 {
    // SAFETY: every x86-64 processor has SSE2. Nothing but the block is read.
    unsafe { sse2_equal::<SET>(block, byte) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "sse2")]
fn sse2_equal<const SET: u8>(block: &[u8; BLOCK], byte: u8) -> u64 {
    use std::arch::x86_64::{
        _mm_cmpeq_epi8, _mm_movemask_epi8, _mm_or_si128, _mm_set_epi64x, _mm_set1_epi8,
    };
    let (parts, _) = block.as_chunks::<16>();
    let mut bits = 0;
    for (part, bytes) in parts.iter().enumerate() {
        let bytes = i128::from_le_bytes(*bytes);
        let bytes = _mm_set_epi64x((bytes >> 64) as i64, bytes as i64);
        let bytes = _mm_or_si128(bytes, _mm_set1_epi8(SET.cast_signed()));
        let equal = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte.cast_signed()));
        bits |= u64::from(_mm_movemask_epi8(equal).cast_unsigned()) << (part * 16);
    }
    bits
}

/// The same where nothing is known of the processor.
#[cfg(not(target_arch = "x86_64"))]
use portable_equal as equal;

/// One bit for each byte of the block that equals `byte` once the bits of `SET` are set in it.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn portable_equal<const SET: u8>(block: &[u8; BLOCK], byte: u8) -> u64 {
    const SEVEN: u64 = u64::from_le_bytes([0x7F; 8]);
    let (set, wanted) = (u64::from_le_bytes([SET; 8]), u64::from_le_bytes([byte; 8]));
    let (words, _) = block.as_chunks::<8>();
    let mut bits = 0;
    for (place, word) in words.iter().enumerate() {
        // The highest bit of each byte that is wanted, and of no other.
        let differs = (u64::from_le_bytes(*word) | set) ^ wanted;
        let equal = !(((differs & SEVEN) + SEVEN) | differs | SEVEN);
        // Brings these eight bits together in the highest byte.
        let eight = (equal >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        bits |= eight << (place * 8);
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bits_of_a_block(block in proptest::collection::vec(any::<u8>(), BLOCK), byte: u8) {
            let block: [u8; BLOCK] = block.try_into().unwrap();
            let bits = |set: u8| (0..BLOCK).filter(|at| block[*at] | set == byte).fold(0, |bits, at| bits | 1u64 << at);
            prop_assert_eq!(equal::<0>(&block, byte), bits(0));
            prop_assert_eq!(equal::<0x20>(&block, byte), bits(0x20));
            prop_assert_eq!(portable_equal::<0>(&block, byte), bits(0));
            prop_assert_eq!(portable_equal::<0x20>(&block, byte), bits(0x20));
        }

        /// Blocks find the same end as a walk byte by byte.
        #[test]
        fn the_end_of_a_value(rest in proptest::collection::vec(proptest::sample::select(b"{}[]\"\\a:,".to_vec()), 0..400)) {
            let text = [b"{".as_slice(), &rest].concat();
            let (mut depth, mut in_string, mut escaped, mut end) = (0usize, false, false, None);
            for (at, byte) in text.iter().enumerate() {
                match byte {
                    _ if end.is_some() => {}
                    b'"' if !escaped => in_string = !in_string,
                    b'{' | b'[' if !in_string => depth += 1,
                    b'}' | b']' if !in_string => {
                        depth -= 1;
                        end = (depth == 0).then_some(at);
                    }
                    _ => {}
                }
                escaped = *byte == b'\\' && !escaped;
            }
            let blocks: Vec<[u8; BLOCK]> = text.chunks(BLOCK).map(|part| {
                let mut block = [b' '; BLOCK];
                block[..part.len()].copy_from_slice(part);
                block
            }).collect();
            prop_assert_eq!(Brackets::default().close_in(&blocks), end);
            let portable = Brackets::default().close_by_parts(&blocks);
            prop_assert_eq!(portable, end);
        }
    }
}
