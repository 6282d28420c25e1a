//! Addresses of files.

use std::path::Path;

use percent_encoding::percent_decode_str;

/// The path of a `file:` address; `None` for others, and for a file of another host, which only
/// Windows has a path for (RFC 8089). A drive letter is lower case, as editors disagree about it.
pub fn to_path(uri: &str) -> Option<String> {
    let rest = uri.strip_prefix("file://")?;
    let (host, path) = rest.split_at_checked(rest.find('/')?)?;
    let path = percent_decode_str(path).decode_utf8().ok()?;
    if !host.is_empty() && !host.eq_ignore_ascii_case("localhost") {
        return cfg!(windows).then(|| format!("//{host}{path}"));
    }
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

/// The `file:` address of an absolute path with `/` between its parts. The colon of a drive is
/// encoded, as Visual Studio Code does it.
pub fn of_path(path: &str) -> String {
    let start = match path {
        server if cfg!(windows) && server.starts_with("//") => "file:",
        path if path.starts_with('/') => "file://",
        _ => "file:///",
    };
    format!("{start}{}", pcl_system::encoded(path))
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
    #[cfg(windows)]
    fn drives_and_servers() {
        for (uri, path) in [
            ("file:///c%3A/a%20b.pp", "c:/a b.pp"),
            ("file:///C:/a.pp", "c:/a.pp"),
            ("file://localhost/c:/a.pp", "c:/a.pp"),
            ("file://server/share/a.pp", "//server/share/a.pp"),
        ] {
            assert_eq!(to_path(uri).as_deref(), Some(path));
            assert_eq!(to_path(&of_path(path)).as_deref(), Some(path));
        }
    }

    #[test]
    fn paths_survive() {
        for path in ["/a/b.pp", "/with space/é#?.pp", "/100%/[x].pp"] {
            let uri = of_path(path);
            assert!(uri.is_ascii(), "{uri}");
            assert_eq!(to_path(&uri).as_deref(), Some(path));
        }
        assert_eq!(to_path("file:///a%20b.pp").as_deref(), Some("/a b.pp"));
        for host in ["", "localhost", "LocalHost"] {
            let path = to_path(&format!("file://{host}/a.pp"));
            assert_eq!(path.as_deref(), Some("/a.pp"), "{host}");
        }
        #[cfg(not(windows))]
        for host in ["host", "127.0.0.1", "user@localhost", "localhost:1", "%"] {
            assert_eq!(to_path(&format!("file://{host}/a.pp")), None);
        }
        assert_eq!(to_path("untitled:Untitled-1"), None);
    }
}
