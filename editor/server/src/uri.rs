//! Addresses of files.

use std::path::Path;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// The characters that are encoded in a path.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// The path of a `file:` address; `None` for others. A drive letter is lower case, as editors
/// disagree about it.
pub fn to_path(uri: &str) -> Option<String> {
    let rest = uri.strip_prefix("file://")?;
    let path = rest.get(rest.find('/')?..)?;
    let path = percent_decode_str(path).decode_utf8().ok()?;
    let Some(drive) = drive(&path) else {
        return Some(path.into_owned());
    };
    let rest = path.get(3..).unwrap_or_default();
    Some(format!("{}:{rest}", drive.to_ascii_lowercase()))
}

/// The drive letter of `/C:/..`.
fn drive(path: &str) -> Option<char> {
    let mut characters = path.chars();
    let (slash, letter, colon) = (characters.next()?, characters.next()?, characters.next()?);
    (slash == '/' && letter.is_ascii_alphabetic() && colon == ':' && cfg!(windows))
        .then_some(letter)
}

/// The `file:` address of an absolute path.
pub fn of_path(path: &str) -> String {
    let path = path.replace('\\', "/");
    let slash = if path.starts_with('/') { "" } else { "/" };
    format!("file://{slash}{}", utf8_percent_encode(&path, ENCODED))
}

/// The directory of a file, as text.
pub fn directory(path: &str) -> String {
    let directory = Path::new(path).parent().unwrap_or(Path::new("/"));
    directory.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_survive() {
        for path in ["/a/b.pp", "/with space/é#?.pp", "/100%/[x].pp"] {
            let uri = of_path(path);
            assert!(uri.is_ascii(), "{uri}");
            assert_eq!(to_path(&uri).as_deref(), Some(path));
        }
        assert_eq!(to_path("file:///a%20b.pp").as_deref(), Some("/a b.pp"));
        assert_eq!(to_path("file://host/a.pp").as_deref(), Some("/a.pp"));
        assert_eq!(to_path("untitled:Untitled-1"), None);
    }
}
