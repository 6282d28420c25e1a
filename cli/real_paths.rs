//! Paths without links, which identify files and directories.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Set where file systems find `main.pp` by the name `MAIN.pp`, so that the system has to say which
/// of the two is the name.
const IGNORES_CASE: bool = cfg!(any(windows, target_vendor = "apple"));

/// Paths without links. Each directory is resolved once: of its files, only those that are links
/// cost more than one system call.
#[derive(Default)]
pub(super) struct RealPaths {
    directories: HashMap<OsString, Option<PathBuf>>,
}

impl RealPaths {
    /// The path without links, as [`pcl_system::real_path`] returns it; `None` for what does not
    /// exist.
    pub fn of(&mut self, path: &Path) -> Option<PathBuf> {
        let parts = path.parent().zip(path.file_name());
        // Other endings, such as `/` and `/.`, mean a directory.
        let ends_in_name = |name: &[u8]| path.as_os_str().as_encoded_bytes().ends_with(name);
        let Some((parent, name)) = parts.filter(|(_, name)| ends_in_name(name.as_encoded_bytes()))
        else {
            return pcl_system::real_path(path).ok();
        };
        if IGNORES_CASE || path.symlink_metadata().ok()?.is_symlink() {
            return pcl_system::real_path(path).ok();
        }
        if !self.directories.contains_key(parent.as_os_str()) {
            let place = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
            let real = pcl_system::real_path(place).ok();
            self.directories.insert(parent.as_os_str().to_owned(), real);
        }
        let real = self.directories.get(parent.as_os_str())?.as_ref()?;
        Some(real.join(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_resolved_as_the_system_does() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        std::fs::create_dir_all(at("a/b")).unwrap();
        std::fs::write(at("a/file.pp"), "").unwrap();
        #[cfg(unix)]
        for (target, link) in [("a", "to_a"), ("a/file.pp", "to_file.pp"), ("gone", "to_gone")] {
            std::os::unix::fs::symlink(at(target), at(link)).unwrap();
        }
        let names = [
            "",
            "a",
            "a/",
            "a/.",
            "a/b/..",
            "a/../a/file.pp",
            "a/file.pp",
            "a/file.pp/",
            "to_a",
            "to_a/",
            "to_a/file.pp",
            "to_a/b/../file.pp",
            "to_file.pp",
            "to_file.pp/",
            "to_gone",
            "gone",
            "gone/file.pp",
            "a/gone",
        ];
        let mut real = RealPaths::default();
        let here = [PathBuf::from(".."), "/".into(), "src".into(), "Cargo.toml".into(), "".into()];
        for path in names.map(at).into_iter().chain(here) {
            assert_eq!(real.of(&path), pcl_system::real_path(&path).ok(), "{}", path.display());
        }
    }
}
