//! The packages from npm.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

/// The directory of the installed packages. A file that is written last marks it as complete.
pub fn node_modules() -> Result<PathBuf, String> {
    // Several tests ask at once, and npm empties the directory before it installs.
    static INSTALLING: Mutex<()> = Mutex::new(());
    let _only = INSTALLING.lock().unwrap_or_else(PoisonError::into_inner);
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mocks");
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mocks");
    let complete = place.join("complete");
    let list = fs::read_to_string(own.join("package-lock.json")).expect("the list is there");
    if fs::read_to_string(&complete).is_ok_and(|installed| installed == list) {
        return Ok(place.join("node_modules"));
    }
    fs::create_dir_all(&place).map_err(|error| error.to_string())?;
    for file in ["package.json", "package-lock.json"] {
        fs::copy(own.join(file), place.join(file)).map_err(|error| error.to_string())?;
    }
    let quiet = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
    let mut npm = Command::new("npm");
    match npm.args(quiet).current_dir(&place).output() {
        Ok(output) if output.status.success() => {}
        Ok(output) => {
            let errors = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(format!("npm cannot install Pulumi's SDK: {errors}"));
        }
        Err(error) => return Err(format!("npm does not start: {error}")),
    }
    fs::write(complete, list).map_err(|error| error.to_string())?;
    Ok(place.join("node_modules"))
}
