//! Plans as the document of `docs/formats/plan.schema.json`.

use pcl_eval::notation::{Secrets, write, write_map};
use pcl_plan::{Change, Step};
use pcl_values::Urn;
use serde_json::{Map, Value as Json, json};

use super::Planned;
use crate::render::FORMAT_VERSION;
use crate::render::json::{Records, count};

/// A plan as one JSON document, diagnostics included.
pub fn plan_json(planned: &Planned, secrets: Secrets) -> Vec<u8> {
    let report = &planned.report;
    let totals = planned.plan.totals().named().into_iter();
    let totals = totals.map(|(name, count)| (name.to_owned(), json!(count)));
    let steps = planned.plan.steps.iter().map(|step| step_json(planned, step, secrets));
    let document = json!({
        "format_version": FORMAT_VERSION,
        "program": planned.path,
        "valid": count(&report.diagnostics).0 == 0,
        "diagnostics": Records::all(report),
        "project": planned.project,
        "stack": planned.stack,
        "complete": planned.plan.is_complete,
        "changes": planned.plan.has_changes(),
        "steps": steps.collect::<Vec<Json>>(),
        "totals": totals.collect::<Map<String, Json>>(),
        "outputs": planned.outputs.as_ref().map(|outputs| write_map(outputs, secrets)),
    });
    let mut text = document.to_string().into_bytes();
    text.push(b'\n');
    text
}

fn step_json(planned: &Planned, step: &Step, secrets: Secrets) -> Json {
    let changes = step.changes.iter().map(|change| change_json(change, secrets));
    let incomparable = step.incomparable.iter().map(ToString::to_string);
    let position = step.source.map(|span| {
        let position = planned.sources.position(span.file, span.range.start());
        json!({
            "file": planned.sources.path(span.file),
            "line": position.line,
            "column": position.column,
        })
    });
    json!({
        "op": step.op.name(),
        "urn": step.urn.as_str(),
        "old_urn": step.old_urn.as_ref().map(Urn::as_str),
        "type": step.kind(),
        "name": step.name(),
        "parent": step.parent.as_ref().map(Urn::as_str),
        "provider": step.provider.as_ref().map(Urn::as_str),
        "protected": step.is_protected,
        "retained": step.is_retained,
        "reason": step.reason.name(),
        "because": step.reason.to_string(),
        "decided_by": step.decided_by.name(),
        "changed": step.changed(),
        "replace": step.replace_keys,
        "changes": changes.collect::<Vec<Json>>(),
        "incomparable": incomparable.collect::<Vec<String>>(),
        "source": position,
    })
}

fn change_json(change: &Change, secrets: Secrets) -> Json {
    json!({
        "path": change.path.to_string(),
        "kind": change.kind().name(),
        "old": change.old.as_ref().map(|value| write(value, secrets)),
        "new": change.new.as_ref().map(|value| write(value, secrets)),
        "replaces": change.replaces,
    })
}
