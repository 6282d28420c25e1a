//! Strings in JSON as Go writes them, on whose bytes programs and hashes depend.

use std::fmt::Write as _;

/// Appends a text as a string of JSON: what HTML could read is escaped, and each byte that is not
/// UTF-8 is the escape of a replacement character.
///
/// ```
/// let mut json = String::new();
/// pcl_values::push_json_string(b"<a> \"b\"\n\xff", &mut json);
/// assert_eq!(json, r#""\u003ca\u003e \"b\"\n\ufffd""#);
/// ```
pub fn push_json_string(text: &[u8], json: &mut String) {
    json.push('"');
    for chunk in text.utf8_chunks() {
        let mut rest = chunk.valid();
        while let Some(at) = rest.find(needs_escape) {
            let (plain, behind) = rest.split_at_checked(at).unwrap_or((rest, ""));
            json.push_str(plain);
            let mut chars = behind.chars();
            if let Some(c) = chars.next() {
                push_escape(c, json);
            }
            rest = chars.as_str();
        }
        json.push_str(rest);
        for _ in chunk.invalid() {
            json.push_str("\\ufffd");
        }
    }
    json.push('"');
}

/// Returns true for a character that is written as an escape.
fn needs_escape(c: char) -> bool {
    matches!(c, '"' | '\\' | '\0'..='\u{1f}' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}')
}

fn push_escape(c: char, json: &mut String) {
    match c {
        '"' => json.push_str("\\\""),
        '\\' => json.push_str("\\\\"),
        '\n' => json.push_str("\\n"),
        '\r' => json.push_str("\\r"),
        '\t' => json.push_str("\\t"),
        '\u{8}' => json.push_str("\\b"),
        '\u{c}' => json.push_str("\\f"),
        // Writing to a string does not fail.
        _ => _ = write!(json, "\\u{:04x}", u32::from(c)),
    }
}
