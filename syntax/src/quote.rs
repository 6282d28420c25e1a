//! Text as a quoted string, and the escapes in one, as the lexer checks and the views decode them.
//!
//! All text that becomes PCL is quoted here: by messages and fixes, imports, and skeletons
//! of resources.

/// A text as a quoted string, for a value or the key of an object. It means exactly this text.
///
/// ```
/// assert_eq!(pcl_syntax::quoted("a \"${b}\""), r#""a \"$${b}\"""#);
/// assert_eq!(pcl_syntax::quoted("$${b}"), r#""$\u0024{b}""#);
/// ```
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text, false))
}

/// A text as a quoted label, in which `$${` is no escape.
///
/// ```
/// assert_eq!(pcl_syntax::quoted_label("${b}"), r#""\u0024{b}""#);
/// ```
pub fn quoted_label(text: &str) -> String {
    format!("\"{}\"", escape(text, false, Opening::Code))
}

/// A text as it is written between quotes. `is_followed` says that an interpolation or directive
/// comes next, which a `$` or `%` at the end would turn into text.
pub fn escaped(text: &str, is_followed: bool) -> String {
    escape(text, is_followed, Opening::Doubled)
}

/// The escape for a `${` or `%{` that is text.
#[derive(Clone, Copy, PartialEq)]
enum Opening {
    /// `$${`
    Doubled,
    /// `\u0024{`
    Code,
}

fn escape(text: &str, is_followed: bool, opening: Opening) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut last = None;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '"' | '\\' => escaped.extend(['\\', c]),
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\t' => escaped.push_str("\\t"),
            '$' | '%' => match rest.peek() {
                // `$$${` is `$` and an escape for some readers, `$$` and an interpolation for
                // others.
                Some('{') if opening == Opening::Doubled && last != Some(c) => {
                    escaped.extend([c, c]);
                }
                Some('{') => push_code(&mut escaped, c),
                None if is_followed => push_code(&mut escaped, c),
                _ => escaped.push(c),
            },
            _ if c.is_control() => push_code(&mut escaped, c),
            _ => escaped.push(c),
        }
        last = Some(c);
    }
    escaped
}

fn push_code(escaped: &mut String, c: char) {
    escaped.push_str(&format!("\\u{:04x}", u32::from(c)));
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::{Expr, TemplatePart};

    /// The text that a program reads in the place of a value.
    fn read(value: &str) -> String {
        let tree = crate::parse(format!("a = {value}\n"));
        assert!(tree.errors().is_empty(), "{value}");
        let attribute = tree.file().body().attributes().next().expect("one");
        let Some(Expr::Template(template)) = attribute.value() else {
            panic!("{value} is no string");
        };
        let parts = template.parts().map(|part| match part {
            TemplatePart::Literal { value, .. } => value.into_owned(),
            _ => panic!("{value} has an interpolation"),
        });
        parts.collect()
    }

    #[test]
    fn a_string_means_what_it_says() {
        let texts = [
            "a\"b\\c\n\r\t",
            "${x} %{y}",
            "$${x}",
            "$$${x}%%{",
            "\u{7}\u{e9}\u{85}",
            "a$",
            "$$",
            "",
        ];
        for text in texts {
            assert_eq!(read(&quoted(text)), text);
            let block = crate::parse(format!("a {} {{}}\n", quoted_label(text)));
            let block = block.file().body().blocks().next().expect("one");
            let label = block.labels().next().expect("one").text().into_owned();
            assert_eq!(label, text);
        }
        assert_eq!(escaped("a$", true), "a\\u0024");
    }
}
