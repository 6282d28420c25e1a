//! Launchers: this command under the names of the language hosts that are part of Pulumi.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use pcl_convert::Language;
use pcl_system::{program_on_path, real_path};

use crate::status::Failure;

/// The file of the launcher for a language in a directory.
pub(super) fn place(directory: &Path, language: Language) -> PathBuf {
    let suffix = std::env::consts::EXE_SUFFIX;
    directory.join(format!("pulumi-language-{}{suffix}", language.runtime()))
}

/// Writes the launchers of some languages, and returns their paths. Launchers that are there are
/// replaced.
///
/// # Errors
/// Returns an error if another program has the name of one, and writes none then, or if one cannot
/// be written.
pub(super) fn write(directory: &Path, languages: &[Language]) -> Result<Vec<PathBuf>, Failure> {
    let launchers: Vec<PathBuf> =
        languages.iter().map(|&language| place(directory, language)).collect();
    let is_foreign = |file: &&PathBuf| file.symlink_metadata().is_ok() && !is_launcher(file);
    if let Some(file) = launchers.iter().find(is_foreign) {
        return Err(Failure::usage(format!(
            "`{}` is not a launcher of `pcl`; choose another directory",
            file.display()
        )));
    }
    fs::create_dir_all(directory).map_err(|error| Failure::io("create", directory, error))?;
    let this = this_command().map_err(|error| Failure::io("find", "pcl", error))?;
    for launcher in &launchers {
        let draft = launcher.with_extension(format!("{}.draft", std::process::id()));
        // Pulumi may start the old one at this moment.
        let written = link(&this, &draft).and_then(|()| fs::rename(&draft, launcher));
        written.and_then(|()| mark(launcher)).map_err(|error| {
            _ = fs::remove_file(&draft);
            Failure::io("write", launcher, error)
        })?;
    }
    Ok(launchers)
}

/// Removes a launcher. Returns false if there is none: a program of somebody else stays.
///
/// # Errors
/// Returns an error if it cannot be removed.
pub(super) fn remove(launcher: &Path) -> Result<bool, Failure> {
    if !is_launcher(launcher) {
        return Ok(false);
    }
    let failed = |error| Failure::io("remove", launcher, error);
    match fs::remove_file(launcher) {
        Ok(()) => unmark(launcher).map_err(failed).map(|()| true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(failed(error)),
    }
}

/// The path of this command: the one by which it is found on the PATH, which an update keeps, or
/// where it is.
fn this_command() -> io::Result<PathBuf> {
    let this = std::env::current_exe()?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = program_on_path(&path, "pcl");
    Ok(found.filter(|found| is_same(found, &this)).unwrap_or(this))
}

fn is_same(one: &Path, other: &Path) -> bool {
    let resolved = real_path(one).ok();
    resolved.is_some() && resolved == real_path(other).ok()
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

/// Returns true if a file is a launcher: a link to this command, or to a `pcl` of any version,
/// which may be gone.
#[cfg(unix)]
pub(super) fn is_launcher(file: &Path) -> bool {
    let Ok(target) = fs::read_link(file) else { return false };
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let is_named = name == "pcl" || name.starts_with("pcl-");
    is_named || std::env::current_exe().is_ok_and(|this| is_same(file, &this))
}

/// Returns true if a file is a launcher: a copy, which has a mark.
#[cfg(windows)]
pub(super) fn is_launcher(file: &Path) -> bool {
    mark_of(file).is_file()
}

#[cfg(windows)]
fn mark_of(launcher: &Path) -> PathBuf {
    launcher.with_extension("pcl-launcher")
}

/// Marks a launcher as such. A link says so by itself.
fn mark(_launcher: &Path) -> io::Result<()> {
    #[cfg(windows)]
    fs::write(mark_of(_launcher), "")?;
    Ok(())
}

/// Removes the mark of a launcher.
fn unmark(_launcher: &Path) -> io::Result<()> {
    #[cfg(windows)]
    fs::remove_file(mark_of(_launcher))?;
    Ok(())
}
