//! The members of a zip archive.
//!
//! The crate `zip` (9.8) is no substitute: of two members of one name it knows the last, while the
//! hash is that of the first, and it takes memory for as many members as the archive says.

use std::io::Read;

use flate2::Crc;
use flate2::read::DeflateDecoder;

use super::contents::{Content, clean};
use crate::error::ContentErrorKind;

/// The signatures of the three records, and their sizes without names.
const LOCAL: (u32, usize) = (0x0403_4b50, 30);
const CENTRAL: (u32, usize) = (0x0201_4b50, 46);
const END: (u32, usize) = (0x0605_4b50, 22);

/// The most bytes of the comment behind the last record.
const COMMENT: usize = 0xffff;

/// Passes each file of a zip archive to a function, with its name. No content may have more bytes
/// than the limit.
pub fn read<E: From<ContentErrorKind>>(
    archive: &[u8],
    limit: u64,
    mut member: impl FnMut(&str, Content<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let (count, mut place) = directory(archive)?;
    for _ in 0..count {
        let entry = Entry::read(archive, place).ok_or(malformed("its directory is cut off"))?;
        place = entry.next;
        if entry.name.ends_with('/') {
            continue;
        }
        let content = entry.content(archive, limit)?;
        member(&clean(entry.name), Content::of(&content))?;
    }
    Ok(())
}

fn malformed(reason: &'static str) -> ContentErrorKind {
    ContentErrorKind::Malformed(reason)
}

/// The number of entries, and where the directory begins.
fn directory(archive: &[u8]) -> Result<(u16, usize), ContentErrorKind> {
    let first = archive.len().saturating_sub(END.1 + COMMENT);
    let mut places = (first..=archive.len().saturating_sub(END.1)).rev();
    let end = places.find(|&place| {
        u32_at(archive, place, 0) == Some(END.0)
            && u16_at(archive, place, 20)
                .is_some_and(|comment| place + END.1 + usize::from(comment) == archive.len())
    });
    let end = end.ok_or(malformed("it has no directory"))?;
    let count = u16_at(archive, end, 10);
    let start = u32_at(archive, end, 16);
    match (count, start) {
        (Some(0xffff), _) | (_, Some(0xffff_ffff)) => Err(malformed("it has the format zip64")),
        (Some(count), Some(start)) => Ok((count, start as usize)),
        _ => Err(malformed("its directory is cut off")),
    }
}

/// An entry of the directory.
struct Entry<'a> {
    name: &'a str,
    flags: u16,
    method: u16,
    sum: u32,
    packed: usize,
    size: u64,
    header: usize,
    /// The place of the next entry.
    next: usize,
}

impl<'a> Entry<'a> {
    fn read(archive: &'a [u8], place: usize) -> Option<Self> {
        if u32_at(archive, place, 0)? != CENTRAL.0 {
            return None;
        }
        let length = |at: usize| Some(usize::from(u16_at(archive, place, at)?));
        let (name, extra, comment) = (length(28)?, length(30)?, length(32)?);
        let start = place.checked_add(CENTRAL.1)?;
        let text = archive.get(start..start + name)?;
        Some(Self {
            name: std::str::from_utf8(text).ok()?,
            flags: u16_at(archive, place, 8)?,
            method: u16_at(archive, place, 10)?,
            sum: u32_at(archive, place, 16)?,
            packed: u32_at(archive, place, 20)? as usize,
            size: u64::from(u32_at(archive, place, 24)?),
            header: u32_at(archive, place, 42)? as usize,
            next: start.checked_add(name + extra + comment)?,
        })
    }

    /// The unpacked content.
    fn content(&self, archive: &[u8], limit: u64) -> Result<Vec<u8>, ContentErrorKind> {
        if self.flags & 1 != 0 {
            return Err(malformed("a member is encrypted"));
        }
        if self.size > limit {
            return Err(ContentErrorKind::TooLarge("too many bytes"));
        }
        let packed = self.packed(archive).ok_or(malformed("a member is cut off"))?;
        let mut content = Vec::new();
        // A byte more than stated shows that the size is wrong.
        match self.method {
            0 => content.extend_from_slice(packed),
            8 => {
                let mut unpacked = DeflateDecoder::new(packed).take(self.size + 1);
                unpacked.read_to_end(&mut content)?;
            }
            _ => return Err(malformed("a member is packed in an unknown way")),
        }
        let mut sum = Crc::new();
        sum.update(&content);
        if content.len() as u64 == self.size && sum.sum() == self.sum {
            Ok(content)
        } else {
            Err(malformed("a checksum is wrong"))
        }
    }

    fn packed(&self, archive: &'a [u8]) -> Option<&'a [u8]> {
        if u32_at(archive, self.header, 0)? != LOCAL.0 {
            return None;
        }
        let name = usize::from(u16_at(archive, self.header, 26)?);
        let extra = usize::from(u16_at(archive, self.header, 28)?);
        let start = self.header.checked_add(LOCAL.1 + name + extra)?;
        archive.get(start..start.checked_add(self.packed)?)
    }
}

fn u16_at(bytes: &[u8], place: usize, offset: usize) -> Option<u16> {
    let bytes = bytes.get(place.checked_add(offset)?..)?.first_chunk()?;
    Some(u16::from_le_bytes(*bytes))
}

fn u32_at(bytes: &[u8], place: usize, offset: usize) -> Option<u32> {
    let bytes = bytes.get(place.checked_add(offset)?..)?.first_chunk()?;
    Some(u32::from_le_bytes(*bytes))
}
