//! Packages from Python's registry, which tests install into environments of their own.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::root;

/// Makes an environment at `place` with the packages of a list, a path from the root, unless it is
/// there. Dependencies that are not listed are not installed. Returns the directory of its
/// programs.
///
/// # Errors
/// Returns the complaint of the step that failed.
pub fn environment(place: &Path, list: &str) -> Result<PathBuf, String> {
    let programs = place.join("bin");
    // Written last, it marks the environment as complete.
    let complete = place.join("complete");
    let list = root().join(list);
    let wanted = std::fs::read_to_string(&list).expect("the list is there");
    if std::fs::read_to_string(&complete).is_ok_and(|installed| installed == wanted) {
        return Ok(programs);
    }
    step(Command::new("python3").args(["-m", "venv", "--clear"]).arg(place))?;
    let install = ["install", "--quiet", "--disable-pip-version-check", "--no-deps"];
    step(
        Command::new(programs.join("python"))
            .args(["-m", "pip"])
            .args(install)
            .arg("-r")
            .arg(&list),
    )?;
    std::fs::write(complete, wanted).map_err(|error| error.to_string())?;
    Ok(programs)
}

fn step(command: &mut Command) -> Result<(), String> {
    match command.output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr))),
        Err(error) => Err(format!("{command:?}: {error}")),
    }
}
