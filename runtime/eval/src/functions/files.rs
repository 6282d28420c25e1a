//! Contents of files.
//!
//! The rules, with examples: `tests/spec/functions/files.md`.

use std::io;
use std::io::Read as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_values::{Contents as _, Text};
use sha2::{Digest as _, Sha256};

use super::reading::Reading;
use super::site::{Site, name};
use crate::expression::template::MAX_TEXT;
use crate::shown::Shown;
use crate::stop::Stop;
use crate::value::Value;
use crate::wording;

pub(super) fn read_file(site: &Site<'_>, arguments: &[Value]) -> Result<Value, Stop> {
    let Some(content) = content(site, arguments)? else {
        return Ok(Value::UNKNOWN);
    };
    let content = Text::from(content);
    if content.unmarked().as_str().and_then(pcl_values::wire::reserved).is_some() {
        return Err(wording::reserved(site.span).into());
    }
    Ok(content.into())
}

pub(super) fn encoded(site: &Site<'_>, arguments: &[Value]) -> Result<Value, Stop> {
    let content = content(site, arguments)?;
    Ok(content.map_or(Value::UNKNOWN, |content| STANDARD.encode(content).into()))
}

pub(super) fn encoded_checksum(site: &Site<'_>, arguments: &[Value]) -> Result<Value, Stop> {
    let content = content(site, arguments)?;
    Ok(content.map_or(Value::UNKNOWN, |content| STANDARD.encode(Sha256::digest(content)).into()))
}

/// The bytes of the file that the first argument names; `None` if it is there and not read.
fn content(site: &Site<'_>, arguments: &[Value]) -> Result<Option<Vec<u8>>, Stop> {
    let Some(path) = arguments.first() else {
        return Ok(Some(Vec::new()));
    };
    let span = site.argument(0);
    let text = name(path, span)?;
    let files = Reading::of(site, path);
    let read = files.file(text).and_then(|file| {
        if file.size > MAX_TEXT as u64 {
            return Ok(None);
        }
        let mut bytes = Vec::with_capacity(file.size as usize);
        // A file may have grown.
        let read = file.reader.take(MAX_TEXT as u64 + 1).read_to_end(&mut bytes)?;
        Ok((read <= MAX_TEXT).then_some(bytes))
    });
    let shown = files.shown(&text.into());
    files.finish()?;
    match read {
        Ok(Some(bytes)) => Ok(Some(bytes)),
        Err(error) if error.kind() == pcl_values::NOT_READ => Ok(None),
        Ok(None) => Err(wording::text_too_long(span).into()),
        Err(error) => Err(unreadable_file(span, site.name, &shown, &error).into()),
    }
}

/// A file that cannot be read.
fn unreadable_file(span: Span, name: &str, path: &Shown, error: &io::Error) -> Diagnostic {
    let message = format!("`{name}` cannot read {}", path.or("a secret path"));
    Diagnostic::error(Code::UnreadableContent, span, message)
        .note(error.to_string())
        .help("relative paths begin at the directory of the program")
}
