//! The programs below a directory.
//!
//! The rules, with examples: `tests/walk.rs`.

mod rules;

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use pcl_binder::is_program_file;

use crate::project::{below, is_never_searched};

use rules::Rules;
pub use rules::{Excludes, InvalidGlob};

/// A search for the programs below a directory: every directory that contains a `.pp` file.
///
/// Hidden directories, `node_modules`, links to directories, and what [`excludes`](Self::excludes),
/// `.gitignore`, `.git/info/exclude` or `.pclignore` name are left out. As for git, `.gitignore`
/// counts in a repository only; a `.pclignore` has the same syntax, counts everywhere, and wins.
/// Ignore files above the directory count up to the root of the repository. The user's own ignore
/// file of git is not read: a checkout has the same programs on every machine.
///
/// ```
/// use pcl::Walk;
///
/// let found = Walk::default().programs("../corpus/valid".as_ref());
/// assert!(found.programs.iter().any(|program| program.path.ends_with("webserver")));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Walk {
    /// Files and directories that are left out, whatever ignore files say.
    pub excludes: Excludes,
}

/// The result of a [`Walk`].
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The programs, in byte order of their paths.
    pub programs: Vec<FoundProgram>,
    /// Set if a directory or a `.pp` file was left out because something excludes or ignores it.
    pub is_filtered: bool,
    /// The complaints about ignore files that cannot be read or understood. Their other lines
    /// count.
    pub complaints: Vec<String>,
}

/// A program that a [`Walk`] found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundProgram {
    /// Its directory.
    pub path: PathBuf,
    /// The names of its files that are excluded or ignored. They are parts of the program all the
    /// same.
    pub left_out: Vec<OsString>,
}

/// A directory that is to be searched.
struct Open {
    /// Its path as people wrote it.
    path: PathBuf,
    /// Its path without links, which rules are compared with.
    real: PathBuf,
    /// The rules of the directories above it.
    rules: Rc<Rules>,
}

impl Walk {
    /// The programs at or below `root`. `root` itself is searched even if it is ignored.
    ///
    /// A directory that cannot be read may contain a program and counts as one: checking it reports
    /// the error.
    pub fn programs(&self, root: &Path) -> Found {
        let none = Arc::new(Excludes::default());
        self.programs_with(root, |_| Arc::clone(&none))
    }

    /// The same, where what is directly in a directory is left out by the globs that `configured`
    /// returns for it too.
    pub fn programs_with(
        &self,
        root: &Path,
        mut configured: impl FnMut(&Path) -> Arc<Excludes>,
    ) -> Found {
        let mut found = Found::default();
        let real = pcl_system::real_path(root).unwrap_or_else(|_| root.to_path_buf());
        let rules = Rules::above(&real, &mut found.complaints);
        let mut open = vec![Open { path: root.to_path_buf(), real, rules }];
        while let Some(directory) = open.pop() {
            match self.search(&directory, &mut configured, &mut open, &mut found) {
                Ok(files) if files.is_program => found
                    .programs
                    .push(FoundProgram { path: directory.path, left_out: files.left_out }),
                Ok(_) => {}
                Err(_) => {
                    found.programs.push(FoundProgram { path: directory.path, left_out: Vec::new() })
                }
            }
        }
        found.programs.sort_by(|a, b| a.path.cmp(&b.path));
        found
    }

    /// Finds the program files in a directory, and adds the directories in it to `open`.
    fn search(
        &self,
        directory: &Open,
        configured: &mut impl FnMut(&Path) -> Arc<Excludes>,
        open: &mut Vec<Open>,
        found: &mut Found,
    ) -> io::Result<Files> {
        let mut files = Files::default();
        let (mut names, mut directories) = (Vec::new(), Vec::new());
        for entry in std::fs::read_dir(&directory.path)? {
            let entry = entry?;
            let name = entry.file_name();
            if entry.file_type()?.is_dir() {
                if !is_never_searched(&name) {
                    directories.push(name);
                }
            } else if is_program_file(&directory.path, &name) {
                names.push(name);
            }
        }
        if names.is_empty() && directories.is_empty() {
            return Ok(files);
        }
        let rules = Rules::within(&directory.rules, &directory.real, &mut found.complaints);
        let configured = configured(&directory.path);
        let is_left_out = |path: &Path, is_directory| {
            self.excludes.exclude(path, is_directory)
                || configured.exclude(path, is_directory)
                || rules.ignore(path, is_directory)
        };
        for name in names {
            if is_left_out(&directory.real.join(&name), false) {
                files.left_out.push(name)
            } else {
                files.is_program = true
            }
        }
        found.is_filtered |= !files.left_out.is_empty();
        files.left_out.sort_unstable();
        for name in directories {
            let real = directory.real.join(&name);
            if is_left_out(&real, true) {
                found.is_filtered = true;
                continue;
            }
            open.push(Open { path: below(&directory.path, &name), real, rules: Rc::clone(&rules) });
        }
        Ok(files)
    }
}

/// The program files of a directory.
#[derive(Default)]
struct Files {
    /// Set if one of them is not left out.
    is_program: bool,
    left_out: Vec<OsString>,
}
