//! The names in a text of Go.

/// A name in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Use<'t> {
    pub name: &'t str,
    /// True if the name is that of a member: there is a dot before it.
    pub is_member: bool,
    /// True if there is a dot behind it.
    pub has_members: bool,
}

/// The names in a text, without those in quotes and comments.
pub(crate) fn uses(text: &str) -> Vec<Use<'_>> {
    let bytes = text.as_bytes();
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(0);
    let mut found = Vec::new();
    let mut at = 0;
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
            b'`' => {
                while at < bytes.len() && byte(at) != b'`' {
                    at += 1;
                }
                at += 1;
            }
            b'/' if byte(at) == b'/' => {
                while at < bytes.len() && byte(at) != b'\n' {
                    at += 1;
                }
            }
            _ if is_part(first) => {
                while is_part(byte(at)) {
                    at += 1;
                }
                if !first.is_ascii_digit() {
                    found.push(Use {
                        name: text.get(start..at).unwrap_or_default(),
                        is_member: start > 0 && byte(start - 1) == b'.',
                        has_members: byte(at) == b'.',
                    });
                }
            }
            _ => {}
        }
    }
    found
}

const fn is_part(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphanumeric() || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_quotes_and_comments_are_none() {
        let text = "a.b(\"c.d \\\" e\", `f`, 'g', x1) // h\n1e5";
        let names: Vec<&str> = uses(text).iter().map(|it| it.name).collect();
        assert_eq!(names, ["a", "b", "x1"]);
        let [a, b, _] = uses(text)[..] else { panic!() };
        assert!(a.has_members && !a.is_member && b.is_member && !b.has_members);
    }
}
