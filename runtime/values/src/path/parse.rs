//! Reading property paths.

use super::Key;
use crate::error::PathError;

/// The steps of a path. Every text between dots and brackets is a name, and a quote in a quoted
/// name is written `\"`; no other character has a meaning.
pub fn parse(text: &str, is_strict: bool) -> Result<Vec<Key>, PathError> {
    if text.starts_with('.') {
        return Err(PathError::Start);
    }
    let mut keys = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('.') {
            match after.as_bytes().first() {
                None => return Err(PathError::End),
                Some(b'[') if is_strict => return Err(PathError::DotBracket),
                Some(_) => rest = after,
            }
        } else if let Some(after) = rest.strip_prefix("[\"") {
            let (name, after) = quoted(after)?;
            keys.push(Key::Name(name));
            rest = after.strip_prefix(']').ok_or(PathError::OpenName)?;
        } else if let Some(after) = rest.strip_prefix('[') {
            let (index, after) = after.split_once(']').ok_or(PathError::OpenIndex)?;
            keys.push(match index {
                "*" => Key::from("*"),
                _ => {
                    let invalid = |_| PathError::Index(index.to_owned());
                    Key::Index(index.parse().map_err(invalid)?)
                }
            });
            rest = after;
        } else {
            let end = rest.find(['.', '[']).unwrap_or(rest.len());
            let (name, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
            keys.push(Key::from(name));
            rest = after;
        }
    }
    Ok(keys)
}

/// A name up to its quote, and what follows that.
fn quoted(text: &str) -> Result<(String, &str), PathError> {
    let mut name = String::new();
    let mut rest = text;
    loop {
        let (before, after) = rest.split_once('"').ok_or(PathError::OpenQuote)?;
        match before.strip_suffix('\\') {
            Some(before) => {
                name.push_str(before);
                name.push('"');
                rest = after;
            }
            None => {
                name.push_str(before);
                return Ok((name, after));
            }
        }
    }
}
