//! `pcl state ls` and `show` with `--output-format json`, whose shapes are published as
//! `docs/formats/state.schema.json`.

use std::borrow::Cow;

use pcl_state::json::Kind;
use pcl_state::{Keys, NeedKind, Resource, State};
use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::tree::each;
use super::values::fields;
use crate::render::json::FORMAT_VERSION;

#[derive(Serialize)]
struct Document<'s> {
    format_version: &'static str,
    version: Option<u32>,
    resources: Vec<Record<'s>>,
}

#[derive(Serialize)]
struct Single<'s> {
    format_version: &'static str,
    resource: Option<Details<'s>>,
}

#[derive(Serialize)]
struct Record<'s> {
    urn: Cow<'s, str>,
    #[serde(rename = "type")]
    kind: Cow<'s, str>,
    name: String,
    id: Option<Cow<'s, str>>,
    custom: bool,
    parent: Option<Cow<'s, str>>,
    provider: Option<Cow<'s, str>>,
    delete: bool,
    external: bool,
    protect: bool,
    depth: usize,
}

#[derive(Serialize)]
struct Details<'s> {
    urn: Cow<'s, str>,
    #[serde(rename = "type")]
    kind: Cow<'s, str>,
    name: String,
    id: Option<Cow<'s, str>>,
    custom: bool,
    needs: Vec<NeedRecord<'s>>,
    needed_by: Vec<Cow<'s, str>>,
    inputs: Map<String, Json>,
    outputs: Map<String, Json>,
    fields: Map<String, Json>,
}

#[derive(Serialize)]
struct NeedRecord<'s> {
    kind: &'static str,
    property: Option<Cow<'s, str>>,
    urn: Cow<'s, str>,
}

/// The resources of a state as one JSON document, in the order of [`tree_text`](super::tree_text).
/// A file that is not a state has no version and no resources.
#[must_use]
pub fn resources_json(state: Option<&State>) -> Vec<u8> {
    line(&Document {
        format_version: FORMAT_VERSION,
        version: state.map(State::version),
        resources: state.map(records).unwrap_or_default(),
    })
}

fn records(state: &State) -> Vec<Record<'_>> {
    let mut records = Vec::new();
    each(state, |resource, depth| {
        records.push(Record {
            urn: resource.urn(),
            kind: resource.kind(),
            name: resource.name(),
            id: resource.id(),
            custom: resource.is_custom(),
            parent: resource.parent(),
            provider: resource.text("provider"),
            delete: resource.is_deleted(),
            external: resource.flag("external"),
            protect: resource.flag("protect"),
            depth,
        });
    });
    records
}

/// A resource of a state as one JSON document; `null` for a file that is not a state. Secrets are
/// shown only with keys; values have the notation of [`eval::notation`](crate::eval::notation).
#[must_use]
pub fn resource_json(found: Option<(&State, Resource<'_>)>, keys: Option<&Keys>) -> Vec<u8> {
    line(&Single {
        format_version: FORMAT_VERSION,
        resource: found.map(|(state, resource)| details(state, resource, keys)),
    })
}

fn details<'s>(state: &'s State, resource: Resource<'s>, keys: Option<&Keys>) -> Details<'s> {
    let urn = resource.urn();
    let needs = resource.needs().map(|need| {
        let (kind, property) = match need.kind {
            NeedKind::Parent => ("parent", None),
            NeedKind::Provider => ("provider", None),
            NeedKind::Dependency => ("dependency", None),
            NeedKind::Property(name) => ("property", Some(name)),
            NeedKind::DeletedWith => ("deletedWith", None),
            NeedKind::ReplaceWith => ("replaceWith", None),
        };
        NeedRecord { kind, property, urn: need.urn }
    });
    let needed_by = state.resources().filter(|other| {
        let mut needs = other.needs();
        needs.any(|need| need.urn == urn)
    });
    let object = |value: Option<_>| value.map(|it| fields(it, keys)).unwrap_or_default();
    let other_fields = resource.value().entries().filter(|(key, value)| {
        let has_its_own =
            ["inputs", "outputs", "replacementTrigger"].iter().any(|name| key.is(name));
        !has_its_own && value.kind() != Kind::Null
    });
    let fields = other_fields.map(|(key, value)| {
        let value = super::values::notation(value, None);
        (key.text().into_owned(), value)
    });
    Details {
        kind: resource.kind(),
        name: resource.name(),
        id: resource.id(),
        custom: resource.is_custom(),
        needs: needs.collect(),
        needed_by: needed_by.map(Resource::urn).collect(),
        inputs: object(resource.inputs()),
        outputs: object(resource.outputs()),
        fields: fields.collect(),
        urn: urn.clone(),
    }
}

fn line(document: &impl Serialize) -> Vec<u8> {
    // No key is anything but a string, so that it can always be written.
    let mut out = serde_json::to_vec(document).unwrap_or_default();
    out.push(b'\n');
    out
}
