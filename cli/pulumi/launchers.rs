//! Launchers: this command under the names of the language hosts that are part of Pulumi.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use pcl_convert::Language;

use crate::status::Failure;

/// The file of the launcher for a language in a directory.
pub(super) fn place(directory: &Path, language: Language) -> PathBuf {
    let suffix = std::env::consts::EXE_SUFFIX;
    directory.join(format!("pulumi-language-{}{suffix}", language.runtime()))
}

/// Writes the launchers of some languages, all or none, and returns their paths. Launchers that are
/// there are replaced.
///
/// # Errors
/// Returns an error if another program has the name of one, or if one cannot be written.
pub(super) fn write(directory: &Path, languages: &[Language]) -> Result<Vec<PathBuf>, Failure> {
    let launchers = places(directory, languages)?;
    fs::create_dir_all(directory).map_err(|error| Failure::io("create", directory, error))?;
    let this = this_command().map_err(|error| Failure::io("find", "pcl", error))?;
    for launcher in &launchers {
        remove_one(launcher)?;
        link(&this, launcher).map_err(|error| Failure::io("write", launcher, error))?;
    }
    Ok(launchers)
}

/// Removes the launchers of some languages, and returns the paths of those that were there.
///
/// # Errors
/// Returns an error if another program has the name of one, or if one cannot be removed.
pub(super) fn remove(directory: &Path, languages: &[Language]) -> Result<Vec<PathBuf>, Failure> {
    let mut removed = Vec::new();
    for launcher in places(directory, languages)? {
        if remove_one(&launcher)? {
            removed.push(launcher);
        }
    }
    Ok(removed)
}

/// The files of launchers, none of which is anything else.
fn places(directory: &Path, languages: &[Language]) -> Result<Vec<PathBuf>, Failure> {
    let launchers: Vec<PathBuf> =
        languages.iter().map(|&language| place(directory, language)).collect();
    for launcher in &launchers {
        match launcher.symlink_metadata() {
            Ok(_) if !is_launcher(launcher) => {
                return Err(Failure::usage(format!(
                    "`{}` is not a launcher of `pcl`; choose another directory",
                    launcher.display()
                )));
            }
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(Failure::io("read", launcher, error)),
        }
    }
    Ok(launchers)
}

fn remove_one(launcher: &Path) -> Result<bool, Failure> {
    match fs::remove_file(launcher) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(Failure::io("remove", launcher, error)),
    }
}

/// The path of this command: the one by which it is found on the PATH, which an update keeps, or
/// where it is.
fn this_command() -> io::Result<PathBuf> {
    let this = std::env::current_exe()?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = pcl_system::program_on_path(&path, "pcl");
    let same = found.filter(|found| {
        let resolved = |path: &Path| pcl_system::real_path(path).ok();
        resolved(found).is_some() && resolved(found) == resolved(&this)
    });
    Ok(same.unwrap_or(this))
}

/// Makes a launcher. It is a link, so that it starts the command as updates leave it.
#[cfg(unix)]
fn link(this: &Path, launcher: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(this, launcher)
}

/// Makes a launcher. Links need rights there that few have, so it is a copy.
#[cfg(windows)]
fn link(this: &Path, launcher: &Path) -> io::Result<()> {
    fs::copy(this, launcher).map(drop)
}

/// Returns true if a file was made by [`link`], also by a `pcl` that is no longer there.
#[cfg(unix)]
pub(super) fn is_launcher(file: &Path) -> bool {
    fs::read_link(file).is_ok_and(|target| target.file_name().is_some_and(|name| name == "pcl"))
}

/// Returns true if a file is a copy of this command.
#[cfg(windows)]
pub(super) fn is_launcher(file: &Path) -> bool {
    let Ok(this) = std::env::current_exe() else { return false };
    matches!((fs::read(file), fs::read(this)), (Ok(file), Ok(this)) if file == this)
}
