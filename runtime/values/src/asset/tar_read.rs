//! The members of a tar archive.
//!
//! The crate `tar` (0.4) is no substitute: it refuses archives in which a number is left blank,
//! which Pulumi reads, and takes as much memory for a name as the archive says.

use std::io::Read;

use super::contents::{Content, clean};
use crate::error::ContentErrorKind;

const BLOCK: u64 = 512;

/// The longest name or extended header.
const LONG: u64 = 1 << 20;

/// Passes each file of a tar stream to a function, with its name.
pub fn read<E: From<ContentErrorKind>>(
    mut stream: impl Read,
    mut member: impl FnMut(&str, Content<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let mut long_name = None;
    let mut long_size = None;
    loop {
        let Some(header) = block(&mut stream)? else { return Ok(()) };
        if header.iter().all(|&byte| byte == 0) {
            return Ok(());
        }
        check_sum(&header)?;
        let kind = field(&header, 156, 1).first().copied().unwrap_or(0);
        let size = number(field(&header, 124, 12))?;
        let size = match kind {
            b'x' | b'g' | b'L' | b'K' => size,
            _ => long_size.take().unwrap_or(size),
        };
        match kind {
            b'x' => {
                let text = text(&mut stream, size)?;
                for (key, value) in records(&text)? {
                    match key {
                        "path" => long_name = Some(value.to_owned()),
                        "size" => {
                            let invalid = ContentErrorKind::Malformed("a size is no number");
                            long_size = Some(value.parse().map_err(|_| invalid)?);
                        }
                        _ => {}
                    }
                }
            }
            b'L' => {
                let text = text(&mut stream, size)?;
                long_name = Some(text.trim_end_matches('\0').to_owned());
            }
            b'g' | b'K' => {
                text(&mut stream, size)?;
            }
            _ => {
                let name = match long_name.take() {
                    Some(name) => name,
                    None => short_name(&header)?,
                };
                let is_directory = kind == b'5' || kind == 0 && name.ends_with('/');
                let mut rest = stream.by_ref().take(size);
                if !is_directory {
                    if !matches!(kind, b'0' | 0) {
                        let reason = "an entry is neither a file nor a directory";
                        return Err(ContentErrorKind::Malformed(reason).into());
                    }
                    let reader = Box::new(&mut rest);
                    member(&clean(&name), Content { size, reader })?;
                }
                // The function may have left some of the content.
                let left = rest.limit();
                skip(&mut stream, left)?;
                skip(&mut stream, padding(size))?;
            }
        }
    }
}

/// The next block; `None` at the end.
fn block(stream: &mut impl Read) -> Result<Option<[u8; BLOCK as usize]>, ContentErrorKind> {
    let mut bytes = Vec::with_capacity(BLOCK as usize);
    stream.by_ref().take(BLOCK).read_to_end(&mut bytes)?;
    match <[u8; BLOCK as usize]>::try_from(bytes) {
        Ok(block) => Ok(Some(block)),
        Err(bytes) if bytes.is_empty() => Ok(None),
        Err(_) => Err(ContentErrorKind::Malformed("it is cut off")),
    }
}

fn field(header: &[u8], start: usize, length: usize) -> &[u8] {
    header.get(start..start + length).unwrap_or_default()
}

/// The text of a field up to its first zero byte.
fn field_text(header: &[u8], start: usize, length: usize) -> Result<&str, ContentErrorKind> {
    let field = field(header, start, length);
    let end = field.iter().position(|&byte| byte == 0);
    let text = field.get(..end.unwrap_or(length)).unwrap_or_default();
    let invalid = ContentErrorKind::Malformed("a name is not UTF-8");
    std::str::from_utf8(text).map_err(|_| invalid)
}

fn short_name(header: &[u8]) -> Result<String, ContentErrorKind> {
    let name = field_text(header, 0, 100)?;
    let is_ustar = field(header, 257, 6) == b"ustar\0";
    let prefix = if is_ustar { field_text(header, 345, 155)? } else { "" };
    Ok(match prefix {
        "" => name.to_owned(),
        _ => format!("{prefix}/{name}"),
    })
}

/// A number in octal digits or, if the first bit is set, in bytes.
fn number(field: &[u8]) -> Result<u64, ContentErrorKind> {
    let invalid = ContentErrorKind::Malformed("a field is no number");
    if let [first, rest @ ..] = field
        && first & 0x80 != 0
    {
        let (high, low) = rest.split_at_checked(rest.len().saturating_sub(8)).unwrap_or_default();
        if first & 0x7f != 0 || high.iter().any(|&byte| byte != 0) {
            return Err(invalid);
        }
        return Ok(low.iter().fold(0, |sum, &byte| sum << 8 | u64::from(byte)));
    }
    let text = std::str::from_utf8(field).unwrap_or("?");
    match text.trim_matches(['\0', ' ']) {
        "" => Ok(0),
        digits => u64::from_str_radix(digits, 8).map_err(|_| invalid),
    }
}

fn check_sum(header: &[u8]) -> Result<(), ContentErrorKind> {
    let stated = number(field(header, 148, 8))?;
    let count = |(place, &byte): (usize, &u8)| {
        if (148..156).contains(&place) { u64::from(b' ') } else { u64::from(byte) }
    };
    let sum: u64 = header.iter().enumerate().map(count).sum();
    if sum == stated { Ok(()) } else { Err(ContentErrorKind::Malformed("a checksum is wrong")) }
}

/// The content of a special entry.
fn text(stream: &mut impl Read, size: u64) -> Result<String, ContentErrorKind> {
    if size > LONG {
        return Err(ContentErrorKind::Malformed("a name is too long"));
    }
    let mut bytes = Vec::new();
    stream.by_ref().take(size).read_to_end(&mut bytes)?;
    skip(stream, padding(size))?;
    let invalid = ContentErrorKind::Malformed("a name is not UTF-8");
    String::from_utf8(bytes).map_err(|_| invalid)
}

/// The bytes that fill the last block of a content.
fn padding(size: u64) -> u64 {
    (BLOCK - size % BLOCK) % BLOCK
}

fn skip(stream: &mut impl Read, size: u64) -> Result<(), ContentErrorKind> {
    std::io::copy(&mut stream.by_ref().take(size), &mut std::io::sink())?;
    Ok(())
}

/// The records of an extended header: a length, a key and a value.
fn records(mut text: &str) -> Result<Vec<(&str, &str)>, ContentErrorKind> {
    let mut found = Vec::new();
    while !text.is_empty() {
        let invalid = ContentErrorKind::Malformed("a record of a header is not valid");
        let parts = || {
            let (length, _) = text.split_once(' ')?;
            let (record, rest) = text.split_at_checked(length.parse().ok()?)?;
            let (_, pair) = record.strip_suffix('\n')?.split_once(' ')?;
            Some((pair.split_once('=')?, rest))
        };
        let (pair, rest) = parts().ok_or(invalid)?;
        found.push(pair);
        text = rest;
    }
    Ok(found)
}
