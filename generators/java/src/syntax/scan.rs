//! The names in a text of Java.

/// A name in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Use<'t> {
    pub name: &'t str,
    /// True if the name is that of a member: there is a dot before it.
    pub is_member: bool,
}

/// The names in a text, without those in quotes and comments.
pub(crate) fn uses(text: &str) -> Vec<Use<'_>> {
    let bytes = text.as_bytes();
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(0);
    let mut found = Vec::new();
    let mut at = 0;
    let mut before = 0;
    while at < bytes.len() {
        let start = at;
        let first = byte(at);
        at += 1;
        match first {
            b'"' | b'\'' => {
                while at < bytes.len() && byte(at) != first {
                    at += if byte(at) == b'\\' { 2 } else { 1 };
                }
                at += 1;
            }
            b'/' if byte(at) == b'/' => {
                while at < bytes.len() && byte(at) != b'\n' {
                    at += 1;
                }
                continue;
            }
            b'/' if byte(at) == b'*' => {
                while at < bytes.len() && !(byte(at) == b'*' && byte(at + 1) == b'/') {
                    at += 1;
                }
                at += 2;
                continue;
            }
            _ if is_part(first) => {
                while is_part(byte(at)) {
                    at += 1;
                }
                if !first.is_ascii_digit() {
                    let name = text.get(start..at).unwrap_or_default();
                    found.push(Use { name, is_member: before == b'.' });
                }
            }
            b' ' | b'\n' => continue,
            _ => {}
        }
        before = first;
    }
    found
}

const fn is_part(byte: u8) -> bool {
    byte == b'_' || byte == b'$' || byte.is_ascii_alphanumeric() || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_quotes_and_comments_are_none() {
        let text = "a\n    .b(\"c.d \\\" e\", 'g', x1) // h\n1e5 /* i */ j";
        let names: Vec<(&str, bool)> =
            uses(text).iter().map(|it| (it.name, it.is_member)).collect();
        assert_eq!(names, [("a", false), ("b", true), ("x1", false), ("j", false)]);
    }
}
