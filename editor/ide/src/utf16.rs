//! Offsets in UTF-16 code units from the start of a text, as JavaScript counts them.

/// Converts between offsets in bytes and in UTF-16 code units, each in logarithmic time.
#[derive(Debug)]
pub(crate) struct Utf16 {
    /// The characters that are not ASCII.
    wide: Vec<Wide>,
}

/// A character that is not ASCII.
#[derive(Debug, Clone, Copy)]
struct Wide {
    byte: u32,
    unit: u32,
    bytes: u32,
    units: u32,
}

impl Utf16 {
    /// Returns the conversion for a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut surplus = 0;
        let others = text.char_indices().filter(|(_, one)| !one.is_ascii());
        let wide = others.map(|(byte, one)| {
            let (byte, bytes, units) = (byte as u32, one.len_utf8() as u32, one.len_utf16() as u32);
            let unit = byte - surplus;
            surplus += bytes - units;
            Wide { byte, unit, bytes, units }
        });
        Self { wide: wide.collect() }
    }

    /// The offset in code units of an offset in bytes. Inside of a character it is that of its end.
    #[must_use]
    pub fn units(&self, byte: u32) -> u32 {
        let begun = self.wide.partition_point(|wide| wide.byte < byte);
        match begun.checked_sub(1).and_then(|at| self.wide.get(at)) {
            Some(wide) => wide.unit + wide.units + byte.saturating_sub(wide.byte + wide.bytes),
            None => byte,
        }
    }

    /// The offset in bytes of an offset in code units. Inside of a character it is that of its end.
    #[must_use]
    pub fn bytes(&self, unit: u32) -> u32 {
        let begun = self.wide.partition_point(|wide| wide.unit < unit);
        match begun.checked_sub(1).and_then(|at| self.wide.get(at)) {
            Some(wide) => wide.byte + wide.bytes + unit.saturating_sub(wide.unit + wide.units),
            None => unit,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_boundary_has_one_offset_of_each_kind() {
        for text in ["", "abc", "é", "aé𐍈b\r\n𐍈", "日本語 = \"x\"", "𐍈𐍈"] {
            let utf16 = Utf16::new(text);
            let mut units = 0;
            for (byte, one) in text.char_indices() {
                assert_eq!(utf16.units(byte as u32), units, "{text}");
                assert_eq!(utf16.bytes(units), byte as u32, "{text}");
                if one.len_utf16() == 2 {
                    let end = byte + one.len_utf8();
                    assert_eq!(utf16.bytes(units + 1), end as u32, "{text}");
                }
                units += one.len_utf16() as u32;
            }
            assert_eq!(utf16.units(text.len() as u32), units);
            assert_eq!(utf16.bytes(units), text.len() as u32);
        }
    }
}
