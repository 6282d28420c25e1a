//! The tar stream whose hash is that of a directory or of members.

use std::collections::HashSet;
use std::io::Read;

use sha2::{Digest, Sha256};

use super::contents::Content;
use crate::error::{ContentError, ContentErrorKind};

/// The size of a block; headers and padded contents are blocks.
const BLOCK: usize = 512;

/// The longest name in a header, and the longest prefix in front of it.
const NAME: usize = 100;
const PREFIX: usize = 155;

/// The most members of an archive.
const MEMBERS: usize = 1 << 20;

/// The size from which on the header cannot state it.
const SIZE: u64 = 1 << 33;

/// A tar stream that is hashed while it is written. All members have the mode 0600, the time 0, and
/// no owner.
pub struct TarHash {
    hash: Sha256,
    names: HashSet<String>,
    /// The bytes that may still come.
    left: u64,
}

impl TarHash {
    /// An empty stream that takes this many bytes of content.
    pub fn new(limit: u64) -> Self {
        Self { hash: Sha256::new(), names: HashSet::new(), left: limit }
    }

    /// The hash of the stream.
    pub fn finish(mut self) -> String {
        self.hash.update([0; 2 * BLOCK]);
        super::hash::hexadecimal(self.hash)
    }

    /// The bytes that may still come.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Adds a member, unless there is one of this name.
    pub fn add(&mut self, name: &str, mut content: Content<'_>) -> Result<(), ContentError> {
        if self.names.contains(name) {
            return Ok(());
        }
        if self.names.len() >= MEMBERS {
            return Err(ContentErrorKind::TooLarge("too many members").at(name));
        }
        self.names.insert(name.to_owned());
        self.left = match self.left.checked_sub(content.size) {
            Some(left) if content.size < SIZE => left,
            _ => return Err(ContentErrorKind::TooLarge("too many bytes").at(name)),
        };
        // A name that ends like a directory makes the member one, which has no content.
        let kind = if name.ends_with('/') { b'5' } else { b'0' };
        if name.contains('\0') || kind == b'5' && content.size > 0 {
            return Err(ContentErrorKind::Name.at(name));
        }
        self.write_headers(name, kind, content.size);
        let mut buffer = vec![0; 1 << 16];
        let mut left = content.size;
        loop {
            let read = content.reader.read(&mut buffer);
            let read = read.map_err(|error| ContentErrorKind::Io(error).at(name))?;
            let fresh = buffer.get(..read).unwrap_or_default();
            left = match left.checked_sub(read as u64) {
                Some(left) if read > 0 || left == 0 => left,
                _ => return Err(ContentErrorKind::Malformed("its size changed").at(name)),
            };
            self.hash.update(fresh);
            if read == 0 {
                break;
            }
        }
        self.pad(content.size);
        Ok(())
    }

    /// Fills the last block.
    fn pad(&mut self, size: u64) {
        let rest = (size % BLOCK as u64) as usize;
        if rest > 0 {
            self.hash.update(vec![0; BLOCK - rest]);
        }
    }

    /// Writes the header of a member, after one for a name that does not fit into it.
    fn write_headers(&mut self, name: &str, kind: u8, size: u64) {
        if name.is_ascii() && name.len() <= NAME {
            return self.hash.update(header(name, "", kind, size, 0o600, false));
        }
        if let Some((prefix, rest)) = split(name) {
            return self.hash.update(header(rest, prefix, kind, size, 0o600, false));
        }
        let record = record("path", name);
        let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
        let folder = if name.starts_with('/') && folder.is_empty() { "/" } else { folder };
        let extended = super::contents::clean(&match folder {
            "" => format!("PaxHeaders.0/{file}"),
            _ => format!("{folder}/PaxHeaders.0/{file}"),
        });
        let extended = ascii(&extended);
        let cut = extended.get(..NAME).unwrap_or(&extended).trim_end_matches('/');
        let length = record.len() as u64;
        self.hash.update(header(cut, "", b'x', length, 0, true));
        self.hash.update(&record);
        self.pad(length);
        let short = ascii(name);
        let cut = short.get(..NAME).unwrap_or(&short);
        let cut = if short.len() > NAME { cut.trim_end_matches('/') } else { cut };
        self.hash.update(header(cut, "", kind, size, 0o600, false));
    }
}

/// The text without the characters that are not ASCII.
fn ascii(text: &str) -> String {
    text.chars().filter(char::is_ascii).collect()
}

/// A long name as prefix and rest, between which a `/` stands.
fn split(name: &str) -> Option<(&str, &str)> {
    if name.len() <= NAME || !name.is_ascii() {
        return None;
    }
    let length = match name.len() {
        length if length > PREFIX + 1 => PREFIX + 1,
        length if name.ends_with('/') => length - 1,
        length => length,
    };
    let place = name.get(..length)?.rfind('/')?;
    let (prefix, rest) = (name.get(..place)?, name.get(place + 1..)?);
    let fits = place > 0 && !rest.is_empty() && rest.len() <= NAME && prefix.len() <= PREFIX;
    fits.then_some((prefix, rest))
}

/// A record of an extended header, which begins with its own length.
fn record(key: &str, value: &str) -> Vec<u8> {
    let length = key.len() + value.len() + 3;
    let mut size = length + length.to_string().len();
    // The length may gain a digit from its own digits.
    size = length + size.to_string().len();
    format!("{size} {key}={value}\n").into_bytes()
}

/// A header. That of an extended header has no devices and no owner.
fn header(name: &str, prefix: &str, kind: u8, size: u64, mode: u32, is_extended: bool) -> Vec<u8> {
    let mut header = Vec::with_capacity(BLOCK);
    let mut field = |content: &[u8], length: usize| {
        let end = header.len() + length;
        header.extend_from_slice(content);
        header.resize(end, 0);
    };
    field(name.as_bytes(), NAME);
    field(format!("{mode:07o}").as_bytes(), 8);
    field(b"0000000", 8);
    field(b"0000000", 8);
    field(format!("{size:011o}").as_bytes(), 12);
    field(b"00000000000", 12);
    // The checksum counts as blanks while it is computed.
    field(b"        ", 8);
    field(&[kind], 1);
    field(b"", 100);
    field(b"ustar\x0000", 8);
    field(b"", 64);
    let device: &[u8] = if is_extended { b"" } else { b"0000000" };
    field(device, 8);
    field(device, 8);
    field(prefix.as_bytes(), PREFIX);
    header.resize(BLOCK, 0);
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    let sum = format!("{sum:06o}\0 ");
    let place = header.get_mut(148..156).into_iter().flatten();
    for (place, digit) in place.zip(sum.bytes()) {
        *place = digit;
    }
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_begins_with_its_length() {
        for length in 80..110 {
            let record = record("path", &"x".repeat(length));
            let text = String::from_utf8(record).unwrap();
            let (size, _) = text.split_once(' ').unwrap();
            assert_eq!(size.parse(), Ok(text.len()));
        }
    }

    #[test]
    fn long_names_are_split_at_a_folder() {
        let name = format!("{}/{}", "a".repeat(90), "b".repeat(90));
        assert_eq!(split(&name), Some((&*"a".repeat(90), &*"b".repeat(90))));
        assert_eq!(split(&"a".repeat(150)), None);
        assert_eq!(split("short/name"), None);
    }
}
