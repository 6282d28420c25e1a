//! Reading files that may be anything.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Opens a regular file for reading.
///
/// # Errors
/// Returns an error if the file cannot be opened or is not a regular file: opening a FIFO would
/// block, reading a device may never end, and opening some devices has effects. A link that leads
/// nowhere is no absent file: its error is [`ErrorKind::InvalidInput`].
pub fn open(path: &Path) -> io::Result<File> {
    Ok(open_with_state(path)?.0)
}

/// Opens a regular file for reading, and gives its state at that time.
fn open_with_state(path: &Path) -> io::Result<(File, Metadata)> {
    open_with(path, OpenOptions::new().read(true)).map_err(|error| match is_dead_link(path) {
        true => io::Error::new(ErrorKind::InvalidInput, "it is a link that leads nowhere"),
        false => error,
    })
}

/// Returns true if a path is a link to something that does not exist.
#[must_use]
pub fn is_dead_link(path: &Path) -> bool {
    let is_absent = |error: io::Error| error.kind() == ErrorKind::NotFound;
    path.metadata().is_err_and(is_absent) && path.is_symlink()
}

/// The same with other options. The check before opening spares devices; the one after it is for a
/// path that was replaced in between, when only the flag keeps a FIFO from blocking.
pub(crate) fn open_with(path: &Path, options: &mut OpenOptions) -> io::Result<(File, Metadata)> {
    check_kind(&path.metadata()?)?;
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
        let flags = i32::try_from(flags.bits()).unwrap_or_default();
        std::os::unix::fs::OpenOptionsExt::custom_flags(options, flags);
    }
    let file = options.open(path)?;
    let metadata = file.metadata()?;
    check_kind(&metadata)?;
    Ok((file, metadata))
}

fn check_kind(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    let (kind, message) = match metadata.is_dir() {
        true => (ErrorKind::IsADirectory, "it is a directory, not a file"),
        false => (ErrorKind::InvalidInput, special(metadata)),
    };
    Err(io::Error::new(kind, message))
}

#[cfg(unix)]
fn special(metadata: &Metadata) -> &'static str {
    use std::os::unix::fs::FileTypeExt as _;
    let kind = metadata.file_type();
    if kind.is_fifo() {
        "it is a pipe, not a regular file"
    } else if kind.is_socket() {
        "it is a socket, not a regular file"
    } else {
        "it is a device, not a regular file"
    }
}

#[cfg(not(unix))]
fn special(_: &Metadata) -> &'static str {
    "it is not a regular file"
}

/// Reads a regular file of at most `limit` bytes into one buffer of its size.
///
/// # Errors
/// Returns the errors of [`open`]; [`ErrorKind::FileTooLarge`] for a file of more bytes, which is
/// not read; [`ErrorKind::OutOfMemory`] if there is no memory for it; and an error if the file
/// changed while it was read.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let (file, before) = open_with_state(path)?;
    let bytes = read_sized(&file, before.len(), limit)?;
    match is_same_state(&before, &file.metadata()?) {
        true => Ok(bytes),
        false => Err(io::Error::other("the file was changed while it was read")),
    }
}

/// Reads a stream, such as standard input, of at most `limit` bytes.
///
/// # Errors
/// Returns [`ErrorKind::FileTooLarge`] if there are more bytes, [`ErrorKind::OutOfMemory`] if there
/// is no memory for them, and the errors of the stream.
pub fn read_stream(stream: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    read_sized(stream, 0, limit)
}

fn read_sized(stream: impl Read, expected: u64, limit: u64) -> io::Result<Vec<u8>> {
    let too_large = || {
        let message = format!("it is larger than {}", size(limit));
        io::Error::new(ErrorKind::FileTooLarge, message)
    };
    if expected > limit {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    let room = usize::try_from(expected).map_err(|_| ErrorKind::OutOfMemory)?;
    bytes
        .try_reserve_exact(room)
        .map_err(|_| ErrorKind::OutOfMemory)?;
    stream
        .take(limit.saturating_add(1))
        .read_to_end(&mut bytes)?;
    match bytes.len() as u64 > limit {
        true => Err(too_large()),
        false => Ok(bytes),
    }
}

/// A number of bytes in the largest unit that divides it.
fn size(bytes: u64) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    let fits = |(shift, _): &&(u32, &str)| bytes != 0 && bytes.trailing_zeros() >= *shift;
    match units.iter().find(fits) {
        Some((shift, unit)) => format!("{} {unit}", bytes >> shift),
        None => format!("{bytes} bytes"),
    }
}

/// Returns true if a file did not change between two observations.
pub(crate) fn is_same_state(before: &Metadata, after: &Metadata) -> bool {
    let state = |metadata: &Metadata| (metadata.len(), metadata.modified().ok());
    state(before) == state(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_exact() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&file, "12345").unwrap();
        assert_eq!(read(file.path(), 5).unwrap(), b"12345");
        let error = read(file.path(), 4).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::FileTooLarge);
        assert_eq!(error.to_string(), "it is larger than 4 bytes");
        assert_eq!(read_stream(&b"12345"[..], 5).unwrap(), b"12345");
        let error = read_stream(io::repeat(0), 2 << 20).unwrap_err();
        assert_eq!(error.to_string(), "it is larger than 2 MiB");
    }

    #[test]
    fn a_buffer_has_the_size_of_its_file() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&file, vec![b'a'; 100_003]).unwrap();
        assert_eq!(read(file.path(), 1 << 20).unwrap().capacity(), 100_003);
    }

    #[test]
    fn only_regular_files_are_opened() {
        let directory = tempfile::tempdir().unwrap();
        let error = open(directory.path()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::IsADirectory);
        #[cfg(unix)]
        {
            let fifo = directory.path().join("fifo");
            let mode = rustix::fs::Mode::RWXU;
            rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, mode, 0)
                .unwrap();
            let error = open(&fifo).unwrap_err();
            assert_eq!(error.to_string(), "it is a pipe, not a regular file");
            let error = open(Path::new("/dev/zero")).unwrap_err();
            assert_eq!(error.to_string(), "it is a device, not a regular file");
            let link = directory.path().join("link");
            std::os::unix::fs::symlink("nowhere", &link).unwrap();
            let error = open(&link).unwrap_err();
            assert_eq!(error.to_string(), "it is a link that leads nowhere");
            let error = open(&directory.path().join("nowhere")).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::NotFound);
        }
    }
}
