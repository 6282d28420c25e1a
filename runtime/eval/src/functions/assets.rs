//! `fileAsset`, `stringAsset`, `remoteAsset`, `fileArchive`, `remoteArchive`, `assetArchive`.

use std::collections::BTreeMap;

use pcl_values::{Archive, Asset, ContentError, Member};

use super::call::{Site, fields, name};
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
    read(site, arguments, |path| Asset::file(path, &*site.run.contents))
}

pub(super) fn remote_asset(site: &Site<'_>, arguments: &[Value]) -> Result<Value, Stop> {
    read(site, arguments, |uri| Asset::remote(uri, &*site.run.contents))
}

pub(super) fn file_archive(site: &Site<'_>, arguments: &[Value]) -> Result<Value, Stop> {
    read(site, arguments, |path| Archive::file(path, &*site.run.contents))
}

pub(super) fn remote_archive(site: &Site<'_>, arguments: &[Value]) -> Result<Value, Stop> {
    read(site, arguments, |uri| Archive::remote(uri, &*site.run.contents))
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
        Err(error) => {
            let is_secret = place.marks.is_secret();
            Err(functions::no_content(span, site.name, &error, is_secret).into())
        }
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
    match Archive::of(members, &*site.run.contents) {
        Ok(archive) => Ok(archive.into()),
        Err(error) => {
            let is_secret = value.deep_marks().is_secret();
            Err(functions::no_content(span, site.name, &error, is_secret).into())
        }
    }
}
