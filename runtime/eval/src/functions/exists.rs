//! `resourceExists`: a question to the provider of a resource type.
//!
//! The rules, with examples: `tests/spec/run/exists.md`.

use pcl_values::PropertyMap;

use super::site::Site;
use crate::invoke::plain;
use crate::monitor::ExistsResource;
use crate::node::hidden;
use crate::node::resource::properties;
use crate::run::Run;
use crate::stop::Stop;
use crate::value::{Kind, Marks, Value};
use crate::wording;

pub(super) fn resource_exists(site: &Site<'_>) -> Result<Value, Stop> {
    let (kind, id, state) = (site.text(0)?, site.text(1)?, site.value(2));
    let fields = match &state.kind {
        Kind::Null => None,
        Kind::Unknown => return Ok(Value::unknown(state.marks.clone())),
        Kind::Object(object) => {
            let own = if site.is_hidden { Marks::secret() } else { hidden(state) };
            let fields = object.iter();
            let fields = fields.map(|(name, value)| (name.clone(), value.clone().marked(&own)));
            Some(properties(fields)?)
        }
        _ => return Err(wording::unexpected(state, site.place(2), "an object of properties")),
    };
    let mut marks = state.marks.clone();
    for value in fields.iter().flat_map(PropertyMap::values) {
        marks.add(&Marks::new(value.has_secrets(), value.dependencies()));
    }
    if id.is_empty() {
        return Ok(Value::unknown(marks));
    }
    let run = site.run;
    if let Some(fields) = &fields {
        run.spend_request(fields, || site.span)?;
    }
    let kind = canonical(run, kind);
    let request = ExistsResource {
        package: run.package_of(&kind),
        kind,
        id: id.to_owned(),
        properties: fields.map(plain),
    };
    let answer = run.answered(run.monitor.exists_resource(&request), site.span)?;
    Ok(answer.map_or(Value::UNKNOWN, Value::from).marked(&marks))
}

/// The type token as the schema of its package writes it; as it is, if the program uses no such
/// package.
fn canonical(run: &Run, token: &str) -> String {
    let name = token.split(':').next().unwrap_or_default();
    let mut packages = run.program.schemas.packages().loaded(name);
    let found = packages.find_map(|package| {
        let found = package.resource_by_canonical(token)?;
        Some(package.token(found.member).to_owned())
    });
    found.unwrap_or_else(|| token.to_owned())
}
