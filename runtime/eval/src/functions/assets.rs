//! `fileAsset`, `stringAsset`, `remoteAsset`, `fileArchive`, `remoteArchive`, `assetArchive`.

use std::collections::BTreeMap;
use std::io::ErrorKind;

use pcl_values::{
    Archive, ArchiveSource, Asset, AssetSource, ContentError, ContentErrorKind, Member,
};

use super::site::{Site, fields, name};
use crate::messages::functions;
use crate::stop::Stop;
use crate::value::{Kind, Value};

pub(super) fn string_asset(_: &Site<'_>, arguments: &[Value]) -> Result<Value, Stop> {
    Ok(match arguments.first().map(|text| &text.kind) {
        Some(Kind::String(text)) => Asset::text(text.clone()).into(),
        _ => Value::NULL,
    })
}

pub(super) fn file_asset(site: &Site<'_>, arguments: &[Value]) -> Result<Value, Stop> {
    read(site, arguments, |path| {
        Asset::file(path, &*site.run.contents)
    })
}

pub(super) fn remote_asset(site: &Site<'_>, arguments: &[Value]) -> Result<Value, Stop> {
    read(site, arguments, |uri| {
        let read = Asset::remote(uri, &*site.run.contents);
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
        Err(ContentError {
            kind: ContentErrorKind::Io(error),
            ..
        }) if error.kind() == ErrorKind::Unsupported => Ok(without_hash()),
        read => read,
    }
}

pub(super) fn file_archive(site: &Site<'_>, arguments: &[Value]) -> Result<Value, Stop> {
    read(site, arguments, |path| {
        Archive::file(path, &*site.run.contents)
    })
}

pub(super) fn remote_archive(site: &Site<'_>, arguments: &[Value]) -> Result<Value, Stop> {
    read(site, arguments, |uri| {
        let read = Archive::remote(uri, &*site.run.contents);
        unless_offline(read, || Archive {
            hash: String::new(),
            source: ArchiveSource::Uri(uri.to_owned()),
        })
    })
}

fn read<T: Into<Value>>(
    site: &Site<'_>,
    arguments: &[Value],
    read: impl FnOnce(&str) -> Result<T, ContentError>,
) -> Result<Value, Stop> {
    let Some(place) = arguments.first() else {
        return Ok(Value::NULL);
    };
    let span = site.argument(0);
    match read(name(place, span)?) {
        Ok(made) => Ok(made.into()),
        Err(error) => Err(functions::no_content(span, site.name, &error).into()),
    }
}

pub(super) fn asset_archive(site: &Site<'_>, arguments: &[Value]) -> Result<Value, Stop> {
    let Some(value) = arguments.first() else {
        return Ok(Value::NULL);
    };
    let span = site.argument(0);
    let expected = "a map of assets and archives";
    let Some(object) = fields(site.run, value, span)? else {
        return Err(functions::wrong_argument(span, site.name, value, expected).into());
    };
    let mut members = BTreeMap::new();
    for (name, value) in object.iter() {
        let member = match &value.kind {
            Kind::Asset(asset) => Member::Asset(asset.as_ref().clone()),
            Kind::Archive(archive) => Member::Archive(archive.as_ref().clone()),
            Kind::Unknown => return Ok(Value::UNKNOWN),
            _ => {
                let expected = "assets and archives";
                return Err(functions::wrong_argument(span, site.name, value, expected).into());
            }
        };
        members.insert(name.to_string(), member);
    }
    let source = members.clone();
    let read = Archive::of(members, &*site.run.contents);
    let read = unless_offline(read, || Archive {
        hash: String::new(),
        source: ArchiveSource::Members(source),
    });
    match read {
        Ok(archive) => Ok(archive.into()),
        Err(error) => Err(functions::no_content(span, site.name, &error).into()),
    }
}
