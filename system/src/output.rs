//! Files that a command writes beside its work, such as reports.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Seek as _, Write};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, SpooledTempFile};

use crate::paths::real_path;
use crate::write::twin;
use crate::write::{directory_of, new_draft};

/// The number of bytes that are kept in memory. Longer content is kept in a file without a name.
const IN_MEMORY: usize = 1 << 20;

/// A file whose content appears at once, when it is complete. Until then it is left as it is, and
/// nothing is left behind if the process ends. Devices and pipes are written as the content comes.
#[derive(Debug)]
pub struct OutputFile {
    place: PathBuf,
    content: Content,
}

#[derive(Debug)]
enum Content {
    /// The content of a file, not written yet.
    Kept(SpooledTempFile),
    /// A device or a pipe.
    Passed(BufWriter<File>),
}

impl OutputFile {
    /// A file at `place` for new content.
    ///
    /// # Errors
    /// Returns an error if it cannot be written: the directory does not exist, or there is no
    /// permission to write the file or to create it.
    pub fn create(place: &Path) -> io::Result<Self> {
        let kept = || Content::Kept(SpooledTempFile::new(IN_MEMORY));
        let content = match place.metadata() {
            Ok(metadata) if metadata.is_file() && !place.starts_with("/dev") => {
                OpenOptions::new().write(true).open(place)?;
                kept()
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                directory_of(place).metadata()?;
                new_draft(place).map_err(plain)?;
                kept()
            }
            // Windows knows nothing about its devices, such as `NUL`, but opens them.
            Ok(_) | Err(_) => {
                // `/dev/stdout` may be a file, in which there is something already.
                let device = OpenOptions::new().append(true).open(place)?;
                Content::Passed(BufWriter::new(device))
            }
        };
        Ok(Self { place: place.to_path_buf(), content })
    }

    /// Puts the complete content in its place. A file that can be replaced is replaced atomically;
    /// one with several names, or in a directory without write permission, is written in place.
    ///
    /// # Errors
    /// Returns an error if the content cannot be written.
    pub fn commit(self) -> io::Result<()> {
        let mut content = match self.content {
            Content::Kept(content) => content,
            Content::Passed(mut device) => return device.flush(),
        };
        content.rewind()?;
        // A link stays a link.
        let place = real_path(&self.place).unwrap_or(self.place);
        let draft = draft_for(&place).map_err(plain)?;
        match draft {
            Some(mut draft) => {
                io::copy(&mut content, &mut draft)?;
                draft.persist(&place)?;
            }
            None => {
                io::copy(&mut content, &mut File::create(&place)?)?;
            }
        }
        Ok(())
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.content {
            Content::Kept(content) => content.write(bytes),
            Content::Passed(device) => device.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.content {
            Content::Kept(content) => content.flush(),
            Content::Passed(device) => device.flush(),
        }
    }
}

/// An empty file that can take the place of the file at `place`; `None` if renaming would lose
/// something.
fn draft_for(place: &Path) -> io::Result<Option<NamedTempFile>> {
    match OpenOptions::new().write(true).open(place) {
        Ok(file) => Ok(twin(place, &file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => new_draft(place).map(Some),
        Err(error) => Err(error),
    }
}

/// The error without the name of the draft.
fn plain(error: io::Error) -> io::Error {
    error.kind().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn write(place: &Path, content: &str) -> io::Result<()> {
        let mut file = OutputFile::create(place)?;
        file.write_all(content.as_bytes())?;
        file.commit()
    }

    #[test]
    fn content_appears_when_it_is_complete() {
        let directory = tempfile::tempdir().unwrap();
        let place = directory.path().join("report.json");
        let mut file = OutputFile::create(&place).unwrap();
        file.write_all(b"half").unwrap();
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
        drop(file);
        assert!(!place.exists());

        let long = "x".repeat(2 * IN_MEMORY);
        for content in ["new", &long, "shorter"] {
            write(&place, content).unwrap();
            assert_eq!(fs::read_to_string(&place).unwrap(), content);
        }
        let mut file = OutputFile::create(&place).unwrap();
        file.write_all(b"half").unwrap();
        drop(file);
        assert_eq!(fs::read_to_string(&place).unwrap(), "shorter");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_cannot_be_written_is_known_at_once() {
        let directory = tempfile::tempdir().unwrap();
        let gone = directory.path().join("no/such/report");
        let error = OutputFile::create(&gone).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert!(!error.to_string().contains(".pcl-"), "{error}");
        assert!(OutputFile::create(directory.path()).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_and_modes_are_kept() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let directory = tempfile::tempdir().unwrap();
        let [place, link, second] =
            ["report", "link", "second"].map(|name| directory.path().join(name));
        write(&place, "one").unwrap();
        let umask = fs::File::create(directory.path().join("other")).unwrap();
        let usual = umask.metadata().unwrap().permissions().mode();
        assert_eq!(place.metadata().unwrap().permissions().mode(), usual);

        fs::set_permissions(&place, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&place, &link).unwrap();
        write(&link, "two").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&place).unwrap(), "two");
        assert_eq!(place.metadata().unwrap().permissions().mode() & 0o777, 0o640);

        fs::hard_link(&place, &second).unwrap();
        write(&place, "3").unwrap();
        assert_eq!(fs::read_to_string(&second).unwrap(), "3");

        let dangling = directory.path().join("dangling");
        symlink(directory.path().join("target"), &dangling).unwrap();
        write(&dangling, "new").unwrap();
        assert_eq!(fs::read_to_string(&dangling).unwrap(), "new");
    }
}
