//! Escapes of template text, as the lexer checks and the views decode them.

/// The length of `$${`, `$${~`, `%%{` or `%%{~` at the start of `bytes`.
pub(crate) fn dollar_escape(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [b'$', b'$', b'{', b'~', ..] | [b'%', b'%', b'{', b'~', ..] => Some(4),
        [b'$', b'$', b'{', ..] | [b'%', b'%', b'{', ..] => Some(3),
        _ => None,
    }
}

/// What a backslash escape at the start of a text is.
pub(crate) enum Escape {
    /// It stands for this character.
    Char(char),
    /// `\u` or `\U` with too few digits; it stands for itself.
    TooShort { long: bool },
    /// A surrogate or beyond U+10FFFF; it stands for itself.
    NotEncodable,
    /// Not an escape; it stands for the character after the backslash.
    Unknown(char),
}

/// Reads the escape at the start of `text`, which begins with a backslash. Gives its length too; `None` when nothing follows
/// the backslash.
pub(crate) fn read_escape(text: &str) -> Option<(Escape, usize)> {
    let next = text[1..].chars().next()?;
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
            let digits = text.as_bytes()[2..]
                .iter()
                .take(wanted)
                .take_while(|byte| byte.is_ascii_hexdigit())
                .count();
            let escape = if digits < wanted {
                Escape::TooShort { long }
            } else {
                u32::from_str_radix(&text[2..2 + digits], 16)
                    .ok()
                    .and_then(char::from_u32)
                    .map_or(Escape::NotEncodable, Escape::Char)
            };
            Some((escape, 2 + digits))
        }
        other => Some((Escape::Unknown(other), 1 + other.len_utf8())),
    }
}
