//! Strings, templates and comments as text.

/// A string in quotes: double ones, unless single ones need fewer escapes.
pub(crate) fn quoted(text: &str) -> String {
    let count = |quote| text.chars().filter(|&c| c == quote).count();
    let quote = if count('"') > count('\'') { '\'' } else { '"' };
    let mut out = String::from(quote);
    for c in text.chars() {
        if c == quote {
            out.push('\\');
        }
        escape(c, &mut out);
    }
    out.push(quote);
    out
}

/// A text in a template, line by line.
pub(super) fn template(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '`' => out.push_str("\\`"),
            '$' if chars.peek() == Some(&'{') => out.push_str("\\$"),
            '\n' => out.push('\n'),
            c => escape(c, &mut out),
        }
    }
    out
}

fn escape(c: char, out: &mut String) {
    match c {
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c if is_hidden(c) && u32::from(c) > 0xffff => {
            out.push_str(&format!("\\u{{{:x}}}", u32::from(c)));
        }
        c if is_hidden(c) => out.push_str(&format!("\\u{:04x}", u32::from(c))),
        c => out.push(c),
    }
}

/// Returns true for characters that cannot be seen, or that change how what is around them looks.
pub(super) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_quoted() {
        for (text, expected) in [
            ("plain", "\"plain\""),
            ("say \"hi\"", "'say \"hi\"'"),
            ("it's", "\"it's\""),
            ("both ' and \"", "\"both ' and \\\"\""),
            ("a\nb\\", "\"a\\nb\\\\\""),
            ("\u{202e}x\u{0}", "\"\\u202ex\\u0000\""),
            ("${x}", "\"${x}\""),
        ] {
            assert_eq!(quoted(text), expected);
        }
        assert_eq!(template("a`${b}$c\n\\"), "a\\`\\${b}$c\n\\\\");
    }
}
