//! Files and texts as inputs of resources.
//!
//! The rules, with examples: `tests/spec/functions/assets.md`.

use std::collections::BTreeMap;
use std::io::ErrorKind;

use pcl_values::{
    Archive, ArchiveSource, Asset, AssetSource, ContentError, ContentErrorKind, Contents, Member,
};

use super::files::{Reading, unreadable};
use super::site::Site;
use crate::stop::Stop;
use crate::value::{Kind, Value};
use crate::wording::{self, Shown};

pub(super) fn string_asset(site: &Site<'_>) -> Result<Value, Stop> {
    Ok(site.value(0).as_text().map_or(Value::NULL, |text| Asset::text(text.clone()).into()))
}

pub(super) fn file_asset(site: &Site<'_>) -> Result<Value, Stop> {
    read(site, Asset::file)
}

pub(super) fn remote_asset(site: &Site<'_>) -> Result<Value, Stop> {
    read(site, |uri, files| {
        let source = || AssetSource::Uri(uri.to_owned());
        let without_hash = || Asset { hash: String::new(), source: source() };
        unless_offline(Asset::remote(uri, files), without_hash)
    })
}

pub(super) fn file_archive(site: &Site<'_>) -> Result<Value, Stop> {
    read(site, Archive::file)
}

pub(super) fn remote_archive(site: &Site<'_>) -> Result<Value, Stop> {
    read(site, |uri, files| {
        let source = || ArchiveSource::Uri(uri.to_owned());
        let without_hash = || Archive { hash: String::new(), source: source() };
        unless_offline(Archive::remote(uri, files), without_hash)
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

fn read<T: Into<Value>>(
    site: &Site<'_>,
    read: impl FnOnce(&str, &dyn Contents) -> Result<T, ContentError>,
) -> Result<Value, Stop> {
    let place = site.text(0)?;
    let files = Reading::of(site);
    let read = read(place, &files);
    finished(files, read)
}

/// The asset or archive, or the reason why there is none.
fn finished<T: Into<Value>>(
    files: Reading<'_>,
    read: Result<T, ContentError>,
) -> Result<Value, Stop> {
    if read.as_ref().is_err_and(ContentError::is_not_read) {
        return Ok(Value::UNKNOWN);
    }
    let read = read.map_err(|error| {
        let place = files.shown(&error.place);
        unreadable(files.span, files.site.name, &place, &error.kind)
    });
    files.finish()?;
    Ok(read?.into())
}

pub(super) fn asset_archive(site: &Site<'_>) -> Result<Value, Stop> {
    let mut members = BTreeMap::new();
    for (name, value) in site.fields(0, "a map of assets and archives")?.iter() {
        let member = match &value.kind {
            Kind::Asset(asset) => Member::Asset(asset.as_ref().clone()),
            Kind::Archive(archive) => Member::Archive(archive.as_ref().clone()),
            Kind::Unknown => return Ok(Value::UNKNOWN),
            _ => {
                let expected = "assets and archives";
                let found = Shown::of(value, &site.value(0).marks);
                let place = site.place(0);
                return Err(wording::wrong_argument(place, site.name, &found, expected).into());
            }
        };
        members.insert(name.to_string(), member);
    }
    let source = ArchiveSource::Members(members.clone());
    let files = Reading::of(site);
    let read = Archive::of(members, &files);
    let read = unless_offline(read, || Archive { hash: String::new(), source });
    finished(files, read)
}
