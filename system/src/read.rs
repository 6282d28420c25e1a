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
    open_with(path, OpenOptions::new().read(true)).map_err(|error| {
        if is_dead_link(path) {
            io::Error::new(ErrorKind::InvalidInput, "it is a link that leads nowhere")
        } else {
            error
        }
    })
}

/// Returns true if a path is a link to something that does not exist.
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
    let (kind, message) = if metadata.is_dir() {
        (ErrorKind::IsADirectory, "it is a directory, not a file")
    } else {
        (ErrorKind::InvalidInput, special(metadata))
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
    if is_same_state(&before, &file.metadata()?) {
        Ok(bytes)
    } else {
        Err(io::Error::other("the file was changed while it was read"))
    }
}

/// Reads a range of bytes of an open file, whatever else reads it.
///
/// # Errors
/// Returns [`ErrorKind::UnexpectedEof`] if the file ends before; [`ErrorKind::OutOfMemory`] if
/// there is no memory for the bytes; and the errors of the system.
#[cfg(unix)]
pub fn read_at(file: &File, start: u64, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = with_room(length)?;
    while bytes.len() < length {
        let at = start + bytes.len() as u64;
        match rustix::io::pread(file, rustix::buffer::spare_capacity(&mut bytes), at) {
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    bytes.truncate(length);
    Ok(bytes)
}

/// The same elsewhere.
///
/// # Errors
/// Returns an error where the system cannot read at a place.
#[cfg(not(unix))]
pub fn read_at(file: &File, start: u64, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = with_room(length)?;
    bytes.resize(length, 0);
    let mut done = 0;
    while let Some(rest) = bytes.get_mut(done..).filter(|rest| !rest.is_empty()) {
        match read_some_at(file, rest, start + done as u64) {
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(read) => done += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(bytes)
}

/// Reads some bytes at a place of an open file, whatever else reads it; none at its end.
///
/// # Errors
/// Returns the errors of the system.
pub fn read_some_at(file: &File, into: &mut [u8], at: u64) -> io::Result<usize> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::read_at(file, into, at);
    #[cfg(windows)]
    return std::os::windows::fs::FileExt::seek_read(file, into, at);
    #[cfg(not(any(unix, windows)))]
    {
        let _ = (file, into, at);
        Err(ErrorKind::Unsupported.into())
    }
}

/// An empty buffer with room for so many bytes.
fn with_room(length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length).map_err(|_| ErrorKind::OutOfMemory)?;
    Ok(bytes)
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
    let room = usize::try_from(expected).map_err(|_| ErrorKind::OutOfMemory)?;
    let mut bytes = with_room(room)?;
    stream.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_large()) } else { Ok(bytes) }
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
