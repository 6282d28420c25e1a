//! Paths as they are compared, shown and addressed, on all platforms.

use std::io;
use std::path::{Component, Path, PathBuf};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// The characters that are encoded in the path of a URI.
const ENCODED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The absolute path without links, `.` and `..`. It begins with a drive on Windows (`C:\a`), where
/// [`Path::canonicalize`] returns a form that few programs understand (`\\?\C:\a`).
///
/// # Errors
/// Returns an error if nothing is there.
pub fn real_path(path: &Path) -> io::Result<PathBuf> {
    dunce::canonicalize(path)
}

/// The absolute path without links, `.` and `..`, whether or not anything is there.
pub fn resolved(path: &Path) -> PathBuf {
    if let Ok(real) = real_path(path) {
        return real;
    }
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let mut parts = absolute.components();
    match parts.next_back() {
        Some(Component::Normal(name)) => resolved(parts.as_path()).join(name),
        Some(Component::ParentDir) => {
            let above = resolved(parts.as_path());
            above.parent().map_or(above.clone(), Path::to_path_buf)
        }
        _ => absolute,
    }
}

/// A path as text, with `/` between its parts: reports of one program are the same on all
/// platforms, and Windows accepts such paths.
pub fn shown(path: &Path) -> String {
    let text = dunce::simplified(path).to_string_lossy();
    if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() }
}

/// Returns true for the text of a path that Windows takes for one of another machine, or of a
/// device: to look at it would connect to that machine. Windows accepts both separators.
///
/// ```
/// assert!(pcl_system::is_remote(r"\\server\share") && pcl_system::is_remote(r"/\server/share"));
/// assert!(!pcl_system::is_remote("/home/file") && !pcl_system::is_remote("file"));
/// ```
pub fn is_remote(path: &str) -> bool {
    let mut first = path.bytes().take(2).filter(|byte| matches!(byte, b'/' | b'\\'));
    first.next().and(first.next()).is_some()
}

/// The `file:` URI of an absolute path, which may begin with a drive (`C:\a`) or a server
/// (`\\server\a`).
pub fn file_uri(path: &Path) -> String {
    let shown = shown(path);
    // Windows has a longer form of a path on a server.
    let server = ["//?/UNC/", "//"].iter().find_map(|it| shown.strip_prefix(it));
    match (server, shown.split_once(':')) {
        (Some(rest), _) if cfg!(windows) => format!("file://{}", encoded(rest)),
        (_, Some((drive, rest))) if cfg!(windows) => format!("file:///{drive}:{}", encoded(rest)),
        _ => format!("file://{}", encoded(&shown)),
    }
}

/// A path with `/` between its parts as the path of a URI.
pub fn encoded(path: &str) -> String {
    utf8_percent_encode(path, ENCODED).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_percent_encoded() {
        assert_eq!(encoded("a b/#1%/é\n.pp"), "a%20b/%231%25/%C3%A9%0A.pp");
        assert_eq!(encoded("c:d"), "c%3Ad");
    }

    #[test]
    #[cfg(unix)]
    fn all_characters_but_slashes_are_parts_of_names() {
        assert_eq!(shown(Path::new(r"\\?\C:\a")), r"\\?\C:\a");
        assert_eq!(file_uri(Path::new("/a b/ü:")), "file:///a%20b/%C3%BC%3A");
    }

    #[test]
    #[cfg(windows)]
    fn drives_and_servers() {
        for (path, text, uri) in [
            (r"C:\a b", "C:/a b", "file:///C:/a%20b"),
            (r"\\?\C:\a", "C:/a", "file:///C:/a"),
            (r"\\server\a\b", "//server/a/b", "file://server/a/b"),
            (r"\\?\UNC\server\a", "//?/UNC/server/a", "file://server/a"),
        ] {
            assert_eq!(shown(Path::new(path)), text);
            assert_eq!(file_uri(Path::new(path)), uri);
        }
    }
}
