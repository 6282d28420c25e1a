//! The files in a folder or an archive, which is read where it is: nothing is unpacked to a disk.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek as _};
use std::path::Path;

use flate2::read::MultiGzDecoder;

/// The bytes of a tar archive up to the end of its mark.
const TAR_HEAD: usize = 262;

/// A folder, an archive, or a single file.
pub(super) enum Place {
    Folder,
    Zip(File),
    /// Its bytes, unpacked if it was packed.
    Tar(Box<dyn Read>),
    File,
}

impl Place {
    /// Opens a path. The content decides, so that the name of an archive does not matter.
    ///
    /// # Errors
    /// Returns an error if the path cannot be read.
    pub fn open(path: &Path) -> io::Result<Self> {
        if path.is_dir() {
            return Ok(Self::Folder);
        }
        let mut file = pcl_system::open(path)?;
        let head = head(&mut file)?;
        if head.starts_with(b"PK\x03\x04") {
            return Ok(Self::Zip(file));
        }
        if is_tar(&head) {
            return Ok(Self::Tar(Box::new(BufReader::new(file))));
        }
        // A broken stream is no archive: whoever reads the file reports it.
        let is_packed_tar =
            head.starts_with(b"\x1f\x8b") && unpacked_head(&file).is_ok_and(|head| is_tar(&head));
        if is_packed_tar {
            file.rewind()?;
            return Ok(Self::Tar(Box::new(MultiGzDecoder::new(BufReader::new(file)))));
        }
        Ok(Self::File)
    }

    /// Visits every regular file below a folder or in an archive with its relative path. Links are
    /// not followed, and the directories `.git` and `node_modules` are left out.
    ///
    /// # Errors
    /// Returns the first error of reading, or of `visit`.
    pub fn visit(
        self,
        path: &Path,
        visit: &mut dyn FnMut(&str, &mut dyn Read) -> io::Result<()>,
    ) -> io::Result<()> {
        match self {
            Self::Folder => visit_folder(path, "", visit),
            Self::Zip(file) => visit_zip(file, visit),
            Self::Tar(stream) => visit_tar(stream, visit),
            Self::File => Ok(()),
        }
    }
}

/// Reads the beginning of a file, and goes back.
fn head(file: &mut File) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    Read::by_ref(file).take(TAR_HEAD as u64).read_to_end(&mut head)?;
    file.rewind()?;
    Ok(head)
}

/// Reads what the beginning of a file unpacks to.
fn unpacked_head(file: &File) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    MultiGzDecoder::new(BufReader::new(file)).take(TAR_HEAD as u64).read_to_end(&mut head)?;
    Ok(head)
}

fn is_tar(head: &[u8]) -> bool {
    head.get(TAR_HEAD - 5..) == Some(b"ustar")
}

/// Returns true if a directory is searched: in these two are copies of files from elsewhere.
fn is_searched(directory: &str) -> bool {
    !matches!(directory, ".git" | "node_modules")
}

fn visit_folder(
    folder: &Path,
    shown: &str,
    visit: &mut dyn FnMut(&str, &mut dyn Read) -> io::Result<()>,
) -> io::Result<()> {
    let entries = std::fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    let mut entries: Vec<_> = entries.into_iter().map(|it| (it.file_name(), it)).collect();
    entries.sort_by(|(a, _), (b, _)| a.cmp(b));
    for (name, entry) in entries {
        let name = name.to_string_lossy();
        let shown = format!("{shown}{name}");
        let kind = entry.file_type()?;
        if kind.is_dir() && is_searched(&name) {
            visit_folder(&entry.path(), &format!("{shown}/"), visit)?;
        } else if kind.is_file() {
            visit(&shown, &mut Lazy { path: &entry.path(), file: None })?;
        }
    }
    Ok(())
}

/// A file that is opened on its first read: few of a folder are read.
struct Lazy<'p> {
    path: &'p Path,
    file: Option<File>,
}

impl Read for Lazy<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.file.is_none() {
            self.file = Some(pcl_system::open(self.path)?);
        }
        self.file.as_mut().map_or(Ok(0), |file| file.read(buffer))
    }
}

fn visit_zip(
    file: File,
    visit: &mut dyn FnMut(&str, &mut dyn Read) -> io::Result<()>,
) -> io::Result<()> {
    let mut archive = zip::ZipArchive::new(BufReader::new(file)).map_err(io::Error::other)?;
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(io::Error::other)?;
        let name = String::from_utf8_lossy(entry.name_raw()).replace('\\', "/");
        if entry.is_file() && name.split('/').all(is_searched) {
            visit(&name, &mut entry)?;
        }
    }
    Ok(())
}

fn visit_tar(
    stream: Box<dyn Read>,
    visit: &mut dyn FnMut(&str, &mut dyn Read) -> io::Result<()>,
) -> io::Result<()> {
    for entry in tar::Archive::new(stream).entries()? {
        let mut entry = entry?;
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        if entry.header().entry_type().is_file() && name.split('/').all(is_searched) {
            visit(&name, &mut entry)?;
        }
    }
    Ok(())
}
