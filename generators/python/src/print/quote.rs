//! Texts in quotes, as `ruff format` prefers them.

/// A text in quotes: double ones, unless single ones need fewer escapes.
pub(crate) fn quoted(text: &str) -> String {
    let quote = preferred(text);
    let mut out = String::from(quote);
    escape_into(&mut out, text, quote);
    out.push(quote);
    out
}

/// A text in these quotes, if it needs no escapes there.
pub(super) fn plain(text: &str, quote: char) -> Option<String> {
    let mut out = String::from(quote);
    escape_into(&mut out, text, quote);
    out.push(quote);
    (!out.contains('\\')).then_some(out)
}

/// The quote that a text needs fewer escapes with.
pub(super) fn preferred(text: &str) -> char {
    let count = |quote| text.chars().filter(|&c| c == quote).count();
    if count('"') > count('\'') { '\'' } else { '"' }
}

/// Adds a text for the inside of such quotes.
pub(super) fn escape_into(out: &mut String, text: &str, quote: char) {
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            c if c == quote => out.extend(['\\', c]),
            c => escape(c, out),
        }
    }
}

/// The lines of a text for the inside of three double quotes; the last one is at the end of it if
/// `is_end`.
pub(super) fn tall(text: &str, is_end: bool) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut quotes = 0;
    let count = text.chars().count();
    for (at, c) in text.chars().enumerate() {
        quotes = if c == '"' { quotes + 1 } else { 0 };
        let is_last = is_end && at + 1 == count;
        let Some(line) = lines.last_mut() else { continue };
        match c {
            '\n' => lines.push(String::new()),
            // Three of them, or one at the end, would be the end of the text.
            '"' if quotes == 3 || is_last => {
                line.push_str("\\\"");
                quotes = 0;
            }
            c => escape(c, line),
        }
    }
    lines
}

fn escape(c: char, out: &mut String) {
    match c {
        '\\' => out.push_str("\\\\"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c if is_hidden(c) => {
            let code = u32::from(c);
            out.push_str(&match code {
                0..=0xff => format!("\\x{code:02x}"),
                0x100..=0xffff => format!("\\u{code:04x}"),
                _ => format!("\\U{code:08x}"),
            });
        }
        c => out.push(c),
    }
}

/// Returns true for characters that cannot be seen, or that change how what is around them looks.
fn is_hidden(c: char) -> bool {
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
            ("\u{202e}x\u{0}", "\"\\u202ex\\x00\""),
        ] {
            assert_eq!(quoted(text), expected);
        }
        assert_eq!(tall("a\"\"\"\nb\"", true), ["a\"\"\\\"", "b\\\""]);
        assert_eq!(plain("it's", '\''), None);
    }
}
