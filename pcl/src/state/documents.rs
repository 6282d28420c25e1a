//! `pcl state ls` and `show` with `--output-format json`, whose shapes are published as
//! `docs/formats/state.schema.json`.

use std::borrow::Cow;

use pcl_state::json::Kind;
use pcl_state::{Keys, NeedKind, Resource, State};
use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::tree::each;
use crate::render::json::{FORMAT_VERSION, line, record};
use crate::state::show::fields;

/// The resources of a state as one JSON document, in the order of [`tree_text`](super::tree_text).
/// A file that is not a state has no version and no resources.
pub fn resources_json(state: Option<&State>) -> Vec<u8> {
    let mut records = Vec::new();
    let add = |resource: Resource<'_>, depth: usize| {
        records.push(record!({
            urn: resource.urn().into_owned(),
            r#type: resource.kind().into_owned(),
            name: resource.name(),
            id: resource.id().map(Cow::into_owned),
            custom: resource.is_custom(),
            parent: resource.parent().map(Cow::into_owned),
            provider: resource.text("provider").map(Cow::into_owned),
            delete: resource.is_deleted(),
            external: resource.flag("external"),
            protect: resource.flag("protect"),
            depth: depth,
        }));
    };
    if let Some(state) = state {
        each(state, add);
    }
    line(&record!({
        format_version: FORMAT_VERSION,
        version: state.map(State::version),
        resources: records,
    }))
}

/// A resource of a state as one JSON document; `null` for a file that is not a state. Secrets are
/// shown only with keys; values have the notation of [`eval::notation`](crate::eval::notation).
pub fn resource_json(found: Option<(&State, Resource<'_>)>, keys: Option<&Keys>) -> Vec<u8> {
    line(&record!({
        format_version: FORMAT_VERSION,
        resource: found.map(|(state, resource)| details(state, resource, keys)),
    }))
}

fn details(state: &State, resource: Resource<'_>, keys: Option<&Keys>) -> impl Serialize {
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
        record!({ kind: kind, property: property, urn: need.urn })
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
        let value = crate::state::show::notation(value, None);
        (key.text().into_owned(), value)
    });
    record!({
        urn: urn.clone(),
        r#type: resource.kind(),
        name: resource.name(),
        id: resource.id(),
        custom: resource.is_custom(),
        needs: needs.collect::<Vec<_>>(),
        needed_by: needed_by.map(Resource::urn).collect::<Vec<_>>(),
        inputs: object(resource.inputs()),
        outputs: object(resource.outputs()),
        fields: fields.collect::<Map<String, Json>>(),
    })
}
