//! Escapes of template text, as the lexer checks and the views decode them.

/// The length of `$${`, `$${~`, `%%{` or `%%{~` at the start of `bytes`.
pub(crate) fn dollar_escape(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [b'$', b'$', b'{', b'~', ..] | [b'%', b'%', b'{', b'~', ..] => Some(4),
        [b'$', b'$', b'{', ..] | [b'%', b'%', b'{', ..] => Some(3),
        _ => None,
    }
}

/// A backslash escape at the start of a text.
pub(crate) enum Escape {
    /// It denotes this character.
    Char(char),
    /// `\u` or `\U` with too few digits; it is kept as it is.
    TooShort { long: bool },
    /// A surrogate or beyond U+10FFFF; it is kept as it is.
    NotEncodable,
    /// Not an escape; it denotes the character after the backslash.
    Unknown(char),
}

/// Reads the escape at the start of `text`, which begins with a backslash. Gives its length too;
/// `None` when nothing follows the backslash.
pub(crate) fn read_escape(text: &str) -> Option<(Escape, usize)> {
    let mut chars = text.chars();
    let _backslash = chars.next()?;
    let next = chars.next()?;
    let simple = |c| Some((Escape::Char(c), 2));
    match next {
        'n' => simple('\n'),
        'r' => simple('\r'),
        't' => simple('\t'),
        '"' => simple('"'),
        '\\' => simple('\\'),
        'u' | 'U' => {
            let long = next == 'U';
            let wanted = if long { 8 } else { 4 };
            let digits = chars.take(wanted).map_while(|c| c.to_digit(16));
            // Eight digits fill all bits.
            let (count, number) =
                digits.fold((0, 0), |(count, number), digit| (count + 1, number << 4 | digit));
            let escape = match char::from_u32(number) {
                _ if count < wanted => Escape::TooShort { long },
                Some(c) => Escape::Char(c),
                None => Escape::NotEncodable,
            };
            Some((escape, 2 + count))
        }
        other => Some((Escape::Unknown(other), 1 + other.len_utf8())),
    }
}
