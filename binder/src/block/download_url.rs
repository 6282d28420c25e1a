//! Texts that are taken for the address of a download, by the rules of Go's `url.ParseRequestURI`.

use std::net::Ipv6Addr;

/// Returns whether a text starts with a scheme and has something after it.
pub(crate) fn is_absolute(text: &str) -> bool {
    let no_space = |text: &str| !text.contains(|c: char| c.is_whitespace() || c.is_control());
    text.split_once(':').is_some_and(|(scheme, rest)| is_scheme(scheme) && !rest.is_empty())
        && no_space(text)
}

/// Returns whether Go reads a text as the address of a request.
pub(crate) fn is_of_request(text: &str) -> bool {
    if text.bytes().any(|byte| byte < b' ' || byte == 0x7f) {
        return false;
    }
    let scheme = text.split_once(':').filter(|(scheme, _)| is_scheme(scheme));
    let rest = scheme.map_or(text, |(_, rest)| rest);
    if !rest.starts_with('/') {
        return scheme.is_some() || text == "*";
    }
    let rest = rest.split_once('?').map_or(rest, |(path, _)| path);
    let Some(rest) = rest.strip_prefix("//").filter(|_| scheme.is_some()) else {
        return escapes(rest).is_some();
    };
    let (authority, path) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
    let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    let is_user = |c: char| c.is_ascii_alphanumeric() || "-._:~!$&'()*+,;=%@".contains(c);
    user.chars().all(is_user) && escapes(user).is_some() && is_host(host) && escapes(path).is_some()
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
}

/// A name or address, and a port.
fn is_host(text: &str) -> bool {
    let is_port = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if let Some(text) = text.strip_prefix('[') {
        let Some((address, port)) = text.rsplit_once(']') else { return false };
        let (address, zone) = address.split_once("%25").unwrap_or((address, "zone"));
        return address.parse::<Ipv6Addr>().is_ok()
            && !zone.is_empty()
            && (port.is_empty() || port.strip_prefix(':').is_some_and(is_port));
    }
    let (name, port) = text.split_once(':').unwrap_or((text, ""));
    let is_plain = |c: char| {
        !c.is_ascii() || c.is_ascii_alphanumeric() || "-_.~!$&'()*+,;=[]<>\"%".contains(c)
    };
    // An ASCII character of a name is written as it is.
    let escapes = escapes(name);
    is_port(port)
        && name.chars().all(is_plain)
        && escapes.is_some_and(|bytes| bytes.iter().all(|&byte| byte >= 0x80 || byte == b'%'))
}

/// The bytes that are escaped in a text; `None` if an escape has not two digits.
fn escapes(text: &str) -> Option<Vec<u8>> {
    let byte = |part: &str| {
        let digits = part.get(..2).filter(|it| it.bytes().all(|it| it.is_ascii_hexdigit()))?;
        u8::from_str_radix(digits, 16).ok()
    };
    text.split('%').skip(1).map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absolute_address_has_a_scheme() {
        assert!(is_absolute("https://example.com/x"));
        assert!(is_absolute("github://api.github.com/pulumi"));
        for text in
            ["example.com", "://x", "1ttp://x", "https:", "a b://c", "a://b c", "a://\u{1}", ""]
        {
            assert!(!is_absolute(text), "{text}");
        }
    }

    /// As `url.ParseRequestURI` of Go 1.25.
    #[test]
    fn addresses_of_requests_are_those_of_go() {
        for text in [
            "https://example.com/x",
            "/foo",
            "*",
            "a:b",
            "a:",
            "http://a/b c",
            "http://a:80",
            "http://a:",
            "http://[::1]",
            "http://u@h",
            "http://h/%41",
            "http://h?%zz",
            "http://",
            "//h:x/",
            "http:/x",
            "http:x%zz",
            "http://%e4",
            "http://h<",
            "a+b-c.d://x",
            "http://é/",
            "file:///x",
            "http://u:p@q@h",
            "/a b",
        ] {
            assert!(is_of_request(text), "{text}");
        }
        for text in [
            "",
            "http://%zz",
            "foo",
            "http://a b/",
            "http://a:x",
            "http://[::1",
            "http://[::1]:8x",
            "http://u p@h",
            "http://h/%4",
            "http://h#%zz",
            "1http://x",
            "://x",
            "http://%41",
            "http://h{",
            "http://h\\x",
            "a_b://x",
            "http:// /",
            "/%zz",
            "http://a:80:90",
            "http://[a%25b]",
            "http://u:p%zz@h",
            "a://\u{1}",
        ] {
            assert!(!is_of_request(text), "{text}");
        }
    }
}
