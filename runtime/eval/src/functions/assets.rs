//! Files and texts as inputs of resources.
//!
//! The rules, with examples: `tests/spec/functions/assets.md`.

use std::collections::BTreeMap;
use std::io::ErrorKind;

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_values::{
    Archive, ArchiveSource, Asset, AssetSource, ContentError, ContentErrorKind, Contents, Member,
};

use super::reading::Reading;
use super::site::{Site, fields, name};
use crate::shown::Shown;
use crate::stop::Stop;
use crate::value::{Kind, Value};
use crate::wording;

pub(super) fn string_asset(_: &Site<'_>, arguments: &[Value]) -> Result<Value, Stop> {
    Ok(match arguments.first().map(|text| &text.kind) {
        Some(Kind::String(text)) => Asset::text(text.clone()).into(),
        _ => Value::NULL,
    })
}

pub(super) fn file_asset(site: &Site<'_>, arguments: &[Value]) -> Result<Value, Stop> {
    read(site, arguments, Asset::file)
}

pub(super) fn remote_asset(site: &Site<'_>, arguments: &[Value]) -> Result<Value, Stop> {
    read(site, arguments, |uri, files| {
        let read = Asset::remote(uri, files);
        unless_offline(read, || Asset {
            hash: String::new(),
            source: AssetSource::Uri(uri.to_owned()),
        })
    })
}

/// Remote content that is not fetched here has no hash yet: the engine fetches it.
fn unless_offline<T>(
    read: Result<T, ContentError>,
    without_hash: impl FnOnce() -> T,
) -> Result<T, ContentError> {
    match read {
        Err(ContentError { kind: ContentErrorKind::Io(error), .. })
            if error.kind() == ErrorKind::Unsupported =>
        {
            Ok(without_hash())
        }
        read => read,
    }
}

pub(super) fn file_archive(site: &Site<'_>, arguments: &[Value]) -> Result<Value, Stop> {
    read(site, arguments, Archive::file)
}

pub(super) fn remote_archive(site: &Site<'_>, arguments: &[Value]) -> Result<Value, Stop> {
    read(site, arguments, |uri, files| {
        let read = Archive::remote(uri, files);
        unless_offline(read, || Archive {
            hash: String::new(),
            source: ArchiveSource::Uri(uri.to_owned()),
        })
    })
}

fn read<T: Into<Value>>(
    site: &Site<'_>,
    arguments: &[Value],
    read: impl FnOnce(&str, &dyn Contents) -> Result<T, ContentError>,
) -> Result<Value, Stop> {
    let Some(place) = arguments.first() else {
        return Ok(Value::NULL);
    };
    let span = site.argument(0);
    let files = Reading::of(site, place);
    let read = read(name(place, span)?, &files);
    finished(site, files, read)
}

/// The asset or archive, or the reason why there is none.
fn finished<T: Into<Value>>(
    site: &Site<'_>,
    files: Reading<'_>,
    read: Result<T, ContentError>,
) -> Result<Value, Stop> {
    if read.as_ref().is_err_and(ContentError::is_not_read) {
        return Ok(Value::UNKNOWN);
    }
    let read = read.map_err(|error| {
        let place = files.shown(&error.place);
        no_content(site.argument(0), site.name, &place, &error.kind)
    });
    files.finish()?;
    Ok(read?.into())
}

pub(super) fn asset_archive(site: &Site<'_>, arguments: &[Value]) -> Result<Value, Stop> {
    let Some(whole) = arguments.first() else {
        return Ok(Value::NULL);
    };
    let span = site.argument(0);
    let expected = "a map of assets and archives";
    let Some(object) = fields(site.run, whole, span)? else {
        return Err(site.wrong_argument(span, whole, expected));
    };
    let mut members = BTreeMap::new();
    for (name, value) in object.iter() {
        let member = match &value.kind {
            Kind::Asset(asset) => Member::Asset(asset.as_ref().clone()),
            Kind::Archive(archive) => Member::Archive(archive.as_ref().clone()),
            Kind::Unknown => return Ok(Value::UNKNOWN),
            _ => {
                let expected = "assets and archives";
                let found = Shown::of(value, &whole.marks);
                return Err(wording::wrong_argument(span, site.name, &found, expected).into());
            }
        };
        members.insert(name.to_string(), member);
    }
    let source = members.clone();
    let files = Reading::of(site, whole);
    let read = Archive::of(members, &files);
    let read = unless_offline(read, || Archive {
        hash: String::new(),
        source: ArchiveSource::Members(source),
    });
    finished(site, files, read)
}

/// An asset or archive whose content cannot be read.
fn no_content(span: Span, name: &str, place: &Shown, error: &ContentErrorKind) -> Diagnostic {
    let message = format!("`{name}` cannot read {}", place.or("a secret path"));
    Diagnostic::error(Code::UnreadableContent, span, message)
        .note(error.to_string())
        .help("relative paths begin at the directory of the program")
}
