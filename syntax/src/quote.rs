//! Text as a quoted string.
//!
//! All text that becomes PCL is quoted here: by messages and fixes, imports, and skeletons
//! of resources.

/// A text as a quoted string, for a value or the key of an object. It means exactly this text.
///
/// ```
/// assert_eq!(pcl_syntax::quoted("a \"${b}\""), r#""a \"$${b}\"""#);
/// assert_eq!(pcl_syntax::quoted("$${b}"), r#""$\u0024{b}""#);
/// ```
#[must_use]
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text, false))
}

/// A text as a quoted label, in which `$${` is no escape.
///
/// ```
/// assert_eq!(pcl_syntax::quoted_label("${b}"), r#""\u0024{b}""#);
/// ```
#[must_use]
pub fn quoted_label(text: &str) -> String {
    format!("\"{}\"", escape(text, false, Opening::Code))
}

/// A text as it is written between quotes. `is_followed` says that an interpolation or directive
/// comes next, which a `$` or `%` at the end would turn into text.
#[must_use]
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
